"""Kills the server of a class five times, once a question, while people vote and come back; run with python -m.

With ``--minutes`` it is one class of that length. Its questions are the attempts, so that a class that was stopped goes
on with the question at which it was.
"""

import asyncio
import math
import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import httpx
import websockets

from core.runtime.store import Store
from dashboard.room.rooms import Rooms
from tests.benchmarks.visitor import Page, Visitor, visiting
from tests.campaigns.campaign import carried_out, parsed
from tests.errands import awaited
from tests.patience import PATIENCE
from tests.serving import Served, free_ports, serving

PAGE, LESSON, STEPS, HOST = "lessons", "mailbox", 5, "1" * 32
LIMIT = 10.0
"""Seconds after a kill within which everybody sees the room again."""
PEOPLE = 12
_WITHIN = 4.0
"""Seconds within which all vote, and within which the server is killed."""
_SHARE = 0.8
"""Share of the time of a question within which that happens in a class of some length."""
_PLACE = re.compile(r"· Step (\d+) of")


@dataclass
class Class:
    """A simulated class.

    Attributes:
        address: Of its server, which stays the same.
        code: Of its room.
        delays: Seconds between the opening of a step and each vote, by step and person.
        confirmed: What people saw confirmed, by step and person.
        seen: When each person last saw the room.
        opened: When the open step was opened.
        step: The open step.
        over: Whether everybody may go.
    """

    address: str
    code: str
    delays: dict[tuple[int, int], float]
    confirmed: dict[tuple[int, int], float] = field(default_factory=dict)
    seen: dict[int, float] = field(default_factory=dict)
    opened: float = 0.0
    step: int = 0
    over: bool = False


def value_of(step: int, person: int) -> float:
    """Return what a person predicts at a step: never where a slider starts, and never what they said before."""
    return round(0.01 * (1 + (7 * person + step) % 49), 2)


def token_of(person: int) -> str:
    """Return the cookie of a person."""
    return f"{person + 2:032x}"


def attempt(number: int, rng: random.Random, people: int = PEOPLE, kills: int = STEPS, limit: float = LIMIT) -> str:
    """Hold a class, killing its server once a step."""
    with tempfile.TemporaryDirectory(prefix="telltale-lesson-") as folder:
        worst = awaited(lambda: _held(Path(folder), rng, people, range(1, kills + 1), 0.0))
    assert worst <= limit, f"somebody was back after {worst:.1f} s"
    return f"{kills} kills, everybody back within {math.ceil(worst)} s"


def question(
    number: int, rng: random.Random, minutes: float, folder: Path, people: int = PEOPLE, limit: float = LIMIT
) -> str:
    """Ask one question of a class that takes some minutes, in the room that the questions before it were asked in."""
    if not number:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    worst = awaited(lambda: _held(folder, rng, people, range(number + 1, number + 2), 60 * minutes / STEPS))
    assert worst <= limit, f"somebody was back after {worst:.1f} s"
    return (
        f"question of {minutes / STEPS:g} minutes, a kill, all votes kept, everybody back within {math.ceil(worst)} s"
    )


async def _held(folder: Path, rng: random.Random, people: int, steps: range, seconds: float) -> float:
    """Hold a part of a class; return the longest that somebody took to be back after a kill.

    Args:
        folder: Holds the home of the server, and the code of the room once there is one.
        rng: Draws when somebody votes and when the server is killed.
        people: Participants.
        steps: The questions to be asked.
        seconds: How long each takes at least.
    """
    port, rooms, code = free_ports(2), Rooms(Store(folder / "home")), folder / "code.txt"
    within = max(_WITHIN, _SHARE * seconds)
    delays = {(step, each): rng.uniform(0, within) for step in steps for each in range(people)}
    with ExitStack() as servers:
        server = await _started(servers, folder, port)
        if not code.exists():
            code.write_text(rooms.start(LESSON, HOST)[0].code)
        held = Class(server.address, code.read_text(), delays)
        tasks = [asyncio.create_task(_participant(held, each)) for each in range(people)]
        worst = 0.0
        try:
            await _until(lambda: rooms.find(held.code).people == people, "everybody joins", tasks)
            for step in steps:
                rooms.go(held.code, HOST, step)
                held.step, held.opened = step, time.monotonic()
                await asyncio.sleep(rng.uniform(0, within))
                server.process.kill()
                killed = time.monotonic()
                server = await _started(servers, folder, port)
                await _until(partial(_all_back, held, people, killed), "everybody is back", tasks)
                worst = max(worst, max(held.seen.values()) - killed)
                await _until(partial(_all_voted, held, people, step), "everybody has voted", tasks, within)
                await asyncio.sleep(max(0.0, held.opened + seconds - time.monotonic()))
                _check(held, rooms, step)
        finally:
            held.over = True
            await asyncio.gather(*tasks, return_exceptions=True)
    return worst


async def _started(servers: ExitStack, folder: Path, port: int) -> Served:
    """Start the server on its port; the one before is dead."""
    return await asyncio.to_thread(servers.enter_context, serving(folder, port=port))


async def _until(holds: Callable[[], bool], what: str, tasks: "list[asyncio.Task[None]]", seconds: float = 0.0) -> None:
    end = time.monotonic() + seconds + PATIENCE
    while not holds():
        for task in tasks:
            if task.done():
                task.result()
        assert time.monotonic() < end, f"not seen: {what}"
        await asyncio.sleep(0.05)


def _all_back(held: Class, people: int, killed: float) -> bool:
    return sum(moment > killed for moment in held.seen.values()) == people


def _all_voted(held: Class, people: int, step: int) -> bool:
    return all((step, each) in held.confirmed for each in range(people))


def _check(held: Class, rooms: Rooms, last: int) -> None:
    """Fail where a vote is not kept that was confirmed at any step so far, or anything but what somebody said."""
    kept = sorted((vote.step, vote.value) for vote in rooms.votes(held.code))
    people = {person for _, person in held.confirmed}
    confirmed = sorted((step, value_of(step, person)) for step in range(1, last + 1) for person in people)
    assert kept == confirmed, f"kept {kept}, confirmed {confirmed}"


async def _participant(held: Class, person: int) -> None:
    """Join, vote at each step, and come back whenever the server is gone."""
    while not held.over:
        with suppress(OSError, TimeoutError, websockets.WebSocketException, httpx.TransportError):
            await _session(held, person)
        await asyncio.sleep(0.2)


async def _session(held: Class, person: int) -> None:
    """Be in the room until the server is gone, and look as often as a browser does whether it has moved."""
    async with visiting(held.address, token_of(person)) as visitor:
        page = await _room(visitor, held, person)
        while not held.over and visitor.is_connected:
            step = _step(page)
            value, due = value_of(step, person), held.opened + held.delays.get((step, person), 0.0)
            buttons = {button.label: button for button in page.buttons}
            if "Lock my prediction" in buttons and step == held.step and time.monotonic() >= due:
                lock, slider = buttons["Lock my prediction"], page.sliders[0]
                page = _sound(await asyncio.wait_for(visitor.press(lock, slider, value), PATIENCE))
            if step and any("You predicted" in sentence for sentence in page.said):
                held.confirmed[step, person] = value
            await asyncio.sleep(0.5)
            if page.followed is None or page.followed.has_moved(await visitor.look(page.followed)):
                page = await _room(visitor, held, person)


async def _room(visitor: Visitor, held: Class, person: int) -> Page:
    """Open the room, and join it if this person has not."""
    page = _sound(await asyncio.wait_for(visitor.open(PAGE, {"room": held.code}), PATIENCE))
    while join := next((button for button in page.buttons if button.label == "Join"), None):
        await asyncio.wait_for(visitor.press(join), PATIENCE)
        page = _sound(await asyncio.wait_for(visitor.open(PAGE, {"room": held.code}), PATIENCE))
    held.seen[person] = time.monotonic()
    return page


def _step(page: Page) -> int:
    return next((int(match[1]) for sentence in page.said if (match := _PLACE.search(sentence))), 0)


def _sound(page: Page) -> Page:
    assert not page.errors, f"the page failed: {page.errors[0]}"
    return page


def main() -> int:
    """Hold classes one after the other, or with ``--minutes`` one of that length."""
    name, class_length = "lesson", ("minutes", "hold one class of this length, whose questions are the attempts")
    minutes = parsed(name, 20, class_length).minutes
    if not minutes:
        return carried_out(name, attempt, parsed(name, 20, class_length))
    options, named = parsed(name, STEPS, class_length), f"{name}-{minutes:g}-minutes"
    options.seconds = max(options.seconds, 2 * 60 * minutes)
    folder = Path(tempfile.gettempdir()) / "telltale-campaigns" / f"{named}-room"
    return carried_out(named, partial(question, minutes=minutes, folder=folder), options)


if __name__ == "__main__":
    sys.exit(main())
