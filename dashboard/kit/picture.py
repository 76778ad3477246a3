"""Pictures of figures, made in the browser, with title, sentence and source in them."""

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from core.experiment import Experiment
from core.result import Result, headline
from dashboard.kit import sweeps
from dashboard.kit.figures.wording import cases, counted, joined

_ASSETS = Path(__file__).resolve().parents[1] / "assets"
_SHOWN = "shown in figures"
_HTML = '<button data-kind="png">Picture as PNG</button><button data-kind="svg">Picture as SVG</button>'
_CSS = """
button {
    margin: 0.25rem 1rem 0.25rem 0; padding: 0.25rem 0; border: none; background: none; cursor: pointer;
    color: var(--st-link-color); font: inherit; font-size: 0.875rem; text-decoration: underline;
}
button:focus-visible { outline: 2px solid currentcolor; outline-offset: 2px; }
"""
_buttons = st.components.v2.component(
    "telltale.picture", html=_HTML, css=_CSS, js=(_ASSETS / "picture.js").read_text("utf-8")
)


@dataclass(frozen=True)
class Shown:
    """What figures show, told in their pictures.

    Attributes:
        source: Which results, and over how many cases; below the chart.
        attack: Name of the attack, in the title; empty where there are several.
        data: Dataset and model, in the title.
    """

    source: str = ""
    attack: str = ""
    data: str = ""

    def title(self, figure: str) -> str:
        """Return the title of a picture: attack, name of the figure, data.

        >>> Shown(attack="Word pairs", data="Enron e-mails, word2vec").title("Accuracy")
        'Word pairs · Accuracy · Enron e-mails, word2vec'
        """
        return " · ".join(filter(None, (self.attack, figure, self.data)))


def offer(name: str, title: str, sentence: str, shown: Shown) -> None:
    """Offer the chart of a figure as PNG and SVG.

    Args:
        name: Name of the figure, and of the files.
        title: Name of the figure; stands above the chart with what it shows.
        sentence: Reads the figure aloud; stands below the chart, before the source.
        shown: What it shows.
    """
    source = ", ".join(filter(None, ("Telltale", shown.source)))
    data = {"name": name, "figure": title, "title": shown.title(title), "below": [sentence, source]}
    _buttons(key=f"{name}.picture", data=data)


def tell(shown: Shown) -> None:
    """Name what the figures drawn from now on show."""
    st.session_state[_SHOWN] = shown


def told() -> Shown:
    """Return what the figures drawn now show."""
    shown: Shown = st.session_state.get(_SHOWN, Shown())
    return shown


def of(result: Result, experiment: Experiment) -> Shown:
    """Return what the figures of one result show, with the number of cases behind its headline."""
    measured = [result.estimates[name] for name in headline(result.estimates).values()]
    counts = {estimate.n: cases(estimate) for estimate in measured if estimate.n}
    source = f"result {experiment.key}"
    if counts:
        source += f"; n = {joined([counts[number] for number in sorted(counts)])}"
    return Shown(source, experiment.attack.title, data(experiment))


def of_several(experiment: Experiment, count: int) -> Shown:
    """Return what figures of several results show that differ from an experiment in their defenses."""
    return Shown(f"{counted(count, 'result')} with and without defenses", experiment.attack.title, data(experiment))


def data(experiment: Experiment) -> str:
    """Return the dataset and the model of an experiment."""
    return f"{experiment.dataset.title}, {sweeps.against(experiment)}"
