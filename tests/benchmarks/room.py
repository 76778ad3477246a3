"""Forty people in a room: how long until a vote is in the dots of who leads, or a page opens; run with python -m."""

import argparse
import asyncio
import os
import random
import re
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from core.runtime.store import Store
from dashboard import navigation
from dashboard.room.rooms import Rooms
from tests.benchmarks import limits
from tests.benchmarks.forty_sessions import training, waits
from tests.benchmarks.visitor import Page, Visitor, visiting
from tests.serving import Served, serving

LIMITS = {"vote_to_dots": 1.0, "page": 2.0, "memory_mb": 1500.0}
"""Seconds within which 95 of 100 votes are in the dots, and 95 of 100 pages open; megabytes of the server."""
PAGE, LESSON, STEPS, HOST = "lessons", "mailbox", 5, "1" * 32
_DOTS = re.compile(r"^(\d+) predictions?\b")
_LEAVING = 0.25
"""Share of the people who look at another page of the dashboard after a question, and come back."""
_BETWEEN = 10.0
"""Seconds within which they go."""


@dataclass
class Seen:
    """What was measured.

    Attributes:
        delays: Seconds from each vote until the dots of who leads were so many.
        confirmed: Seconds until its sender saw it confirmed.
        pages: Seconds until a page was there: the room's, or another of the dashboard.
        looks: Seconds that a screen waited for where the room stands.
        redraws: Seconds from such a look until the screen was drawn anew, where the room had moved.
        questions: Number of questions asked.
        cores: Processor seconds a second of the server, at each question.
        ends: When no further question is asked.
    """

    ends: float
    delays: list[float] = field(default_factory=list)
    confirmed: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    looks: list[float] = field(default_factory=list)
    redraws: list[float] = field(default_factory=list)
    questions: int = 0
    cores: list[float] = field(default_factory=list)


@dataclass
class Asked:
    """The open question of a room.

    Attributes:
        step: Its step; 0 before the first, and less once the room is over.
        opened: When people may begin to vote.
        sent: When each vote was sent, by its value; no two are equal.
    """

    step: int = 0
    opened: float = float("inf")
    sent: dict[float, float] = field(default_factory=dict)


def main() -> None:
    """Serve a dashboard, let people vote and look around, and print one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=1, help="Processes of the server.")
    parser.add_argument("--people", type=int, default=40, help="Participants.")
    parser.add_argument("--seconds", type=float, default=5.0, help="Within which they all answer a question.")
    parser.add_argument("--minutes", type=float, default=0.0, help="Ask questions for so long; 0 asks one.")
    parser.add_argument("--training", action="store_true", help="Let a run train meanwhile.")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), options.workers) as server:
        store = Store(Path(folder) / "home")
        with training(store, options.minutes) if options.training else nullcontext():
            seen = asyncio.run(measure(server, Rooms(store), options))
        memory_mb = server.memory_mb()
    figures = {
        "vote_to_dots": {**waits(seen.delays), "limit_p95": LIMITS["vote_to_dots"]},
        "vote_to_confirmation": waits(seen.confirmed),
        "page": {**waits(seen.pages), "limit_p95": LIMITS["page"]},
        "look": waits(seen.looks),
        "redraw": waits(seen.redraws),
        "questions": seen.questions,
        "cores": round(statistics.fmean(seen.cores), 2),
        "memory_mb": round(memory_mb),
        "limit_mb": LIMITS["memory_mb"],
        "workers": options.workers,
        "training": options.training,
        "load_average": round(os.getloadavg()[0], 1),
    }
    line = {
        "name": "room",
        "ratio": round(waits(seen.delays)["p95"] / LIMITS["vote_to_dots"], 2),
        "compared": (
            f"seconds from a vote sent to its dot on the screen of who leads, 95th percentile of {options.people} "
            f"people who vote within {options.seconds:g} s and whose screens look once a second, over the limit of "
            f"{LIMITS['vote_to_dots']:g} s"
        ),
        "figures": figures,
    }
    held = {
        "seconds from a vote to its dot, 95th percentile": (waits(seen.delays)["p95"], LIMITS["vote_to_dots"]),
        "seconds to open a page, 95th percentile": (waits(seen.pages)["p95"], LIMITS["page"]),
        "megabytes": (memory_mb, LIMITS["memory_mb"]),
    }
    limits.end(line, held)


async def measure(server: Served, rooms: Rooms, options: argparse.Namespace) -> Seen:
    """Hold one room after the other, until the time is over; return what was seen."""
    seen = Seen(time.perf_counter() + 60 * options.minutes)
    while not seen.questions or time.perf_counter() < seen.ends:
        await _held(server, rooms, options, seen)
    return seen


async def _held(server: Served, rooms: Rooms, options: argparse.Namespace, seen: Seen) -> None:
    """Let people join a room and answer its questions, all of them or until the time is over."""
    room, secret = rooms.start(LESSON, HOST)
    question = Asked()
    people = [
        asyncio.create_task(_person(server, room.code, number, options.seconds, seen, question))
        for number in range(options.people)
    ]
    async with visiting(server.address) as leader:
        page = _sound(await leader.open(PAGE, {"room": room.code, "key": secret}))
        page = _sound(await leader.press(next(button for button in page.buttons if button.label == "Lead the room")))
        while rooms.find(room.code).people < options.people:
            page = await _followed(leader, page, seen)
            _failed(people)
        for step in range(1, STEPS + 1):
            rooms.go(room.code, HOST, step)
            rooms.change_stage(room.code, HOST, step, is_shown=True)
            begun, used = time.perf_counter(), server.processor_seconds()
            question.step, question.sent, question.opened = step, {}, begun + 2
            shown: list[float] = []
            while len(shown) < options.people:
                page = await _followed(leader, page, seen)
                dots = max((int(match[1]) for text in page.said if (match := _DOTS.match(text))), default=0)
                shown += [time.perf_counter()] * (dots - len(shown)) if question.sent else []
                _failed(people)
            seen.questions += 1
            seen.cores.append((server.processor_seconds() - used) / (time.perf_counter() - begun))
            votes = sorted((vote for vote in rooms.votes(room.code) if vote.step == step), key=lambda vote: vote.moment)
            in_turn = [question.sent[vote.value] for vote in votes if isinstance(vote.value, float)]
            seen.delays += [moment - sent for moment, sent in zip(shown, in_turn, strict=True)]
            if time.perf_counter() >= seen.ends:
                break
            rest = time.perf_counter() + 1.5 * _BETWEEN
            while time.perf_counter() < rest:
                page = await _followed(leader, page, seen)
        question.step = -1
        await asyncio.gather(*people)
    rooms.delete(room.code, HOST)


async def _person(server: Served, code: str, number: int, seconds: float, seen: Seen, question: Asked) -> None:
    """Join a room, answer each question once, and now and then look at another page."""
    chance, value = random.Random(number), round(0.3 + 0.01 * (number + (number >= 20)), 2)  # sliders start at 0.5
    others = [page.name for page in navigation.declared() if page.name != PAGE]
    async with visiting(server.address) as visitor:
        page = await _opened(visitor, seen, PAGE, {"room": code})
        page = _sound(await visitor.press(next(button for button in page.buttons if button.label == "Join")))
        while not page.followed:  # what was read was still of the page before
            page = await _opened(visitor, seen, PAGE, {"room": code})
        answered, due_of = 0, {step: chance.uniform(0, seconds) for step in range(1, STEPS + 1)}
        form = page  # drawn once a question; what repeats is beside it
        while question.step >= 0:
            page = await _followed(visitor, page, seen, question.opened + due_of.get(question.step, 0.0))
            form = page if page.sliders else form
            button = next((button for button in form.buttons if button.label == "Lock my prediction"), None)
            due = question.opened + due_of.get(question.step, 0.0)  # the next question may just have been opened
            if question.step <= answered or button is None or time.perf_counter() < due:
                continue
            answered, sent = question.step, time.perf_counter()
            question.sent[value] = sent
            form, page = Page(), _sound(await visitor.press(button, form.sliders[0], value))
            seen.confirmed.append(time.perf_counter() - sent)
            if not any("You predicted" in text for text in page.said):
                raise SystemExit(f"The vote was not confirmed: {page.said}")
            if seen.ends > time.perf_counter() and chance.random() < _LEAVING:
                await asyncio.sleep(chance.uniform(0, _BETWEEN))
                await _opened(visitor, seen, chance.choice(others))
                form = page = await _opened(visitor, seen, PAGE, {"room": code})


async def _opened(visitor: Visitor, seen: Seen, page: str, query: Mapping[str, str] | None = None) -> Page:
    start = time.perf_counter()
    drawn = _sound(await visitor.open(page, query))
    seen.pages.append(time.perf_counter() - start)
    return drawn


async def _followed(visitor: Visitor, page: Page, seen: Seen, until: float = float("inf")) -> Page:
    """Look once where the room stands, as a browser does by itself, and return the page, drawn anew if that has moved.

    Args:
        visitor: Whose screen looks.
        page: What it shows.
        seen: Where the waits are noted.
        until: When the visitor does something themselves, so that the screen need not look again.
    """
    assert page.followed is not None, page.said
    now, pause = time.perf_counter(), page.followed.data["looks"] / 1000
    await asyncio.sleep(min(pause, until - now) if until > now else pause)
    start = time.perf_counter()
    standing = await visitor.look(page.followed)
    seen.looks.append(time.perf_counter() - start)
    if not page.followed.has_moved(standing):
        return page
    fresh = _sound(await visitor.redraw(page.followed.fragment))
    seen.redraws.append(time.perf_counter() - start)
    fresh.followed = fresh.followed or page.followed
    return fresh


def _failed(people: Sequence["asyncio.Task[None]"]) -> None:
    """Fail with whoever of the people has failed."""
    for person in people:
        if person.done():
            person.result()


def _sound(page: Page) -> Page:
    if page.errors:
        raise SystemExit(f"The page failed: {page.errors[0]}")
    return page


if __name__ == "__main__":
    main()
