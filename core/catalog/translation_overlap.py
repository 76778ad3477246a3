"""Was this sentence pair used to train the translator: Hisamoto et al. 2020, in two regimes."""

from collections.abc import Iterator

from core.catalog.entry import Entry
from core.experiment import Experiment

_AS_THE_PAPER = {"dataset": {"pairs": 8000}, "model": {"epochs": 3}, "attack": {"shadow_model": {"epochs": 3}}}


def entries() -> Iterator[Entry]:
    """Yield the promised results of membership of sentence pairs, the one to show first in front."""
    yield Entry(
        "translations_over_trained",
        "German to English, trained for many passes",
        "Fifteen passes over ten thousand pairs: the leak is open, though translations are no worse for it.",
        Experiment.preset("translation_overlap", "paper"),
    )
    yield Entry(
        "demo_translation_overlap",
        "A made-up pair of languages, small and offline",
        "The small experiment that anyone can run live.",
        Experiment.preset("translation_overlap", "demo"),
    )
