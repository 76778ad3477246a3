"""The choice of a column of an uploaded table: which there are, and which of them is probably meant."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from core.corpora import columns
from core.errors import InvalidSpec
from core.runtime.store import Store
from dashboard.kit import choices
from dashboard.kit.inputs import uploads


def of(reference: str, field: str) -> tuple[str, ...]:
    """Return the columns of an upload by its name in the address; none where it has no such table.

    Args:
        reference: The name; may be empty.
        field: What the file is for, as `uploads.save_one` names it.
    """
    try:
        path = uploads.locate(Store(), reference, field)
    except InvalidSpec:
        return ()
    return columns.of(Path(path)) if path else ()


def options(names: Sequence[str], *, needed: bool) -> list[str]:
    """Return what can be chosen: the columns and, where none need be named, an empty text for none."""
    return [*([] if needed else [""]), *names]


def called(name: str) -> str:
    """Return how a choice is written."""
    return name or "none"


def meant(parameter: str, names: Sequence[str]) -> str:
    """Return the column that a parameter probably means; empty for none.

    >>> (
    ...     meant("text_column", ["id", "body"]),
    ...     meant("member_column", ["id", "is_member"]),
    ...     meant("text_column", ["a", "b"]),
    ... )
    ('body', 'is_member', '')
    """
    return {**columns.proposed(names), "member_column": columns.marking(names)}.get(parameter, "")


def choose(label: str, names: Sequence[str], key: str, default: str, *, first: str, needed: bool, **more: Any) -> None:
    """Draw the choice of a column, or a field for its name where the columns of a file are not known.

    Args:
        label: Text above it.
        names: The columns; none where they are not known.
        key: Name of the field in the session and in the address.
        default: What stands in the field at first.
        first: The column that is chosen at first; empty for none.
        needed: Whether one of the columns must be chosen.
        more: Other arguments of both fields.
    """
    if not names:
        st.text_input(label, default, key=key, bind="query-params", max_chars=200, placeholder="none", **more)
        return
    offered = options(names, needed=needed)
    index = offered.index(first) if first in offered else None
    choices.many(label, offered, key, called=called, index=index, placeholder="Choose a column", **more)
