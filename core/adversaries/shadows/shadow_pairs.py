"""The parameters of attacks that train pairs of shadow models: one with a target, one without it."""

from typing import Any, Literal

from core.spec import parameter

Scheme = Literal["pool", "per_target"]
"""Whether targets share their shadow models."""


def scheme_parameter(implied: Any = ...) -> Any:
    """Declare whether targets share their shadow models; ``implied`` is that of `parameter`."""
    return parameter(
        "pool",
        "One pool of shadow models serves every target, each target being in every second model; or, as in the "
        "paper, every target has its own shadow models.",
        implied=implied,
    )


def shadow_count(pairs: int, scheme: Scheme, targets: int) -> int:
    """Return how many shadow models there are for a number of targets.

    >>> shadow_count(10, "pool", 3), shadow_count(10, "per_target", 3)
    (20, 60)
    """
    return 2 * pairs * (targets if scheme == "per_target" else 1)


def shadow_pairs_parameter(default: int, *, least: int = 5, most: int = 2000, trained: str = "Shadow models") -> Any:
    """Declare how many pairs there are."""
    text = f"{trained} with each target, and as many without it."
    return parameter(default, text, label="Shadow pairs (k)", unit="pairs", ge=least, le=most)
