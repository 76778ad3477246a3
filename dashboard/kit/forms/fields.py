"""Fields of a form, set by a button of the page that the form stands beside."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.experiment import Experiment
from core.overrides import overridden
from core.runtime.store import Store
from dashboard.kit import links


def kept(attack: str, name: str) -> str:
    """Return the name under which a session keeps something of an attack's form, such as its link."""
    return f"form/{attack}/{name}"


def fill(attack: str, changes: Mapping[str, str | None]) -> None:
    """Set some fields of an attack's form, and leave all others as they are by then; for callbacks.

    Args:
        attack: Name of the attack.
        changes: Dotted path of each field, which may be hidden, and its value as in a link; None for its default.
    """
    link = {**st.session_state.get(kept(attack, "link"), {}), **changes}
    st.session_state[kept(attack, "link")] = {path: text for path, text in link.items() if text is not None}
    st.session_state[kept(attack, "problems")] = []
    for path in changes:
        st.session_state.pop(f"{attack}/{path}", None)


def change(experiment: Experiment, changes: Mapping[str, Any]) -> None:
    """Set some fields of the form of an experiment, and leave all others as they are by then; for callbacks.

    Args:
        experiment: What the form last showed.
        changes: Values by dotted name.
    """
    link = links.written(overridden(experiment, changes), Store())
    fill(experiment.attack.part_name(), {name: link.get(name) for name in changes})
