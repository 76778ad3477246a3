"""The result of a run: estimates with intervals, typed tables, and provenance."""

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from core.errors import StoreError
from core.keys import key_of
from core.runtime.progress import Progress
from core.runtime.store import Store
from core.runtime.table_files import from_parquet, parquet

if TYPE_CHECKING:
    import pandas as pd

    from core.runtime.context import Arrays

SCHEMA = 1
_HEADLINES = ("accuracy", "recall_at_10", "f1")
_SIZED = re.compile(r"accuracy_([0-9]+)")


class Estimate(BaseModel):
    """One figure with everything needed to judge it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    value: float = Field(description="The estimate itself.")
    low: float = Field(description="Lower end of the 95% interval.")
    high: float = Field(description="Upper end of the 95% interval.")
    chance: float | None = Field(description="What guessing gives; None where there is no such level.")
    unit: str = Field(description="What the figure is a share, count or measure of.")
    members: int = Field(0, description="Number of decisions about members behind the figure.")
    nonmembers: int = Field(0, description="Number of decisions about non-members behind the figure.")
    decisions: int = Field(0, description="Number of decisions behind the figure, where they are not about membership.")
    help: str = Field("", description="One sentence that says what the figure means.")

    @classmethod
    def queries(cls, count: float, queried: str) -> Self:
        """Return the number of an adversary's queries, which is counted, not estimated."""
        return cls.counted(count, "queries", queried)

    @classmethod
    def counted(cls, value: float, unit: str, text: str, of: int = 0) -> Self:
        """Return a figure that is counted rather than measured, out of how many, with one sentence on what it is."""
        return cls(value=value, low=value, high=value, chance=None, unit=unit, decisions=of, help=text)

    @property
    def n(self) -> int:
        """Number of decisions behind the figure, about membership or about something else."""
        return self.decisions or self.members + self.nonmembers

    def plain(self) -> dict[str, Any]:
        """Return the figure as plain values for readers, with all decisions counted."""
        return {**self.model_dump(), "decisions": self.n}

    def above_chance(self) -> bool:
        """Tell whether the whole interval lies above chance."""
        return self.chance is not None and self.low > self.chance


def headline(estimates: Mapping[str, Estimate], main: str = "") -> dict[int, str]:
    """Return the names of the estimates that summarise a result, by target size; 0 where there is only one.

    They are the one that the game names, or else the accuracies on membership for each target size (``accuracy_100``),
    or else ``accuracy``, ``recall_at_10`` or ``f1``, or else the first estimate that has a chance level.
    """
    if main in estimates:
        return {0: main}
    sized = {
        int(match[1]): name
        for name, figure in estimates.items()
        if (match := _SIZED.fullmatch(name)) and figure.members + figure.nonmembers
    }
    if sized:
        return dict(sorted(sized.items()))
    names = [name for name in _HEADLINES if name in estimates]
    names += [name for name, figure in estimates.items() if figure.chance is not None]
    return {0: names[0]} if names else {}


def lead(figures: Mapping[int, Estimate]) -> float:
    """Return the largest distance of a headline interval's lower end above chance, as a share of the distance to 1.

    Where chance is 1, as for words that no text has, nothing lies above it.
    """
    leads = [
        (figure.low - figure.chance) / (1 - figure.chance)
        for figure in figures.values()
        if figure.chance is not None and figure.chance < 1
    ]
    return max(leads, default=-math.inf)


class Provenance(BaseModel):
    """Where a result came from; equal experiments may differ in it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    started: str = Field(description="When the run began, UTC, ISO 8601.")
    wall_seconds: float = Field(description="Wall-clock seconds of the run that finished it, resumed parts excluded.")
    trainings: int = Field(0, description="Models trained by the run that finished it; the others were resumed.")
    training_seconds: float = Field(0.0, description="Seconds spent inside all trainings, resumed ones included.")
    peak_memory_mb: float = Field(
        0.0,
        description="Peak resident memory of the run's process and of its workers added up, megabytes; what they share "
        "is counted for each.",
    )
    cores: int = Field(description="Processor cores the run could use.")
    python: str = Field(description="Python version.")
    machine: str = Field(description="Operating system, processor architecture, and GPU if there is one.")
    packages: dict[str, str] = Field(description="Versions of the packages that determine the result.")


@dataclass(frozen=True)
class Column:
    """One column of a table: its pandas dtype and a sentence of help."""

    dtype: str
    help: str


Schema = Mapping[str, Column]
"""Columns of one table, in order."""

Tables: TypeAlias = "dict[str, pd.DataFrame]"
"""Tables by name."""

Outcome: TypeAlias = "tuple[dict[str, Estimate], Tables]"
"""Estimates and tables, by name each."""


@dataclass(frozen=True)
class Drawing:
    """A table that only pages show: no part of a result, but drawn once somebody looks, from what the run kept.

    Attributes:
        schema: Its columns.
        draw: Draws it from the kept arrays alone, and reports its stages; the same arrays give the same table.
        version: Raised when the arrays, or the table that they give, change.
    """

    schema: Schema
    draw: "Callable[[Arrays, Progress], pd.DataFrame]"
    version: int = 1

    def key(self, name: str, of: str) -> str:
        """Return the key of the drawing by its name and the key of its result."""
        return key_of({"drawing": name, "version": self.version, "of": of})


@dataclass(frozen=True)
class Result:
    """The outcome of one experiment.

    Attributes:
        experiment: The experiment as plain values; `core.experiment.Experiment.parse` reads it back.
        estimates: Name to figure.
        provenance: Where it came from.
        tables: Name to table; attack and game declare the columns in their ``tables``.
    """

    experiment: dict[str, Any]
    estimates: dict[str, Estimate]
    provenance: Provenance
    tables: Tables = field(default_factory=dict)

    def save(self, store: Store, key: str) -> None:
        """Write the result under its key; equal experiments give equal bytes in every file but ``provenance.json``."""
        summary = {
            "schema": SCHEMA,
            "experiment": self.experiment,
            "estimates": {name: estimate.model_dump() for name, estimate in sorted(self.estimates.items())},
        }
        files = {"result.json": _json(summary), "provenance.json": _json(self.provenance.model_dump())}
        files |= {f"{name}.parquet": parquet(table) for name, table in self.tables.items()}
        store.put_files(key, files)

    @classmethod
    def load(cls, store: Store, key: str, *, tables: bool = True) -> "Result | None":
        """Read a result, or None when it is absent, damaged, or of another schema version.

        Args:
            store: Holds it.
            key: Its key.
            tables: Whether to read its tables, which take nearly all the time.
        """
        files = store.get_files(key)
        if files is None:
            return None
        try:
            summary = json.loads(files["result.json"])
            if summary["schema"] != SCHEMA:
                return None
            return cls(
                experiment=summary["experiment"],
                estimates={name: Estimate.model_validate(value) for name, value in summary["estimates"].items()},
                provenance=Provenance.model_validate_json(files["provenance.json"]),
                tables={
                    name.removesuffix(".parquet"): from_parquet(content)
                    for name, content in files.items()
                    if tables and name.endswith(".parquet")
                },
            )
        except (KeyError, ValueError) as error:
            raise StoreError(f"The stored result {key} is intact but cannot be read: {error}.") from error


def distinct(estimates: Mapping[str, Estimate]) -> dict[str, Estimate]:
    """Return estimates without those of one size that repeat those of all sizes."""

    def repeats(name: str, estimate: Estimate) -> bool:
        base, _, size = name.rpartition("_")
        return size.isdigit() and estimates.get(base) == estimate

    return {name: estimate for name, estimate in estimates.items() if not repeats(name, estimate)}


def table(schema: Schema, rows: "Mapping[str, Any] | list[dict[str, Any]]") -> "pd.DataFrame":
    """Build a table with exactly the declared columns and types; a value that only some rows lack is NaN.

    Raises:
        ValueError: No row has a declared column, or one has a column that is not declared.
    """
    import pandas as pd

    given = set(rows if isinstance(rows, Mapping) else (name for row in rows for name in row))
    if rows and (wrong := schema.keys() ^ given):
        faults = (f"{name}, which {'no row has' if name in schema else 'is not declared'}" for name in sorted(wrong))
        raise ValueError(
            f"A table must have exactly its declared columns, {', '.join(schema)}. Wrong are: {'; '.join(faults)}."
        )
    frame = pd.DataFrame(rows, columns=list(schema))
    return frame.astype({name: column.dtype for name, column in schema.items()})


def _json(value: Any) -> bytes:
    return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False).encode()
