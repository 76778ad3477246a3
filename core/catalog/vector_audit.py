"""Promised results of audits of vector stores: reviews and messages as unit-length MiniLM vectors."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from core.audits import plan, profiles
from core.audits.plan import FRONTIER, Step
from core.catalog.entry import Entry, without_examples
from core.datasets import Dataset
from core.datasets.mail.enron_mailboxes import EnronMailboxes
from core.datasets.skytrax import Skytrax
from core.datasets.yelp import Yelp
from core.games.inversion import Inversion
from core.models.encoder import Encoder
from core.result import Result
from core.runtime.store import Store

ORDER = 98

_LOCAL = "minilm"

_TITLES = {
    "words": "{} audited, the encoder is known",
    "pairs": "{} audited, a few texts leaked with theirs",
    "suspects": "{} audited, some texts are suspected",
    "texts": "{} audited, whole texts are searched for",
}


@dataclass(frozen=True)
class Shipped:
    """An audit that ships.

    Attributes:
        prefix: What the names of its entries begin with.
        texts: The texts behind the vectors.
        short: What the titles of its entries begin with.
        dataset: Those texts.
        profile: How much was tried.
        personal: Whether the texts are people's e-mails, of which no result holds single ones' words.
    """

    prefix: str
    texts: str
    short: str
    dataset: Dataset
    profile: str
    personal: bool = False

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Its steps; its texts are embedded as a store would."""
        encoder = Encoder(source=_LOCAL, length="unit")
        steps = plan.steps(self.dataset, encoder, profiles.profile_named(self.profile, profiles.PROFILES), _LOCAL)
        if not self.personal:
            return steps
        return tuple(
            replace(step, experiment=without_examples(step.experiment))
            if isinstance(step.experiment.game, Inversion)
            else step
            for step in steps
        )

    def entries(self) -> Iterator[Entry]:
        """Yield each step as a promised result."""
        summary = (
            f"Part of an audit, profile {self.profile}: what a copy of unit-length MiniLM vectors of {self.texts} "
            "gives away."
        )
        for step in self.steps:
            title = _TITLES.get(step.name, f"{{}} audited, behind {step.title}").format(self.short)
            name = "_".join(step.title.replace(",", "").split()) if step.name == FRONTIER else step.name
            yield Entry(f"{self.prefix}_{name}", title, summary, step.experiment, contrast=True, audit=True)


AUDITS: dict[str, Shipped] = {
    "restaurants": Shipped("audit_vectors", "sentences of restaurant reviews", "Vectors of reviews", Yelp(), "routine"),
    "airlines": Shipped(
        "audit_airlines", "airline reviews", "Vectors of airline reviews", Skytrax(taken="reviews"), "smoke"
    ),
    "enron": Shipped(
        "audit_enron", "e-mails of Enron", "Vectors of Enron e-mails", EnronMailboxes(), "smoke", personal=True
    ),
}
"""The audits that ship, by the name in the page's address, the first one first shown."""


def took(profile: str, store: Store) -> str:
    """Return how long the quickest shipped audit with a profile took, as a sentence; empty where none is stored."""
    durations = []
    for audit in AUDITS.values():
        entries = audit.entries() if audit.profile == profile else ()
        results = [Result.load(store, entry.key, tables=False) for entry in entries]
        origins = [result.provenance for result in results if result is not None]
        if origins and len(origins) == len(audit.steps):
            seconds, cores = sum(origin.wall_seconds for origin in origins), origins[0].cores
            durations.append((seconds, f"The one of {audit.texts} took {seconds / 60:.0f} min on {cores} cores."))
    return min(durations, default=(0, ""))[1]


def entries() -> Iterator[Entry]:
    """Yield the steps of each audit."""
    for audit in AUDITS.values():
        yield from audit.entries()
