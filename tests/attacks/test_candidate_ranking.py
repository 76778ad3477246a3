"""A suspected text is found behind its vector as long as the vector keeps it, and not where vectors are shuffled."""

from typing import Any, ClassVar
from unittest.mock import Mock

import numpy as np
import pytest

from core.attacks.candidate_ranking import CandidateRanking
from core.defenses import EmbeddingDefense, Holdings, Mechanism
from core.defenses.laplace import Laplace
from core.errors import Incompatible
from core.experiment import Experiment, run
from core.games.ranking.contract import Briefing
from core.games.ranking.score import chance
from core.result import Result
from core.runtime.store import Store
from core.spec import parameter
from tests.stand_ins import Change, Constant, Gaussian, Sentences, Turning, WordBag, context

GAME = {"victims": 100, "candidates": 300, "pieces": "texts"}


class Shuffling(EmbeddingDefense):
    """Gives each text the vector of another one, drawn anew each time."""

    title: ClassVar[str] = "shuffling"

    def mechanism(self, holdings: Holdings, rng: np.random.Generator) -> Mechanism:
        return Change(lambda embeddings, drawn: embeddings[drawn.permutation(len(embeddings))])


class Blurring(EmbeddingDefense):
    """Adds Gaussian noise."""

    title: ClassVar[str] = "blurring"

    deviation: float = parameter(1.0, "Of each coordinate.", ge=0, le=1e4)

    def mechanism(self, holdings: Holdings, rng: np.random.Generator) -> Mechanism:
        return Gaussian(self.deviation)


def play(store: Store, *defenses: Any, model: Any = None, **attack: Any) -> Result:
    return run(
        Experiment(
            attack=CandidateRanking(**attack),
            dataset=Sentences(count=800, share=0),
            model=model or WordBag(),
            defenses=defenses,
            game=GAME,
        ),
        context(store),
    )[0]


def test_every_text_is_found_behind_its_own_vector(store: Store) -> None:
    result = play(store)
    for name in ("accuracy", "reciprocal_rank", "auc", "tpr_at_1pct_fpr", "found"):
        assert result.estimates[name].value == 1, name
        assert 0.9 < result.estimates[name].low < 1, "100 texts do not show that all would be"
    assert result.estimates["false_alarms"].value < 0.05
    assert result.estimates["queries"].value == 300 + 400, "the candidates and the outside texts, once each"
    assert set(result.tables["rankings"]["variant"]) == {"candidate_ranking"}


def test_shuffled_vectors_and_ones_that_say_nothing_leave_chance(store: Store) -> None:
    for estimates in (play(store, Shuffling()).estimates, play(store, model=Constant()).estimates):
        for name, level in chance(300).items():
            assert estimates[name].chance == level
            assert estimates[name].low <= level
            assert estimates[name].value < 5 * level
    assert estimates["auc"].value == 0.5
    assert estimates["found"].value == estimates["false_alarms"].value == 0, "nothing lies above its equals"


def test_noise_hides_texts_the_better_the_stronger_it_is(store: Store) -> None:
    values = [play(store, Blurring(deviation=deviation)).estimates for deviation in (0.1, 3, 10, 1e4)]
    for name in ("accuracy", "reciprocal_rank", "auc"):
        first, *others = (estimates[name].value for estimates in values)
        assert first == 1
        assert sorted([first, *others], reverse=True) == [first, *others]
        assert values[-1][name].low <= values[-1][name].chance < values[1][name].low


def test_who_knows_the_defense_compares_behind_it(store: Store) -> None:
    result = play(store, Turning())
    assert result.estimates["accuracy"].value == result.estimates["found"].value == 1
    assert result.estimates["accuracy_naive"].high < 0.2
    assert set(result.tables["stored"]["variant"]) == {"candidate_ranking", "naive"}


def test_behind_noise_of_a_known_density_texts_are_found_by_their_likelihood(store: Store) -> None:
    estimates = play(store, Laplace(epsilon=20), false_alarms=0.1).estimates
    for name in ("accuracy", "reciprocal_rank", "auc"):
        assert estimates[name].value > estimates[f"{name}_naive"].high, name
    assert estimates["false_alarms"].low <= 0.1 <= estimates["false_alarms"].high
    assert estimates["found"].low > 0.3


def test_a_threshold_takes_as_many_outside_texts_for_stored_as_it_was_asked_to(store: Store) -> None:
    noisy = Blurring(deviation=10)
    strict, loose = (play(store, noisy, false_alarms=share).estimates for share in (0.01, 0.3))
    assert strict["auc"].value == loose["auc"].value
    assert strict["false_alarms"].value < 0.06
    assert loose["false_alarms"].low <= 0.3 <= loose["false_alarms"].high


def test_too_few_texts_of_its_own_set_no_threshold(store: Store) -> None:
    briefing = Briefing(("a text",), ("another",) * 8, defended=False, seed=1)
    with pytest.raises(Incompatible, match=r"at least 10 texts\. The adversary has 8"):
        CandidateRanking().prepare(briefing, Mock(), context(store))
