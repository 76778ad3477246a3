"""The five likeliest values of one segment of one victim's text, and the truth among them."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import percent
from core.statistics.wording.naming import counted
from dashboard.kit.figures import axes, foreign, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once

_BAR = 34


@once
def of(likeliest: pd.DataFrame, victim: int, secret: str) -> pd.DataFrame:
    """Return the likeliest values of one segment of one victim, the likeliest first."""
    rows = likeliest[(likeliest["victim"] == victim) & (likeliest["secret"] == secret)]
    return rows.sort_values("place").reset_index(drop=True)


@once
def figure(ranked: pd.DataFrame, guess: Any, chance: float, *, reveal: bool = True) -> go.Figure:
    """Draw the values as bars, and the truth as a further bar if it is not among them.

    Args:
        ranked: The likeliest values, see `of`.
        guess: Row of the guess at the segment.
        chance: Probability of each value without the embedding.
        reveal: Whether to mark the truth.
    """
    rows = [(row.value, float(row.probability), int(row.place)) for row in records(ranked)]
    if reveal and guess.truth not in ranked["value"].tolist():
        rows.append((guess.truth, float(guess.truth_probability), int(guess.rank)))
    true = [reveal and value == guess.truth for value, _, _ in rows]
    written = [_label(probability, is_true) for (_, probability, _), is_true in zip(rows, true, strict=True)]
    inner = _BAR * max(len(rows), 5)
    drawing = theme.blank("Probability by the adversary", "", inner=inner)
    reach = max([probability for _, probability, _ in rows] + [2 * chance])
    colours = [theme.MEMBER if is_true else theme.NONMEMBER for is_true in true]
    edges = {"color": theme.INK, "width": [2 if is_true else 0 for is_true in true]}
    traces.written_bars(
        drawing,
        written,
        x=[probability for _, probability, _ in rows],
        y=list(range(len(rows))),
        orientation="h",
        marker={"color": colours, "line": edges},
        customdata=[rank for _, _, rank in rows],
        hovertemplate="%{y}: %{x:.1%}, place %{customdata}<extra></extra>",
    )
    axes.written_shares(drawing, reach, written)
    names = [foreign.shown(value) for value, _, _ in rows]
    names = [f"<b>{name}</b>" if is_true else name for name, is_true in zip(names, true, strict=True)]
    traces.name_rows(drawing, names, range=[max(len(rows), 5) - 0.4, -0.6])
    theme.area(drawing, (0, chance), (0, 1), theme.veil(theme.CHANCE, 0x55), yref="y domain", name="chance")
    corner: dict[str, Any] = {"xref": "x domain", "x": 0, "xanchor": "left", "yref": "y domain", "y": 1}
    theme.note(drawing, f"grey: chance, {percent(chance)}", yanchor="bottom", **corner)
    return drawing.figure()


def sentence(guess: Any, chance: float, *, reveal: bool = True) -> str:
    """Read the bars aloud."""
    text = f"Predicted: {guess.guess}, with {percent(float(guess.probability))}; chance is {percent(chance)}."
    if not reveal:
        return text
    if guess.rank == 1:
        return f"{text} That is right."
    return f"{text} The truth, {guess.truth}, is {_ordinal(int(guess.rank))}."


def verdict(rows: list[Any]) -> str:
    """Return how many parts of a victim's text were inferred correctly, in words."""
    right = sum(row.rank == 1 for row in rows)
    return f"all {len(rows)} parts right" if right == len(rows) else f"{right} of {counted(len(rows), 'part')} right"


def _label(probability: float, is_true: bool) -> str:
    return f"{percent(probability)} ✓ true" if is_true else percent(probability)


def _ordinal(rank: int) -> str:
    ending = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"the {rank}{ending} likeliest"
