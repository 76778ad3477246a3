"""What the same attack reads from the embeddings of different encoders, as one group of bars each."""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.encoders.records import RECORDS
from core.result import Result
from dashboard.charts import adversaries, reconstruction, shares, theme
from dashboard.charts.tables import records
from dashboard.charts.wording import joined, percent

TITLE = "Encoders beside each other"
_BODIES = {"lstm": "LSTM", "transformer": "Transformer"}

Labelled = Mapping[str, Result]
"""What each encoder is called, and its result."""


def name(model: Mapping[str, Any]) -> str:
    """Return what an encoder is called, with what is taken of its tokens where that is not the mean.

    >>> name({"source": "minilm", "pooling": "mean"}), name({"source": "/home/a/bert", "pooling": "last"})
    ('all-MiniLM-L6-v2', 'bert (last token)')
    >>> name({"part": "dual_encoder", "body": "lstm"}), name({"part": "dual_encoder", "body": "transformer"})
    ('LSTM trained here', 'Transformer trained here')
    """
    if (body := model.get("body")) in _BODIES:
        return f"{_BODIES[body]} trained here"
    source = str(model.get("source", "encoder"))
    said, _, more = (RECORDS[source].title if source in RECORDS else PurePath(source).name).partition(", ")
    pooling = model.get("pooling", "mean")
    details = ", ".join(filter(None, (more, "" if pooling == "mean" else f"{pooling} token")))
    return f"{said} ({details})" if details else said


def bars(results: Labelled) -> pd.DataFrame:
    """Return the bars of each encoder: each segment of a text, or the mean where there are many secrets."""
    return shares.table([row for label, result in results.items() for row in _rows(label, result)])


def figure(results: Labelled) -> go.Figure:
    """Draw a group of bars for each encoder."""
    table = bars(results)
    series = list(dict.fromkeys(table["series"]))
    return shares.figure(table, dict(zip(series, theme.distinct(len(series)), strict=True)))


def sentence(results: Labelled) -> str:
    """Read the comparison aloud, by the mean over all secrets."""
    means = {label: adversaries.mean(result.tables["inferred"], result.experiment) for label, result in results.items()}
    known = {label: row for label, row in means.items() if row is not None}
    if len(known) < 2:
        return "There is no result of another encoder to compare with."
    order = sorted(known, key=lambda label: -known[label].accuracy)
    said = [f"{label} {percent(known[label].accuracy)}" for label in order]
    best, worst = known[order[0]], known[order[-1]]
    apart = (
        f"{order[0]} gives away more than {order[-1]} beyond both intervals."
        if best.low > worst.high
        else "The intervals overlap: no difference between encoders is shown."
    )
    return f"Mean over all secrets: {joined(said)}; guessing gives {percent(best.chance)}. {apart}"


def _rows(label: str, result: Result) -> list[dict[str, Any]]:
    own = adversaries.own(result.tables["inferred"], result.experiment)
    names = list(own.loc[own["values"] > 0, "secret"])
    by_segment = result.experiment["attack"]["part"] == "pattern_reconstruction"
    apart = by_segment and len(names) <= reconstruction.MOST_APART
    shown = own[own["values"] > 0] if apart else own[own["values"] == 0]
    return [
        {
            "group": label,
            "series": reconstruction.called(row.secret) if apart else "Mean over all secrets",
            "value": row.accuracy,
            "low": row.low,
            "high": row.high,
            "chance": row.chance,
        }
        for row in records(shown)
    ]
