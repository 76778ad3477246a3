"""Promised results on what decides how much is read from vectors: the length of the texts, and leaked pairs."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from core.catalog.entry import Entry, varied, without_examples
from core.datasets.mail.enron_mailboxes import EnronMailboxes
from core.encoders.records import RECORDS

ORDER = 99

LONGEST = 192
"""Words that each message has at least, of which the beginning is taken."""
TOKENS = {6: 10, 12: 17, 24: 33, 48: 63, 96: 125, 192: 245}
"""Words of a text, and the mean number of tokens that MiniLM reads of them, at most 256: of 192 words about a third of
the texts hold more. Counted in the first 400 messages of 160 words or more."""
PAIRS = (0, 10, 50, 100, 500, 2000)
ENCODERS = ("minilm", "small_bert")
_FEWEST_ALONE = 50
"""Pairs from which a classifier learns without an encoder."""

_TAUGHT = {"texts": 3000, "vocabulary": 1500, "epochs": 10}
_GAME = {"victims": 300}
METHODS = {
    "multilabel_inversion": "by a classifier of words",
    "nearest_inversion": "by copying the nearest text",
    "generative_inversion": "by generation",
}
"""How each attack reads texts of equal length."""
HELD = 1200
"""Most texts that the adversary holds for it."""
_SETTINGS: dict[str, dict[str, Any]] = {
    "multilabel_inversion": {"epochs": 20},
    "nearest_inversion": {},
    "generative_inversion": {"epochs": 20, "classifier_epochs": 20},
}
_SHORTER_SEARCH = {"written": 8, "rewritten": 2, "asked": 4, "rounds": 5}
_LONG = {
    48: {"longest": 128, "epochs": 10, **_SHORTER_SEARCH},
    96: {"longest": 256, "epochs": 5, **_SHORTER_SEARCH},
    192: {"longest": 512, "epochs": 3, **_SHORTER_SEARCH},
}
"""By number of words, what generation has for texts that are long.

Nine in ten texts have no more subwords than it writes. Epochs are fewer as texts are longer, so that the decoder reads
about as many subwords as from texts of 24 words. The whole search would take hours where texts are long.
"""
_LONG_VICTIMS = 100
"""Victims of generation there."""


@dataclass(frozen=True)
class Curve:
    """What is read against the number of leaked pairs.

    Attributes:
        target: The unknown encoder.
        local: The adversary's own; empty for none.
        entries: By the number of pairs, the promised result.
    """

    target: str
    local: str
    entries: dict[int, Entry]


@cache
def lengths() -> dict[str, dict[int, Entry]]:
    """Return by attack and number of words the promised result of reading texts of that length; not to be changed."""
    return {attack: {words: _of_length(attack, words) for words in TOKENS} for attack in METHODS}


@cache
def curves() -> tuple[Curve, ...]:
    """Return the curves: each unknown encoder read through each local one, and without any."""
    through = [(target, local) for target in ENCODERS for local in ENCODERS if (target, local) != ("small_bert",) * 2]
    return tuple(_curve(target, local) for target, local in (*through, *((target, "") for target in ENCODERS)))


def entries() -> Iterator[Entry]:
    """Yield all of them."""
    for by_length in lengths().values():
        yield from by_length.values()
    for curve in curves():
        yield from curve.entries.values()


def _of_length(attack: str, words: int) -> Entry:
    settings = _SETTINGS[attack]
    method = attack.removesuffix("_inversion")
    game = {**_GAME, "pieces": "texts", "near_copies": "left out", "sensitive": True}
    if method != "multilabel":
        game["report"] = "texts"
    if method == "generative" and words in _LONG:
        settings = {**settings, **_LONG[words]}
        game["victims"] = _LONG_VICTIMS
    return Entry(
        f"vectors_of_{words}_words_{method}",
        f"Vectors of beginnings of Enron e-mails read {METHODS[attack]}, {words} words each",
        "Texts of equal length, read from unit-length MiniLM vectors: how length matters.",
        without_examples(
            varied(
                attack,
                attack={"texts": HELD, "vocabulary": 3000, **settings},
                dataset=EnronMailboxes(fewest=LONGEST, beginning=words).as_dict(),
                model={"length": "unit"},
                game=game,
            )
        ),
        contrast=True,
    )


def _curve(target: str, local: str) -> Curve:
    counts = [count for count in PAIRS if local or count >= _FEWEST_ALONE]
    return Curve(target, local, {count: _entry(target, local, count) for count in counts})


def _entry(target: str, local: str, pairs: int) -> Entry:
    attack, how = "few_shot_inversion", {"pairs": pairs, "local": local, **_TAUGHT}
    if not local:
        attack, how = "multilabel_inversion", {**_TAUGHT, "texts": pairs, "batch": 32}
    by = f"through {RECORDS[local].title}" if local else "without an encoder"
    return Entry(
        f"few_shot_{target}_by_{local or 'none'}_{pairs}",
        f"Vectors of {RECORDS[target].title} read {by}, {pairs:,} leaked pairs",
        "The words of sentences of restaurant reviews, inferred from vectors by an adversary with a few leaked pairs.",
        varied(attack, attack=how, model={"source": target, "length": "unit", "max_tokens": 64}, game=_GAME),
        contrast=True,
    )
