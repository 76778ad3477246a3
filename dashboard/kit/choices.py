"""Choices of a view, kept in its address; an option that no longer exists is dropped."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import streamlit as st

from dashboard.kit.words import literal

Options = Mapping[Any, str] | Sequence[Any]
"""The options, with or without names."""


def many(label: str, options: Options, key: str, *, called: Callable[[Any], str] | None = None, **more: Any) -> Any:
    """Draw a select box and return the chosen option, initially the first.

    ``key`` is its name in the session and in the address, ``called`` names options without a mapping; ``more`` goes to
    `st.selectbox`.
    """
    called = called or _names(options)
    _forget_renamed(key, options, called)
    wanted = linked(key)
    chosen = st.selectbox(label, list(options), format_func=called, key=key, bind="query-params", **more)
    st.session_state[f"{key}/name"] = None if chosen is None else (chosen, called(chosen))
    tell(label, wanted, options, called, chosen)
    return chosen


def few(
    label: str,
    options: Options,
    key: str,
    *,
    called: Callable[[Any], str] | None = None,
    default: Any = None,
    **more: Any,
) -> Any:
    """Draw a segmented control and return the chosen option, initially the default or the first.

    The arguments are those of `many`; ``more`` goes to `st.segmented_control`.
    """
    forget(key, options)
    called, wanted = called or _names(options), linked(key)
    chosen = st.segmented_control(
        label,
        list(options),
        format_func=called,
        key=key,
        bind="query-params",
        default=next(iter(options)) if default is None else default,
        required=True,
        **more,
    )
    tell(label, wanted, options, called, chosen)
    return chosen


def linked(key: str) -> str:
    """Return the option that the link of a new session names for a choice about to be drawn; later an empty text."""
    session_key = f"{key}/linked"
    if session_key in st.session_state:
        return ""
    st.session_state[session_key] = True
    return st.query_params.get(key, "")


def tell(label: str, wanted: str, options: Collection[Any], called: Callable[[Any], str], chosen: Any) -> None:
    """Warn if the option that a link names does not exist, and say which is shown instead.

    Args:
        label: Label of the choice.
        wanted: See `linked`.
        options: The options.
        called: Names an option.
        chosen: The one that is shown.
    """
    known = {text for option in options for text in (called(option), str(option))}
    if wanted and chosen is not None and wanted not in known:
        text = f"{label}: there is no “{wanted[:80]}” here. {called(chosen)} is shown instead."
        st.warning(literal(text), icon=":material/info:")


def forget(key: str, options: Collection[Any]) -> None:
    """Drop an earlier choice that is no longer an option."""
    if st.session_state.get(key) not in options:
        st.session_state.pop(key, None)


def _forget_renamed(key: str, options: Options, called: Callable[[Any], str]) -> None:
    """Choose the first option where the earlier choice no longer exists, or has another name by now."""
    forget(key, options)
    chosen, name = st.session_state.get(f"{key}/name") or (None, "")
    if key in st.session_state and st.session_state[key] == chosen and called(chosen) != name:
        st.session_state[key] = next(iter(options))


def _names(options: Options) -> Callable[[Any], str]:
    return options.__getitem__ if isinstance(options, Mapping) else str
