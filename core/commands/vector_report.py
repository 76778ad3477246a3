"""Sentences about stored vectors; each follows from a count."""

from collections.abc import Sequence

import numpy as np

from core.adversaries.encoder_fit import Fit, candidates
from core.encoders.records import RECORDS, record_of
from core.games.stored_vectors import FEWEST
from core.statistics.vector_checks import Checks
from core.statistics.wording import fixed
from core.statistics.wording.naming import counted
from core.text.vectors import Vectors

_NAMED = 5
"""Most rows that are named as not finite, or as zeros."""


def sentences(name: str, vectors: Vectors, metric: str, checks: Checks, fits: Sequence[Fit]) -> list[str]:
    """Return what was found, a line each.

    Args:
        name: What the store is called.
        vectors: The sample.
        metric: How the store compares vectors, in its own words; empty where it does not say.
        checks: What was counted.
        fits: How encoders fit.
    """
    lines = described(name, vectors, metric, checks)
    if not vectors.texts:
        return [*lines, _without_texts(checks.dimension)]
    if not fits:
        return [*lines, f"No encoder of {checks.dimension:,} dimensions is on this machine: name one by --encoder."]
    return [*lines, *map(encoder, in_order(fits))]


def in_order(fits: Sequence[Fit]) -> list[Fit]:
    """Return how encoders fit, the best first."""
    return sorted(fits, key=lambda fit: (fit.recognised, fit.same, fit.nearest), reverse=True)


def described(name: str, vectors: Vectors, metric: str, checks: Checks) -> list[str]:
    """Return what was found without an encoder, a line each; the arguments are those of `sentences`."""
    which = "all" if checks.checked == vectors.total else f"a random sample of {checks.checked:,}"
    lines = [
        f"{name}: {counted(vectors.total, 'vector')} of {counted(checks.dimension, 'dimension')} "
        f"({vectors.described}); {which} checked.",
        _length(checks, metric),
        f"Vectors with numbers that are not finite: {checks.not_finite:,}. Vectors of zeros: {checks.zero:,}. Vectors "
        f"that repeat one before them, as numbers of 32 bits: {checks.repeated:,}.",
    ]
    if checks.not_finite:
        of_this = f"; of this one {_named(vectors.not_finite, vectors.not_finite_ids)}" if vectors.not_finite else ""
        lines.append(f"Vectors that are not finite are left out of every sample{of_this}.")
    if zeros := np.flatnonzero(~vectors.values.any(axis=1)).tolist():
        ids = [vectors.ids[row] for row in zeros] if vectors.ids else ()
        lines.append(f"Vectors of zeros in this sample: {_named(vectors.rows[zeros].tolist(), ids)}.")
    if missing := sum(not text.strip() for text in vectors.texts):
        lines.append(f"Without a text: {missing:,} of {len(vectors):,} vectors in the sample.")
    return lines


def _named(numbers: Sequence[int], ids: Sequence[str] = ()) -> str:
    """Return some rows of a store, the first five by their ids, or by their numbers where there are no ids.

    >>> _named([3]), _named(range(7)), _named([3, 4], ["a", "b"])
    ('row 4, counted from 1', 'rows 1, 2, 3, 4, 5 and 2 more, counted from 1', 'ids a, b')
    """
    more = f" and {len(numbers) - _NAMED:,} more" if len(numbers) > _NAMED else ""
    some = "s" * (len(numbers) > 1)
    if ids:
        return f"id{some} {', '.join(each[:60] for each in ids[:_NAMED])}{more}"
    return f"row{some} {', '.join(f'{number + 1:,}' for number in numbers[:_NAMED])}{more}, counted from 1"


def grown(before: int, now: int) -> list[str]:
    """Say that a store has grown since it was audited; nothing where it has not.

    Args:
        before: Rows that it had then; 0 where it was not audited before.
        now: Rows that it has.
    """
    if not before:
        return []
    return [
        f"Grown from {before:,} to {now:,} rows since an earlier audit. The adversary, the suspected texts and the "
        "set-up of storage formats and defenses stay as they were, and no later text is compared with the encoder; the "
        "vectors that are read are drawn from all."
    ]


def encoder(fit: Fit) -> str:
    """Return what the comparison with an encoder says."""
    if fit.cosine != fit.cosine:
        return f"Encoder: not {fit.title}, which has another number of dimensions."
    if not fit.conclusive:
        few = f"{fit.different} different texts in the sample, and below {FEWEST} chance may decide"
        return f"Encoder: whether {fit.title} made these vectors cannot be told: there are {few}."
    figures = f"cosine from the mean {fixed(fit.cosine, 3)} (median), {fit.same} of {fit.texts} at 0.99 or more"
    record = record_of(fit.encoder)
    prefix = f", “{record.document_prefix}” before each text" if record and record.document_prefix else ""
    made_by = f"{fit.title}, {fit.made or _POOLED[fit.pooling]}{prefix}"
    if fit.identical:
        return (
            f"Encoder: these vectors are {made_by}: cosine {fixed(fit.cosine, 3)} on {fit.same} of {fit.texts} texts."
        )
    if fit.shuffled:
        return (
            f"Encoder: {made_by}, but the texts are in another order than the vectors: {moved(fit)}; for "
            f"{fit.nearest} the one in their own row is the nearest."
        )
    if fit.recognised:
        misplaced = f" Less is read than could be: {moved(fit)}." if fit.elsewhere else ""
        return (
            f"Encoder: {made_by}, changed by what was done to the vectors: {figures}; the own vector is the nearest of "
            f"{fit.sample:,} for {fit.nearest} of {fit.texts} texts.{misplaced}"
        )
    return (
        f"Encoder: not {fit.title}: {figures}; the own vector is the nearest of {fit.sample:,} for {fit.nearest} of "
        f"{fit.texts} texts."
    )


def moved(fit: Fit) -> str:
    """Say how many texts have their vector in another row, and where that of one of them is."""
    have = "text has its" if fit.elsewhere == 1 else "texts have their"
    return (
        f"{fit.elsewhere} of {fit.texts} {have} vector in another row, such as the text of row {fit.text_row:,} in row "
        f"{fit.vector_row:,}"
    )


_POOLED = {"mean": "mean of the hidden states", "first": "first hidden state", "last": "last hidden state"}


def _length(checks: Checks, metric: str) -> str:
    comparison = f" The store compares them by {metric}." if metric else ""
    subject = "All" if not checks.zero + checks.not_finite else "All others than those of zeros or not finite"
    if not checks.longest:
        return f"No vector has a length: all are of zeros, or not finite.{comparison}"
    if checks.alike:
        length = "one" if checks.normalised else f"{checks.longest:.3g}"
        ranks = "so cosine, inner product and Euclidean distance rank alike, but for near ties"
        return f"{subject} have length {length}, {ranks}.{comparison}"
    return (
        f"Lengths from {checks.shortest:.4g} to {checks.longest:.4g}, {checks.mean_length:.4g} on average; "
        f"{checks.unit:.1%} have length one within 1%. Cosine and inner product rank differently.{comparison}"
    )


def _without_texts(dimension: int) -> str:
    known = [RECORDS[name].title for name in candidates(dimension)]
    same = f" Of {dimension:,} dimensions: {', '.join(known)}." if known else ""
    return f"There are no texts beside them, so no encoder was compared: give a table by --texts.{same}"
