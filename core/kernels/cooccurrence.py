"""GloVe's co-occurrence counts and weighted least squares, compiled."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.kernels.compiled import compiled


def cooccurrences(
    tokens: NDArray[np.integer[Any]], offsets: NDArray[np.integer[Any]], words: int, window: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]:
    """Count the co-occurrences of words in documents; a pair at distance d counts 1/d, in both orders.

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
    """Fit vectors and biases so that ``w_i . c_j + b_i + d_j`` approximates the log of each count, by AdaGrad.

    Args:
        rows: First word of each pair, (pairs,).
        columns: Second word of each pair, (pairs,).
        counts: Their co-occurrence counts, (pairs,).
        words: Size of the vocabulary.
        dimension: Length of a vector.
        epochs: Epochs over all pairs, each in a random order.
        learning_rate: AdaGrad's step size.
        ceiling: Count from which a pair has full weight.
        exponent: The weight of a rarer pair is (count / ceiling) to this power.
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
        _epoch(
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
def _epoch(order, rows, columns, logs, weights, vectors, biases, slopes, bias_slopes, rate):
    dimension = vectors.shape[2]
    for pair in order:
        i, j = rows[pair], columns[pair]
        word, context = vectors[0, i], vectors[1, j]
        word_slope, context_slope = slopes[0, i], slopes[1, j]
        product = np.float32(0.0)
        for k in range(dimension):
            product += word[k] * context[k]
        pull = weights[pair] * (product + biases[0, i] + biases[1, j] - logs[pair])
        for k in range(dimension):
            for_word, for_context = pull * context[k], pull * word[k]
            word[k] -= rate * for_word / np.sqrt(word_slope[k])
            context[k] -= rate * for_context / np.sqrt(context_slope[k])
            word_slope[k] += for_word * for_word
            context_slope[k] += for_context * for_context
        biases[0, i] -= rate * pull / np.sqrt(bias_slopes[0, i])
        biases[1, j] -= rate * pull / np.sqrt(bias_slopes[1, j])
        bias_slopes[0, i] += pull * pull
        bias_slopes[1, j] += pull * pull
