"""One experiment of the overview: its estimates, what it attacks, and how they are written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.catalog import seeds
from core.experiment import Experiment
from core.result import Estimate, headline, lead
from core.statistics.wording import percent
from core.statistics.wording.naming import counted, documents, measured_as, spoken, valued
from core.statistics.wording.units import CANARIES
from dashboard.kit.figures.wording import joined
from dashboard.kit.words import literal

_RARE = 1e-4
"""Chance below this is not written out."""
_ACCURACY = "Accuracy"
_HEADLINES = {"accuracy": _ACCURACY, "recall_at_10": "Recall of words at 10", "f1": "F1 of words"}
_COUNTED = {CANARIES: "Canaries extracted"}
"""Names of an accuracy of something other than decisions, by its unit."""


@dataclass(frozen=True)
class Row:
    """One experiment of the overview.

    Attributes:
        title: Its title.
        figures: Its headline estimate for each target size; 0 where targets have no size.
        attack: Title of the attack.
        question: The question of its page.
        measure: Name of the estimate.
        link: Address of its page, which its name leads to; empty for none.
        seeds: By target size, the same estimate of each seed, where there are enough for a mean.
    """

    title: str
    figures: Mapping[int, Estimate]
    attack: str = ""
    question: str = ""
    measure: str = _ACCURACY
    link: str = ""
    seeds: Mapping[int, Sequence[Estimate]] = field(default_factory=dict)

    @property
    def lead(self) -> float:
        """Return how far its figures lie above chance."""
        return lead(self.figures)


def row(
    title: str,
    estimates: Mapping[str, Estimate],
    attack: str = "",
    question: str = "",
    link: str = "",
    main: str = "",
) -> Row:
    """Return the row of a result with its headline estimates; ``main`` is the one that its game names."""
    names = headline(estimates, main)
    figures = {size: estimates[name] for size, name in names.items()}
    if 0 not in names:
        return Row(title, figures, attack, question, link=link)
    measure = _COUNTED.get(figures[0].unit, _HEADLINES.get(names[0], spoken(names[0])))
    return Row(title, figures, attack, question, measure, link)


def summary(row: Row) -> str:
    """Return a row's figures as text."""
    values = [
        f"{measured_as(row.measure, figure)}{f' for {documents(size)}' if size else ''}"
        f"{f', {over_seeds(row, size)}' if size in row.seeds else ''}"
        for size, figure in row.figures.items()
    ]
    return joined(values) if values else "not computed yet"


def over_seeds(row: Row, size: int) -> str:
    """Return how far an estimate of a row lies apart over seeds, and its mean, as text."""
    values = [estimate.value for estimate in row.seeds[size]]
    least, most = valued(row.measure, min(values)), valued(row.measure, max(values))
    spread = f"{least} each time" if least == most else f"{least} to {most}"
    return f"over {len(values)} seeds {spread}, on average {valued(row.measure, seeds.mean(row.seeds[size]).value)}"


def chance(row: Row) -> str:
    """Return the levels of chance of a row's figures as text; empty where none is known."""
    levels = (figure.chance for figure in row.figures.values() if figure.chance is not None)
    texts = (f"below {percent(_RARE)}" if 0 < level < _RARE else valued(row.measure, level) for level in levels)
    return joined(list(dict.fromkeys(texts)))


def read(row: Row) -> str:
    """Read a row's figures aloud with their chance, as Markdown."""
    levels = chance(row)
    return f"{row.measure}: **{literal(summary(row))}**{f'; chance {literal(levels)}' if levels else ''}"


def against(experiment: Experiment) -> str:
    """Say what an experiment attacks."""
    return f"Against {experiment.model.title} on {experiment.dataset.title}."


def threat(experiment: Experiment) -> str:
    """Say what an experiment attacks, and what the adversary is given."""
    return f"{against(experiment)} Queries return {experiment.attack.returned()}."


def compared(contrasts: Sequence[Experiment]) -> str:
    """Return how many experiments serve for comparison, and how many of them have a defense."""
    defended = sum(bool(experiment.defenses) for experiment in contrasts)
    behind = f", {'all' if defended == len(contrasts) else defended} with a defense" if defended else ""
    return f"{counted(len(contrasts), 'experiment')} for comparison{behind}"


def above_mean(row: Row, size: int) -> float:
    """Return how far an estimate lies above its mean over seeds."""
    return row.figures[size].value - seeds.mean(row.seeds[size]).value
