"""Passages found by drawing n continuations: (n, p)-discoverable extraction (Hayes et al. 2024)."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.games.recitation.score import given
from core.statistics.wording import measured, percent
from core.statistics.wording.naming import counted
from dashboard.kit.figures import theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.topics.language_models.figures import cases, recited

TITLE = "Found by drawing again and again"


@once
def of(discoverable: pd.DataFrame, passages: pd.DataFrame, certainty: float) -> pd.DataFrame:
    """Return the rows of one probability p, with the number of cases, and of those found.

    Args:
        discoverable: Table of the game.
        passages: The game's table of passages.
        certainty: The probability p.
    """
    rows = cases.of(discoverable[discoverable["certainty"] == certainty].reset_index(drop=True), passages)
    asked = passages[~passages["common"]].drop_duplicates(["model", "passage"])
    log_rates = {copies: group.to_numpy() * np.log(10) for copies, group in asked.groupby("copies")["log10_rate"]}
    counts = [int((given(log_rates[row.copies], row.draws) >= certainty).sum()) for row in records(rows)]
    return rows.assign(found=counts)


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
            f"{cases.written(row)}"
            for row in records(rows)
        ]
        look = mark if number else theme.Mark(theme.INK, "x", "dot")
        traces.interval_line(drawing, rows, ("draws", "share", "low", "high"), look, name, hover)
    return drawing.figure()


@once
def sentence(shares: pd.DataFrame) -> str:
    """Read the share at the most copies aloud, with the fewest and the most draws, and the control.

    What fewer draws find, more draws find too: the gain is of the same cases, and nothing is lost.
    """
    if shares.empty:
        return "No continuation was drawn."
    certainty, most = float(shares["certainty"].iloc[0]), int(shares["copies"].max())
    rows = records(shares[shares["copies"] == most].sort_values("draws"))
    first, last = rows[0], rows[-1]
    of_all = f"Of {cases.written(last)} shown {recited.times(most).lower()}"
    text = (
        f"A passage counts as found by n draws if the probability that one of them gives it is {percent(certainty)} or "
        f"more. {of_all}, {counted(first.draws, 'draw')} {'finds' if first.draws == 1 else 'find'} "
        f"{measured(first.share, first.low, first.high, named=True)} and {counted(last.draws, 'draw')} "
        f"{measured(last.share, last.low, last.high)}"
    )
    if first.draws < last.draws:
        more = f"{last.found - first.found:,}" if last.found > first.found else "no"
        text += f", {more} more of the same {cases.alike(last)} and none lost"
    never = records(shares[(shares["copies"] == 0) & (shares["draws"] == last.draws)])
    if never:
        text += f"; of those never shown, {measured(never[0].share, never[0].low, never[0].high)}"
    return f"{text}."


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
