"""The figures of a report as numbers of an SVG: intervals on a line, and ROC curves."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

ROW = 34
LABELS = 310
WIDTH = 760
SIDE = 200
_EDGE = 36


@dataclass(frozen=True)
class Line:
    """A figure on a line from 0 to 1, in units of the drawing."""

    label: str
    y: int
    low: float
    high: float
    value: float
    chance: float | None


@dataclass(frozen=True)
class Curve:
    """A ROC curve: its path, and the outline of its band, in units of the drawing."""

    path: str
    band: str


def intervals(results: Iterable[Mapping[str, Any]]) -> list[Line]:
    """Return a line for each headline figure between 0 and 1, and for its baseline on the texts alone."""
    lines: list[Line] = []
    for result in results:
        shown = [(figure, figure["label"]) for figure in result["headline"]]
        if result["blind"]:
            shown.append((result["blind"], "texts alone"))
        for figure, label in shown:
            ends = [figure[name] for name in ("low", "value", "high")]
            if None in ends or not all(0 <= end <= 1 for end in ends):
                continue
            low, value, high = (_across(end) for end in ends)
            chance = None if figure["chance"] is None else _across(figure["chance"])
            y = ROW * len(lines) + ROW // 2
            lines.append(Line(f"{result['title']}: {label}", y, low, high, value, chance))
    return lines


def curve(points: Sequence[Mapping[str, float]]) -> Curve | None:
    """Return a ROC curve; None without points."""
    if not points:
        return None
    path = "L".join(_place(point["false_positive_rate"], point["true_positive_rate"]) for point in points)
    there = [_place(point["false_positive_rate"], point["high"]) for point in points]
    back = [_place(point["false_positive_rate"], point["low"]) for point in reversed(points)]
    return Curve(f"M{path}", f"M{'L'.join((*there, *back))}Z")


def ticks() -> list[tuple[float, str]]:
    """Return places and labels of the axis of intervals."""
    return [(_across(step / 4), f"{step / 4:g}") for step in range(5)]


def _across(share: float) -> float:
    return round(LABELS + share * (WIDTH - LABELS - _EDGE), 1)


def _place(x: float, y: float) -> str:
    return f"{_EDGE + x * SIDE:.1f} {8 + (1 - y) * SIDE:.1f}"
