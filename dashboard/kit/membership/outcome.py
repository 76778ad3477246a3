"""Accuracy and AUC of the attack for each target size beside baselines, and against the number of shadow models."""

from typing import Any

import plotly.graph_objects as go
import streamlit as st

from core.experiment import Experiment
from core.games.membership.broken_split import is_broken
from core.result import Result
from core.statistics import ties
from dashboard.kit import glossary, panels
from dashboard.kit.membership.figures import blind_baseline, curve, headline, shadows, sizes

_NO_MEMORY = (
    "What exceeds the text alone shows no memory either: a model that was trained on older documents tends to find "
    "older ones likelier, also those that it never saw, and one that was trained on newer ones newer ones."
)
COPIES = (
    "Near copies are kept: what lies among the documents of those who are in may lie among those of others, too, as a "
    "message does that was forwarded, so that both look alike."
)
_COLUMNS = ["variant", "size", "shadows", "accuracy", "low", "high", "auc", "auc_low", "auc_high"]


def show(result: Result, *, paper: bool = False) -> None:
    """Draw the headline, and the curve where the attack ran with several numbers of shadow models.

    Args:
        result: Of the attack.
        paper: Whether the curve of the paper's Figure 3 is drawn beside.
    """
    attack, points = result.experiment["attack"]["part"], result.tables["curve"]
    table = headline.outcomes(points, attack)[_COLUMNS]
    if is_broken(result.experiment["game"]):
        _beside_the_text(result)
        return
    st.header("What leaked", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        free = result.estimates.get("accuracy_model_free")
        split = None if free is None else (free.low, free.high)
        text = headline.sentence(points, attack, split, result.tables["scores"])
        panels.figure(headline.figure(points, attack), table, "accuracy", text, title="Accuracy")
    with right:
        text = headline.auc_sentence(points, attack, ties.sizes(result.tables["scores"]))
        panels.figure(headline.figure(points, attack, "auc"), table, "auc", text, title="AUC")
    if text := shadows.sentence(result.experiment, result.tables["targets"]):
        st.caption(text, help=glossary.explained(text))
    if getattr(Experiment.parse(result.experiment).dataset, "near_copies", "") == "kept":
        st.caption(COPIES, help=glossary.explained(COPIES))
    by_shadows = curve.points(points, attack)
    if by_shadows["shadows"].nunique() > 1:
        figure, text = curve.figure(points, attack, paper=paper), curve.sentence(points, attack)
        panels.figure(figure, by_shadows[_COLUMNS], "shadows", text, title=curve.TITLE)


def _beside_the_text(result: Result) -> None:
    """Draw every adversary beside the text alone, which is what to exceed where the split gives members away."""
    attack, points = result.experiment["attack"]["part"], result.tables["curve"]
    table = headline.outcomes(points, attack)[_COLUMNS]
    st.header("What the split gives away", anchor=False)
    titles: dict[headline.Measure, str] = {"accuracy": "Accuracy", "auc": "AUC"}
    for column, (measure, title) in zip(st.columns(2, gap="large"), titles.items(), strict=True):
        with column:
            level = blind_baseline.LEVEL, blind_baseline.level(points, attack, measure)
            figure, text = (
                headline.figure(points, attack, measure, level),
                blind_baseline.sentence(points, attack, measure),
            )
            panels.figure(figure, table, measure, text, title=title)
    panels.note(" ".join(filter(None, (blind_baseline.found(result.estimates, attack), _NO_MEMORY))))


def by_size(result: Result) -> None:
    """Draw accuracy against the size of a target, where there are several sizes."""
    attack, points = result.experiment["attack"]["part"], result.tables["curve"]
    if len(curve.final(points, attack)) > 1:
        lines, text = sizes.lines(points, attack), sizes.sentence(points, attack)
        panels.figure(sizes.figure(lines), sizes.table(lines), "sizes", text, title=sizes.TITLE)


def live(rows: list[dict[str, Any]], experiment: Experiment) -> go.Figure:
    """Draw the curve of a run in progress, of an attack that trains shadow models."""
    attack = experiment.as_dict()["attack"]
    return curve.figure(curve.growing(rows), attack["part"], expected=attack["shadow_pairs"])
