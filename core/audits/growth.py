"""Whether a store is one that was audited before and has grown since, and is to be audited by the same adversary."""

from pathlib import Path

import numpy as np
from pydantic import BaseModel, ValidationError

from core.datasets.embeddings import Embeddings
from core.keys import key_of
from core.runtime.context import content_key
from core.runtime.folders import home, write_whole, writing
from core.text.vectors import Vectors

MOST = 0.1
"""Growth, as a share, beyond which a store is audited afresh."""


def recognised(dataset: Embeddings, vectors: Vectors) -> tuple[Embeddings, Vectors]:
    """Return a store as grown from the one that was audited before, with its sample; as it is where there was none.

    A store has grown if its first rows are those of a store that was audited with the same settings: the sample of
    these holds the same vectors with the same texts. It must not have grown by more than a tenth.

    Args:
        dataset: The store; as it is where ``grown_from`` is set.
        vectors: Its sample.

    Raises:
        InvalidVectors: It cannot be read.
    """
    if dataset.grown_from:
        return dataset, vectors
    before = _read(_record(dataset))
    if not before or not before.rows < vectors.total <= before.rows * (1 + MOST):
        return dataset, vectors
    grown = dataset.replace(grown_from=before.rows)
    earlier = grown.load()
    return (grown, earlier) if _sample(earlier) == before.sample else (dataset, vectors)


def remember(dataset: Embeddings, vectors: Vectors) -> None:
    """Remember that a store was audited, by the number of its rows and a hash; one that has grown is known already.

    Raises:
        InvalidVectors: It cannot be read.
        StoreReadOnly: The folder of this user cannot be written.
        StoreFull: No space is left.
    """
    if dataset.grown_from:
        return
    path = _record(dataset)
    with writing(path.parent):
        write_whole(path, _Audited(rows=vectors.total, sample=_sample(vectors)).model_dump_json().encode())


class _Audited(BaseModel):
    """A store as it was audited.

    Attributes:
        rows: How many it had.
        sample: Key of its sample.
    """

    rows: int
    sample: str


def _record(dataset: Embeddings) -> Path:
    """Return where it is remembered that a store was audited which begins like this one."""
    settings = dataset.identity()
    del settings["content"]
    first = np.asarray(next(iter(dataset.stored().blocks())))[:1]
    return home() / "audited_stores" / f"{key_of({**settings, 'first': content_key(first)})}.json"


def _read(path: Path) -> _Audited | None:
    """Return what is remembered; None without, and where it is damaged."""
    try:
        return _Audited.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def _sample(vectors: Vectors) -> str:
    """Return a key of the rows of a sample that were there before the store grew; of all where it did not."""
    rows = np.flatnonzero(vectors.earlier)
    texts = [vectors.texts[row] for row in rows] if vectors.texts else []
    return key_of([content_key(vectors.rows[rows], vectors.values[rows]), texts])
