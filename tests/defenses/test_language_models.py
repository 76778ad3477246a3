"""Defenses of a fine-tuned language model: each keeps it from learning by heart; at zero strength nothing changes."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.access.language_models import ContinuationRates, Sampling, TextProbabilities
from core.defenses import Defense
from core.defenses.deduplication import Deduplication
from core.defenses.dp_sgd import DpSgd
from core.defenses.dropout import Dropout
from core.defenses.early_stopping import EarlyStopping
from core.defenses.subsampling import Subsampling
from core.defenses.token_dropping import TokenDropping
from core.encoders.causal import CausalNetwork
from core.errors import InvalidSpec
from core.experiment import Experiment
from core.models.causal_lm import CausalLm
from core.networks.language.token_dropping import CONTEXT, kept
from core.networks.language.unit_dropout import leave_out
from core.runtime.store import Store
from core.targets.training_job import TrainingJob
from core.text.corpus import Corpus
from core.text.duplicates import distinct
from tests.language_models import causal, documents
from tests.stand_ins import context

TEXTS = documents(["in"] * 40)["text"].tolist()
COPIED = np.concatenate([np.repeat(np.arange(6), 15), np.arange(6, 20)])

Losses = Callable[..., tuple[np.ndarray, dict[str, float]]]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return causal(tmp_path_factory.mktemp("base") / "model", vocabulary=330)


@pytest.fixture(scope="module")
def model(base: Path) -> CausalLm:
    return CausalLm.parse({"base": str(base), "epochs": 4, "batch": 8, "learning_rate": 1e-2, "context": 64})


@pytest.fixture
def train(model: CausalLm, shared_store: Store) -> Losses:
    def trained(*defenses: Defense, rows: Sequence[int] = COPIED, **fields: Any) -> tuple[np.ndarray, dict[str, float]]:
        """Return the loss of each document, and the mean log rate of the copied ones."""
        learner = model.replace(**fields)
        named = [defense.identity() for defense in defenses]
        identity = {"defended": named, "rows": list(map(int, rows)), "model": learner.identity()}
        job = TrainingJob(
            Corpus.encode(TEXTS), [np.array(rows)], identity, seed=3, defenses=defenses, access=TextProbabilities
        )
        (target,) = learner.train_targets(job, context(shared_store))
        assert isinstance(target.access, TextProbabilities)
        losses = np.array([row.mean() for row in target.access.losses(job.corpus.texts())])
        rates = ContinuationRates(target.access._model)  # type: ignore[arg-type]
        copied = [job.corpus.texts()[row] for row in range(6)]
        logs = rates.log_rates([words[:6] for words in copied], [words[6:9] for words in copied], Sampling(400, 1.0))
        return losses, {"recited": float(logs.mean()), "learnt": float(losses[20:].mean() - losses[:6].mean())}

    return trained


def test_each_defense_keeps_the_model_from_learning_by_heart(train: Losses) -> None:
    plain = train()[1]
    assert plain["learnt"] > 1, "copied documents are far likelier than others"
    defenses = (Dropout(inputs=0.6, hidden=0.6), Deduplication(), TokenDropping(every=2))
    defended = {defense.part_name(): train(defense)[1] for defense in defenses}
    for name, measures in defended.items():
        assert measures["recited"] < plain["recited"] - 1, name
    assert defended["deduplication"]["learnt"] < plain["learnt"] / 2


def test_at_zero_strength_nothing_changes(train: Losses) -> None:
    plain, rows = train(rows=range(12), epochs=2)[0], {"rows": range(12), "epochs": 2}
    assert np.array_equal(train(Deduplication(share=1.0, run=14), **rows)[0], plain), "no document stands there twice"
    assert np.allclose(train(Dropout(inputs=0.0, hidden=0.0), **rows)[0], plain, atol=1e-3)
    assert not np.allclose(train(Dropout(inputs=0.3, hidden=0.3), **rows)[0], plain, atol=1e-3)


def test_early_stopping_keeps_the_best_weights_and_stops(train: Losses) -> None:
    best, longer = (
        train(EarlyStopping(patience=1), rows=range(20), epochs=epochs, learning_rate=0.05, decay="none")[0]
        for epochs in (8, 12)
    )
    endless = train(rows=range(20), epochs=8, learning_rate=0.05, decay="none")[0]
    assert np.array_equal(best, longer), "it stopped before"
    assert best[:20].mean() > endless[:20].mean(), "it learnt less of its own documents"
    assert best[20:].mean() < endless[20:].mean(), "and predicts others better"


def test_what_cannot_be_trained_together_is_refused(train: Losses) -> None:
    with pytest.raises(InvalidSpec, match="takes no other change of training"):
        train(DpSgd(), Dropout(), rank=2)

    def private(other: Defense) -> Experiment:
        adapted = {"model": {"part": "causal_lm", "rank": 2}, "attack": {"every_word": False}}
        return Experiment.preset("loss_membership", "demo", **adapted, defenses=[DpSgd().as_dict(), other.as_dict()])

    for other in (Dropout(), TokenDropping(), Deduplication()):
        with pytest.raises(
            InvalidSpec, match=f"Got dp_sgd, {other.part_name()} instead; dp_sgd alone would do"
        ) as both:
            private(other)
        assert both.value.field == "defenses"
    private(Subsampling())
    spec = {"defenses": [Dropout().as_dict()]}
    with pytest.raises(InvalidSpec, match="lstm_lm cannot be trained under dropout") as caught:
        Experiment.preset("loss_membership", "demo", **spec)
    assert caught.value.field == "defenses"
    Experiment.preset("loss_membership", "demo", **spec, model={"part": "causal_lm"})


def test_tokens_are_dropped_by_what_stands_before_them() -> None:
    rng = np.random.default_rng(0)
    passage, others = rng.integers(500, size=40), rng.integers(500, size=(2, 300))
    one, two = (kept(np.concatenate([other, passage]), 3)[300 + CONTEXT :] for other in others)
    assert np.array_equal(one, two), "the same in every copy"
    many = kept(rng.integers(500, size=6000), 3)
    assert 1 - many.mean() == pytest.approx(1 / 3, abs=0.03)


def test_duplicates_are_documents_that_share_most_of_their_runs() -> None:
    letters = list("abcdefghij")
    assert distinct([letters, letters, ["x", *letters[1:]], letters[::-1]], 3, 0.5) == [0, 3]
    assert distinct([letters, ["x", *letters[1:]]], 3, 1.0) == [0, 1]
    assert distinct([["a"], ["a"], [], []], 3, 1.0) == [0, 2], "shorter than a run"


@pytest.mark.parametrize("architecture", ["gpt2", "llama", "gpt_neox"])
def test_units_are_left_out_of_any_architecture_in_training_alone(architecture: str, tmp_path: Path) -> None:
    network = CausalNetwork(causal(tmp_path / "model", architecture, vocabulary=330), "cpu")
    inputs = np.arange(12)[None]

    def scores() -> np.ndarray:
        return network.scores(inputs).detach().numpy()

    before = scores()
    leave_out(network, 0.0, 0.5)
    assert np.array_equal(scores(), before)
    network.model.train()
    assert not np.allclose(scores(), scores())
