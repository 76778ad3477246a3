"""What drawing continuations again and again finds: (n, p)-discoverable extraction (Hayes et al. 2024)."""

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, measured, percent
from dashboard.kit.shared import once
from dashboard.topics.language_models.figures import recited

TITLE = "Found by drawing again and again"


@once
def of(discoverable: pd.DataFrame, certainty: float) -> pd.DataFrame:
    """Return the rows of one probability p."""
    return discoverable[discoverable["certainty"] == certainty].reset_index(drop=True)


@once
def figure(shown: pd.DataFrame) -> go.Figure:
    """Draw a line with its band for each number of copies, on a logarithmic axis of draws; never shown is chance."""
    drawing = theme.blank("Continuations drawn (n)", "Passages found", legend=True)
    drawing.update_yaxes(range=[-0.04, theme.WHOLE], tickformat=".0%", dtick=0.25)
    if shown.empty:
        return theme.empty(drawing, "No continuation was drawn.")
    drawing.update_xaxes(type="log", dtick=1)
    copies = sorted(int(number) for number in shown["copies"].unique())
    for number, mark in theme.ordered(copies).items():
        rows = shown[shown["copies"] == number].sort_values("draws").reset_index(drop=True)
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
def sentence(shown: pd.DataFrame) -> str:
    """Read the most copies aloud, at the fewest and the most draws, and the control."""
    if shown.empty:
        return "No continuation was drawn."
    certainty, most = float(shown["certainty"].iloc[0]), int(shown["copies"].max())
    rows = records(shown[shown["copies"] == most].sort_values("draws"))
    first, last = rows[0], rows[-1]
    text = (
        f"A passage counts as found if as many draws give it at least once with a probability of {percent(certainty)} "
        f"or more. Of passages shown {recited.times(most).lower()}, {counted(first.draws, 'draw')} "
        f"{'finds' if first.draws == 1 else 'find'} {measured(first.share, first.low, first.high, named=True)} and "
        f"{counted(last.draws, 'draw')} {measured(last.share, last.low, last.high)}"
    )
    never = records(shown[(shown["copies"] == 0) & (shown["draws"] == last.draws)])
    if never:
        text += f"; of those never shown, {measured(never[0].share, never[0].low, never[0].high)}"
    return f"{text}."


@once
def checked(draws: pd.DataFrame) -> str:
    """Compare what the adversary's own draws found with what the model's probabilities promise."""
    own = draws[(draws["copies"] > 0) & (draws["passages"] > 0)]
    if own.empty:
        return "No continuation was drawn."
    last = own[own["draws"] == own["draws"].max()]
    weights = last["passages"] / last["passages"].sum()
    found, expected = float((weights * last["found"]).sum()), float((weights * last["expected"]).sum())
    return (
        f"The shares are computed from the model’s probabilities. As a check, the adversary’s own "
        f"{counted(int(own['draws'].max()), 'draw')} of each passage found {percent(found)} of all that was shown; the "
        f"probabilities promise {percent(expected)}."
    )
