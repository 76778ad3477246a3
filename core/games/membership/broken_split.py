"""A deliberately broken split: members are the older documents, so that texts alone give them away."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.errors import Incompatible, InvalidSpec
from core.games.membership.contract import Target
from core.text.contents import Documents

VERSION = 2
"""Raised when the same documents would be divided otherwise; part of the keys of games with this split."""
RANDOM, BROKEN = "random", "broken by date"
SplitRule = Literal["random", "broken by date"]
"""How it is decided who is in."""

_DATED = "r_mailing_lists or enron_spam"

WARNING = (
    "Deliberately broken split: the members are the older documents, the non-members the newer ones. The text alone "
    "tells them apart, so these figures say nothing about what the model remembers. They are a lesson, and no audit."
)
"""What stands wherever such a result is shown."""


def is_broken(game: object) -> bool:
    """Tell whether the plain values of a game, as in a result, have the broken split.

    >>> is_broken({"part": "membership", "split": "broken by date"}), is_broken({"part": "membership"})
    (True, False)
    """
    return isinstance(game, dict) and game.get("split", RANDOM) == BROKEN


def check(rules: str, users: str, sizes: Sequence[int]) -> None:
    """Check that the other rules suit the broken split: single documents, about half of which are in.

    Raises:
        InvalidSpec: They do not.
    """
    wanted = {
        "users": (users == "emulated", "'emulated'"),
        "target_sizes": (tuple(sizes) == (1,), "1"),
        "rules": (rules == "half", "'half'"),
    }
    if wrong := [name for name, (suits, _) in wanted.items() if not suits]:
        needed = ", ".join(f"{name!r} must be {wanted[name][1]}" for name in wrong)
        raise InvalidSpec(
            f"With 'split' {BROKEN!r} the targets are single documents, of which the older are in: {needed}. Documents "
            f"need dates, as those of {_DATED} have.",
            wrong[0],
        )


def check_dated(documents: Documents) -> None:
    """Check that documents have dates.

    Raises:
        Incompatible: They have none.
    """
    if not documents.dates:
        raise Incompatible(
            f"The split {BROKEN!r} needs the date of each document, and this dataset names none. Choose {_DATED} for "
            f"'dataset', or take the split {RANDOM!r}.",
            {"game.split": RANDOM},
        )


def halved(dates: Sequence[str], rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows of the older half of all documents, which are the trainer's, and those of the newer half."""
    older = _are_older(dates, rows)
    return rows[older], rows[~older]


def older(dates: Sequence[str], targets: Sequence[Target]) -> NDArray[np.bool_]:
    """Return which of single documents are in, (targets,): those of the older half of all documents.

    >>> older(("2003", "1999", "2001", "2015"), [Target("", 1, (row,)) for row in (3, 1, 0)]).tolist()
    [False, True, False]
    """
    return _are_older(dates, [target.documents[0] for target in targets])


def _are_older(dates: Sequence[str], rows: ArrayLike) -> NDArray[np.bool_]:
    by_date = sorted(range(len(dates)), key=lambda row: (dates[row], row))
    return np.isin(rows, by_date[: len(dates) // 2])
