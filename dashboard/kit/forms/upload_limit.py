"""Limits the memory that one session's uploads take, and releases uploads that no form shows."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import streamlit as st
from cachetools import TTLCache
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.scriptrunner import StopException, get_script_run_ctx

from dashboard.kit.inputs.uploads import MOST_FILES, largest, megabytes

_ADDRESS = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/(?P<file>[^/]+)$")
_CURRENT, _PREVIOUS = "uploads/shown", "uploads/seen"
_refused: TTLCache[str, bool] = TTLCache(1000, ttl=600)
"""Sessions whose page must say that files were refused; it never says so in a page that was closed."""


def rule() -> str:
    """Return what one session may upload, as a sentence."""
    return f"One session may hold {MOST_FILES:,} uploaded files of {megabytes():,} MB together."


class UploadLimit:
    """Refuses an upload beyond the limit of its session, before it is read."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._coming: dict[str, dict[str, int]] = defaultdict(dict)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on everything else."""
        upload = _ADDRESS.search(scope["path"]) if scope["type"] == "http" and scope["method"] == "PUT" else None
        if upload is None:
            await self._app(scope, receive, send)
            return
        session, file = upload["session"], upload["file"]
        length = Headers(scope=scope).get("content-length", "")
        if not length.isdecimal():
            await PlainTextResponse("An upload must have a Content-Length.", 411)(scope, receive, send)
            return
        coming = self._coming[session]
        sizes = {**_sizes(session), **coming, file: int(length)}
        if len(sizes) > MOST_FILES or sum(sizes.values()) > largest():
            _refused[session] = True
            await PlainTextResponse(rule(), 413)(scope, receive, send)
            return
        coming[file] = int(length)
        try:
            await self._app(scope, receive, send)
        finally:
            coming.pop(file, None)
            if not coming:
                self._coming.pop(session, None)


def show(files: Iterable[Any]) -> None:
    """Note that a form shows these uploads, and warn if others were refused."""
    st.session_state.setdefault(_CURRENT, set()).update(file.file_id for file in files)
    context = get_script_run_ctx()
    if context is not None and _refused.pop(context.session_id, False):
        st.warning(f"Files were left out. {rule()} Remove some, or put them into one table.", icon=":material/info:")


@contextmanager
def released() -> Iterator[None]:
    """Release, once a page is drawn, the uploads that no form shows any more."""
    previous: set[str] = st.session_state.setdefault(_PREVIOUS, set())
    current: set[str] = set()
    st.session_state[_CURRENT] = current
    try:
        yield
    except StopException:
        # The page chose to end here. A script run that is aborted for a rerun has not drawn all its forms.
        _release(previous, current)
        raise
    _release(previous, current)


def _release(previous: set[str], current: set[str]) -> None:
    """Remove the uploads that are no longer shown; the session's state cannot be read after a stop."""
    context = get_script_run_ctx()
    if context is not None:
        manager: Any = context.uploaded_file_mgr
        for file in previous - current:
            manager.remove_file(context.session_id, file)
    previous.clear()
    previous.update(current)


def _sizes(session: str) -> Mapping[str, int]:
    """Return the sizes of a session's uploads by their ids."""
    manager: Any = runtime.get_instance().uploaded_file_mgr
    records = dict(manager.file_storage.get(session, {}))
    return {file: len(record.data) for file, record in records.items()}
