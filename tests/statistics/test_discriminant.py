"""The discriminant in closed form: that of scikit-learn without noise, and near Bayes with known noise."""

import numpy as np
from scipy.stats import norm
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from core.statistics.discriminant import discriminant


def classes(count: int, gap: float, dimension: int = 20) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    truth = np.arange(count) % 2
    inputs = rng.normal(size=(count, dimension)) + gap * truth[:, None] / np.sqrt(dimension)
    return inputs.astype(np.float32), truth


def test_without_noise_it_is_scikit_learns() -> None:
    inputs, truth = classes(4000, 1.5)
    slopes, offsets = discriminant(inputs, truth, 2, np.zeros(20, np.float32))
    reference = LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto", priors=[0.5, 0.5]).fit(inputs, truth)
    ours = inputs @ (slopes[:, 1] - slopes[:, 0]) + offsets[1] - offsets[0]
    theirs = reference.decision_function(inputs)
    assert np.mean((ours > 0) == (theirs > 0)) > 0.98, "scikit-learn standardises before it shrinks"
    assert np.corrcoef(ours, theirs)[0, 1] > 0.999


def test_with_known_noise_its_error_is_near_that_of_bayes() -> None:
    inputs, truth = classes(4000, 3.0)
    # Noise of very different strength by coordinate: whoever does not know it weighs all coordinates alike.
    noise = np.where(np.arange(20) < 10, 0.1, 30.0).astype(np.float32)
    slopes, offsets = discriminant(inputs, truth, 2, noise)
    test, answers = classes(20_000, 3.0)
    test = test + np.random.default_rng(1).normal(size=test.shape) * np.sqrt(noise)
    step = 3.0 / np.sqrt(20)
    bayes = norm.cdf(0.5 * np.sqrt(np.sum(step**2 / (1 + noise))))
    aware = np.mean((test @ slopes + offsets).argmax(axis=1) == answers)
    unaware, offset = discriminant(inputs, truth, 2)
    assert abs(aware - bayes) < 0.015
    assert aware > np.mean((test @ unaware + offset).argmax(axis=1) == answers) + 0.05
