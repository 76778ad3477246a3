"""Training of a decoder, and what it wrote (Pan et al. 2020, Figure 10)."""

from collections import Counter

import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate
from core.statistics.wording import measured_in, percent
from core.statistics.wording.naming import counted
from dashboard.kit.figures import theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.kit.words import number

TITLE = "Training loss"
PAPER = (
    "The paper’s text on its Figure 10: the loss “decreases to almost 0 in the first several epochs”, what is decoded "
    "is “a sequence of repetition of certain random word”, and no decoder does “better than a random guesser”."
)
_FEW = 25
_LINES = (
    ("loss", "training texts", theme.Mark(theme.MEMBER, "circle")),
    ("left_out_loss", "held-out texts", theme.Mark(theme.NONMEMBER, "square", "dash")),
)


@once
def figure(decoding: pd.DataFrame, unit: str = "word") -> go.Figure:
    """Draw the loss by epoch, per word or other ``unit`` that the decoder writes."""
    drawing = theme.blank("Epochs", f"Loss per {unit} (nats)", legend=True)
    if decoding.empty:
        return theme.empty(drawing, "The decoder was not trained.")
    mode = "lines+markers" if len(decoding) <= _FEW else "lines"
    for column, name, mark in _LINES:
        hover = f"{name}<br>epoch %{{x}}: %{{y:.2f}} nats<extra></extra>"
        traces.series(drawing, decoding["epochs"], decoding[column], mark, mode=mode, name=name, hovertemplate=hover)
    drawing.update_yaxes(rangemode="tozero")
    return drawing.figure()


@once
def sentence(decoding: pd.DataFrame, unit: str = "word") -> str:
    """Read both losses aloud, and say when that on held-out texts was lowest, if not at the end."""
    if decoding.empty:
        return "The decoder was not trained."
    first, last = records(decoding)[0], records(decoding)[-1]
    best = records(decoding.sort_values("left_out_loss"))[0]
    text = (
        f"The loss goes from {number(first.loss)} to {number(last.loss)} nats per {unit} on training texts, and from "
        f"{number(first.left_out_loss)} to {number(last.left_out_loss)} on held-out texts."
    )
    if last.left_out_loss > 1.02 * best.left_out_loss:
        text += f" On held-out texts it was lowest after epoch {best.epochs}, {number(best.left_out_loss)}"
        text += ", while that on training texts went on falling." if last.loss < best.loss else "."
    return text


def verdict(accuracy: Estimate) -> str:
    """Say whether the decoded texts reveal the keywords."""
    text = (
        f"Keyword inference from the decoded texts has an accuracy of {measured_in(accuracy, named=True)}, where "
        f"chance is {percent(accuracy.chance or 0)}."
    )
    if accuracy.above_chance():
        return f"{text} That is better than chance: the decoder reveals keywords."
    if accuracy.chance is not None and accuracy.high < accuracy.chance:
        return f"{text} That is worse than chance: the decoder misleads."
    return f"{text} The interval includes chance: no leak is shown."


@once
def repeats(decoded: pd.DataFrame) -> str:
    """Say how often the decoded texts repeat each other and their words."""
    texts = [str(text).split() for text in decoded["words"]]
    counts = Counter(word for text in texts for word in text)
    if not counts:
        return f"For {counted(len(texts), 'victim')} it decoded no word."
    different = len({" ".join(text) for text in texts})
    word, times = counts.most_common(1)[0]
    return (
        f"For {counted(len(texts), 'victim')} it decoded {counted(different, 'different text')} of {len(counts):,} "
        f"different words; “{word}” alone is {percent(times / sum(counts.values()))} of all decoded words."
    )
