"""Promised results that differ in their seed only, and the means of their figures."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from core.catalog.entry import Entry
from core.result import Estimate, headline
from core.statistics.intervals import mean_over_models

SEEDS = (3, 4, 5, 6)
"""Those that an experiment of seed 1 is repeated with; the settings of some were chosen on seed 2."""

FEWEST = 3
"""Fewest seeds whose mean has an interval worth a row."""
_FIGURE = re.compile(r"(group_)?(accuracy|auc|tpr_at_1pct_fpr)(_[a-z_]*[a-z])?")
"""Names of the figures that are averaged beside the headline, of every adversary; those of one size end in a number.

Where groups of texts are decided, theirs, too.
"""


def over(entry: Entry, seeds: Iterable[int] = SEEDS) -> Iterator[Entry]:
    """Yield an entry, and the same with other seeds, each with a split and trainings of its own."""
    yield entry
    for seed in seeds:
        yield replace(
            entry,
            name=f"{entry.name}_seed_{seed}",
            title=f"{entry.title}, seed {seed}",
            summary=f"{entry.summary} Split and trainings of seed {seed}.",
            experiment=entry.experiment.replace(seed=seed),
            contrast=True,
        )


def repeated(entries: Iterable[Entry]) -> list[tuple[Entry, ...]]:
    """Return the groups of entries that differ in their seed only, of three seeds or more, by their first."""
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.unseeded, []).append(entry)
    return [tuple(group) for group in groups.values() if len(group) >= FEWEST]


def each_once(entries: Iterable[Entry], seed: int) -> list[Entry]:
    """Return entries in their order; of those that differ in their seed only, the one with a seed, else the first."""
    chosen: dict[str, Entry] = {}
    for entry in entries:
        if entry.unseeded not in chosen or entry.experiment.seed == seed:
            chosen[entry.unseeded] = entry
    return list(chosen.values())


def means(results: Sequence[Mapping[str, Estimate]]) -> dict[str, Estimate]:
    """Return the mean over seeds of each figure that all results have, with Student's 95% interval."""
    names = [*headline(results[0]).values(), *filter(_FIGURE.fullmatch, results[0])]
    return {
        name: mean([estimates[name] for estimates in results])
        for name in dict.fromkeys(names)
        if all(name in estimates for estimates in results)
    }


def mean(estimates: Sequence[Estimate]) -> Estimate:
    """Return the mean over seeds of a figure between 0 and 1, with Student's 95% interval, beside their mean chance.

    Args:
        estimates: One of each seed, of at least two.
    """
    over_all = mean_over_models(np.array([estimate.value for estimate in estimates]), share=True)
    chances = [estimate.chance for estimate in estimates if estimate.chance is not None]
    chance = float(np.mean(chances)) if len(chances) == len(estimates) else None
    return estimates[0].model_copy(update={**over_all._asdict(), "chance": chance})
