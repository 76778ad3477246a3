"""Membership by translations: features, what is learnt from shadows, and what a memory of known size gives away."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.access import Translator
from core.attacks.translation_overlap import (
    CALIBRATED,
    CLASSIFIERS,
    TranslationOverlap,
    overlaps,
    without_a_word,
)
from core.seeding import generator
from core.translation import Brief, Method, Shadow
from tests.translation_games import Memory, bitext

_WORDS = st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=9).map(" ".join)


def test_overlaps_of_a_known_pair() -> None:
    found = overlaps(["the cat sat on the mat"], ["the cat is on the mat"])
    assert [found[f"precision_{n}"][0] for n in (1, 2, 3, 4)] == [5 / 6, 3 / 5, 1 / 4, 0]
    # Lin and Och add one to both counts for n above 1.
    assert found["bleu"][0] == pytest.approx((5 / 6 * 4 / 6 * 2 / 5 * 1 / 4) ** 0.25)


@given(_WORDS, _WORDS)
def test_overlaps_are_shares_and_whole_for_the_reference_itself(said: str, true: str) -> None:
    found = overlaps([said, true], [true, true])
    assert all(((values >= 0) & (values <= 1 + 1e-9)).all() for values in found.values())
    assert found["bleu"][1] == pytest.approx(1)
    assert found["precision_1"][1] == 1


@given(_WORDS, st.integers(0, 99))
def test_one_word_is_left_out(text: str, seed: int) -> None:
    words, left = text.split(), without_a_word(text, generator(seed, "left")).split()
    assert len(left) == max(len(words) - 1, 1)
    assert any(words[:place] + words[place + 1 :] == left for place in range(len(words))) or left == words


def brief(recall: float, *, scoring: bool = True) -> Brief:
    """Five splits of a bitext, on which memories of a known recall were trained."""
    from core.access import ScoringTranslator

    pairs = bitext(600, ("shared",))
    own, asked = pairs.select(np.arange(500)), pairs.select(np.arange(500, 600))
    known = dict(zip(pairs.sources, pairs.targets, strict=True))
    shadows = []
    for number in range(10):
        split, side = divmod(number, 2)
        rows = np.arange(split * 100, (split + 1) * 100)
        member = (np.arange(100) < 50) == (side == 0)
        memory = Memory({text: known[text] for text in own.select(rows[member]).sources}, recall, number)
        use = "train" if split < 3 else "validation" if split == 3 else "test"
        kind = ScoringTranslator if scoring else Translator
        shadows.append(Shadow(split, use, kind(memory), rows, member))  # type: ignore[arg-type]
    return Brief(own, tuple(shadows), asked, 1)


def target(asked: Brief, recall: float, kind: type[Translator]) -> tuple[Translator, np.ndarray]:
    """A memory of half of the pairs in question, and which."""
    member = generator(3, "member").permutation(np.arange(100) < 50)
    pairs = dict(zip(asked.asked.sources, asked.asked.targets, strict=True))
    return kind(
        Memory({text: pairs[text] for text in asked.asked.select(np.flatnonzero(member)).sources}, recall, 99)
    ), member


def test_a_perfect_memory_is_found_out() -> None:
    asked = brief(1.0, scoring=False)
    adversary = TranslationOverlap(service="translations").prepare(asked)
    access, member = target(asked, 1.0, Translator)
    said = adversary.judge(access)
    assert np.mean((said.scores[adversary.answer] > 0) == member) > 0.95
    assert {method.rule for method in said.scores if method.features == "overlap"} == set(CLASSIFIERS)
    assert "reference" not in said.features


def test_no_memory_gives_chance() -> None:
    asked = brief(0.0, scoring=False)
    adversary = TranslationOverlap(service="translations").prepare(asked)
    access, member = target(asked, 0.0, Translator)
    right = (adversary.judge(access).scores[adversary.answer] > 0) == member
    assert abs(right.mean() - 0.5) < 0.15


def test_references_are_told_from_those_of_shadows_that_did_not_see_them() -> None:
    from core.access import ScoringTranslator

    asked = brief(0.2)
    adversary = TranslationOverlap().prepare(asked)
    access, member = target(asked, 0.2, ScoringTranslator)
    said = adversary.judge(access)
    for rule in ("one_threshold", "likelihood_ratio"):
        assert np.mean((said.scores[Method(CALIBRATED, rule)] > 0) == member) > 0.9
    assert access.queries == 200  # one translation and one score of the reference for each pair


def test_more_queries_are_counted_and_looked_at() -> None:
    asked = brief(1.0, scoring=False)
    adversary = TranslationOverlap(service="translations", queries=3).prepare(asked)
    access, _ = target(asked, 1.0, Translator)
    said = adversary.judge(access)
    assert access.queries == 300
    assert {"perturbed_mean", "perturbed_least"} <= said.features.keys()


def test_preparing_asks_no_target_and_sees_no_label_of_the_pairs_in_question() -> None:
    asked = brief(1.0)
    other = replace(asked, asked=asked.asked.select(np.arange(100)[::-1]))
    first, second = (TranslationOverlap().prepare(one) for one in (asked, other))
    assert first.answer == second.answer
    assert first.middle == second.middle
