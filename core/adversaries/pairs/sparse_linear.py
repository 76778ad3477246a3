"""The sparse linear function at the heart of the word-pair attack, fitted by LASSO."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class SparseLinear:
    """A linear function of few features: ``intercept + sum of weights * (x - mean) / deviation``.

    Attributes:
        features: (m,) which features have a weight, heaviest first.
        weights: (m,) their weights, for standardised features.
        mean: (m,) mean of each feature.
        deviation: (m,) standard deviation of each.
        intercept: The constant.
    """

    features: NDArray[np.int64]
    weights: NDArray[np.float64]
    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]
    intercept: float

    def __call__(self, values: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return the function at rows of the selected features, (..., m) -> (...).

        A missing value (NaN: the model does not know the word) counts as the mean.
        """
        standard = np.nan_to_num((values - self.mean) / self.deviation, nan=0.0)
        return np.asarray(self.intercept + standard @ self.weights)


def mean(first: SparseLinear, second: SparseLinear) -> SparseLinear:
    """Return the mean of two functions; a feature that both weigh has the deviation that it has in the first."""
    features = np.union1d(first.features, second.features)
    slope, level, deviation = np.zeros((3, len(features)))
    for one in (second, first):
        at, half = np.searchsorted(features, one.features), one.weights / one.deviation / 2
        slope[at] += half
        level[at] += half * one.mean
        deviation[at] = one.deviation
    intercept = (first.intercept + second.intercept) / 2 - level[slope == 0].sum()
    order = np.argsort(-np.abs(slope * deviation), kind="stable")
    order = order[slope[order] != 0]
    features, slope, level, deviation = features[order], slope[order], level[order], deviation[order]
    return SparseLinear(features, slope * deviation, level / slope, deviation, intercept)


def load() -> None:
    """Load what fits, so that the first fit does not wait for it while shadow models are trained; it takes seconds."""
    import sklearn.linear_model  # noqa: F401


def fit_path(
    features: NDArray[np.float32], member: NDArray[np.bool_], penalties: NDArray[np.float64], *, standardise: bool
) -> list[SparseLinear]:
    """Fit one function for each penalty.

    Minimises ``1/(2n) * sum (y - l(x))^2 + penalty * |weights|_1`` with y = +1 for members and -1 for the others.
    Mahloujifar et al. 2021 (Algorithm 1, step 7) write the sum without the factor 1/(2n). With it, which is
    scikit-learn's form, lambda = 1/sqrt(k) keeps fewer than the 50 pairs they report; without it, hundreds.

    Args:
        features: (n, p) float32; a column with a missing value or without variation gets no weight.
        member: (n,) bool.
        penalties: Falling.
        standardise: Whether to give each feature unit variance first, so that all are penalised equally.
    """
    from sklearn.linear_model import lasso_path

    target = np.where(member, 1.0, -1.0)
    mean, deviation = features.mean(axis=0, dtype=np.float64), features.std(axis=0, dtype=np.float64)
    usable = np.flatnonzero(np.isfinite(mean) & (deviation > 1e-9))
    intercept = float(target.mean())
    if not len(usable) or member.all() or not member.any():
        nothing = np.empty(0)
        return [SparseLinear(nothing.astype(np.int64), nothing, nothing, nothing, intercept) for _ in penalties]
    mean = mean[usable]
    deviation = deviation[usable] if standardise else np.ones(len(usable))
    standard = np.asfortranarray((features[:, usable] - mean) / deviation)
    _, weights, _ = lasso_path(standard, target - intercept, alphas=penalties, max_iter=5000, precompute=False)
    path = []
    for column in weights.T:
        chosen = np.argsort(-np.abs(column), kind="stable")[: np.count_nonzero(column)]
        path.append(SparseLinear(usable[chosen], column[chosen], mean[chosen], deviation[chosen], intercept))
    return path


def cross_validated_penalty(
    features: NDArray[np.float32], member: NDArray[np.bool_], penalties: NDArray[np.float64], *, standardise: bool
) -> float:
    """Return the strongest penalty with the best accuracy on held-out shadow models, in five folds.

    Consecutive models form pairs, one with and one without the target, and stay in one fold.
    """
    fold = (np.arange(len(member)) // 2) % 5
    right = np.zeros(len(penalties))
    for number in np.unique(fold):
        held_out = fold == number
        path = fit_path(features[~held_out], member[~held_out], penalties, standardise=standardise)
        for index, function in enumerate(path):
            scores = function(features[held_out][:, function.features])
            right[index] += np.sum((scores > 0) == member[held_out])
    return float(penalties[np.argmax(right)])
