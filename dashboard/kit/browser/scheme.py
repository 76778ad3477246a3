"""Charts in the colours of the light or the dark theme, drawn anew when the browser changes while a page is open."""

import tomllib
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from dashboard.kit.figures import theme

_DASHBOARD = Path(__file__).resolve().parents[2]
_THEMES = tomllib.loads((_DASHBOARD / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
_KEY = "scheme"
_watch = st.components.v2.component(
    "telltale.scheme", html="<span></span>", js=(_DASHBOARD / "assets" / "scheme.js").read_text("utf-8")
)
_CLICKED = {"clickmode": "event+select", "dragmode": "pan"}
"""What Streamlit sets where points can be clicked; set beforehand, no figure is drawn twice."""


def watch() -> None:
    """Learn when the browser changes its colours; that draws the page anew, in a container named after them."""
    with st.container(key=f"{_KEY}-{_changed() or 'first'}"):
        _watch(key=_KEY, data={"drawn": _shown()}, on_scheme_change=lambda: None)


def draw(figure: go.Figure, **options: Any) -> Any:
    """Draw a figure in the colours of the page; options go to `st.plotly_chart`, whose selection is returned.

    Streamlit's own colours would make of each figure another one, which the browser draws a second time.
    """
    clicked = _CLICKED if "on_select" in options else {}
    return st.plotly_chart(figure.painted(_palettes[_shown()], **clicked), theme=None, **options)


def palette(scheme: str) -> dict[str, str]:
    """Return the colour of the light or the dark theme that each colour of figures stands for.

    Args:
        scheme: ``light`` or ``dark``.
    """
    declared = _THEMES[scheme]
    return {
        **dict(zip(theme.CATEGORICAL, declared["chartCategoricalColors"], strict=True)),
        **dict(zip(theme.SEQUENTIAL, declared["chartSequentialColors"], strict=True)),
        **dict(zip(theme.DIVERGING, declared["chartDivergingColors"], strict=True)),
        theme.INK: declared["textColor"],
        theme.BACKGROUND: declared["backgroundColor"],
        theme.GRID: declared["dataframeBorderColor"],
    }


_palettes = {scheme: palette(scheme) for scheme in ("light", "dark")}


def _shown() -> str:
    """Return the colours that the page is shown in, ``light`` or ``dark``."""
    return _changed() or st.context.theme.type or "light"


def _changed() -> str:
    """Return the colours that the browser last changed to, ``light`` or ``dark``; empty before."""
    return str((st.session_state.get(_KEY) or {}).get("scheme") or "")
