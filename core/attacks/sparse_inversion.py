"""Sparse inversion: an embedding is mapped back to a mean of word vectors, and that is taken apart into few words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access, EncoderInternals, SentenceEmbeddings
from core.errors import Incompatible
from core.games.inversion.contract import PRESETS, Answer, Auxiliary, Examined, InversionAdversary, InversionAttack
from core.networks.perceptron import moments
from core.result import Column, Schema, table
from core.runtime.context import Arrays, RunContext, content_key
from core.spec import key_of, parameter
from core.text import word_sets

if TYPE_CHECKING:
    import pandas as pd

_LEFT_OUT = 0.25
_MOST_LEFT_OUT = 500
_RIDGES = (1.0, 10.0, 100.0, 1000.0, 10_000.0)
_PENALTIES = (0.03, 0.05, 0.1, 0.15, 0.2, 0.3)
_BLOCK = 200


class SparseInversion(InversionAttack):
    """White-box inversion by sparse coding (Song and Raghunathan 2020, Equation 7).

    The mean of the word vectors that went into a deep embedding gives single words away. So the adversary, who may look
    into the encoder, learns a linear map M from embeddings back to that mean, on texts of its own, and takes the
    outcome apart into few words:

        minimise over z >= 0:  1/2 | V' z - M f(text) |^2 + penalty * sum(z),

    with the rows of the encoder's first layer as V. The share z of a word, relative to the largest of the text, is how
    likely it is thought. Where what we hold of the paper is silent, or another choice was made:

    - *Map.* Ridge regression, with the strength that generalised cross-validation chooses on the adversary's texts.
    - *Words.* Each different word of a text counts once. A word of several tokens is the mean of theirs.
    - *Centre.* The mean of all word vectors is taken off each, because they share much of it.
    - *Penalty and threshold.* A penalty is a share of the largest correlation of a text with a word; which share, and
      which threshold, is chosen for the best F1 on texts of the adversary's own that do not teach.
    - *Solver.* Accelerated proximal gradient steps, all texts at once (`core.adversaries.sparse_codes`).

    On restaurant reviews behind MiniLM (the ``paper`` preset), F1 is 0.694 (95 % interval 0.683 to 0.705), and 0.690
    for content words, where naming frequent words gives 0.201 and 0.096; who learns from Wikipedia instead reaches
    0.385 and 0.281. Behind the LSTM and the Transformer that are trained here it is 0.217 and 0.211, less than the
    0.270 of frequent words, but 0.091 and 0.108 against 0.030 for content words (`python -m core precompute --only
    "inversion_sparse*"`). The paper has 0.600 and 0.628 there; its encoders learnt from 40 million sentences.
    """

    title: ClassVar[str] = "Inversion by sparse coding"
    question: ClassVar[str] = "Which few words add up to this embedding?"
    threat: ClassVar[str] = (
        "The adversary has the embeddings of texts and the whole encoder they come from, and holds other texts. It "
        "never sees a victim’s text."
    )
    needs: ClassVar[type[Access]] = EncoderInternals
    tables: ClassVar[dict[str, Schema]] = {
        "choices": {
            "penalty": Column("float64", "Weight of the penalty, as a share of the largest correlation."),
            "threshold": Column("float64", "Best threshold with it."),
            "left_out_f1": Column("float64", "F1 on the adversary's texts that do not teach."),
            "words": Column("float64", "Words named for one of them, on average."),
            "chosen": Column("bool", "Whether the adversary takes it."),
        },
    }
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = PRESETS

    iterations: int = parameter(150, "Steps of the solver.", unit="steps", ge=1, le=10_000, advanced=True)

    def prepare(self, auxiliary: Auxiliary, access: SentenceEmbeddings, context: RunContext) -> InversionAdversary:
        """Learn the map; choose penalty and threshold on texts that do not teach."""
        if not isinstance(access, EncoderInternals):
            raise Incompatible(f"{self.part_name()} needs {EncoderInternals.title}. It has {access.title}.")
        own = self.examine(auxiliary, access, _LEFT_OUT, _MOST_LEFT_OUT)
        context.progress.stage("Learning the map from embeddings to word vectors")
        atoms = access.word_vectors(own.words)
        atoms = atoms - atoms.mean(axis=0)
        counts = np.asarray(own.present.sum(axis=1)).reshape(-1, 1)
        shallow = np.asarray(own.present @ atoms, np.float32) / np.maximum(counts, 1)
        back = _Map.learn(own.vectors[: own.taught], shallow[: own.taught])
        return _Coder.choose(self, own, atoms, back, context)


@dataclass(frozen=True)
class _Map:
    """A linear map on inputs of zero mean and unit variance.

    Attributes:
        center: (inputs,) mean of each input.
        scale: (inputs,) standard deviation of each.
        weights: (inputs, outputs).
        bias: (outputs,).
    """

    center: NDArray[np.float32]
    scale: NDArray[np.float32]
    weights: NDArray[np.float32]
    bias: NDArray[np.float32]

    @classmethod
    def learn(cls, inputs: NDArray[np.float32], outputs: NDArray[np.float32]) -> "_Map":
        """Fit by ridge regression."""
        from sklearn.linear_model import RidgeCV

        center, scale = moments(inputs)
        fitted = RidgeCV(_RIDGES).fit((inputs - center) / scale, outputs)
        return cls(center, scale, fitted.coef_.T.astype(np.float32), fitted.intercept_.astype(np.float32))

    def __call__(self, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return (rows, outputs)."""
        return np.asarray(((inputs - self.center) / self.scale) @ self.weights + self.bias, np.float32)


@dataclass(frozen=True)
class _Coder(InversionAdversary):
    """A map and the words to take its outcome apart into.

    Attributes:
        words: What it can name.
        atoms: (words, input dimension) their vectors.
        back: From embeddings to means of word vectors.
        iterations: Steps of the solver.
        context: Where texts are taken apart.
        penalty: Weight of the penalty, as a share of the largest correlation.
        threshold: Words above it are named.
        tried: What was chosen from.
    """

    words: tuple[str, ...]
    atoms: NDArray[np.float32]
    back: _Map
    iterations: int
    context: RunContext
    penalty: float
    threshold: float
    tried: tuple[dict[str, Any], ...] = ()

    @classmethod
    def choose(
        cls, attack: SparseInversion, own: Examined, atoms: NDArray[np.float32], back: _Map, context: RunContext
    ) -> "_Coder":
        """Return the one with the best F1 on the texts that did not teach.

        Args:
            attack: How texts are taken apart.
            own: The adversary's texts.
            atoms: (words, input dimension) the vectors of their words.
            back: From embeddings to means of word vectors.
            context: Where texts are taken apart.
        """
        vectors, present, sizes = own.left_out
        tried: list[dict[str, Any]] = []
        for penalty in _PENALTIES:
            told = cls(own.words, atoms, back, attack.iterations, context, penalty, 0.0).read(vectors).scores
            threshold, f1 = word_sets.best_threshold(told, present, sizes)
            named = float((told > threshold).sum(axis=1).mean())
            tried.append({"penalty": penalty, "threshold": threshold, "left_out_f1": f1, "words": named})
        best = max(tried, key=lambda one: one["left_out_f1"])
        told_of = tuple({**one, "chosen": one is best} for one in tried)
        return cls(own.words, atoms, back, attack.iterations, context, best["penalty"], best["threshold"], told_of)

    def read(self, embeddings: NDArray[np.float32]) -> Answer:
        """Take each text apart, and name the words with the largest shares."""
        targets = self.back(embeddings)
        key = key_of(
            {
                "sparse inversion": 1,
                "contents": content_key(self.atoms, targets),
                "penalty": self.penalty,
                "iterations": self.iterations,
            }
        )
        shared = {"atoms": self.atoms, "targets": targets, "penalty": self.penalty, "iterations": self.iterations}
        blocks = range(-(-len(targets) // _BLOCK))
        found = dict(self.context.train("Taking embeddings apart into words", key, _code, blocks, shared))
        told = np.concatenate([*(found[block]["told"] for block in blocks), np.empty((0, len(self.words)), np.float16)])
        return Answer(self.words, told.astype(np.float32), told > self.threshold)

    def explain(self) -> "dict[str, pd.DataFrame]":
        """Return what penalty and threshold were chosen from."""
        return {"choices": table(SparseInversion.tables["choices"], list(self.tried))}


def _code(
    item: int, atoms: NDArray[np.float32], targets: NDArray[np.float32], penalty: float, iterations: int
) -> Arrays:
    """Take one block of texts apart; return the share of each word, relative to the largest of its text."""
    from core.adversaries.sparse_codes import sparse_codes

    own = targets[item * _BLOCK : (item + 1) * _BLOCK]
    largest = np.abs(own @ atoms.T).max(axis=1, keepdims=True)
    codes = sparse_codes(atoms, own, np.float32(penalty) * largest, iterations)
    told: NDArray[Any] = codes / np.maximum(codes.max(axis=1, keepdims=True), np.float32(1e-9))
    return {"told": told.astype(np.float16)}
