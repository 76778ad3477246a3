"""Promised results of author inference (Song and Raghunathan 2020, section 6.3)."""

from collections.abc import Iterator

from core.catalog import seeds
from core.catalog.entry import Entry, demo, varied
from core.experiment import Experiment

ORDER = 100

_FOLDERS = (
    ("inbox", "received mail", "The mailbox that an e-mail was sent to, which is not who wrote it."),
    (
        "all",
        "sent and received mail",
        "The mailbox of an e-mail, sent or received: in part who wrote it, in part to whom.",
    ),
)


def entries() -> Iterator[Entry]:
    """Yield the promised results of author inference."""
    yield Entry(
        "authors_enron",
        "Twenty Enron employees, from MiniLM embeddings",
        "The author of a sent e-mail, inferred from its embedding and up to fifty labelled e-mails of each author.",
        Experiment.preset("attribute_inference", "paper"),
    )
    yield Entry(
        "authors_enron_40",
        "Forty Enron employees, from MiniLM embeddings",
        "The same with twice as many authors, and far fewer e-mails of each.",
        varied("attribute_inference", attack={"authors": 40, "texts": 28}, game={"victims": 4000}),
    )
    for folder, title, summary in _FOLDERS:
        yield Entry(
            f"authors_enron_{folder}",
            f"Twenty Enron mailboxes, {title}, from MiniLM embeddings",
            summary,
            varied("attribute_inference", dataset={"folder": folder}),
            contrast=True,
        )
    yield Entry(
        "authors_r_lists",
        "Senders to the R mailing lists, from MiniLM embeddings",
        "People who write about one subject, in public, under their own names.",
        varied("attribute_inference", dataset={"part": "r_mailing_lists"}, attack={"authors": 14, "texts": 98}),
    )
    small = demo(
        "attribute_inference",
        "Author inference, small and offline",
        ": the article of an encyclopedia that a passage comes from",
    )
    yield from seeds.over(small)
