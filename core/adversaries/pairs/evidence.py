"""Tables of the word-pair attack: its pairs, their distances in every model, and its path."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.access import Access, WordVectors
from core.adversaries.pairs.adversaries import PairAdversary
from core.result import Column, Schema, table

if TYPE_CHECKING:
    import pandas as pd

_MOST_PAIRS = 12
_PLACES = 3
"""Decimal places of the distances that are kept: their spread over models is some hundredths."""

PAIR: Schema = {
    "target": Column("int32", "Number of the target."),
    "rank": Column("int32", "Rank by absolute weight, from 0."),
    "first": Column("str", "One word of the pair."),
    "second": Column("str", "The other word."),
    "weight": Column("float64", "Weight in the linear function; negative when closeness reveals membership."),
}
"""A selected pair of a target."""

SCHEMAS: dict[str, Schema] = {
    "pairs": {
        **PAIR,
        "mean_in": Column("float64", "Mean distance over shadow models with the target that know both words."),
        "mean_out": Column("float64", "Mean distance over shadow models without the target."),
        "deviation_in": Column("float64", "Standard deviation over shadow models with the target."),
        "deviation_out": Column("float64", "Standard deviation over shadow models without the target."),
        "occurrences": Column("int32", "How often the two words are adjacent in the target."),
    },
    "path": {
        "target": Column("int32", "Number of the target."),
        "penalty": Column("float64", "LASSO penalty."),
        "first": Column("str", "One word of the pair."),
        "second": Column("str", "The other word."),
        "weight": Column("float32", "Weight at this penalty, to three digits."),
    },
    "distances": {
        "target": Column("int32", "Number of the target."),
        "rank": Column("int32", "Rank of the pair in the target's list."),
        "source": Column("str", "'shadow', or 'target' for a target model."),
        "member": Column("bool", "Whether the model was trained on the target."),
        "distance": Column(
            "float32", "Distance of the two words in that model, to a thousandth; NaN where it knows only one."
        ),
    },
}


@dataclass(frozen=True)
class Evidence:
    """Distances of a target's selected pairs in the shadow models that serve it.

    Attributes:
        distances: (shadows, pairs).
        member: (shadows,) which of them hold the target.
    """

    distances: NDArray[np.float32]
    member: NDArray[np.bool_]


def pair_table(answer: PairAdversary, evidence: Sequence[Evidence]) -> "pd.DataFrame":
    """Return the selected pairs of every target."""
    rows: list[dict[str, Any]] = []
    for target, shadows in enumerate(evidence):
        for rank, pair in enumerate(answer.pairs(target)):
            weight = answer.functions[target].weights[rank]
            inside, outside = (_known(shadows.distances[held, rank]) for held in (shadows.member, ~shadows.member))
            rows.append(
                {
                    **dict(zip(PAIR, (target, rank, *answer.plan.words_of(pair), weight), strict=True)),
                    "mean_in": inside.mean(),
                    "mean_out": outside.mean(),
                    "deviation_in": inside.std(),
                    "deviation_out": outside.std(),
                    "occurrences": answer.plan.occurrences[pair],
                }
            )
    return table(SCHEMAS["pairs"], rows)


def _known(distances: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the distances in models that know both words, or one that is unknown where none does."""
    known = distances[~np.isnan(distances)]
    return known if known.size else np.full(1, np.nan, np.float32)


def path_table(path: Sequence[PairAdversary], targets: int) -> "pd.DataFrame":
    """Return the weights of every target's pairs at every penalty."""
    schema = SCHEMAS["path"]
    rows = [
        (target, adversary.penalty, *adversary.plan.words_of(pair), float(f"{weight:.3g}"))
        for adversary in path
        for target in range(targets)
        for pair, weight in zip(adversary.pairs(target), adversary.functions[target].weights, strict=True)
    ]
    return table(schema, [dict(zip(schema, row, strict=True)) for row in rows])


def distance_table(
    answer: PairAdversary, evidence: Sequence[Evidence], accesses: Sequence[WordVectors], members: NDArray[np.bool_]
) -> "pd.DataFrame":
    """Return the distances of every target's heaviest pairs in every shadow and target model."""
    import pandas as pd

    parts = []
    for target, shadows in enumerate(evidence):
        queried = np.array([answer.features(target, access) for access in accesses])
        for rank in range(min(_MOST_PAIRS, shadows.distances.shape[1])):
            values = np.concatenate([shadows.distances[:, rank], queried[:, rank]])
            columns = {
                "target": np.full(len(values), target),
                "rank": np.full(len(values), rank),
                "source": ["shadow"] * len(shadows.member) + ["target"] * len(accesses),
                "member": np.concatenate([shadows.member, members[:, target]]),
                "distance": np.round(values, _PLACES),
            }
            parts.append(table(SCHEMAS["distances"], columns))
    return pd.concat(parts, ignore_index=True) if parts else table(SCHEMAS["distances"], [])


def as_word_vectors(accesses: Sequence[Access]) -> list[WordVectors]:
    """Return the accesses to word vectors, which should be all."""
    return [access for access in accesses if isinstance(access, WordVectors)]
