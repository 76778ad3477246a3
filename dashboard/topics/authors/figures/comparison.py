"""Accuracy of author inference in several experiments, beside the words and the majority class."""

from collections.abc import Collection, Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.registry import part
from core.result import Result
from core.statistics.wording import percent
from core.statistics.wording.naming import counted
from dashboard.kit.figures import shares
from dashboard.kit.figures.encoders import name as encoder
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.topics.authors.figures import authors, authorship

TITLE = "Other authors"


Labelled = Mapping[str, Result]
"""Results by name of the experiment."""


def label(experiment: Mapping[str, Any], title: str, used: Collection[str] = ()) -> str:
    """Return the name of an experiment, longer if the short one is used.

    Args:
        experiment: The experiment as plain values.
        title: Title of its dataset.
        used: Names of the other experiments.
    """
    attack = experiment["attack"]
    defenses = [part("defense", step["part"]).title for step in experiment.get("defenses", ())]
    dataset = experiment["dataset"]
    several = counted(int(attack["authors"]), *authors.nouns(dataset))
    name = ", ".join(filter(None, [title, authors.mail(dataset), several, *defenses]))
    if name in used:
        name = f"{name}, {counted(int(attack['labels']), 'label')}, {encoder(experiment['model'])}"
    return name


@once
def bars(results: Labelled) -> pd.DataFrame:
    """Return the bars of each experiment, for the embedding and for the words."""
    rows = []
    for group, result in results.items():
        attack = authorship.answer(result.tables["inferred"], result.experiment)
        words = authorship.with_most_labels(result.tables["by_labels"], "words")
        rows += [
            shares.bar(group, series, row)
            for series, row in ((authorship.EMBEDDING, attack), (authorship.WORDS, words))
            if row is not None
        ]
    return shares.table(rows)


@once
def figure(results: Labelled) -> go.Figure:
    """Draw a group of bars for each experiment, with the majority class."""
    return shares.figure(bars(results), authorship.LOOKS, full_axis=True, share="accuracy", empty=authorship.EMPTY)


@once
def sentence(results: Labelled) -> str:
    """Read the ratio of each accuracy to the majority class aloud, the highest first."""
    table = bars(results)
    embedding = table[table["series"] == authorship.EMBEDDING]
    embedding = embedding.assign(ratio=embedding["value"] / embedding["chance"])
    if embedding.empty:
        return authorship.EMPTY
    order = records(embedding.sort_values("ratio", ascending=False))
    ratios = [
        f"{authorship.times(row.ratio)}{' chance' if row is order[0] else ''} for {row.group} ({percent(row.value)})"
        for row in order
    ]
    return f"The accuracy is {'; '.join(ratios)}."
