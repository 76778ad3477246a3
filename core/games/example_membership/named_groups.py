"""Groups of examples in a membership game: their order, the one that the answer is about, and its name in words."""

import pandas as pd

from core.games.example_membership.contract import ExampleAttack, Wording


def ordered(table: pd.DataFrame) -> list[str]:
    """Return the names of the groups of a table in their order."""
    return list(dict.fromkeys(table.sort_values("place", kind="stable")["group"]))


def answered(attack: type[ExampleAttack], table: pd.DataFrame) -> str:
    """Return the group that the answer is about; an empty name where it is about all groups."""
    usable = ordered(table[table["usable"] > 0])
    return usable[-1] if usable and attack.answers == "last" else ""


def phrase(group: str, about: Wording) -> str:
    """Return a phrase for the examples of a group.

    >>> phrase("9", Wording(one="window", which="whose middle word occurs {} times"))
    'windows whose middle word occurs 9 times'
    """
    return f"{about.many} {about.which.format(group)}"
