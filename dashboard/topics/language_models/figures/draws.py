"""Passages found by drawing n continuations: (n, p)-discoverable extraction (Hayes et al. 2024)."""

import pandas as pd
import plotly.graph_objects as go

from core.statistics.intervals import Interval, difference
from core.statistics.naming import counted
from core.statistics.wording import measured, percent
from dashboard.kit.figures import theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.topics.language_models.figures import recited

TITLE = "Found by drawing again and again"


@once
def of(discoverable: pd.DataFrame, certainty: float) -> pd.DataFrame:
    """Return the rows of one probability p."""
    return discoverable[discoverable["certainty"] == certainty].reset_index(drop=True)


@once
def figure(shares: pd.DataFrame) -> go.Figure:
    """Draw a line with its band for each number of copies, on a logarithmic axis of draws; no copies is chance."""
    drawing = theme.blank("Continuations drawn (n)", "Passages found", legend=True)
    drawing.update_yaxes(range=[-0.04, theme.WHOLE], tickformat=".0%", dtick=0.25)
    if shares.empty:
        return theme.empty(drawing, "No continuation was drawn.")
    drawing.update_xaxes(type="log", dtick=1, tickformat=",d")
    copies = sorted(int(number) for number in shares["copies"].unique())
    for number, mark in zip(copies, theme.distinct(len(copies)), strict=True):
        rows = shares[shares["copies"] == number].sort_values("draws").reset_index(drop=True)
        name = f"{recited.times(number).lower()}{'' if number else ' shown: chance'}"
        hover = [
            f"<b>{name}, {counted(row.draws, 'draw')}</b><br>{measured(row.share, row.low, row.high, named=True)} of "
            f"{counted(row.passages, 'passage')}"
            for row in records(rows)
        ]
        look = mark if number else theme.Mark(theme.INK, "x", "dot")
        traces.interval_line(drawing, rows, ("draws", "share", "low", "high"), look, name, hover)
    return drawing.figure()


@once
def sentence(shares: pd.DataFrame) -> str:
    """Read the share at the most copies aloud, with the fewest and the most draws, and the control."""
    if shares.empty:
        return "No continuation was drawn."
    certainty, most = float(shares["certainty"].iloc[0]), int(shares["copies"].max())
    rows = records(shares[shares["copies"] == most].sort_values("draws"))
    first, last = rows[0], rows[-1]
    of_all = f"Of {counted(last.passages, 'passage')} shown {recited.times(most).lower()}"
    text = (
        f"A passage counts as found by n draws if the probability that one of them gives it is {percent(certainty)} or "
        f"more. {of_all}, {counted(first.draws, 'draw')} {'finds' if first.draws == 1 else 'find'} "
        f"{measured(first.share, first.low, first.high, named=True)} and {counted(last.draws, 'draw')} "
        f"{measured(last.share, last.low, last.high)}"
    )
    gain = difference(Interval(last.share, last.low, last.high), Interval(first.share, first.low, first.high))
    never = records(shares[(shares["copies"] == 0) & (shares["draws"] == last.draws)])
    if never:
        text += f"; of those never shown, {measured(never[0].share, never[0].low, never[0].high)}"
    if first.draws == last.draws:
        return f"{text}."
    return f"{text}. That more draws find more of them is {'' if gain.low > 0 else 'not '}shown."


@once
def checked(draws: pd.DataFrame) -> str:
    """Compare the share that the adversary's own draws found with the share expected from the probabilities."""
    trained = draws[(draws["copies"] > 0) & (draws["passages"] > 0)]
    if trained.empty:
        return "No continuation was drawn."
    last = trained[trained["draws"] == trained["draws"].max()]
    weights = last["passages"] / last["passages"].sum()
    found_share, expected_share = float((weights * last["found"]).sum()), float((weights * last["expected"]).sum())
    return (
        f"The shares are computed from the model’s probabilities. As a check, the adversary’s own "
        f"{counted(int(trained['draws'].max()), 'draw')} of each passage found {percent(found_share)} of all that was "
        f"shown; the probabilities promise {percent(expected_share)}."
    )
