"""What all language models share: the noise of private training follows from the documents of each model."""

import numpy as np
import pytest

from core.defenses.dp_sgd import DpSgd
from core.errors import Incompatible
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
    with pytest.raises(Incompatible, match="A batch of 40 would do"):  # it suits the larger one, too
        noises(job, 4096, 3)
    assert len(noises(job, 40, 3)) == 2


def test_noise_for_owners_is_that_of_as_many_documents_as_there_are_owners() -> None:
    corpus, rows = Corpus.encode(["a word"] * 80), [np.arange(40), np.arange(80)]
    owners = tuple(f"owner {row // 4}" for row in range(80))
    job = TrainingJob(corpus, rows, {}, 1, defenses=[DpSgd(epsilon=8, unit="owner")], owners=owners)
    assert job.promise is not None
    assert noises(job, 5, 3) == (job.promise.noise(10, 5, 3 * 2), job.promise.noise(20, 5, 3 * 4))
    fours = [tuple(range(first, first + 4)) for first in range(0, 40, 4)]
    assert sorted(tuple(documents.tolist()) for documents in job.protected_owners(0)) == fours


def test_owners_are_protected_only_where_they_are_known() -> None:
    job = TrainingJob(Corpus.encode(["a word"] * 8), [np.arange(8)], {}, 1, defenses=[DpSgd(unit="owner")])
    with pytest.raises(Incompatible, match="whose each document is"):
        noises(job, 2, 1)
