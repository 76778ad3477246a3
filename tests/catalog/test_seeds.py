"""Results of several seeds: those that differ in nothing else are averaged, figure by figure."""

import pytest

from core.catalog import seeds
from core.catalog.entry import Entry
from core.experiment import Experiment
from core.result import Estimate

_SIZED = ((0.6, 0.4), (0.7, 0.45), (0.8, 0.5))
"""Values of one figure with three seeds, each with its chance."""


def entry(seed: int, **changes: object) -> Entry:
    experiment = Experiment.preset("word_pairs", "demo", seed=seed, **changes)
    return Entry(f"entry {seed}", "", "", experiment)


def estimate(value: float, chance: float = 0.5) -> Estimate:
    return Estimate(value=value, low=0.0, high=1.0, chance=chance, unit="share", help="")


def test_entries_are_grouped_that_differ_in_their_seed_alone() -> None:
    alike = [entry(seed) for seed in (1, 2, 3)]
    other = entry(4, defenses=[{"part": "subsampling"}])
    assert seeds.repeated([alike[0], other, *alike[1:]]) == [tuple(alike)]
    assert seeds.repeated([*alike[:2], other]) == [], "two seeds are too few"


def test_an_experiment_is_repeated_with_seeds_that_chose_no_setting() -> None:
    shown, *others = seeds.over(entry(1))
    assert shown == entry(1)
    assert [other.experiment for other in others] == [shown.experiment.replace(seed=seed) for seed in (3, 4, 5, 6)]
    assert seeds.repeated([shown, *others]) == [(shown, *others)]
    assert len({other.name for other in others}) == 4 and all(other.contrast for other in others)


def test_of_entries_that_differ_in_their_seed_one_is_compared_with_others() -> None:
    shown, *others = seeds.over(entry(1))
    other = entry(1, defenses=[{"part": "subsampling"}])
    assert seeds.each_once([shown, *others, other], seed=9) == [shown, other]
    assert seeds.each_once([shown, *others, other], seed=4) == [others[1], other]


def test_the_headline_is_averaged_for_each_size_of_targets() -> None:
    results = [{"accuracy_20": estimate(value, chance).model_copy(update={"members": 9})} for value, chance in _SIZED]
    averaged = seeds.means(results)["accuracy_20"]
    assert (averaged.value, averaged.chance) == (pytest.approx(0.7), pytest.approx(0.45))


def test_figures_of_every_adversary_are_averaged_with_an_interval_over_seeds() -> None:
    values = (0.6, 0.7, 0.8)
    results = [
        {name: estimate(value) for name in ("accuracy", "auc_rmia", "auc_rmia_20", "group_auc", "perplexity_test")}
        | ({"auc": estimate(value)} if value < 0.8 else {})
        for value in values
    ]
    averaged = seeds.means(results)
    assert list(averaged) == ["accuracy", "auc_rmia", "group_auc"], "no figure of one size, nor one that a seed lacks"
    mean = averaged["accuracy"]
    assert mean.value == pytest.approx(0.7)
    assert 0.4 < mean.low < 0.6 and 0.8 < mean.high < 0.9, "Student's with two degrees of freedom"
    assert mean.chance == 0.5
