"""Settings that fit a user's own data, found before anything is trained."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.corpora.documents import LargeDocuments
from core.datasets import Dataset
from core.datasets.documents import Documents
from core.datasets.translations.parallel_text import ParallelText
from core.errors import Incompatible, InvalidSpec
from core.experiment import Experiment
from core.games import Setup
from core.overrides import overridden
from core.runtime.context import RunContext

_ROUNDS = 4
"""Most rounds of changing settings, as those that fit one rule may break the next; after them none are known."""


@dataclass(frozen=True)
class Fit:
    """Whether an experiment can run on its data, and the nearest settings with which it can.

    Attributes:
        reason: Why it cannot run as it is; empty where it can, or where only a run can tell.
        changes: Settings to change, by dotted name, such as ``game.documents``; with them it passes every check. Empty
            where it can run as it is, and where no settings that fit are known.
    """

    reason: str = ""
    changes: dict[str, Any] = field(default_factory=dict)


def is_checked(dataset: Dataset) -> bool:
    """Tell whether a dataset is a user's own, whose contents no preset was made for."""
    return isinstance(dataset, Documents | ParallelText)


def check(experiment: Experiment, context: RunContext | None = None) -> None:
    """Refuse an experiment that its data do not suit, before anything is trained.

    Raises:
        Incompatible: The data do not suit it; ``fits`` are all settings to change, where some are known.
        DataError: The data cannot be read.
    """
    fitted = fit(experiment, context)
    if fitted.reason:
        raise Incompatible(fitted.reason, fitted.changes)


def fit(experiment: Experiment, context: RunContext | None = None) -> Fit:
    """Return whether an experiment can run on its data, and the nearest settings with which it can.

    Raises:
        DataError: The data cannot be read.
    """
    contents = _Contents(context or RunContext())
    refusal = contents.refusal(experiment)
    return Fit() if refusal is None else Fit(str(refusal), _changes(experiment, refusal, contents))


@dataclass
class _Contents:
    """Checks experiments against their data, which are read once."""

    context: RunContext
    _read: dict[Dataset, Any] = field(default_factory=dict)

    def setup(self, experiment: Experiment) -> Setup[Any, Any, Any]:
        dataset = experiment.dataset
        if dataset not in self._read:
            self._read[dataset] = dataset.load()
        parts = (dataset, experiment.model, experiment.defenses, experiment.attack)
        return Setup(*parts, experiment.seed, self.context, self._read[dataset])

    def refusal(self, experiment: Experiment) -> Incompatible | None:
        setup = self.setup(experiment)
        if isinstance(setup.contents, LargeDocuments):
            return None
        try:
            experiment.game.check_contents(setup)
        except Incompatible as refusal:
            return refusal
        return None


def _changes(experiment: Experiment, refusal: Incompatible, contents: _Contents) -> dict[str, Any]:
    """Return settings with which a refused experiment passes every check; none where no such settings are known."""
    changes: dict[str, Any] = {}
    now, refused = experiment, refusal
    for _ in range(_ROUNDS):
        for step in [refused.fits] if refused.fits else _alternatives(now, contents):
            changed = _changed(now, step)
            wrong = refused if changed is None else contents.refusal(changed)
            if wrong is None:
                return changes | step
            if refused.fits and changed is not None:
                changes, now, refused = changes | step, changed, wrong
                break
        else:
            return {}
    return {}


def _alternatives(experiment: Experiment, contents: _Contents) -> Iterator[dict[str, Any]]:
    try:
        yield from filter(None, experiment.game.alternatives(contents.setup(experiment)))
    except Incompatible:
        return


def _changed(experiment: Experiment, changes: dict[str, Any]) -> Experiment | None:
    """Return a changed experiment, or None where a change breaks a rule."""
    try:
        return overridden(experiment, changes)
    except InvalidSpec:
        return None
