"""Both preparations: known answers, the mean of both adversaries, and no trace in other keys."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from core.adversaries.pairs.sparse_linear import SparseLinear, mean
from core.attacks.word_pairs import WordPairs
from core.datasets.documents import Documents
from core.errors import InvalidSpec
from core.experiment import Experiment, run
from core.runtime.context import RunContext
from core.runtime.store import Store


def function(features: list[int], weights: list[float], intercept: float) -> SparseLinear:
    """Return a linear function whose features have a mean of 1 and a deviation of 2."""
    ones = np.ones(len(features))
    return SparseLinear(np.array(features, int), np.array(weights), ones, 2 * ones, intercept)


def at(linear: SparseLinear, measured: NDArray[np.float64]) -> NDArray[np.float64]:
    return linear(measured[:, linear.features])


def test_the_mean_of_two_functions_gives_the_mean_of_both_and_takes_unknown_words_as_they_do() -> None:
    first, second = function([3, 0], [4.0, -0.5], 0.25), function([0, 4], [3.0, 0.125], -1.0)
    measured = np.random.default_rng(0).normal(size=(20, 5))
    measured[3, 0] = measured[4, 3] = np.nan
    second = replace(second, mean=np.array([0.5, 1.5]), deviation=np.array([3.0, 0.5]))
    for one, other in ((first, second), (second, first)):
        both = mean(one, other)
        np.testing.assert_allclose(at(both, measured), (at(first, measured) + at(second, measured)) / 2)
        assert both.features.tolist() == [3, 0, 4], "heaviest first, each once"
    none = function([], [], 0.5)
    np.testing.assert_allclose(at(mean(none, second), measured), (0.5 + at(second, measured)) / 2)
    opposite = replace(first, weights=-first.weights, mean=first.mean + 1)
    assert mean(first, opposite).features.tolist() == []
    np.testing.assert_allclose(
        at(mean(first, opposite), measured[:3]), (at(first, measured[:3]) + at(opposite, measured[:3])) / 2
    )


def values(source: str, fraction: float, plays: int = 10, **attack: Any) -> dict[str, Any]:
    return {
        "attack": {"part": "word_pairs", "shadow_pairs": 12, "baselines": False, **attack},
        "dataset": {"part": "documents", "source": source, "owner_column": "owner"},
        "model": {"part": "word2vec", "dimension": 16, "minimum_count": 2, "epochs": 20},
        "game": {"users": "owners", "target_sizes": [10], "targets": 8, "plays": plays, "documents": 120},
        "defenses": [{"part": "subsampling", "fraction": fraction}] if fraction < 1 else [],
    }


def by_target(scores: pd.DataFrame) -> NDArray[np.float64]:
    """Return scores, (targets, plays)."""
    return scores.pivot(index="target", columns="play", values="score").to_numpy()


@pytest.mark.parametrize(
    "defense",
    [{"part": "subsampling", "fraction": 0.5}, {"part": "vector_noise", "scale": 0.2}],
    ids=lambda each: each["part"],
)
def test_it_scores_by_the_mean_of_both_adversaries_of_which_one_stands_beside_it(
    planted: Documents, store: Store, defense: dict[str, Any]
) -> None:
    results = {
        name: run(
            Experiment.parse({**values(planted.source, 1, **attack), "defenses": [defense]}), RunContext(store=store)
        )[0]
        for name, attack in (
            ("both", {"averaged": True, "calibrated": True}),
            ("known", {}),
            ("unaware", {"adaptive": False}),
        )
    }
    averaged, known, unaware = (by_target(results[name].tables["scores"]) for name in ("both", "known", "unaware"))
    for target in range(8):
        terms = np.column_stack([known[target], unaware[target], np.ones(known.shape[1])])
        weights, left, *_ = np.linalg.lstsq(terms, averaged[target])
        assert (weights[:2] > 0).all() and left.max() < 1e-6, "it weighs both"
        if defense["part"] == "subsampling":
            np.testing.assert_allclose(weights, [0.5, 0.5, 0], atol=1e-2)
    rivals = results["both"].tables["rivals"]
    alone = by_target(rivals[rivals["variant"] == "behind_defense"])
    np.testing.assert_allclose(alone, known, atol=1e-4)  # scores are stored rounded
    figures = [results[name].estimates for name in ("both", "known", "unaware")]
    assert figures[0]["accuracy_behind_defense_10"].value == figures[1]["accuracy_10"].value
    assert figures[0]["accuracy_10"].low > 0.5 < figures[0]["accuracy_target_ratio_10"].low
    curves = [results[name].tables["curve"] for name in ("both", "known")]
    steps = [curve[curve["variant"] == "word_pairs"]["shadows"].tolist() for curve in curves]
    assert steps[0] == steps[1], "it grows with the shadow models as the other does"


def test_without_a_defense_there_is_one_preparation(planted: Documents, store: Store) -> None:
    context = RunContext(store=store)
    few = values(planted.source, 1, plays=2, averaged=True, shadow_pairs=5)
    result, _ = run(Experiment.parse(few), context)
    assert not [name for name in result.estimates if "behind_defense" in name]
    assert context.trainings == 2 * 5 + 2


def test_its_trainings_are_counted_and_its_key_is_its_own() -> None:
    both = WordPairs(averaged=True)
    assert both.shadow_models(10) == 2 * WordPairs().shadow_models(10)
    assert "averaged" not in WordPairs().identity()
    assert (both.identity()["averaged"], both.identity()["averaged_version"]) == (True, 2)


def test_whoever_does_not_know_the_defense_has_one_preparation() -> None:
    with pytest.raises(InvalidSpec, match="'adaptive' true"):
        WordPairs.parse({"adaptive": False, "averaged": True})
    WordPairs.parse({"adaptive": True, "averaged": True})
