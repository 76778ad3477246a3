"""Promised results of sentence and user membership (Song and Raghunathan 2020, section 5.2)."""

from collections.abc import Iterator

from core.catalog.entry import Entry, demo, varied
from core.experiment import Experiment

ORDER = 30


def entries() -> Iterator[Entry]:
    """Yield the promised results of sentence and user membership."""
    yield Entry(
        "sentences_lstm",
        "People on the R mailing lists, by an LSTM encoder",
        "Whether an encoder was trained on a person's messages, from one to twenty sentence pairs, over ten epochs.",
        Experiment.preset("sentence_similarity", "paper"),
    )
    yield Entry(
        "sentences_enron",
        "Mailboxes of Enron, by an LSTM encoder",
        "Fewer people, who write about the same business to the same readers.",
        varied("sentence_similarity", dataset={"part": "enron_mailboxes"}),
    )
    yield demo(
        "sentence_similarity",
        "Sentences of encyclopedia articles, small and offline",
        ": each article is in the training data of half of the encoders",
    )
