"""The server names browsers, and believes a login that a trusted proxy vouches for, and nobody else."""

import http.client
import json
import os
import re
import subprocess
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from core.errors import InvalidSpec
from dashboard.kit.visitors import COOKIE, HEADER
from dashboard.server import identity
from tests.dashboard.server.test_requests import awaited
from tests.patience import PATIENCE
from tests.serving import ROOT, Served

LOGIN = (b"x-forwarded-email", b"ann@example.org")
LOOPBACK, FOREIGN = ("127.0.0.1", 5000), ("10.0.0.5", 5000)
BEHIND_LOOPBACK = ("203.0.113.9", 0)
"""What uvicorn makes of a request that a proxy of this machine passes on."""


@pytest.fixture(autouse=True)
def header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HEADER, "X-Forwarded-Email")
    monkeypatch.delenv("FORWARDED_ALLOW_IPS", raising=False)


def received(client: tuple[str, int] | None, *headers: tuple[bytes, bytes], kind: str = "websocket") -> list[Any]:
    """Return the headers that reach the dashboard."""
    passed_on: list[Any] = []

    async def dashboard(scope: Scope, receive: Receive, send: Send) -> None:
        passed_on.extend(scope["headers"])

    scope = {"type": kind, "client": client, "headers": [(b"host", b"here"), *headers]}
    awaited(lambda: identity.TrustedLogins(dashboard)(scope, None, None))  # type: ignore[arg-type]
    return passed_on[1:]


@pytest.mark.parametrize("kind", ["websocket", "http"])
@pytest.mark.parametrize("client", [LOOPBACK, ("::1", 5000), BEHIND_LOOPBACK])
def test_a_proxy_of_this_machine_is_believed(client: tuple[str, int], kind: str) -> None:
    assert received(client, LOGIN, kind=kind) == [LOGIN]


@pytest.mark.parametrize("kind", ["websocket", "http"])
@pytest.mark.parametrize("client", [FOREIGN, None, ("testclient", 5000), ("127.0.0.1.evil", 1), ("::ffff:10.0.0.5", 1)])
def test_nobody_else_is_believed(client: tuple[str, int] | None, kind: str) -> None:
    for name in (b"x-forwarded-email", b"X-FORWARDED-EMAIL"):
        assert received(client, (name, b"ann@example.org"), kind=kind) == []


def test_a_named_proxy_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(identity.PROXIES, "10.0.0.0/29, 2001:db8::1")
    assert received(FOREIGN, LOGIN) == [LOGIN]
    assert received(("2001:db8::1", 5), LOGIN) == [LOGIN]
    assert received(("10.0.0.8", 5), LOGIN) == []
    assert received(BEHIND_LOOPBACK, LOGIN) == [LOGIN]


@pytest.mark.parametrize(("allowed", "believed"), [("127.0.0.1", True), ("10.0.0.5", True), ("10.1.0.5", False)])
def test_what_uvicorn_believes_must_be_trusted_too(
    allowed: str, believed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(identity.PROXIES, "10.0.0.5")
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", allowed)
    assert received(BEHIND_LOOPBACK, LOGIN) == ([LOGIN] if believed else [])


def test_an_address_that_came_twice_is_not_believed() -> None:
    assert received(LOOPBACK, LOGIN, (b"X-Forwarded-Email", b"owner@example.org")) == []


def test_other_headers_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    other = (b"x-forwarded-emails", b"a")
    assert received(FOREIGN, other, LOGIN) == [other]
    monkeypatch.delenv(HEADER)
    assert received(FOREIGN, LOGIN) == [LOGIN]


@pytest.mark.parametrize("networks", ["10.0.0.300", "proxy.example", "10.0.0.0/33"])
def test_a_proxy_that_is_no_address_is_refused(networks: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(identity.PROXIES, networks)
    with pytest.raises(InvalidSpec, match="TELLTALE_PROXIES must list addresses"):
        identity.trusted_networks()


def cookies(
    kind: str,
    scheme: str = "http",
    sent: str = "",
    client: tuple[str, int] | None = FOREIGN,
    forwarded: tuple[str, ...] = (),
) -> list[str]:
    """Return the cookies that an answer of a kind sets."""
    begun: list[Message] = []

    async def dashboard(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", kind.encode())]})

    async def send(message: Message) -> None:
        begun.append(message)

    headers = [(b"cookie", sent.encode()), *((b"x-forwarded-proto", value.encode()) for value in forwarded)]
    scope = {"type": "http", "scheme": scheme, "client": client, "headers": headers}
    awaited(lambda: identity.NamedBrowsers(dashboard)(scope, None, send))  # type: ignore[arg-type]
    return [value.decode() for name, value in begun[0]["headers"] if name == b"set-cookie"]


def test_a_page_names_the_browser_that_has_no_name() -> None:
    (first,), (second,) = cookies("text/html; charset=utf-8"), cookies("text/html; charset=utf-8")
    assert re.fullmatch(rf"{COOKIE}=[0-9a-f]{{32}}; Path=/; HttpOnly; SameSite=Lax", first)
    assert first != second
    assert cookies("text/html", scheme="https")[0].endswith("; Secure")
    assert cookies("text/html", sent=f"other=1; {COOKIE}=x") == []
    assert cookies("text/css") == []


@pytest.mark.parametrize(
    ("client", "forwarded", "encrypted"),
    [
        (("10.0.0.5", 5000), ("https",), True),
        (LOOPBACK, ("https",), True),
        (("10.0.0.5", 5000), ("http",), False),
        (("10.0.0.5", 5000), ("http", "https"), False),
        (("10.0.0.6", 5000), ("https",), False),
        (None, ("https",), False),
    ],
)
def test_the_cookie_keeps_to_tls_where_a_trusted_proxy_says_that_the_browser_used_it(
    client: tuple[str, int] | None, forwarded: tuple[str, ...], encrypted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(identity.PROXIES, "10.0.0.5")
    (cookie,) = cookies("text/html", client=client, forwarded=forwarded)
    assert cookie.endswith("; Secure") == encrypted


@pytest.mark.parametrize("foreign", ["a@b=1", "user/x=1", 'foo={"a":1}', "=", ";;"])
def test_cookies_of_other_programs_at_this_address_change_nothing(foreign: str) -> None:
    assert len(cookies("text/html", sent=foreign)) == 1
    assert cookies("text/html", sent=f"{foreign}; {COOKIE}={'0' * 32}") == []


@pytest.mark.slow
def test_behind_caddy_a_page_names_the_browser_and_has_its_policy(behind_caddy: Served) -> None:
    connection = http.client.HTTPConnection(behind_caddy.address.removeprefix("http://"), timeout=PATIENCE)
    connection.request("GET", "/")
    answer = connection.getresponse()
    connection.close()
    assert answer.status == 200
    assert any(value.startswith(COOKIE) for value in answer.headers.get_all("Set-Cookie", []))
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]


def test_caddy_believes_no_header_of_strangers() -> None:
    given = {"PORT": "1", "ADDRESS": "127.0.0.1", "UPSTREAMS": "127.0.0.1:2", identity.PROXIES: "10.0.0.5"}
    command = ["caddy", "adapt", "--config", str(ROOT / "dashboard" / "server" / "Caddyfile"), "--adapter", "caddyfile"]
    adapted = subprocess.run(command, env={**os.environ, **given}, capture_output=True, check=True)
    (server,) = json.loads(adapted.stdout)["apps"]["http"]["servers"].values()
    encrypted, unvouched, passed = server["routes"]
    trusted = ["127.0.0.0/8", "::1", "10.0.0.5"]
    assert unvouched["match"] == [{"not": [{"remote_ip": {"ranges": trusted}}]}]
    assert unvouched["handle"] == [{"handler": "headers", "request": {"delete": ["X-Forwarded-Email"]}}]
    assert encrypted["match"] == [{"header": {"X-Forwarded-Proto": ["https"]}, "remote_ip": {"ranges": trusted}}]
    assert passed["handle"][0]["trusted_proxies"] == trusted, "from strangers, Caddy replaces what they forward"
