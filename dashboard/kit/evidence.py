"""The report of stored results, to download."""

from collections.abc import Sequence

import streamlit as st

from core.runtime.store import Store


def button(keys: Sequence[str], name: str) -> None:
    """Draw the button that downloads one report of some results; of the first ones, if they are too many for it.

    Args:
        keys: Keys of the results, the most important first.
        name: Name of the file, without its ending.
    """
    st.download_button(
        "Report as HTML",
        lambda: _report(keys),
        f"{name}.html",
        "text/html",
        icon=":material/assignment:",
        help="Evidence as one page to keep, print or hand on. What you typed or uploaded stays out.",
        type="tertiary",
        on_click="ignore",
    )


def _report(keys: Sequence[str]) -> bytes:
    """Return the report of results as one page; its code is loaded when somebody asks for one."""
    from core.report import build, rendered
    from core.report.evidence import MOST

    return rendered(build(list(keys)[:MOST], Store()), ".html")
