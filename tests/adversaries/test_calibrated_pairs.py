"""Word-pair scores calibrated for each target: known answers, a planted leak, and a model that shifts all distances."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from core.access import WordVectors
from core.adversaries.pairs.calibrated import LikelihoodRatio, Population, Relative, Usual
from core.adversaries.pairs.plan import Plan, distances
from core.adversaries.pairs.sparse_linear import SparseLinear
from core.attacks.word_pairs import WordPairs
from core.datasets.documents import Documents
from core.experiment import Experiment, run
from core.runtime.context import RunContext
from core.runtime.store import Store
from core.statistics.within_target import within_targets

WORDS = tuple("abcdefgh")
LEFT, RIGHT = np.arange(0, 8, 2), np.arange(1, 8, 2)
VECTORS = np.random.default_rng(0).normal(size=(8, 5)).astype(np.float32)
USUAL = Usual(inside=1.0, outside=-1.0, variance=0.5)


class Stored:
    def __init__(self, vectors: NDArray[np.float32]) -> None:
        self.vectors = vectors

    def lookup(self, words: Any) -> NDArray[np.float32]:
        return self.vectors[[WORDS.index(word) for word in words]]


def adversary(kind: type[LikelihoodRatio], **more: Any) -> LikelihoodRatio:
    nothing = np.empty(0, dtype=np.int64)
    plan = Plan(WORDS, LEFT[:2], RIGHT[:2], np.ones(2, np.int64), np.array([0, 2]), nothing, nothing, (nothing,), 5)
    function = SparseLinear(np.arange(2), np.ones(2), np.full(2, 2.0), np.ones(2), 0.0)
    return kind(plan, [function], "some", 4, distance="l2", usual=[USUAL], **more)


def test_the_log_ratio_is_that_of_two_gaussians() -> None:
    assert USUAL.log_ratio(0.0) == 0
    assert USUAL.log_ratio(1.0) == pytest.approx((4 - 0) / (2 * 0.5))
    assert Usual(0.0, 0.3, 1.0).log_ratio(5.0) == 0, "members that score no higher tell nothing"


def test_a_model_that_moves_all_words_apart_changes_no_answer_of_the_calibrated_adversary() -> None:
    population = Population.measured(WORDS, LEFT[2:], RIGHT[2:], [VECTORS], "l2")
    assert population.expected == pytest.approx(distances(VECTORS, LEFT[2:], RIGHT[2:]))
    calibrated, plain = adversary(Relative, population=population), adversary(LikelihoodRatio)
    usual, wide = WordVectors(Stored(VECTORS)), WordVectors(Stored(3 * VECTORS))  # type: ignore[arg-type]
    assert calibrated.guess(0, wide).score == pytest.approx(calibrated.guess(0, usual).score, rel=1e-5)
    assert calibrated.guess(0, usual).score == pytest.approx(plain.guess(0, usual).score, rel=1e-5)
    assert plain.guess(0, wide).score != pytest.approx(plain.guess(0, usual).score)
    before = wide.queries
    calibrated.guess(0, wide)
    assert wide.queries - before == 4, "the population is asked once for each model"


def test_without_documents_that_are_out_nothing_is_scaled() -> None:
    none = np.empty(0, dtype=np.int64)
    population = Population.measured(WORDS, none, none, [VECTORS], "l2")
    assert population.scale(WordVectors(Stored(VECTORS)), "l2") == 1  # type: ignore[arg-type]


@pytest.mark.parametrize("leaks", [True, False])
def test_a_planted_leak_is_found_and_noise_tells_nothing(planted: Documents, leaks: bool, store: Store) -> None:
    values = {
        "attack": {"part": "word_pairs", "shadow_pairs": 12, "baselines": False, "calibrated": True},
        "dataset": {"part": "documents", "source": planted.source, "owner_column": "owner"},
        "model": {"part": "word2vec", "trainer": "gensim", "dimension": 16, "minimum_count": 2, "epochs": 20},
        "game": {"users": "owners", "target_sizes": [10], "targets": 8, "plays": 10, "documents": 150},
        "defenses": [] if leaks else [{"part": "vector_noise", "scale": 10.0}],
    }
    result, _ = run(Experiment.parse(values), RunContext(store=store))
    scores, rivals = result.tables["scores"], result.tables["rivals"]
    member = scores.pivot(index="play", columns="target", values="member").to_numpy(np.bool_)
    for variant in ("target_ratio", "relative_ratio"):
        of_variant = rivals[rivals["variant"] == variant]
        score = of_variant.pivot(index="play", columns="target", values="score").to_numpy(np.float64)
        accuracy = result.estimates[f"accuracy_{variant}"]
        if leaks:
            assert accuracy.low > 0.7
            assert within_targets(member, score).auc.value > 0.9
        else:
            assert accuracy.low < 0.5 < accuracy.high


def test_calibrated_adversaries_that_are_not_run_leave_no_trace_in_the_key() -> None:
    assert "calibrated" not in WordPairs().identity()
    assert WordPairs(calibrated=True).identity()["calibrated"] is True
