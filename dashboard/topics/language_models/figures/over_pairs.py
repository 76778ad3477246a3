"""What the likelihood ratio has beyond statistics that need no shadow model, by the number of shadow pairs."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.intervals import difference
from core.statistics.wording import fixed
from core.statistics.wording.naming import counted, lowered
from dashboard.kit.figures import intervals, theme, traces
from dashboard.kit.figures.rows import interval_of
from dashboard.kit.figures.tables import records, where
from dashboard.kit.figures.wording import area_in, joined, variant
from dashboard.kit.membership.figures import curve as curves
from dashboard.kit.shared import once
from dashboard.kit.words import minus

TITLE = "Gain by shadow pairs"
ATTACK = "likelihood_ratio"
_FREE = ("loss", "zlib_ratio", "min_k", "min_k_plus")
"""Statistics that need neither shadow nor reference models."""
_COLUMNS = ["pairs", "variant", "auc", "auc_low", "auc_high", "gain", "gain_low", "gain_high"]
_EMPTY = "The attack was played with one number of shadow pairs only."


@once
def table(curve: pd.DataFrame) -> pd.DataFrame:
    """Return the attack's AUC by number of pairs, and its gain over the best statistic that needs none.

    Targets of the smallest size are compared. The statistics without shadow models stand below, with 0 pairs.

    Args:
        curve: Table of the membership game.
    """
    attack = curves.points(curve, ATTACK)
    free = curve[curve["variant"].isin(_FREE)]
    size = attack["size"].min()
    attack, free = (rows[rows["size"] == size] for rows in (attack, free))
    if attack["shadows"].nunique() < 2 or free.empty:
        return pd.DataFrame(columns=_COLUMNS)
    best = records(free.nlargest(1, "auc"))[0]
    rows = [
        {
            "pairs": int(row.shadows),
            "variant": row.variant,
            "auc": row.auc,
            "auc_low": row.auc_low,
            "auc_high": row.auc_high,
        }
        | difference(interval_of(row, "auc"), interval_of(best, "auc")).columns("gain")
        for row in records(attack)
    ]
    rows += [
        {"pairs": 0, "variant": row.variant, "auc": row.auc, "auc_low": row.auc_low, "auc_high": row.auc_high}
        for row in records(free.sort_values("auc", ascending=False))
    ]
    return pd.DataFrame(rows, columns=_COLUMNS)


@once
def figure(table: pd.DataFrame) -> go.Figure:
    """Draw the attack's AUC by pairs as a line, and each other statistic as a point with its interval at 0 pairs."""
    drawing = theme.blank("Shadow pairs: models with a target, and as many without", "AUC", legend=True)
    if table.empty:
        return theme.empty(drawing, _EMPTY)
    pairs = sorted({0, *map(int, table["pairs"])})
    position_of = {number: position for position, number in enumerate(pairs)}
    drawing.update_xaxes(**theme.categories([f"{number:,}" if number else "none" for number in pairs]))
    drawing.update_yaxes(range=[theme.floor(table["auc_low"]), theme.WHOLE], dtick=0.1, tickformat=".1f")
    theme.level(drawing, y=0.5)
    names = [ATTACK, *where(table, "pairs", 0)["variant"]]
    for number, (name, mark) in enumerate(zip(names, theme.distinct(len(names)), strict=True)):
        rows = where(table, "variant", name)
        points = rows.assign(x=rows["pairs"].map(position_of))
        hover = [f"<b>{variant(name, ATTACK)}</b><br>AUC {area_in(row)}" for row in records(rows)]
        if name == ATTACK:
            columns = ("x", "auc", "auc_low", "auc_high")
            traces.interval_line(drawing, points, columns, mark, variant(name, ATTACK), hover)
            continue
        beside = (number - len(names) / 2) * 0.08
        bars = intervals.bars(rows["auc"], rows["auc_low"], rows["auc_high"], mark.colour)
        traces.series(
            drawing,
            [beside],
            rows["auc"],
            mark,
            mode="markers",
            size=10,
            name=variant(name, ATTACK),
            error_y=bars,
            text=hover,
        )
    return drawing.figure()


@once
def sentence(table: pd.DataFrame) -> str:
    """Say what the best statistic without shadow models reaches, and by how much each number of pairs exceeds it."""
    if table.empty:
        return _EMPTY
    best = records(where(table, "pairs", 0))[0]
    attack = table[table["pairs"] > 0]
    gains = [
        f"{_gain(row, named=not number)} with {counted(row.pairs, 'pair')}"
        for number, row in enumerate(records(attack))
    ]
    text = (
        f"Without a shadow model, “{lowered(variant(best.variant))}” ranks best, with an AUC of {area_in(best)}. The "
        f"likelihood ratio adds {joined(gains)}."
    )
    shown = [row.pairs for row in records(attack) if row.gain_low > 0]
    if not shown:
        return f"{text} None of these gains is shown to be above 0."
    first, last = records(attack)[0], records(attack)[-1]
    more = difference(interval_of(last, "auc"), interval_of(first, "auc"))
    if len(shown) == (attack["pairs"] >= shown[0]).sum():
        text += f" It is above 0 from {counted(shown[0], 'pair')} on."
    if more.low > 0:
        return f"{text} {counted(last.pairs, 'pair')} rank better than {first.pairs}."
    return f"{text} That {counted(last.pairs, 'pair')} rank better than {first.pairs} is not shown."


def _gain(row: Any, *, named: bool) -> str:
    low, high, value = (minus(fixed(end, 2)) for end in (row.gain_low, row.gain_high, row.gain))
    return f"{value} ({'95% interval ' if named else ''}{low} to {high})"
