"""Training of the translators; results of the methods over it, for groups of pairs, and at low false-positive rates."""

from functools import partial
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from core.experiment import Experiment
from core.result import Result
from core.statistics.wording.naming import lowered
from dashboard.kit import chart, choices, panels
from dashboard.kit.examples.figures import roc as example_roc
from dashboard.kit.figures import roc as curves
from dashboard.kit.words import literal
from dashboard.topics.translation.figures import conclusions, methods, quality, training
from dashboard.topics.translation.figures import course as by_epoch
from dashboard.topics.translation.figures import groups as pair_groups

_COURSE, _GROUPS = "view.course", "view.groups"


def folded(result: Result) -> None:
    """Offer the leak and the quality of the translations by epoch, where the result has them."""
    if not result.tables["course"].empty:
        panels.folded("Leak and quality during training", partial(_by_epoch, result), icon=":material/timeline:")


@st.fragment
def _by_epoch(result: Result) -> None:
    """Draw the leak beside the quality of the translations, by epoch."""
    course = result.tables["course"]
    measure: by_epoch.Measure = choices.few("Measure", by_epoch.MEASURES, _COURSE, default="auc")
    left, right = st.columns(2, gap="large")
    with left:
        is_curve = course["passes"].nunique() > 1
        chart.show(by_epoch, course, "course", measure, is_curve=is_curve)
        if is_curve and measure != "group_auc":
            st.caption(
                "Grey bars: 95% of the values under chance. Untrained translators are the control; only their subwords "
                "are learnt from the pairs."
            )
    with right:
        table = result.tables["quality"]
        is_curve = table["passes"].nunique() > 1
        chart.show(quality, table, "quality", drawn=quality.means(table, result.tables["bleu"]), is_curve=is_curve)
        if is_curve:
            st.caption(
                "Lines: means over subcorpora, without watermarks; bands: from the lowest subcorpus to the highest."
            )


@st.fragment
def groups(result: Result) -> None:
    """Draw the results for groups of pairs."""
    table = pair_groups.with_single_pairs(result.tables["groups"], result.tables["methods"])
    if table.empty:
        return
    st.subheader(pair_groups.TITLE, anchor=False)
    measure: pair_groups.Measure = choices.few("Measure", pair_groups.MEASURES, _GROUPS, default="accuracy")
    chart.show(pair_groups, table, "groups", measure, title="")
    st.caption(literal(pair_groups.remark(table, measure)))


def roc(result: Result) -> None:
    """Draw the ROC curves."""
    rates, accuracy = methods.keyed(result.tables["roc"]), result.estimates.get("accuracy")
    nonmembers, series = accuracy.nonmembers if accuracy else 0, methods.drawn(rates)
    couples = int(result.experiment["game"]["couples"])
    endings = methods.endings(rates)
    keyed = example_roc.settled(rates, result.estimates, couples, nonmembers // couples, endings)
    drawn = example_roc.figure(keyed, nonmembers, series)
    undrawn = curves.undrawn({lowered(curve.name): curve.of(keyed) for curve in series}, nonmembers)
    sentence = " ".join(filter(None, (conclusions.few_alarms(result.tables["methods"]), undrawn)))
    table = keyed[result.tables["roc"].columns]
    panels.figure(drawn, table, "roc", sentence, title=curves.TITLE)


def trained(result: Result) -> None:
    """Offer the training of all translators."""
    table = result.tables["training"]
    draw = partial(chart.show, training, table, "training", is_curve=table["passes"].nunique() > 1)
    panels.folded("Training of the translators", draw, icon=":material/model_training:")


def live(rows: list[dict[str, Any]], experiment: Experiment) -> go.Figure:
    """Draw the epochs of a run in progress."""
    return training.figure(training.growing(rows))
