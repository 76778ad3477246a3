"""The attack along its LASSO path: number and weights of pairs, accuracy and AUC."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.statistics.wording import decimal, measured_in, percent
from core.statistics.wording.naming import counted, documents
from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import foreign, labels, scatter, theme, traces
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once
from dashboard.topics.word_pairs.figures.pairs import name

_MOST = 30
_LABELLED = 6
_SAME = 0.05
"""Share of all weight by which two fits at one penalty may differ."""


@once
def penalties(*tables: pd.DataFrame) -> list[float]:
    """Return the penalties in tables with a column of them, strongest first."""
    known = {float(value) for table in tables for value in table["penalty"].dropna().tolist()}
    return sorted(known, reverse=True)


@dataclass(frozen=True)
class Answer:
    """The penalty behind the attack's answer about a target, and how it was chosen."""

    penalty: float
    reason: str


@once
def answer(attack: Mapping[str, Any], tables: Mapping[str, pd.DataFrame], target: int) -> Answer | None:
    """Return the penalty behind the attack's answer about a target, or None where it is unknown.

    Cross-validation chooses one for each target, found again from the tables ``pairs`` and ``path``.
    """
    if attack.get("penalty") == "inverse_root" and attack.get("shadow_pairs"):
        return Answer(float(1 / np.sqrt(attack["shadow_pairs"])), "1/√k as in the paper")
    if attack.get("penalty") == "cross_validated":
        penalty = _with_these_weights(tables["pairs"], tables["path"], target)
        return None if penalty is None else Answer(penalty, "chosen on held-out shadow models of this target")
    return None


@once
def with_answer(
    tables: Mapping[str, pd.DataFrame], attack: str, of_answer: Answer | None
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the tables ``path`` and ``curve`` with the answer's penalty as a step, where it lies between two others.

    Args:
        tables: The result's ``targets``, ``pairs``, ``path`` and ``curve``.
        attack: Name of the attack.
        of_answer: What is behind the attack's answer, or None.
    """
    path, curve = tables["path"], tables["curve"]
    steps = penalties(path)
    if of_answer is None or not steps or np.isclose(steps, of_answer.penalty).any():
        return path, curve
    pairs, answers = tables["pairs"], curve[(curve["variant"] == attack) & curve["penalty"].isna()]
    last = answers[answers["shadows"] == answers["shadows"].max()].assign(penalty=of_answer.penalty)
    weighted = pairs[pairs["weight"] != 0].assign(penalty=of_answer.penalty)
    extended = pd.concat([path, weighted[path.columns]], ignore_index=True)
    return extended, pd.concat([curve, last], ignore_index=True)


def nearest(values: list[float], wanted: float | None) -> float | None:
    """Return the penalty of the path closest to another, on the logarithmic scale."""
    if not values:
        return None
    middle = values[len(values) // 2] if wanted is None else wanted
    return min(values, key=lambda value: abs(np.log(value / middle)))


@once
def selected(path: pd.DataFrame, target: int, penalty: float) -> pd.DataFrame:
    """Return the pairs of a target that have a weight at a penalty, heaviest first."""
    weighted = path[(path["target"] == target) & np.isclose(path["penalty"], penalty) & (path["weight"] != 0)]
    return weighted.sort_values("weight", key=lambda weight: -weight.abs(), kind="stable").reset_index(drop=True)


@once
def along(curve: pd.DataFrame, attack: str, size: int) -> pd.DataFrame:
    """Return the attack's figures at every penalty for one target size, strongest penalty first."""
    steps = curve[(curve["variant"] == attack) & (curve["size"] == size) & curve["penalty"].notna()]
    return steps.sort_values("penalty", ascending=False)


@once
def weights(path: pd.DataFrame, target: int, chosen: float, answer_penalty: float | None) -> go.Figure:
    """Draw the weight of each pair of a target along the path."""
    drawing = _frame("Weight in the decision", path["penalty"].to_numpy(), right=146, legend=True)
    weighted = path[(path["target"] == target) & (path["weight"] != 0)]
    if weighted.empty:
        return theme.empty(drawing, "No pair gets a weight anywhere on the path.")
    steps = penalties(path)
    lines = _heaviest(weighted, steps)
    low, high = min(0.0, *(line.weights.min() for line in lines)), max(0.0, *(line.weights.max() for line in lines))
    room = 0.06 * (high - low)
    low, high = float(low - room), float(high + room)
    column = steps.index(min(steps, key=lambda step: abs(step - chosen)))
    _draw(drawing, lines[_LABELLED:], steps, column, faint=True)
    _draw(drawing, lines[:_LABELLED], steps, column, faint=False)
    # The legend stands above the names of both penalties.
    drawing.update_layout(height=theme.HEIGHT + _ABOVE, margin={"t": theme.TOP + _ABOVE})
    ends = [(float(line.weights[-1]), foreign.cut(line.name, 19), line.colour) for line in lines[:_LABELLED]]
    drawing.update_yaxes(range=[low, high], zeroline=True, zerolinewidth=2)
    labels.beside(drawing, ends, steps[-1], low, high)
    _marks(drawing, chosen, answer_penalty)
    return drawing.figure()


@once
def quality(curve: pd.DataFrame, attack: str, size: int, chosen: float, answer_penalty: float | None) -> go.Figure:
    """Draw accuracy and AUC along the path for one target size."""
    steps = along(curve, attack, size)
    drawing = _frame("Accuracy (for the AUC, 100% is 1)", steps["penalty"].to_numpy(), right=84)
    low, high = theme.accuracies(drawing, steps["low"], steps["auc_low"], labelled=False)
    if steps.empty:
        return theme.empty(drawing, "The path was not computed.")
    ends = [(0.5, "chance", theme.INK)]
    for text, value, low_end, high_end, mark in (
        ("accuracy", "accuracy", "low", "high", theme.Mark(theme.MEMBER, "circle")),
        ("AUC", "auc", "auc_low", "auc_high", theme.Mark(theme.AGAINST, "square", "dash")),
    ):
        part = steps[steps[value].notna()]
        if part.empty:
            continue
        written = percent if value == "accuracy" else decimal
        hover = [f"{text} {written(row[value])} at penalty {row['penalty']:.3g}" for row in part.to_dict("records")]
        traces.interval_line(drawing, part, ("penalty", value, low_end, high_end), mark, text, hover, size=8)
        ends.append((part[value].tolist()[-1], text, mark.colour))
    labels.beside(drawing, ends, steps["penalty"].tolist()[-1], low, high)
    _marks(drawing, chosen, answer_penalty)
    return drawing.figure()


@once
def weights_sentence(path: pd.DataFrame, target: int, chosen: float) -> str:
    """Read the pairs that have a weight at the chosen penalty aloud."""
    weighted = selected(path, target, chosen)
    if weighted.empty:
        return f"At penalty {chosen:.3g} no pair of this target has a weight: the attack is at chance."
    names = [f"“{row.first}” with “{row.second}”" for row in records(weighted.head(3))]
    text = f"At penalty {chosen:.3g}, {counted(len(weighted), 'pair has', 'pairs have')} a weight"
    text += f", heaviest {joined(names)}."
    if against := int((weighted["weight"] > 0).sum()):
        text += f" For {against} of them distance, not closeness, speaks for membership."
    return text


@once
def sentence(
    tables: Mapping[str, pd.DataFrame], attack: str, target: int, chosen: float, of_answer: Answer | None
) -> str:
    """Read the chosen point of the path aloud.

    Args:
        tables: The result's ``targets``, ``scores``, ``path`` and ``curve``.
        attack: Name of the attack.
        target: Number of the target.
        chosen: The penalty at which the slider stands.
        of_answer: What is behind the attack's answer, or None.
    """
    size = next(row.size for row in records(tables["targets"]) if row.target == target)
    peers = [row.target for row in records(tables["targets"]) if row.size == size]
    path = tables["path"]
    alike = path["target"].isin(peers) & np.isclose(path["penalty"], chosen) & (path["weight"] != 0)
    mean = int(alike.sum()) / len(peers)
    number = len(selected(path, target, chosen))
    pairs = counted(number, "pair") if number else "no pair"
    text = (
        f"At penalty {chosen:.3g} LASSO keeps {pairs} of this target ({mean:.0f} on average over targets of its size)"
    )
    steps = records(along(tables["curve"], attack, size))
    chosen_step = next((step for step in steps if np.isclose(step.penalty, chosen)), None)
    if chosen_step is not None:
        auc = f", AUC {decimal(chosen_step.auc)}" if np.isfinite(chosen_step.auc) else ""
        right = measured_in(chosen_step, "accuracy")
        decisions = counted(int((tables["scores"]["size"] == size).sum()), "decision")
        text += f", and the attack is right in {right} of {decisions}{auc}, for {documents(size)}"
    text += "."
    if of_answer is not None and np.isclose(chosen, of_answer.penalty):
        text += f" That is the penalty of the attack’s answer, {of_answer.reason}."
    elif of_answer is not None:
        text += f" The attack’s answer uses {of_answer.penalty:.3g}, {of_answer.reason}."
    if chosen_step is not None:
        best = max(steps, key=lambda step: step.accuracy)
        if best.low > chosen_step.accuracy:
            text += f" Penalty {best.penalty:.3g} is more accurate: {percent(best.accuracy)}."
        else:
            text += " No other penalty is more accurate beyond its interval."
    return text


@dataclass(frozen=True)
class _Line:
    """The weight of one pair at every penalty, strongest penalty first."""

    name: str
    weights: NDArray[np.float64]

    @property
    def colour(self) -> str:
        return theme.MEMBER if -self.weights.min() > self.weights.max() else theme.AGAINST


def _heaviest(weighted: pd.DataFrame, steps: list[float]) -> list[_Line]:
    """Return the lines of the pairs that weigh most anywhere, heaviest first; without a row a weight is 0."""
    columns = {step: number for number, step in enumerate(steps)}
    weights: dict[str, NDArray[np.float64]] = {}
    for row in records(weighted):
        weights.setdefault(name(row.first, row.second), np.zeros(len(steps)))[columns[row.penalty]] = row.weight
    lines = [_Line(pair, values) for pair, values in weights.items()]
    return sorted(lines, key=lambda line: -float(np.abs(line.weights).max()))[:_MOST]


_ABOVE = 62
"""Room for a legend of two lines above a name, in pixels."""
_MEANINGS = {theme.MEMBER: "closeness speaks for membership", theme.AGAINST: "distance does"}


def _draw(drawing: Drawing, lines: list[_Line], steps: list[float], column: int, *, faint: bool) -> None:
    """Draw lines as one trace for each sign, and where they stand at the chosen penalty."""
    for colour in (theme.MEMBER, theme.AGAINST):
        alike = [line for line in lines if line.colour == colour]
        if not alike:
            continue
        meaning = _MEANINGS[colour]
        listed: dict[str, Any] = {"legendgroup": meaning, "name": meaning}
        listed["showlegend"] = all(trace.get("legendgroup") != meaning for trace in drawing.traces)
        drawing.add_scatter(
            x=[*steps, None] * len(alike),
            y=[weight for line in alike for weight in (*line.weights, None)],
            mode="lines",
            text=[line.name for line in alike for _ in range(len(steps) + 1)],
            connectgaps=False,
            line={"color": theme.veil(colour, 0x66) if faint else colour, "width": 1.5 if faint else 3},
            hovertemplate="<b>%{text}</b><br>weight %{y:+.3f} at penalty %{x:.3g}<extra></extra>",
            **listed,
        )
        standing = [line.weights[column] for line in alike if line.weights[column] != 0]
        look = {"color": colour, "size": 6 if faint else 9, "line": scatter.RIM}
        x = [steps[column]] * len(standing)
        drawing.add_scatter(x=x, y=standing, mode="markers", hoverinfo="skip", marker=look, showlegend=False)


def _with_these_weights(pairs: pd.DataFrame, path: pd.DataFrame, target: int) -> float | None:
    """Return the penalty of the path at which a target's pairs have the weights that the answer gives them."""
    names = ["first", "second"]
    wanted = pairs[pairs["target"] == target].set_index(names)["weight"]
    fits = path[path["target"] == target]
    if wanted.empty or fits.empty:
        return None
    distances = {
        step: float(fits[fits["penalty"] == step].set_index(names)["weight"].sub(wanted, fill_value=0).abs().sum())
        for step in penalties(fits)
    }
    best = min(distances, key=lambda penalty: distances[penalty])
    return best if distances[best] < _SAME * float(wanted.abs().sum()) else None


def _frame(y: str, values: np.ndarray, right: int, *, legend: bool = False) -> Drawing:
    drawing = theme.blank("LASSO penalty λ (more pairs →)", y, right=right, legend=legend)
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.02, 0.8)
    ticks = [tick for tick in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0) if low * 0.99 <= tick <= high * 1.01]
    drawing.update_xaxes(
        type="log",
        range=[np.log10(high * 1.08), np.log10(low / 1.08)],
        tickvals=ticks,
        ticktext=[f"{tick:g}" for tick in ticks],
    )
    return drawing


def _marks(drawing: Drawing, chosen: float, answer_penalty: float | None) -> None:
    theme.rule(drawing, x=chosen, line={"color": theme.PAPER, "width": 2.5}, name="chosen")
    if answer_penalty is None or not np.isclose(chosen, answer_penalty):
        traces.foot(drawing, "chosen", float(np.log10(chosen)), theme.PAPER)
    if answer_penalty is not None:
        theme.rule(drawing, x=answer_penalty, name="answer", line={"color": theme.PAPER, "width": 2, "dash": "dot"})
        top: dict[str, Any] = {"yref": "y domain", "y": 1, "yanchor": "bottom"}
        theme.note(drawing, "answer", x=np.log10(answer_penalty), colour=theme.PAPER, **top)
