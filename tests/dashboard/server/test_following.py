"""Where a room stands is told in a few bytes, and nothing else is."""

import httpx
import pytest
from starlette.applications import Starlette

from core.errors import StoreError
from core.runtime.store import Store
from dashboard.room import following
from dashboard.room.codes import drawn
from dashboard.room.rooms import Rooms
from dashboard.server.following import ROUTES
from tests.errands import awaited

HOST, ANN = "1" * 32, "a" * 32


def told(path: str) -> tuple[int, str]:
    """Return status and text of an answer."""

    async def asked() -> httpx.Response:
        server = httpx.ASGITransport(Starlette(routes=ROUTES))
        async with httpx.AsyncClient(transport=server, base_url="http://telltale") as client:
            return await client.get(path)

    answer = awaited(asked)
    return answer.status_code, answer.text


def test_every_change_that_a_screen_shows_changes_what_is_told(home: object) -> None:
    rooms = Rooms(Store())
    room, _ = rooms.start("mailbox", HOST)
    steps = (
        lambda: rooms.go(room.code, HOST, 1),
        lambda: rooms.join(room.code, ANN, "Ann"),
        lambda: rooms.follow(room.code, ANN, 1),
        lambda: rooms.vote(room.code, 1, ANN, 0.5),
        lambda: rooms.allow_ahead(room.code, HOST, ahead=True),
    )
    seen = [told(following.path(room.code, 1))]
    for change in steps:
        change()
        seen.append(told(following.path(room.code, 1)))
    assert seen == [(200, text) for text in ("0 0 0 0", "1 0 0 0", "1 1 0 0", "1 1 0 1", "1 1 1 1", "2 1 1 1")]
    assert told(following.path(room.code, 2)) == (200, "2 1 0 0"), "votes of another step"
    rooms.delete(room.code, HOST)
    assert told(following.path(room.code, 1)) == told(following.path(drawn(), 1)) == (200, "-1 0 0 0")


@pytest.mark.parametrize("step", ["x", "-1", "1e3", "9" * 30, "²"])
def test_what_is_no_step_is_refused(home: object, step: str) -> None:
    assert told(f"{following.PATH}/{drawn()}/{step}")[0] == 404


def test_a_file_that_cannot_be_read_is_not_taken_for_an_empty_room(
    home: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise StoreError("The rooms cannot be used now.")

    monkeypatch.setattr(Rooms, "standing", refused)
    assert told(following.path(drawn(), 1)) == (503, "")
