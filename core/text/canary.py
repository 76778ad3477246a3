"""Canaries: made-up requests with a secret in them, put among training data to see whether it can be read out again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

DIGITS = tuple("0123456789")
COLOURS = (
    "red",
    "green",
    "lilac",
    "blue",
    "yellow",
    "brown",
    "cyan",
    "magenta",
    "orange",
    "pink",
    "purple",
    "mauve",
)

PatternName = Literal["call", "pin", "color"]


@dataclass(frozen=True)
class Pattern:
    """What a canary looks like (Parikh et al. 2022, Table 1 and appendix A).

    Attributes:
        name: What it is called.
        prefix: The words that everybody knows.
        candidates: Each secret word is one of these, all equally likely.
        intent: What such a request is labelled as.
    """

    name: PatternName
    prefix: tuple[str, ...]
    candidates: tuple[str, ...]
    intent: str

    def slots(self, length: int) -> tuple[str, ...]:
        """Return the slot tags of a canary with so many secret words."""
        return (*("O",) * len(self.prefix), "B-canary", *("I-canary",) * (length - 1))

    def read(self, secret: str) -> tuple[str, ...] | None:
        """Return the words of a secret that somebody wrote down; None where it is no secret of this pattern.

        >>> PATTERNS["pin"].read("4711"), PATTERNS["pin"].read("4 7 1 1"), PATTERNS["color"].read("4711")
        (('4', '7', '1', '1'), ('4', '7', '1', '1'), None)
        """
        words = tuple(secret.lower().split())
        letters = tuple("".join(words))
        return next((cut for cut in (words, letters) if cut and set(cut) <= set(self.candidates)), None)

    def space(self, unknown: int) -> int:
        """Return how many secrets of so many unknown words there are."""
        return int(len(self.candidates) ** unknown)


PATTERNS: Mapping[PatternName, Pattern] = {
    pattern.name: pattern
    for pattern in (
        Pattern("call", ("call",), DIGITS, "CallIntent"),
        Pattern("pin", ("my", "pin", "code", "is"), DIGITS, "PinIntent"),
        Pattern("color", ("color",), COLOURS, "ColorIntent"),
    )
}
