"""What the attack says of each user and each target model, and the scores behind it."""

import streamlit as st

from core.result import Result
from dashboard import panels
from dashboard.charts import verdicts
from dashboard.sections import decisions


def show(result: Result) -> None:
    """Draw the verdicts beside the truth, and the scores and the ROC next to them."""
    rows = verdicts.of(result.tables["verdicts"], result.tables["targets"])
    st.header("Whom it accuses", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        panels.figure(verdicts.figure(rows), rows, "verdicts", verdicts.sentence(rows), title="User by user")
    with right:
        decisions.scored(result)
        decisions.traded(result)
