"""Targets of an audit: documents, or owners whose documents may be partly in."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from core.experiment import Experiment
from core.games.audit import NEAR_COPIES, Audit
from core.games.audit.copied import copied
from core.games.audit.eligible import FEWEST, counted, suffice
from core.result import Estimate, Result
from core.text.marked import MarkedDocuments

_NAMED = 5
"""Most documents that are named as near copies."""


@dataclass(frozen=True)
class AskedAbout:
    """What the targets of an audit are.

    Attributes:
        unit: What one is, in words.
        on_both_sides: Owners with a target that is in, and another that is out.
        drawn_from: What the targets of an audit that is planned are drawn from, as a sentence.
        copied: How many documents out are near copies of documents in, and of an audit that is planned, which, as a
            sentence; empty where there are none.
    """

    unit: str = "document"
    on_both_sides: int = 0
    drawn_from: str = ""
    copied: str = ""

    @classmethod
    def of(cls, result: Result) -> Self:
        """Return what the targets of a finished audit are."""
        count = result.estimates.get(NEAR_COPIES)
        hidden = "" if count is None else _copied_of(count)
        if result.experiment["game"].get("users") != "owners":
            return cls(copied=hidden)
        targets = result.tables["targets"]
        sides = targets.groupby("label")["member"].nunique()
        return cls("owner", int((sides == 2).sum()), copied=hidden)

    @property
    def targets(self) -> str:
        """What the targets are called before an audit starts."""
        return "targets" if self.unit == "document" else f"{self.unit}s"

    @property
    def announced(self) -> list[str]:
        """Say before an audit starts what targets are drawn from, and what may hide a leak."""
        return [*filter(None, [self.drawn_from]), *self.hiding]

    @property
    def hiding(self) -> list[str]:
        """Say what may hide a leak: near copies, and owners who are drawn on both sides."""
        return [*filter(None, [self.copied, self.drawn_twice])]

    @property
    def drawn_twice(self) -> str:
        """Say how many owners are drawn on both sides, and what follows; empty where none is."""
        if not (count := self.on_both_sides):
            return ""
        drawn = "1 owner is" if count == 1 else f"{count:,} owners are"
        return (
            f"{drawn} drawn as a target on each side: once with documents in, once with documents out. Intervals draw "
            "both together. What both have in common cannot tell them apart, so that a leak may be missed."
        )


DOCUMENTS = AskedAbout()


def planned(audit: Experiment, documents: MarkedDocuments) -> AskedAbout:
    """Return what the targets of an audit will be, and what they are drawn from; of owners, who is on both sides.

    Raises:
        Incompatible: Too few are marked.
    """
    if not isinstance(audit.game, Audit):
        return DOCUMENTS
    drawn_from, drawn = _drawn_from(audit.game, documents), audit.game.draw(documents, audit.seed)
    rows, outs = copied(drawn, documents)
    numbers = [documents.numbers[row] for row in rows] if documents.numbers else []
    hidden = _copied(len(rows), outs, numbers, leave_out=bool(rows) and _enough_without(audit.game, documents))
    if audit.game.users != "owners":
        return AskedAbout(drawn_from=drawn_from, copied=hidden)
    sides = {
        mark: {target.label for target, bit in zip(drawn.targets, drawn.member, strict=True) if bit == mark}
        for mark in (True, False)
    }
    return AskedAbout("owner", len(sides[True] & sides[False]), drawn_from, hidden)


def near_copies(result: Result) -> list[str]:
    """Say in a list for a report how many documents out are near copies of documents in; empty of other results."""
    if (count := result.estimates.get(NEAR_COPIES)) is None:
        return []
    none = f"None of the {count.n:,} documents out in question shares half of its runs of six words with documents in."
    sentence = _copied_of(count) or none
    return [f"{sentence[0].lower()}{sentence[1:]}"]


def _enough_without(game: Audit, documents: MarkedDocuments) -> bool:
    """Tell whether an audit could still conclude something where near copies are left out of the documents."""
    return suffice(game.users, documents.without_near_copies(), knows_outs=game.knows_outs)


def _copied_of(count: Estimate) -> str:
    """Return what `_copied` does, of a result; it holds no documents, so that the targets out that are left decide."""
    copies = round(count.value)
    return _copied(copies, count.n, leave_out=count.n - copies >= FEWEST)


def _copied(count: int, outs: int, numbers: Sequence[int] = (), *, leave_out: bool) -> str:
    """Return how many documents out in question are near copies of documents in; empty of none.

    Args:
        count: How many.
        outs: How many documents are out and in question.
        numbers: Their rows in the file, where it is at hand.
        leave_out: Whether enough documents for an audit are left without near copies.
    """
    if not count:
        return ""
    share, their, members = ("shares", "its", "a member") if count == 1 else ("share", "their", "members")
    more = f" and {count - _NAMED:,} more" if count > _NAMED else ""
    rows = f"row{'s' * (count > 1)} {', '.join(f'{number:,}' for number in numbers[:_NAMED])}{more}"
    named = f": {rows} of the file, counted from 1 without its header" if numbers else ""
    advice = " Set 'near_copies' to 'left out', and marked documents of your own are read without them."
    return (
        f"Of the {outs:,} documents out in question, {count:,} {share} at least half of {their} runs of six words with "
        f"documents in, and may pass for {members}{named}. So more may leak than is shown, above all at a low "
        f"false-positive rate.{advice if leave_out else ''}"
    )


def _drawn_from(game: Audit, documents: MarkedDocuments) -> str:
    """Return what the targets of an audit are drawn from, as a sentence with the counts that limit their number."""
    by_owner = game.users == "owners"
    inside, outside = counted(game.users, documents)
    unit = "owners with documents" if by_owner else "documents"
    half_out = f"a random half of the {outside:,} out, whose other half it knows to be out"
    outs = half_out if game.knows_outs else f"all {outside:,} out"
    return (
        f"Targets are drawn, as many in as out and at most {game.targets:,}, from a random half of the {inside:,} "
        f"{unit} in, whose other half the adversary has unmarked, and from {outs}."
    )
