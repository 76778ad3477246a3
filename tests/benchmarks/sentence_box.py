"""How long people wait for what is read from the sentence they typed, alone and thirty in turn; run with python -m."""

import argparse
import asyncio
import os
import random
import statistics
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

import psutil

from core.readers.endpoint import here
from tests.benchmarks import limits
from tests.benchmarks.visitor import Box, Page, Visitor, visiting
from tests.serving import Served, serving

PAGE = "multilabel_inversion"
LABEL = "Sentence, then Enter"
PEOPLE = 30
ROUNDS = 3
PAUSE = 10.0
"""Seconds at most that a person thinks before typing."""
WARM, COLD, CROWDED = 1.0, 5.0, 2.0
TEXT = "The doctor said that my mother should stay at home this week because of war, music, school and the world."
WORDS = TEXT.split()


async def measure(server: Served, people: int, rounds: int) -> dict[str, float]:
    """Return the seconds of the first sentence, of one person's next ones, and of many people's."""
    async with visiting(server.address) as visitor:
        box = await _box(visitor)
        cold = await _typed(visitor, box, random.Random(0))
        warm = [await _typed(visitor, box, random.Random(number)) for number in range(1, 11)]
    waits = [
        wait for each in await asyncio.gather(*(_person(server, n, rounds) for n in range(people))) for wait in each
    ]
    return {
        "cold": round(cold, 2),
        "warm_median": round(statistics.median(warm), 3),
        "crowd_median": round(statistics.median(waits), 3),
        "crowd_p95": round(statistics.quantiles(waits, n=20, method="inclusive")[-1], 3),
        "crowd_last": round(max(waits), 3),
        "sentences": len(waits),
    }


async def _person(server: Served, number: int, rounds: int) -> list[float]:
    chance, waits = random.Random(number), []
    async with visiting(server.address) as visitor:
        box = await _box(visitor)
        for _ in range(rounds):
            await asyncio.sleep(chance.uniform(0, PAUSE))
            waits.append(await _typed(visitor, box, chance))
    return waits


async def _box(visitor: Visitor) -> Box:
    page = _sound(await visitor.open(PAGE, {"preset": "demo"}))
    return next(box for box in page.boxes if box.label == LABEL)


async def _typed(visitor: Visitor, box: Box, chance: random.Random) -> float:
    start = time.perf_counter()
    page = _sound(await visitor.type(box, " ".join(chance.choices(WORDS, k=12))))
    taken = time.perf_counter() - start
    if not any("different word" in text for text in page.said):
        raise SystemExit(f"The sentence was not read: {page.said}")
    return taken


def _sound(page: Page) -> Page:
    if page.errors:
        raise SystemExit(f"The page failed: {page.errors[0]}")
    return page


def main() -> None:
    """Serve a dashboard, let people type, and print one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=PEOPLE, help="People who type in turn.")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="Sentences of each.")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        figures = asyncio.run(measure(server, options.people, options.rounds))
        with patch.dict(os.environ, TELLTALE_HOME=str(Path(folder) / "home")):
            encoders = here()
        memory = psutil.Process(encoders.holder()).memory_info().rss / 1e6
        encoders.end()
    line = {
        "name": "sentence_box",
        "ratio": round(figures["crowd_p95"] / CROWDED, 2),
        "compared": (
            f"seconds from a sentence typed to all rows drawn, 95th percentile of {options.people} people who type "
            f"every 0 to {PAUSE:g} s at one process of Streamlit, over the limit of {CROWDED:g} s; one person may wait "
            f"{WARM:g} s, and {COLD:g} s for the first sentence, which starts the process"
        ),
        "figures": {**figures, "process_mb": round(memory), "load_average": round(os.getloadavg()[0], 1)},
    }
    held = {
        "seconds for one person, median": (figures["warm_median"], WARM),
        "seconds for the first sentence": (figures["cold"], COLD),
        "seconds in a crowd, 95th percentile": (figures["crowd_p95"], CROWDED),
    }
    limits.end(line, held)


if __name__ == "__main__":
    main()
