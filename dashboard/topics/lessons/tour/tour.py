"""The parts of a tour: stops, each a page with what to look at and what to say; and all tours, one file each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from dashboard.topics.lessons import shelf


@dataclass(frozen=True)
class Stop:
    """One page of a talk.

    In its texts, ``{result:estimate}`` stands for a value with its interval, as in lessons; no other number stands
    there.

    Attributes:
        title: Heading.
        look: What everybody should look at.
        notes: What the speaker says, a paragraph each.
        minutes: How long it takes.
        page: Name of a page without an experiment; empty where a result is named.
        result: Name of the result in the catalogue whose page is opened; empty where a page is named.
        view: Choices of the page, by their name in the address.
        figure: Name of the figure to look at, to which the page is scrolled; empty where its top is to be seen.
        live: Whether the experiment is run on the spot, with a seed that has no result yet.
    """

    title: str
    look: str
    notes: Sequence[str]
    minutes: float
    page: str = ""
    result: str = ""
    view: Mapping[str, str] = field(default_factory=dict)
    figure: str = ""
    live: bool = False


@dataclass(frozen=True)
class Tour:
    """A talk through the pages.

    Attributes:
        title: Heading.
        order: Position among the tours.
        stops: In their order.
        name: Name of its file; set when the file is loaded.
    """

    title: str
    order: int
    stops: Sequence[Stop]
    name: str = field(default="")

    @property
    def minutes(self) -> float:
        """How long all stops take."""
        return sum(stop.minutes for stop in self.stops)


@cache
def tours() -> dict[str, Tour]:
    """Return the tours by the names of their files, in their order."""
    return shelf.declared("tours", "TOUR")
