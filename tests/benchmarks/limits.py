"""The limits of a benchmark: where a figure lies beyond one, it ends with status 1, after its line."""

import json
from collections.abc import Mapping
from typing import Any


def end(line: Mapping[str, Any], held: Mapping[str, tuple[float, float]]) -> None:
    """Print the line of a benchmark, and end it with status 1 where a figure is above its limit.

    Args:
        line: What it measured, with its ``name``.
        held: Each figure with its limit, by what it is and its unit.

    Raises:
        SystemExit: A figure is above its limit, or no number.
    """
    print(json.dumps(line))
    hold(line["name"], held)


def hold(name: str, held: Mapping[str, tuple[float, float]]) -> None:
    """End a benchmark of a name with status 1 where a figure is above its limit; arguments and errors as for `end`."""
    missed = [f"{what} {figure:.4g}, limit {limit:g}" for what, (figure, limit) in held.items() if not figure <= limit]
    if missed:
        raise SystemExit(f"{name} misses its limits: {'; '.join(missed)}.")
