"""A running dashboard answers its own pages only, cannot be framed, and holds no more uploads than it may."""

import asyncio
import http.client
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.testing.v1 import AppTest
from websockets.exceptions import ConnectionClosedError, ConnectionClosedOK

from dashboard.kit.forms import upload_limit
from dashboard.server import requests, scripts
from tests.benchmarks.visitor import Visitor, visiting
from tests.errands import awaited
from tests.patience import PATIENCE
from tests.serving import Served, serving

MANY = 3
"""Visitors whose pages are drawn again and again."""
HANDSHAKE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="module")
def servers(folder: Path) -> Iterator[Callable[[], Served]]:
    """Give the server of all tests, or another where one of them has stopped it."""
    with ExitStack() as stack:
        started: list[Served] = []

        def running() -> Served:
            if not started or not started[-1].process.is_running():
                started.append(stack.enter_context(serving(folder)))
            return started[-1]

        yield running


@pytest.fixture
def server(servers: Callable[[], Served]) -> Served:
    return servers()


@pytest.fixture
def host(server: Served) -> str:
    return server.address.removeprefix("http://")


def answer(host: str, path: str, headers: dict[str, str]) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(host, timeout=PATIENCE)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    if response.status != 101:
        response.read()
    connection.close()
    return response


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/word_pairs", "/_stcore/health", "/static/nothing"])
def test_no_answer_can_be_framed_or_taken_for_another_kind(host: str, path: str) -> None:
    headers = answer(host, path, {}).headers
    assert {name: headers[name] for name in requests.HEADERS} == requests.HEADERS


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/word_pairs", "/room"])
def test_every_page_has_the_scripts_before_anything_is_drawn(host: str, path: str) -> None:
    headers = {"Accept": "text/html", "Accept-Encoding": "gzip", "If-Modified-Since": "Fri, 01 Jan 2100 00:00:00 GMT"}
    connection = http.client.HTTPConnection(host, timeout=PATIENCE)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    page = response.read().decode()
    connection.close()
    assert response.status == 200 and "etag" not in response.headers
    assert page.count(scripts.markup()) == 1 and page.rstrip().endswith("</html>")


@pytest.mark.slow
@pytest.mark.parametrize(
    "origin, allowed",
    [
        ("http://{host}", True),
        (None, True),
        ("http://localhost:1", False),
        ("http://127.0.0.1:1", False),
        ("http://127.0.0.1", False),
        ("http://{host}.example", False),
        ("null", False),
        ("http://[", False),
    ],
)
def test_the_websocket_answers_its_own_pages_only(host: str, origin: str | None, allowed: bool) -> None:
    named = {} if origin is None else {"Origin": origin.format(host=host)}
    assert answer(host, "/_stcore/stream", {**HANDSHAKE, **named}).status == (101 if allowed else 403)
    assert answer(host, "/_stcore/health", named).status == (200 if allowed else 403)


@pytest.mark.slow
@pytest.mark.parametrize("named", [{}, {"Origin": "http://foreign.example"}])
def test_no_session_is_opened_under_a_foreign_name(host: str, named: dict[str, str]) -> None:
    """SECURITY.md says so, and what answers all the same."""
    foreign = {"Host": "foreign.example", **named}
    assert answer(host, "/_stcore/stream", {**HANDSHAKE, **foreign}).status == 403
    assert answer(host, "/", foreign).status == answer(host, "/room/standing/ABCDEF/1", foreign).status == 200


@pytest.mark.slow
def test_a_browser_is_told_which_settings_are_missing_under_a_foreign_name(host: str) -> None:
    connection = http.client.HTTPConnection(host, timeout=PATIENCE)
    connection.request("GET", "/word_pairs", headers={"Host": "192.0.2.2:8501", "Accept": "text/html,*/*"})
    refused = connection.getresponse()
    said = refused.read().decode()
    connection.close()
    assert refused.status == 403 and refused.headers["X-Frame-Options"] == "DENY"
    assert "STREAMLIT_SERVER_ALLOWED_HOSTS=NAME STREAMLIT_BROWSER_SERVER_ADDRESS=NAME make serve" in said
    assert answer(host, "/word_pairs", {"Accept": "text/html,*/*"}).status == 200


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/word_pairs", "/nothing", "/static/nothing", "/_stcore/stream"])
@pytest.mark.parametrize("origin", ["http://{host}", "http://foreign.example"])
def test_the_log_does_not_say_what_an_address_holds(host: str, folder: Path, path: str, origin: str) -> None:
    for headers in ({}, HANDSHAKE):
        answer(host, f"{path}?text=my-secret-sentence", {**headers, "Origin": origin.format(host=host)})
    log = (folder / "log.txt").read_text()
    assert host in log, "it is the log of this server"
    assert "my-secret-sentence" not in log


@pytest.mark.slow
def test_a_server_that_draws_for_many_stops_when_it_is_told_to(server: Served) -> None:
    async def drawn_for_ever(visitor: Visitor, begun: asyncio.Event) -> None:
        while True:
            await visitor.open("word_pairs")
            begun.set()

    async def ends() -> list[BaseException | None]:
        begun = asyncio.Event()
        async with AsyncExitStack() as sessions:
            visitors = [await sessions.enter_async_context(visiting(server.address)) for _ in range(MANY)]
            drawings = [asyncio.ensure_future(drawn_for_ever(visitor, begun)) for visitor in visitors]
            await begun.wait()
            server.process.terminate()
            await asyncio.to_thread(server.process.wait, PATIENCE)
            return list(await asyncio.gather(*drawings, return_exceptions=True))

    assert {type(end) for end in awaited(ends)} <= {ConnectionClosedOK, ConnectionClosedError}


def test_addresses_named_in_the_settings_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"server.enableCORS": True, "server.corsAllowedOrigins": ["https://workshop.example/"]}
    monkeypatch.setattr(requests.st, "get_option", options.__getitem__)
    headers = {"host": "127.0.0.1:8501"}
    guard = requests.OwnPagesOnly(taken)
    assert status(guard, "GET", "/", {**headers, "origin": "https://workshop.example"}) == 200
    assert status(guard, "GET", "/", {**headers, "origin": "https://other.example"}) == 403


async def taken(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})


def status(app: Any, method: str, path: str, headers: dict[str, str]) -> int:
    return awaited(lambda: status_soon(app, method, path, headers))


async def status_soon(app: Any, method: str, path: str, headers: dict[str, str]) -> int:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    await app({"type": "http", "method": method, "path": path, "headers": raw}, None, send)
    return int(sent[0]["status"])


class TestUploads:
    @pytest.fixture(autouse=True)
    def manager(self, monkeypatch: pytest.MonkeyPatch) -> MemoryUploadedFileManager:
        manager = MemoryUploadedFileManager("/_stcore/upload_file")
        running = SimpleNamespace(uploaded_file_mgr=manager)
        monkeypatch.setattr(upload_limit, "runtime", SimpleNamespace(get_instance=lambda: running))
        monkeypatch.setattr(upload_limit, "MOST_FILES", 3)
        monkeypatch.setattr(upload_limit, "largest", lambda: 100)
        monkeypatch.setattr(upload_limit, "of_all", lambda: 0.00025)
        monkeypatch.setattr(upload_limit, "_refused", {})
        return manager

    def put(self, file: str, size: str, session: str = "one") -> int:
        return status(
            upload_limit.UploadLimit(taken), "PUT", f"/_stcore/upload_file/{session}/{file}", {"content-length": size}
        )

    def test_the_bytes_of_a_session_are_limited(self, manager: MemoryUploadedFileManager) -> None:
        assert self.put("a", "100") == 200
        assert self.put("a", "101") == 413
        manager.add_file("one", UploadedFileRec("a", "a.txt", "text/plain", b"." * 60))
        assert [self.put("b", "40"), self.put("b", "41"), self.put("a", "100")] == [200, 413, 200]
        assert self.put("b", "100", session="two") == 200
        manager.remove_file("one", "a")
        assert self.put("b", "100") == 200

    def test_the_bytes_of_all_sessions_are_limited(self, manager: MemoryUploadedFileManager) -> None:
        for session in ("one", "two"):
            assert self.put("a", "100", session) == 200
            manager.add_file(session, UploadedFileRec("a", "a.txt", "text/plain", b"." * 100))
        assert [self.put("a", "51", "three"), self.put("a", "50", "three")] == [413, 200]
        assert "All sessions together" in upload_limit._refused["three"]
        manager.remove_file("one", "a")
        assert self.put("a", "100", "three") == 200

    def test_the_files_of_a_session_are_limited(self, manager: MemoryUploadedFileManager) -> None:
        for name in "abc":
            assert self.put(name, "1") == 200
            manager.add_file("one", UploadedFileRec(name, name, "text/plain", b"."))
        assert [self.put("d", "1"), self.put("c", "1")] == [413, 200]

    def test_an_upload_must_say_how_long_it_is(self) -> None:
        assert [self.put("a", ""), self.put("a", "-1")] == [411, 411]

    def test_uploads_that_arrive_together_count_together(self) -> None:
        async def together() -> list[int]:
            go = asyncio.Event()

            async def slow(scope: Scope, receive: Receive, send: Send) -> None:
                await go.wait()
                await taken(scope, receive, send)

            limit = upload_limit.UploadLimit(slow)
            path = "/_stcore/upload_file/one/"
            puts = [
                asyncio.create_task(status_soon(limit, "PUT", path + name, {"content-length": "45"})) for name in "abc"
            ]
            await asyncio.sleep(0)
            go.set()
            return await asyncio.gather(*puts)

        assert awaited(together) == [200, 200, 413]

    def test_the_form_says_that_files_were_left_out(self) -> None:
        page = AppTest.from_function(a_form)
        page.run()
        assert not page.warning
        upload_limit._refused["test session id"] = f"{upload_limit.rule()} Remove some."
        page.run()
        assert "may hold" in page.warning[0].value
        page.run()
        assert not page.warning

    def test_what_no_form_shows_any_more_is_released(self, monkeypatch: pytest.MonkeyPatch) -> None:
        removed: list[str] = []
        monkeypatch.setattr(
            MemoryUploadedFileManager, "remove_file", lambda self, session_id, file_id: removed.append(file_id)
        )
        page = AppTest.from_function(a_form)
        page.run()
        page.file_uploader[0].set_value([("a.txt", b"a", "text/plain"), ("b.txt", b"b", "text/plain")])
        page.run()
        shown = page.session_state["ids"]
        assert len(shown) == 2 and not removed
        page.checkbox[0].check()
        page.run()
        assert sorted(removed) == sorted(shown)
        page.run()
        assert len(removed) == 2


def a_form() -> None:
    import streamlit as st

    from dashboard.kit.forms import upload_limit as limits

    with limits.released():
        if st.checkbox("another page"):
            st.stop()
        files = st.file_uploader("files", accept_multiple_files=True)
        limits.show(files)
        st.session_state["ids"] = [file.file_id for file in files]
