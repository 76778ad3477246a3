"""Which estimates summarise a result: the one that its game names, or the usual ones."""

from collections.abc import Mapping
from typing import Any

from core.games import Game
from core.registry import names, part
from core.result import Estimate, headline


def summarised_by(estimates: Mapping[str, Estimate], game: Mapping[str, Any]) -> dict[int, str]:
    """Return the names of the estimates that summarise a result, by target size, as `core.result.headline` does.

    Args:
        estimates: The estimates of the result.
        game: The game of its experiment as plain values.
    """
    name = game.get("part", "")
    rules = part(Game.kind, name) if name in names(Game.kind) else Game
    return headline(estimates, rules.main if issubclass(rules, Game) else "")
