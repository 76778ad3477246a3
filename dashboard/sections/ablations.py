"""What the attack on keywords owes to one quantity at a time, where the catalogue has results of several."""

from collections.abc import Callable

import streamlit as st

from core.errors import TelltaleError
from core.experiment import Experiment
from core.result import Estimate, Result
from dashboard import panels, running
from dashboard.charts import ablation
from dashboard.charts.wording import counted
from dashboard.sections import keyword_settings, related

_TOPICS: dict[str, tuple[ablation.Topic, ...]] = {
    "white_box": ("held",),
    "black_box": ("external", "dimension", "aligned"),
}
_SIDE_BY_SIDE = 2
_NEARLY = 0.98
"""A share of the allowed texts from which on they count as reached: a few of those made of them are equal."""


def show(result: Result, experiment: Experiment) -> None:
    """Draw the accuracy against each quantity of which two numbers or more were tried."""
    topics = _TOPICS[keyword_settings.knowledge(experiment)]
    families = {topic: _family(result, experiment, topic) for topic in topics}
    shown = {topic: family for topic, family in families.items() if len(family[0]) > 1}
    if not shown:
        return
    st.header("What the attack owes to …", anchor=False)
    columns = st.columns(_SIDE_BY_SIDE, gap="large") if len(shown) > 1 else [st.container()]
    for place, (topic, (found, missing)) in enumerate(shown.items()):
        table = ablation.points(
            (
                getattr(other.attack, ablation.FIELDS[topic]),
                _there(topic, other, figures, result),
                figures["accuracy"],
                other == experiment,
            )
            for other, figures in found
        )
        with columns[place % len(columns)]:
            panels.figure(
                ablation.figure(table, topic),
                table,
                f"ablation-{topic}",
                ablation.sentence(table, topic),
                title=ablation.TITLES[topic],
            )
            st.caption(ablation.PAPER[topic])
            if missing:
                st.caption(f"{counted(missing, 'more number')} promised, but not computed here yet.")


Found = list[tuple[Experiment, dict[str, Estimate]]]


def _family(result: Result, asked: Experiment, topic: ablation.Topic) -> tuple[Found, int]:
    """Return the experiments that differ in one field of the attack at most, and how many of the promised are not here.

    What is about the DANN only is told of the DANN, whichever classifier the experiment looked at answers with.
    """
    field, fits = ablation.FIELDS[topic], _answers(topic)
    fields = (field, "classifier") if topic in ablation.OF_DANN else (field,)
    found, missing = [(asked, result.estimates)] if fits(asked) else [], 0
    for other in related.promised(
        asked, lambda other: fits(other) and keyword_settings.differ_only(asked, other, *fields)
    ):
        try:
            figures = running.figures(other.key)
        except TelltaleError:
            figures = {}
        if "accuracy" in figures:
            found.append((other, figures))
        else:
            missing += 1
    return found, missing


def _answers(topic: ablation.Topic) -> Callable[[Experiment], bool]:
    """Return what tells whether an experiment's answers are those of the classifier that a topic is about."""
    if topic not in ablation.OF_DANN:
        return lambda _: True
    return lambda other: other.as_dict()["attack"]["classifier"] == "dann"


def _there(topic: ablation.Topic, other: Experiment, figures: dict[str, Estimate], shown: Result) -> float:
    """Return how many there are of what a topic is about, infinity without an end, NaN where the result does not tell.

    Args:
        topic: What is counted.
        other: The experiment.
        figures: Its figures.
        shown: The result looked at, of the same victims.
    """
    if topic == "dimension":
        return float("inf")
    if topic == "aligned":
        return float(shown.tables["guesses"]["victim"].nunique())
    attack = other.as_dict()["attack"]
    if attack["substitutions"] != 1 or "queries" not in figures:
        return float("nan")
    # Each word makes a text of each; and the text itself, or, where an anchor makes room for words, one more each time.
    words = shown.tables["guesses"]["secret"].nunique()
    anchored = attack["anchor"] and attack["knowledge"] == "black_box"
    started = round(figures["queries"].value / (2 * words if anchored else words + 1))
    return float("inf") if started >= _NEARLY * attack["texts"] else float(started)
