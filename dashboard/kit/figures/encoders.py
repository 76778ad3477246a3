"""The same attack on the embeddings of different encoders, as one group of bars each."""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.encoders.recipes import RECIPES
from core.encoders.records import RECORDS
from core.result import Result
from dashboard.kit.figures import adversaries, shares, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined, percent
from dashboard.kit.shared import once

TITLE = "Comparison of encoders"
_BODIES = {"lstm": "LSTM", "transformer": "Transformer"}

Labelled = Mapping[str, Result]
"""Name of each encoder, and its result."""


def name(model: Mapping[str, Any]) -> str:
    """Return the name of an encoder, with its pooling where that is not the mean.

    >>> name({"source": "minilm", "pooling": "mean"}), name({"source": "/home/a/bert", "pooling": "last"})
    ('all-MiniLM-L6-v2', 'bert (last token)')
    >>> name({"part": "dual_encoder", "body": "lstm"}), name({"part": "dual_encoder", "body": "transformer"})
    ('LSTM trained here', 'Transformer trained here')
    """
    if (body := model.get("body")) in _BODIES:
        return f"{_BODIES[body]} trained here"
    source = str(model.get("source", "encoder"))
    title, _, variant = (RECORDS[source].title if source in RECORDS else PurePath(source).name).partition(", ")
    pooling = model.get("pooling", "mean")
    details = ", ".join(filter(None, (variant, "" if pooling == "mean" else f"{pooling} token")))
    return f"{title} ({details})" if details else title


@once
def bars(results: Labelled) -> pd.DataFrame:
    """Return the bars of each encoder: one for each secret, or the mean of many."""
    return shares.table([row for label, result in results.items() for row in _rows(label, result)])


@once
def figure(results: Labelled) -> go.Figure:
    """Draw a group of bars for each encoder."""
    table = bars(results)
    series = list(dict.fromkeys(table["series"]))
    return shares.figure(table, dict(zip(series, theme.distinct(len(series)), strict=True)))


@once
def sentence(results: Labelled) -> str:
    """Read the comparison of means over all secrets aloud."""
    means = {label: adversaries.mean(result.tables["inferred"], result.experiment) for label, result in results.items()}
    known = {label: row for label, row in means.items() if row is not None}
    if len(known) < 2:
        return "There is no result of another encoder to compare with."
    order = sorted(known, key=lambda label: -known[label].accuracy)
    figures = [f"{label} {percent(known[label].accuracy)}" for label in order]
    best, worst = known[order[0]], known[order[-1]]
    conclusion = (
        f"{order[0]} leaks more than {order[-1]} beyond both intervals."
        if best.low > worst.high
        else "The intervals overlap: no difference between encoders is shown."
    )
    return f"Mean over all secrets: {joined(figures)}; chance is {percent(best.chance)}. {conclusion}"


@once
def untrained(results: Labelled) -> str:
    """Say why the untrained encoders among these leak; empty where none does."""
    leaking = [
        label
        for label, result in results.items()
        if (mean := adversaries.mean(result.tables["inferred"], result.experiment)) is not None
        and mean.low > mean.chance
        and _is_untrained(result.experiment["model"])
    ]
    if not leaking:
        return ""
    verb = "leaks" if len(leaking) == 1 else "leak"
    return (
        f"{joined(leaking)} {verb} without any training: the tokens pass through random layers nearly unchanged. "
        "Training is not what leaks here."
    )


def _is_untrained(model: Mapping[str, Any]) -> bool:
    recipe = RECIPES.get(str(model.get("source")))
    return recipe is not None and not recipe.steps


def _rows(label: str, result: Result) -> list[dict[str, Any]]:
    rows = adversaries.attack_rows(result.tables["inferred"], result.experiment)
    single, means = rows[rows["values"] > 0], rows[rows["values"] == 0]
    by_segment = result.experiment["attack"]["part"] == "pattern_reconstruction"
    if by_segment and len(single) <= adversaries.MOST_APART:
        return [shares.bar(label, adversaries.secret_name(row.secret), row) for row in records(single)]
    return [shares.bar(label, "Mean over all secrets", row) for row in records(means)]
