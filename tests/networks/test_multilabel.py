"""A network of many labels learns each from the inputs it depends on, and begins at their shares."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from core.networks import multilabel
from core.networks.multilabel import Training


def _examples(rng: np.random.Generator) -> tuple[np.ndarray, csr_array]:
    inputs = rng.normal(size=(400, 6)).astype(np.float32)
    labels = np.stack([inputs[:, 0] > 0, inputs[:, 1] + inputs[:, 2] > 1, inputs[:, 3] > 5], axis=1)
    return inputs * 3 + 7, csr_array(labels.astype(np.float32))


@pytest.mark.parametrize("hidden", [0, 16])
def test_it_learns_what_can_be_seen(hidden: int) -> None:
    inputs, labels = _examples(np.random.default_rng(1))
    course = Training(hidden, epochs=20, batch=20, learning_rate=0.02)
    state = multilabel.initial(inputs, labels, hidden, 3)
    for number in range(course.epochs):
        state = multilabel.train_epoch(state, inputs, labels, course, number, np.random.default_rng(number))
    told = multilabel.probabilities(state, inputs)
    assert ((told > 0.5) == (labels.toarray() > 0)).mean() > 0.97


@pytest.mark.parametrize("hidden", [0, 16])
def test_untrained_it_says_the_share_of_each_label(hidden: int) -> None:
    inputs, labels = _examples(np.random.default_rng(1))
    told = multilabel.probabilities(multilabel.initial(inputs, labels, hidden, 3), inputs[:5])
    shares = (labels.toarray().sum(axis=0) + 0.5) / (len(inputs) + 1)
    np.testing.assert_allclose(told, np.tile(shares, (5, 1)), rtol=1e-5)
    assert multilabel.probabilities(multilabel.initial(inputs, labels, hidden, 3), inputs[:0]).shape == (0, 3)


def test_an_input_that_never_varies_is_no_trouble() -> None:
    inputs, labels = _examples(np.random.default_rng(1))
    inputs[:, 5] = 2
    state = multilabel.initial(inputs, labels, 0, 3)
    state = multilabel.train_epoch(state, inputs, labels, Training(0, 1, 50, 0.01), 0, np.random.default_rng(0))
    assert np.isfinite(multilabel.probabilities(state, inputs)).all()
