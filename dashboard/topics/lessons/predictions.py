"""The predictions of one visitor, kept for the session: given and locked, then shown with what was measured."""

from dataclasses import dataclass, replace

import streamlit as st

from dashboard.room.rooms_file import Value

_KEPT = "lessons"


@dataclass(frozen=True)
class Given:
    """A locked prediction.

    Attributes:
        value: What was predicted; None on the sheet of a room for who predicted nothing.
        is_revealed: Whether the answer is shown.
    """

    value: Value | None
    is_revealed: bool = False


def given(lesson: str, step: int) -> Given | None:
    """Return the locked prediction of a step, or None."""
    return _all().get((lesson, step))


def lock(lesson: str, step: int, value: Value) -> None:
    """Keep a prediction; it cannot be changed any more."""
    _all().setdefault((lesson, step), Given(value))


def reveal(lesson: str, step: int) -> None:
    """Show the answer of a step whose prediction is locked."""
    _all()[lesson, step] = replace(_all()[lesson, step], is_revealed=True)


def forget(lesson: str) -> None:
    """Forget the predictions of a lesson, for the next who sits down."""
    for place in [place for place in _all() if place[0] == lesson]:
        del _all()[place]


def _all() -> dict[tuple[str, int], Given]:
    kept: dict[tuple[str, int], Given] = st.session_state.setdefault(_KEPT, {})
    return kept
