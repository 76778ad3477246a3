"""One victim's text and what was inferred from its embedding, segment by segment."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard.kit import panels
from dashboard.kit.figures import adversaries
from dashboard.kit.figures.tables import records
from dashboard.kit.texts import victim_choice, victim_texts
from dashboard.kit.words import literal
from dashboard.topics.patterns.figures import letters, likeliest

_SIDE_BY_SIDE = 3
_HIDDEN = "•"
_COLOURS = "Orange: predicted correctly. Blue: predicted wrongly."


@st.fragment
def show(result: Result, experiment: Experiment) -> None:
    """Draw the likeliest values of each segment of the chosen victim beside its text."""
    guesses = _by_victim(result)
    if not guesses:
        return
    st.header("One victim", anchor=False)
    victim, reveal = _choose(guesses)
    rows = guesses[victim]
    _text(result, experiment, rows, reveal=reveal)
    if len(rows) > adversaries.MOST_APART:
        figure, text = letters.figure(rows, reveal=reveal), letters.sentence(rows, reveal=reveal)
        panels.figure(figure, letters.table(rows), "letters", text, title=letters.TITLE)
    else:
        _segments(result, victim, rows, reveal=reveal)


def _segments(result: Result, victim: int, rows: Sequence[Any], *, reveal: bool) -> None:
    inferred = result.tables["inferred"]
    values = dict(zip(inferred["secret"], inferred["values"], strict=True))
    for start in range(0, len(rows), _SIDE_BY_SIDE):
        columns = st.columns(_SIDE_BY_SIDE, gap="medium")
        for column, row in zip(columns, rows[start : start + _SIDE_BY_SIDE], strict=False):
            ranked, chance = likeliest.of(result.tables["likeliest"], victim, row.secret), 1 / values[row.secret]
            with column:
                panels.figure(
                    likeliest.figure(ranked, row, chance, reveal=reveal),
                    ranked,
                    f"likeliest-{row.secret}",
                    likeliest.sentence(row, chance, reveal=reveal),
                    title=adversaries.secret_name(row.secret),
                )


def _by_victim(result: Result) -> dict[int, list[Any]]:
    """Return the guesses at each victim whose likeliest values are stored."""
    stored = {int(victim) for victim in result.tables["likeliest"]["victim"]}
    guesses: dict[int, list[Any]] = {}
    for row in records(result.tables["guesses"]):
        if row.victim in stored:
            guesses.setdefault(int(row.victim), []).append(row)
    return dict(sorted(guesses.items()))


def _choose(guesses: dict[int, list[Any]]) -> tuple[int, bool]:
    with st.container(horizontal=True, vertical_alignment="bottom", key="choose-victim"):
        reveal = st.toggle("Show the truth", value=True, key="told", help="Off: the audience may guess first.")
        verdicts = {number: f": {likeliest.verdict(rows)}" if reveal else "" for number, rows in guesses.items()}
        victim = victim_choice.choose({number: f"{number + 1}{verdict}" for number, verdict in verdicts.items()})
        victim_choice.draw_another(list(guesses))
    return victim, reveal


def _text(result: Result, experiment: Experiment, rows: Sequence[Any], *, reveal: bool) -> None:
    guesses = result.tables["guesses"]
    text = victim_texts.of(experiment, guesses).get(int(rows[0].row))
    if text is None:
        st.caption(victim_texts.ABSENT)
        return
    st.markdown(f"## {_marked(text, victim_texts.segments(experiment, guesses), rows, reveal=reveal)}")
    if len(rows) > adversaries.MOST_APART:
        if reveal:
            st.markdown(_COLOURS)
        return
    names = [f":{_colour(row, reveal)}-background[{adversaries.secret_name(row.secret).lower()}]" for row in rows]
    synthetic = "The number is synthetic." if experiment.dataset.card.synthetic else ""
    st.markdown(" ".join(filter(None, (f"Marked: {', '.join(names)}.", _COLOURS if reveal else "", synthetic))))


def _marked(text: str, segments: Sequence[Any], rows: Sequence[Any], *, reveal: bool) -> str:
    """Return a text without its spaces, its secret parts marked, and masked unless they are revealed."""
    plain, end, parts = text.replace(" ", ""), 0, []
    by_name = {row.secret: row for row in rows}
    for segment in sorted(segments, key=lambda segment: segment.start):
        if segment.name not in by_name:
            continue
        secret = literal(plain[segment.start : segment.stop]) if reveal else _HIDDEN * (segment.stop - segment.start)
        parts.append(literal(plain[end : segment.start]))
        parts.append(f":{_colour(by_name[segment.name], reveal)}-background[{secret}]")
        end = segment.stop
    return " ".join(filter(None, [*parts, literal(plain[end:])]))


def _colour(row: Any, reveal: bool) -> str:
    return "gray" if not reveal else "orange" if row.rank == 1 else "blue"
