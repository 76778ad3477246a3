"""Authorship in several experiments: how right the attack is on each, beside the words and beside guessing."""

from collections.abc import Collection, Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.registry import part
from core.result import Result
from dashboard.charts import authorship, shares
from dashboard.charts.encoders import name as encoder
from dashboard.charts.tables import records
from dashboard.charts.wording import counted, percent

TITLE = "Other authors"

Labelled = Mapping[str, Result]
"""What each experiment is called, and its result."""


def label(experiment: Mapping[str, Any], title: str, taken: Collection[str] = ()) -> str:
    """Return what an experiment is called beside others, in more words where that name is taken.

    Args:
        experiment: As plain values.
        title: Of its dataset.
        taken: The names of the others.
    """
    attack = experiment["attack"]
    defenses = [part("defense", one["part"]).title for one in experiment.get("defenses", ())]
    name = ", ".join([title, counted(int(attack["authors"]), "author"), *defenses])
    if name in taken:
        name = f"{name}, {counted(int(attack['labels']), 'label')}, {encoder(experiment['model'])}"
    return name


def bars(results: Labelled) -> pd.DataFrame:
    """Return two bars for each experiment, the embedding's and the words'."""
    rows = []
    for group, result in results.items():
        own = authorship.answer(result.tables["inferred"], result.experiment)
        read = result.tables["by_labels"]
        words = records(read[read["reader"] == "words"].sort_values("labels"))[-1:]
        rows += [
            {
                "group": group,
                "series": series,
                "value": row.accuracy,
                "low": row.low,
                "high": row.high,
                "chance": row.chance,
            }
            for series, row in ((authorship.EMBEDDING, own), *((authorship.WORDS, row) for row in words))
            if row is not None
        ]
    return shares.table(rows)


def figure(results: Labelled) -> go.Figure:
    """Draw a group of bars for each experiment, with a stroke where guessing lies."""
    return shares.figure(bars(results), authorship.LOOKS, whole=True, empty="No author has been named yet.")


def sentence(results: Labelled) -> str:
    """Read aloud how many times chance each reaches, the farthest beyond it first."""
    told = bars(results)
    own = told[told["series"] == authorship.EMBEDDING].assign(ratio=lambda frame: frame["value"] / frame["chance"])
    if own.empty:
        return "No author has been named yet."
    order = records(own.sort_values("ratio", ascending=False))
    first, *others = [f"for {row.group} ({percent(row.value)})" for row in order]
    text = f"The attack is right {authorship.times(order[0].ratio)} as often as guessing {first}"
    said = [f"{authorship.times(row.ratio)} {where}" for row, where in zip(order[1:], others, strict=True)]
    return f"{'; '.join([text, *said])}."
