"""The controls that take a prediction: a slider, options, a point on a chart, or a verdict on each item."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from core.result import Result
from core.statistics.wording.naming import capitalised
from core.statistics.wording.units import in_percent
from dashboard.kit import glossary, panels, stored_results
from dashboard.kit.examples import window_texts
from dashboard.kit.figures.tables import records
from dashboard.kit.words import literal, minus
from dashboard.room.rooms_file import Value
from dashboard.topics.lessons import evidence
from dashboard.topics.lessons.figures import answers, contest, missing
from dashboard.topics.lessons.lesson import Adversary, Choice, Number, Point, Prediction

IN, OUT = "In", "Not in"
NO_TEXTS = "The texts of these items are not on this machine."


Known = Callable[[Point, float | None, str], None]
"""Draws the known points of a chart with a point missing, and one's own prediction of that, under a name."""


def with_plotly(prediction: Point, own_value: float | None, name: str) -> None:
    """Draw the known points as a chart with its table."""
    rows = answers.table(evidence.estimates(prediction.measured))
    data = rows, prediction, () if own_value is None else (own_value,), False
    known = rows[rows["name"] != prediction.tick]
    panels.figure(missing.figure(*data), known, f"{name}-known", missing.sentence(*data), title=missing.TITLE)


def ask(prediction: Prediction, key: str, draw_known: Known = with_plotly) -> Value | None:
    """Draw the control; return the prediction, or None while it is not complete.

    Args:
        prediction: What is predicted.
        key: Name of the widgets.
        draw_known: Draws the points that are not missing.
    """
    match prediction:
        case Number():
            return _slider(prediction, key)
        case Point():
            chart = st.container()
            value = _slider(prediction, key)
            with chart:
                draw_known(prediction, value, key)
            return value
        case Choice():
            return _choice(prediction, key)
        case Adversary():
            return _verdicts(prediction, key)


def chosen(prediction: Prediction, key: str) -> Value | None:
    """Return the current value of the control, for a callback: the run that drew it may be one change behind."""
    match prediction:
        case Number() | Point():
            return _moved(prediction, key)
        case Choice():
            option: str | None = st.session_state[f"{key}.choice"]
            return option
        case Adversary():
            decisions = [st.session_state.get(f"{key}.item.{number}") for number in range(len(game(prediction)[1]))]
            return None if None in decisions else tuple(decision == IN for decision in decisions)


def fits(prediction: Prediction, value: Value) -> bool:
    """Tell whether a value answers the question of a step."""
    match prediction:
        case Choice():
            return value in prediction.measured
        case Adversary():
            return isinstance(value, tuple) and len(value) == len(game(prediction)[1])
        case _:
            return isinstance(value, float) and prediction.low <= value <= prediction.high


def texts(prediction: Adversary) -> list[str]:
    """Return the items as Markdown; an empty list if their texts are not on this machine.

    Raises:
        Missing: The game is not stored.
    """
    result, items = game(prediction)
    known = window_texts.read(evidence.entry(prediction.result).experiment, result.tables["shown"])
    return [f"… {known[row.example].markdown} …" for row in records(items) if row.example in known]


def numbered(prediction: Adversary) -> list[str]:
    """Return the items with their numbers, as Markdown, and with what the model answers where it may be asked.

    Raises:
        Missing: The game is not stored.
    """
    items = texts(prediction)
    rows = records(game(prediction)[1]) if items else []
    hints = [f" :gray[the model says {literal(minus(f'{row.observed:.2f}'))}]" for row in rows]
    return [
        f"{number}\\. {text}{hint if prediction.queries else ''}"
        for number, (text, hint) in enumerate(zip(items, hints, strict=True), start=1)
    ]


def game(prediction: Adversary) -> tuple[Result, pd.DataFrame]:
    """Return the stored game and its items.

    Raises:
        Missing: It is not stored.
    """
    result = stored_results.load(evidence.entry(prediction.result).key)
    if result is None:
        raise evidence.Missing(prediction.result)
    return result, contest.items(result.tables["shown"], prediction.model)


def _decimals(step: float) -> int:
    """Return how many decimals tell one value of a slider from the next.

    >>> _decimals(1), _decimals(0.5), _decimals(0.01)
    (0, 1, 2)
    """
    return 0 if step >= 1 else 1 if step >= 0.1 else 2


def _slider(prediction: Number | Point, key: str) -> float | None:
    figure, slider = evidence.estimate(prediction.answer), f"{key}.slider"
    low, high = prediction.low, prediction.high
    number = f"%.{_decimals(prediction.step)}f {evidence.unit(figure)}"
    if slider not in st.session_state:  # the slider is drawn anew
        st.session_state.pop(_touched(key), None)
    st.slider(
        literal(prediction.label),
        low,
        high,
        _middle(prediction),
        prediction.step,
        format="percent" if in_percent(figure.unit) else number.rstrip(),
        key=slider,
        on_change=_touch,
        args=(key,),
        help=glossary.explained(prediction.label),
    )
    value = _moved(prediction, key)
    if value is None:
        panels.note("Move the slider to predict: its starting value does not count.")
    return value


def _moved(prediction: Number | Point, key: str) -> float | None:
    """Return the value of a slider; None before it is moved, so that its starting value does not count."""
    value = float(st.session_state[f"{key}.slider"])
    return value if value != _middle(prediction) or st.session_state.get(_touched(key)) else None


def _touch(key: str) -> None:
    st.session_state[_touched(key)] = True


def _touched(key: str) -> str:
    return f"{key}.touched"


def _middle(prediction: Number | Point) -> float:
    return (prediction.low + prediction.high) / 2


def _choice(prediction: Choice, key: str) -> str | None:
    options = list(prediction.measured)
    terms = glossary.explained(" ".join([prediction.label, *options]))
    label, names = literal(prediction.label), {option: literal(capitalised(option)) for option in options}
    chosen: str | None = st.radio(label, options, None, names.__getitem__, key=f"{key}.choice", help=terms)
    return chosen


def _verdicts(prediction: Adversary, key: str) -> tuple[bool, ...] | None:
    items = numbered(prediction)
    if not items:
        st.info(NO_TEXTS, icon=":material/info:")
        return None
    st.markdown(f"**{literal(prediction.label)}**")
    decisions = [
        st.radio(item, (IN, OUT), None, key=f"{key}.item.{number}", horizontal=True)
        for number, item in enumerate(items)
    ]
    if None in decisions:
        answered = len(decisions) - decisions.count(None)
        panels.note(f"{answered} of {len(decisions)} answered. Your prediction can be locked once all are.")
        return None
    return tuple(decision == IN for decision in decisions)
