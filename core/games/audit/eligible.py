"""How many of the documents that are marked may be targets of a model audit, and the error where these are too few."""

from core.errors import Incompatible

FEWEST = 20
"""Targets in, and as many out, below which nothing is concluded."""


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


def too_few(users: str, units: tuple[int, int], documents: tuple[int, int], *, knows_outs: bool) -> Incompatible:
    """Return the error of units that give fewer than `FEWEST` targets in, or out.

    Args:
        users: What a target is: ``documents``, or the documents of ``owners``.
        units: How many of these are marked in, and out.
        documents: How many documents are; the same where these are the units.
        knows_outs: Whether the adversary knows half of the units out to be so.
    """
    (inside, outside), (ins, outs) = units, eligible(*units, knows_outs=knows_outs)
    least_in, least_out = takes(FEWEST, knows_outs=knows_outs)
    out_targets = f"a random half, {outs:,}, as it knows the others to be out" if knows_outs else "all"
    by_documents = users == "owners" and min(eligible(*documents, knows_outs=knows_outs)) >= FEWEST
    return Incompatible(
        f"{inside:,} {users} are marked in and {outside:,} out. Of those in, a random half may be targets, "
        f"{ins:,}, as the adversary has the others unmarked; of those out, {out_targets}. An audit needs {FEWEST} "
        f"targets in and {FEWEST} out, which takes at least {least_in} {users} in and {least_out} out: with "
        f"fewer, it cannot conclude anything.{' Ask about documents instead of owners.' if by_documents else ''}",
        {"game.users": "documents"} if by_documents else {},
    )
