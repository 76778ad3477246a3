"""Fixtures of the readers' tests: a private runtime folder, and warm processes that read as a test says."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.readers import client
from core.readers.endpoint import Endpoint, here
from tests.patience import PATIENCE
from tests.serving import ROOT

SERVING = """
import asyncio, os, sys, time
from core.readers import process
from core.readers.endpoint import here
from core.readers.process import Service
from core.readers.protocol import Reading

def words(text):
    return (Reading("m", tuple(text.split()), ()),)

{setup}
endpoint = here()
if endpoint.claim() is None:
    sys.exit(0)
asyncio.run(Service({read}, idle={idle}, answered=endpoint.mark).serve(endpoint.socket))
"""


@pytest.fixture
def endpoint(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    """Where this test's warm process is found; the process is ended with the test."""
    # Not below the folder of the test: the path of a socket has at most 108 bytes.
    with tempfile.TemporaryDirectory(prefix="tt") as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        own_endpoint = here()
        yield own_endpoint
        own_endpoint.end()


@pytest.fixture
def warm(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., list["subprocess.Popen[bytes]"]]]:
    """Let the client start processes that read by an expression; they are listed, and ended with the test."""
    started: list[subprocess.Popen[bytes]] = []

    def reading(read: str = "words", idle: float = 3600.0, setup: str = "") -> list["subprocess.Popen[bytes]"]:
        def start() -> "subprocess.Popen[bytes]":
            command = [sys.executable, "-c", SERVING.format(read=read, idle=idle, setup=setup)]
            started.append(subprocess.Popen(command, cwd=ROOT, env=os.environ))
            return started[-1]

        monkeypatch.setattr(client, "_started", start)
        monkeypatch.setattr(client, "START_SECONDS", PATIENCE)
        return started

    yield reading
    for one in started:
        one.kill()
        one.wait()
