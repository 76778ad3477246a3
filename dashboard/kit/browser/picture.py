"""Pictures of figures, made in the browser, with title, sentence and source in them."""

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from core.experiment import Experiment
from core.result import Result, headline
from core.statistics.wording.naming import cases, counted
from dashboard.kit import sweeps
from dashboard.kit.figures.wording import joined

_ASSETS = Path(__file__).resolve().parents[2] / "assets"
_KEY = "shown in figures"
_ICON = (
    '<svg viewBox="0 0 24 24" width="16" height="16" aria-hidden="true" fill="none" stroke="currentcolor" '
    'stroke-width="2"><path d="M12 4v11m-4-4 4 4 4-4M5 16v3h14v-3"/></svg>'
)
"""The arrow of the buttons beside, which save the table."""
_HTML = "".join(f'<button data-kind="{kind}">{_ICON}Picture as {kind.upper()}</button>' for kind in ("png", "svg"))
_CSS = """
button {
    margin: 0.25rem 1rem 0.25rem 0; padding: 0.25rem 0; border: none; background: none; cursor: pointer;
    color: var(--st-text-color); font: inherit; font-size: 0.875rem;
    display: inline-flex; align-items: center; gap: 0.5rem;
}
button:hover { color: var(--st-primary-color); }
button:focus-visible { outline: 2px solid currentcolor; outline-offset: 2px; }
"""
_buttons = st.components.v2.component(
    "telltale.picture", html=_HTML, css=_CSS, js=(_ASSETS / "picture.js").read_text("utf-8")
)


@dataclass(frozen=True)
class Caption:
    """What figures show, as their pictures state it.

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

        >>> Caption(attack="Word pairs", data="Enron e-mails, word2vec").title("Accuracy")
        'Word pairs · Accuracy · Enron e-mails, word2vec'
        """
        return " · ".join(filter(None, (self.attack, figure, self.data)))


def offer(name: str, title: str, sentence: str, caption: Caption) -> None:
    """Offer the chart of a figure as PNG and SVG.

    Args:
        name: Name of the figure, and of the files.
        title: Name of the figure, above the chart with the attack and the data.
        sentence: Reads the figure aloud, below the chart and before the source.
        caption: What the figure shows.
    """
    source = ", ".join(filter(None, ("Telltale", caption.source)))
    data = {"name": name, "figure": title, "title": caption.title(title), "below": [sentence, source]}
    _buttons(key=f"{name}.picture", data=data)


def tell(caption: Caption) -> None:
    """Set the caption of the figures drawn from now on."""
    st.session_state[_KEY] = caption


def current() -> Caption:
    """Return the caption of the figures drawn now."""
    caption: Caption = st.session_state.get(_KEY, Caption())
    return caption


def of(result: Result, experiment: Experiment) -> Caption:
    """Return the caption of the figures of one result, with the number of cases behind its headline."""
    measured = [result.estimates[name] for name in headline(result.estimates, experiment.game.main).values()]
    counts = {estimate.n: cases(estimate) for estimate in measured if estimate.n}
    source = f"result {experiment.key}"
    if counts:
        source += f"; n of its answer: {joined([counts[number] for number in sorted(counts)])}"
    defenses = joined([defense.named for defense in experiment.defenses])
    source += f"; seed {experiment.seed}, {f'defense: {defenses}' if defenses else 'no defense'}"
    if caveat := experiment.game.caveat():
        source += f". {caveat.removesuffix('.')}"
    return Caption(source, experiment.attack.named, data(experiment))


def of_several(experiment: Experiment, count: int) -> Caption:
    """Return the caption of figures of several results that differ from an experiment in their defenses."""
    return Caption(f"{counted(count, 'result')} with and without defenses", experiment.attack.title, data(experiment))


def data(experiment: Experiment) -> str:
    """Return the dataset and the model of an experiment."""
    return f"{experiment.dataset.title}, {sweeps.against(experiment)}"
