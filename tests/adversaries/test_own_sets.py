"""Thresholds by an adversary's own documents keep what they promise of people who are out."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from core.access import Access
from core.adversaries.own_sets import OWNERS, Sets, Usual, asked_about, of_one_more, set_aside
from core.adversaries.shadows.shadow_language_models import Measured, Rmia
from core.adversaries.text_scores import Parts, loss
from core.adversaries.top_share import TopShare
from core.catalog.entry import varied
from core.games.membership.contract import Briefing, Target
from core.models.word2vec import Word2vec
from core.text.corpus import Corpus


def briefing_of(owned: Sequence[int], size: int = 1, *, named: bool = True) -> Briefing:
    """Return what an adversary knows who holds the documents of some owners, about a target of another."""
    count = sum(owned)
    names = tuple(f"owner {number}" for number, each in enumerate(owned) for _ in range(each))
    corpus = Corpus.encode([f"word{number} said" for number in range(count + size)])
    target = Target("target", size, tuple(range(count, count + size)))
    return Briefing(corpus, (target,), np.arange(count), 10, Word2vec(), (), 7, owners=names if named else ())


def owners_of(briefing: Briefing, rows: np.ndarray) -> Counter[str]:
    """Return how many of some auxiliary documents each owner has."""
    return Counter(np.array(briefing.owners)[rows].tolist())


SIZES = {
    "6 each": lambda rng, owners: np.full(owners, 6),
    "20 each": lambda rng, owners: np.full(owners, 20),
    "200 each": lambda rng, owners: np.full(owners, 200),
    "one has much more than others": lambda rng, owners: np.minimum(rng.zipf(1.8, owners), 500),
    "lognormal": lambda rng, owners: rng.lognormal(1, 1, owners).astype(int) + 1,
}


@pytest.mark.parametrize("owners", [2, 3, OWNERS, 25, 60])
@pytest.mark.parametrize("held", SIZES)
@pytest.mark.parametrize("size", [1, 20])
def test_a_threshold_of_whole_owners_keeps_its_promise(owners: int, held: str, size: int) -> None:
    """Owners differ in how predictable they are, documents of one person too."""
    rng = np.random.default_rng(0)
    flagged = []
    for seed in range(150):
        level = rng.normal(0, 1, size=owners + 40)
        of_owner = np.repeat(np.arange(owners), SIZES[held](rng, owners))
        scores = level[of_owner] + rng.normal(0, 2, len(of_owner))
        targets = level[owners:] + rng.normal(0, 2 / np.sqrt(size), 40)
        sets = Sets(len(of_owner), seed, [f"owner {owner}" for owner in of_owner])
        flagged.append(float((targets > sets.usual(scores, np.ones(len(scores)), size).bound).mean()))
    assert np.mean(flagged) < (0.1 if owners == 2 else 0.075)
    if owners > 2 and "each" in held and size <= int(held.split()[0]):
        assert np.mean(flagged) > 0.035, "no stricter than it says"


def test_sets_of_anybodys_documents_are_exceeded_by_many_people() -> None:
    rng = np.random.default_rng(0)
    level = rng.normal(0, 1, size=100)
    scores = np.repeat(level[:60], 20) + rng.normal(0, 2, 1200)
    usual = Sets(1200, 0).usual(scores, np.ones(1200), 20).bound
    assert np.mean(level[60:] + rng.normal(0, 2 / np.sqrt(20), 40) > usual) > 0.15


def test_one_more_normal_value_exceeds_its_bound_in_one_case_of_twenty() -> None:
    rng = np.random.default_rng(1)
    for count in (2, 5, 30):
        values = rng.normal(3.0, 2.0, size=(4000, count + 1))
        beyond = [row[0] > of_one_more(row[1:, None]).bound for row in values]
        assert np.mean(beyond) == pytest.approx(0.05, abs=0.011)


def test_where_the_documents_of_one_owner_differ_as_those_of_all_the_bound_is_that_of_many() -> None:
    values = np.random.default_rng(2).normal(3.0, 2.0, size=(8, 500))
    assert of_one_more(values).bound == pytest.approx(3 + 1.645 * 2, abs=0.15)
    assert of_one_more(values).deviation == pytest.approx(2, abs=0.1)


def test_people_whose_levels_are_skewed_exceed_it_more_often() -> None:
    rng, flagged = np.random.default_rng(0), []
    for _ in range(2000):
        levels = np.exp(rng.normal(size=28))
        flagged.append(float((levels[8:] > of_one_more(levels[:8, None]).bound).mean()))
    assert 0.08 < np.mean(flagged) < 0.13


def test_a_bound_of_owners_who_are_the_same_is_their_value() -> None:
    usual = of_one_more(np.full((3, 50), 0.3))
    assert usual.bound == 0.3 != np.full(50, 0.3).mean(), "the mean of equal values may lie below them"
    assert usual.beyond(0.8) == 0.5, "scores as they are"
    ones = np.full(12, 0.1)
    of_rounding = Sets(12, 0, ["a"] * 5 + ["b"] * 7).usual(ones, np.ones(12), 6)
    assert of_rounding.bound == pytest.approx(0.1) and of_rounding.deviation == 1, "not told from rounding"
    alike = of_one_more(np.array([[1.0, 2.0], [2.0, 1.0]]))
    assert np.isfinite(alike.beyond(3.0))
    endless = Sets(3, 0, ["a", "b", "c"]).usual(np.array([1.0, np.inf, 3.0]), np.ones(3), 1)
    assert endless == of_one_more(np.array([[1.0], [3.0]]))


def test_one_owner_tells_nothing_of_people_and_anybodys_documents_are_drawn_often() -> None:
    right, queries = np.array([0, 0, 0, 0, 9]), np.full(5, 10)
    assert Sets(5, 0).usual(right, queries, 1) == Usual(0.9), "one document of five has nine of ten"
    assert Sets(5, 0, ["a"] * 5).usual(right, queries, 1) == Usual(0.9)
    assert Sets(2, 0, ["a", "b"]).usual(np.array([1, 3]), np.array([10, 10]), 1).bound == pytest.approx(
        of_one_more(np.array([[0.1], [0.3]])).bound
    )
    assert Sets(3, 0, ["a", "b", "c"]).usual(np.array([1, 3, 0]), np.array([10, 10, 0]), 1).bound == pytest.approx(
        of_one_more(np.array([[0.1], [0.3]])).bound
    ), "an owner of whom nothing is known is left out"


def test_a_set_is_of_one_owner_with_a_quarter_as_many_documents_or_of_those_with_most() -> None:
    owners = np.repeat([f"owner {number:02}" for number in range(60)], [10] * 25 + [4] * 35)
    owners = np.random.default_rng(0).permutation(owners)
    sets = Sets(len(owners), 0, owners.tolist())
    for size, of in ((6, 60), (20, 25), (50, OWNERS)):
        drawn = sets.disjoint(size)
        assert len(drawn) == len({owners[rows[0]] for rows in drawn}) == of, "of some with enough, or of eight"
        assert all(set(owners[rows]) == {owners[rows[0]]} for rows in drawn)
        assert all(len(set(rows)) == len(rows) == min(size, (owners == owners[rows[0]]).sum()) for rows in drawn)
    assert any(sorted(rows) != rows.tolist() for rows in sets.disjoint(3)), "at random"


@pytest.mark.parametrize(("owned", "owners"), [([5] * 80, OWNERS), ([5] * 12, 6), ([5] * 2, 1)])
def test_enough_owners_are_set_aside_or_half_of_them(owned: list[int], owners: int) -> None:
    briefing = briefing_of(owned)
    aside, others = set_aside(briefing, 0.01)
    assert len(owners_of(briefing, aside)) == owners
    assert not set(owners_of(briefing, aside)) & set(owners_of(briefing, others))
    assert sorted([*aside, *others]) == list(range(sum(owned)))


def test_a_larger_share_is_set_aside_where_it_is_asked_for() -> None:
    assert len(set_aside(briefing_of([5] * 80), 0.8)[0]) == 320


def test_documents_that_nobody_owns_are_set_aside_as_ever() -> None:
    aside, others = set_aside(briefing_of([5] * 4, named=False), 0.3)
    assert aside.tolist() == [1, 2, 10, 11, 16, 19], "stored results without owners rest on it"
    assert len(others) == 14


def test_a_model_is_asked_about_as_many_documents_of_an_owner_as_a_target_has() -> None:
    briefing = briefing_of([30] * 40 + [2] * 40, size=10)
    rows, sets = asked_about(briefing, 10_000)
    assert owners_of(briefing, rows) == {f"owner {number}": 10 for number in range(40)}, "others have too few"
    assert list(sets.owners) == np.array(briefing.owners)[rows].tolist() and sets.documents == len(rows) == 400
    fewer = owners_of(briefing, asked_about(briefing, 250)[0])
    assert len(fewer) == 25 and set(fewer.values()) == {10}, "whole owners"
    assert set(fewer) != {f"owner {number}" for number in range(25)}, "at random"
    assert len(asked_about(briefing, 20)[0]) == 10 * OWNERS, "a threshold takes so many"


def test_of_people_with_few_documents_each_eight_are_asked_about_beside_one_with_many() -> None:
    briefing = briefing_of([20] * 40 + [400], size=100)
    counts = owners_of(briefing, asked_about(briefing, 1000)[0])
    assert len(counts) == OWNERS and set(counts.values()) == {20, 100}


def test_documents_that_nobody_owns_are_asked_about_at_random() -> None:
    briefing = briefing_of([30] * 4, named=False)
    rows, sets = asked_about(briefing, 20)
    assert len(set(rows.tolist())) == 20 == sets.documents and not sets.owners
    assert asked_about(briefing, 500)[0].tolist() == list(range(120))


@dataclass(frozen=True)
class Likely(Access):
    """A model whose loss of a document is its only word."""

    shift: float = 0.0

    def losses(self, documents: Sequence[Sequence[str]]) -> list[np.ndarray]:
        """Return the loss of each document."""
        return [np.array([float(words[0]) + self.shift]) for words in documents]


def test_few_people_who_are_out_are_taken_for_members_by_their_ratio_and_by_their_highest_scores() -> None:
    rng = np.random.default_rng(0)
    flagged: dict[str, list[bool]] = {"ratio": [], "ratio, twice": [], "highest": []}
    for seed in range(120):
        level = rng.normal(0, 0.1, 28)
        texts = [[[str(-value)] for value in rng.normal(level[person], 0.1, 20)] for person in range(28)]
        outside, targets = [document for text in texts[:8] for document in text], texts[8:]
        shadows = [Parts(np.zeros(560), np.ones(560)) for _ in range(4)]
        member = np.tile(np.array([[True], [False]]), (2, 20))
        sets = Sets(160, seed, [f"owner {number // 20}" for number in range(160)])
        measured = Measured(targets, outside, member, shadows)
        of_highest = TopShare("top", score=loss, targets=targets, outside=outside, sets=sets, share=0.2)
        played = {
            "ratio": measured.adversary("rmia", Rmia(1.0, sets)),
            "ratio, twice": measured.adversary("rmia", Rmia(2.0, sets)),
            "highest": of_highest,
        }
        for name, adversary in played.items():
            flagged[name] += [adversary.answer(target, Likely()).member for target in range(20)]
    assert np.mean(flagged["ratio"]) == pytest.approx(0.05, abs=0.025)
    assert np.mean(flagged["highest"]) == pytest.approx(0.05, abs=0.025)
    assert np.mean(flagged["ratio, twice"]) == 0


def test_results_about_owners_alone_have_keys_of_their_own() -> None:
    def version(attack: str, **settings: Any) -> Any:
        controls = {"controls": settings.pop("controls")} if "controls" in settings else {}
        experiment = varied(attack, "demo", attack=controls, game=settings)
        return experiment.identity().get("owners_version")

    owners, emulated = {"users": "owners"}, {"users": "emulated"}
    assert version("next_word", **owners, controls=True) == version("loss_membership", **owners) == 1
    assert version("likelihood_ratio", **owners) == 1
    assert version("next_word", **owners, controls=False) is None
    assert version("next_word", **emulated, controls=True) is version("loss_membership", **emulated) is None
    assert version("word_pairs", **owners) is None
