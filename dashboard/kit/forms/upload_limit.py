"""Limits the memory that the uploads of one session and of all take, and releases uploads that no form shows."""

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

from core.runtime.environment import whole_number
from dashboard.kit.inputs.uploads import MOST_FILES, largest, megabytes

_ADDRESS = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/(?P<file>[^/]+)$")
_CURRENT, _PREVIOUS = "uploads/shown", "uploads/seen"
_refused: TTLCache[str, str] = TTLCache(1000, ttl=600)
"""Why files of a session were refused, which its page must say; it never says so in a page that was closed."""
OF_ALL = "TELLTALE_UPLOADS_MEMORY_MB"
"""Environment variable with the most megabytes that the uploads of all sessions may take in memory."""


def rule() -> str:
    """Return what one session may upload, as a sentence."""
    return f"One session may hold {MOST_FILES:,} uploaded files of {megabytes():,} MB together."


def of_all() -> int:
    """Return the most megabytes that the uploads of all sessions may take in memory: at least those of one.

    Raises:
        InvalidSpec: The environment holds no number of megabytes.
    """
    return max(whole_number(OF_ALL, 2_000, 1_000_000, "megabytes"), megabytes())


class UploadLimit:
    """Refuses an upload beyond the limit of its session, or of all sessions, before it is read."""

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
        reason = ""
        if len(sizes) > MOST_FILES or sum(sizes.values()) > largest():
            reason = f"{rule()} Remove some, or put them into one table."
        elif self._of_others(session) + sum(sizes.values()) > of_all() * 1_000_000:
            reason = f"All sessions together may hold {of_all():,} MB, which are taken. Try again in a few minutes."
        if reason:
            _refused[session] = reason
            await PlainTextResponse(reason, 413)(scope, receive, send)
            return
        coming[file] = int(length)
        try:
            await self._app(scope, receive, send)
        finally:
            coming.pop(file, None)
            if not coming:
                self._coming.pop(session, None)

    def _of_others(self, session: str) -> int:
        """Return the bytes of the uploads of all other sessions, those that are still coming included."""
        sessions = ({*_sessions(), *self._coming}) - {session}
        return sum(sum({**_sizes(each), **self._coming.get(each, {})}.values()) for each in sessions)


def show(files: Iterable[Any]) -> None:
    """Note that a form shows these uploads, and warn if others were refused."""
    st.session_state.setdefault(_CURRENT, set()).update(file.file_id for file in files)
    context = get_script_run_ctx()
    if context is not None and (reason := _refused.pop(context.session_id, "")):
        st.warning(f"Files were left out. {reason}", icon=":material/info:")


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


def _sessions() -> list[str]:
    manager: Any = runtime.get_instance().uploaded_file_mgr
    return list(manager.file_storage)


def _sizes(session: str) -> Mapping[str, int]:
    """Return the sizes of a session's uploads by their ids."""
    manager: Any = runtime.get_instance().uploaded_file_mgr
    records = dict(manager.file_storage.get(session, {}))
    return {file: len(record.data) for file, record in records.items()}
