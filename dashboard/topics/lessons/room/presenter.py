"""The screen that a whole room looks at: large type, one figure a screen, and keys for the next and the one before."""

from dataclasses import dataclass
from typing import Literal

import streamlit as st

from dashboard.kit import address, panels
from dashboard.kit.words import literal
from dashboard.room.rooms_file import Value
from dashboard.topics.lessons import predictions, reveal, shelf
from dashboard.topics.lessons.lesson import Lesson, Pooled
from dashboard.topics.lessons.room import chart, controls, invitation, live
from dashboard.topics.lessons.room.place import LARGE, LESSON, ROOM, SCREEN, STEP, Place, act

HIDE = "hide"
"""Parameter with what is not on the screen yet, separated by commas: ``answer``, ``why``, and the room's ``code``."""
Part = Literal["question", "answer", "why"]
_PARTS: tuple[Part, ...] = ("question", "answer", "why")
_HIDDEN: dict[Part, str] = {"question": "answer,why", "answer": "why", "why": ""}
_NEXT: dict[Part, str] = {"question": "Reveal", "answer": "Why", "why": "Next step"}


@dataclass(frozen=True)
class Slide:
    """One screen.

    Attributes:
        number: Of the step; 0 before the first.
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


def is_asked() -> bool:
    """Tell whether the address wants the large screen."""
    return st.query_params.get(SCREEN) == LARGE


def alone(lesson: Lesson, number: int) -> None:
    """Draw a step of a lesson without a room: the measurement, and one's own prediction if there is one."""
    slide = Slide(number, _part() if number else "question")
    given = predictions.given(lesson.name, number)
    address.show(_query(lesson, slide), repeated=True)
    with st.container(key="presenter"):
        _slide(lesson, slide, () if given is None or given.value is None else (given.value,), None)
        _buttons(lesson, slide, None)


def in_room(place: Place) -> None:
    """Draw the step of a room; whoever leads it has the buttons."""
    leads = place.person.role == "facilitator"
    if place.pooled is not None:
        _together(place, place.pooled, leads=leads)
        return
    slide = Slide(place.number, _part_in_room(leads=leads) if place.stage.is_revealed else "question")
    address.show(_query(place.lesson, slide, place.room.code), repeated=True)
    with st.container(key="presenter"):
        _slide(place.lesson, slide, place.predictions(), place)
        if leads:
            _buttons(place.lesson, slide, place)


def _together(place: Place, pooled: Pooled, *, leads: bool) -> None:
    """Draw the experiment of the room, and to who leads it the way back."""
    address.show(_query(place.lesson, Slide(place.number, "question"), place.room.code), repeated=True)
    with st.container(key="presenter"):
        st.title(literal(pooled.title), anchor=False)
        live.follow(place, "counts")
        if leads:
            with st.container(horizontal=True, width="content", key="presenter-links"):
                _button("Back", "Left", place.lesson, Slide(place.number - 1, "why"), place)


def _slide(lesson: Lesson, slide: Slide, given: tuple[Value, ...], place: Place | None) -> None:
    step = lesson.steps[slide.number - 1] if slide.number else None
    st.title(literal(lesson.title if step is None else step.title), anchor=False)
    if place is not None:
        live.follow(place, "counts" if slide.part == "question" else "nothing")
        if slide.number and slide.part == "question" and "code" not in _hidden():
            panels.note(f"Room {place.room.code}")
    if step is None:
        reveal.text(lesson.question)
        if place is not None:
            invitation.show(place.room)
    elif slide.part == "question":
        reveal.text(step.situation)
        reveal.text(step.prediction.label, f"**{literal(step.prediction.label)}**")
    elif slide.part == "answer":
        name = f"large-{lesson.name}-{slide.number}"
        reveal.text(step.prediction.label, f"**{literal(step.prediction.label)}**")
        chart.show(step.prediction, given, None, name, is_shown=True)
    else:
        reveal.explain(step)


def _buttons(lesson: Lesson, slide: Slide, place: Place | None) -> None:
    """Offer the screen before and the next one; the arrow keys press them, too."""
    with st.container(horizontal=True, width="content", key="presenter-links"):
        if slide.number:
            before = slide.preceding()
            skips = place is not None and slide.part == "answer"  # what is revealed in a room stays so
            _button("Back", "Left", lesson, before.preceding() if skips else before, place)
        last = len(lesson.steps) if place is None else lesson.last
        if slide.number < last or slide.part != "why":
            _button(_NEXT[slide.part] if slide.number else "Begin", "Right", lesson, slide.following(), place)


def _button(label: str, key: str, lesson: Lesson, slide: Slide, place: Place | None) -> None:
    st.button(label, key=f"presenter.{key}", shortcut=key, on_click=act, args=(_turn, lesson, slide, place))


def _turn(lesson: Lesson, slide: Slide, place: Place | None) -> None:
    """Go to a screen; in a room, everybody goes along."""
    if place is not None and slide.number != place.number:
        controls.go(place, slide.number)
    elif place is not None and slide.part == "answer" and not place.stage.is_revealed:
        controls.set_stage(place, is_revealed=True)
    address.show(_query(lesson, slide, "" if place is None else place.room.code), repeated=True)


def _part() -> Part:
    hidden = _hidden()
    return "question" if "answer" in hidden else "answer" if "why" in hidden else "why"


def _part_in_room(*, leads: bool) -> Part:
    """Return the part of a revealed step: its answer, wherever it was revealed, until who leads has gone on to why."""
    return "why" if leads and _part() == "why" else "answer"


def _hidden() -> list[str]:
    return st.query_params.get(HIDE, "").split(",")


def _query(lesson: Lesson, slide: Slide, room: str = "") -> dict[str, str]:
    hidden = [name for name in (_HIDDEN[slide.part], "code" if "code" in _hidden() else "") if name]
    place = {LESSON: lesson.name, STEP: str(slide.number)} if slide.number else {LESSON: lesson.name}
    return {**({ROOM: room} if room else {}), **place, SCREEN: LARGE, **({HIDE: ",".join(hidden)} if hidden else {})}
