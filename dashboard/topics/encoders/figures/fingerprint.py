"""Encoder predicted for an embedding: accuracy, confusion matrix, and the clusters behind it."""

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from core.result import Estimate
from dashboard.kit.figures import foreign, intervals, planes, theme
from dashboard.kit.figures.tables import records
from dashboard.kit.figures.wording import counted, joined, measured, percent

if TYPE_CHECKING:
    import plotly.graph_objects as go

Layer = Literal["embedding", "hidden"]

LAYERS: dict[Layer, str] = {"embedding": "The embeddings", "hidden": "Hidden layer of the classifier"}
_LEVEL = 4
_ROW = 38
_DEEPEST = 0xA0
_LABEL = 16


def accuracy(encoders: pd.DataFrame, estimates: dict[str, Estimate]) -> "go.Figure":
    """Draw the accuracy on the embeddings of each encoder; the chance level is that of the overall accuracy."""
    known = encoders[encoders["accuracy"].notna()]
    height = theme.TOP + theme.BOTTOM + _ROW * max(len(known), 3)
    drawing = theme.blank("Share of its embeddings predicted correctly", "", height=height)
    if known.empty:
        return theme.empty(drawing, "No encoder made an embedding.")
    drawing.update_xaxes(range=[0, 1.04], tickformat=".0%", dtick=0.2)
    ticks = theme.categories([foreign.shown(row.encoder, _LABEL) for row in records(known)])
    drawing.update_yaxes(range=[len(known) - 0.4, -0.6], **ticks)
    theme.level(drawing, x=float(estimates["accuracy"].chance or 0))
    drawing.add_scatter(
        x=known["accuracy"],
        y=list(range(len(known))),
        mode="markers",
        marker={"color": theme.MEMBER, "symbol": "circle", "size": 13},
        error_x=intervals.bars(known["accuracy"], known["low"], known["high"], theme.MEMBER, 3),
        text=[
            f"<b>{foreign.shown(row.encoder)}</b>, {row.dimension:,} dimensions<br>"
            f"{measured(row.accuracy, row.low, row.high)} of {counted(row.victims, 'embedding')}"
            for row in records(known)
        ],
    )
    return drawing.figure()


def sentence(encoders: pd.DataFrame, estimates: dict[str, Estimate]) -> str:
    """Read the accuracy aloud, beside chance and beside a prediction by the dimension alone."""
    figure = estimates["accuracy"]
    text = f"The encoder is predicted correctly for {measured(figure.value, figure.low, figure.high, named=True)}"
    text += f" of the embeddings; chance among {len(encoders)} is {percent(figure.chance or 0)}"
    length = estimates.get("accuracy_by_dimension")
    if length is None:
        return f"{text}."
    if len(set(encoders.loc[encoders["victims"] > 0, "dimension"])) < 2:
        return f"{text}. All embeddings have the same dimension, so the dimension carries no information."
    return f"{text}; the embedding dimension alone gives {percent(length.value)}."


def confusion(table: pd.DataFrame) -> "go.Figure":
    """Draw a cell for each pair of encoders: the share of the row's embeddings predicted as the column's."""
    names = list(dict.fromkeys(table["truth"]))
    height = theme.TOP + theme.BOTTOM + 60 + _ROW * max(len(names), 3)
    drawing = theme.blank("Predicted encoder", "True encoder", height=height)
    position = {name: number for number, name in enumerate(names)}
    shown = [foreign.shown(name, _LABEL) for name in names]
    # Many names stand upright below the columns, where a second line would run into the next name.
    below = shown if len(names) <= _LEVEL else [foreign.shown(name) for name in names]
    drawing.update_xaxes(range=[-0.5, len(names) - 0.5], **theme.categories(below))
    drawing.update_yaxes(range=[len(names) - 0.5, -0.5], **theme.categories(shown))
    known = [row for row in records(table) if np.isfinite(row.share)]
    for row in known:
        colour = theme.MEMBER if row.truth == row.guess else theme.NONMEMBER
        x, y = position[row.guess], position[row.truth]
        fill = theme.veil(colour, round(_DEEPEST * row.share) if row.share else 0x08)
        theme.area(drawing, (x - 0.48, x + 0.48), (y - 0.46, y + 0.46), fill)
    drawing.add_scatter(
        x=[position[row.guess] for row in known],
        y=[position[row.truth] for row in known],
        mode="text",
        text=[percent(row.share) if row.victims else "" for row in known],
        textfont={"size": theme.SMALL, "color": theme.INK},
        customdata=[
            f"true <b>{foreign.shown(row.truth)}</b>, predicted <b>{foreign.shown(row.guess)}</b>: "
            f"{counted(row.victims, 'embedding')}"
            for row in known
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )
    return drawing.figure()


def confused(table: pd.DataFrame) -> str:
    """Read aloud which encoders are mistaken for each other."""
    wrong = table[(table["truth"] != table["guess"]) & (table["victims"] > 0)].sort_values("victims", ascending=False)
    if wrong.empty:
        return "Every encoder was predicted correctly: all embeddings lie on the diagonal."
    row = records(wrong)[0]
    total = int(wrong["victims"].sum())
    which = "All of them" if row.victims == total else f"Most frequent mistake, {counted(int(row.victims), 'time')}"
    wrongly = counted(total, "embedding was", "embeddings were")
    return f"{wrongly} attributed to a wrong encoder. {which}: {row.truth} predicted as {row.guess}."


def dimensions(places: pd.DataFrame) -> list[int]:
    """Return the embedding dimensions with maps, the one with the most encoders first."""
    counts = places.groupby("dimension")["encoder"].nunique()
    return [int(dimension) for dimension in counts.sort_values(ascending=False, kind="stable").index.tolist()]


def of(places: pd.DataFrame, layer: Layer, method: str, dimension: int) -> pd.DataFrame:
    """Return the points of one map."""
    own = (places["layer"] == layer) & (places["method"] == method) & (places["dimension"] == dimension)
    return places[own]


def clusters(own: pd.DataFrame, method: str) -> "go.Figure":
    """Draw one map, a colour and a symbol for each encoder; wrong predictions have a dark edge."""
    drawing = theme.blank(*planes.AXES[method], height=440, legend=True)
    if own.empty:
        return theme.empty(drawing, "Too few embeddings of this dimension for a map.")
    names = sorted(set(own["encoder"]))
    for name, mark in zip(names, theme.distinct(len(names)), strict=True):
        part = own[own["encoder"] == name]
        wrong = part["guess"] != part["encoder"]
        drawing.add_scatter(
            x=part["x"],
            y=part["y"],
            mode="markers",
            name=foreign.shown(name),
            marker={
                "color": mark.colour,
                "symbol": mark.symbol,
                "opacity": 1,
                "size": [12 if bad else 8 for bad in wrong],
                "line": {
                    "color": [theme.INK if bad else theme.BACKGROUND for bad in wrong],
                    "width": [2.5 if bad else 0.5 for bad in wrong],
                },
            },
            text=[
                f"true <b>{foreign.shown(row.encoder)}</b>, predicted <b>{foreign.shown(row.guess)}</b>"
                for row in records(part)
            ],
        )
    drawing.update_xaxes(showticklabels=False)
    drawing.update_yaxes(showticklabels=False)
    return drawing.figure()


def apart(places: pd.DataFrame, method: str, dimension: int) -> str:
    """Read both maps aloud, by how often a point's nearest neighbour comes from the same encoder."""
    shares = []
    for layer, where in (("embedding", "among the embeddings"), ("hidden", "in the hidden layer")):
        points = of(places, layer, method, dimension)  # type: ignore[arg-type]
        if len(points) > 1:
            shares.append(f"{percent(_alike(points))} {where}")
    if not shares:
        return "Too few embeddings of this dimension for a map."
    return (
        f"In the {planes.NAMES[method]} plane, a point’s nearest neighbour comes from the same encoder in "
        f"{joined(shares)}. A dark edge marks a wrong prediction."
    )


def _alike(own: pd.DataFrame) -> float:
    """Return the share of points whose nearest neighbour comes from the same encoder."""
    places: Any = own[["x", "y"]].to_numpy(dtype=np.float64)
    encoders = own["encoder"].to_numpy()
    distances = ((places[:, None] - places[None]) ** 2).sum(axis=2)
    np.fill_diagonal(distances, np.inf)
    return float((encoders[distances.argmin(axis=1)] == encoders).mean())
