"""Middleware that tells visitors apart: a cookie for each browser, and the login that a proxy vouches for."""

import ipaddress
import os
import secrets

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.errors import InvalidSpec
from dashboard.kit.visitors import COOKIE, HEADER

PROXIES = "TELLTALE_PROXIES"
"""Environment variable with addresses or networks of the proxies that are believed, besides this machine.

They may say who logged in, and whether the browser came to them by TLS.
"""

_BELIEVED_BY_UVICORN = "FORWARDED_ALLOW_IPS"
_FORWARDED_SCHEME = "X-Forwarded-Proto"
_LOOPBACK = ("127.0.0.0/8", "::1")
_Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class NamedBrowsers:
    """Gives each browser that opens a page a cookie with a random token; it is gone when the browser is closed."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, and add the cookie to a page that was asked for without it."""
        if scope["type"] != "http" or COOKIE in cookie_parser(Headers(scope=scope).get("cookie", "")):
            await self._app(scope, receive, send)
            return

        async def with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    secure = "; Secure" if _is_encrypted(scope) else ""
                    cookie = f"{COOKIE}={secrets.token_hex(16)}; Path=/; HttpOnly; SameSite=Lax{secure}"
                    headers.append("set-cookie", cookie)
            await send(message)

        await self._app(scope, receive, with_cookie)


class TrustedLogins:
    """Removes the header that names who logged in, unless a trusted proxy sent exactly one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, without a header that anybody could have sent."""
        if scope["type"] in ("http", "websocket") and (header := os.environ.get(HEADER, "").strip()):
            name = header.lower().encode("latin-1", "replace")
            values = [value for key, value in scope["headers"] if key.lower() == name]
            if values and (len(values) > 1 or not _is_trusted(scope.get("client"))):
                headers = [(key, value) for key, value in scope["headers"] if key.lower() != name]
                scope = {**scope, "headers": headers}
        await self._app(scope, receive, send)


def trusted_networks() -> list[_Network]:
    """Return the networks of the proxies that are believed: this machine, and those that the environment names.

    Raises:
        InvalidSpec: The environment names something else.
    """
    return [*map(ipaddress.ip_network, _LOOPBACK), *_networks(PROXIES)]


def _is_encrypted(scope: Scope) -> bool:
    """Tell whether a browser came by TLS, directly or, as a trusted proxy states, to that proxy."""
    schemes = Headers(scope=scope).getlist(_FORWARDED_SCHEME)
    return scope.get("scheme") == "https" or (schemes == ["https"] and _is_trusted(scope.get("client")))


def _is_trusted(client: tuple[str, int] | None) -> bool:
    """Tell whether a request comes straight from a trusted proxy.

    Uvicorn replaces the address of a proxy that it believes, this machine's by default, by the one that the proxy
    names, and then the port is 0.
    """
    if client is None:
        return False
    host, port = client
    trusted = trusted_networks()
    try:
        if port == 0:
            return all(_lies_in(network, trusted) for network in _networks(_BELIEVED_BY_UVICORN))
        return _lies_in(ipaddress.ip_network(host), trusted)
    except ValueError:
        return False


def _lies_in(network: _Network, trusted: list[_Network]) -> bool:
    return any(
        network.version == other.version and network.subnet_of(other)  # type: ignore[arg-type]
        for other in trusted
    )


def _networks(variable: str) -> list[_Network]:
    networks = []
    for word in os.environ.get(variable, "").replace(",", " ").split():
        try:
            networks.append(ipaddress.ip_network(word, strict=False))
        except ValueError:
            raise InvalidSpec(
                f"{variable} must list addresses or networks such as 10.0.0.5 or 10.0.0.0/24. Got {word[:60]!r}."
            ) from None
    return networks
