"""How translators were trained: the loss on what they learn, and the perplexity of pairs that they do not."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.figures import theme, trainings
from dashboard.kit.figures.tables import records, values
from dashboard.kit.figures.wording import counted
from dashboard.kit.words import number

TITLE = "Pass by pass of training"
_HOLDERS = {
    "target": ("Alice’s translators", theme.Mark(theme.MEMBER, "circle", "solid")),
    "shadow": ("Bob’s shadow models", theme.Mark(theme.NONMEMBER, "square", "dash")),
}
_MEASURES = {"perplexity": ("Perplexity,<br>new pairs", "y"), "loss": ("Training loss,<br>nats a token", "y2")}
_COLUMNS = ("holder", "model", "passes", "loss", "perplexity")


def growing(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return the passes of a run that is still going on as a table."""
    frame = pd.DataFrame(list(rows), columns=list(_COLUMNS))
    return frame.assign(**{name: pd.to_numeric(frame[name], errors="coerce") for name in _COLUMNS[1:]})


def figure(training: pd.DataFrame) -> go.Figure:
    """Draw each translator as a faint line, and the means of Alice's and of Bob's as strong ones."""
    drawing = theme.blank("Passes over the training data", "", height=theme.HEIGHT + 60, legend=True)
    if training.empty:
        return theme.empty(drawing, "No point yet: the first pass is still going on.")
    theme.rows(drawing, (0.5, 0.5), gap=0.1)
    passes = sorted({int(number) for number in training["passes"]})
    drawing.update_xaxes(range=[passes[0] - 0.4, passes[-1] + 0.4], nticks=min(len(passes), 10) + 1, tickformat="d")
    for measure, (title, row) in _MEASURES.items():
        known = [value for value in values(training[measure]) if value > 0]
        ends = theme.logarithmic(min(known), max(known)) if known and measure == "perplexity" else {"nticks": 5}
        drawing.update_layout(**{theme.axis(row): {"title": {"text": title}, **ends}})
        for holder, (name, mark) in _HOLDERS.items():
            own = training[training["holder"] == holder]
            if len(own):
                trainings.lines(
                    drawing,
                    own,
                    "passes",
                    measure,
                    row,
                    mark,
                    name,
                    said=f"{measure} {{:.3g}}".format,
                    one="model",
                    shown=row == "y",
                )
    return drawing.figure()


def sentence(training: pd.DataFrame) -> str:
    """Read aloud how training ended, and whether new pairs were best understood before the last pass."""
    said = []
    for holder, (name, _) in _HOLDERS.items():
        own = training[training["holder"] == holder]
        if own.empty:
            continue
        means = records(own.groupby("passes", sort=True)[["loss", "perplexity"]].mean().reset_index())
        last, best = means[-1], min(means, key=lambda row: row.perplexity)
        text = (
            f"{name}: perplexity {number(last.perplexity)} on new pairs and loss {number(last.loss)} on their own "
            f"after {counted(int(last.passes), 'pass', 'passes')}"
        )
        if best.passes < last.passes:
            text += f"; new pairs were best after {int(best.passes)}, and what is learnt later is learnt by heart"
        said.append(f"{text}.")
    return " ".join(said) or "No translator has finished a pass yet."
