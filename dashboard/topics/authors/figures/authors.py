"""Authors of texts in figures: what they are called, and how often each was named."""

import re
from collections.abc import Iterable

import pandas as pd

from dashboard.kit.figures import foreign

_LONGEST = 40
_HASH = re.compile(r"[0-9a-f]{32,}")
_HASH_SHOWN = 6
_ARE = {
    "enron_mailboxes": "An author is here the mailbox in which a message lay, whoever wrote it.",
    "wikipedia_excerpt": "An author is here the article from which a passage comes.",
    "r_mailing_lists": "An author is here who sent a message, called by how a hash of the address begins.",
}


def names(owners: Iterable[str], longest: int = _LONGEST) -> dict[str, str]:
    """Return a name of at most so many characters for each author, no two alike.

    >>> names(["shackleton-s", "447d8de83a7b9c5d61116890bacb6dc0"])
    {'shackleton-s': 'shackleton-s', '447d8de83a7b9c5d61116890bacb6dc0': '447d8d'}
    """
    found: dict[str, str] = {}
    for owner in dict.fromkeys(owners):
        short = owner[:_HASH_SHOWN] if _HASH.fullmatch(owner) else foreign.cut(owner, longest)
        number, name = 1, short
        while name in found.values():
            number += 1
            name = f"{short} ({number})"
        found[owner] = name
    return found


def are(dataset: str) -> str:
    """Return what a dataset's authors are, where they are not simply who wrote; else an empty text."""
    return _ARE.get(dataset, "")


def recognised(confusion: pd.DataFrame) -> pd.DataFrame:
    """Return how often each author was named for texts of theirs, those most often first.

    Args:
        confusion: As the attack declares it.

    Returns:
        Columns ``author``, ``texts``, ``named`` and ``share``; authors of whom no text was asked are left out.
    """
    texts = confusion.groupby("author")["victims"].sum()
    right = confusion[confusion["author"] == confusion["guess"]].groupby("author")["victims"].sum()
    named = right.reindex(texts.index, fill_value=0)
    found = pd.DataFrame({"author": list(texts.index), "texts": texts.to_list(), "named": named.to_list()})
    found = found[found["texts"] > 0].assign(share=lambda own: own["named"] / own["texts"])
    return found.sort_values(["share", "texts", "author"], ascending=[False, False, True]).reset_index(drop=True)


def mistakes(confusion: pd.DataFrame) -> pd.DataFrame:
    """Return the pairs of an author and another who was named instead, the most frequent first."""
    wrong = confusion[(confusion["author"] != confusion["guess"]) & (confusion["victims"] > 0)]
    return wrong.sort_values(["victims", "author", "guess"], ascending=[False, True, True]).reset_index(drop=True)
