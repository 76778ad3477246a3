"""A defended result in a report stands beside that of the other adversary: one that knows the defense, or does not."""

from typing import Any

import pytest

from core import catalog
from core.experiment import Experiment
from core.report import build, rendered, verification, verify
from core.report.declared import Declared
from core.runtime.store import Store
from tests.dashboard.embedding_results import SEED, estimate, result


def stored(
    store: Store,
    accuracy: float,
    half: float = 0.025,
    *,
    attack: str = "likelihood_ratio",
    defense: str | None = "subsampling",
    **settings: bool,
) -> str:
    """Store a made-up result behind a defense, and return its key."""
    defenses = [defense] if defense else []
    experiment = Experiment.preset(attack, "demo", seed=SEED, defenses=defenses, attack=settings)
    result(experiment, {"accuracy": estimate(accuracy, 0.5, half)}, {}).save(store, experiment.key)
    return experiment.key


def sides(store: Store, key: str) -> dict[str, str]:
    """Return on which side the figure of a result, and its defense, stand in section 6, each with its sentence."""
    evidence = build([key], store, Declared(tolerable=0.2))["evidence"]
    return {sentence: side for side, sentences in evidence.items() for sentence in sentences}


@pytest.mark.parametrize(
    ("adaptive", "naive", "says"),
    [
        (0.8, 0.6, "the one that knows it does better"),
        (0.6, 0.8, "the one that does not know it does better, and is the one to plan for"),
        (0.7, 0.72, "their intervals overlap"),
    ],
)
def test_both_stand_beside_each_other_and_the_better_one_is_named(
    adaptive: float, naive: float, says: str, store: Store
) -> None:
    knows, unaware = (stored(store, right, adaptive=knows) for right, knows in ((adaptive, True), (naive, False)))
    for key, other, name, right in ((knows, unaware, "naive", naive), (unaware, knows, "adaptive", adaptive)):
        evidence = build([key], store)
        (row,) = evidence["defenses"]
        assert row["twin"] == other and row[name]["value"] == right
        assert ("knows the defense and adapts" in row["adversary"]) == (key == knows)
        for form in (".md", ".html"):
            text = rendered(evidence, form).decode()
            assert says in text and f"{right:.3f}" in text


def test_without_the_other_adversary_nothing_is_compared_and_a_later_one_is_noticed(store: Store) -> None:
    key = stored(store, 0.8, adaptive=True)
    evidence = build([key], store)
    assert evidence["defenses"][0]["twin"] is None and evidence["defenses"][0]["naive"] is None
    page = rendered(evidence, ".html")
    assert "does better" not in page.decode() and "intervals overlap" not in page.decode()
    assert verify(page, store).status == 0
    twin = stored(store, 0.6, adaptive=False)
    later = verify(page, store)
    assert later.status == verification.UNCHECKED and "of the other adversary, is stored here by now" in str(
        later.lines
    )
    both = rendered(build([key], store), ".html")
    store.delete(twin)
    assert verify(both, store).status == verification.UNCHECKED


@pytest.mark.parametrize("fraction", [25, 50, 75])
def test_the_mean_of_both_preparations_stands_beside_the_naive_adversary(fraction: int) -> None:
    keys: dict[str, Any] = {
        name: next(each.key for each in catalog.matching(f"figure_5_cbow_{fraction}_{name}"))
        for name in ("adaptive", "unaware")
    }
    for name, other in (("adaptive", "unaware"), ("unaware", "adaptive")):
        rows = build([keys[name]], Store())["defenses"]
        assert {row["twin"] for row in rows} == {keys[other]}


@pytest.mark.parametrize(
    ("other", "half", "says"),
    [
        (0.8, 0.025, "reaches 0.800 [0.775, 0.825], which lies above chance"),
        (0.55, 0.06, "reaches 0.550 [0.490, 0.610], which is not shown to be tolerable"),
    ],
)
@pytest.mark.parametrize(("adaptive", "knows"), [(True, "does not know"), (False, "knows")])
def test_a_tolerable_figure_is_not_for_release_where_the_other_adversary_may_find_more(
    adaptive: bool, knows: str, other: float, half: float, says: str, store: Store
) -> None:
    stored(store, 0.8, defense=None)
    key, twin = stored(store, 0.5, adaptive=adaptive), stored(store, other, half, adaptive=not adaptive)
    said = sides(store, key)
    assert set(said.values()) == {"neither"} and len(said) == 2
    assert all(f"an adversary that {knows} the defense ({twin}) {says}" in sentence for sentence in said)


@pytest.mark.parametrize("compared", [False, True])
def test_only_an_adversary_that_knows_the_defense_is_one_to_judge_release_by(compared: bool, store: Store) -> None:
    stored(store, 0.8, defense=None)
    unaware = stored(store, 0.5, adaptive=False)
    knows = stored(store, 0.5, adaptive=True) if compared else None
    said = sides(store, unaware)
    assert set(said.values()) == {"neither"} and len(said) == 2
    expected = f"({knows}) reaches 0.500 [0.475, 0.525], and is the one to judge by" if knows else "may find more"
    assert all(f"an adversary that knows the defense {expected}" in sentence for sentence in said)
    if knows:
        assert set(sides(store, knows).values()) == {"for"}


@pytest.mark.parametrize(
    ("attack", "defense", "adapts"),
    [
        ("classifier_probing", "subsampling", True),
        ("next_word", "subsampling", True),
        ("next_word", "dp_sgd", False),
        ("loss_membership", "dp_sgd", True),
        ("loss_membership", "subsampling", False),
        ("likelihood_ratio", "dp_sgd", True),
        ("canary_extraction", "dp_sgd", False),
    ],
)
def test_an_adversary_adapts_that_trains_its_own_models_behind_the_defense(
    attack: str, defense: str, adapts: bool, store: Store
) -> None:
    (row,) = build([stored(store, 0.6, attack=attack, defense=defense)], store)["defenses"]
    assert row["adapts"] == adapts
    assert row["adversary"] == (
        "against an adversary that knows the defense and adapts to it"
        if adapts
        else "against the attack unchanged; no adversary that adapts was measured"
    )


def test_the_other_adversary_differs_in_nothing_but_what_it_knows_and_whether_it_averages(store: Store) -> None:
    def word_pairs(**settings: bool) -> str:
        return stored(store, 0.6, attack="word_pairs", defense="vector_noise", **settings)

    def twin(key: str) -> str | None:
        return build([key], store)["defenses"][0]["twin"]

    unaware = word_pairs(adaptive=False, calibrated=True)
    knows = [word_pairs(calibrated=False), word_pairs(calibrated=False, averaged=True)]
    assert twin(unaware) is None and [twin(key) for key in knows] == [None, None]
    averages = word_pairs(calibrated=True, averaged=True)
    assert twin(unaware) == averages and twin(averages) == unaware
    exact = word_pairs(calibrated=True)
    assert twin(unaware) == exact and twin(exact) == twin(averages) == unaware
