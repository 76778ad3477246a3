"""What is downloaded outlasts the pages that are drawn after the click, and is deleted all the same."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.runtime import memory_media_file_storage
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from dashboard.server import downloads
from dashboard.server.downloads import PatientStorage


@pytest.fixture
def pass_time(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Lets every timer of downloads ring."""
    started: list[Any] = []

    class Clock(threading.Timer):
        def start(self) -> None:
            started.append(self)

    def ring() -> None:
        while started:
            timer = started.pop()
            timer.function(*timer.args)

    monkeypatch.setattr(downloads, "Timer", Clock)
    return ring


def clicked(manager: MediaFileManager) -> str:
    """Return the file of a click on a download whose content is made then."""
    made = manager.add_deferred(lambda: b"a,b", "text/csv", "1.2", "table.csv")
    return manager.execute_deferred(made).rpartition("/")[2]


def draw_pages(manager: MediaFileManager) -> None:
    """Do what Streamlit does whenever a page of anybody has been drawn, twice."""
    for _ in range(2):
        manager.remove_orphaned_files()


def test_a_file_outlasts_the_pages_drawn_after_the_click(pass_time: Callable[[], None]) -> None:
    hasty, patient = MemoryMediaFileStorage("/media"), PatientStorage("/media")
    files = [clicked_and_left(storage) for storage in (hasty, patient)]
    with pytest.raises(MediaFileStorageError):
        hasty.get_file(files[0])
    assert patient.get_file(files[1]).content == b"a,b"
    pass_time()
    with pytest.raises(MediaFileStorageError):
        patient.get_file(files[1])


def clicked_and_left(storage: MemoryMediaFileStorage) -> str:
    """Return the file of a click after which pages are drawn."""
    manager = MediaFileManager(storage)
    file = clicked(manager)
    draw_pages(manager)
    return file


def test_a_file_that_is_asked_for_again_meanwhile_stays(pass_time: Callable[[], None]) -> None:
    storage = PatientStorage("/media")
    manager = MediaFileManager(storage)
    file = clicked(manager)
    draw_pages(manager)
    assert clicked(manager) == file
    pass_time()
    assert storage.get_file(file).content == b"a,b"
    draw_pages(manager)
    pass_time()
    with pytest.raises(MediaFileStorageError):
        storage.get_file(file)


def test_the_next_server_keeps_downloads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_media_file_storage, "MemoryMediaFileStorage", MemoryMediaFileStorage)
    downloads.keep_a_while()
    assert memory_media_file_storage.MemoryMediaFileStorage is PatientStorage
