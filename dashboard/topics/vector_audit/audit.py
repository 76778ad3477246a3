"""An audit on its page: the one that comes with Telltale, or that of a visitor's own vectors."""

from collections.abc import Sequence

import streamlit as st

from core import catalog
from core.audits.plan import Step
from core.catalog import vector_audit
from core.errors import TelltaleError
from core.result import Estimate
from dashboard.kit import choices, evidence, stored_results
from dashboard.kit.texts.remembered import remembered
from dashboard.topics.vector_audit import asked, found, reach, running

_CHOSEN = "view.shipped"
_OWN = "Shown below is the audit of your own vectors."


def show() -> None:
    """Draw the audit of the address, and the form for one's own."""
    above = st.container()
    own = asked.VECTORS in st.query_params
    with st.expander("Audit your own vectors", icon=":material/upload_file:", expanded=own, key="audit.own"):
        steps = asked.form()
        if own:
            st.button("Back to the audit that comes with Telltale", on_click=asked.forget, key="audit.back")
    if own:
        keys = [_key(step.experiment, str(step.experiment.as_dict())) for step in steps]
        running.panel(steps, keys)
        shown = _OWN
    else:
        with above:
            names = {name: audit.texts for name, audit in vector_audit.AUDITS.items()}
            audit = vector_audit.AUDITS[choices.many("Audit that comes with Telltale", names, _CHOSEN, width=420)]
        entries = catalog.matching(f"{audit.prefix}_*")
        steps, keys = audit.steps, [entry.key for entry in entries]
        shown = (
            f"Shown below is an audit that comes with Telltale, profile {audit.profile}: {audit.texts} as unit-length "
            "vectors of all-MiniLM-L6-v2."
        )
    done = _done(steps, keys)
    if not done:
        if not own:
            st.info("The audit that comes with Telltale is not on this machine.")
        return
    with above:
        st.caption(shown)
        found.answer(done)
    found.findings(done)
    found.traded(done)
    if own:
        read = next(((step, key) for step, key in zip(steps, keys, strict=True) if step.name == "words"), None)
        if read is not None:
            found.examples(*read)
    found.limits(done)
    if not own:
        reach.lengths()
        reach.pairs()
    finished = [step for step, _ in done]
    evidence.button([key for step, key in zip(steps, keys, strict=True) if step in finished], "report-vector-audit")


def _done(steps: Sequence[Step], keys: Sequence[str]) -> list[tuple[Step, dict[str, Estimate]]]:
    """Return the steps that have a result, with its estimates."""
    done = []
    for step, key in zip(steps, keys, strict=True):
        try:
            estimates = stored_results.estimates(key)
        except TelltaleError:
            continue
        if estimates:
            done.append((step, estimates))
    return done


@remembered("Reading your vectors")
def _key(_experiment: object, said: str) -> str:
    """Return the key of an experiment on uploads, whose paths name their content."""
    return str(_experiment.key)  # type: ignore[attr-defined]
