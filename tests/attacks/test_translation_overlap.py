"""Membership by translations: features, what is learnt from shadows, and what a memory of known size gives away."""

from dataclasses import replace
from functools import cache
from typing import cast

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.access import Translator
from core.adversaries.translation import rules
from core.adversaries.translation.features import overlaps, without_a_word
from core.adversaries.translation.rules import CALIBRATED, CENTRED, CLASSIFIERS
from core.attacks.translation_overlap import TranslationOverlap
from core.games.translation_membership.contract import Briefing, Method, Observed, Shadow, Use
from core.runtime.seeding import generator
from core.text.bitext import Bitext
from tests.games.translation_membership.small_games import Memory, bitext

_WORDS = st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=9).map(" ".join)


def test_overlaps_of_a_known_pair() -> None:
    measures = overlaps(["the cat sat on the mat"], ["the cat is on the mat"])
    assert [measures[f"precision_{n}"][0] for n in (1, 2, 3, 4)] == [5 / 6, 3 / 5, 1 / 4, 0]
    # Lin and Och add one to both counts for n above 1.
    assert measures["bleu"][0] == pytest.approx((5 / 6 * 4 / 6 * 2 / 5 * 1 / 4) ** 0.25)


@given(_WORDS, _WORDS)
def test_overlaps_are_shares_and_whole_for_the_reference_itself(translation: str, true: str) -> None:
    measures = overlaps([translation, true], [true, true])
    assert all(((values >= 0) & (values <= 1 + 1e-9)).all() for values in measures.values())
    assert measures["bleu"][1] == pytest.approx(1)
    assert measures["precision_1"][1] == 1


@given(_WORDS, st.integers(0, 99))
def test_one_word_is_left_out(text: str, seed: int) -> None:
    words, left = text.split(), without_a_word(text, generator(seed, "left")).split()
    assert len(left) == max(len(words) - 1, 1)
    assert any(words[:position] + words[position + 1 :] == left for position in range(len(words))) or left == words


@cache
def briefing_of(attack: TranslationOverlap, recall: float) -> Briefing:
    """Five splits of a bitext, on which memories of a known recall were trained, and what they say."""
    pairs = bitext(400, ("shared",))
    auxiliary, candidates = pairs.select(np.arange(300)), pairs.select(np.arange(300, 400))
    shadows = []
    for number in range(10):
        split, side = divmod(number, 2)
        rows = np.arange(split * 60, (split + 1) * 60)
        member = (np.arange(60) < 30) == (side == 0)
        use: Use = "train" if split < 3 else "validation" if split == 3 else "test"
        access = service(attack, auxiliary.select(rows[member]), recall, number)
        probed = attack.observe(auxiliary.select(rows), access, generator(number, "probes"))
        shadows.append(Shadow(split, use, rows, member, probed, attack.compare(candidates, access)))
    return Briefing(auxiliary, tuple(shadows), candidates, candidates, 1)


def service(attack: TranslationOverlap, known: Bitext, recall: float, seed: int) -> Translator:
    """A memory of pairs, as the attack may ask it."""
    memory = Memory(dict(zip(known.sources, known.targets, strict=True)), recall, seed)
    return cast(type[Translator], attack.access())(memory)


def target(attack: TranslationOverlap, pairs: Bitext, recall: float) -> tuple[Observed, NDArray[np.bool_], Translator]:
    """What a memory of half of the pairs in question says of all, and of which half it is."""
    member = generator(3, "member").permutation(np.arange(100) < 50)
    access = service(attack, pairs.select(np.flatnonzero(member)), recall, 99)
    return attack.observe(pairs, access, generator(0, "asked")), member, access


def test_claim_and_threat_say_what_the_service_gives_and_what_single_attacks_know() -> None:
    scores, least = TranslationOverlap(), TranslationOverlap(service="translations")
    assert "translations and probabilities" in scores.claimed and "translations only" in least.claimed
    assert "the probability of any translation" in scores.assumed and "probability" not in least.assumed
    knows = "knows the subcorpus of each pair, and that half of each subcorpus is in"
    assert knows in scores.assumed and knows not in least.assumed
    assert "knows some pairs to be out" in TranslationOverlap(quantile=True).assumed
    methods = pd.DataFrame({"features": ["bleu", CALIBRATED, CENTRED]})
    remark = scores.remark({"methods": methods})
    assert remark == f"The adversary of {CENTRED} {knows}; that of {CALIBRATED} knows neither."
    assert least.remark({"methods": methods.head(1)}) == ""


@pytest.fixture
def with_quick_classifiers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fit neither network nor forest, for tests that look at rules beside the classifiers."""
    monkeypatch.setattr(rules, "CLASSIFIERS", CLASSIFIERS[:4])


def test_a_perfect_memory_is_found_out() -> None:
    attack = TranslationOverlap(service="translations")
    briefing = briefing_of(attack, 1.0)
    adversary = attack.prepare(briefing)
    seen, member, access = target(attack, briefing.pairs, 1.0)
    scores = adversary.judge(seen)
    assert np.mean((scores[adversary.answer] > 0) == member) > 0.95
    assert {method.rule for method in scores if method.features == "overlap"} == set(CLASSIFIERS)
    assert "reference" not in seen.features
    assert access.queries == 100


def test_no_memory_gives_chance() -> None:
    attack = TranslationOverlap(service="translations")
    briefing = briefing_of(attack, 0.0)
    adversary = attack.prepare(briefing)
    seen, member, _ = target(attack, briefing.pairs, 0.0)
    assert abs(np.mean((adversary.judge(seen)[adversary.answer] > 0) == member) - 0.5) < 0.15


def dull(seen: Observed) -> Observed:
    """Return the same with features that are all alike."""
    return replace(seen, features={name: np.full(len(values), 0.25) for name, values in seen.features.items()})


def test_features_that_never_vary_teach_nothing() -> None:
    attack = TranslationOverlap(service="translations")
    briefing = briefing_of(attack, 0.0)
    flat = tuple(replace(shadow, probed=dull(shadow.probed)) for shadow in briefing.shadows)
    seen, _, _ = target(attack, briefing.pairs, 0.0)
    answer = attack.prepare(replace(briefing, shadows=flat)).judge(dull(seen))
    assert all((scores <= 0).all() for method, scores in answer.items() if method.rule in CLASSIFIERS)


@pytest.mark.usefixtures("with_quick_classifiers")
def test_references_are_told_from_those_of_shadows_that_did_not_see_them() -> None:
    attack = TranslationOverlap()
    briefing = briefing_of(attack, 0.2)
    seen, member, access = target(attack, briefing.pairs, 0.2)
    scores = attack.prepare(briefing).judge(seen)
    for rule in ("one_threshold", "likelihood_ratio"):
        assert np.mean((scores[Method(CALIBRATED, rule)] > 0) == member) > 0.9
    assert access.queries == 200  # one translation and one score of the reference for each pair


@pytest.mark.usefixtures("with_quick_classifiers")
def test_a_subcorpus_that_no_shadow_knows_is_measured_by_itself() -> None:
    attack = TranslationOverlap()
    briefing = briefing_of(attack, 0.2)
    seen, member, _ = target(attack, briefing.pairs, 0.2)
    corpus = np.arange(len(member)) % 2
    away = replace(briefing.pairs, corpora=bitext(1, ("shared", "private")).corpora, corpus=corpus)
    easier = {**seen.features, "reference": seen.features["reference"] + 3.0 * corpus}
    scores = attack.prepare(replace(briefing, pairs=away)).judge(replace(seen, features=easier))
    right = {name: np.mean((scores[Method(name, "one_threshold")] > 0) == member) for name in (CALIBRATED, CENTRED)}
    assert right[CALIBRATED] < 0.8 < 0.9 < right[CENTRED]


def forgetful(briefing: Briefing) -> Briefing:
    """Return what the same adversary is given where its shadow models tell nothing of their own probes."""
    return replace(briefing, shadows=tuple(replace(each, probed=dull(each.probed)) for each in briefing.shadows))


@pytest.mark.usefixtures("with_quick_classifiers")
def test_who_chooses_fits_on_the_shadow_models_that_tell_more_of_those_left_out_behind_the_defense() -> None:
    attack = TranslationOverlap()
    behind, useless = briefing_of(attack, 0.6), forgetful(briefing_of(attack, 0.6)).shadows
    seen, _, _ = target(attack, behind.pairs, 0.6)
    alone = attack.prepare(behind).judge(seen)
    both = attack.prepare(replace(behind, undefended=useless)).judge(seen)
    calibrated = [method for method in alone if method.features in (CALIBRATED, CENTRED)]
    assert calibrated
    for method in alone:
        if method not in calibrated:
            np.testing.assert_array_equal(both[method], alone[method])
    swapped = attack.prepare(replace(behind, shadows=useless, undefended=behind.shadows))
    assert swapped.answer == attack.prepare(forgetful(behind)).answer, "nothing is told apart behind that defense"


@pytest.mark.usefixtures("with_quick_classifiers")
def test_who_chooses_calibrates_by_the_mean_of_both_kinds() -> None:
    attack = TranslationOverlap()
    behind, others = briefing_of(attack, 0.2), briefing_of(attack, 0.6)
    seen, _, _ = target(attack, behind.pairs, 0.2)
    one, other, both = (
        attack.prepare(replace(behind, shadows=shadows, undefended=undefended)).judge(seen)
        for shadows, undefended in (
            (behind.shadows, ()),
            (others.shadows, ()),
            (behind.shadows, others.shadows),
        )
    )
    for method in one:
        if method.features in (CALIBRATED, CENTRED):
            np.testing.assert_allclose(both[method], (one[method] + other[method]) / 2)


@pytest.mark.usefixtures("with_quick_classifiers")
def test_more_queries_are_counted_and_looked_at() -> None:
    attack = TranslationOverlap(service="translations", queries=3)
    briefing = briefing_of(attack, 1.0)
    seen, _, access = target(attack, briefing.pairs, 1.0)
    assert access.queries == 300
    assert {"perturbed_mean", "perturbed_least"} <= seen.features.keys()
    assert Method("several_queries", "perceptron") in attack.prepare(briefing).judge(seen)


def test_what_is_seen_is_kept_as_it_was() -> None:
    attack = TranslationOverlap()
    briefing = briefing_of(attack, 0.5)
    seen = briefing.shadows[0].probed
    again = Observed.from_arrays(seen.as_arrays())
    assert again.translations == seen.translations
    assert all((again.features[name] == values).all() for name, values in seen.features.items())
