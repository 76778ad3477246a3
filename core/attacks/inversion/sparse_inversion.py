"""Inversion by sparse coding: an embedding is mapped to a mean of word vectors, which is decomposed into few words."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import SentenceEmbeddings
from core.adversaries.linear_map import LinearMap
from core.adversaries.white_box_inversion import WhiteBoxInversion
from core.encoders.own_embeddings import COPIES
from core.games.inversion.contract import Answer, Auxiliary, Examined, InversionAdversary, shared_presets
from core.keys import key_of
from core.result import Column, Schema, Tables, table
from core.runtime.context import Arrays, RunContext, content_key
from core.runtime.seeding import generator
from core.spec import parameter
from core.text import word_sets

_LEFT_OUT = 0.25
_MOST_LEFT_OUT = 500
_PENALTIES = (0.03, 0.05, 0.1, 0.15, 0.2, 0.3)
_BLOCK = 200


class SparseInversion(WhiteBoxInversion):
    """White-box inversion by sparse coding (Song and Raghunathan 2020, Equation 7).

    The adversary, who holds the encoder, learns a linear map M from embeddings to the mean of the word vectors that
    went into them (ridge regression on auxiliary texts), and decomposes that mean into few words:

        minimise over z >= 0:  1/2 | V' z - M f(text) |^2 + penalty * sum(z),

    with the rows of the encoder's first layer as V, centred. The score of a word is its z relative to the largest of
    the text. Each different word of a text counts once; the vector of a word of several tokens is their mean. Where the
    paper leaves a choice open:

    - *Word vectors.* Short ones cannot be decomposed into many words; encoders trained here have 256 dimensions.
    - *Penalty and threshold.* The penalty is a share of the text's largest correlation with a word. Share and threshold
      have the best F1 on held-out auxiliary texts. The solver is `core.adversaries.sparse_codes`.
    """

    title: ClassVar[str] = "Inversion by sparse coding"
    question: ClassVar[str] = "Which few words add up to this embedding?"
    claim: ClassVar[str] = (
        "Given the embedding of a text and the encoder’s word vectors, the adversary names the words that add up to it"
    )
    tables: ClassVar[dict[str, Schema]] = {
        "choices": {
            "penalty": Column("float64", "Weight of the penalty, as a share of the largest correlation."),
            "threshold": Column("float64", "Best threshold with it."),
            "left_out_f1": Column("float64", "F1 on the adversary's held-out texts."),
            "words": Column("float64", "Words named for one of them, on average."),
            "chosen": Column("bool", "Whether the adversary takes it."),
        }
    }
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = shared_presets()

    iterations: int = parameter(150, "Steps of the solver.", unit="steps", ge=1, le=10_000, advanced=True)

    def prepare(self, auxiliary: Auxiliary, access: SentenceEmbeddings, context: RunContext) -> InversionAdversary:
        """Learn the map; choose penalty and threshold on the held-out texts."""
        encoder = self.opened(access).encoder
        texts = self.examine(auxiliary, access, _LEFT_OUT, _MOST_LEFT_OUT)
        context.progress.stage("Learning the map from embeddings to word vectors")
        atoms = encoder.word_vectors(texts.words)
        atoms = atoms - atoms.mean(axis=0)
        counts = np.asarray(texts.present.sum(axis=1)).reshape(-1, 1)
        means = np.asarray(texts.present @ atoms, np.float32) / np.maximum(counts, 1)
        copies = texts.known.select(np.arange(texts.taught)).copies(COPIES, generator(auxiliary.seed, "noise"))
        back = LinearMap.ridge(copies, np.tile(means[: texts.taught], (len(copies) // texts.taught, 1)))
        return Decomposer(texts.words, atoms, back, self.iterations, context).fitted(texts)


@dataclass(frozen=True)
class Decomposer(InversionAdversary):
    """Maps embeddings to means of word vectors, and decomposes these into words.

    Attributes:
        words: The words that it can predict.
        atoms: (words, input dimension) their vectors.
        back: From embeddings to means of word vectors.
        iterations: Steps of the solver.
        context: Where texts are decomposed.
        penalty: Weight of the penalty, as a share of the largest correlation.
        threshold: Words above it are predicted.
        choices: Rows of the penalties that were tried.
    """

    words: tuple[str, ...]
    atoms: NDArray[np.float32]
    back: LinearMap
    iterations: int
    context: RunContext
    penalty: float = 0.0
    threshold: float = 0.0
    choices: tuple[dict[str, Any], ...] = ()

    def fitted(self, texts: Examined) -> "Decomposer":
        """Return this with the penalty and threshold that have the best F1 on the held-out texts."""
        vectors, present, sizes = texts.left_out
        rows: list[dict[str, Any]] = []
        for penalty in _PENALTIES:
            scores = replace(self, penalty=penalty).read(vectors).scores
            threshold, f1 = word_sets.best_threshold(scores, present, sizes)
            words = float((scores > threshold).sum(axis=1).mean())
            rows.append({"penalty": penalty, "threshold": threshold, "left_out_f1": f1, "words": words})
        best = max(rows, key=lambda row: row["left_out_f1"])
        choices = tuple({**row, "chosen": row is best} for row in rows)
        return replace(self, penalty=best["penalty"], threshold=best["threshold"], choices=choices)

    def read(self, embeddings: NDArray[np.float32]) -> Answer:
        """Decompose each text, and name the words with the largest shares."""
        targets = self.back(embeddings)
        fields = {"penalty": self.penalty, "iterations": self.iterations}
        key = key_of({"sparse inversion": 1, "contents": content_key(self.atoms, targets), **fields})
        shared = {"atoms": self.atoms, "targets": targets, **fields}
        blocks = range(-(-len(targets) // _BLOCK))
        decomposed = dict(self.context.train("Decomposing embeddings into words", key, _decompose, blocks, shared))
        empty = np.empty((0, len(self.words)), np.float16)
        scores = np.concatenate([*(decomposed[block]["told"] for block in blocks), empty])
        return Answer(self.words, scores.astype(np.float32), scores > self.threshold)

    def explain(self) -> Tables:
        """Return the penalties and thresholds that were tried."""
        return {"choices": table(SparseInversion.tables["choices"], list(self.choices))}


def _decompose(
    item: int, atoms: NDArray[np.float32], targets: NDArray[np.float32], penalty: float, iterations: int
) -> Arrays:
    """Decompose one block of texts; return the share of each word, relative to the largest of its text."""
    from core.adversaries.sparse_codes import sparse_codes

    block = targets[item * _BLOCK : (item + 1) * _BLOCK]
    largest = np.abs(block @ atoms.T).max(axis=1, keepdims=True)
    codes = sparse_codes(atoms, block, np.float32(penalty) * largest, iterations)
    shares: NDArray[Any] = codes / np.maximum(codes.max(axis=1, keepdims=True), np.float32(1e-9))
    return {"told": shares.astype(np.float16)}
