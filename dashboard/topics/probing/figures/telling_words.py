"""The words that are appended for a target, and how often each flips a label with the target in and without it."""

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import dumbbells
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, percent

SHOWN = 12
_MEANS = "Only means over models and documents are kept, so no interval is drawn."


def of(words: pd.DataFrame, target: int) -> pd.DataFrame:
    """Return the words of one target, those first whose flips differ most with and without it."""
    own = words[words["target"] == target]
    apart = (own["flips_in"] - own["flips_out"]).abs()
    order = own.assign(apart=apart).sort_values("apart", ascending=False, kind="stable")
    return order.drop(columns="apart").reset_index(drop=True)


def figure(words: pd.DataFrame, target: int) -> go.Figure:
    """Draw the words whose flips differ most."""
    shown = of(words, target).head(SHOWN)
    rows = shown.rename(columns={"word": "label", "flips_in": "inside", "flips_out": "outside"})
    return dumbbells.figure(
        rows[list(dumbbells.COLUMNS)],
        "Labels that the word changes",
        "Word appended",
        empty="No word was chosen: no pair told with from without.",
    )


def sentence(words: pd.DataFrame, target: int) -> str:
    """Read the words of one target aloud."""
    own = of(words, target)
    if own.empty:
        return "No word was chosen for this target: no distance of a pair told models with it from models without it."
    first = records(own)[0]
    rises = int((own["flips_in"] > own["flips_out"]).sum())
    text = (
        f"Appending “{first.word}” changes {percent(first.flips_in)} of the labels in shadow models with the target, "
        f"and {percent(first.flips_out)} in those without it"
    )
    if len(own) == 1:
        return f"{text}. It is the only word that is appended for this target. {_MEANS}"
    return (
        f"{text}: the widest difference of {counted(len(own), 'word')}. Where the target was in, more labels "
        f"change for {rises} of them, fewer or as many for {len(own) - rises}. {_MEANS}"
    )
