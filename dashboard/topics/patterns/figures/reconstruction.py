"""How often each segment of a text was read back from its embedding, beside the paper's figures."""

from collections.abc import Mapping
from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import adversaries, shares
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, joined, measured, percent

Measure = Literal["accuracy", "top5"]
PAPER = "BERT in the paper"
PAPER_SAYS = (
    "Pan et al. 2020, Table II, BERT: 1,000 numbers, 100,000 batches; it prints no intervals. Their encoder is BERT "
    "large and its last token; compare the encoders below before you compare with it."
)
PAPER_SAYS_OF_GENOMES = (
    "Pan et al. 2020, section V-D on Figure 3, GPT: “near-100% accuracy” at both ends and over 62% on average, after "
    "100,000 batches on human sequences. Here the sequences are of primates, and fewer; the adversary’s own have every "
    "letter as often, so that it does not know which is frequent where."
)

_TABLE_2: dict[Measure, dict[str, float]] = {
    "accuracy": {"year": 0.661, "month": 0.616, "day": 0.539, "whole": 0.219},
    "top5": {"year": 0.926, "month": 0.950, "day": 0.885, "whole": 0.384},
}
_ENDS: dict[Measure, tuple[str, str, str]] = {
    "accuracy": ("low", "high", "chance"),
    "top5": ("top5_low", "top5_high", "top5_chance"),
}
AXES: dict[Measure, str] = {
    "accuracy": "Share of victims: first guess right",
    "top5": "Share of victims: among five guesses",
}


def segments(inferred: pd.DataFrame) -> list[str]:
    """Return the single segments in their order."""
    single = inferred[(inferred["values"] > 0) & (inferred["secret"] != "whole")]
    return list(dict.fromkeys(single["secret"]))


def bars(
    inferred: pd.DataFrame, experiment: Mapping[str, Any], measure: Measure, *, paper: bool = False
) -> pd.DataFrame:
    """Return the bars of each segment: both adversaries, and the paper's BERT where asked for.

    Args:
        inferred: As the game declares it.
        experiment: The experiment as plain values.
        measure: ``accuracy`` for one guess, ``top5`` for five.
        paper: Whether to add the paper's figures.
    """
    low, high, chance = _ENDS[measure]
    rows = []
    for secret in dict.fromkeys(inferred.loc[inferred["values"] > 0, "secret"]):
        for row in records(inferred[inferred["secret"] == secret]):
            series = adversaries.name(row.variant, row.adversary, experiment)
            rows.append(
                {
                    "group": adversaries.called(secret),
                    "series": series,
                    "value": getattr(row, measure),
                    "low": getattr(row, low),
                    "high": getattr(row, high),
                    "chance": getattr(row, chance),
                }
            )
        if paper and secret in _TABLE_2[measure]:
            rows.append({"group": adversaries.called(secret), "series": PAPER, "value": _TABLE_2[measure][secret]})
    return shares.table(rows)


def figure(
    inferred: pd.DataFrame, experiment: Mapping[str, Any], measure: Measure, *, paper: bool = False
) -> go.Figure:
    """Draw the bars of each segment."""
    looks = {
        adversaries.name(row.variant, row.adversary, experiment): adversaries.mark(
            row.variant, row.adversary, experiment
        )
        for row in records(inferred)
    }
    looks = {**looks, **({PAPER: adversaries.PAPER} if paper else {})}
    return shares.figure(
        bars(inferred, experiment, measure, paper=paper), looks, AXES[measure], empty="No segment has so many values."
    )


def sentence(inferred: pd.DataFrame, experiment: Mapping[str, Any], measure: Measure) -> str:
    """Read the bars aloud: what was read how often, how many times chance, and which segments are safe."""
    own = adversaries.own(inferred, experiment)
    own = own[own[measure].notna() & (own["values"] > 0)]
    if own.empty:
        return "No segment has more than five values, so five guesses say nothing."
    low, high, chance = _ENDS[measure]
    guess = "the first guess" if measure == "accuracy" else "one of five guesses"
    said = [
        f"{measured(getattr(row, measure), getattr(row, low), getattr(row, high), named=number == 0)} for the "
        f"{adversaries.called(row.secret).lower()} (guessing: {percent(getattr(row, chance))})"
        for number, row in enumerate(records(own))
    ]
    text = f"From the embedding alone, {guess} is right in {joined(said)}."
    unproven = [
        adversaries.called(row.secret).lower() for row in records(own) if not getattr(row, low) > getattr(row, chance)
    ]
    if unproven:
        text += f" For the {joined(unproven)} the interval includes chance: no leak is shown there."
    return " ".join(filter(None, (text, _naive(inferred, experiment, measure))))


def behind(inferred: pd.DataFrame) -> str:
    """Return how many victims there were, in words."""
    return counted(int(inferred["victims"].max()), "victim") if len(inferred) else "no victim"


def _naive(inferred: pd.DataFrame, experiment: Mapping[str, Any], measure: Measure) -> str:
    naive = adversaries.own(inferred, experiment, "naive")
    naive = naive[naive[measure].notna() & (naive["values"] > 0)]
    if naive.empty:
        return ""
    said = [f"{percent(getattr(row, measure))} ({adversaries.called(row.secret).lower()})" for row in records(naive)]
    return f"The naive adversary, who does not know of the defense, reaches {joined(said)}."
