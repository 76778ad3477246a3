"""The large screen for a whole room: large type, one figure at a time, and keys that lead on and back."""

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.kit import address, panels
from dashboard.kit.forms import mistakes
from dashboard.kit.words import literal
from dashboard.room.rooms_file import Value
from dashboard.topics.lessons import predictions, reveal, shelf
from dashboard.topics.lessons.lesson import Lesson, Number, Pooled
from dashboard.topics.lessons.room import chart, controls, invitation, live, together
from dashboard.topics.lessons.room.view import LARGE, LESSON, ROOM, SCREEN, STEP, RoomView

HIDE = "hide"
"""Parameter with what the screen hides, separated by commas: ``answer``, ``why``, and the room's ``code``."""
_WORDS = ("answer", "why", "code")
Part = Literal["question", "answer", "why"]
_PARTS: tuple[Part, ...] = ("question", "answer", "why")
_HIDDEN: dict[Part, str] = {"question": "answer,why", "answer": "why", "why": ""}
_NEXT: dict[Part, str] = {"question": "Reveal", "answer": "Why", "why": "Next step"}


@dataclass(frozen=True)
class Slide:
    """One screen.

    Attributes:
        number: Number of the step; 0 before the first.
        part: Its question, its answer, or why it comes out so.
    """

    number: int
    part: Part

    def following(self) -> "Slide":
        """Return the next screen."""
        if not self.number or self.part == "why":
            return Slide(self.number + 1, "question")
        return Slide(self.number, _PARTS[_PARTS.index(self.part) + 1])

    def preceding(self) -> "Slide":
        """Return the screen before."""
        if self.part != "question":
            return Slide(self.number, _PARTS[_PARTS.index(self.part) - 1])
        return Slide(self.number - 1, "why" if self.number > 1 else "question")


def link(lesson: Lesson, step: int, room: str = "") -> None:
    """Offer the large screen of a step."""
    query = _query(lesson, Slide(step, "question"), room)
    st.page_link(shelf.PAGE, label="Large screen", icon=":material/slideshow:", query_params=query, width="content")


def is_open() -> bool:
    """Tell whether the address names the large screen."""
    return st.query_params.get(SCREEN) == LARGE


def alone(lesson: Lesson, number: int) -> None:
    """Draw a step of a lesson without a room, with the viewer's own prediction if there is one."""
    slide = Slide(number, _part() if number else "question")
    locked = predictions.locked(lesson.name, number)
    with st.container(key="presenter"):
        _warn()
        address.show(_query(lesson, slide), repeated=True)
        _slide(lesson, slide, () if locked is None or locked.value is None else (locked.value,), None)
        _buttons(lesson, slide, None)
        _leave("Lesson", {LESSON: lesson.name, **({STEP: str(number)} if number else {})})


def in_room(view: RoomView) -> None:
    """Draw the step of a room, with buttons for its facilitators."""
    leads = view.person.role == "facilitator"
    with st.container(key="presenter"):
        if view.number > view.lesson.last:
            _end(view, leads=leads)
        elif view.pooled is not None:
            _together(view, view.pooled, leads=leads)
        else:
            _step(view, leads=leads)
        if leads:
            _leave("Controls", {ROOM: view.room.code})


def _step(view: RoomView, *, leads: bool) -> None:
    """Draw the open step, or the invitation before the first; its answer, until a facilitator has gone on to why."""
    part: Part = "question"
    if view.stage.is_revealed:
        part = "why" if leads and _part() == "why" else "answer"
    slide = Slide(view.number, part)
    _warn()
    address.show(_query(view.lesson, slide, view.room.code), repeated=True)
    _slide(view.lesson, slide, view.predictions(), view)
    if leads:
        _buttons(view.lesson, slide, view)


def _together(view: RoomView, pooled: Pooled, *, leads: bool) -> None:
    """Draw the experiment of the room; facilitators close it, go on to why the runs differ, and to the sheets."""
    lesson, is_closed = view.lesson, view.stage.is_closed(time.time())
    runs, why = Slide(view.number, "question"), Slide(view.number, "why")
    is_why = leads and is_closed and _part() == "why"
    address.show(_query(lesson, why if is_why else runs, view.room.code), repeated=True)
    st.title(literal(pooled.title), anchor=False)
    live.follow(view, "nothing" if is_why else "counts", live.OF_ALL)
    if is_why or not leads:
        together.explained(view, pooled)
    if not leads:
        return
    with _links():
        _button("Back", "Left", _turn, lesson, runs if is_why else Slide(view.number - 1, "why"), view)
        if is_why:
            _to_sheets(view)
        elif is_closed:
            _button("Why", "Right", _turn, lesson, why, view)
        else:
            _button("Close", "Right", controls.change_stage, view, is_locked=True)


def _end(view: RoomView, *, leads: bool) -> None:
    """Draw what to remember while everybody has the sheet on a screen of their own."""
    address.show(_query(view.lesson, Slide(view.number, "question"), view.room.code), repeated=True)
    st.title("To remember", anchor=False)
    live.follow(view, "nothing", live.OF_ALL)
    with _text_alone():
        reveal.text(view.lesson.takeaway)
    panels.note("Everybody has their sheet on their own screen now.")
    if leads:
        with _links():
            _button("Back", "Left", _turn, view.lesson, Slide(view.lesson.last, "why"), view)


def _to_sheets(view: RoomView) -> None:
    _button("Sheets", "Right", _turn, view.lesson, Slide(view.lesson.last + 1, "question"), view)


def _links() -> DeltaGenerator:
    return st.container(horizontal=True, width="content", key="presenter-links")


def _leave(label: str, query: dict[str, str]) -> None:
    """Offer the way back from the large screen, which has no menu."""
    with st.container(width="content", key="presenter-leave"):
        st.page_link(shelf.PAGE, label=label, icon=":material/close_fullscreen:", query_params=query, width="content")


def _text_alone() -> DeltaGenerator:
    """Return a container for a text without a figure beside it, which has room for larger type."""
    return st.container(key="presenter-text")


def _slide(lesson: Lesson, slide: Slide, values: tuple[Value, ...], view: RoomView | None) -> None:
    step = lesson.steps[slide.number - 1] if slide.number else None
    st.title(literal(lesson.title if step is None else step.title), anchor=False)
    if view is not None:
        live.follow(view, "counts" if slide.part == "question" else "nothing", live.OF_ALL)
        if slide.number and slide.part == "question" and "code" not in _hidden():
            with st.container(width="content", key="presenter-code"):
                panels.note(f"Room {view.room.code}")
    name = f"large-{lesson.name}-{slide.number}"
    if step is None:
        reveal.text(lesson.question)
        if view is not None:
            invitation.show(view.room)
    elif slide.part == "question":
        is_shown = view is not None and view.stage.is_shown  # the predictions are the one figure of the screen
        with _text_alone() if isinstance(step.prediction, Number) and not is_shown else nullcontext():
            reveal.text(step.situation)
            reveal.text(step.prediction.label, f"**{literal(step.prediction.label)}**")
        if not is_shown:
            chart.question(step.prediction, name)
    elif slide.part == "answer":
        reveal.text(step.prediction.label, f"**{literal(step.prediction.label)}**")
        chart.show(step.prediction, values, None, name, is_shown=True)
    else:
        with _text_alone():
            reveal.explain(step)


def _buttons(lesson: Lesson, slide: Slide, view: RoomView | None) -> None:
    """Offer the screen before and the next one; the arrow keys press them, too."""
    with _links():
        if slide.number:
            before = slide.preceding()
            skips = view is not None and slide.part == "answer"  # a key does not take a reveal back
            _button("Back", "Left", _turn, lesson, before.preceding() if skips else before, view)
        last = len(lesson.steps) if view is None else lesson.last
        if slide.number < last or slide.part != "why":
            _button(_NEXT[slide.part] if slide.number else "Begin", "Right", _turn, lesson, slide.following(), view)
        elif view is not None:
            _to_sheets(view)


def _button(label: str, key: str, action: Callable[..., None], *arguments: object, **options: object) -> None:
    """Draw a button that a key presses, too."""
    pressed = action, *arguments
    st.button(label, key=f"presenter.{key}", shortcut=key, on_click=panels.act, args=pressed, kwargs=options)


def _turn(lesson: Lesson, slide: Slide, view: RoomView | None) -> None:
    """Go to a screen; in a room, everybody goes along."""
    if view is not None and slide.number != view.number:
        controls.go(view, slide.number)
    elif view is not None and slide.part == "answer" and not view.stage.is_revealed:
        controls.change_stage(view, is_revealed=True)
    address.show(_query(lesson, slide, "" if view is None else view.room.code), repeated=True)


def _part() -> Part:
    hidden = _hidden()
    return "question" if "answer" in hidden else "answer" if "why" in hidden else "why"


def _hidden() -> list[str]:
    """Return what the address hides: everything where it names something unknown, so that no answer slips out."""
    return list(_WORDS) if _unknown() else _named()


def _unknown() -> list[str]:
    return [name for name in _named() if name not in _WORDS]


def _named() -> list[str]:
    return [name.strip() for name in st.query_params.get(HIDE, "").split(",") if name.strip()]


def _warn() -> None:
    """Name what the address hides and nobody knows, before it is rewritten."""
    if unknown := _unknown():
        names = " and ".join(mistakes.quoted(name) for name in unknown)
        text = f"Hide: there is no {names}, only {', '.join(_WORDS[:-1])} and {_WORDS[-1]}. All three count as hidden."
        panels.show_error(text)


def _query(lesson: Lesson, slide: Slide, room: str = "") -> dict[str, str]:
    hidden = [name for name in (_HIDDEN[slide.part], "code" if "code" in _hidden() else "") if name]
    lesson_query = {LESSON: lesson.name, STEP: str(slide.number)} if slide.number else {LESSON: lesson.name}
    return {
        **({ROOM: room} if room else {}),
        **lesson_query,
        SCREEN: LARGE,
        **({HIDE: ",".join(hidden)} if hidden else {}),
    }
