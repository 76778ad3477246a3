"""Promised results of the audits of models: word vectors and a language model, with true marks and with random ones."""

from collections.abc import Iterator

from core.catalog.entry import Entry
from core.experiment import Experiment

ORDER = 99

_SUMMARIES = {
    "word_pair_audit": (
        "Word vectors audited",
        "The audit that comes with Telltale: gensim’s word vectors of 1,000 passages of an encyclopedia",
    ),
    "language_model_audit": (
        "A language model audited",
        "An audit that comes with Telltale: a small GPT-2, fine-tuned on 1,000 passages of an encyclopedia",
    ),
}


def shipped(attack: str = "word_pair_audit") -> Experiment:
    """Return the audit that ships, of word vectors or by another attack."""
    return Experiment.preset(attack, "demo")


def entries() -> Iterator[Entry]:
    """Yield each audit, and its null case."""
    for attack, (title, summary) in _SUMMARIES.items():
        audit = shipped(attack)
        null = audit.replace(dataset=audit.dataset.replace(marks=2))
        yield Entry(f"demo_{attack}", title, f"{summary}.", audit, audit=True)
        yield Entry(
            f"{attack}_null",
            f"{title}, with marks that are random",
            f"{summary}, with marks that say nothing about them.",
            null,
            contrast=True,
            audit=True,
        )
