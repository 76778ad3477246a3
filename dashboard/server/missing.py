"""Middleware that answers a wrong address with the nearest page and the overview, instead of an empty page."""

import html
import re
from difflib import get_close_matches

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from dashboard import navigation
from dashboard.kit import address

_NAME = re.compile(r"[A-Za-z_-]+", re.ASCII)
"""What a page may be called; addresses of the server itself have points, digits or several steps."""
_SERVED = ("healthz", "static", "media", "component")
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>:root {{ color-scheme: light dark; font: 1.1rem/1.6 sans-serif }} body {{ margin: 4rem auto; max-width: 36rem;
padding: 0 1rem }}</style></head>
<body><main><h1>{heading}</h1><p>Telltale has no page of this name. {nearest}</p>
<p><a href="{home}">Open the overview</a>, which leads to every page.</p></main></body></html>
"""


class KnownPages:
    """Answers a browser that asks for a page which does not exist; passes everything else on."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with 404, the nearest page and the overview where there is no such page."""
        wanted = _wanted(scope)
        answer = HTMLResponse(page(wanted), 404) if wanted and wanted not in _titles() else self._app
        await answer(scope, receive, send)


def page(wanted: str) -> str:
    """Return the page for an address that leads nowhere; it does not repeat what was typed."""
    home = f"{address.base()}/"
    titles = _titles()
    by_title = {title.lower().replace(" ", "_"): name for name, title in titles.items()}
    close = get_close_matches(wanted.lower().replace("-", "_"), [*titles, *by_title], n=1, cutoff=0.5)
    name = by_title.get(close[0], close[0]) if close else ""
    nearest = f'Did you mean <a href="{home}{name}">{html.escape(titles[name])}</a>?' if name else ""
    heading = "Page not found"
    return _PAGE.format(title=navigation.tab_title(heading), heading=heading, nearest=nearest, home=home)


def _wanted(scope: Scope) -> str:
    """Return the name of the page that a browser asks for; empty where it asks for anything else."""
    if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
        return ""
    name = scope["path"].strip("/").removeprefix(address.base().strip("/")).strip("/")
    return name if _NAME.fullmatch(name) and not name.startswith("_") and name not in _SERVED else ""


def _titles() -> dict[str, str]:
    """Return the title of each page by its name, its short addresses and the attacks that it shows."""
    declared = navigation.declared()
    return {name: entry.title for entry in declared for name in (*entry.attacks, *entry.also, entry.name)}
