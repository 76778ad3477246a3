"""Plotly validates every figure that the tests of charts draw."""

import plotly.graph_objects as go
import pytest

from dashboard.charts.drawing import Drawing


@pytest.fixture(autouse=True)
def validated(monkeypatch):
    monkeypatch.setattr(Drawing, "figure", lambda drawing: go.Figure(drawing.traces, drawing.layout, drawing.frames))
