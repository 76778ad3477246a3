"""Keeps what is downloaded for a while: Streamlit deletes it once any two pages have been drawn after the click."""

from threading import Lock, Timer
from typing import Any

from streamlit.runtime import memory_media_file_storage
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

SECONDS = 60.0
"""How long a file outlasts its deletion, which may come before the browser of a slow phone has asked for it."""


class PatientStorage(MemoryMediaFileStorage):
    """The files of pages in memory, each deleted a while after Streamlit wants it, unless it is needed again."""

    def __init__(self, media_endpoint: str) -> None:
        super().__init__(media_endpoint)
        self._loads: dict[str, int] = {}
        self._lock = Lock()

    def load_and_get_id(self, *file: Any, **described: Any) -> str:
        """Add a file, and return its id."""
        with self._lock:
            file_id = super().load_and_get_id(*file, **described)
            self._loads[file_id] = self._loads.get(file_id, 0) + 1
        return file_id

    def delete_file(self, file_id: str) -> None:
        """Delete a file after a while."""
        timer = Timer(SECONDS, self._delete, (file_id, self._loads.get(file_id)))
        timer.daemon = True
        timer.start()

    def _delete(self, file_id: str, loads: int | None) -> None:
        """Delete a file that nobody has added again since its deletion was asked for."""
        with self._lock:
            if self._loads.get(file_id) == loads:
                self._loads.pop(file_id, None)
                super().delete_file(file_id)


def keep_a_while() -> None:
    """Let the server that is created next keep what is downloaded."""
    setattr(memory_media_file_storage, MemoryMediaFileStorage.__name__, PatientStorage)
