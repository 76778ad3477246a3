"""Promised results of candidate ranking."""

from collections.abc import Iterator

from core.catalog.entry import Entry, demo
from core.experiment import Experiment
from core.registry import part

ORDER = 95

_ATTACK = "candidate_ranking"
_BLURRED: tuple[tuple[str, str, float], ...] = (
    ("rounding", "decimals", 1),
    ("laplace", "epsilon", 100),
    ("laplace", "epsilon", 30),
)
"""Defenses at release with their strength, on embeddings of length one, whose coordinates are about 0.05."""


def entries() -> Iterator[Entry]:
    """Yield the demo, and the same list behind defenses."""
    yield demo(_ATTACK, f"{part('attack', _ATTACK).title}, small and offline", ": 1,000 candidates, 300 of them stored")
    for name, field, value in _BLURRED:
        yield Entry(
            f"ranking_{name}_{value:g}",
            f"Suspected sentences behind {part('defense', name).title}, {field} {value:g}",
            "The list of the demo compared with vectors that were changed at release, by an adversary that knows how.",
            Experiment.preset(_ATTACK, "demo", defenses=[{"part": name, field: value}]),
            contrast=True,
        )
