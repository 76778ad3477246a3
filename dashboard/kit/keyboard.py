"""The keyboard: Tab goes from field to field, and the help of each appears with it."""

from functools import cache
from pathlib import Path

import streamlit as st

_SCRIPT = Path(__file__).resolve().parents[1] / "assets" / "keyboard.js"


def listen() -> None:
    """Run the script of the keyboard in the browser, once a page."""
    st.html(markup(), unsafe_allow_javascript=True)


@cache
def markup() -> str:
    """Return the script in its tag."""
    return f"<script>{_SCRIPT.read_text('utf-8')}</script>"
