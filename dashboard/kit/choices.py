"""Choices of a view that its address keeps; one that is no longer on offer is forgotten."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import streamlit as st

Options = Mapping[Any, str] | Sequence[Any]
"""What may be chosen, with what each is called or without."""


def many(label: str, options: Options, key: str, *, called: Callable[[Any], str] | None = None, **more: Any) -> Any:
    """Let one of many options be chosen from a list, and return it.

    Args:
        label: What a person reads above it.
        options: In their order; the first is chosen at first.
        key: Name in the session and in the address.
        called: What an option is called, where a mapping does not say so.
        more: Passed on to `st.selectbox`.
    """
    forget(key, options)
    return st.selectbox(
        label, list(options), format_func=called or _names(options), key=key, bind="query-params", **more
    )


def few(
    label: str,
    options: Options,
    key: str,
    *,
    called: Callable[[Any], str] | None = None,
    default: Any = None,
    **more: Any,
) -> Any:
    """Let one of a few options be chosen, which stand beside each other, and return it.

    Args:
        label: What a person reads above it.
        options: In their order.
        key: Name in the session and in the address.
        called: What an option is called, where a mapping does not say so.
        default: What is chosen at first; none means the first.
        more: Passed on to `st.segmented_control`.
    """
    forget(key, options)
    return st.segmented_control(
        label,
        list(options),
        format_func=called or _names(options),
        key=key,
        bind="query-params",
        default=next(iter(options)) if default is None else default,
        required=True,
        **more,
    )


def forget(key: str, options: Collection[Any]) -> None:
    """Drop what was chosen before where it is not on offer any more."""
    if st.session_state.get(key) not in options:
        st.session_state.pop(key, None)


def _names(options: Options) -> Callable[[Any], str]:
    return options.__getitem__ if isinstance(options, Mapping) else str
