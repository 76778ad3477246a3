"""A small SVG, as wide as a phone, with its texts in front; light enough for a page with forty of them.

Its colours are those of `theme`, which `dashboard.topics.lessons.small_drawing` puts in their places.
"""

from collections.abc import Callable, Sequence
from html import escape

from dashboard.kit.figures import theme


class Sketch:
    """Collects shapes and texts; positions are in units, of which a drawing is `WIDTH` wide."""

    MEASURED, PREDICTED, CHANCE = theme.MEMBER, theme.NONMEMBER, theme.CHANCE
    WIDTH, MARGIN, LINE = 340, 16, 17
    LENGTH = WIDTH - 2 * MARGIN
    _SIZE = "max-width:var(--most-width,34rem);max-height:var(--most-height,none)"
    _HALO = "paint-order:stroke;stroke:var(--st-background-color);stroke-width:3px"

    def __init__(self) -> None:
        self._shapes: list[str] = []
        self._texts: list[str] = []

    @staticmethod
    def share(value: float, ends: tuple[float, float]) -> float:
        """Return how far a value lies along the axis between two ends, from 0 to 1."""
        return min(max((value - ends[0]) / (ends[1] - ends[0]), 0.0), 1.0)

    @classmethod
    def at(cls, value: float, ends: tuple[float, float]) -> float:
        """Return the horizontal position of a value on an axis as long as the drawing."""
        return cls.MARGIN + cls.LENGTH * cls.share(value, ends)

    def text(self, x: float, y: float, content: str, anchor: str = "start", *, bold: bool = False) -> None:
        """Write a text that begins, ends or has its middle at a position."""
        weight = ' font-weight="600"' if bold else ""
        self._texts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{weight}>{escape(content)}</text>')

    def line(self, path: Sequence[tuple[float, float]], colour: str, width: float, *, dashed: bool = False) -> None:
        """Draw a line through positions."""
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in path)
        dashes = ' stroke-dasharray="6 4"' if dashed else ""
        look = f'style="fill:none;stroke:{colour}" stroke-width="{width}"{dashes}'
        self._shapes.append(f'<polyline points="{points}" {look}/>')

    def area(self, outline: Sequence[tuple[float, float]], colour: str) -> None:
        """Draw a nearly transparent polygon."""
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in outline)
        self._shapes.append(f'<polygon points="{points}" style="fill:{colour}" fill-opacity="0.2"/>')

    def axis(self, ends: tuple[float, float], y: float, written: Callable[[float], str], outside: float = 0.0) -> None:
        """Draw an axis as long as the drawing, with five ticks; the labels of its ends stand so far outside."""
        self.rule(self.MARGIN, self.MARGIN + self.LENGTH, y)
        places = ("start", -outside), ("middle", 0.0), ("middle", 0.0), ("middle", 0.0), ("end", outside)
        for part, (anchor, aside) in enumerate(places):
            value = ends[0] + (ends[1] - ends[0]) * part / 4
            self.text(self.at(value, ends) + aside, y + self.LINE, written(value), anchor)

    def rule(self, left: float, right: float, y: float) -> None:
        """Draw an axis."""
        self.line([(left, y), (right, y)], "currentColor", 0.7)

    def dot(self, x: float, y: float, radius: float, colour: str, *, ringed: bool = False) -> None:
        """Draw a dot, with a ring if it is the viewer's own."""
        ring = ' stroke="currentColor" stroke-width="2.5"' if ringed else ""
        self._shapes.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" style="fill:{colour}"{ring}/>')

    def bar(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """Draw a bar."""
        attributes = f'x="{x}" y="{y:.1f}" width="{width:.1f}" height="{height}"'
        self._shapes.append(f'<rect {attributes} style="fill:{colour}"/>')

    def drawn(self, height: float, sentence: str) -> str:
        """Return the drawing, labelled by the sentence that reads it aloud."""
        box = f'viewBox="0 0 {self.WIDTH} {height:.0f}" width="100%" role="img" aria-label="{escape(sentence)}"'
        look = f'font-size="13" fill="currentColor" font-family="inherit" style="{self._SIZE}"'
        texts = f'<g style="{self._HALO}">{"".join(self._texts)}</g>'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {box} {look}>{"".join(self._shapes)}{texts}</svg>'
