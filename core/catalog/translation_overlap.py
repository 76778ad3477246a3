"""Was this sentence pair used to train the translator: Hisamoto et al. 2020, in two regimes."""

from collections.abc import Iterator

from core.catalog.entry import Entry
from core.experiment import Experiment


def entries() -> Iterator[Entry]:
    """Yield the promised results of membership of sentence pairs, the one to show first in front."""
    yield Entry(
        "translations_over_trained",
        "German to English, trained for twelve passes",
        "Ten thousand pairs, read twelve times: translations of new sentences are good, and the leak is open.",
        Experiment.preset("translation_overlap", "over_trained"),
    )
    yield Entry(
        "translations_few_passes",
        "German to English, trained for three passes",
        "Twice the pairs, read three times, as in the paper: one translation tells almost nothing.",
        Experiment.preset("translation_overlap", "paper"),
    )
    yield Entry(
        "demo_translation_overlap",
        "A made-up pair of languages, small and offline",
        "The small experiment that anyone can run live.",
        Experiment.preset("translation_overlap", "demo"),
    )
