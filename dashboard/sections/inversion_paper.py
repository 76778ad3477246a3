"""Table 1 of the paper on inversion, and below it every promised result of ours that is here."""

from collections.abc import Iterator

import streamlit as st

from core import catalog
from core.access import EncoderInternals
from core.errors import TelltaleError
from core.experiment import Experiment
from core.games.inversion.contract import InversionAttack
from dashboard import panels, running, sweeps
from dashboard.charts import inversion_paper as charts
from dashboard.sections import related
from dashboard.words import literal


def show(experiment: Experiment) -> None:
    """Draw our results beside the paper's; only say what the paper prints where none of ours is here."""
    ours = list(_ours(experiment))
    st.header("Beside the paper", anchor=False)
    if ours:
        panels.figure(
            charts.figure(ours), lambda: charts.table(ours), "paper", charts.sentence(ours), title=charts.TITLE
        )
        with st.expander("Precision, recall and F1 as a table", icon=":material/table:"):
            panels.table(charts.table(ours), "paper-table")
    said = [] if ours else ["No promised result of ours is computed here yet.", charts.printed()]
    st.caption(literal(" ".join([*said, charts.SAYS])))


def _ours(shown: Experiment) -> Iterator[charts.Ours]:
    """Yield the promised results of games of inversion that are here, whichever the attack; of defended ones the shown.

    The paper's Table 1 has no defense in it.
    """
    for entry in catalog.entries():
        experiment = entry.experiment
        if not isinstance(experiment.attack, InversionAttack) or (experiment.defenses and experiment != shown):
            continue
        try:
            estimates = running.figures(experiment.key)
        except TelltaleError:
            continue
        if "f1" in estimates:
            yield charts.Ours(
                _about(experiment), _how(experiment.attack), _access(experiment.attack), estimates, experiment == shown
            )


def _about(experiment: Experiment) -> str:
    """Return what was read: whose embeddings of which texts, and behind which defense."""
    defenses = [f"{defense.title} ({sweeps.setting(defense)})" for defense in experiment.defenses]
    return ", ".join([related.encoder(experiment), experiment.dataset.title, *defenses])


def _how(attack: InversionAttack) -> str:
    """Return how it was read: from what the adversary learnt, and by which method."""
    texts = "same domain" if attack.auxiliary is None else f"learnt from {attack.auxiliary.title}"
    return f"{attack.title}, {texts}"


def _access(attack: InversionAttack) -> str:
    """Return whether the adversary holds the encoder or may only ask it."""
    return charts.WHITE if issubclass(attack.access(), EncoderInternals) else charts.BLACK
