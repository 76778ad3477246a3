"""Processor seconds of the server for loading each page and for choosing something on it; run with python -m."""

import asyncio
import statistics
import tempfile
from collections.abc import Mapping
from pathlib import Path

from dashboard import navigation
from tests.benchmarks import limits
from tests.benchmarks.visitor import visiting
from tests.serving import Served, serving

LOADS = 5
LIMITS = {"load": (0.12, 0.3), "click": (0.05, 0.1)}
"""What the median page and the worst page may cost, in processor seconds."""

BEFORE = {"load": {"median": 0.36, "worst": 0.66}, "click": {"median": 0.24, "worst": 0.44}}
"""What this measured, on two cores, before pages shared what is the same for every session."""

FIRST = {"canary_extraction": 0.96, "defenses": 0.76, "translation_overlap": 0.71, "overview": 0.52}
"""Seconds that one session waited for each page that was noted in the first measurement.

It was made before this benchmark, on a quiet machine, by a client of the websocket that loaded cached pages. It took
seconds of waiting, not of the processor, and noted neither clicks nor the other pages.
"""
FIRST_MEDIAN = 0.45
"""The same at the median page."""


def main() -> None:
    """Load each page in sessions of their own, then choose an option of each of its views."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        pages = asyncio.run(_measured(server))
    loads = {name: page["load"] for name, page in pages.items()}
    clicks = {name: page["click"] for name, page in pages.items() if "click" in page}
    line = {
        "name": "page_cost",
        "ratio": round(BEFORE["load"]["median"] / statistics.median(loads.values()), 2),
        "compared": (
            "processor seconds of the server for the first load of a page in a new session, on its first precomputed "
            "result, at the median page: before pages shared what is the same for every session, over now"
        ),
        "figures": {
            "load": {
                **_summary(loads),
                "limits": LIMITS["load"],
                "before": BEFORE["load"],
                "first": beside(FIRST_MEDIAN, statistics.median(loads.values())),
            },
            "click": {**_summary(clicks), "limits": LIMITS["click"], "before": BEFORE["click"]},
            "pages": {
                name: {**page, **({"first": beside(FIRST[name], page["load"])} if name in FIRST else {})}
                for name, page in pages.items()
            },
        },
    }
    held = {}
    for act, costs in (("load", loads), ("click", clicks)):
        summary, (median, worst) = _summary(costs), LIMITS[act]
        held[f"processor seconds of a {act}, median"] = summary["median"], median
        held[f"processor seconds of a {act}, worst ({summary['worst_page']})"] = summary["worst"], worst
    limits.end(line, held)


def beside(old: float, new: float) -> dict[str, float]:
    """Return the load of the first measurement beside that of now, and how many times less that is."""
    return {"old": old, "new": round(new, 3), "ratio": round(old / new, 2)}


def _summary(costs: Mapping[str, float]) -> dict[str, object]:
    worst = max(costs, key=costs.__getitem__)
    return {"median": round(statistics.median(costs.values()), 3), "worst": costs[worst], "worst_page": worst}


async def _measured(server: Served) -> dict[str, dict[str, float]]:
    pages = {}
    names = [page.name for page in navigation.declared()]
    for name in names:  # What the first visitor of each page waits for is another matter.
        async with visiting(server.address) as visitor:
            await visitor.open(name)
    for name in names:
        loads, clicks = [], []
        for _ in range(LOADS):
            await _settled(server)
            before = server.processor_seconds()
            async with visiting(server.address) as visitor:
                page = await visitor.open(name)
                if page.errors:
                    raise SystemExit(f"The page {name} failed: {page.errors[0]}")
                loads.append(await _settled(server) - before)
        clicks = await _clicked(server, name)
        pages[name] = {"load": round(statistics.median(loads), 3)}
        if clicks:
            pages[name]["click"] = round(statistics.median(clicks), 3)
    return pages


async def _clicked(server: Served, name: str) -> list[float]:
    """Return the cost of each choice of a view; the settings of an experiment are no views."""
    async with visiting(server.address) as visitor:
        offered = [choice.widget for choice in (await visitor.open(name)).choices if "-view." in choice.widget]
    costs = []
    for widget in offered:
        async with visiting(server.address) as visitor:  # a choice may take the others off the page
            page = await visitor.open(name)
            choice = next(choice for choice in page.choices if choice.widget == widget)
            before = await _settled(server)
            answer = await visitor.choose(choice, 1)
            if answer.errors:
                raise SystemExit(f"{choice.widget} on the page {name} failed: {answer.errors[0]}")
            costs.append(await _settled(server) - before)
    return costs


async def _settled(server: Served) -> float:
    """Return the processor seconds of the server once it rests: it tidies up after the last message."""
    before = -1.0
    while (now := server.processor_seconds()) > before:
        before = now
        await asyncio.sleep(0.05)
    return now


if __name__ == "__main__":
    main()
