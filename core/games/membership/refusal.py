"""The error of documents that are too few for a game of membership, with the nearest settings that fit."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import Incompatible
from core.games.membership import fit


@dataclass(frozen=True)
class Users:
    """Who is attacked in a game, and what a dataset leaves it then.

    Attributes:
        users: Whose documents a target is: those of real ``owners``, or of ``emulated`` users.
        room_with: Returns the room with some number of targets of each of some sizes.
        surely_in: Documents of `fit.CONCLUSIVE_TARGETS` targets of one document that are in every training set.
    """

    users: str
    room_with: Callable[[int, tuple[int, ...]], fit.Room]
    surely_in: int


def refused(reason: str, requested: fit.Plan, users: Users, emulated: Users | None, likely_owners: str) -> Incompatible:
    """Return the error of a dataset that is too small, with settings that fit whoever is in.

    Args:
        reason: Why the requested settings do not fit, as sentences.
        requested: These settings.
        users: Who is attacked.
        emulated: Who may be attacked instead of real owners; None where owners are not.
        likely_owners: The column that probably names owners, where none was named.
    """
    attacked, plan = users, fit.nearest(users.room_with, requested)
    if emulated is not None and (plan is None or not plan.conclusive):
        other = fit.nearest(emulated.room_with, requested)
        if other is not None and (plan is None or other.conclusive):
            reason = f"{reason} {fit.instead_of_owners(plan, likely_owners)}"
        if plan is None or (other is not None and other.conclusive):
            attacked, plan = emulated, other
    enough = fit.enough(attacked.surely_in, owners=attacked.users == "owners")
    advised = f"{reason} {fit.advice(plan, requested, enough)}"
    if plan is None:
        return Incompatible(advised)
    before, after = _settings(requested, users), _settings(plan, attacked)
    return Incompatible(advised, {f"game.{name}": value for name, value in after.items() if value != before[name]})


def _settings(plan: fit.Plan, users: Users) -> Mapping[str, Any]:
    """Return a plan as fields of the game."""
    return {
        "users": users.users,
        "target_sizes": list(plan.sizes),
        "targets": plan.targets,
        "documents": plan.documents,
    }
