"""How the attacks compute their scores, in words, and how well the target models learned."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.games.membership.broken_split import is_broken
from core.result import Result
from dashboard.kit import panels

LOSSES = (
    "The adversary queries the model for the probability of each word of a text. The model finds texts that it was "
    "trained on likelier, but also texts that are easy to predict. The attack therefore compares with reference "
    "models, trained on {others}: what only this model finds likely, it was probably trained "
    "on. The words of a person’s documents are put together. The decision is “member” if the score is higher than that "
    "of 95% of equally large sets of the adversary’s own documents; where their owners are known, than that of 95% of "
    "people, which a few of them tell on average, and not each time."
)
RATIOS = (
    "The adversary trains shadow models as the trainer does, half of them with each target. They show how likely the "
    "target’s texts are to models with them and to models without them; the likelihood ratio says which of the two "
    "the target model resembles. The offline variant and RMIA use only models without the target, so one pool also "
    "serves targets that were unknown when it was trained. RMIA counts the comparisons with outside documents in which "
    "the target stands out; where their owners are known, it asks whether it stands out more than 95% of people would."
)


_BROKEN = (
    "In this split the members are the older documents, and all that the adversary has besides the targets are newer: "
    "what stands out beside them may be old, and no member."
)


def show(result: Result, text: str) -> None:
    """Say how the attack works, and show the perplexities of the target models.

    Args:
        result: Of the attack.
        text: How it works; ``{others}`` stands for what its reference models are trained on.
    """
    st.header("How it works", anchor=False)
    panels.statement(_told(result.experiment, text))
    names = {"perplexity_train": "Perplexity, training documents", "perplexity_test": "Perplexity, other documents"}
    panels.estimates(result, {name: title for name, title in names.items() if name in result.estimates})


def _told(experiment: Mapping[str, Any], text: str) -> str:
    """Return how an attack works in the setting of an experiment."""
    if experiment["attack"].get("shadow_data") is not None:
        return text.format(others="documents of a dataset of its own")
    if is_broken(experiment["game"]):
        return f"{text.format(others='other documents')} {_BROKEN}"
    return text.format(others="other documents of the same kind")
