"""A room is started from the command line, in the store that the dashboard serves."""

import os
import sys
from urllib.parse import parse_qs, urlsplit

import pytest

from core.__main__ import main
from core.errors import RoomRefused
from core.runtime.store import Store
from dashboard.room import rooms
from dashboard.room.rooms import Rooms
from dashboard.topics.lessons import shelf
from dashboard.topics.lessons.room import starting

ADDRESS = "https://room.example"


def test_a_room_is_started_and_its_secret_link_leads(
    home: object, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    starting.main(["pin", "--address", ADDRESS + "/"])
    output, drawn = capsys.readouterr()
    named, join, lead = output.splitlines()
    assert len([line for line in drawn.splitlines() if "\N{LOWER HALF BLOCK}" in line]) > 10, "a QR code"
    page, query = urlsplit(lead.removeprefix("Lead: ")), parse_qs(urlsplit(lead).query)
    code, secret = query["room"][0], query["key"][0]
    assert named == f"Room {code}: Can the PIN be read back?" and join == f"Join: {ADDRESS}/lessons?room={code}"
    assert (page.netloc, page.path) == ("room.example", "/lessons")
    Rooms(Store()).admit(code, secret, "1" * 32)
    Rooms(Store()).go(code, "1" * 32, 1)
    with pytest.raises(RoomRefused, match="Only the facilitators"):
        Rooms(Store()).go(code, "2" * 32, 2)


def test_a_refusal_is_one_line(
    home: object, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "MOST_ROOMS", 0)
    with pytest.raises(SystemExit, match="1"):
        starting.main(["pin", "--address", ADDRESS])
    assert capsys.readouterr().err.startswith("RoomRefused: This server takes 0 rooms")
    with pytest.raises(SystemExit, match="2"):
        starting.main(["pim", "--address", ADDRESS])
    assert "No lesson is named 'pim'. Did you mean 'pin'?" in capsys.readouterr().err


@pytest.mark.parametrize("address", ["foo", "ftp://room.example", "https://", "http://[", "room.example:8501"])
def test_an_address_that_no_browser_opens_is_refused(
    home: object, capsys: pytest.CaptureFixture[str], address: str
) -> None:
    with pytest.raises(SystemExit, match="2"):
        starting.main(["pin", "--address", address])
    refusal = capsys.readouterr().err
    assert "must be http:// or https:// and a host" in refusal and f"Got {address!r} instead" in refusal


def test_the_command_hands_over_to_the_dashboard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "execv", lambda program, command: sys.exit(" ".join(command[1:])))
    for arguments, handed in (([], f"--address {ADDRESS}"), (["pin"], f"--address {ADDRESS} pin")):
        with pytest.raises(SystemExit, match=f"-m {starting.__name__} {handed}$"):
            main(["room", "--address", ADDRESS, *arguments])


def test_without_a_lesson_their_names_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    starting.main(["--address", ADDRESS])
    assert [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()] == list(shelf.lessons())
