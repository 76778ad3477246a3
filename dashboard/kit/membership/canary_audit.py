"""The audit of private training by many canaries, from the catalog of loss membership."""

import pandas as pd
import streamlit as st

from core import catalog
from core.defenses.dp_sgd import DpSgd
from core.experiment import Experiment
from dashboard.kit import chart, related, stored_results
from dashboard.kit.membership.figures import canary_audit
from dashboard.kit.related import Related
from dashboard.kit.words import literal

_ATTACK = "loss_membership"


def prepare() -> None:
    """Derive the first figure for all sessions."""
    if audits := _audits(None):
        canary_audit.figure(_points(audits))


def exist(experiment: Experiment) -> bool:
    """Tell whether the kind of model of an experiment is audited."""
    return bool(_audits(experiment))


def show(experiment: Experiment | None = None) -> None:
    """Draw what the audit finds at each guarantee; nothing before one is computed.

    Args:
        experiment: The audits are of its kind of model, on its dataset; else they are the first of the catalog.
    """
    audits = _audits(experiment)
    if not audits:
        return
    first = audits[0].experiment
    st.header("An audit that can fail", anchor=False)
    st.caption(literal(related.about(first)))
    chart.show(canary_audit, _points(audits), "canary-audit")
    st.caption(f"{literal(canary_audit.NOTE)} {related.differing(first)}")
    with st.container(horizontal=True, gap="medium"):
        for audit in audits:
            if audit.experiment != experiment:
                related.link(audit.experiment, f"Open the audit at epsilon {_epsilon(audit.experiment):,.10g}")


def _points(audits: list[Related]) -> pd.DataFrame:
    return canary_audit.points(tuple(audit.result for audit in audits))


def _audits(experiment: Experiment | None) -> list[Related]:
    """Return the stored audits of one kind of model on one dataset, the weakest guarantee first."""
    audits = [
        Related(entry.experiment, result)
        for entry in catalog.entries()
        if entry.experiment.attack.part_name() == _ATTACK
        and _epsilon(entry.experiment) is not None
        and (result := stored_results.readable(entry.key)) is not None
    ]
    if not audits:
        return []
    wanted = _kind(audits[0].experiment if experiment is None else experiment)
    alike = (audit for audit in audits if _kind(audit.experiment) == wanted)
    return sorted(alike, key=lambda audit: -(_epsilon(audit.experiment) or 0))


def _kind(experiment: Experiment) -> tuple[str, str]:
    return experiment.model.part_name(), experiment.dataset.part_name()


def _epsilon(experiment: Experiment) -> float | None:
    """Return the epsilon that an experiment guarantees, None without private training."""
    return next((defense.epsilon for defense in experiment.defenses if isinstance(defense, DpSgd)), None)
