"""What an adversary thinks one segment of one victim's text is: the five likeliest values, and the truth among them."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import foreign, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, percent

_BAR = 34


def of(likeliest: pd.DataFrame, victim: int, secret: str) -> pd.DataFrame:
    """Return the likeliest values of one segment of one victim, the likeliest first."""
    own = likeliest[(likeliest["victim"] == victim) & (likeliest["secret"] == secret)]
    return own.sort_values("place").reset_index(drop=True)


def guess(guesses: pd.DataFrame, victim: int, secret: str) -> Any:
    """Return the row of the guess at one segment of one victim, or None without one."""
    rows = records(guesses[(guesses["victim"] == victim) & (guesses["secret"] == secret)])
    return rows[0] if rows else None


def figure(own: pd.DataFrame, guessed: Any, chance: float, *, told: bool = True) -> go.Figure:
    """Draw the values as bars; the truth gets a row of its own where it is not among them.

    Args:
        own: What `of` returns.
        guessed: What `guess` returns.
        chance: How likely each value is to who sees no embedding.
        told: Whether to mark the truth.
    """
    rows = [(row.value, float(row.probability), int(row.place)) for row in records(own)]
    if told and guessed.truth not in own["value"].tolist():
        rows.append((guessed.truth, float(guessed.truth_probability), int(guessed.rank)))
    drawing = theme.blank(
        "Probability the adversary gives it", "", height=theme.TOP + theme.BOTTOM + _BAR * max(len(rows), 5)
    )
    true = [told and value == guessed.truth for value, _, _ in rows]
    reach = max([probability for _, probability, _ in rows] + [2 * chance])
    drawing.add_bar(
        x=[probability for _, probability, _ in rows],
        y=list(range(len(rows))),
        orientation="h",
        marker={
            "color": [theme.MEMBER if is_true else theme.NONMEMBER for is_true in true],
            "line": {"color": theme.INK, "width": [2 if is_true else 0 for is_true in true]},
        },
        text=[_label(probability, is_true) for (_, probability, _), is_true in zip(rows, true, strict=True)],
        textposition="outside",
        textfont={"size": theme.SMALL, "color": theme.INK},
        cliponaxis=False,
        customdata=[place for _, _, place in rows],
        hovertemplate="%{y}: %{x:.1%}, place %{customdata}<extra></extra>",
    )
    drawing.update_xaxes(range=[0, 1.7 * reach], tickformat=".0%", nticks=4)
    drawing.update_yaxes(
        range=[max(len(rows), 5) - 0.4, -0.6],
        tickmode="array",
        tickvals=list(range(len(rows))),
        showgrid=False,
        ticktext=[
            f"<b>{foreign.shown(value)}</b>" if is_true else foreign.shown(value)
            for (value, _, _), is_true in zip(rows, true, strict=True)
        ],
    )
    drawing.add_shape(
        type="rect",
        layer="below",
        yref="y domain",
        y0=0,
        y1=1,
        x0=0,
        x1=chance,
        line={"width": 0},
        name="chance",
        fillcolor=theme.veil(theme.CHANCE, 0x55),
    )
    theme.note(
        drawing,
        f"grey: guessing, {percent(chance)}",
        xref="x domain",
        x=0,
        xanchor="left",
        yref="y domain",
        y=1,
        yanchor="bottom",
    )
    return drawing.figure()


def sentence(guessed: Any, chance: float, *, told: bool = True) -> str:
    """Read the bars aloud."""
    text = f"Named: {guessed.guess}, with {percent(float(guessed.probability))}; guessing gives {percent(chance)}."
    if not told:
        return text
    if guessed.rank == 1:
        return f"{text} That is right."
    return f"{text} The truth, {guessed.truth}, is {_place(int(guessed.rank))}."


def verdict(rows: list[Any]) -> str:
    """Return how much of a victim's text was read, in words."""
    right = sum(row.rank == 1 for row in rows)
    return f"all {len(rows)} parts read" if right == len(rows) else f"{right} of {counted(len(rows), 'part')} read"


def _label(probability: float, is_true: bool) -> str:
    return f"{percent(probability)} ✓ true" if is_true else percent(probability)


def _place(rank: int) -> str:
    ending = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"the {rank}{ending} likeliest"
