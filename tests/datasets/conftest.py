"""A loopback server, and a home of its own for each test."""

import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.datasets.loopback import REAL_DATA, Handler, Server


@pytest.fixture
def server() -> Iterator[Server]:
    """Serve files from a loopback port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        http.daemon_threads = True
        state = Server(f"http://127.0.0.1:{http.server_port}")
        http.RequestHandlerClass = type("Bound", (Handler,), {"state": state})
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield state
        http.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty home, with nothing else to find data in and no way out."""
    monkeypatch.setenv("TELLTALE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("TELLTALE_DATA", raising=False)
    monkeypatch.setenv("TELLTALE_MIRROR", "http://127.0.0.1:9")
    return tmp_path / "home"


@pytest.fixture
def real_home(home: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home that the tests of real data share, so that each dataset is parsed once, beside the real data."""
    shared = tmp_path_factory.getbasetemp() / "real"
    monkeypatch.setenv("TELLTALE_HOME", str(shared))
    monkeypatch.setenv("TELLTALE_DATA", str(REAL_DATA))
    return shared
