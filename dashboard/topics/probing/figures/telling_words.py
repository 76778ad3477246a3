"""Words appended for a target, and the share of labels each flips with and without the target."""

import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import percent
from core.statistics.wording.naming import counted
from dashboard.kit.figures import dumbbells
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once

MOST_WORDS = 12
_MEANS = "Only means over models and documents are stored, so there are no intervals."


@once
def of(words: pd.DataFrame, target: int) -> pd.DataFrame:
    """Return the words of one target, the largest difference with and without it first."""
    appended = words[words["target"] == target]
    apart = (appended["flips_in"] - appended["flips_out"]).abs()
    order = appended.assign(apart=apart).sort_values("apart", ascending=False, kind="stable")
    return order.drop(columns="apart").reset_index(drop=True)


@once
def figure(words: pd.DataFrame, target: int) -> go.Figure:
    """Draw the words with the largest difference."""
    columns = {"word": "label", "flips_in": "inside", "flips_out": "outside"}
    rows = of(words, target).head(MOST_WORDS).rename(columns=columns)
    return dumbbells.figure(
        rows[list(dumbbells.COLUMNS)],
        "Flipped labels",
        "Appended word",
        empty="No word was selected: no pair distinguishes models with the target.",
    )


@once
def sentence(words: pd.DataFrame, target: int) -> str:
    """Read the words of one target aloud."""
    appended = of(words, target)
    if appended.empty:
        return "No word was selected for this target: no distance distinguishes models with it from models without."
    first = records(appended)[0]
    more = int((appended["flips_in"] > appended["flips_out"]).sum())
    text = (
        f"Appending “{first.word}” flips {percent(first.flips_in)} of the labels of shadow models with the target, and "
        f"{percent(first.flips_out)} of those without it"
    )
    if len(appended) == 1:
        return f"{text}. It is the only word that is appended for this target. {_MEANS}"
    return (
        f"{text}: the largest difference of {counted(len(appended), 'word')}. With the target, {more} of them flip "
        f"more labels, {len(appended) - more} fewer or equally many. {_MEANS}"
    )
