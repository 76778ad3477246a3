"""Texts read back from their embeddings: section 6.2 of Song and Raghunathan 2020."""

from collections.abc import Iterator
from typing import Any

from core.catalog.entry import Entry, varied
from core.experiment import Experiment
from core.registry import part

_METHODS = {
    "multilabel_inversion": "by a classifier of words, without a look into the encoder",
    "multiset_inversion": "word by word, each knowing those named before, without a look into the encoder",
    "corrective_inversion": "by guesses that are embedded and corrected, without a look into the encoder",
    "relaxed_inversion": "by a search through the whole encoder",
    "sparse_inversion": "by sparse coding, with the encoder’s word vectors",
}
_SEARCH = "relaxed_inversion"
"""Learns no map from texts, so what its texts are about hardly matters, and crossing domains is nothing of its own."""
_CROSSING = {"part": "wikitext2"}
_LIGHTER = {"corrective_inversion": {"made_up": 20_000}}
_FEWER = {"corrective_inversion": {"victims": 300}}
"""What keeps crossing domains within half an hour: sentences of Wikipedia are long, and each guess is embedded."""
_TRAINED_METHODS = ("multilabel_inversion", "sparse_inversion")
_LSTM: dict[str, Any] = {
    "part": "dual_encoder",
    "texts": {"part": "wiki_split"},
    "epochs": 3,
    "body": "lstm",
    "dimension": 256,
}
_TRANSFORMER = {**_LSTM, "body": "transformer"}
"""Encoders that are trained here, as the paper's Table 1 has them."""
_DEFENDED = "multilabel_inversion"
_ADVERSARIES = (0.01, 0.1, 1, 10)
"""Strengths of an adversary beside the encoder's training."""
_BLURRED: dict[str, tuple[str, tuple[float, ...]]] = {
    "laplace": ("epsilon", (10_000, 1000, 300, 100)),
    "rounding": ("decimals", (1, 0)),
}
"""Strengths of what is done to finished embeddings."""


def entries() -> Iterator[Entry]:
    """Yield the promised results of inversion."""
    for attack, how in _METHODS.items():
        method = attack.removesuffix("_inversion")
        yield Entry(
            f"inversion_{method}",
            f"Restaurant reviews read back {how}",
            "The words of a review from nothing but MiniLM’s embedding, by an adversary that holds other reviews "
            "(same domain).",
            Experiment.preset(attack, "paper"),
        )
        if attack == _SEARCH:
            continue
        yield Entry(
            f"inversion_{method}_crossing",
            f"Restaurant reviews read back {how}, learnt from Wikipedia",
            "The same reviews, by an adversary that holds nothing but sentences of Wikipedia (cross domain).",
            varied(attack, attack={"auxiliary": _CROSSING, **_LIGHTER.get(attack, {})}, game=_FEWER.get(attack, {})),
        )
    yield from _trained_here()
    yield from _defended()
    for attack in _METHODS:
        yield Entry(
            f"demo_{attack}",
            f"{part('attack', attack).title}, small and offline",
            "The small experiment that anyone can run live, with the encoder that comes with the code.",
            Experiment.preset(attack, "demo"),
        )


def _trained_here() -> Iterator[Entry]:
    """Yield what is read back from encoders that are trained here."""
    for body, model, says in (("lstm", _LSTM, "an LSTM"), ("transformer", _TRANSFORMER, "a Transformer")):
        for attack in _TRAINED_METHODS:
            yield Entry(
                f"inversion_{attack.removesuffix('_inversion')}_{body}",
                f"Wikipedia sentences read back from {says}, {_METHODS[attack]}",
                "The words of a sentence from the embedding of a dual encoder that is trained here, as in the paper's "
                "Table 1.",
                varied(attack, dataset=_CROSSING, model=model),
            )


def _defended() -> Iterator[Entry]:
    """Yield what is read back behind defenses, by an adversary who knows them and learns anew."""
    learns = part("defense", "adversarial_training").title
    for strength in _ADVERSARIES:
        yield Entry(
            f"inversion_adversarial_training_{strength:g}",
            f"Wikipedia sentences read back from an LSTM, {learns}, strength {strength:g}",
            "What is left of a sentence's words in its embedding, and of the embedding's use, where the encoder was "
            "trained to hide words.",
            varied(
                _DEFENDED,
                dataset=_CROSSING,
                model=_LSTM,
                defenses=[{"part": "adversarial_training", "strength": strength}],
            ),
            contrast=True,
        )
    for name, (field, values) in _BLURRED.items():
        for value in values:
            yield Entry(
                f"inversion_{name}_{value:g}",
                f"Restaurant reviews read back behind {part('defense', name).title}, {field} {value:g}",
                "What is left of a review's words in its embedding, and of the embedding's use, after it was blurred.",
                varied(_DEFENDED, defenses=[{"part": name, field: value}]),
                contrast=True,
            )
