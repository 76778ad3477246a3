"""Authors in figures: names, accuracy and confusions."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from core.statistics.wording import percent
from dashboard.kit.figures import foreign
from dashboard.kit.shared import once
from dashboard.kit.words import literal

_LONGEST = 40
_HASH = re.compile(r"[0-9a-f]{32,}")
_HASH_SHOWN = 6
_LEAST = 0.001
"""A probability below this is not written out."""
_DESCRIPTIONS = {
    "enron_mailboxes": "Here an author is whoever sent the message, forwarded text included.",
    "wikipedia_excerpt": (
        "Here an “author” is a Wikipedia article, not a person: its texts are its passages, which share a topic rather "
        "than a style."
    ),
    "r_mailing_lists": "Here an author is the sender of a message, named by the beginning of a hash of the address.",
}
_MAIL = {"all": "all mail", "sent": "sent mail", "inbox": "received mail"}
_MAILBOXES = {
    "all mail": (
        "Here the question is whose mailbox a message is in. Of all messages 57% were received: the owner of the "
        "mailbox did not write them. Choose sent mail to ask who wrote a message."
    ),
    "received mail": "Here the question is whose inbox a message is in: others wrote it.",
}


def names(owners: Iterable[str], longest: int = _LONGEST) -> dict[str, str]:
    """Return a different name for each author, of at most ``longest`` characters.

    >>> names(["shackleton-s", "447d8de83a7b9c5d61116890bacb6dc0"])
    {'shackleton-s': 'shackleton-s', '447d8de83a7b9c5d61116890bacb6dc0': '447d8d'}
    """
    names_of: dict[str, str] = {}
    for owner in dict.fromkeys(owners):
        short = owner[:_HASH_SHOWN] if _HASH.fullmatch(owner) else foreign.cut(owner, longest)
        number, name = 1, short
        while name in names_of.values():
            number += 1
            name = f"{short} ({number})"
        names_of[owner] = name
    return names_of


def description(dataset: Mapping[str, Any]) -> str:
    """Return who the authors of a dataset are, or an empty text if that is unknown.

    >>> description({"part": "enron_mailboxes", "folder": "inbox"})
    'Here the question is whose inbox a message is in: others wrote it.'
    """
    return _MAILBOXES.get(mail(dataset)) or _DESCRIPTIONS.get(dataset["part"], "")


def nouns(dataset: Mapping[str, Any]) -> tuple[str, str]:
    """Return the noun for an inferred author, singular and plural: a mailbox if others wrote some of its mail."""
    return ("mailbox", "mailboxes") if mail(dataset) in _MAILBOXES else ("author", "authors")


def mail(dataset: Mapping[str, Any]) -> str:
    """Return which mail of the mailboxes is used; an empty text if the dataset has no mailboxes.

    >>> mail({"part": "enron_mailboxes"}), mail({"part": "r_mailing_lists"})
    ('all mail', '')
    """
    return _MAIL[dataset.get("folder", "all")] if dataset["part"] == "enron_mailboxes" else ""


@once
def recognised(confusion: pd.DataFrame) -> pd.DataFrame:
    """Return the accuracy by author, the highest first.

    Returns:
        Columns ``author``, ``texts``, ``named`` and ``share``, without authors who have no victim.
    """
    texts = confusion.groupby("author")["victims"].sum()
    right = confusion[confusion["author"] == confusion["guess"]].groupby("author")["victims"].sum()
    correct = right.reindex(texts.index, fill_value=0)
    accuracies = pd.DataFrame({"author": list(texts.index), "texts": texts.to_list(), "named": correct.to_list()})
    accuracies = accuracies[accuracies["texts"] > 0].assign(share=lambda table: table["named"] / table["texts"])
    return accuracies.sort_values(["share", "texts", "author"], ascending=[False, False, True]).reset_index(drop=True)


@once
def mistakes(confusion: pd.DataFrame) -> pd.DataFrame:
    """Return the confused pairs of true and inferred author, the most frequent first."""
    wrong = confusion[(confusion["author"] != confusion["guess"]) & (confusion["victims"] > 0)]
    return wrong.sort_values(["victims", "author", "guess"], ascending=[False, True, True]).reset_index(drop=True)


def verdict(row: Any, names: Mapping[str, str]) -> str:
    """Read the inferred author of a text, its probability, and the rank of the true one aloud, as Markdown.

    Args:
        row: A row of the game's table of guesses.
        names: The names of all authors, see `names`.
    """
    truth, guess = literal(names[row.truth]), literal(names[row.guess])
    if row.rank == 1:
        return f"Inferred: :orange-background[{guess}], with a probability of {percent(row.probability)}. Correct."
    share = row.truth_probability
    return (
        f"Inferred: :blue-background[{guess}], with a probability of {percent(row.probability)}. Wrong: the author is "
        f"{truth}, ranked {row.rank} of {len(names)} with "
        f"{percent(share) if share >= _LEAST else f'less than {percent(_LEAST)}'}."
    )
