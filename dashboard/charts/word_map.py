"""Where the words of the selected pairs lie in one shadow model, in a plane shared with another."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.charts import pairs as pair_chart
from dashboard.charts import theme
from dashboard.charts.wording import counted, percent

NAMES = {"pca": "PCA", "umap": "UMAP"}
_AXES = {"pca": ("First principal component", "Second principal component"), "umap": ("UMAP 1", "UMAP 2")}
_PAIRS = 20
_NAMED = 5
_HEIGHT = 460


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
    drawing = theme.blank(*_AXES.get(method, ("First coordinate", "Second coordinate")), height=_HEIGHT)
    shown = both[both["member"] == member].set_index("word")
    if shown.empty:
        return theme.empty(drawing, "This model knows no word of the selected pairs.")
    for axis, update in (("x", drawing.update_xaxes), ("y", drawing.update_yaxes)):
        low, high = float(both[axis].min()), float(both[axis].max())
        room = 0.12 * (high - low) or 0.5
        update(range=[low - room, high + room], tickformat=".1f", nticks=6)
    linked = _linked(pairs, target, shown)
    heaviest = float(linked["weight"].abs().max()) if len(linked) else 1.0
    drawing.update_layout(shapes=[_line(shown, row, heaviest) for row in linked.iloc[::-1].itertuples()])
    named = list(dict.fromkeys(linked.head(_NAMED)[["first", "second"]].to_numpy().ravel().tolist()))
    drawing.add_scatter(
        x=shown["x"], y=shown["y"], mode="markers", text=[_partners(word, linked) for word in shown.index],
        hovertemplate="%{text}<extra></extra>",
        marker={"color": theme.NONMEMBER if not member else theme.MEMBER, "size": 8, "line": {"color": theme.BACKGROUND, "width": 1}},
    )  # fmt: skip
    _name(drawing, shown, named)
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
    told = f"In the plane of {spoken}, {closer} of {counted(len(linked), 'pair')} lie closer in the model with the target"
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


def _name(drawing: go.Figure, shown: pd.DataFrame, words: list[str]) -> None:
    """Write the words of the heaviest pairs beside their points, away from the middle of the map."""
    middle = float(shown["x"].median())
    for word in words:
        place = shown.loc[word]
        right = place["x"] >= middle
        drawing.add_annotation(
            x=place["x"], y=place["y"], text=word, showarrow=False, font={"size": theme.SMALL},
            xanchor="left" if right else "right", xshift=7 if right else -7,
        )  # fmt: skip
