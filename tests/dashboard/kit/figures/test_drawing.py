"""Figures collected as plain values are the ones that plotly itself would have made."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.kit.drawing import Drawing

NEW = Drawing.figure


def drawn(figure):
    figure.add_scatter(x=[1, 2], y=[3, 4], marker={"size": 3})
    figure.add_bar(x=[1], y=[2], customdata=[7])
    figure.add_heatmap(z=[[1, 2]], text=[["1", "2"]])
    figure.add_shape(type="line", x0=0, x1=1, y0=0, y1=1)
    figure.add_annotation(text="here", x=1, y=1)
    figure.update_layout(height=300, margin={"t": 5})
    figure.update_layout(margin={"b": 6})
    figure.update_xaxes(title={"text": "x"})
    figure.update_xaxes(range=[0, 1])
    figure.update_yaxes(type="log")


def test_it_is_what_plotly_builds_step_by_step():
    ours, theirs = Drawing({}), go.Figure()
    drawn(ours)
    drawn(theirs)
    finished = NEW(ours).to_dict()
    assert finished["data"] == ours.figure().to_plotly_json()["data"]
    assert go.Figure(finished).to_plotly_json() == theirs.to_plotly_json()


def test_columns_and_arrays_become_plain():
    drawing = Drawing({"xaxis": {"range": np.array([0.0, 1.0])}})
    drawing.add_scatter(x=pd.Series([1, 2]), y=np.array([0.5, np.nan]), marker={"size": np.int64(4)})
    (trace,) = NEW(drawing).to_dict()["data"]
    assert trace == {"type": "scatter", "x": [1, 2], "y": [0.5, None], "marker": {"size": 4}}


def test_what_was_given_is_not_changed_later():
    shared = {"title": {"text": ""}}
    drawing = Drawing({"xaxis": shared})
    drawing.update_xaxes(title={"text": "x"})
    assert shared == {"title": {"text": ""}}


def test_a_moment_of_an_animation_changes_the_first_trace():
    drawing = Drawing({})
    drawing.add_heatmap(z=[[1, 2]])
    drawing.add_frame("later", z=np.array([[3, 4]]))
    theirs = go.Figure(
        go.Heatmap(z=[[1, 2]]), frames=[go.Frame(name="later", data=[go.Heatmap(z=[[3, 4]])], traces=[0])]
    )
    assert NEW(drawing).to_dict()["frames"] == drawing.figure().to_plotly_json()["frames"]
    assert drawing.figure().frames == theirs.frames
