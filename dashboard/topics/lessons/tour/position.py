"""The position in a tour, as the address holds it: tour, number of the stop, and seed of the live run."""

import re
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import streamlit as st

from core.experiment import Experiment
from core.runtime.store import Store
from dashboard import navigation
from dashboard.kit import address, links, stored_results
from dashboard.kit.forms import mistakes
from dashboard.topics.lessons import evidence
from dashboard.topics.lessons.tour.tour import Stop, Tour, tours

_NUMBER = re.compile("[0-9]{1,6}")


@dataclass(frozen=True)
class Position:
    """A position in a tour.

    Attributes:
        tour: The tour.
        number: Number of the stop, from 1.
        seed: Seed of the live run; 0 before it is chosen.
    """

    tour: Tour
    number: int
    seed: int = 0

    @property
    def stop(self) -> Stop:
        """The stop."""
        return self.tour.stops[self.number - 1]

    @property
    def experiment(self) -> Experiment | None:
        """The experiment whose page is opened, or None at a page without one."""
        if not self.stop.result:
            return None
        declared = evidence.entry(self.stop.result).experiment
        return declared.replace(seed=self.seed) if self.stop.live and self.seed else declared

    @property
    def path(self) -> Path:
        """The file of the page."""
        experiment = self.experiment
        if experiment is None:
            return navigation.FOLDER / f"{self.stop.page}.py"
        page = navigation.page_of(experiment.attack.part_name())
        if page is None:
            raise LookupError(f"{self.stop.result} has no page.")
        return page.path

    @property
    def query(self) -> dict[str, str]:
        """The address of the stop on its page."""
        experiment = self.experiment
        described = {} if experiment is None else links.written(experiment, Store())
        return {**described, **self.stop.view, address.TOUR: self.written}

    @property
    def written(self) -> str:
        """The position as the address holds it."""
        return "-".join([self.tour.name, str(self.number), *([str(self.seed)] if self.seed else [])])

    @property
    def live(self) -> Experiment | None:
        """The experiment that is run on the spot, once its seed is chosen."""
        stops = [stop for stop in self.tour.stops if stop.live]
        if not stops or not self.seed:
            return None
        return evidence.entry(stops[0].result).experiment.replace(seed=self.seed)

    def moved(self, steps: int) -> "Position | None":
        """Return the position some stops further on, or None; choose a seed if its run is live and has none."""
        number = self.number + steps
        if not 1 <= number <= len(self.tour.stops):
            return None
        position = replace(self, number=number)
        return replace(position, seed=_fresh(position.stop)) if position.stop.live and not position.seed else position


def opened() -> Position | None:
    """Return the position in the address, or None if there is none that can be read."""
    name, _, numbers = st.query_params.get(address.TOUR, "").partition("-")
    tour, values = tours().get(name), numbers.split("-")
    if tour is None or len(values) > 2 or not all(map(_NUMBER.fullmatch, values)):
        return None
    number, seed = (*map(int, values), 0)[:2]
    return Position(tour, number, seed) if 1 <= number <= len(tour.stops) else None


def absent(text: str) -> str:
    """Say that no tour has a position that a link names, and which stops there are."""
    known = tours()
    named = known.get(text.partition("-")[0])
    there = [named] if named is not None else known.values()
    stops = ", ".join(f"“{tour.title}” has the stops 1 to {len(tour.stops)}" for tour in there)
    return f"Tour: there is no {mistakes.quoted(text)}. {stops}. The page opens without a tour."


def _fresh(stop: Stop) -> int:
    """Return the lowest seed with which an experiment has no result yet."""
    experiment = evidence.entry(stop.result).experiment
    seeds = count(experiment.seed + 1)
    return next(seed for seed in seeds if not stored_results.readable_estimates(experiment.replace(seed=seed).key))
