"""Likelihood ratios of shadow language models: memorised texts are found, and targets never trained on are not."""

from pathlib import Path

import pytest

from core.adversaries.shadows.shadow_language_models import OwnModels
from core.attacks.likelihood_ratio import LikelihoodRatio
from core.datasets.documents import Documents
from core.defenses.dp_sgd import DpSgd
from core.errors import InvalidSpec
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.store import Store
from tests.attacks.test_loss_membership import GAME, MODEL, of_few_owners, play
from tests.stand_ins import Withholding

ATTACK = {"part": "likelihood_ratio", "shadow_pairs": 4}
VARIANTS = ("loss", "rmia", "offline_ratio")


@pytest.fixture(scope="module")
def all_pairs(planted: Documents, shared_store: Store) -> Result:
    """The attack with all of its shadow pairs alone."""
    return play(shared_store, planted, ATTACK)


@pytest.fixture(scope="module")
def null(planted: Documents, shared_store: Store) -> Result:
    """The attack with fewer pairs too, where no target is trained on."""
    brief = {**MODEL, "epochs": 1}
    return play(shared_store, planted, {**ATTACK, "fewer_pairs": [1, 2]}, model=brief, defenses=[Withholding()])


def test_memorised_texts_are_found_by_one_pool(all_pairs: Result) -> None:
    estimates = all_pairs.estimates
    assert estimates["auc_6"].above_chance()
    assert all(estimates[f"auc_{variant}_6"].value > 0.6 for variant in VARIANTS)
    assert estimates["accuracy_model_free"].low <= 0.5 <= estimates["accuracy_model_free"].high
    assert all_pairs.provenance.trainings == (4 + 2 * 4) * MODEL["epochs"], "one pool of eight serves every target"


def test_targets_never_trained_on_come_out_at_chance(null: Result) -> None:
    for name in ("auc", *(f"auc_{variant}" for variant in VARIANTS)):
        assert null.estimates[name].low <= 0.5 <= null.estimates[name].high, name


def test_a_base_that_was_left_as_it_is_orders_no_target(
    planted: Documents, shared_store: Store, tmp_path: Path
) -> None:
    few = {**GAME, "target_sizes": [1], "targets": 4, "documents": 20}
    base = {"part": "causal_lm", "epochs": 0, "context": 32}
    untouched = play(shared_store, of_few_owners(planted, tmp_path), ATTACK, model=base, game=few)
    assert untouched.provenance.trainings == 0
    area = untouched.estimates["auc"]
    assert (area.value, area.low, area.high) == (0.5, 0.5, 0.5)
    assert not untouched.estimates["accuracy"].above_chance()
    rivals = untouched.tables["rivals"]
    for variant in ("rmia", "offline_ratio"):
        assert not rivals.loc[rivals["variant"] == variant, "guess"].any(), f"{variant} exceeds no set by luck"


def test_fewer_pairs_attack_too_beside_statistics_that_need_none(
    planted: Documents, all_pairs: Result, shared_store: Store
) -> None:
    result = play(shared_store, planted, {**ATTACK, "fewer_pairs": [1, 2]})
    curve = result.tables["curve"].query("size == 6")
    attack = curve[curve["variant"] == "likelihood_ratio"].set_index("shadows")
    assert attack.index.tolist() == [1, 2, 4]
    assert attack.at[1, "auc"] > 0.6 and attack.at[4, "auc"] >= attack.at[1, "auc"]
    assert {"zlib_ratio", "min_k", "loss"} < set(curve["variant"])
    for name in ("accuracy", "auc", "auc_6"):
        assert result.estimates[name] == all_pairs.estimates[name], "all pairs give the answer"


def test_fewer_pairs_find_nothing_where_no_target_is_trained_on(null: Result) -> None:
    curve = null.tables["curve"].query("size == 0")
    attacked = curve[curve["variant"] == "likelihood_ratio"]
    assert ((attacked["auc_low"] <= 0.5) & (attacked["auc_high"] >= 0.5)).all()


def test_a_naive_adversary_trains_its_shadow_models_as_if_there_were_no_defense(
    planted: Documents, all_pairs: Result, shared_store: Store
) -> None:
    """Behind subsampling it takes those of the game without a defense; one who knows it trains others."""
    trained = [
        play(shared_store, planted, {**ATTACK, "adaptive": adaptive}, defenses=[{"part": "subsampling"}]).provenance
        for adaptive in (False, True)
    ]
    targets, shadows = 4 * MODEL["epochs"], 2 * 4 * MODEL["epochs"]
    assert all_pairs.provenance.trainings == targets + shadows
    assert [each.trainings for each in trained] == [targets, shadows], "both ask the same target models"


def test_shadow_models_of_a_naive_adversary_are_not_trained_privately(
    planted: Documents, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Trained(Exception):
        """The adversary begins to train."""

    def train(self: OwnModels, context: RunContext) -> None:
        raise Trained(*self.job.defenses)

    monkeypatch.setattr(OwnModels, "train", train)
    defenses = {}
    for adaptive in (True, False):
        with pytest.raises(Trained) as begun:
            play(store, planted, {**ATTACK, "adaptive": adaptive}, defenses=["dp_sgd"])
        defenses[adaptive] = begun.value.args
    assert defenses == {True: (DpSgd(),), False: ()}


def test_a_naive_adversary_finds_nothing_where_no_target_is_trained_on(planted: Documents, shared_store: Store) -> None:
    withheld = play(shared_store, planted, {**ATTACK, "adaptive": False}, defenses=[Withholding()])
    assert withheld.estimates["auc"].low <= 0.5 <= withheld.estimates["auc"].high


def test_a_naive_adversary_is_named_so_and_keys_of_adaptive_ones_stay() -> None:
    adaptive, naive = (LikelihoodRatio.parse({**ATTACK, "adaptive": value}) for value in (True, False))
    assert adaptive.named == "Likelihood ratio" and naive.named == "Likelihood ratio (naive adversary)"
    assert "adaptive" not in adaptive.identity() and adaptive.key != naive.key


def test_fewer_pairs_are_fewer_and_keys_from_before_them_stay() -> None:
    with pytest.raises(InvalidSpec, match=r"must be below the 4 shadow pairs\. Got 4 instead; 3 would do"):
        LikelihoodRatio.parse({**ATTACK, "fewer_pairs": [1, 4]})
    assert "fewer_pairs" not in LikelihoodRatio.parse(ATTACK).identity()
    assert LikelihoodRatio.parse({**ATTACK, "fewer_pairs": [1]}).key != LikelihoodRatio.parse(ATTACK).key
