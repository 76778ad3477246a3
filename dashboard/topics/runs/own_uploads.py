"""The visitor's own uploads: their size on disk, and how to delete each with the runs and results that used it."""

import time

import streamlit as st

from core.errors import StoreError
from core.runtime.store import Store
from dashboard.kit import panels, visitors
from dashboard.kit.inputs import kept_uploads
from dashboard.kit.inputs.kept_uploads import Upload
from dashboard.kit.words import file_size, literal

_DELETES = (
    "This deletes the file, and your runs of it with their results, trained models and logs. What others uploaded or "
    "asked for themselves stays."
)


def listing() -> None:
    """Draw the uploads of the visitor, the largest first; nothing where there are none."""
    visitor = visitors.current().ids
    try:
        uploads = kept_uploads.given_by(visitor, kept_uploads.stored(Store()))
    except StoreError as error:
        panels.show_error(error)
        return
    if not uploads:
        return
    st.header("Your uploads", anchor=False)
    total = file_size(sum(upload.size for upload in uploads))
    st.markdown(f"They take {total} on this server, and nobody else sees this list. {kept_uploads.rule()}")
    for upload in uploads:
        with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"upload-{upload.id}"):
            until = time.strftime("%Y-%m-%d", time.localtime(kept_uploads.ends(Store(), upload.id, visitor)))
            size = file_size(upload.size)
            st.markdown(f"**{literal(upload.name)}**, {size}, kept until {until}", width="content")
            with st.popover("Delete", icon=":material/delete:", key=f"delete-upload-{upload.id}"):
                st.markdown(_DELETES)
                st.button(
                    "Delete upload",
                    key=f"really-upload-{upload.id}",
                    type="primary",
                    on_click=_delete,
                    args=(upload,),
                )


def _delete(upload: Upload) -> None:
    panels.act(kept_uploads.delete, Store(), upload.id, visitors.current().ids)
