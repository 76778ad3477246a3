"""What a vector store does not say of itself: the names of its columns, and what a stored number is worth."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import streamlit as st

from core.datasets.embeddings import Embeddings
from dashboard.kit import address, choices
from dashboard.kit.forms import mistakes, table_columns, widgets
from dashboard.kit.inputs.declared import parameters
from dashboard.kit.links import AUDIT_FIELDS

KEYS: Mapping[str, str] = MappingProxyType({name: f"{address.VIEW}{shown}" for name, shown in AUDIT_FIELDS.items()})
"""By field, its name in the session and in the address."""
OF_FILES: Mapping[str, str] = MappingProxyType(
    {"source": "vector_column", "texts": "text_column", "queries": "query_column"}
)
"""By upload, the field with its column."""
_LABELS: Mapping[str, str] = MappingProxyType(
    {
        "vector_column": "Column of the vectors",
        "text_column": "Column of the texts",
        "query_column": "Column of the queries",
        "owner_column": "Column of the owners",
        "label_column": "Column of the labels",
        "storage": "Stored as",
        "scale": "Scale",
        "zero": "Zero",
    }
)
_NONE = ("owner_column", "label_column")
"""Columns that a store need not have."""
WIDTH, _NARROW = 380, 174
"""Widths in pixels: of an upload, and of each of two fields below each other's."""


def beside(names: Sequence[str]) -> None:
    """Draw the choice of the columns that a store need not have.

    Args:
        names: The columns of its tables; none where they are not known.
    """
    with st.container(horizontal=True, gap="medium", width=WIDTH):
        for name in _NONE:
            _choose(name, names, "", width=_NARROW)


def form() -> None:
    """Draw the fields that most stores need not fill in."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="top"):
        choices.few(_LABELS["storage"], ("numbers", "bits"), KEYS["storage"], help=_help("storage"), width=_NARROW)
        for name, more in (("scale", {"format": "%g", "step": 0.01}), ("zero", {"step": 1})):
            default = getattr(Embeddings(), name)
            st.number_input(
                _LABELS[name],
                value=default,
                key=KEYS[name],
                bind="query-params",
                help=_help(name),
                width=_NARROW,
                **more,
            )


def column(name: str, names: Sequence[str]) -> None:
    """Draw the choice of the column of an upload; that of vectors may also be the beginning of several names."""
    if name == "vector_column":
        st.text_input(
            _LABELS[name],
            key=KEYS[name],
            bind="query-params",
            max_chars=parameters(Embeddings)[name].longest,
            placeholder="found by its name",
        )
        return
    texts = str(st.session_state.get(KEYS["text_column"])) if name == "query_column" else ""
    _choose(name, names, texts if texts in names else table_columns.meant("text_column", names))


def _choose(name: str, names: Sequence[str], first: str, **more: Any) -> None:
    default, needed = getattr(Embeddings(), name), name not in _NONE
    table_columns.choose(_LABELS[name], names, KEYS[name], default, first=first, needed=needed, **more)


def given() -> dict[str, Any]:
    """Return what is filled in, by field."""
    values = {name: st.session_state.get(key) for name, key in KEYS.items()}
    given = {name: value for name, value in values.items() if value not in (None, "", getattr(Embeddings(), name))}
    if given.get("query_column") == given.get("text_column", Embeddings().text_column):
        given.pop("query_column", None)  # as where it is not named
    return given


def labelled(message: str) -> str:
    """Return a message with the labels of this page in place of field names."""
    return mistakes.with_labels(message, _LABELS)


def _help(name: str) -> str:
    return widgets.help_of(parameters(Embeddings)[name])
