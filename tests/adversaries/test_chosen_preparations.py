"""The choice between shadow models behind a defense and ones without it: by left-out ones, for each statistic."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from core.access import Access
from core.adversaries.shadows.preparations import Prepared
from core.adversaries.shadows.shadow_language_models import Measured, Ratio
from core.adversaries.text_scores import Parts
from core.attacks.likelihood_ratio import LikelihoodRatio
from core.attacks.translation_overlap import TranslationOverlap
from core.datasets.documents import Documents
from core.defenses.early_stopping import EarlyStopping
from core.defenses.subsampling import Subsampling
from core.experiment import Experiment
from core.result import Result
from core.runtime.store import Store
from core.statistics.likelihood_ratio import Rule, likelihood_ratio, offline_ratio, one_threshold
from tests.attacks.test_loss_membership import play

TARGETS, OUTSIDE = 6, 4
MEMBER = np.tile(np.array([[True] * 3 + [False] * 3, [False] * 3 + [True] * 3]), (4, 1))
RULE = Ratio(one_threshold)


def measured(gap: float, level: float = 0.0) -> Measured:
    """Return the losses of four pairs of shadow models, in which members score higher by a gap than others."""
    parts = [Parts(np.append(level + gap * row, np.zeros(OUTSIDE)), np.ones(TARGETS + OUTSIDE)) for row in MEMBER]
    return Measured([[["asked"]]] * TARGETS, [["word"]] * OUTSIDE, MEMBER, parts)


class Sure(Access):
    """A model that finds the documents of the targets likelier than those outside."""

    def losses(self, documents: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return the loss of each document."""
        return [np.array([-1.0 if words == ["asked"] else 0.0]) for words in documents]


class Seen:
    """A rule that notes the scores of each model that it is asked about."""

    def __init__(self) -> None:
        self.models: list[list[float]] = []

    def __call__(self, kind: Measured, parts: Parts) -> NDArray[np.float64]:
        """Call nobody a member."""
        assert not any(parts is of_shadow for of_shadow in kind.parts), "a model is left out where it is asked about"
        assert len(kind.parts) == len(MEMBER) - 2, "and the other of its pair"
        self.models.append(parts.above.tolist())
        return -np.ones(TARGETS)


def test_a_rule_decides_by_the_shadow_models_that_tell_it_more_of_left_out_ones() -> None:
    behind, alike, above = measured(1.0), measured(1.0), measured(1.0, level=5.0)
    assert Prepared(behind, above).told(RULE, behind) == 1
    assert Prepared(behind, above).told(RULE, above) == 0.5, "its threshold lies above all scores"
    for first, second, expected in ((behind, above, behind), (above, behind, above), (behind, alike, behind)):
        assert Prepared(first, second).better(RULE) is expected
        chosen = expected.adversary("rule", RULE)
        assert chosen.answer(0, Sure()).member is (expected is not above)
        assert (chosen.variant, chosen.shadows) == ("rule", 4)


@pytest.mark.parametrize("rule", [likelihood_ratio, offline_ratio], ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("pairs", [3, 4])
def test_shadow_models_that_tell_nothing_are_not_taken_however_few(rule: Rule, pairs: int) -> None:
    """Two pairs of shadow models set no threshold for the offline ratio, and a trial by its decisions would tie."""
    rng, targets = np.random.default_rng(pairs), 60
    half = rng.random((pairs, targets)) < 0.5
    member = np.stack([half, ~half], axis=1).reshape(-1, targets)
    texts = [[["asked"]]] * targets, [["word"]] * OUTSIDE

    def told(gap: float) -> Measured:
        noise = rng.normal(size=(2 * pairs, targets + OUTSIDE))
        above = noise + gap * np.pad(member, ((0, 0), (0, OUTSIDE)))
        return Measured(*texts, member, [Parts(row, np.ones(targets + OUTSIDE)) for row in above])

    behind, nothing = told(3.0), told(0.0)
    both = Prepared(behind, nothing)
    assert both.told(Ratio(rule), behind) > both.told(Ratio(rule), nothing)
    assert both.better(Ratio(rule)) is behind
    swapped = Prepared(replace(behind, parts=nothing.parts), behind)
    assert abs(swapped.told(Ratio(rule), behind) - 0.5) < 0.15, "of models that learnt nothing, none tells"


def test_only_shadow_models_behind_the_defense_are_asked_about() -> None:
    behind, without, rule = measured(1.0), measured(3.0), Seen()
    Prepared(behind, without).better(rule)
    asked = [parts.above.tolist() for parts in behind.parts]
    assert rule.models == asked * 2, "by both kinds"


def test_fewer_than_three_pairs_leave_no_choice() -> None:
    rule = Seen()
    for pairs in (1, 2):
        both = Prepared(measured(1.0), measured(3.0)).first(pairs)
        assert both.better(rule) is both.behind
    Prepared(measured(1.0)).better(rule)
    assert not rule.models


def behind_subsampling(planted: Documents, store: Store, **attack: Any) -> Result:
    """Return the attack behind subsampling."""
    played = {"part": "likelihood_ratio", "shadow_pairs": 4, **attack}
    return play(store, planted, played, defenses=[{"part": "subsampling"}])


def scores(result: Result, variant: str) -> pd.Series:
    """Return the scores of a variant, or of the attack itself, by target and play."""
    table, rivals = result.tables["scores"], result.tables["rivals"]
    of_variant = table if variant == "likelihood_ratio" else rivals[rivals["variant"] == variant]
    return of_variant.set_index(["target", "play"])["score"].sort_index()


def test_each_statistic_is_that_of_one_of_both_preparations(
    planted: Documents, store: Store, shared_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen, naive = (behind_subsampling(planted, shared_store, adaptive=adaptive) for adaptive in (True, False))
    with monkeypatch.context() as patched:
        patched.setattr(LikelihoodRatio, "preparations", lambda _, defenses: (tuple(defenses),))
        behind = behind_subsampling(planted, store)
    for rule in ("likelihood_ratio", "rmia", "offline_ratio"):
        assert any(scores(chosen, rule).equals(scores(other, rule)) for other in (behind, naive)), rule
    assert scores(chosen, "loss").equals(scores(behind, "loss")), "it needs no shadow models"
    is_behind = scores(chosen, "likelihood_ratio").equals(scores(behind, "likelihood_ratio"))
    assert is_behind != ("auc_behind_defense" in chosen.estimates), "it stands beside where the answer is another"
    with monkeypatch.context() as patched:
        patched.setattr(Prepared, "better", lambda prepared, _: prepared.without)
        without = behind_subsampling(planted, Store(root=store.root / "without", shipped=store.shipped))
    assert scores(without, "behind_defense").equals(scores(behind, "likelihood_ratio"))
    assert scores(without, "likelihood_ratio").equals(scores(naive, "likelihood_ratio"))
    assert without.estimates["auc_behind_defense"].value == behind.estimates["auc"].value
    assert not [name for each in (behind, naive) for name in each.estimates if "behind_defense" in name]


def test_who_knows_a_defense_prepares_twice_and_keys_without_one_stay() -> None:
    defense = Subsampling()
    for attack in (LikelihoodRatio, TranslationOverlap):
        adaptive, naive = attack(), attack(adaptive=False)
        assert adaptive.preparations([defense]) == ((defense,), ())
        assert adaptive.preparations([]) == naive.preparations([defense]) == ((),)
        stopped = EarlyStopping()
        assert adaptive.preparations([stopped]) == ((stopped,),), "without it, training would take as long as it allows"
        assert adaptive.preparations([defense, stopped]) == ((defense, stopped), (stopped,))
    demo = Experiment.preset("likelihood_ratio", "demo")
    defended = demo.replace(defenses=[defense])
    naive = defended.replace(attack=defended.attack.knowing(adaptive=False))
    assert defended.identity()["preparations_version"] == 1
    assert "preparations_version" not in {**demo.identity(), **naive.identity()}
