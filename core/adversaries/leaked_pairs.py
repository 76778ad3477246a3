"""A map from an unknown encoder's vectors to a known encoder's, learnt from a few texts that have both."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.keys import key_of
from core.runtime.context import Arrays, RunContext, content_key

FEWEST = 10
"""Pairs without which there is no map."""
_FOLDS = 5
_LEAST = 1e-6
"""Share of the variance below which an axis is left out: what it holds is rounding."""
_RIDGES = tuple(10.0**power for power in range(-4, 4))
"""Strengths of the ridge, in units of the mean squared length of a centred vector."""


@dataclass(frozen=True)
class PairMap:
    """A linear map into the principal axes of the known encoder's embeddings.

    Attributes:
        center: (inputs,) mean of the unknown encoder's vectors.
        weights: (inputs, axes).
        bias: (axes,).
        own_center: (outputs,) mean of the known encoder's embeddings.
        rotation: (outputs, axes) its principal axes, the one with most variance first.
        shares: (axes,) share of the variance along each.
        shrinkage: (axes,) factor by which a coordinate shrinks when it is predicted from a held-out vector.
        error: (axes,) standard deviation of what such a prediction adds.
        explained: (axes,) share of the variance along each axis that is predicted, at least 0.
        crossed: (pairs, axes) what is predicted of each pair by a map that it did not teach; none of too few pairs.
    """

    center: NDArray[np.float32]
    weights: NDArray[np.float32]
    bias: NDArray[np.float32]
    own_center: NDArray[np.float32]
    rotation: NDArray[np.float32]
    shares: NDArray[np.float32]
    shrinkage: NDArray[np.float32]
    error: NDArray[np.float32]
    explained: NDArray[np.float32]
    crossed: NDArray[np.float32]

    @classmethod
    def learn(
        cls,
        vectors: NDArray[np.float32],
        known: NDArray[np.float32],
        every: NDArray[np.float32],
        folds: NDArray[np.int64],
        context: RunContext,
    ) -> "PairMap":
        """Fit by ridge regression; strength, shrinkage and error by cross-validation on the pairs. It is kept.

        Args:
            vectors: (pairs, inputs) of the unknown encoder.
            known: (pairs, outputs) embeddings of the same texts by the known encoder.
            every: (texts, outputs) embeddings of all texts at hand by the known encoder, for the principal axes.
            folds: (pairs,) number of the fold of each, from `drawn_folds`.
            context: Where it is fitted and kept.
        """
        shared = {"vectors": vectors, "known": known, "every": every, "folds": folds}
        key = key_of({"map from leaked pairs": 1, "contents": content_key(vectors, known, every, folds)})
        ((_, arrays),) = context.train("Learning the map from the leaked pairs", key, _fitted, [0], shared)
        return cls(**arrays)

    def __call__(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the predicted coordinates along the principal axes, (rows, axes)."""
        return np.asarray((vectors - self.center) @ self.weights + self.bias, np.float32)

    def axes(self, known: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the coordinates of the known encoder's own embeddings along the principal axes, (rows, axes)."""
        return np.asarray((known - self.own_center) @ self.rotation, np.float32)


@dataclass(frozen=True)
class Blur:
    """What the map would have made of the known encoder's embeddings: shrinkage and noise along each axis.

    Attributes:
        shrinkage: (axes,) factor of each coordinate.
        error: (axes,) standard deviation of the noise.
    """

    shrinkage: NDArray[np.float32]
    error: NDArray[np.float32]

    @property
    def random(self) -> bool:
        """Whether two draws differ."""
        return bool((self.error > 0).any())

    @property
    def variance(self) -> float | None:
        """None: more is done than to add noise."""
        return None

    def log_likelihood(self, released: NDArray[np.float32], expected: NDArray[np.float32]) -> None:
        """Return None: more is done than to add noise."""

    def __call__(self, embeddings: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
        """Return the embeddings as the map would have predicted them, (texts, axes)."""
        noise = rng.standard_normal(embeddings.shape, np.float32)
        return np.asarray(embeddings * self.shrinkage + noise * self.error, np.float32)


def _fitted(
    item: int,
    vectors: NDArray[np.float32],
    known: NDArray[np.float32],
    every: NDArray[np.float32],
    folds: NDArray[np.int64],
) -> Arrays:
    """Return the fields of a map."""
    own_center = every.mean(axis=0)
    variances, axes = np.linalg.eigh(np.cov((every - own_center).T.astype(np.float64)))
    variances, axes = np.maximum(variances[::-1], 0), axes[:, ::-1]
    shares = variances / max(variances.sum(), 1e-12)
    variances, shares, rotation = (values[..., shares > _LEAST] for values in (variances, shares, axes))
    rotation, shares = rotation.astype(np.float32), shares.astype(np.float32)
    space = {"own_center": own_center, "rotation": rotation, "shares": shares}
    outputs = (known - own_center) @ rotation
    width = rotation.shape[1]
    if len(vectors) < FEWEST:
        nothing = np.zeros(width, np.float32)
        return {
            **space,
            "center": np.zeros(vectors.shape[1], np.float32),
            "weights": np.zeros((vectors.shape[1], width), np.float32),
            "bias": nothing,
            "shrinkage": nothing,
            "error": np.sqrt(variances).astype(np.float32) + np.float32(1e-6),
            "explained": nothing,
            "crossed": np.empty((0, width), np.float32),
        }
    strength, predicted = cross_fitted(vectors, outputs, folds)
    center, weights, bias = Ridge(vectors, outputs).solved(strength)
    moment = np.maximum((outputs**2).sum(axis=0), 1e-12)
    shrinkage = np.clip((predicted * outputs).sum(axis=0) / moment, 0, None)
    error = (predicted - shrinkage * outputs).std(axis=0)
    missed = ((predicted - outputs) ** 2).sum(axis=0) / np.maximum(
        ((outputs - outputs.mean(axis=0)) ** 2).sum(0), 1e-12
    )
    learnt = {"shrinkage": shrinkage, "error": error, "explained": np.maximum(1 - missed, 0), "crossed": predicted}
    fitted = {"center": center, "weights": weights, "bias": bias}
    return {**space, **fitted, **{name: values.astype(np.float32) for name, values in learnt.items()}}


def drawn_folds(pairs: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the fold of each pair, at random, all about equally large."""
    return rng.permutation(pairs) % _FOLDS


def cross_fitted(
    vectors: NDArray[np.float32],
    outputs: NDArray[np.float32],
    folds: NDArray[np.int64],
    bias: NDArray[np.float32] | None = None,
    loss: Callable[[NDArray[np.float32]], float] | None = None,
) -> tuple[float, NDArray[np.float32]]:
    """Return the strength with the smallest loss on pairs left out, and what is predicted for these.

    Args:
        vectors: (pairs, inputs).
        outputs: (pairs, outputs).
        folds: (pairs,) number of the fold of each.
        bias: (outputs,) as of `Ridge`.
        loss: Of what is predicted for all pairs, (pairs, outputs); by default the squared error.
    """
    tried = []
    problems = [Ridge(vectors[folds != fold], outputs[folds != fold], bias) for fold in range(_FOLDS)]
    for strength in _RIDGES:
        predicted = np.empty_like(outputs)
        for fold, problem in enumerate(problems):
            center, weights, mean = problem.solved(strength)
            predicted[folds == fold] = (vectors[folds == fold] - center) @ weights + mean
        lost = float(((predicted - outputs) ** 2).sum()) if loss is None else loss(predicted)
        tried.append((lost, strength, predicted))
    _, strength, predicted = min(tried, key=lambda attempt: attempt[:2])
    return strength, predicted


class Ridge:
    """A ridge regression, solved over the pairs or over the inputs, for any strength."""

    def __init__(
        self, inputs: NDArray[np.float32], outputs: NDArray[np.float32], bias: NDArray[np.float32] | None = None
    ) -> None:
        """Hold the products that no strength changes.

        Args:
            inputs: (pairs, inputs).
            outputs: (pairs, outputs).
            bias: (outputs,) what the mean input predicts; by default the mean output.
        """
        self._center = inputs.mean(axis=0)
        self._bias: NDArray[np.float32] = outputs.mean(axis=0) if bias is None else bias
        x: NDArray[np.float64] = (inputs - self._center).astype(np.float64)
        y: NDArray[np.float64] = (outputs - self._bias).astype(np.float64)
        self._unit = max(float((x**2).sum(axis=1).mean()), 1e-12)
        self._inputs = x if len(x) < x.shape[1] else None
        self._gram, self._target = (x.T @ x, x.T @ y) if self._inputs is None else (x @ x.T, y)

    def solved(self, strength: float) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        """Return center, weights and bias."""
        solution = np.linalg.solve(self._gram + strength * self._unit * np.eye(len(self._gram)), self._target)
        weights = solution if self._inputs is None else self._inputs.T @ solution
        return self._center, weights.astype(np.float32), self._bias
