"""Likelihood ratios of shadow language models: memorised texts are found, and targets never trained on are not."""

import pytest

from core.attacks.likelihood_ratio import LikelihoodRatio
from core.datasets.documents import Documents
from core.errors import InvalidSpec
from core.runtime.store import Store
from tests.attacks.test_loss_membership import GAME, MODEL, play
from tests.stand_ins import Withholding

ATTACK = {"part": "likelihood_ratio", "shadow_pairs": 4}
VARIANTS = ("loss", "rmia", "offline_ratio")


def test_memorised_texts_are_found_by_one_pool(planted: Documents, shared_store: Store) -> None:
    result = play(shared_store, planted, ATTACK)
    found = result.estimates
    assert found["auc_6"].above_chance()
    assert all(found[f"auc_{variant}_6"].value > 0.6 for variant in VARIANTS)
    assert found["accuracy_model_free"].low <= 0.5 <= found["accuracy_model_free"].high
    assert result.provenance.trainings == (4 + 2 * 4) * MODEL["epochs"], "one pool of eight models serves every target"


def test_targets_never_trained_on_come_out_at_chance(planted: Documents, shared_store: Store) -> None:
    null = play(shared_store, planted, ATTACK, defenses=[Withholding()]).estimates
    for name in ("auc", *(f"auc_{variant}" for variant in VARIANTS)):
        assert null[name].low <= 0.5 <= null[name].high, name


def test_a_base_that_was_left_as_it_is_orders_no_target(planted: Documents, shared_store: Store) -> None:
    few = {**GAME, "target_sizes": [1], "targets": 4, "documents": 20}
    base = {"part": "causal_lm", "epochs": 0, "context": 32}
    untouched = play(shared_store, planted, ATTACK, model=base, game=few)
    assert untouched.provenance.trainings == 0
    area = untouched.estimates["auc"]
    assert (area.value, area.low, area.high) == (0.5, 0.5, 0.5)
    assert not untouched.estimates["accuracy"].above_chance()


def test_fewer_pairs_attack_too_beside_statistics_that_need_none(planted: Documents, shared_store: Store) -> None:
    whole = play(shared_store, planted, ATTACK)
    result = play(shared_store, planted, {**ATTACK, "fewer_pairs": [1, 2]})
    curve = result.tables["curve"].query("size == 6")
    attack = curve[curve["variant"] == "likelihood_ratio"].set_index("shadows")
    assert attack.index.tolist() == [1, 2, 4]
    assert attack.at[1, "auc"] > 0.6 and attack.at[4, "auc"] >= attack.at[1, "auc"]
    assert {"zlib_ratio", "min_k", "loss"} < set(curve["variant"])
    for name in ("accuracy", "auc", "auc_6"):
        assert result.estimates[name] == whole.estimates[name], "all pairs give the answer"


def test_fewer_pairs_find_nothing_where_no_target_is_trained_on(planted: Documents, shared_store: Store) -> None:
    attack = {**ATTACK, "fewer_pairs": [1, 2]}
    curve = play(shared_store, planted, attack, defenses=[Withholding()]).tables["curve"].query("size == 0")
    attacked = curve[curve["variant"] == "likelihood_ratio"]
    assert ((attacked["auc_low"] <= 0.5) & (attacked["auc_high"] >= 0.5)).all()


def test_fewer_pairs_are_fewer_and_keys_from_before_them_stay() -> None:
    with pytest.raises(InvalidSpec, match=r"must be below the 4 shadow pairs\. Got 4 instead; 3 would do"):
        LikelihoodRatio.parse({**ATTACK, "fewer_pairs": [1, 4]})
    assert "fewer_pairs" not in LikelihoodRatio.parse(ATTACK).identity()
    assert LikelihoodRatio.parse({**ATTACK, "fewer_pairs": [1]}).key != LikelihoodRatio.parse(ATTACK).key
