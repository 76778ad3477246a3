"""A small drawing beside a question of a lesson, in the colours of the theme."""

import tomllib
from functools import cache
from pathlib import Path

import streamlit as st

from dashboard.topics.lessons.figures.sketch import Colours

_CONFIG = Path(__file__).resolve().parents[2] / ".streamlit" / "config.toml"
_CSS = ":host { color: var(--st-text-color); font-family: var(--st-font); } svg { display: block; }"
_JS = """export default ({ parentElement, data }) => {
    const drawn = new DOMParser().parseFromString(data, "image/svg+xml").documentElement;
    parentElement.querySelector("div").replaceChildren(document.importNode(drawn, true));
}"""
_picture = st.components.v2.component("telltale.predictions", html="<div></div>", css=_CSS, js=_JS)


def show(picture: str, name: str) -> None:
    """Show a small drawing under a name."""
    _picture(data=picture, key=name)


@cache
def colours() -> Colours:
    """Return the theme's colours of members, of non-members and of chance, each for light and dark."""
    theme = tomllib.loads(_CONFIG.read_text("utf-8"))["theme"]
    light, dark = (theme[base]["chartCategoricalColors"] for base in ("light", "dark"))
    measured, predicted, chance = (f"light-dark({light[index]}, {dark[index]})" for index in (0, 1, -1))
    return measured, predicted, chance
