"""Where the words of the selected pairs lie in one shadow model, in a plane shared with another."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.charts import labels
from dashboard.charts import pairs as pair_chart
from dashboard.charts import theme
from dashboard.charts.wording import counted, percent

NAMES = {"pca": "PCA", "umap": "UMAP"}
_AXES = {"pca": ("First principal component", "Second principal component"), "umap": ("UMAP 1", "UMAP 2")}
_PAIRS = 20
_NAMED = 4
_WIDTH = 360


def methods(word_map: pd.DataFrame, target: int) -> list[str]:
    """Return the layouts there are for a target, PCA first."""
    found = word_map.loc[word_map["target"] == target, "method"].unique()
    return [method for method in NAMES if method in found]


def figure(word_map: pd.DataFrame, pairs: pd.DataFrame, target: int, method: str, member: bool) -> go.Figure:
    """Draw one of the two maps of a target; both have the same axes.

    Args:
        word_map: As the attack declares it.
        pairs: As the attack declares it.
        target: Number of the target.
        method: ``pca`` or ``umap``.
        member: Whether to draw the shadow model that was trained on the target.
    """
    both = _places(word_map, target, method)
    drawing = theme.blank(*_AXES.get(method, ("First coordinate", "Second coordinate")), height=_height(both))
    shown = both[both["member"] == member].set_index("word")
    if shown.empty:
        return theme.empty(drawing, "This model knows no word of the selected pairs.")
    for axis, update in (("x", drawing.update_xaxes), ("y", drawing.update_yaxes)):
        update(range=_edges(both[axis]), nticks=6)
    drawing.update_yaxes(scaleanchor="x", scaleratio=1)
    linked = _linked(pairs, target, shown)
    heaviest = float(linked["weight"].abs().max()) if len(linked) else 1.0
    drawing.update_layout(shapes=[_line(shown, row, heaviest) for row in linked.iloc[::-1].itertuples()])
    drawing.add_scatter(
        x=shown["x"], y=shown["y"], mode="markers", text=[_partners(word, linked) for word in shown.index],
        hovertemplate="%{text}<extra></extra>",
        marker={"color": theme.NONMEMBER if not member else theme.MEMBER, "size": 8, "line": {"color": theme.BACKGROUND, "width": 1}},
    )  # fmt: skip
    _name(drawing, both, shown, linked)
    return drawing


def sentence(word_map: pd.DataFrame, pairs: pd.DataFrame, target: int, method: str) -> str:
    """Read both maps aloud."""
    both = _places(word_map, target, method)
    without, within = (both[both["member"] == member].set_index("word") for member in (False, True))
    linked = _linked(pairs, target, without)
    linked = linked[linked["first"].isin(within.index) & linked["second"].isin(within.index)]
    if linked.empty:
        return "There is no pair whose two words both models know."
    lengths = [_length(place, row) for row in linked.itertuples() for place in (without, within)]
    before, after = np.array(lengths[::2]), np.array(lengths[1::2])
    closer = int((after < before).sum())
    spoken = NAMES.get(method, method)
    told = (
        f"In the plane of {spoken}, {closer} of {counted(len(linked), 'pair')} lie closer in the model with the target"
    )
    mean = ""
    if before.mean() > 0:
        change = after.mean() / before.mean() - 1
        mean = f", lines being {percent(abs(change))} {'shorter' if change < 0 else 'longer'} on average"
    return f"{told}{mean}. These are two single models, and a plane shows only part of each distance: the bars above count."


def _places(word_map: pd.DataFrame, target: int, method: str) -> pd.DataFrame:
    own = word_map[(word_map["target"] == target) & (word_map["method"] == method)]
    return own[own["x"].notna() & own["y"].notna()]


def _linked(pairs: pd.DataFrame, target: int, places: pd.DataFrame) -> pd.DataFrame:
    own = pair_chart.of(pairs, target).head(_PAIRS)
    return own[own["first"].isin(places.index) & own["second"].isin(places.index)]


def _length(places: pd.DataFrame, row: object) -> float:
    first, second = places.loc[row.first, ["x", "y"]], places.loc[row.second, ["x", "y"]]  # type: ignore[attr-defined]
    return float(np.hypot(first["x"] - second["x"], first["y"] - second["y"]))


def _line(places: pd.DataFrame, row: object, heaviest: float) -> dict[str, Any]:
    """Return the line of a pair, the stronger the heavier the pair."""
    weight = float(row.weight)  # type: ignore[attr-defined]
    share = abs(weight) / heaviest
    colour = theme.veil(theme.MEMBER if weight < 0 else theme.AGAINST, int(0x70 + 0x8F * share))
    first, second = places.loc[row.first], places.loc[row.second]  # type: ignore[attr-defined]
    ends = {"x0": first["x"], "y0": first["y"], "x1": second["x"], "y1": second["y"]}
    return {"type": "line", "layer": "below", "line": {"color": colour, "width": 1 + 6 * share}, **ends}


def _partners(word: str, linked: pd.DataFrame) -> str:
    partners = [*linked.loc[linked["first"] == word, "second"], *linked.loc[linked["second"] == word, "first"]]
    return f"<b>{word}</b>" + (f"<br>paired with {', '.join(partners[:8])}" if partners else "")


def _name(drawing: go.Figure, both: pd.DataFrame, shown: pd.DataFrame, linked: pd.DataFrame) -> None:
    """Write the words of the heaviest pairs beside their points."""
    words = list(dict.fromkeys(linked.head(_NAMED)[["first", "second"]].to_numpy().ravel().tolist()))
    scale = min(_WIDTH / _spanned(both["x"]), (_height(both) - theme.TOP - theme.BOTTOM) / _spanned(both["y"])) / 1.24
    points = list(zip(shown["x"] * scale, shown["y"] * scale, strict=True))
    for row in linked.head(_NAMED).itertuples():
        ends = shown.loc[[row.first, row.second], ["x", "y"]].to_numpy() * scale
        points += [(float(x), float(y)) for x, y in np.linspace(ends[0], ends[1], 9)[1:-1]]
    edges = [edge * scale for axis in ("x", "y") for edge in _edges(both[axis])]
    frame = (edges[0], edges[1], edges[2], edges[3])
    at = [(shown.at[word, "x"] * scale, shown.at[word, "y"] * scale) for word in words]
    for word, place in zip(words, labels.place(words, at, points, frame), strict=True):
        drawing.add_annotation(
            x=shown.at[word, "x"], y=shown.at[word, "y"], text=word, font={"size": theme.SMALL}, ax=place.right, ay=-place.up,
            xanchor=_anchor(place.right, "center", "left", "right"), yanchor=_anchor(place.up, "middle", "bottom", "top"),
            bgcolor=theme.veil(theme.BACKGROUND, 0x90), borderpad=0, showarrow=True, arrowhead=0,
            arrowwidth=1 if place.is_far else 0.1, arrowcolor=theme.INK if place.is_far else theme.veil(theme.INK, 0),
        )  # fmt: skip


def _anchor(shift: float, none: str, forwards: str, backwards: str) -> str:
    return none if shift == 0 else forwards if shift > 0 else backwards


def _height(both: pd.DataFrame) -> int:
    """Return the height at which one unit is about as long on both axes, within reason."""
    ratio = _spanned(both["y"]) / _spanned(both["x"]) if len(both) else 1.0
    return theme.TOP + theme.BOTTOM + int(np.clip(_WIDTH * ratio, 230, 480))


def _edges(values: pd.Series) -> list[float]:
    room = 0.12 * _spanned(values)
    return [float(values.min()) - room, float(values.max()) + room]


def _spanned(values: pd.Series) -> float:
    return float(values.max() - values.min()) or 1.0
