"""The audit that holds a stored result, which a link names by its key: one of its steps."""

import streamlit as st

from core.catalog import vector_audit
from core.errors import InvalidSpec
from core.experiment import Experiment
from core.runtime.store import Store
from dashboard import navigation
from dashboard.kit import links
from dashboard.kit.inputs import linked_result

SHIPPED = "view.shipped"
"""Parameter of the address that says of which texts the shown audit that comes with Telltale is."""


def of(key: str) -> dict[str, str] | None:
    """Return the address of the audit that a result is a step of; None where there is none, or the visitor may not."""
    for audit in vector_audit.AUDITS.values():
        if any(step.experiment.key == key for step in audit.steps):
            return {SHIPPED: audit.texts}
    experiment = _allowed(key)
    return None if experiment is None else links.audit_of(experiment, Store())


def tell_absent(key: str) -> None:
    """Say that a key is that of no audit, and lead to the result that has it, where there is one."""
    linked_result.leave_button()
    linked_result.tell_absent(key)
    experiment = _allowed(key)
    page = None if experiment is None else navigation.page_of(experiment.attack.part_name())
    if experiment is not None and page is not None:
        query = {"attack": experiment.attack.part_name(), linked_result.RESULT: key}
        st.page_link(page.path, label=f"To the result of this key: {experiment.attack.title}", query_params=query)


def _allowed(key: str) -> Experiment | None:
    """Return the experiment of a stored result; None where there is none, or it is of what another visitor brought.

    To tell these apart would tell that somebody else audited what the key is derived from.
    """
    if (stored := linked_result.stored(key)) is None:
        return None
    try:
        linked_result.check_own(stored[0], key)
    except InvalidSpec:
        return None
    return stored[0]
