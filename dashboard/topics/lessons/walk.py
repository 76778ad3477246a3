"""The way through the lessons: the shelf, a story, its steps, and the sheet to take home; each has its address."""

from collections.abc import Callable

import streamlit as st

from dashboard.kit import address, glossary, panels
from dashboard.kit.forms import mistakes
from dashboard.kit.words import literal
from dashboard.topics.lessons import asking, evidence, handout, predictions, reveal, shelf
from dashboard.topics.lessons.lesson import Lesson
from dashboard.topics.lessons.pooled import alone
from dashboard.topics.lessons.room import entrance, presenter, routing
from dashboard.topics.lessons.room.view import LESSON, ROOM, STEP
from dashboard.topics.lessons.tour import sheet

SHEET, RUNS = "sheet", "runs"
"""Names, in the address, of the sheet to take home and of the experiment to run with one's own seeds."""


def show() -> None:
    """Draw what the address names: a room, a tour, the shelf, or a part of a lesson."""
    if ROOM in st.query_params:
        routing.show()
        return
    if sheet.TOUR in st.query_params:
        sheet.show()
        return
    lessons = shelf.lessons()
    wanted_lesson, wanted_step = st.query_params.get(LESSON, ""), st.query_params.get(STEP, "")
    lesson = lessons.get(wanted_lesson)
    step = wanted_step if lesson is not None and wanted_step in _steps(lesson) else ""
    number = int(step) if step.isdigit() else 0
    is_large = lesson is not None and presenter.is_open()
    if not is_large:
        # A link to the page that is open does not change the address in the browser, so set it on each run.
        address.show(_query(lesson, step), repeated=True)
    if wanted_lesson and lesson is None:
        meant = mistakes.nearest(wanted_lesson, {name: known.title for name, known in lessons.items()})
        panels.show_error(
            f"Lesson: there is no {mistakes.quoted(wanted_lesson)}. {meant} All lessons are shown instead."
        )
    elif lesson and wanted_step and not step:
        meant = f"only 1 to {len(lesson.steps)}. The lesson is shown from its start."
        panels.show_error(f"Step: there is no {mistakes.quoted(wanted_step)}, {meant}")
    if lesson is None:
        _shelf()
        return
    try:
        if is_large:
            presenter.alone(lesson, number)
            return
        if number:
            _step(lesson, number)
        elif step == RUNS and lesson.pooled is not None:
            _where(lesson, "Your runs")
            with st.container(key="lesson"):
                alone.show(lesson, lesson.pooled)
            _links(lesson, lesson.last)
        elif step:
            _where(lesson, "Your sheet")
            handout.show(lesson)
            _links(lesson, lesson.last + 1)
        else:
            _story(lesson)
    except evidence.Missing as missing:
        reveal.missing_result(missing)


def _steps(lesson: Lesson) -> list[str]:
    """Return every step that an address of the lesson may name."""
    return [*(_name(lesson, number) for number in range(1, lesson.last + 1)), SHEET]


def _shelf() -> None:
    st.title("Lessons", anchor=False)
    st.markdown(
        "Predict, lock, then see what was measured. Each lesson tells one story on stored results: it needs no "
        "network and no dataset. Your predictions are kept for this browser alone, for 14 days at most."
    )
    with st.container(key="entries-lessons"):
        for lesson in shelf.lessons().values():
            with st.container(key=f"entry-{lesson.name}", gap="xsmall"):
                link(f"**{literal(lesson.title)}**", lesson)
                st.markdown(literal(lesson.question), help=glossary.explained(lesson.question))
                panels.note(f"{lesson.minutes} minutes, {len(lesson.steps)} predictions. {lesson.source}")
    sheet.links()
    entrance.box()


def _story(lesson: Lesson) -> None:
    _where(lesson, "")
    st.title(literal(lesson.title), anchor=False)
    with st.container(key="lesson"):
        reveal.text(f"{lesson.question} {lesson.story}", f"**{literal(lesson.question)}** {literal(lesson.story)}")
        reveal.terms(lesson)
        panels.note(f"{lesson.minutes} minutes, {len(lesson.steps)} predictions. After {lesson.source}")
    _links(lesson, 0)
    with st.container(horizontal=True, vertical_alignment="center", key="lesson-together"):
        entrance.start(lesson)
        presenter.link(lesson, 1)


def _step(lesson: Lesson, number: int) -> None:
    """Draw a step: its question with a control, or the locked prediction, with the answer once revealed."""
    step, key = lesson.steps[number - 1], f"{lesson.name}-{number}"
    _where(lesson, f"Step {number} of {len(lesson.steps)}")
    st.title(literal(step.title), anchor=False)
    with st.container(key="lesson"):
        reveal.text(step.situation)
        locked = predictions.locked(lesson.name, number)
        if locked is None or locked.value is None:
            value = asking.ask(step.prediction, key)
            _button("Lock my prediction", "lock", _lock, lesson, number, key, ready=value is not None)
        else:
            reveal.locked(step.prediction, locked.value)
            if locked.is_revealed:
                reveal.show(step, (locked.value,), key)
            else:
                _button("Reveal what was measured", "visibility", predictions.reveal, lesson.name, number)
    _links(lesson, number)


def _lock(lesson: Lesson, number: int, key: str) -> None:
    value = asking.chosen(lesson.steps[number - 1].prediction, key)
    if value is not None:
        predictions.lock(lesson.name, number, value)


def _button(label: str, icon: str, act: Callable[..., None], *arguments: object, ready: bool = True) -> None:
    st.button(
        label,
        key=f"lesson.{icon}",
        on_click=act,
        args=arguments,
        type="primary",
        icon=f":material/{icon}:",
        disabled=not ready,
    )


def _where(lesson: Lesson, step: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="lesson-place"):
        link("All lessons", None, icon=":material/school:")
        if step:
            st.caption(literal(f"{lesson.title} · {step}"), width="content")


def _links(lesson: Lesson, number: int) -> None:
    last = lesson.last
    before = "" if number <= 1 else _name(lesson, number - 1)
    with st.container(horizontal=True, key="lesson-links"):
        if number:
            link("Back", lesson, before, icon=":material/arrow_back:")
        if not number:
            if st.button("Begin", type="primary", key="lesson.begin", icon=":material/arrow_forward:"):
                st.switch_page(shelf.PAGE, query_params=_query(lesson, _name(lesson, 1)))
        elif number < last:
            link("Next", lesson, _name(lesson, number + 1), icon=":material/arrow_forward:")
        elif number == last:
            link("Your sheet", lesson, SHEET, icon=":material/description:")


def _name(lesson: Lesson, number: int) -> str:
    """Return the name of a step in the address; the experiment follows the numbered steps."""
    return str(number) if number <= len(lesson.steps) else RUNS


def link(label: str, lesson: Lesson | None, step: str = "", icon: str | None = None) -> None:
    """Offer a link to the shelf, a lesson, or one of its steps."""
    st.page_link(shelf.PAGE, label=label, icon=icon, query_params=_query(lesson, step) or None, width="content")


def _query(lesson: Lesson | None, step: str) -> dict[str, str]:
    return {**({LESSON: lesson.name} if lesson else {}), **({STEP: step} if step else {})}
