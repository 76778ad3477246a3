"""Promised results of author inference (Song and Raghunathan 2020, section 6.3)."""

from collections.abc import Iterator

from core.catalog.entry import Entry, demo, varied
from core.experiment import Experiment


def entries() -> Iterator[Entry]:
    """Yield the promised results of author inference."""
    yield Entry(
        "authors_enron",
        "Twenty Enron mailboxes, from MiniLM embeddings",
        "The mailbox of an e-mail, inferred from its embedding and up to fifty labelled e-mails of each mailbox.",
        Experiment.preset("attribute_inference", "paper"),
    )
    yield Entry(
        "authors_enron_40",
        "Forty Enron mailboxes, from MiniLM embeddings",
        "The same with twice as many mailboxes, which halves the chance level.",
        varied("attribute_inference", attack={"authors": 40, "texts": 100}, game={"victims": 4000}),
    )
    yield Entry(
        "authors_r_lists",
        "Senders to the R mailing lists, from MiniLM embeddings",
        "People who write about one subject, in public, under their own names.",
        varied("attribute_inference", dataset={"part": "r_mailing_lists"}, attack={"authors": 14, "texts": 100}),
    )
    yield demo(
        "attribute_inference",
        "Author inference, small and offline",
        ": the article of an encyclopedia that a passage comes from",
    )
