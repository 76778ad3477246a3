"""What all language models share: the noise of private training follows from the documents of each model."""

import numpy as np
import pytest

from core.defenses.dp_sgd import DpSgd
from core.targets.language_model import noises
from core.targets.training_job import TrainingJob
from core.text.corpus import Corpus


@pytest.mark.parametrize("sizes", [(40, 80), (80, 40)])
def test_noise_is_that_of_each_models_own_number_of_documents(sizes: tuple[int, ...]) -> None:
    corpus, rows = Corpus.encode(["a word"] * 80), [np.arange(size) for size in sizes]
    job = TrainingJob(corpus, rows, {}, 1, defenses=[DpSgd(epsilon=8)])
    assert job.promise is not None
    expected = {size: job.promise.noise(size, 8, 3 * -(-size // 8)) for size in sizes}
    assert noises(job, 8, 3) == tuple(expected[size] for size in sizes)
    assert expected[40] > expected[80]
    assert noises(TrainingJob(corpus, rows, {}, 1), 8, 3) == (0.0, 0.0)
