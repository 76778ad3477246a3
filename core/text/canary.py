"""Canaries: made-up requests with a secret, planted in training data to test whether it can be extracted."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

DIGITS = tuple("0123456789")
COLOURS = (
    *("red", "green", "lilac", "blue", "yellow", "brown"),
    *("cyan", "magenta", "orange", "pink", "purple", "mauve"),
)

PatternName = Literal["call", "pin", "color"]


@dataclass(frozen=True)
class Pattern:
    """The form of a canary (Parikh et al. 2022, Table 1 and appendix A).

    Attributes:
        name: Its name.
        prefix: The public words before the secret.
        candidates: Possible secret words, all equally likely.
        intent: The intent of its requests.
    """

    name: PatternName
    prefix: tuple[str, ...]
    candidates: tuple[str, ...]
    intent: str

    def slots(self, length: int) -> tuple[str, ...]:
        """Return the slot tags of a canary with ``length`` secret words."""
        return (*("O",) * len(self.prefix), "B-canary", *("I-canary",) * (length - 1))

    def spelt(self, secret: Iterable[int]) -> tuple[str, ...]:
        """Return the words of a secret that is given by the numbers of candidates."""
        return tuple(self.candidates[word] for word in secret)

    def read(self, secret: str) -> tuple[str, ...] | None:
        """Return the words of a secret as typed by a user; None if it is no secret of this pattern.

        >>> PATTERNS["pin"].read("4711"), PATTERNS["pin"].read("4 7 1 1"), PATTERNS["color"].read("4711")
        (('4', '7', '1', '1'), ('4', '7', '1', '1'), None)
        """
        words = tuple(secret.lower().split())
        letters = tuple("".join(words))
        return next((split for split in (words, letters) if split and set(split) <= set(self.candidates)), None)

    def space(self, unknown: int) -> int:
        """Return the number of possible secrets with ``unknown`` unknown words."""
        return int(len(self.candidates) ** unknown)


PATTERNS: Mapping[PatternName, Pattern] = {
    pattern.name: pattern
    for pattern in (
        Pattern("call", ("call",), DIGITS, "CallIntent"),
        Pattern("pin", ("my", "pin", "code", "is"), DIGITS, "PinIntent"),
        Pattern("color", ("color",), COLOURS, "ColorIntent"),
    )
}
