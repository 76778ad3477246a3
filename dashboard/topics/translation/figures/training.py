"""Training of the translators: training loss, and perplexity of held-out pairs, by epoch."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.statistics.wording.naming import counted
from dashboard.kit.figures import axes, tables, theme, trainings
from dashboard.kit.figures.tables import records, values
from dashboard.kit.shared import once
from dashboard.kit.words import number

TITLE = "Loss and perplexity by epoch"
_HOLDERS = {
    "target": ("Alice’s translators", theme.Mark(theme.MEMBER, "circle", "solid")),
    "shadow": ("Bob’s shadow models", theme.Mark(theme.NONMEMBER, "square", "dash")),
    "undefended_shadow": ("Bob’s without the defense", theme.Mark(theme.THIRD, "triangle-up", "dot")),
}
_MEASURES = {"perplexity": ("Perplexity,<br>held-out", "y"), "loss": ("Training loss,<br>nats per token", "y2")}


def growing(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return the epochs of a run in progress as a table."""
    return tables.growing(rows, ["holder"], ["model", "passes", "loss", "perplexity"])


@once
def figure(training: pd.DataFrame) -> go.Figure:
    """Draw each translator as a faint line, and the means of Alice's and of each kind of Bob's as strong lines."""
    drawing = theme.blank("Epochs", "", height=theme.HEIGHT + 60, legend=True)
    if training.empty:
        return theme.empty(drawing, "No value yet: the first epoch is not finished.")
    theme.rows(drawing, (0.5, 0.5), gap=0.1)
    axes.by_epoch(drawing, training["passes"])
    for measure, (title, row) in _MEASURES.items():
        positive = [value for value in values(training[measure]) if value > 0]
        is_logarithmic = positive and measure == "perplexity"
        ends = axes.logarithmic(min(positive), max(positive)) if is_logarithmic else {"nticks": 5}
        axes.title_row(drawing, row, title, **ends)
        for holder, (name, mark) in _HOLDERS.items():
            part = training[training["holder"] == holder]
            if len(part):
                hover = f"{measure} {{:.3g}}".format
                columns = (part, "passes", measure)
                trainings.lines(drawing, *columns, row, mark, name, formatted=hover, one="model", listed=row == "y")
    return drawing.figure()


@once
def sentence(training: pd.DataFrame) -> str:
    """Read the last perplexity and loss aloud, and whether the perplexity was best before the last epoch."""
    texts = []
    for holder, (name, _) in _HOLDERS.items():
        part = training[training["holder"] == holder]
        if part.empty:
            continue
        means = records(part.groupby("passes", sort=True)[["loss", "perplexity"]].mean().reset_index())
        last, best = means[-1], min(means, key=lambda row: row.perplexity)
        text = (
            f"{name}: perplexity {number(last.perplexity)} on held-out pairs and training loss {number(last.loss)} "
            f"after {counted(int(last.passes), 'epoch')}"
        )
        if best.passes < last.passes:
            text += f"; perplexity was best after epoch {int(best.passes)}, {number(best.perplexity)}"
            text += ", while the training loss went on falling" if last.loss < best.loss else ""
        texts.append(f"{text}.")
    return " ".join(texts) or "No translator has finished an epoch yet."
