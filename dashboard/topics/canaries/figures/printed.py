"""Tables 2 to 5 of Parikh et al. 2022, on canary extraction."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.text.canary import PATTERNS, PatternName

ORDER: tuple[PatternName, ...] = ("pin", "color", "call")
"""The patterns in the order of the columns."""


@dataclass(frozen=True, order=True)
class Setting:
    """Kind of secrets and their data.

    Attributes:
        dataset: Name of the dataset.
        length: Words of a secret.
        known: Words that the adversary knows.
    """

    dataset: str
    length: int
    known: int = 0

    @classmethod
    def of(cls, experiment: Mapping[str, Any]) -> "Setting":
        """Return the setting of an experiment in plain values."""
        game = experiment["game"]
        return cls(experiment["dataset"]["part"], game["length"], game["known"])

    @property
    def label(self) -> str:
        """Return the number of unknown words as the name of a row."""
        return f"n = {self.length}" if not self.known else f"n = {self.length - self.known}<br>of {self.length}"


@dataclass(frozen=True)
class Line:
    """A line of a table.

    Attributes:
        pattern: Pattern of the secrets.
        setting: Their data and length.
        repetitions: Copies of each secret in the data.
        accuracy: Share of secrets extracted whole.
        hamming: Share of wrong words among the unknown ones.
    """

    pattern: PatternName
    setting: Setting
    repetitions: int
    accuracy: float
    hamming: float

    def chances(self) -> dict[str, float]:
        """Return chance for each measure (section 4.3)."""
        candidates = len(PATTERNS[self.pattern].candidates)
        unknown = self.setting.length - self.setting.known
        return {"hamming_chance": 1 - 1 / candidates, "accuracy_chance": float(candidates) ** -unknown}


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        number: Its number in the paper.
        repetitions: Numbers that were tried; each line is the best of them.
        lines: Its rows.
    """

    number: int
    repetitions: tuple[int, ...]
    lines: tuple[Line, ...]

    @property
    def settings(self) -> tuple[Setting, ...]:
        """Return the settings of its lines."""
        return tuple(dict.fromkeys(line.setting for line in self.lines))


def _on_snips(pattern: PatternName, *lines: tuple[int, int, float, float]) -> tuple[Line, ...]:
    """Return lines of n, R, accuracy and HDT."""
    return tuple(Line(pattern, Setting("snips", length), times, *measures) for length, times, *measures in lines)


TABLE_2 = Table(
    2,
    (10, 100, 500),
    (
        *_on_snips("pin", (4, 500, 0.4, 0.27), (6, 100, 0.1, 0.45), (8, 100, 0.0, 0.61), (10, 100, 0.1, 0.43)),
        *_on_snips("color", (4, 10, 0.4, 0.3), (6, 100, 0.3, 0.45), (8, 100, 0.1, 0.6), (10, 500, 0.0, 0.59)),
        *_on_snips("call", (4, 10, 0.3, 0.4), (6, 100, 0.2, 0.5), (8, 100, 0.0, 0.6), (10, 500, 0.0, 0.59)),
    ),
)
"""The best of three numbers of repetitions."""

TABLE_5 = Table(
    5,
    (10, 100, 500, 1000, 2000),
    (
        *_on_snips("pin", (4, 1000, 0.5, 0.18), (6, 1000, 0.1, 0.43), (8, 1000, 0.0, 0.57), (10, 100, 0.1, 0.43)),
        *_on_snips("color", (4, 10, 0.4, 0.3), (6, 100, 0.3, 0.45), (8, 1000, 0.1, 0.48), (10, 1000, 0.0, 0.59)),
        *_on_snips("call", (4, 10, 0.3, 0.4), (6, 100, 0.2, 0.5), (8, 1000, 0.0, 0.58), (10, 2000, 0.0, 0.59)),
    ),
)
"""The best of five numbers of repetitions."""

TABLE_4 = Table(
    4,
    (1,),
    (
        *_on_snips("pin", (4, 1, 0.1, 0.6)),
        *_on_snips("color", (4, 1, 0.33, 0.43)),
        *_on_snips("call", (4, 1, 0.1, 0.58), (10, 1, 0.0, 0.68)),
        Line("call", Setting("snips", 10, known=3), 1, 0.1, 0.7),
    ),
)
"""A secret that is in the data once; the last line is a telephone number with a known area code."""

_D, _ES, _CE = "dropout", "early_stopping", "character_embeddings"
_ORDER: tuple[tuple[str, ...], ...] = ((), (_D,), (_ES,), (_CE,), (_D, _ES), (_ES, _CE), (_D, _ES, _CE))
_TABLE_3: dict[PatternName, dict[int, tuple[float, ...]]] = {
    "color": {
        10: (0.3, 0.85, 0.8, 0.65, 0.98, 0.9, 0.9),
        500: (0.39, 0.65, 0.85, 0.58, 0.85, 0.93, 0.95),
        1000: (0.35, 0.35, 0.9, 0.7, 0.88, 0.88, 0.95),
    },
    "pin": {
        10: (0.33, 0.8, 0.93, 0.75, 0.9, 0.83, 0.9),
        500: (0.27, 0.54, 1.0, 0.93, 0.93, 0.98, 0.88),
        1000: (0.18, 0.78, 0.83, 0.68, 0.98, 1.0, 0.93),
    },
    "call": {
        10: (0.4, 0.76, 0.95, 0.9, 0.95, 0.9, 0.9),
        500: (0.38, 0.83, 0.75, 0.68, 0.98, 0.78, 1.0),
        1000: (0.48, 0.58, 0.85, 0.78, 0.9, 0.95, 0.95),
    },
}

DEFENDED = {
    (pattern, repetitions, defenses): value
    for pattern, rows in _TABLE_3.items()
    for repetitions, printed in rows.items()
    for defenses, value in zip(_ORDER, printed, strict=True)
}
"""Table 3: the share of wrong words by pattern, repetitions and names of the defenses; secrets of four words."""

DEFENDED_REPETITIONS = tuple(_TABLE_3["pin"])
"""The numbers of repetitions in Table 3."""

DEFENDED_SETTING = Setting("snips", 4)
"""The secrets of Table 3."""
