"""Heat maps: cells coloured by a share and marked with a text."""

from collections.abc import Sequence
from typing import Any

from dashboard.kit.drawing import Drawing
from dashboard.kit.figures import theme

COLOURS = [[step / 9, colour] for step, colour in enumerate(theme.SEQUENTIAL)]
"""The sequential colours, stronger for larger shares."""


def cells(drawing: Drawing, shares: Any, texts: Sequence[Sequence[str]], *, gap: int, **trace: Any) -> None:
    """Add the cells of a heat map, in `COLOURS` and from 0 to 1 unless ``trace`` says otherwise.

    Args:
        drawing: The figure.
        shares: Of the cells, (rows, columns); NaN for none.
        texts: Written into the cells.
        gap: Between cells, in pixels.
        trace: Other arguments of plotly's heat map.
    """
    look = {"zmin": 0, "zmax": 1, "colorscale": COLOURS, "texttemplate": "%{text}", "xgap": gap, "ygap": gap}
    drawing.add_heatmap(z=shares, text=texts, **{**look, **trace})
