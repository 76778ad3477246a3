"""Thresholds by an adversary's own documents keep what they promise of people who are out."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from core.adversaries.own_sets import OWNERS, Sets, asked_about, bound_of_one_more, set_aside
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


@pytest.mark.parametrize("owners", [3, OWNERS, 25, 60])
@pytest.mark.parametrize("held", [6, 20, 200])
def test_a_threshold_of_whole_owners_keeps_its_promise(owners: int, held: int) -> None:
    """Owners differ in how predictable they are. Sets of anybody's documents are alike, and take many for members."""
    rng = np.random.default_rng(0)
    flagged: dict[str, list[float]] = {"anybody": [], "one owner": []}
    for seed in range(400):
        rates = rng.beta(6, 14, size=owners + 40)
        of_owner = np.repeat(np.arange(owners), held)
        queries = np.full(len(of_owner), 40)
        right = rng.binomial(queries, rates[of_owner])
        targets = rng.binomial(20 * 40, rates[owners:]) / (20 * 40)
        names = [f"owner {owner}" for owner in of_owner]
        for kind, of in (("anybody", ()), ("one owner", names)):
            usual = Sets(len(of_owner), seed, of).usual(right, queries, 20)
            flagged[kind].append(float((targets > usual).mean()))
    assert np.mean(flagged["anybody"]) > 0.25
    assert 0.04 < np.mean(flagged["one owner"]) < 0.07


def test_one_more_normal_value_exceeds_its_bound_in_one_case_of_twenty() -> None:
    rng = np.random.default_rng(1)
    for count in (2, 5, 30):
        values = rng.normal(3.0, 2.0, size=(4000, count + 1))
        beyond = [row[0] > bound_of_one_more(row[1:]) for row in values]
        assert np.mean(beyond) == pytest.approx(0.05, abs=0.011)


def test_of_one_owner_and_of_anybodys_documents_many_sets_are_drawn() -> None:
    right, queries = np.array([0, 0, 0, 0, 9]), np.full(5, 10)
    assert Sets(5, 0, ["a", "a", "a", "a", "b"]).usual(right, queries, 6) == 0, (
        "who has one document of six is left out"
    )
    assert Sets(2, 0, ["a", "b"]).usual(np.array([1, 3]), np.array([10, 10]), 1) == bound_of_one_more(
        np.array([0.1, 0.3])
    )
    drawn = Sets(5, 0).usual(right, queries, 1)
    assert drawn == 0.9, "one document of five has nine of ten"
    assert Sets(3, 0, ["a", "b", "c"]).usual(np.array([1, 3, 0]), np.array([10, 10, 0]), 1) == bound_of_one_more(
        np.array([0.1, 0.3])
    ), "a set of which nothing is known is left out"


def test_a_set_is_of_one_owner_with_a_quarter_as_many_documents_or_of_all() -> None:
    owners = np.repeat([f"owner {number:02}" for number in range(60)], [10] * 25 + [4] * 35)
    owners = np.random.default_rng(0).permutation(owners)
    sets = Sets(len(owners), 0, owners.tolist())
    for size, of in ((6, 60), (20, 25), (50, 60)):
        drawn = sets.disjoint(size)
        assert len(drawn) == len({owners[rows[0]] for rows in drawn}) == of, "of some with enough, or of all"
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


def test_documents_that_nobody_owns_are_asked_about_at_random() -> None:
    briefing = briefing_of([30] * 4, named=False)
    rows, sets = asked_about(briefing, 20)
    assert len(set(rows.tolist())) == 20 == sets.documents and not sets.owners
    assert asked_about(briefing, 500)[0].tolist() == list(range(120))
