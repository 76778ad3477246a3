"""Searches for the texts behind embeddings, kept by the content of each embedding: none is searched for twice."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.adversaries.search.text_search import Trail
from core.runtime.context import content_key
from core.runtime.store import Store

Search = Callable[[NDArray[np.float32], Sequence[str]], Sequence[Trail]]
"""Embeddings, (texts, dimension), and the name of each in; their searches out."""


@dataclass(frozen=True)
class KeptTrails:
    """The searches of one adversary.

    Attributes:
        store: Where they lie.
        key: Key of all that determines a search, but for the embedding.
        on_known: Called for each search that is found with the number of texts that were embedded for it, so that they
            count as if it were made now.
    """

    store: Store
    key: str
    on_known: Callable[[int], None]

    def searched(self, embeddings: NDArray[np.float32], search: Search) -> list[Trail]:
        """Return the search for each embedding; those that are missing are made, and kept.

        Args:
            embeddings: (texts, dimension).
            search: Makes the missing ones; what it finds for an embedding must depend on no other.
        """
        names = [content_key(row) for row in embeddings]
        self.store.note_trainings(self.key)
        trails = {name: trail for name in dict.fromkeys(names) if (trail := self._read(name)) is not None}
        for trail in trails.values():
            self.on_known(len(trail.closeness))
        missing = {name: row for row, name in enumerate(names) if name not in trails}
        if missing:
            for name, trail in zip(missing, search(embeddings[list(missing.values())], list(missing)), strict=True):
                self.store.put_arrays(self.key, name, _arrays(trail))
                trails[name] = trail
        return [trails[name] for name in names]

    def _read(self, name: str) -> Trail | None:
        arrays = self.store.get_arrays(self.key, name)
        return None if arrays is None else _trail(arrays)


def _arrays(trail: Trail) -> dict[str, NDArray[np.generic]]:
    proposals = list(trail.closeness)
    best = trail.nearest[0][0] if trail.nearest else ()
    return {
        "tokens": np.array([token for proposal in proposals for token in proposal], np.int64),
        "lengths": np.array([len(proposal) for proposal in proposals], np.int64),
        "closeness": np.array(list(trail.closeness.values()), np.float64),
        "ends": np.array(trail.ends, np.int64),
        "best": np.array(best, np.int64),
    }


def _trail(arrays: dict[str, NDArray[np.generic]]) -> Trail:
    """Return a search as far as its result needs it: the closest text alone, and without embeddings."""
    ends = np.cumsum(arrays["lengths"])[:-1]
    proposals = [tuple(part.tolist()) for part in np.split(arrays["tokens"], ends)] if len(arrays["lengths"]) else []
    nothing = np.empty(0, np.float32)
    best = tuple(arrays["best"].tolist())
    return Trail(
        target=nothing,
        odds=nothing,
        closeness=dict(zip(proposals, arrays["closeness"].tolist(), strict=True)),
        nearest=[(best, nothing)] if best else [],
        ends=arrays["ends"].tolist(),
    )
