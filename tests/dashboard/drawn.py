"""What can be told of a figure from its specification alone: where its axes end, what stands where, what is named."""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from numbers import Real
from typing import Any

from dashboard.kit.browser import scheme
from dashboard.kit.figures import theme

Spec = dict[str, Any]
"""Data and layout of a figure as plain values."""

_INK = scheme.palette("light")[theme.INK]
_SHARE = re.compile(r"\b(accuracy|auc|area|share|probability|recall|precision|rate|f1)\b", re.IGNORECASE)
_PLOT = 960.0
"""Width of a plot on a projector, in pixels."""
_PLANES = (250.0, 290.0, 370.0, 430.0, 800.0)
"""Widths of a plot whose axes have one scale, from a phone to a window with room for one column, in pixels."""
_LETTER, _LINE, _SLACK, _TOUCH = 6.6, 14.0, 6.0, 1.0
"""Size of a letter of a small text, and how far two texts, or a text and a mark, may touch, in pixels."""


def unpainted(spec: Spec) -> Iterator[str]:
    """Yield each colour that stands for one of the theme, and was not replaced by it."""
    text = json.dumps(spec)
    yield from (colour for colour in scheme.palette("light") if colour in text)


def beyond_the_whole(spec: Spec) -> Iterator[str]:
    """Yield each axis of shares or probabilities that ends beyond 102%."""
    for name, axis in axes(spec):
        titled, shares = title(axis), "%" in axis.get("tickformat", "")
        if axis.get("type") != "log" and "range" in axis and (shares or _SHARE.search(titled)):
            end = max(axis["range"])
            if theme.WHOLE + 1e-9 < end < 2:
                yield f"{name} “{titled}” ends at {end:.3f}"


def ticks_named_twice(spec: Spec) -> Iterator[str]:
    """Yield each number that names two ticks of an axis; names of rows and columns may repeat."""
    for name, axis in axes(spec):
        numbers = [text for text in axis.get("ticktext", ()) if re.fullmatch(r"[\d.,]+%?", text)]
        yield from (f"{name}: {text}" for text, times in Counter(numbers).items() if times > 1)
        step, digits = axis.get("dtick"), re.fullmatch(r"\.(\d)([%f])", axis.get("tickformat", ""))
        if (
            digits
            and isinstance(step, int | float)
            and step < 10.0 ** -(int(digits[1]) + 2 * (digits[2] == "%")) - 1e-12
        ):
            yield f"{name}: ticks every {step} are written alike"


def curves_of_one_point(spec: Spec) -> Iterator[str]:
    """Yield each line that has a single point."""
    for trace in spec["data"]:
        known = [value for value in trace.get("x", ()) if value is not None]
        if trace["type"] == "scatter" and "lines" in trace.get("mode", "") and len(known) == 1:
            yield str(trace.get("name"))


def unexplained(spec: Spec) -> Iterator[str]:
    """Yield each trace of a colour of its own that no legend, note, row or title explains."""
    layout, traces = spec["layout"], [trace for trace in spec["data"] if _colour(trace)]
    legend = [trace for trace in traces if layout.get("showlegend") and trace.get("showlegend", True)]
    listed = {_colour(trace) for trace in legend if trace.get("name")}
    groups = {trace["legendgroup"] for trace in legend if trace.get("legendgroup")}
    notes = layout.get("annotations", [])
    beside = {note.get("font", {}).get("color", "")[:7] for note in notes} - {_INK}
    written = [text for trace in spec["data"] if "text" in trace.get("mode", "") for text in trace.get("text", ())]
    written += [note["text"] for note in notes]
    written += [text for _, axis in axes(spec) for text in axis.get("ticktext", ())]
    written = [re.sub("</?b>", "", text).replace("<br>", " ") for text in written]
    for trace in traces:
        colour, name = _colour(trace), str(trace.get("name") or "")
        plane = trace.get("xaxis", "x"), trace.get("yaxis", "y")
        alone = {_colour(other) for other in traces if (other.get("xaxis", "x"), other.get("yaxis", "y")) == plane}
        is_explained = colour in listed | beside or trace.get("legendgroup") in groups
        is_explained = is_explained or any(name and _says(text.lower(), name.lower()) for text in written)
        is_explained = is_explained or _has_rows_of_its_own(trace, traces, spec)
        if not is_explained and len(alone - {_INK}) > 1 and colour != _INK:
            yield f"{name or 'a trace'} in {colour}"


def overlapping(spec: Spec) -> Iterator[str]:
    """Yield each pair of notes that lie over each other on a screen, as far as their places can be computed."""
    for size in _sizes(spec):
        notes = spec["layout"].get("annotations", ())
        boxes = [(note["text"], box) for note in notes if (box := _box(note, spec, size))]
        for (text, first), (other, second) in combinations(boxes, 2):
            across = min(first[1], second[1]) - max(first[0], second[0])
            up = min(first[3], second[3]) - max(first[2], second[2])
            if across > _SLACK and up > _SLACK:
                yield f"“{text}” and “{other}”"


def covering(spec: Spec) -> Iterator[str]:
    """Yield each note that lies over a mark on a screen: its background would cut the mark."""
    for size in _sizes(spec):
        marks = list(_marks(spec, size))
        for note in spec["layout"].get("annotations", ()):
            if box := _box(note, spec, size):
                left, right, bottom, top = box
                for x, y, half in marks:
                    across = min(right, x + half) - max(left, x - half)
                    if across > _TOUCH and min(top, y + half) - max(bottom, y - half) > _TOUCH:
                        yield f"“{note['text']}” over a mark"
                        break


def axes(spec: Spec) -> Iterator[tuple[str, Spec]]:
    for name, axis in spec["layout"].items():
        if re.fullmatch(r"[xy]axis\d*", name) and axis.get("visible", True) and axis.get("showticklabels", True):
            yield name, axis


def title(axis: Spec) -> str:
    return str(axis.get("title", {}).get("text", ""))


def _colour(trace: Spec) -> str:
    """Return the one colour of a trace that is drawn; empty where it has several, or nothing is seen of it."""
    if trace.get("mode") == "text" or trace["type"] not in ("scatter", "bar") or not len(trace.get("x", ())):
        return ""
    line, marker = trace.get("line", {}), trace.get("marker", {})
    if "markers" not in trace.get("mode", "markers") and line.get("width") == 0:
        return ""
    colour = marker.get("color") if "markers" in trace.get("mode", "markers") else line.get("color")
    is_seen = isinstance(colour, str) and not (len(colour) == 9 and colour.endswith("00"))
    return colour[:7] if is_seen else ""


def _has_rows_of_its_own(trace: Spec, traces: list[Spec], spec: Spec) -> bool:
    """Tell whether each point of a trace stands in a row that the vertical axis names, with no other trace's point."""
    named = {at for _, axis in axes(spec) if axis.get("ticktext") for at in _numbers(axis.get("tickvals", ()))}
    rows, *others = ({float(y) for y in _numbers(each.get("y", ()))} for each in (trace, *traces))
    return rows <= named and sum(bool(rows & other) for other in others) == 1


def _numbers(values: Iterable[Any]) -> list[float]:
    return [float(value) for value in values if isinstance(value, Real)]


def _says(text: str, name: str) -> bool:
    """Tell whether a text holds a name, or begins as it does where it is cut."""
    return name in text or (text.endswith("…") and name.startswith(text[:-1].rstrip()))


def _sizes(spec: Spec) -> list[tuple[float, float]]:
    """Return width and height of what the ranges of the axes span in pixels, on each screen where they differ."""
    height, ranges = _height(spec), [spec["layout"].get(name, {}).get("range") for name in ("xaxis", "yaxis")]
    if not any("scaleanchor" in axis for _, axis in axes(spec)) or None in ranges:
        return [(_PLOT, height)]
    across, up = (abs(end - start) for start, end in ranges)
    scales = [min(width / across, height / up) for width in _PLANES]
    return [(scale * across, scale * up) for scale in scales]


def _box(note: Spec, spec: Spec, size: tuple[float, float]) -> tuple[float, float, float, float] | None:
    """Return left, right, bottom and top of a note in pixels, or None where plotly alone knows its place."""
    layout, (width, height) = spec["layout"], size
    x = _at(note.get("x"), note.get("xref", "x"), layout, width)
    y = _at(note.get("y"), note.get("yref", "y"), layout, height)
    if x is None or y is None:
        return None
    shown = note.get("showarrow", True)
    x += note.get("xshift", 0) + (note.get("ax", 0) if shown else 0)
    y += note.get("yshift", 0) - (note.get("ay", 0) if shown else 0)
    lines = re.sub(r"</?b>", "", note["text"]).split("<br>")
    wide, tall = _LETTER * max(map(len, lines)), _LINE * len(lines)
    left = x - {"left": 0.0, "right": wide}.get(note.get("xanchor", "center"), wide / 2)
    bottom = y - {"bottom": 0.0, "top": tall}.get(note.get("yanchor", "middle"), tall / 2)
    return left, left + wide, bottom, bottom + tall


def _marks(spec: Spec, size: tuple[float, float]) -> Iterator[tuple[float, float, float]]:
    """Yield middle and half the width of each mark in pixels, as far as their places can be computed."""
    width, height = size
    for trace in spec["data"]:
        if trace["type"] != "scatter" or "markers" not in trace.get("mode", "") or "marker" not in trace:
            continue
        sizes = trace["marker"]["size"]
        for number, (x, y) in enumerate(zip(trace["x"], trace["y"], strict=True)):
            across, up = (
                _along(x, trace.get("xaxis", "x"), spec, width),
                _along(y, trace.get("yaxis", "y"), spec, height),
            )
            if across is not None and up is not None:
                yield across, up, (sizes[number] if isinstance(sizes, list) else sizes) / 2


def _along(value: Any, name: str, spec: Spec, size: float) -> float | None:
    """Return the position of a value of a trace in pixels; the ends of a logarithmic axis are logarithms."""
    if not isinstance(value, Real):
        return None
    is_logarithmic = spec["layout"].get(f"{name[0]}axis{name[1:]}", {}).get("type") == "log"
    return _at(math.log10(float(value)) if is_logarithmic else value, name, spec["layout"], size)


def _height(spec: Spec) -> float:
    """Return the height of a plot in pixels."""
    layout = spec["layout"]
    return float(layout["height"] - layout["margin"].get("t", 0) - theme.BOTTOM)


def _at(value: Any, reference: str, layout: Spec, size: float) -> float | None:
    """Return a position along a plot in pixels."""
    name, _, inside = reference.partition(" ")
    if name == "paper":
        return float(value) * size
    axis = layout.get(f"{name[0]}axis{name[1:]}", {})
    low, high = axis.get("domain", (0.0, 1.0))
    if inside:
        return float(low + value * (high - low)) * size
    if "range" not in axis or isinstance(value, str):
        return None
    start, end = axis["range"]
    return float(low + (value - start) / (end - start) * (high - low)) * size
