"""Adversarial training changes the encoder itself, so only an encoder trained here can have it."""

from typing import Any

import numpy as np
import pytest

from core.access import EncoderInternals
from core.attacks.inversion.multilabel_inversion import MultilabelInversion
from core.defenses import TrainingOptions, training_options
from core.defenses.adversarial_training import AdversarialTraining
from core.defenses.dropout import Dropout
from core.defenses.rounding import Rounding
from core.errors import Incompatible, InvalidSpec
from core.experiment import Experiment, misfit
from core.games.embedding_defenses import Release
from core.models.dual_encoder import DualEncoder
from core.models.encoder import Encoder
from core.runtime.store import Store
from tests.attacks.test_sentence_similarity import SMALL, Letters
from tests.stand_ins import Constant, context

MODEL = DualEncoder(epochs=2, texts=Letters(people=20), **SMALL)
TEXTS = Letters(people=3).load().texts


def release(defenses: tuple[Any, ...], store: Store, *, opened: bool = False) -> Any:
    return Release(MODEL, defenses, TEXTS, (), 1, context(store)).access(TEXTS, opened=opened)


def test_victims_and_adaptive_queries_come_from_the_defended_encoder(store: Store) -> None:
    access = release((AdversarialTraining(strength=5.0),), store)
    np.testing.assert_allclose(access.query(TEXTS, defended=True), access.victims, atol=1e-6)
    assert not np.allclose(access.query(TEXTS), access.victims, atol=1e-2), (
        "the naive adversary queries the undefended encoder"
    )
    np.testing.assert_allclose(access.query(TEXTS), MODEL.encode(TEXTS, context(store)), atol=1e-6)


def test_a_defense_of_embeddings_is_applied_after_it(store: Store) -> None:
    plain, both = (release((AdversarialTraining(), *more), store) for more in ((), (Rounding(decimals=1),)))
    np.testing.assert_allclose(both.victims, np.round(plain.victims, 1), atol=1e-6)


def test_the_open_encoder_is_the_defended_one(store: Store) -> None:
    access = release((AdversarialTraining(strength=5.0),), store, opened=True)
    assert isinstance(access, EncoderInternals)
    assert access.encoder.identity == MODEL.train_encoder(TrainingOptions(adversary=5.0), context(store)).identity


def test_a_pretrained_encoder_cannot_have_it(store: Store) -> None:
    reason = misfit(MultilabelInversion, Encoder, (AdversarialTraining(),))
    assert reason == "adversarial_training changes how an encoder is trained. encoder is pretrained."
    assert misfit(MultilabelInversion, DualEncoder, (AdversarialTraining(),)) == ""
    with pytest.raises(InvalidSpec, match="encoder is pretrained"):
        Experiment.parse(
            {
                "attack": "multilabel_inversion",
                "dataset": "wikipedia_excerpt",
                "model": "encoder",
                "defenses": ["adversarial_training"],
            }
        )
    with pytest.raises(Incompatible, match="stand_ins is pretrained: no defense can change its training"):
        Release(Constant(), (AdversarialTraining(),), TEXTS, (), 1, context(store))


def test_other_training_options_are_refused(store: Store) -> None:
    with pytest.raises(Incompatible, match="dual_encoder supports adversarial training only"):
        MODEL.train_encoder(training_options((Dropout(),)), context(store))
