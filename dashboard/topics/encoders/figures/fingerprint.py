"""Encoder predicted for an embedding: accuracy, confusion matrix, and the clusters behind it."""

from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.result import Estimate
from core.statistics.wording import measured_in, percent, rounded
from core.statistics.wording.naming import counted
from dashboard.kit.figures import foreign, intervals, planes, scatter, theme, traces
from dashboard.kit.figures.encoders import titled
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once

Layer = Literal["embedding", "hidden"]

LAYERS: dict[Layer, str] = {"embedding": "The embeddings", "hidden": "Hidden layer of the classifier"}
_ROW = 38
_DEEPEST = 0xA0
_LABEL = 18
_NO_MAP = "Too few embeddings of this dimension for a map."


@once
def accuracy(encoders: pd.DataFrame, estimates: dict[str, Estimate]) -> go.Figure:
    """Draw the accuracy on the embeddings of each encoder; the chance level is that of the overall accuracy."""
    known = encoders[encoders["accuracy"].notna()]
    drawing = theme.blank("Share predicted correctly", "", inner=_ROW * max(len(known), 3))
    if known.empty:
        return theme.empty(drawing, "No encoder made an embedding.")
    drawing.update_xaxes(range=[0, theme.WHOLE], tickformat=".0%", dtick=0.2)
    traces.name_rows(drawing, [foreign.shown(titled(row.encoder), _LABEL) for row in records(known)])
    theme.level(drawing, x=float(estimates["accuracy"].chance or 0))
    hover = [
        f"<b>{foreign.shown(titled(row.encoder))}</b>, {row.dimension:,} dimensions<br>"
        f"{measured_in(row, 'accuracy')} of {counted(row.victims, 'embedding')}"
        for row in records(known)
    ]
    heights, mark = list(range(len(known))), theme.Mark(theme.MEMBER, "circle")
    error = intervals.bars(known["accuracy"], known["low"], known["high"], theme.MEMBER, 3)
    scatter.points(drawing, known["accuracy"], heights, mark, None, hover, size=13, error_x=error, cliponaxis=False)
    return drawing.figure()


@once
def sentence(encoders: pd.DataFrame, estimates: dict[str, Estimate]) -> str:
    """Read the accuracy aloud, beside chance and beside a prediction by the dimension alone."""
    share = estimates["accuracy"]
    text = f"The encoder is predicted correctly for {measured_in(share, named=True)} of the embeddings; chance among "
    text += f"{len(encoders)} is {percent(share.chance or 0)}"
    length, alike = estimates.get("accuracy_by_dimension"), poolings(encoders)
    if length is None:
        return f"{text}.{alike}"
    if len(set(encoders.loc[encoders["victims"] > 0, "dimension"])) < 2:
        return f"{text}.{alike} All embeddings have the same dimension, so the dimension carries no information."
    return f"{text}; the embedding dimension alone gives {percent(length.value)}.{alike}"


@once
def poolings(encoders: pd.DataFrame) -> str:
    """Say which candidates are one network whose tokens are pooled in different ways; empty where none are."""
    by_source: dict[str, list[str]] = {}
    for label in encoders["encoder"]:
        source, _, pooling = label.partition(", ")
        by_source.setdefault(source, []).append(pooling)
    several = {source: names for source, names in by_source.items() if len(names) > 1}
    text = ""
    for source, names in several.items():
        subject = f"The {len(names)} “encoders” are" if len(by_source) == 1 else f"{len(names)} of the encoders are"
        text += f" {subject} one network, {titled(source)}, with its tokens pooled in different ways: {joined(names)}."
    return text


@once
def confusion(table: pd.DataFrame) -> go.Figure:
    """Draw a cell for each pair of encoders: the share of the row's embeddings predicted as the column's."""
    names = list(dict.fromkeys(table["truth"]))
    drawing = theme.blank("Predicted encoder", "True encoder", inner=60 + _ROW * max(len(names), 3))
    position = {name: number for number, name in enumerate(names)}
    row_names = [foreign.shown(titled(name), _LABEL) for name in names]
    # Upright, where a second line would run into the next name.
    column_names = [foreign.shown(titled(name)) for name in names]
    drawing.update_xaxes(range=[-0.5, len(names) - 0.5], tickangle=-90, **theme.categories(column_names))
    drawing.update_yaxes(range=[len(names) - 0.5, -0.5], **theme.categories(row_names))
    known = [row for row in records(table) if np.isfinite(row.share)]
    for row in known:
        colour = theme.MEMBER if row.truth == row.guess else theme.NONMEMBER
        x, y = position[row.guess], position[row.truth]
        fill = theme.veil(colour, round(_DEEPEST * row.share) if row.share else 0x08)
        theme.area(drawing, (x - 0.48, x + 0.48), (y - 0.46, y + 0.46), fill)
    hover = [f"{_answered(row.truth, row.guess)}: {counted(row.victims, 'embedding')}" for row in known]
    traces.texts(
        drawing,
        [position[row.guess] for row in known],
        [position[row.truth] for row in known],
        [_whole_percent(row.share) for row in known],
        customdata=hover,
        hovertemplate="%{customdata}<extra></extra>",
    )
    return drawing.figure()


@once
def confused(table: pd.DataFrame) -> str:
    """Read aloud which encoders are mistaken for each other."""
    wrong = table[(table["truth"] != table["guess"]) & (table["victims"] > 0)].sort_values("victims", ascending=False)
    if wrong.empty:
        return "Every encoder was predicted correctly: all embeddings lie on the diagonal."
    row = records(wrong)[0]
    total = int(wrong["victims"].sum())
    which = "All of them" if row.victims == total else f"Most frequent mistake, {counted(int(row.victims), 'time')}"
    wrongly = counted(total, "embedding was", "embeddings were")
    return f"{wrongly} attributed to a wrong encoder. {which}: {titled(row.truth)} predicted as {titled(row.guess)}."


@once
def share_a_dimension(encoders: pd.DataFrame) -> bool:
    """Tell whether several encoders made embeddings of one dimension."""
    return bool(encoders.loc[encoders["victims"] > 0, "dimension"].duplicated().any())


@once
def dimensions(coordinates: pd.DataFrame) -> list[int]:
    """Return the embedding dimensions with maps, the one with the most encoders first."""
    counts = coordinates.groupby("dimension")["encoder"].nunique()
    return [int(dimension) for dimension in counts.sort_values(ascending=False, kind="stable").index.tolist()]


@once
def of(coordinates: pd.DataFrame, layer: Layer, method: str, dimension: int) -> pd.DataFrame:
    """Return the points of one map."""
    return coordinates[
        (coordinates["layer"] == layer) & (coordinates["method"] == method) & (coordinates["dimension"] == dimension)
    ]


@once
def clusters(points: pd.DataFrame, method: str) -> go.Figure:
    """Draw one map, a colour and a symbol for each encoder; wrong predictions have a dark edge."""
    drawing = theme.blank(*planes.AXES[method], height=440, legend=True)
    if points.empty:
        return theme.empty(drawing, _NO_MAP)
    names = sorted(set(points["encoder"]))
    for name, mark in zip(names, theme.distinct(len(names)), strict=True):
        part = points[points["encoder"] == name]
        wrong = part["guess"] != part["encoder"]
        edge = {
            "color": wrong.map({True: theme.INK, False: theme.BACKGROUND}),
            "width": wrong.map({True: 2.5, False: 0.5}),
        }
        look: dict[str, Any] = {"size": wrong.map({True: 12, False: 8}), "edge": edge, "opaque": True}
        hover = [_answered(row.encoder, row.guess) for row in records(part)]
        scatter.points(drawing, part["x"], part["y"], mark, foreign.shown(titled(name)), hover, **look)
    planes.hide_numbers(drawing)
    return drawing.figure()


@once
def apart(coordinates: pd.DataFrame, method: str, dimension: int) -> str:
    """Read both maps aloud, by how often a point's nearest neighbour comes from the same encoder."""
    shares = []
    for layer, where in (("embedding", "among the embeddings"), ("hidden", "in the hidden layer")):
        points = of(coordinates, layer, method, dimension)  # type: ignore[arg-type]
        if len(points) > 1:
            shares.append(f"{percent(planes.alike(points, 'encoder'))} {where}")
    if not shares:
        return _NO_MAP
    return (
        f"In the {planes.NAMES[method]} plane, a point’s nearest neighbour comes from the same encoder in "
        f"{joined(shares)}. A dark edge marks a wrong prediction."
    )


def _whole_percent(share: float) -> str:
    """Return a share as short as a cell is wide; empty for 0.

    >>> _whole_percent(0.0), _whole_percent(0.004), _whole_percent(0.996), _whole_percent(1.0)
    ('', '&lt;1%', '99%', '100%')
    """
    if share == 0:
        return ""
    return "&lt;1%" if share < 0.01 else f"{min(int(rounded(share)), 99) if share < 1 else 100}%"


def _answered(truth: str, guess: str) -> str:
    """Return the true and the predicted encoder for a hover text."""
    return f"true <b>{foreign.shown(titled(truth))}</b>, predicted <b>{foreign.shown(titled(guess))}</b>"
