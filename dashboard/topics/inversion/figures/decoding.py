"""What a decoder learnt and what it wrote (Pan et al. 2020, Figure 10)."""

from collections import Counter
from typing import TYPE_CHECKING

import pandas as pd

from core.result import Estimate
from dashboard.kit.figures import theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, measured, percent
from dashboard.kit.words import number

if TYPE_CHECKING:
    import plotly.graph_objects as go

PAPER = (
    "The paper’s text on its Figure 10: the loss “decreases to almost 0 in the first several epochs”, what is decoded "
    "is “a sequence of repetition of certain random word”, and no decoder does “better than a random guesser”."
)
_LINES = (
    ("loss", "on the texts that teach", theme.Mark(theme.MEMBER, "circle", "solid")),
    ("left_out_loss", "on texts left out", theme.Mark(theme.NONMEMBER, "square", "dash")),
)


def losses(decoding: pd.DataFrame) -> "go.Figure":
    """Draw the loss a word against the passes of training."""
    drawing = theme.blank("Passes over the adversary’s own texts", "Loss a word (nats)", legend=True)
    if decoding.empty:
        return theme.empty(drawing, "The decoder was not trained.")
    few = len(decoding) <= 25
    for column, name, mark in _LINES:
        drawing.add_scatter(
            x=decoding["epochs"],
            y=decoding[column],
            mode="lines+markers" if few else "lines",
            name=name,
            line={"color": mark.colour, "width": 3, "dash": mark.dash},
            marker={"color": mark.colour, "symbol": mark.symbol, "size": 8},
            hovertemplate=f"{name}<br>pass %{{x}}: %{{y:.2f}} nats<extra></extra>",
        )
    drawing.update_yaxes(rangemode="tozero")
    return drawing.figure()


def loss_sentence(decoding: pd.DataFrame) -> str:
    """Read the losses aloud: what is learnt, and what of it holds for other texts."""
    if decoding.empty:
        return "The decoder was not trained."
    first, last = records(decoding)[0], records(decoding)[-1]
    best = records(decoding.sort_values("left_out_loss"))[0]
    text = (
        f"The loss falls from {number(first.loss)} to {number(last.loss)} nats a word on the texts that teach, and "
        f"from {number(first.left_out_loss)} to {number(last.left_out_loss)} on texts left out."
    )
    if last.left_out_loss > 1.02 * best.left_out_loss:
        text += f" Since pass {best.epochs} it learns its own texts by heart, which helps on no other."
    return text


def verdict(figure: Estimate) -> str:
    """Say whether what was written gives the keywords away."""
    share = measured(figure.value, figure.low, figure.high, named=True)
    guessing = percent(figure.chance or 0)
    text = f"Looking for the keywords in what it wrote is right in {share}; guessing gives {guessing}."
    if figure.above_chance():
        return f"{text} That is better than guessing: the decoder gives words away."
    if figure.chance is not None and figure.high < figure.chance:
        return f"{text} That is worse than guessing: the decoder misleads."
    return f"{text} At or near chance: no leak is shown."


def repeats(decoded: pd.DataFrame) -> str:
    """Read aloud how much of what was written is the same again."""
    texts = [str(text).split() for text in decoded["words"]]
    counts = Counter(word for text in texts for word in text)
    if not counts:
        return f"For {counted(len(texts), 'victim')} it wrote not one word."
    different = len({" ".join(text) for text in texts})
    word, times = counts.most_common(1)[0]
    return (
        f"For {counted(len(texts), 'victim')} it wrote {counted(different, 'different text')} of {len(counts):,} "
        f"different words; “{word}” alone is {percent(times / sum(counts.values()))} of all it wrote."
    )
