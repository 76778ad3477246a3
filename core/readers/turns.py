"""Visitors served in turn: each waits with one request at most, whatever others send."""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field

from core.readers.protocol import Request, refusal_line

REPLACED = "You typed another sentence meanwhile."
FULL = "Too many people are waiting. Try again in a moment."
_LONGEST_WAIT = 8.0
"""Seconds that a request may be expected to wait; a page waits longer than that."""
_NEWEST = 0.2
"""Weight of the newest reading in the mean of their seconds."""


@dataclass
class Turn:
    """A request that waits, and the answer to come."""

    request: Request
    line: asyncio.Future[bytes]


@dataclass
class Turns:
    """Requests in the order in which their visitors came.

    A visitor's newer request takes the place of the one that still waits. So nobody gains by sending many.

    Attributes:
        most: Visitors that may wait, fewer where their sentences would take too long.
    """

    most: int
    _seconds: float = 0.0
    _waiting: OrderedDict[str, Turn] = field(default_factory=OrderedDict)
    _some: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self, turn: Turn) -> str | None:
        """Let a request wait; return why it may not, or None."""
        visitor = turn.request.visitor
        if (before := self._waiting.get(visitor)) is not None:
            self._settle(before)
        elif len(self._waiting) >= self.most or len(self._waiting) * self._seconds > _LONGEST_WAIT:
            return FULL
        self._waiting[visitor] = turn
        self._some.set()
        return None

    def drop(self, turn: Turn) -> None:
        """Forget a request that still waits, whose visitor has gone."""
        if self._waiting.get(turn.request.visitor) is turn:
            del self._waiting[turn.request.visitor]
            self._clear_if_none()

    def took(self, seconds: float) -> None:
        """Learn from a reading how long those to come will take."""
        self._seconds += _NEWEST * (seconds - self._seconds)

    async def next(self) -> Turn:
        """Return the request whose turn it is, when there is one."""
        while not self._waiting:  # who came may have gone before this task resumed
            await self._some.wait()
        _, turn = self._waiting.popitem(last=False)
        self._clear_if_none()
        return turn

    def _clear_if_none(self) -> None:
        if not self._waiting:
            self._some.clear()

    def _settle(self, turn: Turn) -> None:
        if not turn.line.done():
            turn.line.set_result(refusal_line(REPLACED))
