"""How well each statistic tells members after few and after many epochs: those with references, and those without."""

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd
import plotly.graph_objects as go

from core.catalog import seeds
from core.result import Estimate
from core.statistics.wording import area
from dashboard.kit.figures import axes, intervals, theme, traces
from dashboard.kit.figures.tables import records, where
from dashboard.kit.figures.wording import counted, joined, lowered, variant
from dashboard.kit.membership.figures.headline import FREE
from dashboard.kit.shared import once

TITLE = "AUC by epochs of training"
Measured = tuple[str, int, Sequence[Mapping[str, Estimate]]]
"""An attack, the epochs of its target models, and the estimates of each seed."""

_NAMES = {
    "likelihood_ratio": "Likelihood ratio (LiRA)",
    "rmia": "RMIA",
    "loss_membership": "Loss beside reference models",
    "min_k": "Min-K%",
    "min_k_plus": "Min-K%++",
}
"""Shorter than elsewhere: the sentence lists them."""
_ALONE = ("loss", "zlib_ratio", "min_k", "min_k_plus")
"""Statistics of the target model alone."""
_COLUMNS = ("variant", "kind", "epochs", "auc", "low", "high", "seeds")
_WITH, _WITHOUT, _TEXT = "with other models", "of the model alone", "of the text alone"
_INKS = {_WITH: theme.MEMBER, _WITHOUT: theme.NONMEMBER, _TEXT: theme.INK}


@once
def table(measured: Iterable[Measured]) -> pd.DataFrame:
    """Return a row for each statistic and number of epochs: its mean AUC over seeds, with Student's interval.

    Statistics that both attacks measure, on the same decisions, stand there once.
    """
    rows: dict[tuple[str, int], tuple[object, ...]] = {}
    for attack, epochs, estimates in measured:
        for figure, mean in seeds.means(estimates).items():
            if figure != "auc" and not figure.startswith("auc_"):
                continue
            name = figure.removeprefix("auc").removeprefix("_") or attack
            kind = _TEXT if name == FREE else _WITHOUT if name in _ALONE else _WITH
            row = (_NAMES.get(name, variant(name)), kind, epochs, mean.value, mean.low, mean.high, len(estimates))
            rows.setdefault((name, epochs), row)
    frame = pd.DataFrame(list(rows.values()), columns=list(_COLUMNS))
    order = frame["kind"].map(list(_INKS).index)
    return frame.assign(order=order).sort_values(["order", "variant", "epochs"]).drop(columns="order")


@once
def figure(table: pd.DataFrame) -> go.Figure:
    """Draw a line for each statistic, those that need other models in one colour and the others in another."""
    drawing = theme.blank("Epochs of training", "AUC, mean over seeds<br>(bars: 95% intervals)", legend=True)
    if table.empty:
        return theme.empty(drawing, "No repeated experiment is computed yet.")
    position = axes.epochs(drawing, table["epochs"], "untrained")
    drawing.update_yaxes(range=[theme.floor(table["low"]), theme.WHOLE], dtick=0.1, tickformat=".1f")
    theme.level(drawing, y=0.5, left=True)
    names = table["variant"].drop_duplicates().tolist()
    for number, (name, look) in enumerate(zip(names, theme.distinct(len(names)), strict=True)):
        rows = where(table, "variant", name)
        mark = theme.Mark(_INKS[rows["kind"].iloc[0]], look.symbol, look.dash)
        beside = (number - (len(names) - 1) / 2) * 0.03
        traces.series(
            drawing,
            [position[epochs] + beside for epochs in rows["epochs"]],
            rows["auc"],
            mark,
            width=2,
            size=10,
            name=name,
            error_y=intervals.bars(rows["auc"], rows["low"], rows["high"], mark.colour),
            text=[f"<b>{name}</b><br>{counted(row.epochs, 'epoch')}: AUC {_auc(row)}" for row in records(rows)],
        )
    return drawing.figure()


@once
def sentence(table: pd.DataFrame) -> str:
    """Read the figure aloud: the best statistic with other models and the best without, and which are always apart."""
    if table.empty:
        return "No repeated experiment is computed yet."
    text = [
        f"after {counted(rows['epochs'].iloc[0], 'epoch')} {_strongest(rows, _WITH)} and {_strongest(rows, _WITHOUT)}"
        for _, rows in table.groupby("epochs")
    ]
    seeds_said = counted(int(table["seeds"].min()), "seed")
    return (
        f"Mean AUC over {seeds_said}, the best statistic that compares with other models and the best of the model "
        f"alone: {joined(text)}; chance is 0.50. {_apart(table)}"
    )


def _strongest(rows: pd.DataFrame, kind: str) -> str:
    """Return the name and the AUC of the best statistic of a kind."""
    [best] = records(where(rows, "kind", kind).nlargest(1, "auc"))
    return f"{lowered(best.variant)} {_auc(best)}"


def _apart(table: pd.DataFrame) -> str:
    """Say which statistics with other models lie above all those without, interval by interval, at every length."""
    highest = where(table, "kind", _WITHOUT).groupby("epochs")["high"].max()
    others = where(table, "kind", _WITH)
    above = others["low"] > others["epochs"].map(highest)
    shown = [name for name, always in above.groupby(others["variant"], sort=False).all().items() if always]
    if not shown:
        return "No statistic with other models is shown to be above all of the model alone at every length."
    named = joined([lowered(str(name)) for name in shown])
    lie = f"interval of {named} lies" if len(shown) == 1 else f"intervals of {named} lie"
    return f"At every length, the whole {lie} above those of all statistics of the model alone."


def _auc(row: object) -> str:
    return area(row.auc, row.low, row.high)  # type: ignore[attr-defined]
