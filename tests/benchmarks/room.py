"""Forty people vote in a room within seconds: how long until a vote is in the dots of who leads; run with python -m."""

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.runtime.store import Store
from dashboard.room.rooms import Rooms
from dashboard.room.rooms_file import Stage
from tests.benchmarks.visitor import Page, Visitor, visiting
from tests.serving import Served, serving

LIMIT = 1.0
"""Seconds within which 95 of 100 votes are in the dots."""
PAGE, LESSON, HOST = "lessons", "mailbox", "1" * 32
_DOTS = re.compile(r"^(\d+) predictions?\b")


@dataclass
class Seen:
    """What was measured.

    Attributes:
        sent: When each vote was sent, by its value; no two are equal.
        confirmed: Seconds until its sender saw it confirmed.
        shown: When the dots of who leads first were so many.
        polls: Seconds that a screen waited for what it asks for by itself.
        over: Whether all is seen.
    """

    sent: dict[float, float] = field(default_factory=dict)
    confirmed: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    polls: list[float] = field(default_factory=list)
    over: bool = False


def main() -> None:
    """Serve a dashboard, let people vote, and print one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=1, help="Processes of the server.")
    parser.add_argument("--people", type=int, default=40, help="Participants.")
    parser.add_argument("--seconds", type=float, default=5.0, help="Within which they all vote.")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), options.workers) as server:
        rooms = Rooms(Store(Path(folder) / "home"))
        seen, cores = asyncio.run(measure(server, rooms, options.people, options.seconds))
        memory_mb = server.memory_mb()
    delays = [shown - sent for shown, sent in zip(seen.shown, seen.sent.values(), strict=True)]
    figures = {
        "vote_to_dots": {**_waits(delays), "limit_p95": LIMIT},
        "vote_to_confirmation": _waits(seen.confirmed),
        "poll": _waits(seen.polls),
        "cores": round(cores, 2),
        "memory_mb": round(memory_mb),
        "workers": options.workers,
        "load_average": round(os.getloadavg()[0], 1),
    }
    line = {
        "name": "room",
        "ratio": round(_waits(delays)["p95"] / LIMIT, 2),
        "compared": (
            f"seconds from a vote sent to its dot on the screen of who leads, 95th percentile of {options.people} "
            f"people who vote within {options.seconds:g} s and whose screens ask once a second, over the limit of "
            f"{LIMIT:g} s"
        ),
        "figures": figures,
    }
    print(json.dumps(line))


async def measure(server: Served, rooms: Rooms, people: int, seconds: float) -> tuple[Seen, float]:
    """Let people join and vote; return what was seen, and how many cores the server took meanwhile."""
    room, secret = rooms.start(LESSON, HOST)
    rooms.go(room.code, HOST, 1)
    rooms.set_stage(room.code, HOST, 1, Stage(is_shown=True))
    seen, start = Seen(), asyncio.Event()
    tasks = [asyncio.create_task(_person(server, room.code, number, seconds, seen, start)) for number in range(people)]
    async with visiting(server.address) as leader:
        page = _sound(await leader.open(PAGE, {"room": room.code, "key": secret}))
        page = _sound(await leader.press(next(button for button in page.buttons if button.label == "Lead the room")))
        while rooms.find(room.code).people < people:
            await asyncio.sleep(0.1)
        await asyncio.sleep(2)
        begun, used = time.perf_counter(), server.processor_seconds()
        start.set()
        while len(seen.shown) < people:
            page = await _polled(leader, page, seen)
            dots = max((int(found[1]) for text in page.said if (found := _DOTS.match(text))), default=0)
            seen.shown += [time.perf_counter()] * (dots - len(seen.shown))
        cores = (server.processor_seconds() - used) / (time.perf_counter() - begun)
        seen.over = True
        await asyncio.gather(*tasks)
    in_turn = [vote.value for vote in sorted(rooms.votes(room.code), key=lambda vote: vote.moment)]
    seen.sent = {value: seen.sent[value] for value in in_turn if isinstance(value, float)}
    return seen, cores


async def _person(server: Served, code: str, number: int, seconds: float, seen: Seen, start: asyncio.Event) -> None:
    chance, value = random.Random(number), round(0.3 + 0.01 * (number + (number >= 20)), 2)  # the slider starts at 0.5
    async with visiting(server.address) as visitor:
        page = _sound(await visitor.open(PAGE, {"room": code}))
        page = _sound(await visitor.press(next(button for button in page.buttons if button.label == "Join")))
        button, slider = next(each for each in page.buttons if each.label == "Lock my prediction"), page.sliders[0]
        while not start.is_set():
            page = await _polled(visitor, page, seen)
        turn = time.perf_counter() + chance.uniform(0, seconds)
        while time.perf_counter() < turn:
            page = await _polled(visitor, page, seen, turn)
        seen.sent[value] = time.perf_counter()
        page = _sound(await visitor.press(button, slider, value))
        seen.confirmed.append(time.perf_counter() - seen.sent[value])
        if not any("You predicted" in text for text in page.said):
            raise SystemExit(f"The vote was not confirmed: {page.said}")
        while not seen.over:
            page = await _polled(visitor, page, seen)


async def _polled(visitor: Visitor, page: Page, seen: Seen, until: float = float("inf")) -> Page:
    """Wait as long as a browser does, at most until a moment, and ask for what repeats on a page; return that."""
    fragment, seconds = next(reversed(page.repeated.items()))
    await asyncio.sleep(max(0.0, min(seconds, until - time.perf_counter())))
    start = time.perf_counter()
    fresh = _sound(await visitor.redraw(fragment))
    seen.polls.append(time.perf_counter() - start)
    fresh.repeated = fresh.repeated or page.repeated
    return fresh


def _sound(page: Page) -> Page:
    if page.errors:
        raise SystemExit(f"The page failed: {page.errors[0]}")
    return page


def _waits(seconds: Sequence[float]) -> dict[str, float]:
    cuts = statistics.quantiles(seconds, n=20, method="inclusive")
    return {"median": round(statistics.median(seconds), 2), "p95": round(cuts[-1], 2), "last": round(max(seconds), 2)}


if __name__ == "__main__":
    main()
