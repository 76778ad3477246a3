"""Middleware of the dashboard: refuses requests of foreign pages, and adds security headers to every response."""

import base64
import hashlib
import re
from pathlib import Path

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

from dashboard.kit.forms.upload_limit import UploadLimit
from dashboard.server import scripts
from dashboard.server.identity import NamedBrowsers, TrustedLogins
from dashboard.server.missing import KnownPages

_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def _policy() -> str:
    """Return what pages may load: only what this server sends, and no script but Streamlit's and the dashboard's."""
    page = (Path(st.__file__).parent / "static" / "index.html").read_text("utf-8")
    inline = [script.encode() for script in _INLINE.findall(page + scripts.markup())]
    digests = (base64.b64encode(hashlib.sha256(script).digest()).decode() for script in inline)
    return "; ".join(
        (
            "default-src 'none'",
            # Streamlit hands the script of a component, that of pictures, to the browser as a blob.
            " ".join(("script-src 'self' blob:", *(f"'sha256-{digest}'" for digest in digests))),
            "style-src 'self' 'unsafe-inline'",  # Streamlit and plotly write styles as they draw
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "media-src 'self'",
            "connect-src 'self'",
            "worker-src 'self' blob:",
            "manifest-src 'self'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


HEADERS = {
    "Content-Security-Policy": _policy(),
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Pages load nothing from elsewhere, none may be framed, no referrer leaves, and no browser guesses a file's type."""


_UNNAMED = """Telltale does not answer under this name or address.

Whoever started it can let it, with the name or address that stands in your browser, without the port, as NAME:

STREAMLIT_SERVER_ALLOWED_HOSTS=NAME STREAMLIT_BROWSER_SERVER_ADDRESS=NAME make serve ADDRESS=0.0.0.0
"""


class OwnPagesOnly:
    """Refuses requests and websockets that a page of another origin sends; Streamlit trusts every port of localhost."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on requests of the dashboard's own pages, and requests without a browser."""
        if scope["type"] in ("http", "websocket") and not _is_own(Headers(scope=scope)):
            refusal: ASGIApp = PlainTextResponse("Pages of other origins may not send requests to the dashboard.", 403)
            if scope["type"] == "websocket":
                refusal = WebSocketClose(1008)
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)


class OwnNamesOnly:
    """Says in the browser why no page appears under a foreign name: Streamlit opens no session there."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the settings that are missing where a browser asks for a page; pass everything else on."""
        headers = Headers(scope=scope) if scope["type"] == "http" else Headers()
        asks = "text/html" in headers.get("accept", "") and not is_host_allowed(headers.get("host"))
        await (PlainTextResponse(_UNNAMED, 403) if asks else self._app)(scope, receive, send)


class SafeAnswers:
    """Adds the security headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, and add the headers where a response begins."""

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self._app(scope, receive, guarded)


_ORDER = (
    SafeAnswers,
    OwnPagesOnly,
    OwnNamesOnly,
    TrustedLogins,
    NamedBrowsers,
    KnownPages,
    scripts.OwnScripts,
    UploadLimit,
)
MIDDLEWARE = tuple(Middleware(kind) for kind in _ORDER)


def _is_own(headers: Headers) -> bool:
    """Tell whether a request has no origin or its host's; Streamlit checks the host (``server.allowedHosts``)."""
    origin = headers.get("origin")
    if origin is None or not st.get_option("server.enableCORS"):
        return True
    host = headers.get("host")
    allowed = [address.strip().rstrip("/") for address in st.get_option("server.corsAllowedOrigins")]
    return origin in (f"http://{host}", f"https://{host}", *allowed)
