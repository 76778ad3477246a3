"""How many of the documents that are marked may be targets of a model audit, and the error where these are too few."""

from typing import Any

from core.errors import Incompatible
from core.text.marked import Mark, MarkedDocuments

FEWEST = 20
"""Targets in, and as many out, below which nothing is concluded."""

_MARKS: tuple[Mark, Mark] = ("in", "out")


def eligible(inside: int, outside: int, *, knows_outs: bool) -> tuple[int, int]:
    """Return how many of the given units in and out may be targets: the larger half of those in, and outs.

    >>> eligible(31, 70, knows_outs=False), eligible(31, 70, knows_outs=True)
    ((16, 70), (16, 35))
    """
    return inside - inside // 2, outside - outside // 2 if knows_outs else outside


def takes(targets: int, *, knows_outs: bool) -> tuple[int, int]:
    """Return the fewest units in, and out, of which this many targets each can be drawn."""
    half = 2 * targets - 1
    return half, half if knows_outs else targets


def counted(users: str, *parts: MarkedDocuments) -> tuple[int, int]:
    """Return how many units are marked in, and how many out, in parts of a user's documents together.

    Args:
        users: What a unit is: one of the ``documents``, or all documents of one of the ``owners``.
        parts: The documents.
    """
    inside, outside = (
        {
            part.owners[row] if users == "owners" else (number, row)
            for number, part in enumerate(parts)
            for row in part.rows(mark)
        }
        for mark in _MARKS
    )
    return len(inside), len(outside)


def suffice(users: str, *parts: MarkedDocuments, knows_outs: bool) -> bool:
    """Tell whether parts of a user's documents together give enough targets for an audit."""
    return min(eligible(*counted(users, *parts), knows_outs=knows_outs)) >= FEWEST


def too_few(users: str, documents: MarkedDocuments, *, knows_outs: bool) -> Incompatible:
    """Return the error of documents that give fewer than `FEWEST` targets in, or out.

    Args:
        users: What a target is: ``documents``, or the documents of ``owners``.
        documents: What is marked.
        knows_outs: Whether the adversary knows half of the units out to be so.
    """
    inside, outside = counted(users, documents)
    ins, outs = eligible(inside, outside, knows_outs=knows_outs)
    least_in, least_out = takes(FEWEST, knows_outs=knows_outs)
    out_targets = f"a random half, {outs:,}, as it knows the others to be out" if knows_outs else "all"
    remedy, fits = _remedy(users, documents, knows_outs=knows_outs)
    return Incompatible(
        f"{_marked(users, documents)} Of those in, a random half may be targets, "
        f"{ins:,}, as the adversary has the others unmarked; of those out, {out_targets}. An audit needs {FEWEST} "
        f"targets in and {FEWEST} out, which takes at least {least_in} {users} in and {least_out} out: with "
        f"fewer, it cannot conclude anything.{remedy}",
        fits,
    )


def _marked(users: str, documents: MarkedDocuments) -> str:
    """Return how many units are marked, and how many documents are left out as near copies, as a sentence."""
    inside, outside = counted(users, documents)
    if documents.left_out is None or not len(documents.left_out):
        return f"{inside:,} {users} are marked in and {outside:,} out."
    all_in, all_out = counted("documents", documents, documents.left_out)
    copies_in, copies_out = counted("documents", documents.left_out)
    return (
        f"{all_in:,} documents are marked in and {all_out:,} out. Left out as near copies of others in are "
        f"{copies_in:,} of those in and {copies_out:,} of those out, which leaves {inside:,} {users} in and "
        f"{outside:,} out."
    )


def _remedy(users: str, documents: MarkedDocuments, *, knows_outs: bool) -> tuple[str, dict[str, Any]]:
    """Return the sentence that says with what setting there are enough, and the setting; empty where none is known."""
    left_out = documents.left_out
    if left_out is not None and suffice(users, documents, left_out, knows_outs=knows_outs):
        return " Set 'near_copies' to 'kept': with them, there are enough.", {"dataset.near_copies": "kept"}
    if users == "owners" and suffice("documents", documents, knows_outs=knows_outs):
        return " Ask about documents instead of owners.", {"game.users": "documents"}
    return "", {}
