"""Utility against the adversary's success for all defenses, with the Pareto frontier."""

from itertools import pairwise
from textwrap import wrap
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import capitalised
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import intervals, labels, scatter, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import apart, joined
from dashboard.kit.shared import once
from dashboard.topics.defenses.figures import costs
from dashboard.topics.defenses.figures import defense as settings

TITLE = "Utility against privacy"
_HEIGHT = theme.HEIGHT + 120
_BESIDE = 52
"""Right margin for the name of a point at the end, on a phone; in pixels."""
_SCREENS = ((950.0, 375.0), (755.0, 355.0), (250.0, 270.0))
"""Approximate size of the plot on a projector, a tablet and a phone, for placing names; in pixels."""
_LINE, _STROKE = 0.001, 14
"""Levels of chance that differ by more are drawn at each setting; the length of these lines, in pixels."""
_WIDEST = 14
"""Letters in a line of a name; a wider one covers intervals, at the latest on a phone."""
_PIECES = 32
"""Ends of the pieces of a level of chance, which runs through the whole plot."""
_CLOSE, _LITTLE = 0.05, 0.25
"""How far below the utility without a defense the value of a setting worth a look lies at most: a difference, and a
share of the lead over chance."""


@once
def measured_points(table: pd.DataFrame) -> pd.DataFrame:
    """Return the settings whose utility and adversary were both measured, see `settings.stronger`."""
    return settings.stronger(table[table["utility"].notna() & table["adaptive"].notna()])


@once
def frontier(table: pd.DataFrame) -> pd.DataFrame:
    """Return the settings that no other setting dominates, by rising success of the adversary.

    Up to the success of the next one, each is the most useful that leaks no more: the line goes right, then up.
    """
    known = measured_points(table).sort_values(["success", "utility"], ascending=[True, False])
    best = known["utility"].cummax().shift(fill_value=-np.inf)
    return known[known["utility"] > best]


@once
def figure(table: pd.DataFrame, chosen: int | None = None) -> go.Figure:
    """Draw one point with both intervals for each setting; its ``customdata`` is its number, for a click on it.

    Args:
        table: See `dashboard.topics.defenses.figures.defense.points`.
        chosen: Number of the chosen setting, or None.
    """
    known = measured_points(table)
    axis = settings.leak(table).axis
    adversary_axis = axis.replace("the adversary", "the stronger adversary") if known["naive"].notna().any() else axis
    service = costs.NAMES.get(next(iter(known["service"]), ""), "downstream accuracy")
    titles = f"{adversary_axis}<br>(less is more private; bars: 95% intervals)", f"Utility: {service}"
    drawing = theme.blank(*titles, height=_HEIGHT, right=_BESIDE, legend=True)
    if known.empty:
        return theme.empty(drawing, "The utility of these embeddings was not measured.")
    across, up = _range(known, "success"), _range(known, "utility")
    drawing.update_xaxes(range=across, tickformat=".0%", nticks=8)
    drawing.update_yaxes(range=up, tickformat=".0%", nticks=8)
    _chances(drawing, known)
    edge = frontier(known)
    drawing.add_scatter(
        x=edge["success"],
        y=edge["utility"],
        mode="lines",
        name="frontier",
        hoverinfo="skip",
        line={"color": theme.veil(theme.INK, 0x70), "width": 3, "shape": "hv"},
    )
    names = settings.defenses(known)
    for name, mark in zip(names, theme.distinct(len(names)), strict=True):
        rows = known[known["defense"] == name].sort_values("strength")
        parameter = rows["setting"].iloc[0].rpartition(" ")[0]
        _points(drawing, rows, f"{name}, by {parameter}", mark, chosen)
    bare = known[known["defense"] == settings.PLAIN]
    if len(bare):
        _points(drawing, bare, "no defense", theme.Mark(theme.INK, "star", "solid"), chosen, size=18)
    _name(drawing, known, chosen, (across, up))
    drawing.update_layout(legend={"itemwidth": 40})
    return drawing.figure()


@once
def sentence(table: pd.DataFrame) -> str:
    """Read the figure aloud: a setting worth a look, and the cost of reaching chance."""
    known = measured_points(table)
    before = settings.plain(known)
    defended = known[known["defense"] != settings.PLAIN]
    if defended.empty or before is None:
        return "Utility was not measured both with and without a defense, so there is no comparison."
    text = ""
    near, at_chance = _near(known, before), _at_chance(known)
    if len(near):
        best = next(iter(records(near)))
        shares = percent(before.success), percent(best.success)
        named = f"{settings.setting_name(best)}{',' if best.setting else ''}"
        text = (
            f"{named} is worth a look: the adversary falls by {apart(*shares)}, from {shares[0]} to {shares[1]}. "
            f"{_cost(best, before)}. "
        )
    chance, means = settings.leak(known).chance, settings.leak(known).means
    if at_chance.empty:
        return f"{text}With every setting an adversary exceeds {chance}.{means}"
    best, *further = records(at_chance)
    if any(costs.overlap(best, other, "utility") for other in further):
        text += (
            f"No adversary is shown to exceed {chance} with {_listed(at_chance)}. Which of them costs least utility "
        )
        return f"{text}is not shown. With {settings.setting_name(best)}, {costs.beside(best, before)}.{means}"
    cheapest = (
        f"The cheapest setting at which no adversary is shown to exceed {chance} is {settings.setting_name(best)}"
    )
    return f"{text}{cheapest}. {_cost(best, before)}.{means}"


def _cost(row: Any, before: Any) -> str:
    """Return the utility of a setting as a sentence without its full stop."""
    return capitalised(costs.beside(row, before))


def _allowance(before: Any) -> float:
    """Return how far below the utility without a defense the value of a setting worth a look lies at most."""
    lead = float(before.utility) - float(before.utility_chance)
    return min(_CLOSE, _LITTLE * lead) if lead > 0 else _CLOSE


def _near(known: pd.DataFrame, before: Any) -> pd.DataFrame:
    """Return the setting worth a look, or no row.

    Of those whose utility is about as high as without a defense by its value, and which protect beyond both intervals,
    it is the one that protects best. How a setting is chosen says nothing about what its utility is shown to be.
    """
    least = float(before.utility) - _allowance(before)
    cheap = (known["defense"] != settings.PLAIN) & (known["utility"] >= least)
    near: pd.DataFrame = known[cheap & (known["success_high"] < before.success_low)]
    return near.sort_values("success").head(1)


def _at_chance(known: pd.DataFrame) -> pd.DataFrame:
    """Return the settings where no adversary exceeds chance, the one with most utility first."""
    return costs.cheapest_first(known[(known["defense"] != settings.PLAIN) & ~known["exceeds"]])


def _listed(known: pd.DataFrame) -> str:
    """Return the names of settings, those of one defense together."""
    groups = known.sort_values("strength").groupby("defense", sort=False)
    return joined([f"{name} ({settings.together(records(rows))})" for name, rows in groups])


def _points(
    drawing: Drawing, points: pd.DataFrame, name: str, mark: theme.Mark, chosen: int | None, size: int = 11
) -> None:
    faint, is_chosen = theme.veil(mark.colour, 0x70), points["number"] == chosen
    look: dict[str, Any] = {
        "size": is_chosen.map({True: size + 8, False: size}),
        "opaque": True,
        "edge": {"color": theme.INK, "width": is_chosen.map({True: 3, False: 0})},
        "error_x": intervals.bars(points["success"], points["success_low"], points["success_high"], faint),
        "error_y": intervals.bars(points["utility"], points["utility_low"], points["utility_high"], faint),
    }
    look |= {"customdata": points["number"], **theme.SELECTABLE}
    hover = [_hover(row) for row in records(points)]
    scatter.points(drawing, points["success"], points["utility"], mark, name, hover, **look)


def _chances(drawing: Drawing, known: pd.DataFrame) -> None:
    """Draw chance of the adversary and of utility: one line, or a short one at each point where it differs by setting.

    The legend names them: points lie anywhere along the lines.
    """
    adversary, utility = f"adversary: {settings.leak(known).chance}", "utility: chance"
    dashed, dotted = theme.CHANCE_LINE, {**theme.CHANCE_LINE, "dash": "longdashdot"}
    if _differs(known["success_chance"]):
        mark = theme.Mark(theme.CHANCE, "line-ns-open", "solid")
        _chance_strokes(drawing, known["success_chance"], known["utility"], mark, f"{adversary} at each setting")
    elif known["success_chance"].notna().any():
        theme.rule(drawing, x=known["success_chance"].mean(), name=adversary, showlegend=True, line=dashed)
    if _differs(known["utility_chance"]):
        mark = theme.Mark(theme.CHANCE, "line-ew-open", "solid")
        _chance_strokes(drawing, known["success"], known["utility_chance"], mark, f"{utility} at each setting")
    elif known["utility_chance"].notna().any():
        theme.rule(drawing, y=known["utility_chance"].mean(), name=utility, showlegend=True, line=dotted)


def _differs(chances: "pd.Series[float]") -> bool:
    """Tell whether levels of chance differ by more than a line is wide."""
    return bool(chances.max() - chances.min() > _LINE)


def _chance_strokes(
    drawing: Drawing, x: "pd.Series[float]", y: "pd.Series[float]", mark: theme.Mark, name: str
) -> None:
    """Draw the level of chance of each setting as a short line, level with its point."""
    scatter.points(
        drawing, x, y, mark, name, size=_STROKE, edge={"color": mark.colour, "width": 2}, hoverinfo="skip", opaque=True
    )


def _name(
    drawing: Drawing, known: pd.DataFrame, chosen: int | None, frame: tuple[tuple[float, float], tuple[float, float]]
) -> None:
    """Write defense and strength beside the chosen setting and those of the sentence."""
    (left, right), (low, high) = frame
    shares = {
        row.number: ((row.success - left) / (right - left), (row.utility - low) / (high - low))
        for row in records(known)
    }
    points = {row.number: row for row in records(known)}
    spoken = _at_chance(known)["number"].tolist()[:1]
    if (before := settings.plain(known)) is not None:
        spoken += _near(known, before)["number"].tolist()
    wanted = [points[number] for number in dict.fromkeys([chosen, *spoken]) if number in points]
    wanted = [row for row in wanted if row.setting]
    texts = [
        "<br>".join([*wrap(row.defense.partition(" of ")[0], _WIDEST), row.setting.rpartition(" of ")[2]])
        for row in wanted
    ]
    positions = [shares[row.number] for row in wanted]
    lines = [((x - left) / (right - left), (y - low) / (high - low)) for x, y in _lines(known, frame)]
    placed_labels = labels.place(texts, positions, list(shares.values()), _SCREENS, lines)
    for placed, row in zip(placed_labels, wanted, strict=True):
        labels.write(drawing, placed, row.success, row.utility)


def _lines(known: pd.DataFrame, frame: tuple[tuple[float, float], tuple[float, float]]) -> list[tuple[float, float]]:
    """Return points along the frontier, the intervals and the levels of chance, which names should leave free."""
    (left, right), (low, high) = frame
    success, utility = known["success_chance"].mean(), known["utility_chance"].mean()
    edge = records(frontier(known))
    strokes = [((row.success_low, row.utility), (row.success_high, row.utility)) for row in records(known)]
    strokes += [((row.success, row.utility_low), (row.success, row.utility_high)) for row in records(known)]
    for row, following in pairwise(edge):
        corner = row.success, following.utility
        strokes += [((row.success, row.utility), corner), (corner, (following.success, following.utility))]
    # In pieces, so that their points lie as close as those of short strokes: a name lies on no stretch between them.
    for (below, above), (before, after) in zip(
        pairwise(np.linspace(low, high, _PIECES)), pairwise(np.linspace(left, right, _PIECES)), strict=True
    ):
        strokes += [((success, below), (success, above)), ((before, utility), (after, utility))]
    return labels.along(strokes)


def _range(known: pd.DataFrame, measure: str) -> tuple[float, float]:
    low = float(np.nanmin([known[f"{measure}_low"].min(), known[f"{measure}_chance"].min()]))
    high = float(np.nanmax([known[f"{measure}_high"].max(), known[f"{measure}_chance"].max()]))
    room = min(0.05, 0.3 * (high - low)) or 0.05
    return low - room, min(high + room, theme.WHOLE)


def _hover(row: Any) -> str:
    chances = {name: percent(getattr(row, f"{name}_chance")) for name in ("success", "utility")}
    return (
        f"<b>{settings.setting_name(row)}</b><br>adversary {measured_in(row, 'success')}, chance {chances['success']}"
        f"<br>utility {measured_in(row, 'utility')}, chance {chances['utility']}"
    )
