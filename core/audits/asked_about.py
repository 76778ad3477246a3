"""Targets of an audit: documents, or owners whose documents may be partly in."""

from dataclasses import dataclass
from itertools import chain
from typing import Self

from core.experiment import Experiment
from core.games.audit import Audit
from core.games.audit.drawn import Drawn
from core.result import Result
from core.text.corpus import words_of
from core.text.marked import MarkedDocuments
from core.text.near_copies import shares_of

_SHARED = 0.5
_NAMED = 5
"""Most documents that are named as near copies."""


@dataclass(frozen=True)
class AskedAbout:
    """What the targets of an audit are.

    Attributes:
        unit: What one is, in words.
        on_both_sides: Owners with a target that is in, and another that is out.
        drawn_from: What the targets of an audit that is planned are drawn from, as a sentence.
        copied: Which documents out are near copies of documents in, of an audit that is planned, as a sentence.
    """

    unit: str = "document"
    on_both_sides: int = 0
    drawn_from: str = ""
    copied: str = ""

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
    def announced(self) -> list[str]:
        """Say before an audit starts what targets are drawn from, what near copies hide, and how owners are treated."""
        return [*filter(None, [self.drawn_from, self.copied]), *self.treated]

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
    """Return what the targets of an audit will be, and what they are drawn from; of owners, who is on both sides.

    Raises:
        Incompatible: Too few are marked.
    """
    if not isinstance(audit.game, Audit):
        return DOCUMENTS
    drawn_from, drawn = _drawn_from(audit.game, documents), audit.game.draw(documents, audit.seed)
    copied = _copied(drawn, documents)
    if audit.game.users != "owners":
        return AskedAbout(drawn_from=drawn_from, copied=copied)
    sides = {
        mark: {target.label for target, bit in zip(drawn.targets, drawn.member, strict=True) if bit == mark}
        for mark in (True, False)
    }
    return AskedAbout("owner", len(sides[True] & sides[False]), drawn_from, copied)


def _copied(drawn: Drawn, documents: MarkedDocuments) -> str:
    """Return which documents out in question share half of their runs of words with documents in, as a sentence.

    The model was trained on most of their words, so that they pass for members. Empty where there are none.
    """
    outs = (target.documents for target, bit in zip(drawn.targets, drawn.member, strict=True) if not bit)
    rows = sorted(chain.from_iterable(outs))
    words_in = (words_of(documents.texts[row]) for row in documents.rows("in"))
    shares = shares_of([words_of(documents.texts[row]) for row in rows], words_in)
    copied = [f"document {row + 1:,}" for row, share in zip(rows, shares, strict=True) if share >= _SHARED]
    if not copied:
        return ""
    share, their, members = ("shares", "its", "a member") if len(copied) == 1 else ("share", "their", "members")
    more = f" and {len(copied) - _NAMED:,} more" if len(copied) > _NAMED else ""
    return (
        f"Of the {len(rows):,} documents out in question, {len(copied):,} {share} at least half of {their} runs of six "
        f"words with documents in, and may pass for {members}: {', '.join(copied[:_NAMED])}{more}. Leave near copies "
        "out: else more may leak than is shown, above all at a low false-positive rate."
    )


def _drawn_from(game: Audit, documents: MarkedDocuments) -> str:
    """Return what the targets of an audit are drawn from, as a sentence with the counts that limit their number."""
    by_owner = game.users == "owners"
    inside, outside = (
        len({documents.owners[row] for row in rows} if by_owner else rows)
        for rows in (documents.rows("in"), documents.rows("out"))
    )
    unit = "owners with documents" if by_owner else "documents"
    half_out = f"a random half of the {outside:,} out, whose other half it knows to be out"
    outs = half_out if game.knows_outs else f"all {outside:,} out"
    return (
        f"Targets are drawn, as many in as out and at most {game.targets:,}, from a random half of the {inside:,} "
        f"{unit} in, whose other half the adversary has unmarked, and from {outs}."
    )
