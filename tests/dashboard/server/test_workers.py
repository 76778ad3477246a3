"""Several processes of Streamlit behind Caddy are one dashboard to a visitor, and end together."""

import http.client
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from dashboard.kit.visitors import COOKIE
from tests.patience import PATIENCE
from tests.serving import ROOT, Served, serving

pytestmark = pytest.mark.slow
SCRIPT = ROOT / "dashboard" / "server" / "serve.sh"


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


def test_the_one_address_of_visitors_is_printed(behind_caddy: Served) -> None:
    printed = behind_caddy.log.read_text()
    assert re.findall(r"http://[^\s,]+", printed) == [behind_caddy.address] and "(2 processes)" in printed


@pytest.mark.parametrize("named", [True, False])
def test_a_server_for_a_room_says_which_settings_it_lacks_and_answers_with_them(named: bool, tmp_path: Path) -> None:
    settings = ("STREAMLIT_SERVER_ALLOWED_HOSTS", "STREAMLIT_BROWSER_SERVER_ADDRESS")
    given = dict.fromkeys(settings, "127.0.0.1") if named else {}
    with serving(tmp_path, ADDRESS="0.0.0.0", **given) as server:
        printed = server.log.read_text()
    lacking = " ".join(f"{setting}=NAME" for setting in settings)
    assert (f"{lacking} make serve ADDRESS=0.0.0.0" in printed) is not named
    assert "every address" not in printed


def test_a_cookie_leads_a_visitor_back_to_one_process(behind_caddy: Served) -> None:
    deadline, cookies = time.monotonic() + PATIENCE, set[str]()
    while len(cookies) < 2 and time.monotonic() < deadline:
        cookies.add(named(asked(behind_caddy, "/_stcore/health")))
    assert len(cookies) == 2, "visitors are shared out to both"
    for cookie in cookies:
        answers = [asked(behind_caddy, "/", cookie) for _ in range(5)]
        assert {answer.status for answer in answers} == {200}
        assert {named(answer) for answer in answers} <= {"", cookie}


def test_headers_and_origins_are_checked_behind_the_proxy_too(behind_caddy: Served) -> None:
    assert asked(behind_caddy, "/").headers["X-Frame-Options"] == "DENY"
    host = behind_caddy.address.removeprefix("http://")
    for origin, status in ((behind_caddy.address, 200), ("http://127.0.0.1:1", 403)):
        connection = http.client.HTTPConnection(host, timeout=PATIENCE)
        connection.request("GET", "/_stcore/health", headers={"Origin": origin})
        assert connection.getresponse().status == status
        connection.close()


def test_visitors_are_served_while_a_process_is_started_again(behind_caddy: Served) -> None:
    before = streamlits(behind_caddy)
    assert len(before) == 2
    before[0].kill()
    assert all(asked(behind_caddy, "/").status == 200 for _ in range(10))
    deadline = time.monotonic() + PATIENCE
    while len(streamlits(behind_caddy)) < 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert len(streamlits(behind_caddy)) == 2


@pytest.mark.parametrize(
    "name, value",
    [*(("WORKERS", text) for text in ("0", "abc", "", "65", "1; ls")), ("PORT", "0"), ("PORT", "65535"), ("PORT", "x")],
)
def test_what_cannot_be_served_is_refused_by_name(name: str, value: str) -> None:
    environment = {**os.environ, "WORKERS": "2", "PORT": "8501", name: value or " "}
    ended = subprocess.run(["sh", str(SCRIPT)], env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"{name} must be a number from 1 to")


def test_the_tour_of_another_server_is_not_opened(behind_caddy: Served) -> None:
    port = behind_caddy.address.rpartition(":")[2]
    environment = {**os.environ, "PORT": port, "PYTHON": sys.executable}
    demo = ["sh", str(SCRIPT.with_name("demo.sh"))]
    ended = subprocess.run(demo, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert ended.returncode == 2 and "The tour" not in ended.stdout
    free = re.search(r"Port (\d+) is taken.*: PORT=(\d+) make demo", ended.stderr)
    assert free and free[1] == port and int(free[2]) > int(port)


def test_a_taken_port_is_named(behind_caddy: Served) -> None:
    port = behind_caddy.address.rpartition(":")[2]
    environment = {**os.environ, "WORKERS": "2", "PORT": port, "PYTHON": sys.executable}
    ended = subprocess.run(["sh", str(SCRIPT)], env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 2 and f"These ports are taken: {port}" in ended.stderr
