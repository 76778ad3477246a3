"""Texts read from a dataset on this machine, perhaps a visitor's own; a few are remembered for a while."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import streamlit as st

from core.datasets import Dataset
from core.errors import TelltaleError
from core.jobs.needs import needs

MOST, LIFETIME = 16, "10 minutes"
"""Most values of each function, and how long each is kept."""

_P = ParamSpec("_P")
_T = TypeVar("_T")


def remembered(spinner: str) -> Callable[[Callable[_P, _T]], Callable[_P, _T]]:
    """Remember the values of a function that reads texts, by its arguments without an underscore.

    Args:
        spinner: What the page says meanwhile.
    """
    decorator = st.cache_data(max_entries=MOST, ttl=LIFETIME, show_spinner=spinner)
    return cast(Callable[[Callable[_P, _T]], Callable[_P, _T]], decorator)


def read_if_here(dataset: Dataset, read: Callable[[], _T]) -> _T | None:
    """Return what is read of a dataset; None where it is not on this machine, or cannot be read."""
    if needs(dataset):
        return None
    try:
        return read()
    except TelltaleError:
        return None
