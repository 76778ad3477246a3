"""Training of an adversary by epoch, and how its search gets closer to an embedding, step by step."""

from typing import Any

import plotly.graph_objects as go
import streamlit as st

from core.experiment import Experiment
from core.games.attack import Attack
from core.result import Result
from dashboard.kit import chart, glossary, running
from dashboard.kit.words import literal
from dashboard.topics.inversion.figures import decoding, search, settling
from dashboard.topics.inversion.figures import learning as charts


def live_of(attack: str) -> running.LiveChart | None:
    """Return what draws the epochs of a run in progress; None for an attack that does not train by epochs."""
    return live if "learning" in Attack.by_name(attack).tables else None


def live(rows: list[dict[str, Any]], experiment: Experiment) -> go.Figure:
    """Draw the epochs of a run in progress."""
    return charts.figure(charts.growing(rows))


def show(result: Result) -> None:
    """Draw loss and F1 by epoch, and the losses of a decoder; nothing where the attack does not train by epochs."""
    learning = result.tables.get("learning")
    if learning is None or learning.empty:
        return
    st.header("Training of the adversary", anchor=False)
    chart.show(charts, learning, "learning")
    if (losses := result.tables.get("decoding")) is not None:
        st.header("Training of the decoder", anchor=False)
        chart.show(decoding, losses, "losses", "subword")
    if (weights := result.tables.get("weights")) is not None and len(weights):
        local, attacked = result.experiment["attack"]["local"], result.experiment["model"].get("source", "")
        sentence = charts.weighed(weights, local, attacked)
        st.caption(literal(sentence), help=glossary.explained(sentence))


def steps(result: Result) -> None:
    """Draw the gain by text search, or the convergence of relaxation; nothing where the attack does not search."""
    if "search" in result.tables:
        st.header("Gain by text search", anchor=False)
        chart.show(search, result.tables["search"], "search", result.tables["learning"])
        synthetic = [search.SYNTHETIC] if result.experiment["attack"].get("made_up") else []
        st.caption(literal(" ".join([search.NOTE, *synthetic, search.chosen(result.tables["choices"])])))
    if "settling" in result.tables:
        st.header("Convergence of the search", anchor=False)
        chart.show(settling, result.tables["settling"], "settling")
        if settings := settling.chosen(result.tables["choices"]):
            st.caption(literal(settings))
