"""Training of networks for intents and slots: losses above, accuracy below, by epoch."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording import percent
from core.statistics.wording.naming import counted
from dashboard.kit.figures import axes, tables, theme, trainings
from dashboard.kit.figures.tables import records, values
from dashboard.kit.shared import once
from dashboard.kit.words import number

TITLE = "Loss and accuracy by epoch"
_MEASURES = {
    "train_loss": ("training loss", "y", theme.Mark(theme.MEMBER, "circle")),
    "validation_loss": ("validation loss", "y", theme.Mark(theme.NONMEMBER, "square", "dash")),
    "intent_accuracy": ("intent accuracy", "y2", theme.Mark(theme.THIRD, "triangle-up")),
    "slot_f1": ("slot F1", "y2", theme.Mark(theme.AGAINST, "cross", "dash")),
}


def growing(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return the epochs of a run in progress as a table; absent values become NaN."""
    return tables.growing(rows, (), ("model", "pass", *_MEASURES))


@once
def of(training: pd.DataFrame, canaries: pd.DataFrame, repetitions: int | None) -> pd.DataFrame:
    """Return the epochs of the networks with a number of repetitions, or of all networks."""
    if repetitions is None:
        return training
    models = canaries.loc[canaries["repetitions"] == repetitions, "model"]
    return training[training["model"].isin(models)]


@once
def figure(training: pd.DataFrame) -> go.Figure:
    """Draw each network as a faint line and their mean as a strong one."""
    drawing = theme.blank("Epochs", "", height=theme.HEIGHT + 150, legend=True)
    losses, shares = theme.rows(drawing, (0.55, 0.45), gap=0.07)
    if training.empty:
        return theme.empty(drawing, "No value yet: the first epoch is not finished.")
    axes.by_epoch(drawing, training["pass"])
    axes.title_row(drawing, losses, "Mean loss per request", **_losses(training))
    axes.title_row(drawing, shares, "Validation", tickformat=".0%", range=_range(training), nticks=5)
    for measure, (name, row, mark) in _MEASURES.items():
        formatted = percent if row == "y2" else "{:.3g}".format
        trainings.lines(drawing, training, "pass", measure, row, mark, name, formatted=formatted, one="network")
    return drawing.figure()


@once
def sentence(training: pd.DataFrame) -> str:
    """Read the means aloud: accuracy and losses in the end, and after which epoch the validation loss was lowest."""
    if training.empty:
        return "No network has finished an epoch yet."
    last = training.sort_values("pass", kind="stable").groupby("model").tail(1)
    means = records(
        training.groupby("pass", sort=True)[list(_MEASURES)].mean().reset_index().rename(columns={"pass": "number"})
    )
    epochs = sorted({int(number) for number in last["pass"]})
    after = counted(epochs[0], "epoch") if len(epochs) == 1 else f"{epochs[0]} to {epochs[-1]} epochs"
    text = (
        f"After {after}, {counted(len(last), 'network predicts', 'networks predict')} the intent of "
        f"{percent(float(last['intent_accuracy'].mean()))} of the validation requests, with a slot F1 of "
        f"{percent(float(last['slot_f1'].mean()))}. The training loss ends at "
        f"{number(float(last['train_loss'].mean()))}, the validation loss at "
        f"{number(float(last['validation_loss'].mean()))}."
    )
    best = min(means, key=lambda row: row.validation_loss)
    when = f"epoch {best.number}" if best.number < means[-1].number else "the last epoch"
    return f"{text} The mean validation loss was lowest after {when}."


def _losses(training: pd.DataFrame) -> dict[str, Any]:
    losses = [value for name in ("train_loss", "validation_loss") for value in values(training[name]) if value > 0]
    return axes.logarithmic(min(losses), max(losses)) if losses else {}


def _range(training: pd.DataFrame) -> list[float]:
    low = float(training[["intent_accuracy", "slot_f1"]].min().min())
    return [max(min(low, 0.9) - 0.05, -0.02) if low == low else 0.0, theme.WHOLE]
