"""Accuracy of author inference in several experiments, beside the words and the majority class."""

from collections.abc import Collection, Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.registry import part
from core.result import Result
from dashboard.kit.figures import shares
from dashboard.kit.figures.encoders import name as encoder
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, percent
from dashboard.kit.shared import once
from dashboard.topics.authors.figures import authors, authorship

TITLE = "Other authors"

_TERMS = shares.Terms("accuracy", "chance")

Labelled = Mapping[str, Result]
"""Results by name of the experiment."""


def label(experiment: Mapping[str, Any], title: str, taken: Collection[str] = ()) -> str:
    """Return the name of an experiment, longer where it is taken.

    Args:
        experiment: The experiment as plain values.
        title: Title of its dataset.
        taken: Names of the others.
    """
    attack = experiment["attack"]
    defenses = [part("defense", step["part"]).title for step in experiment.get("defenses", ())]
    dataset = experiment["dataset"]
    several = counted(int(attack["authors"]), *authors.called(dataset))
    name = ", ".join(filter(None, [title, authors.mail(dataset), several, *defenses]))
    if name in taken:
        name = f"{name}, {counted(int(attack['labels']), 'label')}, {encoder(experiment['model'])}"
    return name


@once
def bars(results: Labelled) -> pd.DataFrame:
    """Return the bars of each experiment, for the embedding and for the words."""
    rows = []
    for group, result in results.items():
        attack = authorship.answer(result.tables["inferred"], result.experiment)
        by_labels = result.tables["by_labels"]
        words = records(by_labels[by_labels["reader"] == "words"].sort_values("labels"))[-1:]
        rows += [
            shares.bar(group, series, row)
            for series, row in ((authorship.EMBEDDING, attack), *((authorship.WORDS, row) for row in words))
            if row is not None
        ]
    return shares.table(rows)


@once
def figure(results: Labelled) -> go.Figure:
    """Draw a group of bars for each experiment, with the majority class."""
    return shares.figure(bars(results), authorship.LOOKS, full_axis=True, terms=_TERMS, empty=authorship.EMPTY)


@once
def sentence(results: Labelled) -> str:
    """Read the ratio of each accuracy to the majority class aloud, the highest first."""
    table = bars(results)
    embedding = table[table["series"] == authorship.EMBEDDING]
    embedding = embedding.assign(ratio=embedding["value"] / embedding["chance"])
    if embedding.empty:
        return authorship.EMPTY
    order = records(embedding.sort_values("ratio", ascending=False))
    first, *others = [f"for {row.group} ({percent(row.value)})" for row in order]
    text = f"The accuracy is {authorship.times(order[0].ratio)} chance {first}"
    ratios = [f"{authorship.times(row.ratio)} {where}" for row, where in zip(order[1:], others, strict=True)]
    return f"{'; '.join([text, *ratios])}."
