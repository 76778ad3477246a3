"""How often each secret segment of a text was inferred from its embedding, beside the paper's figures."""

import math
from collections.abc import Mapping
from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import measured, percent
from core.statistics.wording.naming import counted
from dashboard.kit.figures import adversaries, intervals, shares
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once

Measure = Literal["accuracy", "top5"]
PAPER = "BERT in the paper"
PAPER_SAYS = (
    "Pan et al. 2020, Table II, BERT: 1,000 citizen numbers, 100,000 batches, no intervals. Their encoder is BERT "
    "large with its last token; compare the encoders below before you compare with it."
)
PAPER_SAYS_OF_GENOMES = (
    "Pan et al. 2020, section V-D on Figure 3, GPT: “near-100% accuracy” at both ends and over 62% on average, after "
    "100,000 batches on human sequences. Here the sequences are of primates, and fewer. The auxiliary sequences are "
    "drawn uniformly, so the adversary does not know which letter is frequent where."
)

_FEW = 10
"""From this number of hits on, the resampled interval of a share is good enough."""
_TABLE_2: dict[Measure, dict[str, float]] = {
    "accuracy": {"year": 0.661, "month": 0.616, "day": 0.539, "whole": 0.219},
    "top5": {"year": 0.926, "month": 0.950, "day": 0.885, "whole": 0.384},
}
_PREFIX: dict[Measure, str] = {"accuracy": "", "top5": "top5"}
"""Prefix of the columns of a measure."""
AXES: dict[Measure, str] = {
    "accuracy": "Share of victims: top-1 right",
    "top5": "Share of victims: right among top 5",
}


@once
def segments(inferred: pd.DataFrame) -> list[str]:
    """Return the names of the single segments in their order."""
    single = inferred[(inferred["values"] > 0) & (inferred["secret"] != "whole")]
    return list(dict.fromkeys(single["secret"]))


@once
def bars(
    inferred: pd.DataFrame, experiment: Mapping[str, Any], measure: Measure, *, paper: bool = False
) -> pd.DataFrame:
    """Return the bars of each segment: both adversaries, and with ``paper`` the paper's BERT.

    ``measure`` is ``accuracy`` for the likeliest value, ``top5`` for the five likeliest.
    """
    rows = []
    for secret in dict.fromkeys(inferred.loc[inferred["values"] > 0, "secret"]):
        for row in records(inferred[inferred["secret"] == secret]):
            series = adversaries.name(row.variant, row.adversary, experiment)
            rows.append(_exact(shares.bar(adversaries.secret_name(secret), series, row, _PREFIX[measure]), row.victims))
        if paper and secret in _TABLE_2[measure]:
            rows.append({"group": adversaries.secret_name(secret), "series": PAPER, "value": _TABLE_2[measure][secret]})
    return shares.table(rows)


@once
def figure(
    inferred: pd.DataFrame, experiment: Mapping[str, Any], measure: Measure, *, paper: bool = False
) -> go.Figure:
    """Draw the bars of each segment."""
    looks = {**adversaries.looks(inferred, experiment), **({PAPER: adversaries.PAPER} if paper else {})}
    table = bars(inferred, experiment, measure, paper=paper)
    return shares.figure(table, looks, AXES[measure], full_axis=True, empty="No segment has more than five values.")


@once
def sentence(inferred: pd.DataFrame, experiment: Mapping[str, Any], measure: Measure) -> str:
    """Read the bars aloud: accuracy and chance of each segment, and the segments without a proved leak."""
    predicted = _predicted(inferred, experiment, measure, "adaptive")
    if not predicted:
        return "No segment has more than five values, so the top 5 say nothing."
    guess = "the likeliest value" if measure == "accuracy" else "one of the five likeliest values"
    figures = [
        f"{measured(bar['value'], bar['low'], bar['high'], named=number == 0)} for the {bar['group'].lower()} "
        f"(chance {percent(bar['chance'])})"
        for number, bar in enumerate(predicted)
    ]
    text = f"From the embedding alone, {guess} is right in {joined(figures)}."
    if unproven := [bar["group"].lower() for bar in predicted if bar["low"] <= bar["chance"] <= bar["high"]]:
        text += f" For the {joined(unproven)} the interval includes chance: no leak is shown there."
    if below := [bar["group"].lower() for bar in predicted if bar["high"] < bar["chance"]]:
        text += f" For the {joined(below)} the interval lies below chance."
    if naive := _predicted(inferred, experiment, measure, "naive"):
        values = joined([f"{percent(bar['value'])} ({bar['group'].lower()})" for bar in naive])
        text += f" The naive adversary, unaware of the defense, reaches {values}."
    return text


@once
def behind(inferred: pd.DataFrame) -> str:
    """Return the number of victims in words."""
    return counted(int(inferred["victims"].max()), "victim") if len(inferred) else "no victim"


def _predicted(
    inferred: pd.DataFrame, experiment: Mapping[str, Any], measure: Measure, adversary: str
) -> list[dict[str, Any]]:
    """Return the known bars of one adversary of the attack."""
    rows = adversaries.attack_rows(inferred, experiment, adversary)
    known = records(rows[rows[measure].notna() & (rows["values"] > 0)])
    drawn = ((shares.bar(adversaries.secret_name(row.secret), adversary, row, _PREFIX[measure]), row) for row in known)
    return [_exact(bar, row.victims) for bar, row in drawn]


def _exact(bar: dict[str, Any], victims: int) -> dict[str, Any]:
    """Return a bar with the exact interval if only a few victims were hit; a resampled one would touch 0."""
    if not math.isfinite(bar["value"]) or (hits := round(bar["value"] * victims)) >= _FEW:
        return bar
    low, high = intervals.of_count(hits, int(victims))
    return {**bar, "low": low, "high": high}
