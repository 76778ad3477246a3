"""How long the stages of earlier runs took, stored for the forecast of later ones."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from core.errors import StoreError
from core.jobs.forecast import Stage
from core.kernels.kept import COMPILING, LOADING, layouts_are_kept
from core.keys import key_of
from core.runtime.folders import write_whole, writing
from core.runtime.store import Store

SHIPPED = Path(__file__).with_name("timelines.json")
"""Stages of demos, which come with the code; `tests.benchmarks.live_progress` writes them."""
_LOADING, _COMPILING = 2.0, 10.0
"""Seconds to load what lays out maps where it is kept, and to compile it, once a machine."""
_MOST_BYTES = 10**6
_LONGEST = 1e9


@dataclass(frozen=True)
class Timelines:
    """The stages of the latest finished run of each kind: of the same experiment with any seed, and of its parts.

    They hold names and seconds of stages, nothing of the data.

    Attributes:
        store: The store of the runs.
    """

    store: Store

    def of(self, experiment: Mapping[str, Any], expected: float | None = None) -> list[Stage]:
        """Return the stages that a run is expected to have; none where nothing is known of it.

        Args:
            experiment: The experiment.
            expected: Seconds that it took elsewhere. Where it was never finished here, the stages of a run of the same
                attack, model, dataset and game fill this time, or one stage without a name.
        """
        same, alike = (_read(path) for path in self._paths(experiment))
        if same or not expected:
            return _of_this_machine(same)
        alike = alike or shipped().get(kind(experiment), [])
        factor = expected / (sum(stage.seconds for stage in alike) or expected)
        scaled = [Stage(stage.name, stage.seconds * factor, stage.items) for stage in alike]
        return _of_this_machine(scaled) or [Stage("", expected)]

    def exactly(self, experiment: Mapping[str, Any]) -> list[Stage]:
        """Return the stages of the latest run here of the same experiment with any seed; none where there was none."""
        return _read(self._paths(experiment)[0])

    def keep(self, experiment: Mapping[str, Any], stages: Sequence[Stage]) -> None:
        """Store the stages of a finished run; one that cannot be stored is no reason to fail."""
        content = json.dumps([asdict(stage) for stage in stages]).encode()
        with suppress(StoreError), writing(self.store.root):
            for path in self._paths(experiment):
                write_whole(path, content)

    def _paths(self, experiment: Mapping[str, Any]) -> list[Path]:
        """Return the files of the same experiment with any seed, and of those with the same parts."""
        same = {name: value for name, value in experiment.items() if name != "seed"}
        return [self.store.root / "timelines" / f"{key_of(of)}.json" for of in (same, kind(experiment))]


def kind(experiment: Mapping[str, Any]) -> str:
    """Return the names of an experiment's attack, model, dataset and game."""
    values = [experiment.get(name) for name in ("attack", "model", "dataset", "game")]
    return " ".join(str(value.get("part") if isinstance(value, Mapping) else value) for value in values)


@cache
def shipped() -> dict[str, list[Stage]]:
    """Return the stages that come with the code, by `kind`."""
    rows = json.loads(SHIPPED.read_text())
    return {name: [Stage(*row) for row in stages] for name, stages in rows.items()}


def _read(path: Path) -> list[Stage]:
    with suppress(OSError, ValueError, TypeError):
        if path.stat().st_size <= _MOST_BYTES:
            stages = [Stage(**row) for row in json.loads(path.read_bytes())]
            if all(_is_sound(stage) for stage in stages):
                return stages
    return []


def _of_this_machine(stages: Sequence[Stage]) -> list[Stage]:
    """Return stages as they are here, where what lays out maps is kept or is yet to be compiled."""
    here = Stage(LOADING, _LOADING) if layouts_are_kept() else Stage(COMPILING, _COMPILING)
    return [here if stage.name in (LOADING, COMPILING) else stage for stage in stages]


def _is_sound(stage: Stage) -> bool:
    return all(0 <= seconds < _LONGEST for seconds in (stage.seconds, stage.waited)) and stage.items >= 0
