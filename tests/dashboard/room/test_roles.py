"""In a room everybody changes and reads their own, its facilitators what its people did, and nothing else changes."""

import sqlite3
import time
from contextlib import closing

import pytest

from core.errors import InvalidSpec, RoomRefused, TooManyRuns
from core.experiment import Experiment
from core.jobs import Job, Limits
from core.runtime.store import Store
from dashboard.kit import running, visitors
from dashboard.kit.forms import needed
from dashboard.kit.inputs import uploads
from dashboard.kit.visitors import Visitor
from dashboard.room import roles
from dashboard.room.rooms import MOST_MINUTES, Rooms
from dashboard.room.rooms_file import RoomsFile

HOST, ANN, BOB, OUTSIDE, ELSEWHERE = "1" * 32, "a" * 32, "b" * 32, "c" * 32, "d" * 32


@pytest.fixture
def code(home: object) -> str:
    """A room led by HOST, with ANN and BOB in it; ELSEWHERE leads another."""
    rooms = Rooms(Store())
    room, _ = rooms.start("mailbox", HOST)
    rooms.start("pin", ELSEWHERE)
    for visitor in (ANN, BOB):
        rooms.join(room.code, visitor)
    return room.code


def run_of(asker: str) -> Job:
    return Job("f" * 16, {}, "running", time.time(), None, None, "", 0, 0, None, [], "", asker=asker)


def test_runs_are_changed_by_who_asked_or_leads(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    allowed = {
        (visitor, asker)
        for visitor in (HOST, ANN, OUTSIDE, ELSEWHERE)
        for asker in (HOST, ANN, BOB, OUTSIDE, "")
        if Visitor((visitor,)).may_change(run_of(asker))
    }
    assert allowed == {
        *((HOST, asker) for asker in (HOST, ANN, BOB, OUTSIDE, "")),
        (ANN, ANN),
        *((outsider, asker) for outsider in (OUTSIDE, ELSEWHERE) for asker in (OUTSIDE, "")),
    }
    monkeypatch.setenv(visitors.OWNERS, "ann@example.org")
    assert Visitor((HOST,)).may_change(run_of(ANN)) and not Visitor((HOST,)).may_change(run_of(OUTSIDE))
    assert not Visitor((OUTSIDE,)).may_change(run_of("")) and not Visitor((ANN,)).may_read({HOST: time.time()})


def test_uploads_are_read_by_who_gave_them_or_leads(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def opens(visitor: str, upload: str) -> bool:
        monkeypatch.setattr(visitors, "current", lambda: Visitor((visitor,)))
        try:
            return bool(uploads.locate(Store(), upload, "source"))
        except InvalidSpec:
            return False

    def given(giver: str) -> str:
        return uploads.save(Store(), [(f"{giver}.csv", b"text")], (giver,))

    of = {giver: given(giver) for giver in (HOST, ANN, OUTSIDE)}
    assert [opens(visitor, of[ANN]) for visitor in (ANN, HOST, BOB, OUTSIDE, ELSEWHERE)] == [True, True, *3 * [False]]
    assert opens(BOB, of[HOST]) and not opens(OUTSIDE, of[HOST]), "what who leads gives is for the room"
    assert opens(ELSEWHERE, of[OUTSIDE]) and not opens(ANN, of[OUTSIDE])
    rooms = Rooms(Store())
    for enter, readers in (
        (lambda: rooms.join(code, OUTSIDE), [True, False]),
        (lambda: rooms.admit(code, rooms.renew(code, HOST), OUTSIDE), [True, True]),
    ):
        enter()
        before = [opens(visitor, of[OUTSIDE]) for visitor in (HOST, ANN)]
        given(OUTSIDE)
        assert not any(before), "what was given before somebody came is theirs"
        assert [opens(visitor, of[OUTSIDE]) for visitor in (HOST, ANN)] == readers


def test_a_participant_starts_runs_as_long_as_the_room_says(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    experiment, seconds = Experiment.preset("window_similarity", "demo"), 20 * 60.0
    monkeypatch.setattr(needed, "expected_seconds", lambda each: seconds)

    def refusals() -> list[str]:
        messages = []
        for visitor in (ANN, HOST, OUTSIDE):
            monkeypatch.setattr(visitors, "current", lambda known=visitor: Visitor((known,)))
            messages.append(needed.refusal(experiment))
        return messages

    rooms = Rooms(Store())
    assert rooms.minutes(code) == 10
    refused, *others = refusals()
    assert "a run may take 10 min, and this one takes about 20 min" in refused and others == ["", ""]
    monkeypatch.setattr(visitors, "current", lambda: Visitor((ANN,)))
    with pytest.raises(TooManyRuns, match="may take 10 min"):
        running.ask(experiment)
    with pytest.raises(RoomRefused):
        rooms.allow_minutes(code, ANN, 30)
    rooms.allow_minutes(code, HOST, 30)
    assert refusals() == ["", "", ""]
    seconds = None
    assert "how long this one takes is not known" in refusals()[0]
    rooms.allow_minutes(code, HOST, 10**9)
    assert rooms.minutes(code) == MOST_MINUTES
    with closing(sqlite3.connect(Store().root / "rooms.sqlite")) as database:
        for trigger in RoomsFile.SEALS.statements.keys() - {"seals"}:
            database.execute(f"drop trigger {trigger}")
        for table in ("sizes", "seals"):
            database.execute(f"drop table {table}")
    assert Visitor((ANN,)).longest_run() == 10, "a file of an earlier version"
    rooms.allow_minutes(code, HOST, 7)
    assert Visitor((ANN,)).longest_run() == 7 and Visitor((HOST,)).longest_run() is None


def test_a_participant_may_have_as_many_runs_waiting_as_the_room_says(code: str) -> None:
    Rooms(Store()).allow_runs(code, HOST, 1)
    assert Visitor((ANN,)).limits() == Limits(waiting=1)
    assert Visitor((HOST,)).limits() == Visitor((OUTSIDE,)).limits() == Limits()
    Rooms(Store()).delete(code, HOST)
    assert Visitor((ANN,)).limits() == Limits() and Visitor((ANN,)).may_change(run_of(BOB))
    (Store().root / "rooms.sqlite").write_bytes(b"nonsense" * 1000)
    assert roles.may_change(Store(), (ANN,), BOB), "without its file, nobody is in a room"
