"""Accuracy of keyword inference by keyword and classifier, with the paper's values."""

from collections.abc import Mapping
from typing import Any, cast

import pandas as pd
import plotly.graph_objects as go

from core.datasets import Dataset
from core.registry import part
from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import counted, lowered
from dashboard.kit.figures import adversaries, encoders, learning, shares, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once

MEAN = "Mean of all"
KNOWLEDGE = {"white_box": "With texts of the same kind", "black_box": "With public texts only"}
"""What the adversary has beside the embeddings: this paper’s white and black box differ in nothing else."""
SAYS = {
    "white_box": "The adversary has auxiliary texts of the victims’ kind, which the paper calls its white box.",
    "black_box": "The adversary has only public texts of another kind, and the victims’ embeddings: the paper’s black "
    "box.",
}
_EMPTY = "The result has no keyword."
_MOST_NAMED = 3
"""Words of equal accuracy that a sentence names."""
_MEDICAL, _RESTAURANTS = "120,000 records of medical procedures", "2,000 sentences about restaurants"
_STATED = {
    "medical": {
        "white_box": f"Figure 6(f), BERT: over 99%. There: {_MEDICAL}, one in eleven the adversary’s",
        "black_box": f"Figure 6(f), BERT: over 75% on average. There: {_MEDICAL}, and {_RESTAURANTS}",
    },
    "airline": {
        "white_box": "Figure 6(b), GPT and GPT-2: over 95% on average. There: 4,685 airline reviews, one in eleven the "
        "adversary’s",
        "black_box": "Figure 6(b), GPT and GPT-2: over 75% on average. There: 4,685 airline reviews, and "
        f"{_RESTAURANTS}",
    },
}
"""Text of the paper by task and knowledge."""
TASKS = {"skytrax": "airline", "mtsamples": "medical", "cms_procedures": "medical"}
"""Task of the paper by dataset."""


@once
def bars(inferred: pd.DataFrame, experiment: Mapping[str, Any]) -> pd.DataFrame:
    """Return the bars of the mean and of each keyword."""
    rows = []
    for row in records(pd.concat([inferred[inferred["values"] == 0], inferred[inferred["values"] > 0]])):
        group = MEAN if row.values == 0 else row.secret
        rows.append(shares.bar(group, adversaries.name(row.variant, row.adversary, experiment), row))
    return shares.table(rows)


@once
def figure(
    inferred: pd.DataFrame, experiment: Mapping[str, Any], x: str = theme.ACCURACY, share: str = "right"
) -> go.Figure:
    """Draw the attack as bars, the other classifiers as points below; ``x`` is the title of the horizontal axis."""
    looks, classifiers = {}, []
    for row in records(inferred.drop_duplicates(["variant", "adversary"])):
        name = adversaries.name(row.variant, row.adversary, experiment)
        if row.variant != experiment["attack"]["part"]:
            if row.adversary == "naive":
                continue
            classifiers.append(name)
        looks[name] = adversaries.mark(row.variant, row.adversary, experiment)
    table = bars(inferred, experiment)
    return shares.figure(table, looks, x, points=classifiers, full_axis=True, share=share, empty=_EMPTY)


@once
def sentence(inferred: pd.DataFrame, experiment: Mapping[str, Any]) -> str:
    """Read the bars aloud: the mean, the keywords with the highest and lowest accuracy, and other classifiers."""
    mean, words = adversaries.mean(inferred, experiment), adversaries.attack_rows(inferred, experiment)
    words = words[words["values"] > 0]
    if mean is None or words.empty:
        return _EMPTY
    text = (
        "The attack infers whether a text has the word with an accuracy of "
        f"{measured_in(mean, 'accuracy', named=True)}, where chance is {percent(mean.chance)}"
    )
    if len(words) > 1:
        highest, lowest = words["accuracy"].max(), words["accuracy"].min()
        if highest == lowest:
            text += f"; it is the same for each of the {len(words)} words"
        else:
            text += f"; it is highest for {named_at(words, highest)} and lowest for {named_at(words, lowest)}"
    unproven = [f"“{row.secret}”" for row in records(words) if not row.low > row.chance]
    if len(unproven) == len(words):
        text += ". No interval lies above chance: no leak is shown"
    elif unproven:
        text += f". For {joined(unproven)} the interval does not lie above chance"
    return " ".join(filter(None, (f"{text}.", _naive(inferred, experiment), other_classifiers(inferred, experiment))))


def unpaired(knowledge: str, *, missing: bool) -> str:
    """Say why the attack with other knowledge is not shown beside; ``missing`` tells whether the catalog has it."""
    lack = "is not computed yet" if missing else "is not among the precomputed results"
    return f"The attack on the same victims and encoder {lowered(KNOWLEDGE[knowledge])} {lack}."


@once
def over_epochs(attack: pd.DataFrame, moving: pd.DataFrame | None, *, absent: bool) -> str:
    """Read the accuracy over epochs aloud: that of the DANN, where it changes with each, else that of the attack.

    Args:
        attack: The points of the attack's own classifier.
        moving: Those of the DANN; None where it was not trained.
        absent: Whether no victim has the words.
    """
    text = learning.moves(moving) if moving is not None else ""
    text = text or learning.growth("The attack is right", attack)
    return f"{text} Here the answer “absent” is always correct." if absent else text


def paper(experiment: Mapping[str, Any]) -> str:
    """Return the paper's text on the same task and the differences; empty without such a text."""
    dataset, attack = str(experiment["dataset"]["part"]), experiment["attack"]
    if dataset not in TASKS or experiment.get("defenses"):
        return ""
    white = attack["knowledge"] == "white_box"
    share = f", {percent(experiment['game']['shadow_share'])} of the texts are the adversary’s" if white else ""
    return (
        f"Pan et al. 2020, section VI-D on {_STATED[TASKS[dataset]][attack['knowledge']]}; ten words of its own; no "
        f"intervals. Here: {encoders.name(experiment['model'])}, other words{share}. "
        f"{cast(type[Dataset], part('dataset', dataset)).card.summary}"
    )


@once
def behind(inferred: pd.DataFrame) -> str:
    """Return the number of victims per keyword, half of them with it."""
    counts = [int(count) for count in inferred.loc[inferred["values"] > 0, "victims"]]
    if not counts:
        return ""
    few, many = min(counts), max(counts)
    number = counted(few, "victim") if few == many else f"{few:,} to {counted(many, 'victim')}"
    return f"{number} per keyword, half of them with it."


@once
def named_at(words: pd.DataFrame, accuracy: float) -> str:
    """Name the words with an accuracy in the order of the table, or how many they are and the first."""
    secrets = [f"“{row.secret}”" for row in records(words[words["accuracy"] == accuracy])]
    named = joined(secrets) if len(secrets) <= _MOST_NAMED else f"{len(secrets)} words, such as {secrets[0]}"
    return f"{named} ({percent(accuracy)})"


def _naive(inferred: pd.DataFrame, experiment: Mapping[str, Any]) -> str:
    naive = adversaries.mean(inferred, experiment, "naive")
    if naive is None:
        return ""
    return f"The naive adversary reaches {measured_in(naive, 'accuracy')}."


@once
def other_classifiers(inferred: pd.DataFrame, experiment: Mapping[str, Any]) -> str:
    """Read the mean of each other classifier aloud; empty without any."""
    other = inferred[
        (inferred["variant"] != experiment["attack"]["part"])
        & (inferred["adversary"] == "adaptive")
        & (inferred["values"] == 0)
    ]
    accuracies = [f"{adversaries.classifier_name(row.variant)} {percent(row.accuracy)}" for row in records(other)]
    return f"Other classifiers: {joined(accuracies)}." if accuracies else ""
