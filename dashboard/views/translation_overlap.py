"""Translation membership: which sentence pairs a translator was trained on."""

from functools import partial

import streamlit as st

from dashboard.kit import attack_page, panels, tabs
from dashboard.topics.translation import adversaries, answer, classifiers, course, example, regimes

ICON = ":material/translate:"
ORDER = 15
QUESTION = "Was it in there?"

result, experiment = attack_page.opened("translation_overlap", course.live)


def answers() -> None:
    """Draw what one pair reveals, then what many reveal together."""
    answer.show(result, experiment)
    st.header("From one pair to many", anchor=False)
    panels.side_by_side(partial(course.groups, result), partial(course.roc, result))
    answer.conclude(result, experiment)


def how() -> None:
    """Draw one pair with its translations, the split of all pairs, and, folded away, the training."""
    example.show(result, experiment)
    example.split(result)
    course.folded(result)
    course.trained(result)


def paper() -> None:
    """Draw the tables of the paper, then other experiments."""
    classifiers.show(result)
    classifiers.folded(result)
    regimes.show(result, experiment)


tabs.show(answers, how, defenses=adversaries.tab(experiment), paper=paper)
