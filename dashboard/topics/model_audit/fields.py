"""Fields that both forms of this page have: uploads, and the columns of a table of documents."""

from collections.abc import Mapping

import streamlit as st

from core.datasets.marked_documents import OwnMarkedDocuments
from dashboard.kit import choices
from dashboard.kit.forms import mistakes, one_file, table_columns
from dashboard.kit.inputs import uploads

Columns = Mapping[str, tuple[str, str, str]]
"""Label, query name and default of each column, by the name of its parameter; one without a default may be absent."""

_NEAR_COPIES, _LABEL = "near_copies", "Near copies"
_HELP = OwnMarkedDocuments.model_fields[_NEAR_COPIES].description


def upload(field: str, label: str, query_name: str) -> None:
    """Draw the upload of a file; the address names the last upload."""
    key = f"model_audit/{field}"
    with st.container(width=380):
        one_file.keep(one_file.offered(label, uploads.MODEL_FILES[field], key), field, query_name, key)


def name_columns(columns: Columns, query_name: str, field: str) -> None:
    """Draw the choice of each column of the table that the address names for a field."""
    names = table_columns.of(st.query_params.get(query_name, ""), field)
    with st.container(horizontal=True, gap="medium"):
        for parameter, (label, key, default) in columns.items():
            first = table_columns.meant(parameter, names) if default else ""
            table_columns.choose(label, names, key, default, first=first, needed=bool(default), width=240)


def near_copies(query_name: str) -> dict[str, str]:
    """Draw the choice whether near copies are kept; return it by the name of its parameter."""
    return {_NEAR_COPIES: choices.few(_LABEL, ("kept", "left out"), query_name, help=_HELP)}


def named(columns: Columns) -> dict[str, str]:
    """Return the names of the columns by their parameters, without those that must have one and have none."""
    names = {
        name: (st.session_state.get(query_name) or "", default) for name, (_, query_name, default) in columns.items()
    }
    return {name: text for name, (text, default) in names.items() if text or not default}


def as_labelled(message: str, columns: Columns) -> str:
    """Return a message with the labels of this page in place of field names: those of columns, and near copies."""
    labels = {name: label for name, (label, _, _) in columns.items()}
    return mistakes.with_labels(message, labels | {_NEAR_COPIES: _LABEL})


def in_words(sentence: str) -> str:
    """Return a sentence; one about hyper-parameters, which names fields and their values, with these as words.

    >>> in_words("Hyper-parameters given: minimum_count 6, mode skip_gram."), in_words("my_model.txt: 9 words.")
    ('Hyper-parameters given: minimum count 6, mode skip gram.', 'my_model.txt: 9 words.')
    """
    return sentence.replace("_", " ") if "hyper-parameters" in sentence.lower() else sentence
