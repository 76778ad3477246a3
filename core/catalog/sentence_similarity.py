"""Were these sentences in the training text: sentence encoders as in Song and Raghunathan 2020, section 5.2."""

from collections.abc import Iterator

from core.catalog.entry import Entry, varied
from core.experiment import Experiment


def entries() -> Iterator[Entry]:
    """Yield the promised results of sentence membership, the one to show first in front."""
    yield Entry(
        "sentences_lstm",
        "People on the R mailing lists, by an LSTM encoder",
        "Whether an encoder of sentences learnt from a person's messages, from one pair of sentences to twenty, over "
        "ten passes of training.",
        Experiment.preset("sentence_similarity", "paper"),
    )
    yield Entry(
        "sentences_enron",
        "Mailboxes of Enron, by an LSTM encoder",
        "Fewer people, who write about the same business to the same readers.",
        varied("sentence_similarity", dataset={"part": "enron_mailboxes"}),
    )
    yield Entry(
        "demo_sentence_similarity",
        "Sentences of encyclopedia articles, small and offline",
        "The small experiment that anyone can run live: an article's sentences train half of the encoders.",
        Experiment.preset("sentence_similarity", "demo"),
    )
