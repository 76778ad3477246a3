"""How a run says where it stands."""

from collections.abc import Mapping, Sequence
from typing import Any


class Progress:
    """Receives the stages of a run; this one keeps silent.

    A run calls `stage` at the beginning of each stage, `advance` as its items finish, and `partial` whenever the
    result so far has grown. Any of them may raise `RunCancelled`.
    """

    def stage(self, name: str, total: int = 0, done: int = 0) -> None:
        """Begin a stage of ``total`` items of which ``done`` were already finished before; 0 when not countable."""

    def advance(self, items: int = 1) -> None:
        """Say that more items of the current stage are done."""

    def partial(self, curve: Sequence[Mapping[str, Any]]) -> None:
        """Show the part of the result that is known by now, one row a point."""
