"""Who is asked about in an audit of one model: documents, or owners, of whom some may be in and out."""

from dataclasses import dataclass
from typing import Self

from core.experiment import Experiment
from core.games.audit import Audit
from core.result import Result
from core.text.marked import MarkedDocuments


@dataclass(frozen=True)
class AskedAbout:
    """What the targets of an audit are.

    Attributes:
        unit: What one is, in words.
        on_both_sides: Owners with a target that is in, and another that is out.
    """

    unit: str = "document"
    on_both_sides: int = 0

    @classmethod
    def of(cls, result: Result) -> Self:
        """Return what the targets of a finished audit are."""
        if result.experiment["game"].get("users") != "owners":
            return cls()
        targets = result.tables["targets"]
        sides = targets.groupby("label")["member"].nunique()
        return cls("owner", int((sides == 2).sum()))

    @property
    def targets(self) -> str:
        """What the targets are called before an audit starts."""
        return "targets" if self.unit == "document" else f"{self.unit}s"

    @property
    def treated(self) -> list[str]:
        """Say how owners are treated who have documents in and documents out; nothing where there are none."""
        if not self.on_both_sides:
            return []
        count = self.on_both_sides
        return [
            f"{count:,} {'owner has' if count == 1 else 'owners have'} documents in and documents out, and "
            f"{'is' if count == 1 else 'are'} a target on each side: once with the documents in, once with those out. "
            "Intervals draw both together. What both have in common cannot tell them apart, so that a leak may be "
            "missed."
        ]


DOCUMENTS = AskedAbout()


def planned(audit: Experiment, documents: MarkedDocuments) -> AskedAbout:
    """Return what the targets of an audit will be: of owners, those who are drawn on both sides.

    Raises:
        Incompatible: Too few are marked.
    """
    if not isinstance(audit.game, Audit) or audit.game.users != "owners":
        return DOCUMENTS
    drawn = audit.game.draw(documents, audit.seed)
    sides = {
        mark: {target.label for target, bit in zip(drawn.targets, drawn.member, strict=True) if bit == mark}
        for mark in (True, False)
    }
    return AskedAbout("owner", len(sides[True] & sides[False]))
