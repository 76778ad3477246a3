"""What the next word of a language model gives away: Tables 4 and 5 of Mahloujifar et al. 2021."""

from collections.abc import Iterator

from core.catalog.entry import Entry
from core.experiment import Experiment


def entries() -> Iterator[Entry]:
    """Yield the promised results of the attack through a language model."""
    yield Entry(
        "next_word_lstm",
        "Through an LSTM’s next word",
        "Fifty mailboxes, half of them learnt by an LSTM that only says its likeliest next word (Tables 4 and 5).",
        Experiment.preset("next_word", "paper"),
    )
    yield Entry(
        "demo_next_word",
        "Through a language model, small and offline",
        "The small experiment that anyone can run live, on articles of an encyclopedia.",
        Experiment.preset("next_word", "demo"),
    )
