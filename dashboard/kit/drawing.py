"""A figure as plain values, converted to plotly's object once, at the end.

Plotly validates each change of its object, which took longer than everything else on a page. The tests let plotly
validate each finished figure instead.
"""

import zlib
from collections.abc import Mapping
from typing import Any

import orjson
import plotly.graph_objects as go

_HOVER = "%{text}<extra></extra>"
_COLOURED = ("color", "colorscale")
"""How plotly's names of colours end."""
_NAME = len("#000001")


class Drawing:
    """Collects traces and layout; names and arguments are those of `plotly.graph_objects.Figure`.

    Attributes:
        traces: Each with its ``type``.
        layout: Nested as plotly nests it: ``{"title": {"text": ...}}``, not ``title_text``.
        frames: Moments of an animation, each with its ``name``.
    """

    def __init__(self, layout: Mapping[str, Any]) -> None:
        self.traces: list[dict[str, Any]] = []
        self.layout: dict[str, Any] = {"shapes": [], "annotations": []}
        self.frames: list[dict[str, Any]] = []
        self.update_layout(**layout)

    def add_scatter(self, **trace: Any) -> None:
        """Add points, lines or an area."""
        self._add("scatter", trace)

    def add_bar(self, **trace: Any) -> None:
        """Add bars."""
        self._add("bar", trace)

    def add_heatmap(self, **trace: Any) -> None:
        """Add a field of coloured cells."""
        self.traces.append({"type": "heatmap", **_plain(trace)})

    def add_frame(self, name: str, **changes: Any) -> None:
        """Add a moment of an animation: the changes of the first trace."""
        self.frames.append({"name": name, "data": [{"type": self.traces[0]["type"], **_plain(changes)}], "traces": [0]})

    def _add(self, kind: str, trace: Mapping[str, Any]) -> None:
        """Add a trace; ``text`` becomes the hover text of its points, unless the figure shows it."""
        hover = "text" in trace and "text" not in trace.get("mode", "") and "hoverinfo" not in trace
        self.traces.append({"type": kind, **({"hovertemplate": _HOVER} if hover else {}), **_plain(trace)})

    def add_shape(self, **shape: Any) -> None:
        """Add a line or an area that is not data."""
        self.layout["shapes"].append(_plain(shape))

    def add_annotation(self, **annotation: Any) -> None:
        """Add a text."""
        self.layout["annotations"].append(_plain(annotation))

    def update_layout(self, **changes: Any) -> None:
        """Merge changes into the layout, at any depth."""
        _lay_over(self.layout, changes)

    def update_xaxes(self, **changes: Any) -> None:
        """Merge changes into the horizontal axis."""
        self.update_layout(xaxis=changes)

    def update_yaxes(self, **changes: Any) -> None:
        """Merge changes into the first vertical axis."""
        self.update_layout(yaxis=changes)

    def figure(self) -> go.Figure:
        """Return the finished figure; plotly does not validate it again."""
        frames = {"frames": self.frames} if self.frames else {}
        return Finished({"data": self.traces, "layout": self.layout, **frames})


class Finished(go.Figure):  # type: ignore[misc]
    """A figure that nobody changes any more: its JSON, which every session is sent.

    Plotly's own object holds thousands of objects of Python for one figure, and copies them for each session.
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.__dict__["_json"] = orjson.dumps(values)

    def to_dict(self) -> dict[str, Any]:
        """Return data, layout and frames as plain values."""
        values: dict[str, Any] = orjson.loads(self.__dict__["_json"])
        return values

    def __len__(self) -> int:
        """Return the bytes of its JSON."""
        return len(self.__dict__["_json"])

    def painted(self, colours: Mapping[str, str], **changes: Any) -> go.Figure:
        """Return the figure with other colours and changes of its layout, all at once.

        Args:
            colours: The new colour of each that it names.
            changes: See `update_layout`.
        """
        values = _painted(self.to_dict(), colours)
        _lay_over(values["layout"], changes)
        # Else plotly takes all arrays for changed ones, and draws a figure twice that Streamlit hands it twice.
        values["layout"]["datarevision"] = zlib.crc32(orjson.dumps(values))
        return Finished(values)

    def update_layout(self, **changes: Any) -> go.Figure:
        """Return another figure, with changes merged into the layout at any depth."""
        values = self.to_dict()
        _lay_over(values["layout"], changes)
        return Finished(values)


def _lay_over(base: dict[str, Any], changes: Mapping[str, Any]) -> None:
    for name, value in changes.items():
        if isinstance(value, Mapping) and isinstance(base.get(name), dict):
            _lay_over(base[name], value)
        else:
            base[name] = _plain(value)


def _painted(value: Any, colours: Mapping[str, str], is_colour: bool = False) -> Any:
    """Return a value in which colours are other ones; a text that reads like a colour stays as it is."""
    if isinstance(value, dict):
        return {name: _painted(inner, colours, is_colour or name.endswith(_COLOURED)) for name, inner in value.items()}
    if isinstance(value, list) and (is_colour or (value and isinstance(value[0], dict))):
        return [_painted(inner, colours, is_colour) for inner in value]
    if is_colour and isinstance(value, str):
        return colours.get(value[:_NAME], value[:_NAME]) + value[_NAME:]
    return value


def _plain(value: Any) -> Any:
    """Return a copy in which arrays, columns and NumPy's numbers are lists and numbers."""
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value.tolist() if hasattr(value, "tolist") else value
