"""The better of two preparations: known answers, one of both adversaries, and no trace in other keys."""

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from core.adversaries.pairs.preparations import better
from core.adversaries.pairs.student import Student
from core.attacks.word_pairs import WordPairs
from core.datasets.documents import Documents
from core.errors import InvalidSpec
from core.experiment import Experiment, run
from core.runtime.context import RunContext
from core.runtime.store import Store

SIZES = (1, 1, 10, 10)
MEMBER = np.array([True, False, True, False])


class Function:
    """Gives what it was made with, whatever it reads."""

    features = np.array([0])

    def __init__(self, scores: NDArray[np.float64]) -> None:
        self.scores = scores

    def __call__(self, _: object) -> NDArray[np.float64]:
        return self.scores


def prepared(right: tuple[int, ...]) -> Any:
    """Return a student who is right about so many of four models for each target, out of those left out."""
    scores = [np.where(np.arange(4) < count, 1.0, -1.0) * np.where(MEMBER, 1.0, -1.0) for count in right]
    targets = [SimpleNamespace(size=size) for size in SIZES]
    return SimpleNamespace(
        targets=range(len(SIZES)),
        shadows=SimpleNamespace(briefing=SimpleNamespace(targets=targets)),
        function=lambda target, pairs, distance: Function(scores[target]),
        distances=lambda target, pairs, distance: (np.zeros((4, 1)), MEMBER),
        left_out=lambda target, pairs, distance: (scores[target], MEMBER),
    )


@pytest.mark.parametrize(
    "defended, plain, taken",
    [
        ((4, 4, 2, 2), (3, 3, 4, 4), ["defended", "plain"]),
        ((2, 2, 4, 4), (2, 2, 4, 4), ["defended", "defended"]),
        ((4, 0, 1, 1), (2, 3, 2, 0), ["plain", "defended"]),
    ],
    ids=["each where it is better", "the defended one at a tie", "by all targets of a size together"],
)
def test_each_size_has_the_preparation_that_is_right_more_often(
    defended: tuple[int, ...], plain: tuple[int, ...], taken: list[str]
) -> None:
    functions = better(cast(Student, prepared(defended)), cast(Student, prepared(plain)), 2, "scaled")
    by_name = {"defended": defended, "plain": plain}
    expected = [by_name[taken[size > 1]][target] for target, size in enumerate(SIZES)]
    right = [int(((cast(Function, function).scores > 0) == MEMBER).sum()) for function in functions]
    assert right == expected


def values(source: str, fraction: float, plays: int = 10, **attack: Any) -> dict[str, Any]:
    return {
        "attack": {"part": "word_pairs", "shadow_pairs": 12, "baselines": False, **attack},
        "dataset": {"part": "documents", "source": source, "owner_column": "owner"},
        "model": {"part": "word2vec", "dimension": 16, "minimum_count": 2, "epochs": 20},
        "game": {"users": "owners", "target_sizes": [10], "targets": 8, "plays": plays, "documents": 120},
        "defenses": [{"part": "subsampling", "fraction": fraction}] if fraction < 1 else [],
    }


def test_it_is_one_of_both_adversaries_and_changes_nothing_of_the_others(planted: Documents, store: Store) -> None:
    estimates = {}
    for name, attack in (("both", {"both_preparations": True}), ("known", {}), ("unaware", {"adaptive": False})):
        result, _ = run(Experiment.parse(values(planted.source, 0.5, **attack)), RunContext(store=store))
        estimates[name] = {estimate.removesuffix("_10"): value for estimate, value in result.estimates.items()}
    taken = estimates["both"]["accuracy_better_preparation"]
    assert estimates["both"].items() >= estimates["known"].items()
    assert all(name.endswith("better_preparation") for name in estimates["both"].keys() - estimates["known"].keys())
    assert taken.value in (estimates["known"]["accuracy"].value, estimates["unaware"]["accuracy"].value)
    assert taken.low > 0.5


def test_without_a_defense_there_is_one_preparation(planted: Documents, store: Store) -> None:
    context = RunContext(store=store)
    few = values(planted.source, 1, plays=2, both_preparations=True, shadow_pairs=5)
    result, _ = run(Experiment.parse(few), context)
    assert not [name for name in result.estimates if "preparation" in name]
    assert context.trainings == 2 * 5 + 2


def test_its_trainings_are_counted_and_its_key_is_its_own() -> None:
    both = WordPairs(both_preparations=True)
    assert both.shadow_models(10) == 2 * WordPairs().shadow_models(10)
    assert "both_preparations" not in WordPairs().identity()
    assert both.identity()["both_preparations"] is True


def test_whoever_does_not_know_the_defense_has_one_preparation() -> None:
    with pytest.raises(InvalidSpec, match="'adaptive' true"):
        WordPairs.parse({"adaptive": False, "both_preparations": True})
    WordPairs.parse({"adaptive": True, "both_preparations": True})
