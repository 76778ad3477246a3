"""Queries the warm process about a sentence, and starts the process where it does not run."""

import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

from core.errors import InvalidSpec, ReadersUnavailable
from core.readers.endpoint import Endpoint, here
from core.readers.protocol import LINE, LONGEST, MalformedError, Reading, Request, answer_of, request_line
from core.readers.turns import FULL
from core.runtime.folders import home

START_SECONDS = 20.0
ANSWER_SECONDS = 12.0
_POLL_SECONDS = 0.02
_ATTEMPTS = 3
"""More than one attempt, because the idle process may end at the very moment of a query."""
_THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
_STARTING = threading.Lock()


def ask(text: str, visitor: str, patience: float = ANSWER_SECONDS) -> tuple[Reading, ...]:
    """Return what each method reads from the embedding of a sentence.

    The sentence goes to a process of this user over a socket that nobody else may open, and is written nowhere.

    Args:
        text: The sentence.
        visitor: Tells visitors apart, who are served in turn.
        patience: Seconds to wait for an answer; a process that answers nobody in that time is ended.

    Raises:
        InvalidSpec: The sentence is too long.
        ReadersUnavailable: The process could not be started, died, gave no answer, or refused.
    """
    if len(text) > LONGEST:
        raise InvalidSpec(f"A sentence may have {LONGEST} characters. Got {len(text):,} instead.", "sentence")
    endpoint, line = here(), request_line(Request(text, visitor))
    for _ in range(_ATTEMPTS):
        try:
            answer = _exchange(endpoint, line, patience)
        except OSError:
            continue
        if answer:
            return _checked(answer)
    raise ReadersUnavailable("The process that reads sentences ended before it answered. Try again.")


def _exchange(endpoint: Endpoint, line: bytes, patience: float) -> bytes:
    """Send a line and return the answer, empty where the process ended before it gave one.

    Raises:
        ReadersUnavailable: No answer came in time; the process was ended if it gave nobody else one meanwhile.
    """
    with _connected(endpoint) as connection:
        holder, marked = endpoint.holder(), endpoint.marked()
        try:
            return _answer(connection, line, time.monotonic() + patience)
        except TimeoutError:
            if holder is None or endpoint.marked() != marked:
                raise ReadersUnavailable(FULL) from None
    endpoint.end(only=holder)
    raise ReadersUnavailable(
        f"No answer came within {patience:g} seconds, so the process that reads sentences was ended. Try again."
    )


def _answer(connection: socket.socket, line: bytes, deadline: float) -> bytes:
    connection.settimeout(max(deadline - time.monotonic(), 0.001))
    connection.sendall(line)
    received = b""
    while not received.endswith(b"\n") and len(received) <= LINE:
        connection.settimeout(max(deadline - time.monotonic(), 0.001))
        if not (chunk := connection.recv(LINE)):
            return b""
        received += chunk
    return received


def _checked(line: bytes) -> tuple[Reading, ...]:
    try:
        answer = answer_of(line)
    except MalformedError:
        raise ReadersUnavailable("The process that reads sentences gave no answer that can be read.") from None
    if isinstance(answer, str):
        raise ReadersUnavailable(answer)
    return answer


def _connected(endpoint: Endpoint) -> socket.socket:
    """Return a connection to the process, which is started where it does not run."""
    if (connection := _connection(endpoint)) is not None:
        return connection
    with _STARTING:
        deadline = time.monotonic() + START_SECONDS
        process: subprocess.Popen[bytes] | None = None
        while time.monotonic() < deadline:
            if (connection := _connection(endpoint)) is not None:
                return connection
            gave_way = process is not None and process.poll() == 0
            if process is None or (gave_way and endpoint.holder() is None):  # the other has ended since, being idle
                process = _started()
            elif process.poll():
                raise ReadersUnavailable(
                    "The process that reads sentences could not be started. 'python -m core readers --check' says "
                    "whether its files are damaged."
                )
            time.sleep(_POLL_SECONDS)
    endpoint.end()
    raise ReadersUnavailable(f"The process that reads sentences did not start within {START_SECONDS:g} seconds.")


def _connection(endpoint: Endpoint) -> socket.socket | None:
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(ANSWER_SECONDS)
    try:
        connection.connect(str(endpoint.socket))
    except (FileNotFoundError, ConnectionRefusedError):
        connection.close()
        return None
    except OSError:
        connection.close()
        raise
    return connection


def _started() -> "subprocess.Popen[bytes]":
    process = subprocess.Popen(
        [sys.executable, "-m", "core.readers.process"],
        cwd=Path(__file__).resolve().parents[2],
        env={**os.environ, **_THREADS, "TELLTALE_HOME": str(home())},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    threading.Thread(target=process.wait, name=f"reap {process.pid}", daemon=True).start()
    return process
