"""What the attack achieved: accuracy and AUC for each target size beside baselines, and how it grew with shadows."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from dashboard import panels, running
from dashboard.charts import curve, headline, sizes

_COLUMNS = ["variant", "size", "shadows", "accuracy", "low", "high", "auc", "auc_low", "auc_high"]


def show(result: Result) -> None:
    """Draw the headline, and the curve where the attack was tried with several numbers of shadow models."""
    attack, points = result.experiment["attack"]["part"], result.tables["curve"]
    table = headline.outcomes(points, attack)[_COLUMNS]
    st.header("What leaked", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        panels.figure(
            headline.figure(points, attack), table, "accuracy", headline.sentence(points, attack), title="Right guesses"
        )
    with right:
        panels.figure(
            headline.figure(points, attack, "auc"), table, "auc", headline.auc_sentence(points, attack), title="Ranking"
        )
    grown = curve.points(points, attack)
    if grown["shadows"].nunique() > 1:
        panels.figure(
            curve.figure(points, attack, paper=is_paper(result)),
            grown[_COLUMNS],
            "shadows",
            curve.sentence(points, attack),
            title=curve.TITLE,
        )


def by_size(result: Result) -> None:
    """Draw accuracy against the size of a target, where there are several sizes."""
    attack, points = result.experiment["attack"]["part"], result.tables["curve"]
    if len(curve.final(points, attack)) > 1:
        drawn = sizes.lines(points, attack)
        panels.figure(
            sizes.figure(drawn), sizes.table(drawn), "sizes", sizes.sentence(points, attack), title=sizes.TITLE
        )


def live(experiment: Experiment) -> running.LiveChart:
    """Return what draws the curve of a run that is going on."""
    attack = experiment.as_dict()["attack"]
    return lambda rows: curve.figure(curve.growing(rows), attack["part"], expected=attack["shadow_pairs"])


def is_paper(result: Result) -> bool:
    """Tell whether data and adversary are those of the paper's Figure 3, so that its figures may stand beside ours."""
    asked = result.experiment
    plain = asked["attack"]["part"] == "word_pairs" and not asked["defenses"] and not asked["attack"].get("shadow_data")
    return plain and str(asked["dataset"]["part"]).startswith("enron")
