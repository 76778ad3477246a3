"""The choice among attacks that share a page; the address names the chosen one."""

from collections.abc import Callable, Mapping

import streamlit as st

from core.experiment import Experiment
from core.runtime.store import Store
from dashboard.kit import address, links
from dashboard.kit.inputs import linked_result


def choose(
    key: str, label: str, attacks: Mapping[str, str], opened: Callable[[str, str], Experiment], hint: str
) -> str:
    """Draw the attacks; return that of the result in the address, else the one there, else the last chosen or first.

    Args:
        key: Name of the choice.
        label: Text above it.
        attacks: Titles of the attacks by name.
        opened: Returns the experiment that a newly chosen attack opens on, given its name and the previous attack's.
        hint: What the choice is about.
    """
    last = f"{key}/last"
    linked = (linked_result.attack(), st.query_params.get("attack", ""), st.session_state.get(last, ""))
    chosen: str = next((name for name in linked if name in attacks), next(iter(attacks)))
    st.session_state[key] = st.session_state[last] = chosen

    def open_chosen() -> None:
        linked_result.forget()
        address.show(links.written(opened(st.session_state[key], chosen), Store()))

    st.segmented_control(
        label,
        list(attacks),
        format_func=attacks.__getitem__,
        key=key,
        on_change=open_chosen,
        required=True,
        help=hint,
    )
    return chosen
