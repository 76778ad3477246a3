"""Kills the server of a class five times, once a question, while people vote and come back; run with python -m."""

import asyncio
import math
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import websockets

from core.runtime.store import Store
from dashboard.room.rooms import Rooms
from tests.benchmarks.visitor import Page, visiting
from tests.campaigns.campaign import command
from tests.errands import awaited
from tests.patience import PATIENCE
from tests.serving import Served, free_ports, serving

PAGE, LESSON, STEPS, HOST = "lessons", "mailbox", 5, "1" * 32
LIMIT = 10.0
"""Seconds after a kill within which everybody sees the room again."""
PEOPLE = 12
_WITHIN = 4.0
"""Seconds within which all vote, and within which the server is killed."""
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
        worst = awaited(lambda: _held(Path(folder), rng, people, kills))
    assert worst <= limit, f"somebody was back after {worst:.1f} s"
    return f"{kills} kills, everybody back within {math.ceil(worst)} s"


async def _held(folder: Path, rng: random.Random, people: int, kills: int) -> float:
    """Hold a class; return the longest that somebody took to be back after a kill."""
    port, rooms = free_ports(2), Rooms(Store(folder / "home"))
    delays = {(step, each): rng.uniform(0, _WITHIN) for step in range(1, kills + 1) for each in range(people)}
    with ExitStack() as servers:
        server = await _started(servers, folder, port)
        room, _ = rooms.start(LESSON, HOST)
        held = Class(server.address, room.code, delays)
        tasks = [asyncio.create_task(_participant(held, each)) for each in range(people)]
        worst = 0.0
        try:
            await _until(lambda: rooms.find(room.code).people == people, "everybody joins", tasks)
            for step in range(1, kills + 1):
                rooms.go(room.code, HOST, step)
                held.step, held.opened = step, time.monotonic()
                await asyncio.sleep(rng.uniform(0, _WITHIN))
                server.process.kill()
                killed = time.monotonic()
                server = await _started(servers, folder, port)
                await _until(partial(_all_back, held, people, killed), "everybody is back", tasks)
                worst = max(worst, max(held.seen.values()) - killed)
                await _until(partial(_all_voted, held, people, step), "everybody has voted", tasks)
                _check(held, rooms)
        finally:
            held.over = True
            await asyncio.gather(*tasks, return_exceptions=True)
    return worst


async def _started(servers: ExitStack, folder: Path, port: int) -> Served:
    """Start the server on its port; the one before is dead."""
    return await asyncio.to_thread(servers.enter_context, serving(folder, port=port))


async def _until(holds: Callable[[], bool], what: str, tasks: "list[asyncio.Task[None]]") -> None:
    end = time.monotonic() + PATIENCE
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


def _check(held: Class, rooms: Rooms) -> None:
    """Fail where a confirmed vote is not kept, or anything but what somebody said."""
    kept = sorted((vote.step, vote.value) for vote in rooms.votes(held.code))
    confirmed = sorted((step, value) for (step, _), value in held.confirmed.items())
    assert kept == confirmed, f"kept {kept}, confirmed {confirmed}"


async def _participant(held: Class, person: int) -> None:
    """Join, vote at each step, and come back whenever the server is gone."""
    while not held.over:
        with suppress(OSError, TimeoutError, websockets.WebSocketException):
            await _session(held, person)
        await asyncio.sleep(0.2)


async def _session(held: Class, person: int) -> None:
    async with visiting(held.address, token_of(person)) as visitor:
        while not held.over:
            page = _sound(await asyncio.wait_for(visitor.open(PAGE, {"room": held.code}), PATIENCE))
            buttons = {button.label: button for button in page.buttons}
            if "Join" in buttons:
                page = _sound(await asyncio.wait_for(visitor.press(buttons["Join"]), PATIENCE))
                continue
            held.seen[person] = time.monotonic()
            step = _step(page)
            value, due = value_of(step, person), held.opened + held.delays.get((step, person), 0.0)
            if "Lock my prediction" in buttons and step == held.step and time.monotonic() >= due:
                lock, slider = buttons["Lock my prediction"], page.sliders[0]
                page = _sound(await asyncio.wait_for(visitor.press(lock, slider, value), PATIENCE))
            if step and any("You predicted" in said for said in page.said):
                held.confirmed[step, person] = value
            await asyncio.sleep(0.5)


def _step(page: Page) -> int:
    return next((int(found[1]) for said in page.said if (found := _PLACE.search(said))), 0)


def _sound(page: Page) -> Page:
    assert not page.errors, f"the page failed: {page.errors[0]}"
    return page


if __name__ == "__main__":
    sys.exit(command("lesson", attempt, 20))
