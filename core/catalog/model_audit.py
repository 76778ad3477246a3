"""Promised results of the audit of a model: gensim's word2vec, with true marks and with random ones."""

from collections.abc import Iterator

from core.catalog.entry import Entry
from core.experiment import Experiment

ORDER = 99

_SUMMARY = "The audit that comes with Telltale: gensim’s word vectors of 1,000 passages of an encyclopedia"


def shipped() -> Experiment:
    """Return the audit that ships."""
    return Experiment.preset("word_pair_audit", "demo")


def entries() -> Iterator[Entry]:
    """Yield the audit, and its null case."""
    audit = shipped()
    null = audit.replace(dataset=audit.dataset.replace(marks=2))
    title = "Word vectors audited"
    yield Entry("demo_word_pair_audit", title, f"{_SUMMARY}.", audit, audit=True)
    yield Entry(
        "word_pair_audit_null",
        f"{title}, with marks that are random",
        f"{_SUMMARY}, with marks that say nothing about them.",
        null,
        contrast=True,
        audit=True,
    )
