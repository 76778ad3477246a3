"""What a run gives back: estimates with intervals, typed tables of tables, and where it all came from."""

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from pydantic import BaseModel, ConfigDict, Field

from core.errors import StoreError
from core.runtime.store import Store

if TYPE_CHECKING:
    import pandas as pd

SCHEMA = 1


class Estimate(BaseModel):
    """One figure with everything needed to judge it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    value: float = Field(description="The estimate itself.")
    low: float = Field(description="Lower end of the 95 % interval.")
    high: float = Field(description="Upper end of the 95 % interval.")
    chance: float | None = Field(description="What guessing gives; None where there is no such level.")
    unit: str = Field(description="What the figure is a share, count or measure of.")
    members: int = Field(0, description="Number of decisions about members behind the figure.")
    nonmembers: int = Field(0, description="Number of decisions about non-members behind the figure.")
    decisions: int = Field(0, description="Number of decisions behind the figure, where they are not about membership.")
    help: str = Field("", description="One sentence that says what the figure means.")

    @classmethod
    def queries(cls, count: float, what: str) -> Self:
        """Return how much an adversary asked, which is counted, not estimated.

        Args:
            count: How often it asked.
            what: One sentence that says what was asked of whom.
        """
        return cls(value=count, low=count, high=count, chance=None, unit="queries", help=what)

    def above_chance(self) -> bool:
        """Tell whether the whole interval lies above chance."""
        return self.chance is not None and self.low > self.chance


class Provenance(BaseModel):
    """Where a result came from. Not part of what equal experiments agree on."""

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
    machine: str = Field(description="Operating system and processor architecture.")
    packages: dict[str, str] = Field(description="Versions of the packages that determine the result.")


@dataclass(frozen=True)
class Column:
    """One column of a tables: its pandas dtype and a sentence of help."""

    dtype: str
    help: str


Schema = Mapping[str, Column]
"""Columns of one tables, in order."""


@dataclass(frozen=True)
class Result:
    """The outcome of one experiment.

    Attributes:
        experiment: The experiment as plain values; `core.experiment.Experiment.parse` reads it back.
        estimates: Name to figure.
        tables: Name to table; the attack's ``tables`` declares the columns.
        provenance: Where it came from.
    """

    experiment: dict[str, Any]
    estimates: dict[str, Estimate]
    provenance: Provenance
    tables: "dict[str, pd.DataFrame]" = field(default_factory=dict)

    def save(self, store: Store, key: str) -> None:
        """Write the result under its key; equal experiments give equal bytes in every file but ``provenance.json``."""
        summary = {
            "schema": SCHEMA,
            "experiment": self.experiment,
            "estimates": {name: estimate.model_dump() for name, estimate in sorted(self.estimates.items())},
        }
        files = {"result.json": _json(summary), "provenance.json": _json(self.provenance.model_dump())}
        for name, table in self.tables.items():
            buffer = io.BytesIO()
            table.to_parquet(buffer, index=False, compression="zstd")
            files[f"{name}.parquet"] = buffer.getvalue()
        store.put_files(key, files)

    @classmethod
    def load(cls, store: Store, key: str) -> "Result | None":
        """Read a result, or None when there is none, it is damaged, or its schema is of another time."""
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
                    name.removesuffix(".parquet"): _table(content)
                    for name, content in files.items()
                    if name.endswith(".parquet")
                },
            )
        except (KeyError, ValueError) as error:
            raise StoreError(f"The stored result {key} is intact but cannot be read: {error}.") from error


def table(schema: Schema, rows: "Mapping[str, Any] | list[dict[str, Any]]") -> "pd.DataFrame":
    """Build a tables with exactly the declared columns and types."""
    import pandas as pd

    frame = pd.DataFrame(rows, columns=list(schema))
    return frame.astype({name: column.dtype for name, column in schema.items()})


def _table(content: bytes) -> "pd.DataFrame":
    """Read a table in this thread: Arrow's own threads may still be about when a short process ends, and abort it."""
    import pandas as pd

    return pd.read_parquet(io.BytesIO(content), engine="pyarrow", use_threads=False, pre_buffer=False)


def _json(value: Any) -> bytes:
    return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False).encode()
