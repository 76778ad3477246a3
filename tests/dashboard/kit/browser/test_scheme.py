"""Charts have the colours of the page, and the browser draws each of them once."""

import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.kit.browser import scheme
from dashboard.kit.figures import heat, theme


def drawing():
    blank = theme.blank("x", "y")
    for mark in [*theme.distinct(5), *theme.ordered(range(5)).values()]:
        blank.add_scatter(x=[1, 2], y=[1, 2], line=mark.line(2), fillcolor=theme.veil(mark.colour))
    heat.cells(blank, [[0.1, 0.9]], [["a", "b"]], gap=1)
    theme.level(blank, y=0.5)
    return blank


def script() -> None:
    """Stand in for a page with a figure whose points can be clicked."""
    import streamlit as st

    from dashboard.kit.browser import scheme
    from tests.dashboard.kit.browser.test_scheme import drawing

    st.session_state.setdefault("scheme", {})
    scheme.draw(drawing().figure(), key="some", on_select="rerun", selection_mode="points")


@pytest.mark.parametrize("name", ["light", "dark"])
def test_every_colour_of_a_figure_is_one_of_the_theme(name):
    painted = drawing().figure().painted(scheme.palette(name))
    colours = set(re.findall(r"#[0-9a-f]{6}", painted.to_json()))
    assert colours and colours <= set(scheme.palette(name).values())


def test_a_veil_stays_as_transparent():
    colours = scheme.palette("light")
    figure = theme.blank("x", "y")
    figure.add_scatter(x=[1], y=[1], fillcolor=theme.veil(theme.MEMBER, 0x2E))
    assert figure.figure().painted(colours).to_dict()["data"][0]["fillcolor"] == f"{colours[theme.MEMBER]}2e"


def test_a_text_that_reads_like_a_colour_stays_as_it_is():
    text = f"Order {theme.MEMBER} of ann"
    figure = theme.blank(text, "y")
    figure.add_scatter(x=[text], y=[1], name=text, text=[text], customdata=[[text]])
    theme.note(figure, text, x=1, y=1)
    painted = figure.figure().painted(scheme.palette("dark")).to_dict()
    (trace,), layout = painted["data"], painted["layout"]
    texts = [*trace["x"], trace["name"], *trace["text"], *trace["customdata"][0], layout["annotations"][0]["text"]]
    assert {*texts, layout["xaxis"]["title"]["text"]} == {text}


def test_the_browser_can_tell_the_same_figure_from_another():
    colours = scheme.palette("light")
    first, again, other = drawing(), drawing(), drawing()
    other.add_scatter(x=[3], y=[4])
    first, again, other = (each.figure().painted(colours).to_dict()["layout"] for each in (first, again, other))
    assert first["datarevision"] == again["datarevision"] != other["datarevision"]
    assert "template" not in first, "plotly takes each for another one"


def test_a_figure_is_drawn_in_the_colours_that_the_browser_changed_to():
    page = AppTest.from_function(script).run()
    background = []
    for changed in ("", "dark", "light"):
        page.session_state["scheme"] = {"scheme": changed}
        page.run()
        assert not page.exception
        chart = page.get("plotly_chart")[0].proto
        layout = json.loads(chart.spec)["layout"]
        assert not chart.theme and layout["clickmode"] == "event+select"
        background.append(layout["paper_bgcolor"])
    light, dark = (scheme.palette(name)[theme.BACKGROUND] for name in ("light", "dark"))
    assert background == [light, dark, light]
