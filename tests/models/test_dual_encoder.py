"""A dual encoder is trained on neighbouring sentences, keeps snapshots, and can be opened."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from core.access import EncoderInternals, TextEmbeddings
from core.attacks.sentence_similarity import SentenceSimilarity
from core.errors import Incompatible
from core.experiment import misfit
from core.models.dual_encoder import DualEncoder
from core.models.encoder import Encoder
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.store import Store
from core.statistics.intervals import mean_over_models
from core.targets.trained_target import TrainedTarget, utility_estimates
from core.targets.training_job import TrainingJob
from core.text.contents import Documents
from core.text.corpus import Corpus
from core.text.segments import segmented
from tests.attacks.test_sentence_similarity import SMALL, Letters
from tests.models.test_language_models import Killed, KilledAt

BODIES = ("lstm", "transformer")


@pytest.fixture(scope="module")
def job() -> TrainingJob:
    texts, positions = segmented(Letters(people=20, texts=2).load(), "sentences")
    half = len(texts) // 2
    selections = [np.arange(half), np.arange(half, len(texts))]
    return TrainingJob(Corpus.encode(texts), selections, {"test": 1}, seed=3, positions=positions)


def train_targets(
    job: TrainingJob, store: Store, epochs: int = 3, **fields: Any
) -> tuple[list[TrainedTarget], RunContext]:
    context = RunContext(store=store, engine=Engine(workers=1), **fields)
    job = replace(job, identity={**job.identity, "epochs": epochs})
    return DualEncoder(epochs=epochs, **SMALL).train_targets(job, context), context


def embeddings(target: TrainedTarget, epoch: int | None = None) -> np.ndarray:
    access = target.access if epoch is None else target.snapshots[epoch]
    assert isinstance(access, TextEmbeddings)
    return access.query(["Baro celi dumo.", "Fista."])


def test_each_target_has_snapshots(job: TrainingJob, shared_store: Store) -> None:
    targets, _ = train_targets(job, shared_store)
    for target in targets:
        assert list(target.snapshots) == [0, 1, 2, 3]
        assert np.array_equal(embeddings(target, 3), embeddings(target))
        assert not np.allclose(embeddings(target, 2), embeddings(target), atol=1e-3)
        assert {"neighbours_train", "neighbours_test"} == set(target.utilities)
    assert not np.allclose(embeddings(targets[0], 0), embeddings(targets[1], 0)), "initial weights differ"


def test_longer_training_memorises_its_own_pairs_only(job: TrainingJob, shared_store: Store) -> None:
    utilities = train_targets(job, shared_store, epochs=25)[0][0].utilities
    train, test = (utilities[f"neighbours_{part}"] for part in ("train", "test"))
    assert train.value >= 0.4 > 0.2 > test.value
    assert train.chance == test.chance == 1 / 40, "each half has 40 pairs, all of which are tested"


def test_one_encoder_has_the_interval_over_its_pairs_and_several_that_over_encoders(
    job: TrainingJob, shared_store: Store
) -> None:
    targets, _ = train_targets(job, shared_store, epochs=25)
    utilities = [target.utilities["neighbours_train"] for target in targets]
    alone, together = (utility_estimates(models)["neighbours_train"] for models in (targets[:1], targets))
    assert (alone.low, alone.high) == utilities[0].interval
    assert alone.low < alone.value == utilities[0].value < alone.high
    width = 2 * 1.96 * (alone.value * (1 - alone.value) / alone.decisions) ** 0.5
    assert alone.decisions == 40
    assert alone.high - alone.low == pytest.approx(width, rel=0.15), "that of a share of independent answers"
    few = mean_over_models(np.array([utility.value for utility in utilities]), share=True)
    assert (together.value, together.low, together.high) == few
    assert together.decisions == 0


def test_the_vocabulary_is_the_same_for_every_trainer(job: TrainingJob, shared_store: Store) -> None:
    """Words of the other half have own vectors too, so an unknown word does not reveal membership."""
    first, _ = train_targets(job, shared_store)[0]
    words = sorted({word for row in job.selections[1] for word in job.corpus.texts()[row]})
    access = first.access
    assert isinstance(access, TextEmbeddings)
    assert len(np.unique(access.query([*words, "zzz"]), axis=0)) == len(words) + 1


def test_a_killed_training_resumes_and_ends_with_the_same_bytes(
    job: TrainingJob, store: Store, shared_store: Store
) -> None:
    whole, _ = train_targets(job, shared_store)
    with pytest.raises(Killed):
        train_targets(job, store, progress=KilledAt("Training the encoders, epoch 3"))
    again, context = train_targets(job, store)
    assert context.trainings == 2, "two epochs of two encoders were stored"
    for left, right in zip(whole, again, strict=True):
        assert all(np.array_equal(embeddings(left, epoch), embeddings(right, epoch)) for epoch in range(4))


def test_without_the_order_of_sentences_it_refuses(store: Store) -> None:
    with pytest.raises(Incompatible, match="dual_encoder learns from sentences in their order"):
        train_targets(TrainingJob(Corpus.encode(["a b"]), [np.arange(1)], {}, seed=1), store)


def test_too_few_pairs_are_refused(store: Store) -> None:
    texts, positions = segmented(Documents(("One two three four. Five six seven eight.",)), "sentences")
    job = TrainingJob(Corpus.encode(texts), [np.arange(2)], {}, seed=1, positions=positions)
    with pytest.raises(Incompatible, match=r"at least 20 pairs of sentences that follow each other\. There are 1:"):
        train_targets(job, store)


def test_without_texts_it_cannot_encode(store: Store) -> None:
    with pytest.raises(Incompatible, match=r"dual_encoder has nothing to learn from\. Choose documents"):
        DualEncoder().encode(["a"], RunContext(store=store))


@pytest.mark.parametrize("body", BODIES)
def test_the_open_encoder_gives_the_same_embeddings(body: Any, store: Store) -> None:
    model = DualEncoder(body=body, epochs=1, texts=Letters(people=20), **SMALL)
    context = RunContext(store=store, engine=Engine(workers=1))
    opened = model.open_encoder(context)
    words = ["baro", "celi", "dumo"]
    inputs = torch.from_numpy(opened.word_vectors(words))[None].requires_grad_()
    vectors = opened.embed(torch.cat([inputs, torch.zeros(1, 2, inputs.shape[2])], dim=1), torch.tensor([3]))
    np.testing.assert_allclose(vectors.detach().numpy(), model.encode(["Baro celi dumo"], context), atol=1e-5)
    (vectors * torch.arange(vectors.shape[1])).sum().backward()  # type: ignore[no-untyped-call]
    assert inputs.grad is not None and inputs.grad.abs().sum() > 0
    assert context.trainings == 1, "trained once, then read from the store"
    assert opened.identity != model.replace(epochs=2).open_encoder(context).identity


@pytest.mark.parametrize("body", BODIES)
def test_the_open_encoder_cuts_long_texts_off_where_it_cuts_words(body: Any, store: Store) -> None:
    model = DualEncoder(body=body, epochs=1, texts=Letters(people=20), **{**SMALL, "length": 3})
    context = RunContext(store=store, engine=Engine(workers=1))
    opened = model.open_encoder(context)
    inputs = torch.from_numpy(opened.word_vectors(["baro", "celi", "dumo", "baro", "dumo"]))[None]
    vectors = opened.embed(inputs, torch.tensor([5])).detach().numpy()
    np.testing.assert_allclose(vectors, model.encode(["Baro celi dumo baro dumo"], context), atol=1e-5)
    np.testing.assert_allclose(vectors, model.encode(["Baro celi dumo"], context), atol=1e-5)


def test_only_an_encoder_trained_here_can_be_attacked_for_its_training_data() -> None:
    assert misfit(SentenceSimilarity, DualEncoder) == ""
    assert "needs the embedding of any text" in misfit(SentenceSimilarity, Encoder)
    assert EncoderInternals in DualEncoder.provides
