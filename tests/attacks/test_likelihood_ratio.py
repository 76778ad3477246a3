"""Likelihood ratios of shadow language models: memorised texts are found, and targets never trained on are not."""

from core.datasets.documents import Documents
from core.runtime.store import Store
from tests.attacks.test_loss_membership import MODEL, play
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
