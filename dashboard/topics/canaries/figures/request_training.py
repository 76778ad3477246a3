"""How networks that understand requests were trained: losses above, what they can do below, pass by pass."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import theme, trainings
from dashboard.kit.figures.tables import records, values
from dashboard.kit.figures.wording import counted, decimal, percent
from dashboard.kit.words import number

TITLE = "Losses, and what the networks can do"
_MEASURES = {
    "train_loss": ("loss on what it learns", "y", theme.Mark(theme.MEMBER, "circle", "solid")),
    "validation_loss": ("loss on validation", "y", theme.Mark(theme.NONMEMBER, "square", "dash")),
    "intent_accuracy": ("intent accuracy", "y2", theme.Mark(theme.THIRD, "triangle-up", "solid")),
    "slot_f1": ("slot F1", "y2", theme.Mark(theme.AGAINST, "cross", "dash")),
}
_COLUMNS = ("model", "pass", *_MEASURES)
_SHARES = (0.55, 0.45)


def growing(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return the passes of a run that is still going on as a table; absent figures become NaN."""
    frame = pd.DataFrame(list(rows), columns=list(_COLUMNS))
    return frame.assign(**{name: pd.to_numeric(frame[name], errors="coerce") for name in _COLUMNS})


def of(training: pd.DataFrame, canaries: pd.DataFrame, repetitions: int | None) -> pd.DataFrame:
    """Return the passes of the networks that saw the canaries so often, or of all networks."""
    if repetitions is None:
        return training
    models = canaries.loc[canaries["repetitions"] == repetitions, "model"]
    return training[training["model"].isin(models)]


def figure(training: pd.DataFrame) -> go.Figure:
    """Draw each network as a faint line and their mean as a strong one."""
    height = theme.HEIGHT + 150
    drawing = theme.blank("Passes over the requests", "", height=height, legend=True)
    names = theme.rows(drawing, _SHARES, gap=0.07)
    if training.empty:
        return theme.empty(drawing, "No point yet: the first pass is still going on.")
    passes = sorted({int(number) for number in training["pass"]})
    drawing.update_xaxes(range=[passes[0] - 0.4, passes[-1] + 0.4], nticks=min(len(passes), 10) + 1, tickformat="d")
    losses, shares = (theme.axis(name) for name in names)
    drawing.update_layout(
        **{
            losses: {**_losses(training), "title": {"text": "Mean loss of a request"}},
            shares: {"title": {"text": "On validation"}, "tickformat": ".0%", "range": _range(training), "nticks": 5},
        }
    )
    for measure, (name, row, mark) in _MEASURES.items():
        said = percent if measure == "intent_accuracy" else "{:.3g}".format
        trainings.lines(drawing, training, "pass", measure, row, mark, name, said=said, one="network")
    return drawing.figure()


def sentence(training: pd.DataFrame) -> str:
    """Read the means aloud: where losses ended, what the networks can do, and whether they went on memorising."""
    if training.empty:
        return "No network has finished a pass yet."
    last = training.sort_values("pass", kind="stable").groupby("model").tail(1)
    means = records(
        training.groupby("pass", sort=True)[list(_MEASURES)].mean().reset_index().rename(columns={"pass": "number"})
    )
    passes = sorted({int(number) for number in last["pass"]})
    after = counted(passes[0], "pass", "passes") if len(passes) == 1 else f"{passes[0]} to {passes[-1]} passes"
    text = (
        f"After {after} {counted(len(last), 'network names', 'networks name')} the intent of "
        f"{percent(float(last['intent_accuracy'].mean()))} of the requests for validation, and the slots with an F1 "
        f"of {decimal(float(last['slot_f1'].mean()))}. The loss on what is learnt ends at "
        f"{number(float(last['train_loss'].mean()))}, that on validation at "
        f"{number(float(last['validation_loss'].mean()))}."
    )
    best = min(means, key=lambda row: row.validation_loss)
    if best.number < means[-1].number:
        return f"{text} Validation was best after pass {best.number}; what is learnt later is the training data itself."
    return f"{text} Validation was still getting better at the last pass."


def _losses(training: pd.DataFrame) -> dict[str, Any]:
    known = [value for name in ("train_loss", "validation_loss") for value in values(training[name]) if value > 0]
    return theme.logarithmic(min(known), max(known)) if known else {}


def _range(training: pd.DataFrame) -> list[float]:
    low = float(training[["intent_accuracy", "slot_f1"]].min().min())
    return [max(min(low, 0.9) - 0.05, -0.02) if low == low else 0.0, 1.03]
