"""Word-pair scores calibrated for each target: known answers, a planted leak, and noise."""

import numpy as np
import pytest

from core.adversaries.pairs.calibrated import Usual
from core.attacks.word_pairs import WordPairs
from core.datasets.documents import Documents
from core.experiment import Experiment, run
from core.runtime.context import RunContext
from core.runtime.store import Store
from core.statistics.within_target import within_targets

USUAL = Usual(inside=1.0, outside=-1.0, variance=0.5)


def test_the_log_ratio_is_that_of_two_gaussians() -> None:
    assert USUAL.log_ratio(0.0) == 0
    assert USUAL.log_ratio(1.0) == pytest.approx((4 - 0) / (2 * 0.5))
    assert Usual(0.0, 0.3, 1.0).log_ratio(5.0) == 0, "members that score no higher tell nothing"


@pytest.mark.parametrize("leaks", [True, False])
def test_a_planted_leak_is_found_and_noise_tells_nothing(planted: Documents, leaks: bool, store: Store) -> None:
    values = {
        "attack": {"part": "word_pairs", "shadow_pairs": 12, "baselines": False, "calibrated": True},
        "dataset": {"part": "documents", "source": planted.source, "owner_column": "owner"},
        "model": {"part": "word2vec", "dimension": 16, "minimum_count": 2, "epochs": 20},
        "game": {"users": "owners", "target_sizes": [10], "targets": 8, "plays": 10, "documents": 120},
        "defenses": [] if leaks else [{"part": "vector_noise", "scale": 10.0}],
    }
    result, _ = run(Experiment.parse(values), RunContext(store=store))
    scores, rivals = result.tables["scores"], result.tables["rivals"]
    member = scores.pivot(index="play", columns="target", values="member").to_numpy(np.bool_)
    assert set(rivals["variant"]) == {"l2_distance", "target_ratio", "model_free"}
    of_variant = rivals[rivals["variant"] == "target_ratio"]
    score = of_variant.pivot(index="play", columns="target", values="score").to_numpy(np.float64)
    accuracy = result.estimates["accuracy_target_ratio"]
    if leaks:
        assert accuracy.low > 0.7
        assert within_targets(member, score).auc.value > 0.9
    else:
        assert accuracy.low < 0.5 < accuracy.high


def test_a_calibrated_adversary_that_is_not_run_leaves_no_trace_in_the_key() -> None:
    assert "calibrated" not in WordPairs().identity()
    assert WordPairs(calibrated=True).identity()["calibrated"] is True
