"""The warm process that reads typed sentences: one a user, started by a page, ended when idle.

Sentences stay in its memory: no file and no log holds them, nor, should the process crash, an image of its memory.
"""

import asyncio
import os
import resource
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from core.readers.endpoint import Endpoint, here
from core.readers.protocol import LINE, MalformedError, Reading, answer_line, refusal_line, request_of
from core.readers.turns import Turn, Turns
from core.runtime import memory

MEMORY = 600_000_000
"""Bytes of data that the process may take; it takes about a tenth."""
_IDLE = 300.0
_LISTEN = 5.0
"""Seconds that a visitor may take to send a sentence."""
_READ = 10.0
"""Seconds that a sentence may take; the process ends rather than let everyone wait for it."""
_MOST = 200

Read = Callable[[str], tuple[Reading, ...]]


@dataclass
class Service:
    """Answers one request a connection, one at a time.

    Attributes:
        read: Reads a sentence.
        idle: Seconds without a request after which the service ends.
        answered: Called after each sentence.
    """

    read: Read
    idle: float = _IDLE
    answered: Callable[[], None] = lambda: None
    _turns: Turns = field(default_factory=lambda: Turns(_MOST))
    _last_request: float = field(default_factory=time.monotonic)

    async def serve(self, socket: Path) -> None:
        """Listen until no request has come for a while; then remove the socket."""
        with suppress(FileNotFoundError):
            socket.unlink()
        server = await asyncio.start_unix_server(self._answer, socket, limit=LINE, backlog=_MOST)
        reading = asyncio.create_task(self._work())
        while (left := self._last_request + self.idle - time.monotonic()) > 0:
            await asyncio.sleep(left)
        socket.unlink(missing_ok=True)
        server.close()
        reading.cancel()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._last_request = time.monotonic()
        try:
            line = await asyncio.wait_for(reader.readline(), _LISTEN)
            if (answer := await self._line(line, reader)) is not None:
                writer.write(answer)
                await writer.drain()
        except (OSError, ValueError, TimeoutError):  # gone, longer than a line may be, or silent
            pass
        finally:
            writer.close()

    async def _line(self, line: bytes, reader: asyncio.StreamReader) -> bytes | None:
        """Return the answer to a line, or None where the connection was closed before its turn came."""
        try:
            turn = Turn(request_of(line), asyncio.get_running_loop().create_future())
        except MalformedError as error:
            return refusal_line(f"Not understood: {error}.")
        if (reason := self._turns.add(turn)) is not None:
            return refusal_line(reason)
        gone = asyncio.create_task(reader.read(1))
        await asyncio.wait((turn.line, gone), return_when=asyncio.FIRST_COMPLETED)
        gone.cancel()
        if turn.line.done():
            return turn.line.result()
        self._turns.drop(turn)
        return None

    async def _work(self) -> None:
        while True:
            turn = await self._turns.next()
            began = time.monotonic()
            answer = asyncio.to_thread(self._read, turn.request.text)
            try:
                line = await asyncio.wait_for(asyncio.shield(asyncio.ensure_future(answer)), _READ)
            except TimeoutError:
                os._exit(1)  # a thread cannot be ended
            self._last_request = time.monotonic()
            self._turns.took(self._last_request - began)
            self.answered()
            if not turn.line.done():
                turn.line.set_result(line)

    def _read(self, text: str) -> bytes:
        try:
            return answer_line(self.read(text))
        except MemoryError:
            os._exit(1)
        except Exception as error:  # what a library says may repeat what was typed
            return refusal_line(f"The sentence could not be read ({type(error).__name__}).")


def main() -> int:
    """Serve this user's pages, unless another process does."""
    endpoint = here()
    if endpoint.claim() is None:
        return 0
    return run(endpoint)


def run(endpoint: Endpoint) -> int:
    """Load the readers under a memory limit, and serve."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    memory.limit(MEMORY)
    from core.readers import files
    from core.readers.encoder import SmallBert
    from core.readers.reading import Readers

    readers = Readers.of(files.weights(), SmallBert(files.card().max_tokens))
    readers.read("Warm up.")
    asyncio.run(Service(readers.read, answered=endpoint.mark).serve(endpoint.socket))
    return 0


if __name__ == "__main__":
    sys.exit(main())
