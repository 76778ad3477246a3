"""An audit of a model on its page: one that comes with Telltale, or that of a visitor's own."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from core.runtime.store import Store
from dashboard.kit import address, attack_page, evidence, glossary, links, running, stored_results
from dashboard.topics.model_audit import inputs, sections

ATTACK = "word_pair_audit"
_SHIPPED_CAPTION = (
    "Shown below is an audit that comes with Telltale: gensim’s word vectors of 1,000 passages of an encyclopedia, "
    "400 others known to be out."
)
_OWN_CAPTION = "Shown below is the audit of your own model."
_ABSENT = "The audit that comes with Telltale is not on this machine."


def show() -> None:
    """Draw the form for a visitor's own model, then the audit that the address names."""
    above, is_own = st.container(), inputs.is_own()
    with st.expander("Audit your own word vectors", icon=":material/upload_file:", expanded=is_own, key="audit.own"):
        audit = inputs.form()
        if is_own:
            st.button("Back to the audit that comes with Telltale", on_click=inputs.forget, key="audit.back")
    if is_own:
        _own_audit(above, audit)
        return
    shipped = links.read(address.experiment(), ATTACK, Store()).experiment
    result = stored_results.readable(shipped.key)
    if result is None:
        st.info(_ABSENT)
        return
    _draw(above, shipped, result, _SHIPPED_CAPTION)


def _own_audit(above: st.delta_generator.DeltaGenerator, audit: Experiment | None) -> None:
    """Draw the audit of the visitor's own model, its run, or the button that starts it."""
    if audit is None:
        return
    result = stored_results.readable(audit.key)
    if result is None:
        running.panel(audit)
        return
    _draw(above, audit, result, _OWN_CAPTION)


def _draw(above: st.delta_generator.DeltaGenerator, audit: Experiment, result: Result, caption: str) -> None:
    with above:
        st.caption(caption)
        sections.answer(result)
    sections.findings(result)
    sections.exposed(result)
    sections.limits(result)
    threat_model = f"Threat model: {audit.attack.threat} {attack_page.settings(audit)}"
    st.caption(threat_model, help=glossary.explained(threat_model))
    evidence.button([audit.key], "report-model-audit")
