"""What target models are trained on, and what an audit may take for promised."""

from dataclasses import replace

import numpy as np
import pytest

from core.attacks.loss_membership import LossMembership
from core.defenses.dp_sgd import DpSgd
from core.errors import Incompatible
from core.games.membership.contract import Briefing, Target
from core.games.membership.training import audited_delta, check_trainable
from core.models.causal_lm import CausalLm
from core.statistics.privacy import DELTA
from core.targets.training_job import TrainingJob
from core.text.corpus import Corpus


@pytest.mark.parametrize(
    ("defenses", "delta"), [([], DELTA), ([DpSgd(delta=1e-6)], 1e-6), ([DpSgd(delta=1e-6, unit="owner")], None)]
)
def test_promises_to_documents_are_audited_and_those_to_owners_are_not(
    defenses: list[DpSgd], delta: float | None
) -> None:
    assert audited_delta(defenses) == delta


@pytest.mark.parametrize(("trained_on", "proposed"), [(20, 20), (40, 35)])
def test_a_batch_that_is_proposed_suits_the_trainer_and_the_adversary(trained_on: int, proposed: int) -> None:
    corpus, attack, private = Corpus.encode(["a word"] * 51), LossMembership(), [DpSgd()]
    model = CausalLm(rank=8, batch=4096)
    targets = (Target("one", 1, (50,)),)
    briefing = Briefing(corpus, targets, np.arange(50), 40, model, tuple(private), seed=1)  # 35 of 50 not set aside
    job = TrainingJob(corpus, [np.arange(trained_on)], {}, 1, defenses=private)
    with pytest.raises(Incompatible, match=f"A batch of {proposed} would do") as refused:
        check_trainable(attack, briefing, model, job)
    fitting = model.replace(batch=refused.value.fits["model.batch"])
    check_trainable(attack, replace(briefing, model=fitting), fitting, job)
