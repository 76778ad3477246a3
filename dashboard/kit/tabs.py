"""The tabs of an attack's page: what leaked, how it works, what helps against it, and what the paper says."""

from collections.abc import Callable

import streamlit as st

from dashboard.kit import choices

Draw = Callable[[], object]
"""Draws the sections of a tab."""

ANSWER, HOW, DEFENSES, PAPER = "Answer", "How it works", "Defenses", "Beside the paper"
KEY = "view.tab"
"""Name of the open tab in the session and in the address."""


def show(answer: Draw, how: Draw, defenses: Draw | None = None, paper: Draw | None = None) -> None:
    """Draw the open tab; the others are built when they are opened, and a tab without sections does not appear.

    Args:
        answer: What leaked, and for whom.
        how: How the attack comes to its answer, shown on single examples.
        defenses: What each defense hides, and what it costs.
        paper: The figures of the paper, and of comparable experiments.
    """
    offered = zip((ANSWER, HOW, DEFENSES, PAPER), (answer, how, defenses, paper), strict=True)
    drawn = {name: draw for name, draw in offered if draw is not None}
    wanted, notice = choices.linked(KEY), st.container()
    panels = dict(zip(drawn, st.tabs(list(drawn), key=KEY, bind="query-params"), strict=True))
    with notice:
        choices.tell(
            "Tab", wanted, list(drawn), str, next((name for name, panel in panels.items() if panel.open), ANSWER)
        )
    for panel in panels.values():
        if not panel.open:
            # Clears the panel in the browser. Otherwise the browser clears it only after the open tab is drawn, and
            # with it the address of every choice that is in both.
            panel.empty()
    for name, panel in panels.items():
        if panel.open:
            with panel.container():
                drawn[name]()
