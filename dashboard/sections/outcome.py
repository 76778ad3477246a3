"""What the attack achieved: accuracy and AUC for each target size beside baselines, and how it grew with shadows."""

import streamlit as st

from core.result import Result
from dashboard import panels
from dashboard.charts import curve, headline

_COLUMNS = ["variant", "size", "shadows", "accuracy", "low", "high", "auc", "auc_low", "auc_high"]


def show(result: Result) -> None:
    """Draw the headline and the curve."""
    attack, points = result.experiment["attack"]["part"], result.findings["curve"]
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
    panels.figure(
        curve.figure(points, attack, paper=is_paper(result)),
        curve.points(points, attack)[_COLUMNS],
        "shadows",
        curve.sentence(points, attack),
        title=curve.TITLE,
    )


def is_paper(result: Result) -> bool:
    """Tell whether data and adversary are those of the paper's Figure 3, so that its figures may stand beside ours."""
    asked = result.experiment
    plain = not asked["defenses"] and not asked["attack"].get("shadow_data")
    return plain and str(asked["dataset"]["part"]).startswith("enron")
