"""The way through the lessons: the shelf, a story, its steps, and the sheet to take home; each has its address."""

from collections.abc import Callable

import streamlit as st

from dashboard.kit import address, glossary, panels
from dashboard.kit.forms import mistakes
from dashboard.kit.words import capitalised, literal
from dashboard.topics.lessons import asking, evidence, handout, predictions, reveal, shelf
from dashboard.topics.lessons.lesson import Lesson
from dashboard.topics.lessons.pooled import alone
from dashboard.topics.lessons.room import entrance, presenter, way
from dashboard.topics.lessons.tour import sheet

LESSON, STEP = "lesson", "step"
SHEET, RUNS = "sheet", "runs"
"""The steps in the address that are the sheet to take home, and the experiment to run with seeds of one's own."""


def show() -> None:
    """Draw the place that is in the address."""
    if way.is_open():
        way.show()
        return
    if sheet.is_open():
        sheet.show()
        return
    lessons = shelf.lessons()
    named, asked = st.query_params.get(LESSON, ""), st.query_params.get(STEP, "")
    lesson = lessons.get(named)
    step = asked if lesson else ""
    number = int(step) if lesson and step in map(str, range(1, len(lesson.steps) + 1)) else 0
    is_place = number or step == SHEET or (step == RUNS and lesson is not None and lesson.pooled is not None)
    place = step if is_place else ""
    is_large = lesson is not None and presenter.is_asked()
    if not is_large:
        # A link to the page that is open changes no address in the browser; so it is told each time.
        address.show(_query(lesson, place), repeated=True)
    if named and lesson is None:
        meant = mistakes.nearest(named, {name: each.title for name, each in lessons.items()})
        _warn(f"Lesson: there is no {mistakes.quoted(named)}. {meant} All lessons are shown instead.")
    elif lesson and asked and not place:
        _warn(f"Step: there is no {mistakes.quoted(asked)}, only 1 to {len(lesson.steps)}. Its beginning stands here.")
    if lesson is None:
        _shelf()
        return
    try:
        if is_large:
            presenter.alone(lesson, number)
            return
        if number:
            _step(lesson, number)
        elif place == RUNS and lesson.pooled is not None:
            _where(lesson, "Your runs")
            with st.container(key="lesson"):
                alone.show(lesson, lesson.pooled)
            _links(lesson, lesson.last)
        elif place:
            _where(lesson, "Your sheet")
            handout.show(lesson)
            _links(lesson, lesson.last + 1)
        else:
            _story(lesson)
    except evidence.Missing as missing:
        st.info(literal(f"A result of this lesson is not installed: {missing}."), icon=":material/info:")


def _warn(text: str) -> None:
    """Say what was not understood of the address."""
    st.warning(literal(text), icon=":material/info:")


def _shelf() -> None:
    """List the lessons."""
    st.title("Lessons", anchor=False)
    st.markdown(
        "Predict, lock, then see what was measured. Each lesson tells one story on stored results: it needs no "
        "network and no dataset, and your predictions stay in this session."
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
    """Tell what the lesson is about."""
    _where(lesson, "")
    st.title(literal(lesson.title), anchor=False)
    with st.container(key="lesson"):
        reveal.text(f"{lesson.question} {lesson.story}", f"**{literal(lesson.question)}** {literal(lesson.story)}")
        for term in lesson.terms:
            st.markdown(f"**{literal(capitalised(term))}**: {literal(glossary.TERMS[term])}", help=glossary.TERMS[term])
        panels.note(f"{lesson.minutes} minutes, {len(lesson.steps)} predictions. After {lesson.source}")
    _links(lesson, 0)
    with st.container(horizontal=True, vertical_alignment="center", key="lesson-together"):
        entrance.start(lesson)
        presenter.link(lesson, 1)


def _step(lesson: Lesson, number: int) -> None:
    """Draw a step: the question with its control, or the locked prediction, or that with the answer."""
    step, key = lesson.steps[number - 1], f"{lesson.name}-{number}"
    _where(lesson, f"Step {number} of {len(lesson.steps)}")
    st.title(literal(step.title), anchor=False)
    with st.container(key="lesson"):
        reveal.text(step.situation)
        given = predictions.given(lesson.name, number)
        if given is None or given.value is None:
            value = asking.ask(step.prediction, key)
            _button("Lock my prediction", "lock", _lock, lesson, number, key, ready=value is not None)
        else:
            reveal.locked(step.prediction, given.value)
            if given.is_revealed:
                reveal.show(step, (given.value,), key)
            else:
                _button("Reveal what was measured", "visibility", predictions.reveal, lesson.name, number)
    _links(lesson, number)


def _lock(lesson: Lesson, number: int, key: str) -> None:
    """Keep what the control of a step holds when the button is pressed."""
    value = asking.chosen(lesson.steps[number - 1].prediction, key)
    if value is not None:
        predictions.lock(lesson.name, number, value)


def _button(label: str, icon: str, act: Callable[..., None], *arguments: object, ready: bool = True) -> None:
    """Draw the one button of a step."""
    key, shown = f"lesson.{icon}", f":material/{icon}:"
    st.button(label, key=key, on_click=act, args=arguments, type="primary", icon=shown, disabled=not ready)


def _where(lesson: Lesson, step: str) -> None:
    """Say which lesson and which step this is."""
    with st.container(horizontal=True, vertical_alignment="center", key="lesson-place"):
        link("All lessons", None, icon=":material/school:")
        if step:
            st.caption(literal(f"{lesson.title} · {step}"), width="content")


def _links(lesson: Lesson, number: int) -> None:
    """Offer the step before and the step after."""
    last = lesson.last
    before = "" if number <= 1 else _name(lesson, number - 1)
    with st.container(horizontal=True, key="lesson-links"):
        if number:
            link("Back", lesson, before, icon=":material/arrow_back:")
        if number < last:
            link("Begin" if not number else "Next", lesson, _name(lesson, number + 1), icon=":material/arrow_forward:")
        elif number == last:
            link("Your sheet", lesson, SHEET, icon=":material/description:")


def _name(lesson: Lesson, number: int) -> str:
    """Return the step in the address that has a number; the experiment stands behind the steps."""
    return str(number) if number <= len(lesson.steps) else RUNS


def link(label: str, lesson: Lesson | None, step: str = "", icon: str | None = None) -> None:
    """Offer a place of the lessons as a link."""
    st.page_link(shelf.PAGE, label=label, icon=icon, query_params=_query(lesson, step) or None, width="content")


def _query(lesson: Lesson | None, step: str) -> dict[str, str]:
    return {**({LESSON: lesson.name} if lesson else {}), **({STEP: step} if step else {})}
