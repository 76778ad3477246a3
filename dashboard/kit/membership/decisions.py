"""Scores of the attack with the decision threshold, its ROC curves, and how it ranks one target at a time."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.datasets import Dataset
from core.games.membership.broken_split import is_broken
from core.result import Result
from core.statistics import ties
from dashboard.kit import chart, panels
from dashboard.kit.figures import roc as curves
from dashboard.kit.figures.tables import records
from dashboard.kit.membership.figures import curve, roc, scores, thresholds, within


def show(result: Result, *, curves_above: bool = False) -> None:
    """Draw the scores and the ranking of one target at a time beside the ROC curves, which are as high as both.

    Nothing is drawn of a broken split: each threshold and rate there is one of the split, not of the model. Scores that
    are all equal rank no target.

    Args:
        result: Of a membership attack.
        curves_above: Whether the page has drawn the ROC curves already, above.
    """
    if is_broken(result.experiment["game"]):
        return
    st.header("Scores and decisions", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        scored(result)
    if len(ties.sizes(result.tables["scores"])) < result.tables["scores"]["size"].nunique():
        with right if curves_above else left:
            ranked(result)
    if not curves_above:
        with right:
            traded(result)


def scored(result: Result) -> None:
    """Draw the scores with the decision threshold."""
    decisions, last = result.tables["scores"], curve.final(result.tables["curve"], result.experiment["attack"]["part"])
    ranking = tuple(row.size for row in records(last) if row.auc_low > 0.5)
    text = scores.sentence(decisions, ranking=ranking)
    panels.figure(scores.figure(decisions), decisions, "scores", text, title=scores.TITLE)


def traded(result: Result) -> None:
    """Draw the ROC curves."""
    decisions = result.tables["scores"]
    rates = roc.settled(result.tables["roc"], decisions, result.estimates, "")
    last = curve.final(result.tables["curve"], result.experiment["attack"]["part"])
    areas = {row.size: row.auc for row in records(last)}
    text = roc.sentence(rates, decisions)
    panels.figure(roc.figure(rates, decisions, areas), rates, "roc", text, title=curves.TITLE)


def ranked(result: Result) -> None:
    """Draw the area under the ROC curve within one target, beside that of all targets together."""
    areas = within.points(result.tables["scores"], result.tables["curve"], result.experiment["attack"]["part"])
    chart.show(within, areas, "within_target")
    if sets := result.experiment["attack"].get("known_outs"):
        text = thresholds.sentence(
            result.tables["scores"], result.tables["rivals"], sets, _elsewhere(result.experiment)
        )
        panels.note(text)


def _elsewhere(experiment: Mapping[str, Any]) -> str:
    """Return the title of the adversary's own documents, where they are not of the targets' dataset."""
    own = experiment["attack"].get("shadow_data")
    return Dataset.by_name(own["part"]).title if own and own["part"] != experiment["dataset"]["part"] else ""
