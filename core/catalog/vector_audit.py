"""Promised results of the audit of a vector store: sentences of restaurant reviews as unit-length MiniLM vectors."""

from collections.abc import Iterator

from core.audits import plan, profiles
from core.audits.plan import Step
from core.audits.verdict import FRONTIER
from core.catalog.entry import Entry
from core.datasets.yelp import Yelp
from core.models.encoder import Encoder

ORDER = 98

_LOCAL = "minilm"
_SUMMARY = "Part of an audit, profile routine: what a copy of unit-length MiniLM vectors of reviews gives away."

_TITLES = {
    "words": "Vectors of reviews audited, the encoder is known",
    "pairs": "Vectors of reviews audited, a few texts leaked with theirs",
    "suspects": "Vectors of reviews audited, some texts are suspected",
}


def shown() -> tuple[Step, ...]:
    """Return the steps of the audit that ships; its texts are embedded as a store would."""
    encoder = Encoder(source=_LOCAL, length="unit")
    return plan.steps(Yelp(), encoder, profiles.named("routine"), _LOCAL)


def entries() -> Iterator[Entry]:
    """Yield each step."""
    for step in shown():
        name, title = step.name, _TITLES.get(step.name, f"Vectors of reviews audited, behind {step.title}")
        if step.name == FRONTIER:
            name = "_".join(step.title.replace(",", "").split())
        yield Entry(f"audit_vectors_{name}", title, _SUMMARY, step.experiment, contrast=True, audit=True)
