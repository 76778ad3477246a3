"""Who has which documents: the targets, the trainer's half and the adversary's half."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.errors import Incompatible
from core.games.membership.contract import Target
from core.result import Column, Schema, table

TARGETS: Schema = {
    "target": Column("int32", "Number of the target."),
    "label": Column("str", "Whose documents they are."),
    "size": Column("int32", "Number of documents."),
    "documents": Column("object", "Rows of the documents in the dataset."),
}


@dataclass(frozen=True)
class Split:
    """Rows of the dataset.

    Attributes:
        targets: Documents whose membership is the question.
        trainer: Other documents that only the trainer has.
        adversary: Other documents that only the adversary has.
    """

    targets: tuple[Target, ...]
    trainer: NDArray[np.int64]
    adversary: NDArray[np.int64]


def described(targets: Sequence[Target]) -> pd.DataFrame:
    """Return the targets as a table."""
    rows = [
        {"target": number, "label": target.label, "size": target.size, "documents": list(target.documents)}
        for number, target in enumerate(targets)
    ]
    return table(TARGETS, rows)


def emulated_targets(
    documents: int, sizes: Sequence[int], rng: np.random.Generator
) -> tuple[list[Target], NDArray[np.int64]]:
    """Return targets of random documents, and all other rows in a random order."""
    shuffled = rng.permutation(documents)
    ends = np.cumsum(sizes)
    targets = [
        Target(f"user {number + 1}", size, tuple(sorted(shuffled[end - size : end].tolist())))
        for number, (size, end) in enumerate(zip(sizes, ends, strict=True))
    ]
    return targets, shuffled[ends[-1] :]


def owner_targets(
    owners: Sequence[str], sizes: Sequence[int], rng: np.random.Generator
) -> tuple[list[Target], NDArray[np.int64]]:
    """Return targets of documents of one owner each, and the rows of all other owners in a random order.

    Raises:
        Incompatible: Too few owners have enough documents.
    """
    if not owners:
        raise Incompatible("This dataset does not name the owners of its documents.")
    owned: dict[str, list[int]] = {}
    for row, owner in enumerate(owners):
        owned.setdefault(owner, []).append(row)
    targets: list[Target] = []
    for size in sizes:
        free = sorted(owner for owner, rows in owned.items() if len(rows) >= size)
        if not free:
            counts = Counter(owners)
            enough = sum(count >= size for count in counts.values())
            raise Incompatible(
                f"Each of {len(sizes)} targets, of {' or '.join(map(str, dict.fromkeys(sizes)))} documents, needs an "
                f"owner of its own. Too few owners have {size} or more: {enough} of {len(counts)}."
            )
        owner = free[int(rng.integers(len(free)))]
        rows = owned.pop(owner)
        targets.append(Target(owner, size, tuple(sorted(rng.choice(rows, size, replace=False).tolist()))))
    left = np.array([row for row, owner in enumerate(owners) if owner in owned], dtype=np.int64)
    return targets, rng.permutation(left)


def halved(rows: NDArray[np.int64], owners: Sequence[str] = ()) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Divide rows in a random order into the trainer's half and the adversary's.

    Args:
        rows: Those to divide.
        owners: The owner of each document, where no owner may have some in both halves, which are then as equal as
            owners allow; owners come in the order of their first.
    """
    if not owners:
        half = len(rows) // 2
        return rows[:half], rows[half:]
    owned: dict[str, list[int]] = {}
    for row in rows.tolist():
        owned.setdefault(owners[row], []).append(row)
    halves: tuple[list[int], list[int]] = ([], [])
    for of_one in owned.values():
        min(halves, key=len).extend(of_one)
    trainer, adversary = (np.array(half, dtype=np.int64) for half in halves)
    return trainer, adversary


def learns(rows: NDArray[np.int64], owners: Sequence[str] = ()) -> bool:
    """Tell whether an adversary that has some documents can learn from one and compare with another.

    Args:
        rows: The documents.
        owners: The owner of each document, where targets are documents of owners: then two owners are needed.
    """
    return len({owners[row] for row in rows.tolist()} if owners else rows) > 1


def secret_bits(shape: tuple[int, int, int], rng: np.random.Generator, *, independent: bool) -> NDArray[np.bool_]:
    """Draw who is in, (plays, sizes x targets).

    Args:
        shape: Plays, sizes of targets, and targets of each size.
        rng: Source of randomness.
        independent: Whether each target is in or out by itself; else half of those of a size are in.
    """
    plays, sizes, targets = shape
    if independent:
        return rng.random((plays, sizes * targets)) < 0.5
    half = np.arange(targets) < targets // 2
    return np.array([np.concatenate([rng.permutation(half) for _ in range(sizes)]) for _ in range(plays)])
