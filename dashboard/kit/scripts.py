"""The scripts of every page: the keyboard, and the way through the pages."""

from functools import cache
from pathlib import Path

import streamlit as st

_FOLDER = Path(__file__).resolve().parents[1] / "assets"
_NAMES = ("keyboard", "way")


def load() -> None:
    """Run the scripts in the browser, each once."""
    st.html(markup(), unsafe_allow_javascript=True)


@cache
def markup() -> str:
    """Return each script in its tag."""
    return "".join(f"<script>{(_FOLDER / f'{name}.js').read_text('utf-8')}</script>" for name in _NAMES)
