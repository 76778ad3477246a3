"""The multilabel network learns each label from its inputs, and starts at the label frequencies."""

import subprocess
import sys

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
def test_it_learns_the_labels(hidden: int) -> None:
    inputs, labels = _examples(np.random.default_rng(1))
    training = Training(hidden, epochs=12, batch=20, learning_rate=0.03)
    state = multilabel.initial(inputs, labels, hidden, 3)
    for number in range(training.epochs):
        state = multilabel.train_epoch(state, inputs, labels, training, number, np.random.default_rng(number))
    predicted = multilabel.probabilities(state, inputs)
    assert ((predicted > 0.5) == (labels.toarray() > 0)).mean() > 0.97


@pytest.mark.parametrize("hidden", [0, 16])
def test_untrained_it_predicts_the_frequency_of_each_label(hidden: int) -> None:
    inputs, labels = _examples(np.random.default_rng(1))
    predicted = multilabel.probabilities(multilabel.initial(inputs, labels, hidden, 3), inputs[:5])
    shares = (labels.toarray().sum(axis=0) + 0.5) / (len(inputs) + 1)
    np.testing.assert_allclose(predicted, np.tile(shares, (5, 1)), rtol=1e-5)
    assert multilabel.probabilities(multilabel.initial(inputs, labels, hidden, 3), inputs[:0]).shape == (0, 3)


def test_prediction_does_not_load_the_library_that_trains() -> None:
    program = (
        "import sys; import numpy as np; from core.networks import multilabel; z = np.zeros((1, 1), np.float32); "
        "state = {'weight.0.weight': z, 'weight.0.bias': z[0], 'center': z[0], 'scale': z[0] + 1}; "
        "print(multilabel.probabilities(state, z), 'torch' in sys.modules)"
    )
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "[[0.5]] False\n"


def test_a_constant_input_is_no_trouble() -> None:
    inputs, labels = _examples(np.random.default_rng(1))
    inputs[:, 5] = 2
    state = multilabel.initial(inputs, labels, 0, 3)
    state = multilabel.train_epoch(state, inputs, labels, Training(0, 1, 50, 0.01), 0, np.random.default_rng(0))
    assert np.isfinite(multilabel.probabilities(state, inputs)).all()
