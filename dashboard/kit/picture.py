"""Pictures of figures, made in the browser, with title and source in them."""

from pathlib import Path

import streamlit as st

from core.experiment import Experiment
from core.result import Result, headline

_ASSETS = Path(__file__).resolve().parents[1] / "assets"
_SOURCE = "source"
_HTML = '<button data-kind="png">Picture as PNG</button><button data-kind="svg">Picture as SVG</button>'
_CSS = """
button {
    margin: 0.25rem 1rem 0.25rem 0; padding: 0.25rem 0; border: none; background: none; cursor: pointer;
    color: var(--st-link-color); font: inherit; font-size: 0.875rem; text-decoration: underline;
}
button:focus-visible { outline: 2px solid currentcolor; outline-offset: 2px; }
"""
_buttons = st.components.v2.component(
    "telltale.picture", html=_HTML, css=_CSS, js=(_ASSETS / "picture.js").read_text("utf-8")
)


def offer(name: str, title: str, source: str) -> None:
    """Offer the chart of a figure as PNG and SVG.

    Args:
        name: Name of the figure, and of the files.
        title: Stands above the chart in the picture.
        source: Stands below it.
    """
    _buttons(key=f"{name}.picture", data={"name": name, "title": title, "source": source})


def tell(source: str) -> None:
    """Name what the figures drawn from now on show."""
    st.session_state[_SOURCE] = f"Telltale, {source}"


def told() -> str:
    """Return the source of the figures drawn now."""
    return str(st.session_state.get(_SOURCE, "Telltale"))


def source(result: Result, experiment: Experiment) -> str:
    """Return the key of a result, its attack, its data and the number of decisions behind its headline."""
    about = f"result {experiment.key}, {experiment.attack.title} on {experiment.dataset.title}"
    counts = {result.estimates[name].n for name in headline(result.estimates).values()} - {0}
    return f"{about}; n = {' and '.join(f'{count:,}' for count in sorted(counts))}" if counts else about
