"""A run that nobody disturbs, and what it says of one that somebody does: what it stores, deletes and results in."""

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil
from numpy.typing import NDArray

from core.experiment import Experiment, run
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.store import Store
from tests.errands import contents


def store(home: Path) -> Store:
    """Return a store without the results that come with the code."""
    return Store(root=home, shipped=home / "shipped")


def forked(experiment: Experiment, kept: Store, workers: int) -> psutil.Process:
    """Run an experiment in a copy of this process, which need not import the libraries again."""
    pid = os.fork()
    if pid == 0:
        status = 1
        with suppress(BaseException):
            os.environ["TELLTALE_HOME"] = str(kept.root)
            run(experiment, RunContext(store=kept, engine=Engine(workers=workers)))
            status = 0
        os._exit(status)
    return psutil.Process(pid)


@dataclass(frozen=True)
class Noting(Store):
    """A store that notes each training that is stored."""

    def put_arrays(self, key: str, name: str, arrays: Mapping[str, NDArray[np.generic]]) -> None:
        """Store a training, and note it."""
        super().put_arrays(key, name, arrays)
        with (self.root / "noted").open("a") as log:
            log.write(f"{key} {name}\n")


@dataclass(frozen=True)
class Undisturbed:
    """A run that nobody disturbs.

    Attributes:
        result: The bytes of its result.
        trainings: Names of the trainings that it stores, by their key, in the order of the first of each key.
        replaced: Keys whose trainings it deletes itself, once those of the next key are there.
        seconds: What a training takes, at the mean.
    """

    result: dict[str, bytes]
    trainings: dict[str, set[str]]
    replaced: set[str]
    seconds: float

    @classmethod
    def of(cls, experiment: Experiment, home: Path) -> "Undisturbed":
        """Run an experiment in one process, with its home in an empty folder."""
        kept = Noting(root=home, shipped=home / "shipped")
        assert forked(experiment, kept, 1).wait() == 0, "the undisturbed run failed"
        trainings: dict[str, set[str]] = {}
        for line in (home / "noted").read_text().splitlines():
            key, _, name = line.partition(" ")
            trainings.setdefault(key, set()).add(name)
        result = Result.load(kept, experiment.key)
        assert result is not None
        seconds = result.provenance.training_seconds / result.provenance.trainings
        replaced = {key for key in trainings if not kept.array_names(key)}
        return cls(contents(kept, experiment.key), trainings, replaced, seconds)

    @property
    def count(self) -> int:
        """Number of trainings that it stores."""
        return sum(map(len, self.trainings.values()))


def trained(home: Path) -> set[Path]:
    """Return the trainings that are stored."""
    return set(home.glob("parts/*/*.npz"))


def check_kept(before: set[Path], home: Path, whole: Undisturbed) -> None:
    """Fail where a stored training was lost; only all those of the next epoch replace those of one."""
    kept, keys = store(home), list(whole.trainings)
    names = {key: kept.array_names(key) for key in keys}

    def is_replaced(key: str) -> bool:
        following = keys[keys.index(key) + 1 :][:1]
        return key in whole.replaced and any(
            names[later] >= whole.trainings[later] or (not names[later] and is_replaced(later)) for later in following
        )

    lost = [path for path in before if not path.exists() and not is_replaced(path.parent.name)]
    assert not lost, f"{len(lost)} of {len(before)} trainings were lost"
    for path in before:
        if path.exists():
            assert kept.get_arrays(path.parent.name, path.stem) is not None, f"{path.name} is damaged"
