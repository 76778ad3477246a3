"""The audit of private training by many canaries, from the catalog of loss membership."""

import streamlit as st

from core import catalog
from core.defenses.dp_sgd import DpSgd
from core.experiment import Experiment
from dashboard.kit import chart, related, stored_results
from dashboard.kit.related import Related
from dashboard.kit.words import literal
from dashboard.topics.next_word.figures import canary_audit

_ATTACK = "loss_membership"


def prepare() -> None:
    """Derive the figure for all sessions."""
    if audits := _audits():
        canary_audit.figure(canary_audit.points(tuple(audit.result for audit in audits)))


def show() -> None:
    """Draw what the audit finds at each guarantee; nothing before one is computed."""
    audits = _audits()
    if not audits:
        return
    table = canary_audit.points(tuple(audit.result for audit in audits))
    st.header("An audit that can fail", anchor=False)
    st.caption(literal(related.about(audits[0].experiment)))
    chart.show(canary_audit, table, "canary-audit")
    st.caption(f"{literal(canary_audit.NOTE)} {related.differing(audits[0].experiment)}")
    with st.container(horizontal=True, gap="medium"):
        for audit in audits:
            related.link(audit.experiment, f"Open the audit at epsilon {_epsilon(audit.experiment):,.10g}")


def _audits() -> list[Related]:
    """Return the stored audits, the weakest guarantee first."""
    audits = [
        Related(entry.experiment, result)
        for entry in catalog.entries()
        if entry.experiment.attack.part_name() == _ATTACK
        and _epsilon(entry.experiment) is not None
        and (result := stored_results.readable(entry.key)) is not None
    ]
    return sorted(audits, key=lambda audit: -(_epsilon(audit.experiment) or 0))


def _epsilon(experiment: Experiment) -> float | None:
    """Return the epsilon that an experiment guarantees, None without private training."""
    return next((defense.epsilon for defense in experiment.defenses if isinstance(defense, DpSgd)), None)
