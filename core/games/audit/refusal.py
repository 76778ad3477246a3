"""The error when too few documents are marked for a model audit, with what each count means."""

from typing import TYPE_CHECKING

from core.errors import Incompatible
from core.text.marked import MarkedDocuments

if TYPE_CHECKING:
    from core.games.audit import Audit

FEWEST = 20
"""Targets in, and as many out, below which nothing is concluded."""


def too_few(game: "Audit", documents: MarkedDocuments, inside: int, outside: int) -> Incompatible:
    """Return the error of documents that give fewer than `FEWEST` targets in, or out.

    Args:
        game: The rules.
        documents: Those of the audit.
        inside: Documents, or owners of documents, that are marked in.
        outside: The same that are marked out.
    """
    ins, outs = game.eligible(inside, outside)
    least_in, least_out = game.takes(FEWEST)
    out_targets = f"a random half, {outs:,}, as it knows the others to be out" if game.knows_outs else "all"
    single = game.eligible(len(documents.rows("in")), len(documents.rows("out")))
    by_documents = game.users == "owners" and min(single) >= FEWEST
    return Incompatible(
        f"{inside:,} {game.users} are marked in and {outside:,} out. Of those in, a random half may be targets, "
        f"{ins:,}, as the adversary has the others unmarked; of those out, {out_targets}. An audit needs {FEWEST} "
        f"targets in and {FEWEST} out, which takes at least {least_in} {game.users} in and {least_out} out: with "
        f"fewer, it cannot conclude anything.{' Ask about documents instead of owners.' if by_documents else ''}",
        {"game.users": "documents"} if by_documents else {},
    )
