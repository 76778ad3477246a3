"""How well each statistic tells members after few and after many epochs: those with references, and those without."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.catalog import seeds
from core.registry import part
from core.result import Estimate
from core.statistics import paired
from core.statistics.wording import area, measured_in
from core.statistics.wording.naming import adversary_name, counted, lowered
from core.statistics.wording.variants import BLIND
from dashboard.kit.figures import axes, intervals, theme, traces
from dashboard.kit.figures.tables import records, where
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once

Measure = Literal["auc", "tpr_at_1pct_fpr"]
MEASURES: tuple[Measure, ...] = get_args(Measure)
_CALLED: dict[Measure, str] = {"auc": "AUC", "tpr_at_1pct_fpr": "True-positive rate at 1% false positives"}
_CHANCE: dict[Measure, float] = {"auc": 0.5, "tpr_at_1pct_fpr": 0.01}
Measured = tuple[str, int, Sequence[Mapping[str, Estimate]]]
"""An attack, the epochs of its target models, and the estimates of each seed."""

_ALONE = ("loss", "zlib_ratio", "min_k", "min_k_plus")
"""Statistics of the target model alone."""
_COLUMNS = ("variant", "kind", "epochs", "value", "low", "high", "seeds", "above", "each_above")
_WITH, _WITHOUT, _TEXT = "with other models", "of the model alone", "of the text alone"
_INKS = {_WITH: theme.MEMBER, _WITHOUT: theme.NONMEMBER, _TEXT: theme.INK}


def measure_name(measure: Measure) -> str:
    """Return what a figure measures, in words."""
    return _CALLED[measure]


@once
def table(measured: Iterable[Measured], measure: Measure = "auc") -> pd.DataFrame:
    """Return a row for each statistic and number of epochs: its mean over seeds, with Student's interval.

    Statistics that both attacks measure, on the same decisions, stand there once.

    Args:
        measured: The figures of each seed; those of both attacks in the order of the same seeds.
        measure: Which of them.

    Returns:
        Columns variant, kind, epochs, value with its interval, seeds, and two that say whether a statistic with other
        models lies above each of the model alone: by the interval of the mean difference over seeds, and in each seed.
    """
    rows: dict[tuple[str, int], list[Any]] = {}
    by_seed: dict[tuple[str, int], NDArray[np.float64]] = {}
    for attack, epochs, estimates in measured:
        for figure, mean in seeds.means(estimates).items():
            if figure != measure and not figure.startswith(f"{measure}_"):
                continue
            name = figure.removeprefix(measure).removeprefix("_") or attack
            kind = _TEXT if name == BLIND else _WITHOUT if name in _ALONE else _WITH
            called = part("attack", name).title if name == attack else adversary_name(name)
            row = [called, kind, epochs, mean.value, mean.low, mean.high, len(estimates)]
            rows.setdefault((name, epochs), row)
            by_seed.setdefault((name, epochs), np.array([each[figure].value for each in estimates]))
    for (name, epochs), row in rows.items():
        alone = [by_seed[other, epochs] for other in _ALONE if (other, epochs) in by_seed]
        values, is_held = by_seed[name, epochs], row[1] == _WITH and bool(alone)
        row.append(is_held and all(paired.mean_difference(values, other).low > 0 for other in alone))
        row.append(is_held and all(bool((values > other).all()) for other in alone))
    frame = pd.DataFrame(list(rows.values()), columns=list(_COLUMNS))
    order = frame["kind"].map(list(_INKS).index)
    return frame.assign(order=order).sort_values(["order", "variant", "epochs"]).drop(columns="order")


@once
def figure(table: pd.DataFrame, measure: Measure = "auc") -> go.Figure:
    """Draw a line for each statistic, those that need other models in one colour and the others in another."""
    title = f"{'AUC' if measure == 'auc' else 'True-positive rate'}, mean over seeds<br>(bars: 95% intervals)"
    drawing = theme.blank("Epochs of training", title, legend=True)
    if table.empty:
        return theme.empty(drawing, "No repeated experiment is computed yet.")
    position = axes.epochs(drawing, table["epochs"], "untrained")
    if measure == "auc":
        drawing.update_yaxes(range=[theme.floor(table["low"]), theme.WHOLE], dtick=0.1, tickformat=".1f")
    else:
        drawing.update_yaxes(range=[-0.03, theme.WHOLE], dtick=0.25, tickformat=".0%")
    theme.level(drawing, y=_CHANCE[measure], left=True)
    names = table["variant"].drop_duplicates().tolist()
    for number, (name, look) in enumerate(zip(names, theme.distinct(len(names)), strict=True)):
        rows = where(table, "variant", name)
        mark = theme.Mark(_INKS[rows["kind"].iloc[0]], look.symbol, look.dash)
        beside = (number - (len(names) - 1) / 2) * 0.03
        traces.series(
            drawing,
            [position[epochs] + beside for epochs in rows["epochs"]],
            rows["value"],
            mark,
            width=2,
            size=10,
            name=name,
            error_y=intervals.bars(rows["value"], rows["low"], rows["high"], mark.colour),
            text=[
                f"<b>{name}</b><br>{counted(row.epochs, 'epoch')}: {_said(row, measure, named=True)}"
                for row in records(rows)
            ],
        )
    return drawing.figure()


@once
def sentence(table: pd.DataFrame, measure: Measure = "auc") -> str:
    """Read the figure aloud: the best statistic with other models and the best without, and which are always apart."""
    if table.empty:
        return "No repeated experiment is computed yet."
    text = [
        f"after {counted(rows['epochs'].iloc[0], 'epoch')}, {_strongest(rows, _WITH, measure)} and "
        f"{_strongest(rows, _WITHOUT, measure)}"
        for _, rows in table.groupby("epochs")
    ]
    fewest, most = int(table["seeds"].min()), int(table["seeds"].max())
    seeds_said = counted(most, "seed") if fewest == most else f"{fewest} to {most} seeds"
    called, chance = ("AUC", "0.50") if measure == "auc" else (lowered(_CALLED[measure]), "1%")
    return (
        f"Mean {called} over {seeds_said}, of the best statistic that compares with other models and of the best of "
        f"the model alone: {'; '.join(text)}. Chance is {chance}. {_apart(table)}"
    )


def _strongest(rows: pd.DataFrame, kind: str, measure: Measure) -> str:
    """Return the name and the figure of the best statistic of a kind."""
    [best] = records(where(rows, "kind", kind).nlargest(1, "value"))
    return f"{lowered(best.variant)} {_said(best, measure)}"


def _apart(table: pd.DataFrame) -> str:
    """Say which statistics with other models lie above all those without: in each seed, and by the mean difference."""
    others = where(table, "kind", _WITH)
    each, shown = _by_lengths(others, "each_above"), _by_lengths(others, "above")
    if not each:
        return "No statistic with other models lies above all of the model alone in each seed."
    if each == shown:
        return (
            "Above each statistic of the model alone, in each seed and by the interval of the mean difference over "
            f"seeds: {each}."
        )
    sentence = f"Above each statistic of the model alone in each seed: {each}."
    shown = f"for {shown}" if shown else "for none"
    return f"{sentence} The interval of the mean difference over seeds shows it {shown}."


def _by_lengths(rows: pd.DataFrame, column: str) -> str:
    """Name statistics and the lengths of training at which a column says so; those with the same lengths together."""
    names_by_lengths: dict[str, list[str]] = {}
    for name, of_variant in rows.groupby("variant", sort=False):
        if of_variant[column].any():
            names_by_lengths.setdefault(_lengths(of_variant, column), []).append(lowered(str(name)))
    return "; ".join(f"{joined(names)} {lengths}" for lengths, names in names_by_lengths.items())


def _lengths(rows: pd.DataFrame, column: str) -> str:
    """Say at which lengths of training a statistic lies above those of the model alone."""
    if rows[column].all():
        return "at every length"
    epochs = rows[rows[column]]["epochs"].tolist()
    return f"after {joined([str(each) for each in epochs[:-1]] + [counted(epochs[-1], 'epoch')])} only"


def _said(row: Any, measure: Measure, *, named: bool = False) -> str:
    if measure == "auc":
        return ("AUC " if named else "") + area(row.value, row.low, row.high)
    return measured_in(row)
