"""What is downloaded outlasts the pages that are drawn after the click, and is deleted all the same."""

from collections.abc import Callable

import pytest
from streamlit.runtime import memory_media_file_storage
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from dashboard.server import downloads
from dashboard.server.downloads import PatientStorage


@pytest.fixture
def pass_time(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Lets as much time pass as a file outlasts its deletion."""
    now = [0.0]
    monkeypatch.setattr(downloads, "monotonic", lambda: now[0])

    def pass_on() -> None:
        now[0] += downloads.SECONDS

    return pass_on


def clicked(manager: MediaFileManager, name: str = "table.csv") -> str:
    """Return the file of a click on a download whose content is made then."""
    made = manager.add_deferred(lambda: b"a,b", "text/csv", "1.2", name)
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
    clicked_and_left(patient, "other.csv")
    with pytest.raises(MediaFileStorageError):
        patient.get_file(files[1])


def clicked_and_left(storage: MemoryMediaFileStorage, name: str = "table.csv") -> str:
    """Return the file of a click after which pages are drawn."""
    manager = MediaFileManager(storage)
    file = clicked(manager, name)
    draw_pages(manager)
    return file


def test_a_file_that_is_asked_for_again_meanwhile_stays(pass_time: Callable[[], None]) -> None:
    storage = PatientStorage("/media")
    manager = MediaFileManager(storage)
    file = clicked(manager)
    draw_pages(manager)
    assert clicked(manager) == file
    pass_time()
    clicked_and_left(storage, "other.csv")
    assert storage.get_file(file).content == b"a,b"
    draw_pages(manager)
    pass_time()
    clicked_and_left(storage, "third.csv")
    with pytest.raises(MediaFileStorageError):
        storage.get_file(file)


def test_the_next_server_keeps_downloads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_media_file_storage, "MemoryMediaFileStorage", MemoryMediaFileStorage)
    downloads.keep_a_while()
    assert memory_media_file_storage.MemoryMediaFileStorage is PatientStorage
