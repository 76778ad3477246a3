"""Predictions of those who learn alone: kept for their browser, locked once, and gone when forgotten or old."""

import time

import pytest

from core.runtime.store import Store
from dashboard.room import rooms_file
from dashboard.room.alone import AloneFile
from dashboard.room.rooms_file import Value


@pytest.fixture
def file(store: Store) -> AloneFile:
    return AloneFile(store)


@pytest.mark.parametrize("value", [0.7, 12.0, "a classifier", (True, False, True)])
def test_a_prediction_is_kept_as_it_was_locked_and_cannot_be_changed(file: AloneFile, value: Value) -> None:
    assert file.predictions("ann") == {}
    file.lock("ann", "mailbox", 1, value)
    file.lock("ann", "mailbox", 1, "another")
    assert file.predictions("ann") == {("mailbox", 1): (value, False)}
    file.reveal("ann", "mailbox", 1)
    assert file.predictions("ann") == {("mailbox", 1): (value, True)}
    assert file.predictions("ben") == {}


def test_what_is_forgotten_leaves_nothing_behind(file: AloneFile, store: Store) -> None:
    for lesson in ("mailbox", "pin"):
        file.lock("ann", lesson, 1, f"secret of {lesson}")
    file.lock("ben", "mailbox", 1, 0.5)
    file.forget("ann", "mailbox")
    assert set(file.predictions("ann")) == {("pin", 1)} and file.predictions("ben")
    written = b"".join(path.read_bytes() for path in store.root.glob(f"{AloneFile.NAME}*"))
    assert b"secret of pin" in written and b"secret of mailbox" not in written


def test_predictions_last_as_long_as_a_room(file: AloneFile, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    file.expire()
    assert not file.exists(), "nothing is made where there is nothing to delete"
    file.lock("ann", "mailbox", 1, 0.5)
    file.lock("ann", "pin", 1, "late secret")
    file.expire()
    assert len(file.predictions("ann")) == 2
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + rooms_file.DAYS * 86_400 + 1)
    assert file.predictions("ann") == {}
    file.lock("ann", "mailbox", 1, 0.7)
    assert file.predictions("ann") == {("mailbox", 1): (0.7, False)}
    file.expire()
    assert b"late secret" not in b"".join(path.read_bytes() for path in store.root.glob(f"{AloneFile.NAME}*"))
