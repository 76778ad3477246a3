"""Texts read back from their embeddings: section 6.2 of Song and Raghunathan 2020."""

from collections.abc import Iterator

from core.catalog.entry import Entry, varied
from core.experiment import Experiment
from core.registry import part

_METHODS = {
    "multilabel_inversion": "by a classifier of words, without a look into the encoder",
    "sparse_inversion": "by sparse coding, with the encoder’s word vectors",
}
_CROSSING = {"part": "wikitext2"}


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
        yield Entry(
            f"inversion_{method}_crossing",
            f"Restaurant reviews read back {how}, learnt from Wikipedia",
            "The same reviews, by an adversary that holds nothing but sentences of Wikipedia (cross domain).",
            varied(attack, attack={"auxiliary": _CROSSING}),
        )
    for attack in _METHODS:
        yield Entry(
            f"demo_{attack}",
            f"{part('attack', attack).title}, small and offline",
            "The small experiment that anyone can run live, with the encoder that comes with the code.",
            Experiment.preset(attack, "demo"),
        )
