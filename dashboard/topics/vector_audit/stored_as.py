"""What a vector store does not say of itself: the names of its columns, and what a stored number is worth."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

import streamlit as st

from core.datasets.embeddings import Embeddings
from dashboard.kit import address, choices
from dashboard.kit.forms import widgets
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
_WIDTH = 170


def form() -> None:
    """Draw the fields that most stores need not fill in."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        for name in _NONE:
            column(name, _WIDTH)
        choices.few(_LABELS["storage"], ("numbers", "bits"), KEYS["storage"], help=_help("storage"), width=_WIDTH)
        for name, more in (("scale", {"format": "%g", "step": 0.01}), ("zero", {"step": 1})):
            default = getattr(Embeddings(), name)
            st.number_input(
                _LABELS[name],
                value=default,
                key=KEYS[name],
                bind="query-params",
                help=_help(name),
                width=_WIDTH,
                **more,
            )


def column(name: str, width: int | Literal["stretch"] = "stretch") -> None:
    """Draw the field with the name of a column."""
    st.text_input(
        _LABELS[name],
        getattr(Embeddings(), name),
        key=KEYS[name],
        bind="query-params",
        max_chars=parameters(Embeddings)[name].longest,
        placeholder="none" if name in _NONE else "found by its name",
        width=width,
    )


def given() -> dict[str, Any]:
    """Return what is filled in, by field."""
    values = {name: st.session_state.get(key) for name, key in KEYS.items()}
    return {name: value for name, value in values.items() if value not in (None, "", getattr(Embeddings(), name))}


def labelled(message: str) -> str:
    """Return a message with the labels of this page in place of field names."""
    for name, label in _LABELS.items():
        message = message.replace(f"'{name}'", f"“{label}”")
    return message


def _help(name: str) -> str:
    return widgets.help_of(parameters(Embeddings)[name])
