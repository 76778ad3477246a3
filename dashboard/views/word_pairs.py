"""Word pairs: membership inferred from telltale pairs of adjacent words."""

from functools import partial

import streamlit as st

from dashboard.kit import attack_page, tabs
from dashboard.kit.membership import decisions, outcome, targets
from dashboard.topics.word_pairs import comparisons, pairs, path

ICON = ":material/join_inner:"
ORDER = 10
QUESTION = "Was it in there?"

result, experiment = attack_page.opened("word_pairs", outcome.live)


def answer() -> None:
    """Show a pair in its text, how often the attack is right, and its decisions."""
    pairs.example(result, experiment)
    outcome.show(result, paper=comparisons.is_paper(result))
    decisions.show(result)


@st.fragment
def one_target() -> None:
    """Draw the sections about the chosen target; choosing another redraws only them."""
    target = targets.choose(result.tables["targets"])
    pairs.show(result, experiment, target)
    path.show(result, target, targets.size(result.tables["targets"], target))
    pairs.mapped(result, experiment, target)


tabs.show(answer, one_target, paper=partial(comparisons.show, result) if comparisons.exist(result) else None)
