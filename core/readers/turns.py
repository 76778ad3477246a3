"""Visitors served in turn: each waits with one request at most, whatever others send."""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field

from core.readers.protocol import Request, refusal_line

REPLACED = "You typed another sentence meanwhile."
FULL = "Too many people are waiting. Try again in a moment."


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
        most: Visitors that may wait.
    """

    most: int
    _waiting: OrderedDict[str, Turn] = field(default_factory=OrderedDict)
    _some: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self, turn: Turn) -> str | None:
        """Let a request wait; return why it may not, or None."""
        visitor = turn.request.visitor
        if (before := self._waiting.get(visitor)) is not None:
            self._settle(before)
        elif len(self._waiting) >= self.most:
            return FULL
        self._waiting[visitor] = turn
        self._some.set()
        return None

    async def next(self) -> Turn:
        """Return the request whose turn it is, when there is one."""
        await self._some.wait()
        _, turn = self._waiting.popitem(last=False)
        if not self._waiting:
            self._some.clear()
        return turn

    def _settle(self, turn: Turn) -> None:
        if not turn.line.done():
            turn.line.set_result(refusal_line(REPLACED))
