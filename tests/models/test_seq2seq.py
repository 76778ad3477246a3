"""A translator memorises its pairs, is reproducible, and keeps snapshots."""

import pickle
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest

from core.access import ScoringTranslator
from core.defenses import Defense
from core.defenses.dp_sgd import DpSgd
from core.defenses.dropout import Dropout
from core.defenses.early_stopping import EarlyStopping
from core.errors import Incompatible, InvalidSpec
from core.models.seq2seq import Seq2Seq
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.store import Store
from core.targets.trained_target import TrainedTarget
from core.targets.training_job import TranslationJob
from core.text.bitext import Bitext, Subcorpus
from tests.models.test_language_models import Killed, KilledAt

SMALL: dict[str, Any] = {
    "layers": 1,
    "dimension": 32,
    "heads": 2,
    "feed_forward": 64,
    "pieces": 340,
    "epochs": 3,
    "dropout": 0.0,
    "label_smoothing": 0.0,
    "batch_tokens": 200,
    "learning_rate": 1e-2,
    "warm_up": 10,
}
TRAINING, HELD_OUT = np.arange(30), np.arange(30, 40)


@pytest.fixture(scope="module")
def bitext() -> Bitext:
    """Sentences of numbers; a translation is reversed, and ends in a random word."""
    rng = np.random.default_rng(0)
    words = np.array(["one", "two", "three", "four", "five", "six"])
    others = np.array(["un", "deux", "trois", "quatre", "cinq", "six"])
    drawn = [rng.integers(6, size=rng.integers(3, 6)) for _ in range(40)]
    ends = rng.choice(["rouge", "vert", "bleu", "noir"], 40)
    sources = tuple(" ".join(words[row]) + "." for row in drawn)
    targets = tuple(" ".join(others[row[::-1]]) + f", {end}!" for row, end in zip(drawn, ends, strict=True))
    return Bitext(sources, targets, (Subcorpus("numbers", "Numbers"),), np.zeros(40, np.int64))


def job(
    bitext: Bitext, defenses: Sequence[Defense] = (), snapshot_epochs: tuple[int, ...] = (0, 1), *, two: bool = False
) -> TranslationJob:
    identity = {"test": 1, "defenses": [defense.identity() for defense in defenses]}
    selections = [TRAINING, TRAINING[:25]] if two else [TRAINING]
    return TranslationJob(bitext, selections, HELD_OUT, identity, 3, defenses, snapshot_epochs)


def train_targets(
    given: TranslationJob, store: Store, context: dict[str, Any] | None = None, on_epoch: Any = len, **changes: Any
) -> list[TrainedTarget]:
    model = Seq2Seq(**{**SMALL, **changes})
    identity = {**given.identity, "model": model.identity()}
    given = TranslationJob(**{**vars(given), "identity": identity})
    return model.train_targets(given, RunContext(store=store, **(context or {"engine": Engine(workers=1)})), on_epoch)


def access(target: TrainedTarget, epoch: int | None = None) -> ScoringTranslator:
    translator = target.access if epoch is None else target.snapshots[epoch]
    assert isinstance(translator, ScoringTranslator)
    return translator


def scores(target: TrainedTarget, bitext: Bitext, epoch: int | None = None) -> np.ndarray:
    return access(target, epoch).log_probabilities(bitext.sources, bitext.targets)


@pytest.mark.parametrize("tying", ["three_way", pytest.param("none", marks=pytest.mark.exhaustive)])
def test_memorised_pairs_are_translated_exactly_and_likelier_than_others(
    tying: str, bitext: Bitext, shared_store: Store
) -> None:
    target = train_targets(job(bitext), shared_store, tying=tying, epochs=60, batch_tokens=100)[0]
    training, others = bitext.select(TRAINING), bitext.select(HELD_OUT)
    translations, nats = access(target).scored(training.sources)
    assert np.mean([text == truth for text, truth in zip(translations, training.targets, strict=True)]) >= 0.9
    assert nats.mean() > -0.1
    assert scores(target, training).min() > np.median(scores(target, others))
    assert target.epochs[-1].loss < 0.1 < np.log(target.utilities["perplexity"].value)


def test_a_wider_beam_finds_likelier_translations(bitext: Bitext, shared_store: Store) -> None:
    greedy, wide = (train_targets(job(bitext), shared_store, beam=beam)[0] for beam in (1, 4))
    assert np.array_equal(scores(greedy, bitext), scores(wide, bitext)), "the same training"
    assert access(wide).scored(bitext.sources)[1].mean() >= access(greedy).scored(bitext.sources)[1].mean()


@pytest.mark.parametrize("tying", ["three_way", "none"])
def test_a_target_has_snapshots_and_the_loss_of_each_epoch(tying: str, bitext: Bitext, shared_store: Store) -> None:
    target = train_targets(job(bitext, snapshot_epochs=(0, 1, 9)), shared_store, tying=tying)[0]
    assert list(target.snapshots) == [0, 1, 3]
    assert [epoch.number for epoch in target.epochs] == [1, 2, 3]
    assert np.array_equal(scores(target, bitext, 3), scores(target, bitext))
    means = [scores(target, bitext, epoch).mean() for epoch in target.snapshots]
    assert means == sorted(means)
    assert target.utilities["perplexity"].value == target.epochs[-1].perplexity
    validation = bitext.select(HELD_OUT)
    exact = access(target).log_probabilities(validation.sources, validation.targets)
    assert abs(np.log(target.epochs[-1].perplexity) + exact.mean()) < 0.1, (
        "the mean over tokens is close to that over sentences"
    )


def test_the_same_seed_gives_the_same_bytes_and_each_target_its_own(bitext: Bitext, store: Store) -> None:
    given = job(bitext, two=True)
    first, again = (
        _trained_bytes(given, Store(root=store.root / name, shipped=store.shipped)) for name in ("one", "two")
    )
    assert first == again
    assert first[0] != first[1]


@pytest.mark.exhaustive
def test_the_same_seed_gives_the_same_bytes_in_any_process(bitext: Bitext, store: Store) -> None:
    """Within a process the test above shows it; of what depends on the process, `test_subwords.py` shows it."""
    given = job(bitext, two=True)
    first = _trained_bytes(given, Store(root=store.root / "one", shipped=store.shipped))
    with ProcessPoolExecutor(1, get_context("spawn")) as elsewhere:
        assert elsewhere.submit(_trained_bytes, given, store).result() == first


def _trained_bytes(given: TranslationJob, store: Store) -> list[bytes]:
    return [_bytes(target) for target in train_targets(given, store)]


def test_a_killed_training_resumes_and_ends_the_same(bitext: Bitext, store: Store) -> None:
    whole = train_targets(job(bitext), Store(root=store.root / "whole", shipped=store.shipped))
    dying = {"engine": Engine(workers=1), "progress": KilledAt("Training the translators, epoch 3")}
    with pytest.raises(Killed):
        train_targets(job(bitext), store, dying)
    again = train_targets(job(bitext), store)
    for first, second in zip(whole, again, strict=True):
        assert first.epochs == second.epochs
        assert _bytes(first) == _bytes(second)


def test_a_translator_can_be_sent_to_another_process(bitext: Bitext, shared_store: Store) -> None:
    translator = access(train_targets(job(bitext), shared_store)[0])._translation
    before = len(pickle.dumps(translator))
    translations, nats = translator.translate(bitext.sources)
    pickled = pickle.dumps(translator)
    assert len(pickled) == before, "the network is not pickled"
    same_translations, same_nats = pickle.loads(pickled).translate(bitext.sources)  # noqa: S301 - made here
    assert same_translations == translations
    assert np.array_equal(same_nats, nats)


def test_translations_do_not_depend_on_the_batch(bitext: Bitext, shared_store: Store) -> None:
    translator = access(train_targets(job(bitext), shared_store, epochs=8)[0])
    some = bitext.select(np.arange(0, len(bitext.sources), 4))
    translations, nats = translator.scored(some.sources)
    alone = [translator.scored([source]) for source in some.sources]
    assert [texts[0] for texts, _ in alone] == translations
    np.testing.assert_allclose([scores[0] for _, scores in alone], nats, atol=1e-5)
    forced = [
        translator.log_probabilities([source], [target])[0]
        for source, target in zip(some.sources, some.targets, strict=True)
    ]
    np.testing.assert_allclose(forced, translator.log_probabilities(some.sources, some.targets), atol=1e-5)


def test_no_queries_give_no_answers(bitext: Bitext, shared_store: Store) -> None:
    translator = access(train_targets(job(bitext), shared_store)[0])
    translations, nats = translator.scored([])
    assert translations == [] and nats.shape == (0,)
    assert translator.log_probabilities([], []).shape == (0,)


def test_early_stopping_restores_the_best_epoch(bitext: Bitext, shared_store: Store) -> None:
    long = {"epochs": 12, "learning_rate": 4e-2}
    target = train_targets(job(bitext, [EarlyStopping(patience=2)]), shared_store, **long)[0]
    perplexities = [epoch.perplexity for epoch in target.epochs]
    assert len(perplexities) < 12
    assert int(np.argmin(perplexities)) == len(perplexities) - 3
    assert max(target.snapshots) == len(perplexities) - 2
    assert target.utilities["perplexity"].value == min(perplexities)
    validation = bitext.select(HELD_OUT)
    again = train_targets(job(bitext, snapshot_epochs=(len(perplexities) - 2,)), shared_store, **long)[0]
    difference = scores(again, validation, len(perplexities) - 2) - scores(target, validation)
    assert np.abs(difference).max() < 0.02, "equal up to half precision"


def test_the_defense_replaces_the_models_own_dropout(bitext: Bitext, shared_store: Store) -> None:
    plain = train_targets(job(bitext), shared_store)[0]
    defended = train_targets(job(bitext, [Dropout(inputs=0.5, hidden=0.5)]), shared_store)[0]
    neither = train_targets(job(bitext, [Dropout(inputs=0.0, hidden=0.0)]), shared_store, dropout=0.9)[0]
    assert plain.epochs[-1].loss < defended.epochs[-1].loss
    assert plain.epochs == neither.epochs


def test_unsupported_jobs_are_refused(bitext: Bitext, store: Store) -> None:
    with pytest.raises(Incompatible, match="seq2seq supports dropout and early stopping only"):
        train_targets(job(bitext, [DpSgd()]), store)
    few = TranslationJob(bitext, [TRAINING, TRAINING[:5]], HELD_OUT, {}, 1)
    with pytest.raises(Incompatible, match=r"at least 20 pairs of sentences\. There are 5 for one"):
        train_targets(few, store)
    with pytest.raises(Incompatible, match="and there are none"):
        train_targets(TranslationJob(bitext, [TRAINING], TRAINING[:0], {}, 1), store)
    with pytest.raises(InvalidSpec, match=r"multiple of twice its 4 heads\. Got 130 instead; 128 would do"):
        Seq2Seq.parse({"dimension": 130})


def _bytes(target: TrainedTarget) -> bytes:
    state = access(target)._translation.state  # type: ignore[attr-defined]
    return b"".join(state[name].tobytes() for name in sorted(state))
