"""One victim's text and what fell out of its embedding, segment by segment."""

import random
from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard import panels
from dashboard.charts import letters, likeliest, reconstruction
from dashboard.charts.tables import records
from dashboard.sections import victim_texts
from dashboard.words import literal

_CHOSEN = "view.victim"
_SIDE_BY_SIDE = 3
_HIDDEN = "•"
_COLOURS = "Orange was read with one guess, blue was not."


@st.fragment
def show(result: Result, experiment: Experiment) -> None:
    """Draw the likeliest values of each segment of the chosen victim beside its text."""
    guesses = _by_victim(result)
    if not guesses:
        return
    st.header("Watch it fall out", anchor=False)
    victim, told = _choose(guesses)
    rows = guesses[victim]
    _text(result, experiment, rows, told=told)
    if len(rows) > reconstruction.MOST_APART:
        panels.figure(
            letters.figure(rows, told=told),
            letters.table(rows),
            "letters",
            letters.sentence(rows, told=told),
            title="Letter by letter",
        )
    else:
        _segments(result, victim, rows, told=told)


def _segments(result: Result, victim: int, rows: Sequence[Any], *, told: bool) -> None:
    inferred = result.tables["inferred"]
    values = dict(zip(inferred["secret"], inferred["values"], strict=True))
    for start in range(0, len(rows), _SIDE_BY_SIDE):
        columns = st.columns(_SIDE_BY_SIDE, gap="medium")
        for column, row in zip(columns, rows[start : start + _SIDE_BY_SIDE], strict=False):
            own, each = likeliest.of(result.tables["likeliest"], victim, row.secret), 1 / values[row.secret]
            with column:
                panels.figure(
                    likeliest.figure(own, row, each, told=told),
                    own,
                    f"likeliest-{row.secret}",
                    likeliest.sentence(row, each, told=told),
                    title=reconstruction.called(row.secret),
                )


def _by_victim(result: Result) -> dict[int, list[Any]]:
    """Return the guesses at each victim whose likeliest values are kept."""
    kept = {int(victim) for victim in result.tables["likeliest"]["victim"]}
    found: dict[int, list[Any]] = {}
    for row in records(result.tables["guesses"]):
        if row.victim in kept:
            found.setdefault(int(row.victim), []).append(row)
    return dict(sorted(found.items()))


def _choose(guesses: dict[int, list[Any]]) -> tuple[int, bool]:
    victims = list(guesses)
    if st.session_state.get(_CHOSEN) not in victims:
        st.session_state.pop(_CHOSEN, None)

    def draw() -> None:
        others = [victim for victim in victims if victim != st.session_state.get(_CHOSEN)]
        st.session_state[_CHOSEN] = random.choice(others or victims)

    with st.container(horizontal=True, vertical_alignment="bottom", key="choose-victim"):
        told = st.toggle("Show the truth", value=True, key="told", help="Off: the room may guess first.")
        victim = st.selectbox(
            "Victim",
            victims,
            key=_CHOSEN,
            bind="query-params",
            width=280,
            format_func=lambda number: f"{number + 1}" + (f": {likeliest.verdict(guesses[number])}" if told else ""),
        )
        st.button("Draw another", icon=":material/casino:", on_click=draw, key="draw-victim")
    return victim, told


def _text(result: Result, experiment: Experiment, rows: Sequence[Any], *, told: bool) -> None:
    guesses = result.tables["guesses"]
    text = victim_texts.of(experiment, guesses).get(int(rows[0].row))
    if text is None:
        st.caption(victim_texts.ABSENT)
        return
    st.markdown(f"## {_marked(text, victim_texts.segments(experiment, guesses), rows, told=told)}")
    if len(rows) > reconstruction.MOST_APART:
        if told:
            st.markdown(_COLOURS)
        return
    meaning = "Marked: " + ", ".join(
        f":{_colour(row, told=told)}-background[{reconstruction.called(row.secret).lower()}]" for row in rows
    )
    made_up = " The number is made up." if experiment.dataset.card.synthetic else ""
    st.markdown(f"{meaning}. {_COLOURS}{made_up}" if told else f"{meaning}.{made_up}")


def _marked(text: str, segments: Sequence[Any], rows: Sequence[Any], *, told: bool) -> str:
    """Return a text without its spaces, its secret parts marked, and masked where the truth is not to be told."""
    plain, at, said = text.replace(" ", ""), 0, []
    by_name = {row.secret: row for row in rows}
    for segment in sorted(segments, key=lambda one: one.start):
        if segment.name not in by_name:
            continue
        secret = literal(plain[segment.start : segment.stop]) if told else _HIDDEN * (segment.stop - segment.start)
        said.append(literal(plain[at : segment.start]))
        said.append(f":{_colour(by_name[segment.name], told=told)}-background[{secret}]")
        at = segment.stop
    return " ".join(filter(None, [*said, literal(plain[at:])]))


def _colour(row: Any, *, told: bool) -> str:
    return "gray" if not told else "orange" if row.rank == 1 else "blue"
