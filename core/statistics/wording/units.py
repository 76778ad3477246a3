"""Units of estimates: the scale of each, which decides how it is written and tested, and what its cases are called."""

from enum import Enum, auto
from types import MappingProxyType

AREA = "probability"
"""Unit of an area under the ROC curve."""
CANARIES = "share of canaries"
DECISIONS = "share of decisions"
DIFFERENCE = "difference of rates"
VICTIMS = "mean over victims"
BITS = "bits"
BLEU = "BLEU"


class Scale(Enum):
    """On what scale a figure is.

    Attributes:
        SHARE: A share of countable cases, in percent: of independent ones it is binomial.
        RATE: Another figure in percent, such as a mean of shares or a difference of two.
        AREA: The probability that one score exceeds another.
        SCORE: Another number up to 1.
        NUMBER: Any other number, which needs its unit.
    """

    SHARE = auto()
    RATE = auto()
    AREA = auto()
    SCORE = auto()
    NUMBER = auto()


_SHARE = "share"
"""How units of shares begin."""
SCALES = MappingProxyType(
    {
        AREA: Scale.AREA,
        **dict.fromkeys((DIFFERENCE, VICTIMS, "F1"), Scale.RATE),
        **dict.fromkeys(
            (
                "reciprocal rank",
                "nDCG at 10, from 0 to 1",
                f"{VICTIMS}, from 0 to 1",
                f"{VICTIMS}, from -1 to 1",
            ),
            Scale.SCORE,
        ),
        **dict.fromkeys((BITS, BLEU, "epsilon", "l1 distance", "times chance"), Scale.NUMBER),
        **dict.fromkeys(("documents", "hyper-parameters", "pieces", "queries", "tokens", "words"), Scale.NUMBER),
    }
)
"""Scales of all units but shares, which say of what they are one."""
_CASES = MappingProxyType(
    {
        VICTIMS: "victim",
        CANARIES: "secret",
        "share of words": "secret",
        BITS: "secret",
        "share of texts": "text",
        "share of neighbours": "text",
        "share of examples": "example",
        "share of groups": "group",
        "share of passages": "case",
        BLEU: "sentence",
    }
)


def scale(unit: str) -> Scale:
    """Return the scale of a unit; that of a unit of its own, which `SCALES` lacks, is any number.

    >>> scale("share of members"), scale("mean over victims"), scale("bits")
    (<Scale.SHARE: 1>, <Scale.RATE: 2>, <Scale.NUMBER: 5>)
    """
    return Scale.SHARE if unit.startswith(_SHARE) else SCALES.get(unit, Scale.NUMBER)


def in_percent(unit: str) -> bool:
    """Tell whether figures of a unit are written in percent."""
    return scale(unit) in (Scale.SHARE, Scale.RATE)


def case(unit: str) -> str:
    """Return what the n of an estimate counts, by its unit."""
    return _CASES.get(unit, "decision")
