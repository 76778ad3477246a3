"""Who wrote the text behind an embedding: section 6.3 of Song and Raghunathan 2020."""

from collections.abc import Iterator

from core.catalog.entry import Entry, varied
from core.experiment import Experiment


def entries() -> Iterator[Entry]:
    """Yield the promised results of attribute inference."""
    yield Entry(
        "authors_enron",
        "Twenty Enron mailboxes, told by MiniLM's embeddings",
        "Whose mailbox an e-mail lay in, from its embedding and up to fifty labelled e-mails of each.",
        Experiment.preset("attribute_inference", "paper"),
    )
    yield Entry(
        "authors_enron_40",
        "Forty Enron mailboxes, told by MiniLM's embeddings",
        "The same among twice as many, where guessing is right half as often.",
        varied("attribute_inference", attack={"authors": 40, "texts": 100}, game={"victims": 4000}),
    )
    yield Entry(
        "authors_r_lists",
        "Senders to the R mailing lists, told by MiniLM's embeddings",
        "People who write about one subject, in public, under their own names.",
        varied("attribute_inference", dataset={"part": "r_mailing_lists"}, attack={"authors": 14, "texts": 100}),
    )
    yield Entry(
        "demo_attribute_inference",
        "Author inference, small and offline",
        "The small experiment that anyone can run live: which article of an encyclopedia a passage comes from.",
        Experiment.preset("attribute_inference", "demo"),
    )
