"""The field for one file of the visitor: uploaded, kept, and named in the address."""

from collections.abc import Iterable
from typing import Any

import streamlit as st

from core.errors import TelltaleError
from core.runtime.store import Store
from dashboard.kit import visitors
from dashboard.kit.forms import upload_limit
from dashboard.kit.inputs import kept_uploads, uploads
from dashboard.kit.words import literal


def offered(label: str, endings: Iterable[str], key: str) -> Any:
    """Draw the field; return the visitor's file, or None.

    Args:
        label: Text above it.
        endings: Endings that names of files may have.
        key: Name of the field.
    """
    rules = f"{upload_limit.rule()} {kept_uploads.rule()}"
    help_text = f"It stays on this machine until you delete it on the page Runs. {rules}"
    file = st.file_uploader(label, list(endings), key=key, help=help_text)
    upload_limit.show([file] if file else [])
    return file


def keep(file: Any, field: str, query_name: str, key: str) -> None:
    """Keep a file that is new, note it in the address, and draw the page anew: it shows something else now.

    Args:
        file: See `offered`.
        field: What the file is for, as `uploads.save_one` names it.
        query_name: Parameter of the address that holds its path.
        key: Name of the field.
    """
    session_key = f"{key}/kept"
    if file is None or st.session_state.get(session_key) == file.file_id:
        return
    try:
        saved = uploads.save_one(Store(), file.name, file.getvalue(), field, visitors.current().ids)
    except TelltaleError as error:
        st.error(literal(str(error)), icon=":material/edit:")
        return
    st.session_state[session_key] = file.file_id
    st.query_params[query_name] = saved
    st.rerun()
