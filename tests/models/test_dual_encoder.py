"""A dual encoder learns from sentences in their order, keeps what it was on the way, and can be looked into."""

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
    texts, places = segmented(Letters(people=20, texts=2).load(), "sentences")
    half = len(texts) // 2
    selections = [np.arange(half), np.arange(half, len(texts))]
    return TrainingJob(Corpus.encode(texts), selections, {"test": 1}, seed=3, places=places)


def released(job: TrainingJob, store: Store, epochs: int = 3, **fields: Any) -> tuple[list[TrainedTarget], RunContext]:
    context = RunContext(store=store, engine=Engine(workers=1), **fields)
    return DualEncoder(epochs=epochs, **SMALL).release(job, context), context


def asked(release: TrainedTarget, passes: int | None = None) -> np.ndarray:
    access = release.access if passes is None else release.course[passes]
    assert isinstance(access, TextEmbeddings)
    return access.query(["Baro celi dumo.", "Fista."])


def test_each_release_answers_and_tells_what_it_was_before(job: TrainingJob, store: Store) -> None:
    releases, _ = released(job, store)
    for release in releases:
        assert list(release.course) == [0, 1, 2, 3]
        assert np.array_equal(asked(release, 3), asked(release))
        assert not np.allclose(asked(release, 2), asked(release), atol=1e-3)
        assert {"neighbours_train", "neighbours_test"} == set(release.qualities)
    assert not np.allclose(asked(releases[0], 0), asked(releases[1], 0)), "each begins elsewhere"


def test_longer_training_finds_the_neighbours_it_was_taught_and_no_others(job: TrainingJob, store: Store) -> None:
    quality = released(job, store, epochs=25)[0][0].qualities
    train, test = (quality[f"neighbours_{part}"] for part in ("train", "test"))
    assert train.value >= 0.4 > 0.2 > test.value
    assert train.chance == test.chance == 1 / 40, "each half has 40 pairs, fewer than would be asked about"


def test_one_encoder_has_the_interval_over_what_it_was_asked_and_several_that_over_themselves(
    job: TrainingJob, store: Store
) -> None:
    releases, _ = released(job, store, epochs=25)
    qualities = [release.qualities["neighbours_train"] for release in releases]
    alone, together = (utility_estimates(some, 1)["neighbours_train"] for some in (releases[:1], releases))
    assert (alone.low, alone.high) == qualities[0].interval
    assert alone.low < alone.value == qualities[0].value < alone.high
    width = 2 * 1.96 * (alone.value * (1 - alone.value) / alone.decisions) ** 0.5
    assert alone.decisions == 40
    assert alone.high - alone.low == pytest.approx(width, rel=0.15), "that of a share of independent answers"
    assert (together.low, together.high) == tuple(sorted(one.value for one in qualities))
    assert together.decisions == 0


def test_the_vocabulary_is_the_same_whoever_trains(job: TrainingJob, store: Store) -> None:
    """Words of the other half have vectors of their own too, so not knowing a word tells nothing."""
    first, _ = released(job, store)[0]
    words = sorted({word for row in job.selections[1] for word in job.corpus.texts()[row]})
    access = first.access
    assert isinstance(access, TextEmbeddings)
    assert len(np.unique(access.query([*words, "zzz"]), axis=0)) == len(words) + 1


def test_a_killed_training_goes_on_and_ends_the_same(job: TrainingJob, store: Store) -> None:
    whole, _ = released(job, Store(root=store.root / "whole", shipped=store.shipped))
    with pytest.raises(Killed):
        released(job, store, progress=KilledAt("Training the encoders, epoch 3"))
    again, context = released(job, store)
    assert context.trainings == 2, "two passes of two encoders were kept"
    for one, other in zip(whole, again, strict=True):
        assert all(np.array_equal(asked(one, passes), asked(other, passes)) for passes in range(4))


def test_without_the_order_of_sentences_it_refuses(store: Store) -> None:
    with pytest.raises(Incompatible, match="dual_encoder learns from sentences in their order"):
        released(TrainingJob(Corpus.encode(["a b"]), [np.arange(1)], {}, seed=1), store)


def test_too_few_pairs_are_refused(store: Store) -> None:
    texts, places = segmented(Documents(("One two three four. Five six seven eight.",)), "sentences")
    job = TrainingJob(Corpus.encode(texts), [np.arange(2)], {}, seed=1, places=places)
    with pytest.raises(Incompatible, match=r"at least 20 pairs of sentences that follow each other\. There are 1:"):
        released(job, store)


def test_it_reads_nothing_back_without_texts_to_learn_from(store: Store) -> None:
    with pytest.raises(Incompatible, match=r"dual_encoder has nothing to learn from\. Choose documents"):
        DualEncoder().encode(["a"], RunContext(store=store))


@pytest.mark.parametrize("body", BODIES)
def test_seen_from_inside_it_gives_what_it_gives_from_outside(body: Any, store: Store) -> None:
    model = DualEncoder(body=body, epochs=1, texts=Letters(people=20), **SMALL)
    context = RunContext(store=store, engine=Engine(workers=1))
    opened = model.opened(context)
    words = ["baro", "celi", "dumo"]
    inputs = torch.from_numpy(opened.word_vectors(words))[None].requires_grad_()
    vectors = opened.embed(torch.cat([inputs, torch.zeros(1, 2, inputs.shape[2])], dim=1), torch.tensor([3]))
    np.testing.assert_allclose(vectors.detach().numpy(), model.encode(["Baro celi dumo"], context), atol=1e-5)
    (vectors * torch.arange(vectors.shape[1])).sum().backward()  # type: ignore[no-untyped-call]
    assert inputs.grad is not None and inputs.grad.abs().sum() > 0
    assert context.trainings == 1, "trained once, found after"
    assert opened.identity != model.replace(epochs=2).opened(context).identity


def test_only_what_is_trained_here_can_be_asked_for_its_training() -> None:
    assert misfit(SentenceSimilarity, DualEncoder) == ""
    assert "needs the embedding of any text" in misfit(SentenceSimilarity, Encoder)
    assert EncoderInternals in DualEncoder.provides
