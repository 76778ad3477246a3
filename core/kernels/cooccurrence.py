"""GloVe's weighted least squares over which words stand near which, compiled."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.kernels.compiled import compiled


def cooccurrences(
    tokens: NDArray[np.integer[Any]], offsets: NDArray[np.integer[Any]], words: int, window: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]:
    """Count which words stand near which in documents; a pair at a distance of d counts 1/d, both ways round.

    Args:
        tokens: Word ids of all documents, one after another, (n,).
        offsets: Where each document starts, and n at the end, (documents + 1,).
        words: Size of the vocabulary.
        window: Largest distance, in words.

    Returns:
        Row, column and count of every pair that occurs, (pairs,) each, ordered by row and column.
    """
    from scipy.sparse import coo_array, csr_array

    document = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    total = csr_array((words, words), dtype=np.float64)
    for distance in range(1, min(window, len(tokens) - 1) + 1):
        together = document[:-distance] == document[distance:]
        first, second = tokens[:-distance][together], tokens[distance:][together]
        shares = np.full(len(first), 1 / distance)
        total = total + coo_array((shares, (first, second)), shape=(words, words)).tocsr()
    both = (total + total.T).tocoo()
    order = np.lexsort((both.col, both.row))
    return (both.row[order].astype(np.int32), both.col[order].astype(np.int32), both.data[order].astype(np.float32))


def train(
    rows: NDArray[np.int32], columns: NDArray[np.int32], counts: NDArray[np.float32], words: int, **settings: Any
) -> NDArray[np.float32]:
    """Return the sum of the two vectors that `train_both` fits to each word, (words, dimension) float32."""
    vectors, contexts = train_both(rows, columns, counts, words, **settings)
    return vectors + contexts


def train_both(
    rows: NDArray[np.int32],
    columns: NDArray[np.int32],
    counts: NDArray[np.float32],
    words: int,
    *,
    dimension: int,
    epochs: int,
    learning_rate: float,
    ceiling: float,
    exponent: float,
    rng: np.random.Generator,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Fit vectors and biases so that ``w_i . c_j + b_i + d_j`` comes close to the log of each count, by AdaGrad.

    Args:
        rows: First word of each pair, (pairs,).
        columns: Second word of each pair, (pairs,).
        counts: How often they stand together, (pairs,).
        words: Size of the vocabulary.
        dimension: Length of a vector.
        epochs: Passes over all pairs, each in an order of its own.
        learning_rate: AdaGrad's step size.
        ceiling: Count from which on a pair has full weight.
        exponent: The weight of a rarer one is its share of the ceiling to this power.
        rng: Source of all randomness.

    Returns:
        The vectors ``w`` of words and the vectors ``c`` of words as contexts, (words, dimension) float32 each.

    Source: Pennington, Socher and Manning 2014, equations 8 and 9, section 4.2.
    """
    vectors = ((rng.random((2, words, dimension)) - 0.5) / dimension).astype(np.float32)
    biases = ((rng.random((2, words)) - 0.5) / dimension).astype(np.float32)
    slopes, bias_slopes = np.ones_like(vectors), np.ones_like(biases)
    weights = np.minimum(counts / ceiling, 1.0) ** exponent
    logs = np.log(counts)
    for _ in range(epochs):
        order = rng.permutation(len(rows))
        _pass(
            order,
            rows,
            columns,
            logs,
            weights.astype(np.float32),
            vectors,
            biases,
            slopes,
            bias_slopes,
            np.float32(learning_rate),
        )
    return vectors[0], vectors[1]


@compiled(fastmath={"contract", "reassoc", "nsz"})
def _pass(order, rows, columns, logs, weights, vectors, biases, slopes, bias_slopes, rate):
    dimension = vectors.shape[2]
    for place in order:
        i, j = rows[place], columns[place]
        word, context = vectors[0, i], vectors[1, j]
        word_slope, context_slope = slopes[0, i], slopes[1, j]
        found = np.float32(0.0)
        for at in range(dimension):
            found += word[at] * context[at]
        pull = weights[place] * (found + biases[0, i] + biases[1, j] - logs[place])
        for at in range(dimension):
            for_word, for_context = pull * context[at], pull * word[at]
            word[at] -= rate * for_word / np.sqrt(word_slope[at])
            context[at] -= rate * for_context / np.sqrt(context_slope[at])
            word_slope[at] += for_word * for_word
            context_slope[at] += for_context * for_context
        biases[0, i] -= rate * pull / np.sqrt(bias_slopes[0, i])
        biases[1, j] -= rate * pull / np.sqrt(bias_slopes[1, j])
        bias_slopes[0, i] += pull * pull
        bias_slopes[1, j] += pull * pull
