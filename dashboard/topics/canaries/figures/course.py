"""The attack on one canary step by step: how the mixture at each position of the secret settles on a word."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.statistics.wording import percent
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import heat, theme, traces
from dashboard.kit.figures.wording import is_or_are, joined
from dashboard.kit.shared import once

TITLE = "Mixtures by step"
LINES_TITLE = "Probability of the true word"
_CELL = 31
_CONTROLS = 112
_LEAST_SHOWN = 0.1
"""Cells below this probability show no number."""
_MIXED = 0.5
_NOT_KEPT = "The steps of this canary were not kept."


@once
def of(mixtures: pd.DataFrame, model: int, pattern: str) -> pd.DataFrame:
    """Return the steps of one canary; no row where they were not kept."""
    return mixtures[(mixtures["model"] == model) & (mixtures["pattern"] == pattern)].reset_index(drop=True)


@once
def figure(course: pd.DataFrame, truth: Sequence[str]) -> go.Figure:
    """Draw the last mixture as a heat map, with a slider and a button that play all steps."""
    candidates, steps, shares = _field(course)
    inner = _CONTROLS + _CELL * max(len(candidates), 5)
    drawing = theme.blank("Position in the secret", "Candidate", inner=inner)
    if not steps:
        return theme.empty(drawing, _NOT_KEPT)
    heat.cells(
        drawing,
        shares[-1].T,
        _texts(shares[-1]),
        gap=2,
        x=list(range(1, len(truth) + 1)),
        y=list(range(len(candidates))),
        textfont={"size": 13},
        customdata=[[word] * len(truth) for word in candidates],
        hovertemplate="“%{customdata}” at position %{x}: %{z:.1%}<extra></extra>",
        colorbar={
            "thickness": 12,
            "tickformat": ".0%",
            "dtick": 0.5,
            "tickfont": {"size": theme.SMALL, "color": theme.INK},
            "outlinewidth": 0,
            "xpad": 6,
            "title": {"text": "Probability", "side": "right"},
        },
    )
    for step, mixture in zip(steps, shares, strict=True):
        drawing.add_frame(str(step), z=mixture.T, text=_texts(mixture))
    drawing.update_xaxes(tickmode="linear", dtick=1, showgrid=False, range=[0.45, len(truth) + 0.55])
    traces.name_rows(drawing, candidates, below=0.45, above=0.55)
    for position, word in enumerate(truth, 1):
        line = {"color": theme.NONMEMBER, "width": 3.5}
        traces.rectangle(drawing, position, candidates.index(word), 0.96, 0.94, name="truth", line=line)
    _controls(drawing, steps)
    return drawing.figure()


@once
def lines(course: pd.DataFrame, truth: Sequence[str]) -> go.Figure:
    """Draw the probability of the true word by step, a line for each position, and the level of chance."""
    candidates, steps, shares = _field(course)
    drawing = theme.blank("Steps of the attack", "Probability of the true word", legend=True)
    drawing.update_yaxes(range=[-0.03, theme.WHOLE], tickformat=".0%", dtick=0.2)
    if not steps:
        return theme.empty(drawing, _NOT_KEPT)
    drawing.update_layout(legend={"title": {"text": "Position: true word", "font": {"size": theme.SMALL}}})
    room = max(0.02 * steps[-1], 0.5)
    drawing.update_xaxes(range=[-room, steps[-1] + room])
    theme.level(drawing, y=1 / len(candidates))
    for position, (word, mark) in enumerate(zip(truth, theme.distinct(len(truth)), strict=True)):
        right = shares[:, position, candidates.index(word)]
        hover = [
            f"<b>position {position + 1}</b>, step {step}<br>“{word}”, the true word: {percent(share)}<br>most likely: "
            f"“{candidates[best]}”"
            for step, share, best in zip(steps, right.tolist(), shares[:, position].argmax(axis=1), strict=True)
        ]
        name = f"{position + 1}: “{word}”"
        traces.series(drawing, steps, right, mark, width=2.5, size=6, name=name, text=hover)
    return drawing.figure()


@once
def sentence(course: pd.DataFrame, truth: Sequence[str], answer: Sequence[str]) -> str:
    """Read the steps aloud: when the mixture settled, how many words are correct, and how pure it is at the end.

    Args:
        course: What `of` returns.
        truth: The true words.
        answer: The final answer of the attack, after its descent if it has one.
    """
    candidates, steps, shares = _field(course)
    if not steps:
        return _NOT_KEPT
    best = shares.argmax(axis=2)  # (steps, positions)
    moved = [step for step, (before, after) in enumerate(pairwise(best), 1) if (before != after).any()]
    when = f"From step {steps[moved[-1]]} of {steps[-1]}" if moved else "From the first step"
    ends = [candidates[word] for word in best[-1]]
    right = sum(word == true for word, true in zip(ends, truth, strict=True))
    verdict = (
        "the secret"
        if right == len(truth)
        else f"of which {f'{right} {is_or_are(right)}' if right else 'none is'} correct"
    )
    text = f"{when} the most likely words are “{' '.join(ends)}”, {verdict}. {_purity(shares[-1].max(axis=1))}"
    if list(answer) != ends:
        text += f" The attack’s answer after its descent is “{' '.join(answer)}”."
    return f"{text} True words are outlined."


@once
def lines_sentence(course: pd.DataFrame, truth: Sequence[str]) -> str:
    """Read the lines aloud: their mean at both ends, and the positions where another word is likelier at the end."""
    candidates, steps, shares = _field(course)
    if not steps:
        return _NOT_KEPT
    true_candidates = [candidates.index(word) for word in truth]
    lost = [
        str(position) for position, word in enumerate(true_candidates, 1) if shares[-1, position - 1].argmax() != word
    ]
    first, last = (percent(float(shares[step, range(len(truth)), true_candidates].mean())) for step in (0, -1))
    chance = percent(1 / len(candidates))
    text = f"The mean probability of the true words goes from {first} to {last} (chance: {chance})."
    if not lost:
        return f"{text} In the end the true word is the most likely at every position."
    where = f"position{'s' if len(lost) > 1 else ''} {joined(lost)}"
    return f"{text} In the end another word is more likely at {where}."


def _field(course: pd.DataFrame) -> tuple[list[str], list[int], NDArray[np.float64]]:
    """Return the candidates, the steps, and the probabilities, (steps, positions, candidates)."""
    candidates = list(dict.fromkeys(course["candidate"]))
    steps = sorted({int(step) for step in course["step"]})
    positions = int(course["position"].max()) if len(course) else 0
    ordered = course.assign(candidate=course["candidate"].map({word: index for index, word in enumerate(candidates)}))
    ordered = ordered.sort_values(["step", "position", "candidate"], kind="stable")
    return (
        candidates,
        steps,
        ordered["probability"].to_numpy(np.float64).reshape(len(steps), positions, len(candidates)),
    )


def _texts(mixture: NDArray[np.float64]) -> list[list[str]]:
    """Return the texts of the cells in percent, (candidates, positions)."""
    return [[f"{100 * share:.0f}" if share >= _LEAST_SHOWN else "" for share in row] for row in mixture.T.tolist()]


def _purity(peaks: NDArray[np.float64]) -> str:
    low, high = float(peaks.min()), float(peaks.max())
    between = percent(low) if percent(low) == percent(high) else f"between {percent(low)} and {percent(high)}"
    text = f"In the end the most likely word of a position has {between} of the mixture"
    if low >= _MIXED:
        return f"{text}: it has settled."
    return f"{text}: it has not settled, and the answer takes its most likely words."


def _controls(drawing: Drawing, steps: Sequence[int]) -> None:
    """Add the slider through the steps, and the buttons that play and pause."""
    font = {"size": theme.SMALL, "color": theme.INK}
    moment = {"mode": "immediate", "frame": {"duration": 0, "redraw": True}, "transition": {"duration": 0}}
    playing = {**moment, "fromcurrent": False, "frame": {"duration": 150, "redraw": True}}
    corner = {"x": 0, "y": 0, "yanchor": "top", "font": font}
    drawing.update_layout(
        sliders=[
            {
                **corner,
                "active": len(steps) - 1,
                "len": 1,
                "pad": {"t": 60, "b": 0},
                "currentvalue": {"prefix": "After step ", "font": font, "xanchor": "right", "offset": 16},
                "bgcolor": theme.veil(theme.MEMBER, 0x60),
                "activebgcolor": theme.MEMBER,
                "bordercolor": theme.MEMBER,
                "ticklen": 4,
                "minorticklen": 0,
                "tickcolor": theme.INK,
                "steps": [{"method": "animate", "label": str(step), "args": [[str(step)], moment]} for step in steps],
            }
        ],
        updatemenus=[
            {
                **corner,
                "type": "buttons",
                "direction": "left",
                "showactive": False,
                "xanchor": "left",
                "pad": {"t": 56, "b": 0},
                "bgcolor": theme.BACKGROUND,
                "bordercolor": theme.INK,
                "borderwidth": 1,
                "buttons": [
                    {"label": "Play", "method": "animate", "args": [None, playing]},
                    {"label": "Pause", "method": "animate", "args": [[None], moment]},
                ],
            }
        ],
    )
