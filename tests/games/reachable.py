"""Everything that an adversary could reach from what it is handed, through the interpreter's own references."""

import gc
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np


def reachable(roots: Iterable[Any]) -> Iterator[Any]:
    """Yield every object that references lead to, except for code."""
    waiting, known = list(roots), set()
    while waiting:
        thing = waiting.pop()
        if id(thing) in known or isinstance(thing, type) or type(thing).__name__ in ("module", "function", "frame"):
            continue
        known.add(id(thing))
        yield thing
        waiting.extend(gc.get_referents(thing))


def reachable_arrays(roots: Iterable[Any]) -> list[np.ndarray]:
    """Return the arrays among those objects."""
    return [thing for thing in reachable(roots) if isinstance(thing, np.ndarray)]
