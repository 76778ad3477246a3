"""Charts that are drawn anew when the browser changes between light and dark while a page is open."""

from pathlib import Path

import streamlit as st

_ASSETS = Path(__file__).resolve().parents[1] / "assets"
_KEY = "scheme"
_watch = st.components.v2.component(
    "telltale.scheme", html="<span></span>", js=(_ASSETS / "scheme.js").read_text("utf-8")
)


def watch() -> None:
    """Learn when the browser changes its colours; that draws the page anew, in a container named after them."""
    with st.container(key=f"{_KEY}-{_changed() or 'first'}"):
        _watch(key=_KEY, on_scheme_change=lambda: None)


def key(name: str) -> str:
    """Return the key of a chart: another one once the colours have changed, so that the browser draws it anew.

    Streamlit puts the colours of the page into a chart when it first draws it, and leaves them there.
    """
    changed = _changed()
    return f"{name}.{changed}" if changed else name


def _changed() -> str:
    """Return the colours that the browser last changed to, ``light`` or ``dark``; empty before."""
    return str((st.session_state.get(_KEY) or {}).get("scheme") or "")
