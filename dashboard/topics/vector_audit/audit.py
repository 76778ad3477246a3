"""An audit on its page: the one that comes with Telltale, or that of a visitor's own vectors."""

from collections.abc import Mapping

import streamlit as st

from core import catalog
from core.audits.plan import SECRETS, Step
from core.audits.verdict import possible_answers, verdict
from core.catalog import vector_audit
from dashboard import navigation
from dashboard.kit import address, choices, evidence, stored_results
from dashboard.kit.inputs import linked_result
from dashboard.kit.texts.remembered import remembered
from dashboard.topics.vector_audit import inputs, linked, running, sections
from dashboard.topics.vector_audit.figures.frontier import FinishedSteps

_OWN_CAPTION = "Shown below is the audit of your own vectors."


def show() -> None:
    """Draw the form for a visitor's own vectors, then the audit that the address names."""
    key = st.query_params.get(linked_result.RESULT, "")
    if key and (query := linked.of(key)) is not None:
        st.switch_page(navigation.FOLDER / "vector_audit.py", query_params=query)
    above = st.container()
    is_own = inputs.VECTORS in st.query_params
    with st.expander("Audit your own vectors", icon=":material/upload_file:", expanded=is_own, key="audit.own"):
        steps = inputs.form()
        if is_own:
            back = "Back to the audit that comes with Telltale"
            st.button(back, on_click=address.forget, args=(inputs.NAMES,), key="audit.back")
    if is_own:
        keys = [_key(step.experiment, str(step.experiment.as_dict())) for step in steps]
        running.panel(steps, keys)
        caption = _OWN_CAPTION
    elif key:
        linked.tell_absent(key)
        return
    else:
        with above:
            names = {name: audit.texts for name, audit in vector_audit.AUDITS.items()}
            audit = vector_audit.AUDITS[
                choices.many("Audit that comes with Telltale", names, linked.SHIPPED, width=420)
            ]
        entries = catalog.matching(f"{audit.prefix}_*")
        steps, keys = audit.steps, [entry.key for entry in entries]
        caption = (
            f"Shown below is an audit that comes with Telltale, profile {audit.profile}: {audit.texts} as unit-length "
            "vectors of all-MiniLM-L6-v2."
        )
    estimates = map(stored_results.readable_estimates, keys)
    finished: FinishedSteps = [(step, known) for step, known in zip(steps, estimates, strict=True) if known]
    if not finished:
        if not is_own:
            st.info("The audit that comes with Telltale is not on this machine.")
        return
    if is_own and len(finished) == len(steps):
        inputs.remember(steps)
    concluded = verdict(finished, _answers(finished, dict(zip(steps, keys, strict=True))))
    with above:
        st.caption(caption)
        sections.answer(finished, concluded.headline)
    sections.findings(concluded)
    sections.tradeoff(finished)
    if is_own:
        words_step = next(((step, key) for step, key in zip(steps, keys, strict=True) if step.name == "words"), None)
        if words_step is not None:
            sections.examples(*words_step)
    sections.limits(concluded)
    if not is_own:
        sections.lengths()
        sections.pairs()
    finished_steps = [step for step, _ in finished]
    evidence.button(
        [key for step, key in zip(steps, keys, strict=True) if step in finished_steps], "report-vector-audit"
    )


def _answers(finished: FinishedSteps, keys: Mapping[Step, str]) -> dict[str, int]:
    """Return among how many owners or classes was chosen, by the name of the step that asks for them."""
    asked = {step.name: (step, stored_results.readable(keys[step])) for step, _ in finished if step.name in SECRETS}
    return {name: possible_answers(step, result) for name, (step, result) in asked.items() if result is not None}


@remembered("Reading your vectors")
def _key(_experiment: object, values: str) -> str:
    """Return the key of an experiment on uploads; remembered by its values, whose paths name the content."""
    return str(_experiment.key)  # type: ignore[attr-defined]
