"""A small drawing beside a question of a lesson, in the colours of the theme."""

import streamlit as st

from dashboard.kit.browser import scheme
from dashboard.topics.lessons.figures.sketch import Sketch

_CSS = ":host { color: var(--st-text-color); font-family: var(--st-font); } svg { display: block; }"
_JS = """export default ({ parentElement, data }) => {
    const drawn = new DOMParser().parseFromString(data, "image/svg+xml").documentElement;
    parentElement.querySelector("div").replaceChildren(document.importNode(drawn, true));
}"""
_picture = st.components.v2.component("telltale.predictions", html="<div></div>", css=_CSS, js=_JS)


def show(picture: str, name: str) -> None:
    """Show a small drawing under a name."""
    light, dark = scheme.palette("light"), scheme.palette("dark")
    for colour in (Sketch.MEASURED, Sketch.PREDICTED, Sketch.CHANCE):
        picture = picture.replace(colour, f"light-dark({light[colour]}, {dark[colour]})")
    _picture(data=picture, key=name)
