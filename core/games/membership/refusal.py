"""The error of documents that are too few for a game of membership, with the nearest settings that fit."""

from typing import TYPE_CHECKING

from core.errors import Incompatible
from core.games.membership import fit
from core.text.contents import Documents

if TYPE_CHECKING:
    from core.games.membership import Membership


def refused(game: "Membership", reason: str, documents: Documents, seed: int) -> Incompatible:
    """Return the error of a dataset that is too small, with settings that fit whoever is in.

    Args:
        game: The rules that do not fit.
        reason: Why they do not, as sentences.
        documents: What the dataset holds.
        seed: Source of all draws.
    """
    rules, plan = game, _nearest(game, documents, seed)
    if game.users == "owners" and (plan is None or not plan.conclusive):
        emulated = game.replace(users="emulated")
        other = _nearest(emulated, documents, seed)
        if other is not None and (plan is None or other.conclusive):
            reason = f"{reason} {fit.instead_of_owners(plan, documents.likely_owners)}"
        if plan is None or (other is not None and other.conclusive):
            rules, plan = emulated, other
    fewest = rules.replace(targets=fit.CONCLUSIVE_TARGETS, target_sizes=(1,))
    enough = fit.enough(fewest.surely_in, owners=rules.users == "owners")
    advised = f"{reason} {fit.advice(plan, _asked(game), enough)}"
    if plan is None:
        return Incompatible(advised)
    near = rules.replace(targets=plan.targets, target_sizes=plan.sizes, documents=plan.documents)
    before = game.as_dict()
    return Incompatible(
        advised, {f"game.{name}": value for name, value in near.as_dict().items() if value != before[name]}
    )


def _nearest(game: "Membership", documents: Documents, seed: int) -> fit.Plan | None:
    def room_with(targets: int, sizes: tuple[int, ...]) -> fit.Room:
        return game.replace(targets=targets, target_sizes=sizes).room(documents, seed)

    return fit.nearest(room_with, _asked(game))


def _asked(game: "Membership") -> fit.Plan:
    return fit.Plan(game.targets, game.target_sizes, game.documents)
