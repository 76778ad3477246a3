"""A store as the source of vectors: a game releases those stored with its texts instead of embedding the texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.access import Encode
from core.errors import Incompatible
from core.games.segments import Growth
from core.statistics.unit_length import scaled
from core.text.contents import Documents
from core.text.segments import Segmentation
from core.text.vectors import Vectors

UNCHECKED = (
    "The encoder is unknown and the texts lie in a table apart, so it was not checked that they are in the order of "
    "the vectors: in another order, less seems to be read, or nothing. Each text in one table with its vector would do."
)
"""Remark of a result whose texts may be in another order than its vectors, whether it reads a little or nothing."""
AGAIN = 50
"""Texts that are embedded once more."""
RECOGNISED = 0.5
"""Share of these whose own vector must be the nearest."""
SAME = 0.99
"""Cosine from which two vectors count as the same, perhaps stored with less precision."""
OUT_OF_ORDER = 0.1
"""Share of these texts with their vector beside another text from which nothing read would be compared rightly."""
FEWEST = 20
"""Fewest different texts for a conclusion: among few vectors, a text's own one is often the nearest by chance."""
_TIE = 1e-4


@dataclass(frozen=True)
class StoredVectors:
    """The vectors of a store by the text beside each; of equal texts, the first counts.

    Attributes:
        vectors: (dimension,) the vector of each text.
        otherwise: What embeds any other text.
    """

    vectors: Mapping[str, NDArray[np.float32]]
    otherwise: Encode

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the stored vectors of texts, and the embeddings of those that the store lacks, (texts, dimension)."""
        vectors = {text: self.vectors[text] for text in texts if text in self.vectors}
        if missing := list(dict.fromkeys(text for text in texts if text not in vectors)):
            vectors |= dict(zip(missing, self.otherwise(missing), strict=True))
        width = len(next(iter(self.vectors.values())))
        return np.array([vectors[text] for text in texts], np.float32).reshape(len(texts), width)

    def leaked(self, texts: Sequence[str]) -> "StoredVectors":
        """Return what an adversary has that cannot run the encoder: the vectors of its own texts."""
        leaked = {text: self.vectors[text] for text in texts if text in self.vectors}
        return StoredVectors(leaked, _refused)


@dataclass(frozen=True)
class RememberedEmbeddings:
    """An encoder that is asked once for some texts, which the games of an audit all embed, and again for any others.

    Attributes:
        encode: The encoder.
        kept: The texts whose embeddings are remembered.
        known: By the texts of a request, (texts, dimension) what it returned; requests add to it.
    """

    encode: Encode
    kept: frozenset[str]
    known: dict[tuple[str, ...], NDArray[np.float32]]

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the embeddings of texts, (texts, dimension), read-only where they are remembered."""
        requested = tuple(texts)
        if requested in self.known:
            return self.known[requested]
        embeddings = self.encode(requested)
        if self.kept.issuperset(requested):
            embeddings.flags.writeable = False
            self.known[requested] = embeddings
        return embeddings


@dataclass(frozen=True)
class Comparison:
    """How stored vectors compare with what an encoder makes of their texts.

    Cosines are taken from the mean of the stored vectors: many encoders give any two texts a cosine near 1.

    Attributes:
        own_cosine: (texts,) cosine of each new embedding with the text's own vector.
        best_other: (texts,) the highest cosine with the vector of another text.
        elsewhere: (texts,) the row of that vector.
    """

    own_cosine: NDArray[np.float32]
    best_other: NDArray[np.float32]
    elsewhere: NDArray[np.int64]

    @property
    def nearest(self) -> int:
        """Number of texts whose own vector is strictly the nearest."""
        return int(self._near.sum())

    @property
    def moved(self) -> NDArray[np.int64]:
        """The texts that have their vector beside another text; no two have the same one.

        That vector has a cosine of 0.99 with the new embedding, and the own one has less. Where vectors were changed,
        so that fewer have such a cosine, but most texts have their own one nearest, the vector beside another text need
        only be as near as the lower quartile of these, and the own one less than half as near.
        """
        moved = (self.own_cosine < SAME) & (self.best_other >= SAME)
        if self.nearest >= RECOGNISED * len(self.own_cosine):
            usual = min(SAME, float(np.quantile(self.own_cosine[self._near], 0.25)))
            moved |= (self.own_cosine < usual / 2) & (self.best_other >= usual)
        texts = np.flatnonzero(moved)
        return texts[np.sort(np.unique(self.elsewhere[texts], return_index=True)[1])]

    @property
    def _near(self) -> NDArray[np.bool_]:
        return np.asarray(self.own_cosine > self.best_other + _TIE)


def compared(
    embeddings: NDArray[np.float32], stored: NDArray[np.float32], rows: NDArray[np.int64], /, *, same: NDArray[np.bool_]
) -> Comparison:
    """Compare the embeddings of some texts with stored vectors.

    Args:
        embeddings: (texts, dimension) the new embeddings.
        stored: (sample, dimension) the vectors.
        rows: (texts,) the row of each text's own vector.
        same: (texts, sample) whether a vector stands beside that very text.
    """
    stored = scaled(stored)
    mean = stored.mean(axis=0)
    cosines = scaled(scaled(embeddings) - mean) @ scaled(stored - mean).T  # (texts, sample)
    other_cosines = np.where(same, np.float32(-1), cosines)
    return Comparison(cosines[np.arange(len(rows)), rows], other_cosines.max(axis=1), other_cosines.argmax(axis=1))


def again(texts: Sequence[str], most: int, seed: int) -> NDArray[np.int64]:
    """Draw texts to embed once more; return their numbers, in rising order.

    Each text has a random number of its own, so that the draw depends on no order.
    """
    numbers = [sha256(f"{seed} {text}".encode("utf-8", "surrogatepass")).digest() for text in texts]
    return np.sort(np.array(sorted(range(len(texts)), key=numbers.__getitem__)[:most], np.int64))


def may_be_moved(dataset: Mapping[str, Any], model: Mapping[str, Any]) -> bool:
    """Tell whether texts may be in another order than the vectors: in a table apart, and no encoder compares them.

    That something is read does not settle it. Texts that are moved by one row often share a topic with the right ones.

    Args:
        dataset: The plain values of the dataset.
        model: Those of the model.
    """
    return model.get("part") == "unknown_encoder" and bool(dataset.get("texts"))


def require_match(
    vectors: Mapping[str, NDArray[np.float32]], eligible: Sequence[str], embed: Encode, seed: int
) -> None:
    """Embed some texts once more and compare them with the vectors beside them.

    Args:
        vectors: (dimension,) the vector of each text.
        eligible: The texts that may be embedded: of a store that has grown, those that were there before.
        embed: The encoder that is said to have made them.
        seed: Source of the choice of texts.

    Raises:
        Incompatible: Fewer than half of the texts have their own vector nearest, a tenth have theirs beside another
            text, or it has other dimensions.
    """
    stored = np.stack(list(vectors.values()))
    texts = list(vectors)
    among = set(eligible)
    numbers = np.array([number for number, text in enumerate(texts) if text in among], np.int64)
    rows = numbers[again([texts[number] for number in numbers], AGAIN, seed)]
    embeddings = embed([texts[row] for row in rows])
    if embeddings.shape[1] != stored.shape[1]:
        raise Incompatible(
            f"Another encoder made these vectors: they have {stored.shape[1]:,} dimensions, those of the one that is "
            f"named {embeddings.shape[1]:,}."
        )
    cosines = compared(embeddings, stored, rows, same=rows[:, None] == np.arange(len(stored)))
    nearest, moved = cosines.nearest, len(cosines.moved)
    if nearest < RECOGNISED * len(rows):
        raise Incompatible(
            f"Vectors and texts do not match: {nearest} of {len(rows)} texts that were embedded again have their own "
            f"vector as the nearest of {len(stored):,}; at least half must. The texts are in another order, or another "
            "encoder (or another pooling) made these vectors."
        )
    if len(stored) >= FEWEST and moved >= OUT_OF_ORDER * len(rows):
        raise Incompatible(
            f"Vectors and texts do not match: {moved} of {len(rows)} texts that were embedded again have their vector "
            f"beside another text; fewer than {OUT_OF_ORDER:.0%} may. Put the texts in the order of the vectors."
        )


def beside(contents: Documents | Vectors, pieces: Segmentation) -> tuple[Documents, dict[str, NDArray[np.float32]]]:
    """Return the texts of a game, and the stored vector of each; none where the game embeds the texts itself.

    Args:
        contents: Texts, or vectors with texts beside them; vectors without one are left out.
        pieces: What the game embeds.

    Raises:
        Incompatible: No vector has a text, or the game embeds sentences.
    """
    if isinstance(contents, Documents):
        return contents, {}
    if pieces != "texts":
        raise Incompatible(f"A stored vector is that of a whole text: set 'pieces' to 'texts'. Got {pieces!r} instead.")
    rows = _with_text(contents)
    if not rows:
        raise Incompatible("No vector has a text beside it, so that nothing read from them could be checked.")
    owners, labels = (
        tuple(values[row] for row in rows) if values else () for values in (contents.owners, contents.labels)
    )
    documents = Documents(tuple(contents.texts[row] for row in rows), owners, labels)
    return documents, {contents.texts[row]: contents.values[row] for row in reversed(rows)}


def growth(contents: Documents | Vectors) -> Growth | None:
    """Return which texts of a game, as `beside` returns them, came after an earlier split; none where nothing grew."""
    if isinstance(contents, Documents) or not contents.grown_from:
        return None
    rows = contents.rows[_with_text(contents)]
    displaced = np.flatnonzero(np.isin(rows, contents.displaced))
    return Growth(int((rows < contents.grown_from).sum()), displaced)


def eligible(documents: Documents, grown: Growth | None) -> tuple[str, ...]:
    """Return the texts that may be embedded once more: those that were there before the store grew, else all."""
    return documents.texts[: grown.earlier] if grown else documents.texts


def queries_of(contents: Documents | Vectors) -> tuple[str, ...]:
    """Return the holder's own queries; none where the store has none."""
    return contents.queries if isinstance(contents, Vectors) else ()


def _with_text(vectors: Vectors) -> list[int]:
    return [row for row, text in enumerate(vectors.texts) if text.strip()]


def _refused(texts: Sequence[str]) -> NDArray[np.float32]:
    raise Incompatible(
        "The encoder is unknown: the adversary has the vectors of its own stored texts, and cannot embed others."
    )
