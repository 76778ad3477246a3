"""The attack along its LASSO path: how many pairs it keeps, their weights, and how right it is."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.charts import theme
from dashboard.charts.pairs import name
from dashboard.charts.wording import counted, decimal, documents, joined, measured, percent

_MOST = 30
_NAMED = 6


def penalties(curve: pd.DataFrame, path: pd.DataFrame) -> list[float]:
    """Return the penalties along the path, strongest first."""
    known = pd.concat([curve["penalty"], path["penalty"]]).dropna().unique()
    return sorted((float(value) for value in known), reverse=True)


def answer(attack: Mapping[str, Any]) -> float | None:
    """Return the penalty behind the attack's answer, or None where every target has one of its own.

    Args:
        attack: The attack's parameters as plain values.
    """
    if attack.get("penalty") != "inverse_root" or not attack.get("shadow_pairs"):
        return None
    return float(1 / np.sqrt(attack["shadow_pairs"]))


def nearest(values: list[float], wanted: float | None) -> float | None:
    """Return the penalty of the path closest to another, on the logarithmic scale."""
    if not values:
        return None
    middle = values[len(values) // 2] if wanted is None else wanted
    return min(values, key=lambda value: abs(np.log(value / middle)))


def kept(path: pd.DataFrame, target: int, penalty: float) -> pd.DataFrame:
    """Return the pairs of a target that have a weight at a penalty, heaviest first."""
    own = path[(path["target"] == target) & np.isclose(path["penalty"], penalty) & (path["weight"] != 0)]
    return own.sort_values("weight", key=lambda weight: -weight.abs(), kind="stable").reset_index(drop=True)


def along(curve: pd.DataFrame, attack: str, size: int) -> pd.DataFrame:
    """Return the attack's figures at every penalty for one target size, strongest penalty first."""
    own = curve[(curve["variant"] == attack) & (curve["size"] == size) & curve["penalty"].notna()]
    return own.sort_values("penalty", ascending=False)


def weights(path: pd.DataFrame, target: int, chosen: float, of_answer: float | None) -> go.Figure:
    """Draw the weight of each pair of a target along the path."""
    drawing = _frame("Weight in the decision", path["penalty"].to_numpy(), right=132)
    own = path[(path["target"] == target) & (path["weight"] != 0)]
    if own.empty:
        return theme.empty(drawing, "No pair gets a weight anywhere on the path.")
    steps = sorted(path["penalty"].unique(), reverse=True)
    wide = own.pivot_table(index=["first", "second"], columns="penalty", values="weight", aggfunc="sum", fill_value=0.0)
    wide = wide.reindex(columns=steps, fill_value=0.0)
    wide = wide.loc[wide.abs().max(axis=1).sort_values(ascending=False, kind="stable").index].head(_MOST)
    low, high = min(float(wide.min(axis=None)), 0.0), max(float(wide.max(axis=None)), 0.0)
    room = 0.06 * (high - low)
    low, high = low - room, high + room
    column = min(steps, key=lambda step: abs(step - chosen))
    _lines(drawing, wide.iloc[_NAMED:], steps, column, faint=True)
    _lines(drawing, wide.iloc[:_NAMED], steps, column, faint=False)
    labels = [
        (float(row.iloc[-1]), _brief(name(first, second)), _colour(row))
        for (first, second), row in wide.iloc[:_NAMED].iterrows()
    ]
    drawing.update_yaxes(range=[low, high], zeroline=True, zerolinewidth=2)
    theme.beside(drawing, labels, steps[-1], low, high)
    _marks(drawing, chosen, of_answer)
    return drawing


def quality(curve: pd.DataFrame, attack: str, size: int, chosen: float, of_answer: float | None) -> go.Figure:
    """Draw accuracy and AUC along the path for one target size."""
    shown = along(curve, attack, size)
    drawing = _frame("Accuracy, AUC", shown["penalty"].to_numpy(), right=84)
    ends = shown[["low", "auc_low"]].min(axis=None)
    low = min(0.4, float(ends) - 0.02) if np.isfinite(ends) else 0.4
    drawing.update_yaxes(range=[low, 1.03], tickformat=".1f", dtick=0.1)
    theme.level(drawing, y=0.5)
    if shown.empty:
        return theme.empty(drawing, "The path was not played.")
    labels = []
    for column, ends_at, text, mark in (
        ("accuracy", ("low", "high"), "accuracy", theme.distinct(2)[0]),
        ("auc", ("auc_low", "auc_high"), "AUC", theme.Mark(theme.AGAINST, "square", "dash")),
    ):
        part = shown[shown[column].notna()]
        if part.empty:
            continue
        drawing.add_scatter(
            x=[*part["penalty"], *part["penalty"][::-1]], y=[*part[ends_at[1]], *part[ends_at[0]][::-1]],
            fill="toself", fillcolor=theme.veil(mark.colour, 0x24), mode="none", hoverinfo="skip",
        )  # fmt: skip
        drawing.add_scatter(
            x=part["penalty"], y=part[column], mode="lines+markers", name=text,
            line={"color": mark.colour, "width": 3, "dash": mark.dash},
            marker={"symbol": mark.symbol, "size": 8, "color": mark.colour},
            hovertemplate=f"{text} %{{y:.2f}} at penalty %{{x:.3g}}<extra></extra>",
        )  # fmt: skip
        labels.append((float(part[column].iloc[-1]), text, mark.colour))
    theme.beside(drawing, labels, float(shown["penalty"].min()), low, 1.03)
    _marks(drawing, chosen, of_answer)
    return drawing


def weights_sentence(path: pd.DataFrame, target: int, chosen: float) -> str:
    """Read the pairs that have a weight at the chosen penalty aloud."""
    own = kept(path, target, chosen)
    if own.empty:
        return f"At penalty {chosen:.3g} no pair of this target has a weight: the attack can only guess."
    names = [f"“{row.first}” with “{row.second}”" for row in own.head(3).itertuples()]
    beginning = f"At penalty {chosen:.3g}, {counted(len(own), 'pair has', 'pairs have')} a weight"
    against = int((own["weight"] > 0).sum())
    text = f"{beginning}, heaviest {joined(names)}."
    if against:
        text += f" For {against} of them distance, not closeness, speaks for membership."
    return text


def sentence(
    curve: pd.DataFrame, path: pd.DataFrame, attack: str, target: int, size: int, chosen: float, of_answer: float | None
) -> str:
    """Read the chosen point of the path aloud."""
    number = len(kept(path, target, chosen))
    pairs = counted(number, "pair") if number else "no pair"
    targets = max(int(path["target"].max()) + 1, target + 1) if len(path) else target + 1
    at = path[np.isclose(path["penalty"], chosen) & (path["weight"] != 0)]
    said = f"At penalty {chosen:.3g} LASSO keeps {pairs} of this target ({len(at) / targets:.0f} a target on average)"
    all_steps = along(curve, attack, size)
    here = all_steps[np.isclose(all_steps["penalty"], chosen)]
    if len(here):
        row = here.iloc[0]
        auc = f", AUC {decimal(row['auc'])}" if np.isfinite(row["auc"]) else ""
        said += f", and the attack is right in {measured(row['accuracy'], row['low'], row['high'])}{auc}, for {documents(size)}"
    said += "."
    if of_answer is not None:
        said += f" The attack’s answer uses {of_answer:.3g}, which is 1/√k as in the paper."
    if len(all_steps):
        best = all_steps.loc[all_steps["accuracy"].idxmax()]
        overlap = len(here) and best["low"] <= here.iloc[0]["accuracy"]
        if len(here) and not overlap:
            said += f" The path does better at {best['penalty']:.3g}: {percent(best['accuracy'])}."
        elif len(here):
            said += " No other point of the path is better beyond its interval."
    return said


def _lines(drawing: go.Figure, wide: pd.DataFrame, steps: list[float], column: float, *, faint: bool) -> None:
    """Draw the pairs' lines as one trace for each sign, and where they stand at the chosen penalty."""
    colours = [_colour(row) for _, row in wide.iterrows()]
    for colour in sorted(set(colours)):
        own = wide.loc[[colour == other for other in colours]]
        x: list[float | None] = []
        y: list[float | None] = []
        names: list[str] = []
        for (first, second), row in own.iterrows():
            x += [*steps, None]
            y += [*row, None]
            names += [name(first, second)] * (len(steps) + 1)
        drawing.add_scatter(
            x=x, y=y, mode="lines", text=names, connectgaps=False,
            line={"color": theme.veil(colour, 0x66) if faint else colour, "width": 1.5 if faint else 3},
            hovertemplate="<b>%{text}</b><br>weight %{y:+.3f} at penalty %{x:.3g}<extra></extra>",
        )  # fmt: skip
        standing = own.loc[own[column] != 0, column]
        drawing.add_scatter(
            x=[column] * len(standing), y=standing, mode="markers", hoverinfo="skip",
            marker={"color": colour, "size": 6 if faint else 9, "line": {"color": theme.BACKGROUND, "width": 1}},
        )  # fmt: skip


def _colour(row: pd.Series) -> str:
    return theme.MEMBER if -row.min() > row.max() else theme.AGAINST


def _brief(text: str) -> str:
    return text if len(text) <= 17 else f"{text[:16]}…"


def _frame(y: str, values: np.ndarray, right: int) -> go.Figure:
    drawing = theme.blank("LASSO penalty λ (more pairs →)", y, right=right)
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.02, 0.8)
    ticks = [tick for tick in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0) if low * 0.99 <= tick <= high * 1.01]
    drawing.update_xaxes(
        type="log",
        range=[np.log10(high * 1.08), np.log10(low / 1.08)],
        tickvals=ticks,
        ticktext=[f"{tick:g}" for tick in ticks],
    )
    return drawing


def _marks(drawing: go.Figure, chosen: float, of_answer: float | None) -> None:
    drawing.add_shape(
        type="line",
        yref="y domain",
        y0=0,
        y1=1,
        x0=chosen,
        x1=chosen,
        line={"color": theme.PAPER, "width": 2.5},
        name="chosen",
    )
    if of_answer is not None:
        drawing.add_shape(
            type="line", yref="y domain", y0=0, y1=1, x0=of_answer, x1=of_answer, name="answer",
            line={"color": theme.PAPER, "width": 2, "dash": "dot"},
        )  # fmt: skip
        drawing.add_annotation(
            text="answer", x=np.log10(of_answer), yref="y domain", y=1, yanchor="bottom", showarrow=False,
            font={"size": theme.SMALL, "color": theme.PAPER},
        )  # fmt: skip
