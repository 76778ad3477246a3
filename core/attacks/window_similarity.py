"""Window membership: the words of a window are closer to each other in a model that was trained on it."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, cast

import numpy as np
from numpy.typing import NDArray

from core.access import Access, WordNetworks, WordVectors
from core.errors import Incompatible
from core.games.example_membership.contract import ExampleAttack, Examples, Population, Revealed, Wording
from core.spec import parameter
from core.text.corpus import Corpus

_BANDS = ((5, 9), (10, 19), (20, 49), (50, 199), (200, None))
"""Bands of the middle word's number of occurrences in all documents, least and most."""


class WindowSimilarity(ExampleAttack):
    """Membership of windows of words by similarity (Song and Raghunathan 2020, Algorithm 4).

    For a window C with the word ``w_0`` in its middle, the statistic is the mean similarity

        1 / |C|  sum over i of  δ(v_w0, v_wi).

    The paper's δ is the cosine of word vectors. Training with negative sampling raises products of output and input
    vectors instead, so ``inner_output`` takes the inner product of the output vector of ``w_0`` and the input vector of
    ``w_i``; it needs the whole network. For CBOW this is the logit of ``w_0`` given its window. The cosine is reported
    as well.

    The paper does not say how windows are drawn: here evenly from bands of the frequency of ``w_0``. Excluded are
    windows with a word that some model does not know, which would reveal membership, and windows that stand in two
    documents, which may be in and out at once.
    """

    title: ClassVar[str] = "Window membership"
    needs: ClassVar[type[Access]] = WordVectors
    question: ClassVar[str] = "Was this window of words in the training text of a word embedding?"
    claim: ClassVar[str] = (
        "Given a window of words and their vectors, the adversary tells whether the window was trained on"
    )
    threat: ClassVar[str] = (
        "The adversary has a window of words, queries the embedding for their vectors, and has shadow models of the "
        "same kind. With the inner product it has the target’s whole network."
    )
    wording: ClassVar[Wording] = Wording(
        one="window",
        unit="word",
        grouping="Occurrences of the middle word in all documents",
        group="{} times",
        which="whose middle word occurs {} times",
    )
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            "dataset": {"part": "wikipedia_excerpt"},
            "model": {
                "part": "word2vec",
                "mode": "skip_gram",
                "dimension": 50,
                "learning_rate": 0.05,
                "minimum_count": 1,
            },
            "attack": {"similarity": "inner_output"},
        },
        "paper": {
            "dataset": {"part": "wikitext2"},
            "model": {
                "part": "word2vec",
                "mode": "skip_gram",
                "dimension": 100,
                "negatives": 25,
                "learning_rate": 0.05,
                "epochs": 5,
                "minimum_count": 1,
            },
        },
    }

    window: int = parameter(5, "Words to either side of the one in the middle.", unit="words", ge=1, le=25)
    similarity: Literal["cosine", "inner_output"] = parameter(
        "cosine",
        "Cosine of the published vectors, as in the paper, or inner product of the middle word’s output vector and the "
        "others’ input vectors, which takes the whole network.",
    )

    def access(self) -> type[Access]:
        """Return the vectors, or the whole network where output vectors are compared."""
        return WordNetworks if self.similarity == "inner_output" else self.needs

    def examples(self, population: Population, rng: np.random.Generator) -> Examples:
        """Draw windows, equally many of each band of frequency where possible.

        Raises:
            Incompatible: There is no window of known words.
        """
        corpus = Corpus.encode(population.documents.texts)
        starts, rows = self._windows(corpus)
        occurrences = corpus.counts()
        often = occurrences[corpus.tokens[starts + self.window]]
        known = self._known(corpus, starts, population.accesses)
        usable = population.eligible[rows] & known & self._single(corpus, starts, rows)
        drawn, pool, left = [], [], []
        for fewest, most in _BANDS:
            band = (often >= fewest) & (often <= (most or often))
            candidates = np.flatnonzero(band & usable)
            pool.append(int(band.sum()))
            left.append(len(candidates))
            drawn.append(np.sort(rng.permutation(candidates)[: population.most]))
        chosen = np.concatenate(drawn)
        if not len(chosen):
            raise Incompatible(
                f"No window of {2 * self.window + 1} words that every model knows has a word in its middle that occurs "
                f"{_BANDS[0][0]} times. Take a smaller window, a larger dataset, or a model that ignores fewer words."
            )
        words = corpus.tokens[starts[chosen, None] + np.arange(2 * self.window + 1)]
        return Examples(
            rows=rows[chosen],
            positions=starts[chosen] - corpus.offsets[rows[chosen]],
            texts=tuple(tuple(corpus.words[word] for word in window) for window in words),
            groups=tuple(f"{fewest}–{most}" if most else f"{fewest} or more" for fewest, most in _BANDS),
            group=np.repeat(np.arange(len(_BANDS)), list(map(len, drawn))),
            pool=np.array(pool, np.int64),
            usable=np.array(left, np.int64),
            rarity=-occurrences[words[:, self.window]].astype(np.float64),
            unfit="some model knows not all of their words, or an equal one stands in another document",
        )

    def observe(self, examples: Examples, access: Access, revealed: Revealed) -> dict[str, NDArray[np.float64]]:
        """Return the mean similarity within each window, by the chosen measure and by cosine."""
        words = sorted({word for window in examples.texts for word in window})
        row = {word: number for number, word in enumerate(words)}
        windows = np.array([[row[word] for word in window] for window in examples.texts])
        middle, around = windows[:, self.window], np.delete(windows, self.window, axis=1)
        vectors = cast(WordVectors, access).query(words).astype(np.float64)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        statistics = {"cosine": _mean_product(vectors, vectors, middle, around)}
        if isinstance(access, WordNetworks):
            inputs, outputs = (side.astype(np.float64) for side in access.both(words))
            statistics = {"inner_output": _mean_product(outputs, inputs, middle, around), **statistics}
        return statistics

    def _windows(self, corpus: Corpus) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the start of each window among all tokens, and its document."""
        room = np.maximum(np.diff(corpus.offsets) - 2 * self.window, 0)
        rows = np.repeat(np.arange(len(corpus)), room)
        before = np.concatenate([[0], np.cumsum(room)])[rows]
        return corpus.offsets[rows] + np.arange(len(rows)) - before, rows

    def _known(self, corpus: Corpus, starts: NDArray[np.int64], accesses: Sequence[Access]) -> NDArray[np.bool_]:
        """Return which windows have only words that every model knows."""
        known = np.full(len(corpus.words), True)
        for access in accesses:
            known &= ~np.isnan(cast(WordVectors, access).query(corpus.words)).any(axis=1)
        unknown = np.concatenate([[0], np.cumsum(~known[corpus.tokens])])
        return np.asarray(unknown[starts + 2 * self.window + 1] == unknown[starts])

    def _single(self, corpus: Corpus, starts: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which windows stand in one document only; of equal windows in it, the first."""
        windows = corpus.tokens[starts[:, None] + np.arange(2 * self.window + 1)]
        order = np.lexsort((starts, *windows.T))
        new = np.full(len(order), True)
        new[1:] = (windows[order][1:] != windows[order][:-1]).any(axis=1)
        kind, first = np.cumsum(new) - 1, np.flatnonzero(new)
        elsewhere = np.bincount(kind, rows[order] != rows[order][first][kind], len(first)) > 0
        single = np.full(len(starts), False)
        single[order[first]] = ~elsewhere
        return single


def _mean_product(
    left: NDArray[np.float64], right: NDArray[np.float64], middle: NDArray[np.int64], around: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the mean inner product of one word's left vector and the others' right ones, (windows,)."""
    return np.asarray(np.einsum("wd,wcd->w", left[middle], right[around]) / around.shape[1])
