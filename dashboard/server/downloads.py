"""Keeps what is downloaded for a while: Streamlit deletes it once any two pages have been drawn after the click."""

from threading import Lock
from time import monotonic
from typing import Any

from streamlit.runtime import memory_media_file_storage
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

SECONDS = 60.0
"""How long a file outlasts its deletion, which may come before the browser of a slow phone has asked for it."""


class PatientStorage(MemoryMediaFileStorage):
    """The files of pages in memory, each deleted a while after Streamlit wants it, unless it is needed again.

    What is due goes when the next file is added or is to be deleted.
    """

    def __init__(self, media_endpoint: str) -> None:
        super().__init__(media_endpoint)
        self._due: dict[str, float] = {}
        self._lock = Lock()

    def load_and_get_id(self, *file: Any, **described: Any) -> str:
        """Add a file, and return its id."""
        with self._lock:
            file_id = super().load_and_get_id(*file, **described)
            self._due.pop(file_id, None)
            self._delete_what_is_due()
        return file_id

    def delete_file(self, file_id: str) -> None:
        """Delete a file after a while."""
        with self._lock:
            self._due[file_id] = monotonic() + SECONDS
            self._delete_what_is_due()

    def _delete_what_is_due(self) -> None:
        now = monotonic()
        for file_id in [file_id for file_id, moment in self._due.items() if moment <= now]:
            del self._due[file_id]
            super().delete_file(file_id)


def keep_a_while() -> None:
    """Let the server that is created next keep what is downloaded."""
    setattr(memory_media_file_storage, MemoryMediaFileStorage.__name__, PatientStorage)
