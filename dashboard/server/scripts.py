"""The scripts of every page, which run before Streamlit's own: keyboard, touch, remote, way, icon, tables."""

from functools import cache
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_FOLDER = Path(__file__).resolve().parents[1] / "assets"
_NAMES = ("keyboard", "touch", "remote", "way", "icon", "tables")
_END = b"</body>"
_SHORTENING = (b"accept-encoding", b"if-none-match", b"if-modified-since")
"""Headers of a request for which a page comes compressed, or not at all."""
_STALE = ("etag", "last-modified", "accept-ranges")
"""Headers of an answer that hold for the file of Streamlit alone."""


class OwnScripts:
    """Puts the scripts into every page: what Streamlit draws comes too late for the first change of the address."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, and complete the pages that browsers ask for."""
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self._app(scope, receive, send)
            return
        start: Message = {}
        page = bytearray()

        async def completed(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _is_page(message):
                start = message
            elif message["type"] == "http.response.body" and start:
                page.extend(message.get("body", b""))
                if not message.get("more_body", False):
                    body = bytes(page).replace(_END, markup().encode() + _END)
                    headers = MutableHeaders(scope=start)
                    headers["content-length"] = str(len(body))
                    for name in _STALE:
                        del headers[name]
                    await send(start)
                    await send({"type": "http.response.body", "body": body})
            else:
                await send(message)

        request_headers = [(name, value) for name, value in scope["headers"] if name not in _SHORTENING]
        await self._app({**scope, "headers": request_headers}, receive, completed)


@cache
def markup() -> str:
    """Return each script in its tag."""
    return "".join(f"<script>{(_FOLDER / f'{name}.js').read_text('utf-8')}</script>" for name in _NAMES)


def _is_page(start: Message) -> bool:
    return start["status"] == 200 and Headers(raw=start["headers"]).get("content-type", "").startswith("text/html")
