"""The figures of a report as numbers of an SVG: intervals on a line, and ROC curves."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.report.numbers import measured, written

WIDTH = 400
HEIGHT = 22
SIDE = 200
_EDGE = 36
_MARGIN = 12


@dataclass(frozen=True)
class Line:
    """A figure on a line from 0 to 1, in units of the drawing; ``words`` states it."""

    label: str
    words: str
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
    """Return a line for each headline figure between 0 and 1, each below that of the blind baseline.

    The key of a result stands beside its title where another has the same.
    """
    lines, results = [], list(results)
    titles = Counter(result["title"] for result in results)
    for result in results:
        title = result["title"] if titles[result["title"]] == 1 else f"{result['title']} ({result['key']})"
        for figure in result["headline"]:
            lines += [_line(title, row) for row in (figure["alone"], figure) if row and _fits(row)]
    return lines


def _fits(figure: Mapping[str, Any]) -> bool:
    ends = [figure[name] for name in ("low", "value", "high")]
    return None not in ends and all(0 <= end <= 1 for end in ends)


def _line(title: str, figure: Mapping[str, Any]) -> Line:
    low, value, high = (_across(figure[name]) for name in ("low", "value", "high"))
    chance, words = figure["chance"], measured(figure)
    if chance is not None:
        words += f", chance {written(chance)}"
    chance_at = None if chance is None else _across(chance)
    return Line(f"{title}: {figure['label']}", words, low, high, value, chance_at)


def curve(points: Sequence[Mapping[str, float]]) -> Curve | None:
    """Return a ROC curve; None without points."""
    if not points:
        return None
    path = "L".join(_point(point["false_positive_rate"], point["true_positive_rate"]) for point in points)
    upper = [_point(point["false_positive_rate"], point["high"]) for point in points]
    lower = [_point(point["false_positive_rate"], point["low"]) for point in reversed(points)]
    return Curve(f"M{path}", f"M{'L'.join((*upper, *lower))}Z")


def ticks() -> list[tuple[float, str]]:
    """Return positions and labels of the ticks on the axis of intervals."""
    return [(_across(step / 4), f"{step / 4:g}") for step in range(5)]


def _across(share: float) -> float:
    return round(_MARGIN + share * (WIDTH - 2 * _MARGIN), 1)


def _point(x: float, y: float) -> str:
    return f"{_EDGE + x * SIDE:.1f} {8 + (1 - y) * SIDE:.1f}"
