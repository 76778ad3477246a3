"""How a run reports its progress."""

from collections.abc import Mapping, Sequence
from typing import Any


class Progress:
    """Receives the progress of a run; this base class ignores it.

    A run calls `stage` at the beginning of each stage, `advance` as its items finish, and `partial` whenever more of
    the result is known. Any of them may raise `RunCancelled`.
    """

    def stage(self, name: str, total: int = 0, done: int = 0) -> None:
        """Begin a stage of ``total`` items, of which ``done`` are finished already; 0 when they cannot be counted."""

    def advance(self, items: int = 1) -> None:
        """Count finished items of the current stage."""

    def partial(self, curve: Sequence[Mapping[str, Any]]) -> None:
        """Show the points of the result that are known so far, one row a point."""
