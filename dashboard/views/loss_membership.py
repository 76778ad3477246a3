"""Loss membership: was it in the training text of the language model, by the probability of texts."""

from functools import partial

import streamlit as st

from dashboard.kit import attack_page, tabs
from dashboard.kit.membership import canary_audit, targets
from dashboard.topics.language_models import answer, document, method, paper

ICON = ":material/query_stats:"
ORDER = 13
QUESTION = "Was it in there?"

result, experiment = attack_page.opened("loss_membership")


def how() -> None:
    """Say how it works, and show a document word by word."""
    method.show(result, method.LOSSES)
    one_target()


@st.fragment
def one_target() -> None:
    """Draw the document of the chosen target; choosing another redraws only it."""
    document.show(result, experiment, targets.choose(result.tables["targets"]))


tabs.show(
    partial(answer.show, result, experiment),
    how,
    defenses=partial(canary_audit.show, experiment) if canary_audit.exist(experiment) else None,
    paper=partial(paper.show, experiment, result),
)
