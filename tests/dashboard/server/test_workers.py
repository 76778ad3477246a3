"""Several processes of Streamlit behind Caddy are one dashboard to a visitor, and end together."""

import http.client
import os
import subprocess
import sys
import time
from collections.abc import Iterator

import psutil
import pytest

from dashboard.kit.visitors import COOKIE
from tests.patience import PATIENCE
from tests.serving import ROOT, Served, serving

pytestmark = pytest.mark.slow
SCRIPT = ROOT / "dashboard" / "server" / "serve.sh"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("server"), workers=2) as served:
        yield served
        processes = served.processes()
    assert not any(process.is_running() for process in processes), "all end with the first"


def asked(server: Served, path: str, cookie: str = "") -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(server.address.removeprefix("http://"), timeout=PATIENCE)
    connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
    response = connection.getresponse()
    response.read()
    connection.close()
    return response


def named(response: http.client.HTTPResponse) -> str:
    """Return the cookie by which the proxy knows a process again."""
    given = [cookie.partition(";")[0] for cookie in response.headers.get_all("Set-Cookie", [])]
    return next((cookie for cookie in given if not cookie.startswith(COOKIE)), "")


def streamlits(server: Served) -> list[psutil.Process]:
    return [process for process in server.processes() if "streamlit" in process.cmdline()]


def test_a_cookie_leads_a_visitor_back_to_one_process(server: Served) -> None:
    deadline, cookies = time.monotonic() + PATIENCE, set[str]()
    while len(cookies) < 2 and time.monotonic() < deadline:
        cookies.add(named(asked(server, "/_stcore/health")))
    assert len(cookies) == 2, "visitors are shared out to both"
    for cookie in cookies:
        answers = [asked(server, "/", cookie) for _ in range(5)]
        assert {answer.status for answer in answers} == {200}
        assert {named(answer) for answer in answers} <= {"", cookie}


def test_headers_and_origins_are_checked_behind_the_proxy_too(server: Served) -> None:
    assert asked(server, "/").headers["X-Frame-Options"] == "DENY"
    host = server.address.removeprefix("http://")
    for origin, status in ((server.address, 200), ("http://127.0.0.1:1", 403)):
        connection = http.client.HTTPConnection(host, timeout=PATIENCE)
        connection.request("GET", "/_stcore/health", headers={"Origin": origin})
        assert connection.getresponse().status == status
        connection.close()


def test_visitors_are_served_while_a_process_is_started_again(server: Served) -> None:
    before = streamlits(server)
    assert len(before) == 2
    before[0].kill()
    assert all(asked(server, "/").status == 200 for _ in range(10))
    deadline = time.monotonic() + PATIENCE
    while len(streamlits(server)) < 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert len(streamlits(server)) == 2


@pytest.mark.parametrize(
    "name, value",
    [*(("WORKERS", text) for text in ("0", "abc", "", "65", "1; ls")), ("PORT", "0"), ("PORT", "65535"), ("PORT", "x")],
)
def test_what_cannot_be_served_is_refused_by_name(name: str, value: str) -> None:
    asked = {**os.environ, "WORKERS": "2", "PORT": "8501", name: value or " "}
    ended = subprocess.run(["sh", str(SCRIPT)], env=asked, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"{name} must be a number from 1 to")


def test_a_taken_port_is_named(server: Served) -> None:
    port = server.address.rpartition(":")[2]
    asked = {**os.environ, "WORKERS": "2", "PORT": port, "PYTHON": sys.executable}
    ended = subprocess.run(["sh", str(SCRIPT)], env=asked, capture_output=True, text=True, check=False)
    assert ended.returncode == 2 and f"These ports are taken: {port}" in ended.stderr
