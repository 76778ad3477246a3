"""The intent and slot model: vectors that separate digits, a history of each epoch, and access to the network."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.datasets.dictionaries.news_words import NewsWords
from core.datasets.requests.assistant_requests import AssistantRequests
from core.defenses import TrainingOptions
from core.errors import Incompatible
from core.models.bilstm_crf import HISTORY, BilstmCrf, Blueprint, RequestTrainingJob, history
from core.models.fasttext import FastText
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.seeding import generator
from core.runtime.store import Store
from core.statistics.privacy import Promise
from core.text.canary import PATTERNS
from core.text.contents import Utterances
from core.text.corpus import Corpus
from core.text.request_vocabulary import RequestVocabulary
from tests.stand_ins import Sentences

if TYPE_CHECKING:
    from core.networks.private_steps import PrivateSteps

REQUESTS = AssistantRequests(utterances=200).load()
VOCABULARY = RequestVocabulary.of(REQUESTS.of("train"))
SMALL = BilstmCrf(vectors="random", dimension=8, hidden=8, epochs=3, learning_rate=1e-2)
PIN = PATTERNS["pin"]
CANARY = Utterances(((*PIN.prefix, *"4711"),), (PIN.slots(4),), (PIN.intent,), ("train",))
PLAIN = TrainingOptions()
PROMISE = TrainingOptions(promise=Promise(8, 1e-3, 1.0, ()))


@pytest.fixture
def context(store: Store) -> RunContext:
    return RunContext(store=store, engine=Engine(workers=1))


def job(
    vectors: np.ndarray, options: TrainingOptions = PLAIN, networks: int = 2, requests: Utterances = REQUESTS
) -> RequestTrainingJob:
    blueprint = Blueprint(VOCABULARY, vectors, options)
    return RequestTrainingJob(requests, blueprint, [CANARY] * networks, [(9, 1)] * networks, {"test": 1}, seed=1)


def vectors_of(model: BilstmCrf, context: RunContext, options: TrainingOptions = PLAIN) -> np.ndarray:
    return model.word_vectors(REQUESTS.of("train"), VOCABULARY, options, "test", context)


@pytest.mark.parametrize("vectors", ["fasttext", "random"])
def test_word_vectors_have_equal_length_and_separate_digits(vectors: Any, context: RunContext) -> None:
    word_vectors = vectors_of(BilstmCrf(vectors=vectors, dimension=24), context)
    assert word_vectors.shape == (len(VOCABULARY.words), 24) and word_vectors.dtype == np.float32
    assert (word_vectors**2).mean() == pytest.approx(1, abs=0.1)
    digits = word_vectors[VOCABULARY.numbers("0123456789")]
    digits /= np.linalg.norm(digits, axis=1, keepdims=True)
    assert (digits @ digits.T)[np.triu_indices(10, 1)].max() < 0.9


def mean_cosine(digits: np.ndarray) -> float:
    digits = digits / np.linalg.norm(digits, axis=1, keepdims=True)
    return float((digits @ digits.T)[np.triu_indices(len(digits), 1)].mean())


def test_whitening_separates_the_digits_of_few_texts(context: RunContext) -> None:
    requests = AssistantRequests().load().of("train")
    request_vocabulary, digits = RequestVocabulary.of(requests), tuple("0123456789")
    learner = FastText(mode="skip_gram", dimension=64, epochs=5)
    assert mean_cosine(learner.vectors_for(Corpus.of(requests.words), digits, generator(0)).vectors) > 0.9
    whitened = BilstmCrf().word_vectors(requests, request_vocabulary, PLAIN, "digits", context)
    assert mean_cosine(whitened[request_vocabulary.numbers(digits)]) < 0.3


def test_there_may_be_fewer_words_than_dimensions(context: RunContext) -> None:
    wide = BilstmCrf(dimension=len(VOCABULARY.words) + 50, hidden=8, epochs=1)
    word_vectors = vectors_of(wide, context)
    assert word_vectors.shape == (len(VOCABULARY.words), wide.dimension) and np.isfinite(word_vectors).all()
    assert wide.train(job(word_vectors, networks=1), context)[0]["history"].shape == (1, len(HISTORY))


def test_private_training_gives_fasttext_public_texts_only(context: RunContext) -> None:
    with pytest.raises(Incompatible, match="Choose public 'texts', or 'random' vectors"):
        vectors_of(BilstmCrf(), context, PROMISE)
    public = BilstmCrf(dimension=8, texts=Sentences(count=200))
    other = AssistantRequests(utterances=400).load().of("train")
    mine, theirs = (
        public.word_vectors(requests, VOCABULARY, PROMISE, name, context)
        for name, requests in (("first", REQUESTS.of("train")), ("second", other))
    )
    assert np.array_equal(mine, theirs), "whatever the requests are"
    assert "playlist" not in RequestVocabulary.of(REQUESTS.of("train"), NewsWords().load().words).words


def test_each_epoch_is_evaluated_and_stored(context: RunContext) -> None:
    reported: list[list[dict[str, Any]]] = []
    context.progress.partial = reported.append  # type: ignore[method-assign, assignment]
    trained = SMALL.train(job(vectors_of(SMALL, context)), context)
    assert [len(rows) for rows in reported] == [2, 4, 6], "two networks, three epochs"
    rows = [row for item in trained for row in history(item, trained[item])]
    assert rows == reported[-1]
    assert [(row["model"], row["pass"]) for row in rows] == [(0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3)]
    losses = trained[0]["history"][:, 0]
    assert (np.diff(losses) < 0).all()
    assert context.trainings == 6
    again = RunContext(store=context.store, engine=Engine(workers=1))
    same = SMALL.train(job(vectors_of(SMALL, again)), again)
    assert again.trainings == 0 and all((same[1][name] == trained[1][name]).all() for name in trained[1])
    assert not [name for name in trained[0] if name.startswith(("exp_avg", "step"))], "training state is not kept"


def test_an_open_network_shows_its_weights_and_is_fixed(context: RunContext) -> None:
    vectors = vectors_of(SMALL, context)
    trained = SMALL.replace(epochs=1).train(job(vectors, networks=1), context)[0]
    access = SMALL.open(Blueprint(VOCABULARY, vectors, TrainingOptions()), trained)
    shown = access.parameters()
    assert (shown["vectors"].numpy() == vectors).all()
    for name, array in trained.items():
        if name.startswith("weight."):
            assert (shown[name.removeprefix("weight.")].numpy() == array).all()
    inputs = access.describe((*PIN.prefix, *"4711"))[None, None].clone().requires_grad_()  # (1, 1, time, d)
    loss = access.losses(inputs.expand(-1, 3, -1, -1), [PIN.intent], [PIN.slots(4)])
    assert loss.shape == (1, 3) and access.queries == 3
    loss.sum().backward()
    assert inputs.grad is not None and float(inputs.grad.abs().max()) > 0
    assert not any(parameter.requires_grad for parameter in shown.values())


def test_the_option_of_characters_adds_inputs(context: RunContext) -> None:
    options = TrainingOptions(characters=True)
    vectors = vectors_of(SMALL, context)
    trained = SMALL.replace(epochs=1).train(job(vectors, options, networks=1), context)[0]
    access = SMALL.open(Blueprint(VOCABULARY, vectors, options), trained)
    assert access.describe(["4"]).shape[1] > SMALL.dimension


def test_private_training_is_reproducible_and_refuses_a_meaningless_delta(
    context: RunContext, tmp_path: Path, private_steps: list["PrivateSteps"]
) -> None:
    private = TrainingOptions(promise=Promise(50, 1e-3, 1.0, ()))
    model = SMALL.replace(epochs=1, batch=32)
    vectors = vectors_of(model, context, private)
    few = Utterances(REQUESTS.words[:40], REQUESTS.slots[:40], REQUESTS.intents[:40], ("train",) * 40)
    training = job(vectors, private, networks=1, requests=few)
    one = model.train(training, context)[0]
    two = model.train(training, RunContext(store=Store(root=tmp_path / "other"), engine=Engine(workers=1)))[0]
    assert all((one[name] == two[name]).all() for name in one)
    assert {steps.norm for steps in private_steps} == {1.0}
    assert min(steps.noise for steps in private_steps) > 0.1
    with pytest.raises(Incompatible, match="would count as private"):
        SMALL.train(job(vectors, TrainingOptions(promise=Promise(8, 0.1, 1.0, ())), networks=1), context)
