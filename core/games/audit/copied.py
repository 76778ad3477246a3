"""Documents out in question that repeat most of what documents in say: they pass for members, and hide a leak."""

from itertools import chain

from core.games.audit.drawn import Drawn
from core.text.corpus import words_of
from core.text.marked import MarkedDocuments
from core.text.near_copies import KNOWN, shares_of


def copied(drawn: Drawn, documents: MarkedDocuments) -> tuple[list[int], int]:
    """Return the rows of documents out in question that are near copies of documents in, and how many are out in all.

    Args:
        drawn: The targets.
        documents: The documents they are drawn from, of which those in are read.
    """
    outs = (target.documents for target, bit in zip(drawn.targets, drawn.member, strict=True) if not bit)
    rows = sorted(chain.from_iterable(outs))
    words_in = (words_of(documents.texts[row]) for row in documents.rows("in"))
    shares = shares_of([words_of(documents.texts[row]) for row in rows], words_in)
    return [row for row, share in zip(rows, shares, strict=True) if share >= KNOWN], len(rows)
