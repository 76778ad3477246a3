"""Language models are trained once, resume after being killed, and have the utility they report."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.access import language_models
from core.access.language_models import NextWords, TextProbabilities, TopProbabilities, WordProbabilities
from core.datasets.dictionaries.news_words import NewsWords
from core.errors import InvalidSpec
from core.models.transformer_lm import TransformerLm
from core.registry import parts
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.progress import Progress
from core.runtime.store import Store
from core.targets.trained_target import TrainedTarget
from core.targets.training_job import TrainingJob
from core.targets.word_language_model import WordLanguageModel, _vocabulary
from core.text.corpus import Corpus

MODELS = [cls for cls in parts("model") if issubclass(cls, WordLanguageModel)]
SMALL: dict[str, Any] = {
    "dimension": 16,
    "epochs": 4,
    "minimum_count": 2,
    "context": 8,
    "batch": 4,
    "learning_rate": 2e-2,
}


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.part_name())
def test_a_whole_dictionary_is_the_vocabulary_whatever_is_trained_on(model: type[WordLanguageModel]) -> None:
    public = model(minimum_count=0, dictionary=NewsWords(size=100))
    documents = Corpus.encode(["zebra zebra the"], public.vocabulary())
    assert _vocabulary(public, documents, None).words == NewsWords(size=100).load().words
    counted = public.replace(minimum_count=1)
    assert _vocabulary(counted, documents, None).words == ("the",)
    with pytest.raises(InvalidSpec, match="must be at least 1 without a dictionary"):
        model.parse({"minimum_count": 0})


class Killed(Exception):
    pass


class KilledAt(Progress):
    """Raises at a stage, like a killed process."""

    def __init__(self, stage: str) -> None:
        super().__init__()
        self._last = stage

    def stage(self, title: str, total: int = 0, done: int = 0) -> None:
        if title.startswith(self._last):
            raise Killed
        super().stage(title, total, done)


@pytest.fixture(scope="module")
def job() -> TrainingJob:
    rng = np.random.default_rng(0)
    follows = {word: rng.permutation(20)[:2] for word in range(20)}
    texts = []
    for _ in range(60):
        words = [int(rng.integers(20))]
        while len(words) < 15:
            words.append(int(rng.choice(follows[words[-1]])))
        texts.append(" ".join("abcdefghijklmnopqrst"[word] * 3 for word in words))
    selections = [np.arange(0, 40), np.arange(10, 50)]
    return TrainingJob(Corpus.encode(texts), selections, {"test": 1}, seed=3)


def train_targets(
    model: WordLanguageModel, job: TrainingJob, store: Store, **fields: Any
) -> tuple[list[TrainedTarget], RunContext]:
    context = RunContext(store=store, engine=Engine(workers=1), **fields)
    return model.train_targets(replace(job, identity={**job.identity, "model": model.identity()}), context), context


def predictions(targets: list[TrainedTarget], corpus: Corpus) -> list[list[str]]:
    words = [corpus.words[word] for word in corpus.document(0)]
    accesses = [target.access for target in targets]
    assert all(isinstance(access, NextWords) for access in accesses)
    return [access.query([words], [np.arange(len(words))])[0] for access in accesses]  # type: ignore[attr-defined]


@pytest.mark.parametrize("cls", MODELS, ids=lambda cls: cls.part_name())
def test_it_learns_which_word_follows(cls: type[WordLanguageModel], job: TrainingJob, shared_store: Store) -> None:
    targets, _ = train_targets(cls.parse(SMALL), job, shared_store)
    assert len(targets) == 2
    for target in targets:
        train, test = (target.utilities[f"perplexity_{name}"] for name in ("train", "test"))
        assert train.value < test.value * 1.2 < 12
        assert 20 <= (test.chance or 0) <= 22, "the words, the boundary, the unknown word"


@pytest.mark.sampled(every=2)  # all of them are trained by the same lines
@pytest.mark.parametrize("cls", MODELS, ids=lambda cls: cls.part_name())
def test_a_killed_training_resumes_and_ends_the_same(
    cls: type[WordLanguageModel], job: TrainingJob, store: Store, shared_store: Store
) -> None:
    model, job = cls.parse(SMALL), replace(job, selections=job.selections[:1])
    whole, _ = train_targets(model, job, shared_store)
    with pytest.raises(Killed):
        train_targets(model, job, store, progress=KilledAt("Training the target models, epoch 3"))
    again, context = train_targets(model, job, store)
    assert context.trainings == 2, "two epochs were stored"
    assert predictions(again, job.corpus) == predictions(whole, job.corpus)
    assert [target.utilities for target in again] == [target.utilities for target in whole]


def test_models_are_stored_without_their_training_state(job: TrainingJob, store: Store) -> None:
    model = TransformerLm.parse({**SMALL, "epochs": 1})
    first, _ = train_targets(model, job, store)
    files = list((store.root / "parts").glob("*/*.npz"))
    assert len(files) == 2
    again, context = train_targets(model, job, store)
    assert context.trainings == 0
    assert predictions(again, job.corpus) == predictions(first, job.corpus)


def test_every_suggestion_is_counted(job: TrainingJob, shared_store: Store) -> None:
    (target, _), _ = train_targets(TransformerLm.parse(SMALL), job, shared_store)
    access = target.access
    assert isinstance(access, NextWords)
    answers = access.query([["aaa", "bbb", "ccc"], ["zzz"]], [np.array([0, 2]), np.array([], dtype=np.int64)])
    assert [len(words) for words in answers] == [2, 0]
    assert access.queries == 2
    assert set(answers[0]) <= set(job.corpus.words)


def test_a_stronger_access_tells_losses_of_texts_and_counts_them(job: TrainingJob, shared_store: Store) -> None:
    model = TransformerLm.parse(SMALL)
    (target, _), _ = train_targets(model, replace(job, access=WordProbabilities), shared_store)
    access = target.access
    assert isinstance(access, WordProbabilities)
    texts = [["aaa", "zzz", "ccc"], ["bbb"]]
    losses, standings = access.losses(texts), access.standings(texts)
    assert access.queries == 4
    assert [np.isnan(row).tolist() for row in losses] == [[False, True, False], [False]]
    assert np.allclose(losses[0], standings[0][:, 0], atol=1e-5, equal_nan=True)
    weaker = train_targets(model, replace(job, access=TextProbabilities), shared_store)[0][0].access
    assert isinstance(weaker, TextProbabilities)
    assert not isinstance(weaker, WordProbabilities)


@pytest.mark.parametrize("kind", MODELS, ids=lambda kind: kind.part_name())
def test_who_sees_the_likeliest_words_knows_the_losses_of_these(
    kind: type[WordLanguageModel], job: TrainingJob, shared_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, text = kind.parse(SMALL), [["aaa", "bbb", "zzz", "ccc", "ddd"]]
    probabilities = train_targets(model, replace(job, access=TextProbabilities), shared_store)[0][0].access
    assert isinstance(probabilities, TextProbabilities)
    everything = probabilities.losses(text)[0]
    by_rank = {}
    for top in (1, 3, 1000):
        monkeypatch.setattr(language_models, "TOP", top)
        (target, _), _ = train_targets(model, replace(job, access=TopProbabilities), shared_store)
        assert isinstance(target.access, TopProbabilities)
        known = by_rank[top] = target.access.losses(text)[0]
        assert np.array_equal(np.isnan(known), np.isnan(everything))
        assert np.all(np.nan_to_num(known) <= np.nan_to_num(everything) + 1e-5)
    assert np.allclose(known, everything, atol=1e-5, equal_nan=True), "who sees all words knows all losses"
    assert np.nanmean(by_rank[1]) < np.nanmean(everything), "the likeliest is likelier than the others"
    assert target.access.queries == 1


def test_heads_that_do_not_divide_the_state_are_refused() -> None:
    with pytest.raises(InvalidSpec, match=r"multiple of its 4 heads\. Got 30 instead; 32 would do") as caught:
        TransformerLm.parse({"dimension": 30})
    assert caught.value.field == "dimension"
