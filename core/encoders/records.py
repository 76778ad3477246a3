"""Record of each encoder: where it comes from, what it reads, whose it is, and whether it can be loaded."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.encoders.recipes import RECIPES, Recipe
from core.errors import suggestion

DEFAULT = "small_bert"
"""The encoder that comes with the code and needs no network."""

_MOVING = "main"


@dataclass(frozen=True)
class EncoderRecord:
    """An encoder as its makers published it.

    Attributes:
        name: What it is called here.
        title: What its makers call it.
        dimension: Length of its hidden states.
        tokenisation: How it cuts a text, and into how many different pieces.
        layers: Transformer blocks.
        licence: SPDX identifier or the publisher's words.
        year: When it was published.
        citation: How to cite it.
        megabytes: About how much its weights take to download; 0 where nothing is downloaded, or it is not known.
        hub: Its id on the Hugging Face hub; empty for those trained here.
        revision: Commit on the hub; ``main`` is not pinned, so its files may change, and with them the key.
        package: Distribution that carries the files, looked at before the hub.
        package_folder: Where they lie inside it.
        command: What trains it; empty for those that others trained.
        digest: Digest of the files; empty where they are not known.
        unavailable: Why it cannot be loaded; empty when it can.
        note: What else a person should know.
        normalise: Whether its makers scale embeddings to length one.
        pooling: Which hidden state its makers take: ``mean``, ``first`` or ``last``.
        document_prefix: What its makers put before each text that is stored.
        query_prefix: What they put before each text that is searched for.
    """

    name: str
    title: str
    dimension: int
    tokenisation: str
    layers: int
    licence: str
    year: int
    citation: str
    megabytes: int = 0
    hub: str = ""
    revision: str = ""
    package: str = ""
    package_folder: str = ""
    command: str = ""
    digest: str = ""
    unavailable: str = ""
    note: str = ""
    normalise: bool = False
    pooling: str = "mean"
    document_prefix: str = ""
    query_prefix: str = ""

    @property
    def pinned(self) -> bool:
        """Whether the same files are meant for ever."""
        return bool(self.digest) or self.revision not in ("", _MOVING)


@dataclass(frozen=True)
class NamesEncoders:
    """Marks a field that names encoders: ``Annotated[str, NamesEncoders()]``. It is no part of a key.

    Attributes:
        bundled: Name and title of each model that comes with the code and may be named instead of those on record.
    """

    bundled: tuple[tuple[str, str], ...] = ()


def _published() -> dict[str, tuple[EncoderRecord, ...]]:
    """Return the encoders that others trained, by group."""
    groups = tomllib.loads(Path(__file__).with_name("published.toml").read_text("utf-8"))
    return {
        group: tuple(EncoderRecord(name=name, **fields) for name, fields in encoders.items())
        for group, encoders in groups.items()
    }


_PUBLISHED = _published()
PAN_2020 = _PUBLISHED["pan_2020"]
"""The encoders of X. Pan, M. Zhang, S. Ji, M. Yang. Privacy Risks of General-Purpose Language Models. IEEE S&P 2020."""

_DIGESTS = {
    "small_bert": "e62e7f8f32b94e6b0dd4f03bea6dcfebe60599ebb4968c5366920de5af2aed90",
    "small_gpt2": "6f51520e28de336be582d8dd97cfdf8cc3409745932f0d353f7fa163ccdc666a",
    "small_xlnet": "d4d85886dc05528e6d786bca9c706c0cc5d987e5ae0788334709348a7da6ddcd",
    "untrained_bert": "23cee92286b9d4c38257055dbd15c1bbd534788194962eb1c59d5e887e47485c",
    "untrained_gpt2": "7c204dd4eb699b2544bc616fb43aafd0aecb67b1644cf33040d3a1027c102a55",
    "untrained_xlnet": "eba80269de9374489b5dbad216dfa6d6c4c35367b0d3a6df9cc7cf19eb507386",
}
"""What their commands gave where the results that come with the code were computed."""


def _small(recipe: Recipe) -> EncoderRecord:
    architecture, tokenisation = {
        "bert": ("BERT", "WordPiece, lower case, digits apart"),
        "gpt2": ("GPT-2", "byte-level byte pairs"),
        "xlnet": ("XLNet", "WordPiece, lower case, digits apart"),
    }[recipe.architecture]
    return EncoderRecord(
        name=recipe.name,
        title=f"Small {architecture}" if recipe.steps else f"Small {architecture}, untrained",
        dimension=recipe.width,
        tokenisation=f"{tokenisation}, {recipe.vocabulary:,} tokens",
        layers=recipe.layers,
        licence="CC-BY-SA-4.0",
        year=2026,
        citation="Trained here, on WikiText-2 and WikiSplit." if recipe.steps else "Random weights, made here.",
        command=f"python -m core.encoders.pretraining {recipe.name}",
        digest=_DIGESTS[recipe.name],
    )


_SMALL = {name: _small(recipe) for name, recipe in RECIPES.items()}
_SMALL[DEFAULT] = replace(
    _SMALL[DEFAULT],
    note="Comes with the code. Trained on texts of up to 96 tokens, to be asked for the mean of its hidden states.",
)

RECORDS = {record.name: record for record in (*_SMALL.values(), *_PUBLISHED["today"], *PAN_2020)}


_BY_HUB = {record.hub: record for record in RECORDS.values() if record.hub}


def record_of(source: str) -> EncoderRecord | None:
    """Return the record of an encoder that is named by its name here or by its id on the hub; None without one."""
    return RECORDS.get(source) or _BY_HUB.get(source)


def prefixed(texts: Sequence[str], prefix: str) -> list[str]:
    """Return texts with a prefix before each that does not begin with it.

    >>> prefixed(["passage: a cat", "a dog"], "passage: ")
    ['passage: a cat', 'passage: a dog']
    """
    return [text if text.startswith(prefix) else prefix + text for text in texts]


def unknown(name: str) -> str:
    """Return what is wrong with the name of an encoder that has no record, to end an error message."""
    return (
        f"the name of an encoder, an id on the hub such as 'BAAI/bge-small-en-v1.5', or the path of a folder, with a "
        f"slash.{suggestion(name.lower(), RECORDS)}"
    )
