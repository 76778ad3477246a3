"""The locked predictions of one visitor who learns alone: in the session, and kept where a reload finds them."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

import streamlit as st

from core.errors import StoreError
from core.runtime.store import Store
from dashboard.kit import visitors
from dashboard.kit.words import literal
from dashboard.room.alone import AloneFile
from dashboard.room.rooms_file import Value
from dashboard.topics.lessons import asking, evidence, shelf

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
    """Store a prediction; it cannot be changed any more, nor by another tab of the same browser."""
    if (lesson, step) not in _all():
        _keep(AloneFile.lock, lesson, step, value)
        _all()[lesson, step] = _kept().get((lesson, step), Locked(value))


def reveal(lesson: str, step: int) -> None:
    """Show the answer of a step whose prediction is locked."""
    prediction = replace(_all()[lesson, step], is_revealed=True)
    _all()[lesson, step] = prediction
    if prediction.value is not None:
        _keep(AloneFile.lock, lesson, step, prediction.value)  # another tab may have forgotten it
    _keep(AloneFile.reveal, lesson, step)


def forget(lesson: str) -> None:
    """Forget the predictions of a lesson, for the next person at this browser."""
    for key in [key for key in _all() if key[0] == lesson]:
        del _all()[key]
    _keep(AloneFile.forget, lesson)


def _all() -> dict[tuple[str, int], Locked]:
    """Return the predictions of the session, which begins with those that were kept."""
    if _STATE not in st.session_state:
        st.session_state[_STATE] = _kept()
    predictions: dict[tuple[str, int], Locked] = st.session_state[_STATE]
    return predictions


def _kept() -> dict[tuple[str, int], Locked]:
    """Return the kept predictions that still answer the question of their step."""
    lessons, locked = shelf.lessons(), {}
    with suppress(StoreError):  # the lesson goes on without
        for (name, number), (value, is_revealed) in AloneFile(Store()).predictions(visitors.digest()).items():
            steps = lessons[name].steps if name in lessons else ()
            with suppress(evidence.Missing):
                if 0 < number <= len(steps) and asking.fits(steps[number - 1].prediction, value):
                    locked[name, number] = Locked(value, is_revealed)
    return locked


def _keep(change: Callable[..., None], *values: object) -> None:
    """Change what is kept; where that fails, it holds for the session alone, and says so."""
    try:
        change(AloneFile(Store()), visitors.digest(), *values)
    except StoreError as error:
        st.toast(literal(f"This holds until the page is loaded again: {error}"), icon=":material/info:")
