"""The address bar of the open page: its experiment beside the choices of its view, written in one step."""

from collections.abc import Collection, Iterable, Mapping

import streamlit as st
from streamlit.runtime.state import get_session_state

from core.experiment import Experiment
from dashboard.kit.words import literal

VIEW = "view."
"""Prefix of the parameters of a view; they are not part of the experiment."""
_MOST, _LONGEST, _ICON = 5, 40, ":material/info:"
TOUR = "view.tour"
"""Parameter with the position in a tour, which stays while the page changes its experiment."""


def base() -> str:
    """Return the path below which the server answers: empty, or such as ``/telltale``."""
    path = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}" if path else ""


def experiment() -> dict[str, str]:
    """Return the parameters of the experiment in the address, those of the view left out."""
    return {name: text for name, text in st.query_params.to_dict().items() if not name.startswith(VIEW)}


def clear(view: Collection[str] | None = None) -> None:
    """Make the address that of a page without an experiment, and name what such a page cannot read.

    The browser’s Back may leave an experiment there, which is silently dropped.

    Args:
        view: The parameters of the view that the page reads; None where it does not say.
    """
    known = {*Experiment.model_fields, "preset"}
    unknown = [name for name in experiment() if name.partition(".")[0] not in known]
    if view is not None:
        unread = [name for name in st.query_params if name.startswith(VIEW) and name not in {*view, TOUR}]
        for name in unread:
            del st.query_params[name]
        unknown += unread
    show({})
    if unknown:
        named = ", ".join(f"“{name[:_LONGEST]}”" for name in unknown[:_MOST])
        st.warning(literal(f"This page reads nothing named {named}; that part of the link is left out."), icon=_ICON)


def forget(names: Iterable[str]) -> None:
    """Leave some parameters out of the address; those of a field go with it once it is no longer drawn."""
    for name in names:
        st.query_params.pop(name, None)


def show(link: Mapping[str, str], *, repeated: bool = False) -> None:
    """Make the address a link to an experiment in one step of the browser's history; the view stays.

    Args:
        link: Parameters of the experiment; none for a page without one.
        repeated: Whether to send the browser even values that its address already has.
    """
    before = experiment()
    removed = [name for name in before if name not in link]
    changed = {name: text for name, text in link.items() if repeated or before.get(name) != text}
    if not removed and not changed and not repeated:
        return
    # Each change of `st.query_params` is a step of the history; replacing all at once would drop what widgets hold.
    with get_session_state().query_params() as parameters:
        for name in removed:
            parameters.discard_param_no_forward_msg(name)
        parameters.update(changed)
