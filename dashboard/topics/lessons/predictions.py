"""The locked predictions of one visitor, stored for the session."""

from dataclasses import dataclass, replace

import streamlit as st

from dashboard.room.rooms_file import Value

_STATE = "lessons"


@dataclass(frozen=True)
class Locked:
    """A locked prediction.

    Attributes:
        value: What was predicted; None on the sheet of a participant of a room who predicted nothing.
        is_revealed: Whether the answer is shown.
    """

    value: Value | None
    is_revealed: bool = False


def locked(lesson: str, step: int) -> Locked | None:
    """Return the locked prediction of a step, or None."""
    return _all().get((lesson, step))


def lock(lesson: str, step: int, value: Value) -> None:
    """Store a prediction; it cannot be changed any more."""
    _all().setdefault((lesson, step), Locked(value))


def reveal(lesson: str, step: int) -> None:
    """Show the answer of a step whose prediction is locked."""
    _all()[lesson, step] = replace(_all()[lesson, step], is_revealed=True)


def forget(lesson: str) -> None:
    """Forget the predictions of a lesson, for the next person at this browser."""
    for key in [key for key in _all() if key[0] == lesson]:
        del _all()[key]


def _all() -> dict[tuple[str, int], Locked]:
    predictions: dict[tuple[str, int], Locked] = st.session_state.setdefault(_STATE, {})
    return predictions
