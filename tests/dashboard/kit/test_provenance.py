"""Where a result comes from: no training time is told of a run that trained nothing."""

import pytest

from core.experiment import Experiment
from dashboard.kit import provenance
from tests.dashboard.samples import PROVENANCE


@pytest.mark.parametrize(
    ("trainings", "seconds", "says"),
    [
        (1200, 90, "1,200, in 1 min 30 s of training"),
        (0, 90, "none; stored ones that it read took 1 min 30 s of training"),
        (0, 0, "none"),
    ],
)
def test_the_time_of_training_is_that_of_models(trainings: int, seconds: float, says: str) -> None:
    origin = PROVENANCE.model_copy(update={"trainings": trainings, "training_seconds": seconds})
    assert f":gray[Models trained] {says}  \n" in provenance.said(origin, "some-key")


def test_public_data_are_credited_and_ones_own_are_not() -> None:
    def credits_of(dataset: str) -> list[str]:
        part = {"part": dataset, "source": "own.csv"} if dataset == "documents" else {"part": dataset}
        return provenance.credits_of(Experiment.preset("word_pairs", "demo", dataset=part))

    (credit,) = credits_of("enron_spam")
    assert "**Enron\\-Spam**" in credit and "Licence: " in credit and "Source: " in credit
    (other,) = credits_of("wikipedia_excerpt")
    assert "**Wikipedia" in other and "Enron" not in other
    assert credits_of("documents") == []
