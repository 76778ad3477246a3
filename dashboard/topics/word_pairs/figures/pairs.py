"""Telltale word pairs of a target, by their weight in the attack's linear function."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import percent
from core.statistics.wording.naming import counted
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import theme
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.kit.words import minus, number

MOST_PAIRS = 12


@once
def of(pairs: pd.DataFrame, target: int) -> pd.DataFrame:
    """Return the pairs of one target that have a weight, heaviest first."""
    weighted = pairs[(pairs["target"] == target) & (pairs["weight"] != 0)]
    return weighted.sort_values("rank").reset_index(drop=True)


def name(first: str, second: str) -> str:
    """Return a pair as it is written everywhere."""
    return f"{first} · {second}"


@once
def figure(pairs: pd.DataFrame, target: int, chosen: int | None = None) -> go.Figure:
    """Draw the heaviest pairs as bars; a bar's ``customdata`` is its rank, for a click on it.

    Args:
        pairs: The attack's table of pairs.
        target: Number of the target.
        chosen: Rank of the chosen pair, or None.
    """
    heaviest = of(pairs, target).head(MOST_PAIRS)
    inner = max(30 * len(heaviest), 130)
    drawing = theme.blank("Weight per standard deviation", "Adjacent words in the target", inner=inner)
    drawing.update_xaxes(zeroline=True, zerolinewidth=2)
    if heaviest.empty:
        return theme.empty(drawing, "No pair was selected.")
    reach = float(heaviest["weight"].abs().max()) * 1.12
    has_positive = bool((heaviest["weight"] > 0).any())
    has_negative = bool((heaviest["weight"] < 0).any())
    drawing.update_xaxes(range=[-reach if has_negative else -0.06 * reach, reach if has_positive else 0.06 * reach])
    if has_positive and has_negative:
        _side(drawing, 0.0, "left", theme.MEMBER, "← member if closer")
        _side(drawing, 1.0, "right", theme.AGAINST, "if farther →")
    labels = [name(row.first, row.second) for row in records(heaviest)]
    drawing.add_bar(
        x=heaviest["weight"],
        y=labels,
        orientation="h",
        marker={
            "color": [theme.MEMBER if weight < 0 else theme.AGAINST for weight in heaviest["weight"]],
            "line": {"width": [3 if rank == chosen else 0 for rank in heaviest["rank"]], "color": theme.PAPER},
        },
        customdata=heaviest["rank"],
        text=[_hover(row) for row in records(heaviest)],
        textposition="none",
        **theme.SELECTABLE,
    )
    ranks = heaviest["rank"].tolist()
    ticks = [f"<b>{label}</b>" if rank == chosen else label for label, rank in zip(labels, ranks, strict=True)]
    drawing.update_yaxes(autorange="reversed", **{**theme.categories(ticks), "tickvals": labels})
    drawing.update_layout(bargap=0.3)
    return drawing.figure()


@once
def sentence(pairs: pd.DataFrame, target: int) -> str:
    """Read the pairs of one target aloud."""
    weighted = of(pairs, target)
    if weighted.empty:
        return "LASSO kept no pair of this target: no distance separates models with it from models without it."
    closer = int((weighted["weight"] < 0).sum())
    heaviest = weighted.iloc[0]
    near, far = heaviest["mean_in"], heaviest["mean_out"]
    times = counted(int(heaviest["occurrences"]), "time")
    if len(weighted) == 1:
        text = "One word pair decides; being " + ("close" if closer else "far apart") + " speaks for membership."
    elif closer == len(weighted):
        text = f"{len(weighted)} word pairs decide, and for all of them closeness speaks for membership."
    else:
        text = f"{len(weighted)} word pairs decide; for {closer} of them closeness speaks for membership."
    if len(weighted) > MOST_PAIRS:
        text += f" The {MOST_PAIRS} heaviest are drawn; the table below holds all."
    change = ""
    if near == near and far == far and far > 0 and near != far:
        direction = "closer" if near < far else "farther apart"
        change = f" and {percent(abs(1 - near / far))} {direction} in shadow models trained on it"
    return (
        f"{text} The heaviest is “{heaviest['first']}” with “{heaviest['second']}”: adjacent {times} in this target"
        f"{change} ({number(near)} against {number(far)})."
    )


def _side(drawing: Drawing, x: float, anchor: str, colour: str, text: str) -> None:
    corner: dict[str, Any] = {"xref": "x domain", "x": x, "xanchor": anchor, "yref": "y domain", "y": 1}
    theme.note(drawing, text, yanchor="bottom", colour=colour, **corner)


def _hover(row: Any) -> str:
    speaks = "closer" if row.weight < 0 else "farther apart"
    return (
        f"<b>{name(row.first, row.second)}</b>: weight {minus(f'{row.weight:+.3f}')}<br>a member if {speaks}<br>"
        f"mean distance {number(row.mean_in)} with the target, {number(row.mean_out)} without<br>"
        f"adjacent {counted(row.occurrences, 'time')} in the target"
    )
