"""Training options of several defenses are combined, or refused."""

import pytest

from core.defenses import TrainingOptions, training_options
from core.defenses.character_embeddings import CharacterEmbeddings
from core.defenses.dp_sgd import DpSgd
from core.defenses.dropout import Dropout
from core.defenses.early_stopping import EarlyStopping
from core.errors import Incompatible, InvalidSpec
from core.experiment import Experiment


def test_different_options_are_combined_in_any_order():
    chosen = [Dropout(inputs=0.3), EarlyStopping(patience=4), CharacterEmbeddings()]
    expected = TrainingOptions(dropout=(0.3, 0.1), patience=4, characters=True)
    assert training_options(chosen) == training_options(chosen[::-1]) == expected
    assert training_options([]) == TrainingOptions()


def test_two_values_of_one_option_are_refused():
    with pytest.raises(Incompatible, match="Two defenses set the dropout"):
        training_options([Dropout(), Dropout(inputs=0.5)])
    with pytest.raises(Incompatible, match="Two defenses set the promise"):
        training_options([DpSgd(), DpSgd(epsilon=1)])


def test_early_stopping_is_refused_beside_private_training():
    both = [EarlyStopping(), DpSgd()]
    with pytest.raises(Incompatible, match="data that the promise of dp_sgd does not cover"):
        training_options(both)
    with pytest.raises(InvalidSpec, match="data that the promise of dp_sgd does not cover"):
        Experiment.preset("canary_extraction", "demo", defenses=[defense.as_dict() for defense in both])
