"""How the attacks come to their scores, in words, and how well the models learnt."""

import streamlit as st

from core.result import Result
from dashboard.kit import glossary, panels
from dashboard.kit.words import literal

LOSSES = (
    "The model is asked for the probability of each word of a text. Texts that it was trained on are likelier to it, "
    "and so are texts that are easy to predict. The attack therefore compares with reference models, which are "
    "trained on other documents of the same kind: what only this model finds likely, it has seen. The words of a "
    "person’s documents are put together. Who scores higher than 95% of equally large sets of the adversary’s own "
    "documents is called a member: the others stay below."
)
RATIOS = (
    "The adversary trains shadow models as the trainer does, half of them with each target. They show how likely the "
    "target’s texts are to models with them and to models without them; the likelihood ratio says which of the two "
    "the target model resembles. The offline variant and RMIA look at models without the target only, so that one pool "
    "serves targets that nobody thought of; RMIA asks in how many comparisons with outside documents the target "
    "stands out."
)


def show(result: Result, text: str) -> None:
    """Say how the attack works, and show the perplexities of the target models."""
    st.header("How it works", anchor=False)
    st.markdown(literal(text), help=glossary.explained(text))
    names = {"perplexity_train": "Perplexity, training documents", "perplexity_test": "Perplexity, other documents"}
    panels.estimates(result, {name: title for name, title in names.items() if name in result.estimates})
