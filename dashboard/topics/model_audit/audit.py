"""An audit of a model on its page: one that comes with Telltale, or that of a visitor's own."""

import streamlit as st

from core.experiment import Experiment
from core.result import Result
from core.runtime.store import Store
from dashboard.kit import address, attack_page, evidence, glossary, links, running, stored_results
from dashboard.topics.model_audit import asked, found

ATTACK = "word_pair_audit"
_SHIPPED = (
    "Shown below is an audit that comes with Telltale: gensim’s word vectors of 1,000 passages of an encyclopedia, "
    "400 others known to be out."
)
_OWN = "Shown below is the audit of your own model."
_ABSENT = "The audit that comes with Telltale is not on this machine."


def show() -> None:
    """Draw the audit of the address, and the form for one's own."""
    above, own = st.container(), asked.is_own()
    with st.expander("Audit your own word vectors", icon=":material/upload_file:", expanded=own, key="audit.own"):
        audit = asked.form()
        if own:
            st.button("Back to the audit that comes with Telltale", on_click=asked.forget, key="audit.back")
    if own:
        _own(above, audit)
        return
    shown = links.read(address.experiment(), ATTACK, Store()).experiment
    result = stored_results.readable(shown.key)
    if result is None:
        st.info(_ABSENT)
        return
    _draw(above, shown, result, _SHIPPED)


def _own(above: st.delta_generator.DeltaGenerator, audit: Experiment | None) -> None:
    """Draw the audit of one's own model, its run, or the button that starts it."""
    if audit is None:
        return
    result = stored_results.readable(audit.key)
    if result is None:
        running.panel(audit)
        return
    _draw(above, audit, result, _OWN)


def _draw(above: st.delta_generator.DeltaGenerator, audit: Experiment, result: Result, whose: str) -> None:
    with above:
        st.caption(whose)
        found.answer(result)
    found.findings(result)
    found.exposed(result)
    found.limits(result)
    said = f"Threat model: {audit.attack.threat} {attack_page.settings(audit)}"
    st.caption(said, help=glossary.explained(said))
    evidence.button([audit.key], "report-model-audit")
