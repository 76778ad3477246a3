"""The predictions of a room as a small drawing, beside the measured values once they are revealed."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.statistics.wording.naming import capitalised
from dashboard.kit import glossary
from dashboard.kit.words import literal
from dashboard.room.rooms_file import Value
from dashboard.topics.lessons import asking, caveats, evidence, small_drawing
from dashboard.topics.lessons.figures import answers, contest, crowd, missing, stacks
from dashboard.topics.lessons.figures import known as known_points
from dashboard.topics.lessons.lesson import Adversary, Choice, Number, Point, Prediction


def show(
    prediction: Prediction, predictions: Sequence[Value], own_value: Value | None, name: str, *, is_shown: bool
) -> None:
    """Draw the predictions.

    Args:
        prediction: What is predicted.
        predictions: Those of the room.
        own_value: The viewer's own prediction.
        name: Name of the picture.
        is_shown: Whether measured values are shown, too.
    """
    drawn = _drawn(prediction, predictions, own_value, is_shown)
    if drawn is None:
        return
    picture, sentence = drawn
    small_drawing.show(picture, f"{name}.dots")
    with st.container(gap=None):
        st.markdown(literal(sentence), help=glossary.explained(sentence))
        if is_shown:
            caveats.briefly(prediction)


def question(prediction: Prediction, name: str) -> None:
    """Show what a question points at, without its answer: known points, options, or items to read.

    Args:
        prediction: What is predicted.
        name: Name of the picture.
    """
    match prediction:
        case Point():
            with st.container(key="known"):
                _known(prediction, None, name)
        case Choice():
            st.markdown("\n".join(f"- {literal(capitalised(option))}" for option in prediction.measured))
        case Adversary():
            items = asking.numbered(prediction)
            with st.container(gap="xsmall", key="items"):
                st.markdown("  \n".join(items) if items else asking.NO_TEXTS)
        case Number():
            pass


def known(prediction: Point, own_value: float | None, name: str) -> None:
    """Draw the known points of a chart with a point missing, and one's own prediction of that; read them aloud."""
    sentence = _known(prediction, own_value, name)
    st.markdown(literal(sentence), help=glossary.explained(sentence))


def _known(prediction: Point, own_value: float | None, name: str) -> str:
    """Draw the known points; return the sentence that reads them aloud, which is the label of the drawing, too."""
    rows = answers.table(evidence.estimates(prediction.measured))
    own_values = () if own_value is None else (own_value,)
    small_drawing.show(known_points.picture(rows, prediction, own_values), f"{name}.known")
    return missing.sentence(rows, prediction, own_values, False)


def _drawn(
    prediction: Prediction, predictions: Sequence[Any], own_value: Any, is_shown: bool
) -> tuple[str, str] | None:
    """Return the picture and the sentence that reads it aloud, or None for items that are not revealed yet."""
    values = tuple(predictions)
    match prediction:
        case Choice():
            rows = answers.table(evidence.estimates(prediction.measured), prediction.measure)
            chosen = rows, values, own_value, is_shown
            return stacks.bars(*chosen), stacks.bars_sentence(*chosen)
        case Adversary():
            if not is_shown:
                return None
            result, items = asking.game(prediction)
            blind = evidence.estimate(prediction.measured["Text alone"]).value
            roc = result.tables["roc"]
            picture = crowd.picture(roc, items, values, own_value, blind)
            return picture, contest.sentence(roc, items, values, blind, room=True)
        case _:
            name = prediction.row if isinstance(prediction, Number) else prediction.tick
            rows = answers.table({name: evidence.estimate(prediction.answer)})
            picture = stacks.dots(rows, values, prediction.ends, own_value, is_shown)
            return picture, stacks.dots_sentence(rows, values, own_value, is_shown)
