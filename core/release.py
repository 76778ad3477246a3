"""What a trainer has for its target models, and what it releases of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.bitext import Bitext
from core.corpus import Corpus
from core.defenses import Defense, recipe
from core.document_classifier import Labelled
from core.privacy import Promise
from core.result import Estimate
from core.seeding import generator

TESTED = 2000
"""Most documents on which the usefulness of a target model is measured."""


@dataclass(frozen=True)
class Lessons:
    """What a trainer has for its target models.

    Attributes:
        corpus: Its documents, or their sentences where the model learns from those.
        selections: Rows of the corpus that each model is trained on.
        identity: All that determines the models, plain values.
        seed: Source of all randomness.
        labelled: Documents with classes for a classifier on top of each model, where there is one; those of the
            corpus, in its order, where it shares them.
        commoner: Share of the commoner class among them.
        defenses: What the trainer does to protect its models, beyond the choice of documents.
        access: What the adversary is to have of a model that can give more than one thing; None for the least.
        places: (rows, 2) in which text each row of the corpus stands, and which of its sentences it is, as
            `core.pieces.cut` has them; None where nobody learns from sentences.
    """

    corpus: Corpus
    selections: Sequence[NDArray[np.int64]]
    identity: Mapping[str, Any]
    seed: int
    labelled: Labelled | None = None
    commoner: float = float("nan")
    defenses: Sequence[Defense] = ()
    access: type[Access] | None = None
    places: NDArray[np.int64] | None = None

    @cached_property
    def promise(self) -> Promise | None:
        """What training promises to each document; None where it promises nothing.

        Raises:
            Incompatible: What its defenses ask for does not go together.
        """
        return recipe(self.defenses).promise


@dataclass(frozen=True)
class BitextLessons:
    """What a trainer has for its translators.

    Attributes:
        bitext: Its sentences and their translations.
        selections: Rows that each translator is trained on.
        validation: Rows by which training is judged, which train none.
        identity: All that determines the translators, plain values.
        seed: Source of all randomness.
        defenses: What the trainer does to protect them, beyond the choice of pairs.
        kept: Passes after which what a translator was is kept too, besides the last; 0 for before any.
    """

    bitext: Bitext
    selections: Sequence[NDArray[np.int64]]
    validation: NDArray[np.int64]
    identity: Mapping[str, Any]
    seed: int
    defenses: Sequence[Defense] = ()
    kept: tuple[int, ...] = ()


@dataclass(frozen=True)
class Pass:
    """How a pass of training ended.

    Attributes:
        number: Passes by then.
        loss: Mean training loss of a token in it, in nats.
        perplexity: On the validation pairs after it, without label smoothing.
    """

    number: int
    loss: float
    perplexity: float


def untaught(documents: int, taught: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return rows of so many documents that did not teach a model, on which it may be tested.

    Args:
        documents: How many there are.
        taught: Rows that taught it.
        rng: Draws among the rest where it is large.
    """
    rest = np.setdiff1d(np.arange(documents), taught)
    return np.sort(rng.choice(rest, min(TESTED, len(rest)), replace=False))


@dataclass(frozen=True)
class Quality:
    """How good a target model is at its own task.

    Attributes:
        value: The measurement.
        unit: What it is counted in.
        help: One sentence for the page.
        chance: What a model without skill would have, where that is known.
        interval: 95 % interval over what was asked of this one model, where that was measured.
        decisions: Answers behind the value, where they were counted.
    """

    value: float
    unit: str
    help: str
    chance: float | None = None
    interval: tuple[float, float] | None = None
    decisions: int = 0


@dataclass(frozen=True)
class Release:
    """A target model, as far as it can be touched.

    Attributes:
        access: What the adversary may query.
        qualities: By name, how useful the model is.
        course: By number of passes, access to what it was after so many, 0 before any; empty where that is not kept.
        passes: How each pass of training ended, where that is recorded.
    """

    access: Access
    qualities: Mapping[str, Quality] = field(default_factory=dict)
    course: Mapping[int, Access] = field(default_factory=dict)
    passes: tuple[Pass, ...] = ()


def usefulness(releases: Sequence[Release], seed: int) -> dict[str, Estimate]:
    """Return how good models are at their own task: the mean over the models, which are resampled for the interval.

    One model alone has the interval over what was asked of it, where that was measured, and else one without width.
    """
    found = {}
    for name, first in releases[0].qualities.items():
        values = np.array([release.qualities[name].value for release in releases])
        drawn = generator(seed, "usefulness").choice(values, (2000, len(values))).mean(axis=1)
        low, high = np.quantile(drawn, [0.025, 0.975])
        if len(releases) == 1 and first.interval is not None:
            low, high = first.interval
        found[name] = Estimate(
            value=float(values.mean()),
            low=float(low),
            high=float(high),
            chance=first.chance,
            unit=first.unit,
            decisions=first.decisions if len(releases) == 1 else 0,
            help=first.help,
        )
    return found
