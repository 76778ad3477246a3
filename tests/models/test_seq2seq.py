"""A translator learns its pairs by heart, is the same however it is trained, and tells what it was on the way."""

import pickle
from collections.abc import Sequence
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
TAUGHT, UNTAUGHT = np.arange(30), np.arange(30, 40)


@pytest.fixture(scope="module")
def bitext() -> Bitext:
    """Sentences of numbers; a translation says other words backwards, and ends in one that nothing tells."""
    rng = np.random.default_rng(0)
    words = np.array(["one", "two", "three", "four", "five", "six"])
    others = np.array(["un", "deux", "trois", "quatre", "cinq", "six"])
    drawn = [rng.integers(6, size=rng.integers(3, 6)) for _ in range(40)]
    ends = rng.choice(["rouge", "vert", "bleu", "noir"], 40)
    sources = tuple(" ".join(words[row]) + "." for row in drawn)
    targets = tuple(" ".join(others[row[::-1]]) + f", {end}!" for row, end in zip(drawn, ends, strict=True))
    return Bitext(sources, targets, (Subcorpus("numbers", "Numbers"),), np.zeros(40, np.int64))


def job(
    bitext: Bitext, defenses: Sequence[Defense] = (), kept: tuple[int, ...] = (0, 1), *, two: bool = False
) -> TranslationJob:
    identity = {"test": 1, "defenses": [defense.identity() for defense in defenses]}
    return TranslationJob(bitext, [TAUGHT, TAUGHT[:25]] if two else [TAUGHT], UNTAUGHT, identity, 3, defenses, kept)


def released(
    given: TranslationJob, store: Store, context: dict[str, Any] | None = None, on_epoch: Any = len, **changes: Any
) -> list[TrainedTarget]:
    model = Seq2Seq(**{**SMALL, **changes})
    identity = {**given.identity, "model": model.identity()}
    given = TranslationJob(**{**vars(given), "identity": identity})
    return model.release(given, RunContext(store=store, **(context or {"engine": Engine(workers=1)})), on_epoch)


def access(release: TrainedTarget, passes: int | None = None) -> ScoringTranslator:
    found = release.access if passes is None else release.course[passes]
    assert isinstance(found, ScoringTranslator)
    return found


def scores(release: TrainedTarget, bitext: Bitext, passes: int | None = None) -> np.ndarray:
    return access(release, passes).log_probabilities(bitext.sources, bitext.targets)


@pytest.mark.parametrize("tying", ["three_way", "none"])
def test_pairs_learnt_by_heart_come_back_and_are_likelier_than_others(
    tying: str, bitext: Bitext, shared_store: Store
) -> None:
    release = released(job(bitext), shared_store, tying=tying, epochs=60, batch_tokens=100)[0]
    own, other = bitext.select(TAUGHT), bitext.select(UNTAUGHT)
    said, sure = access(release).scored(own.sources)
    assert np.mean([one == wanted for one, wanted in zip(said, own.targets, strict=True)]) >= 0.9
    assert sure.mean() > -0.1
    assert scores(release, own).min() > np.median(scores(release, other))
    assert release.passes[-1].loss < 0.1 < np.log(release.qualities["perplexity"].value)


def test_a_beam_finds_nothing_less_likely(bitext: Bitext, shared_store: Store) -> None:
    greedy, wide = (released(job(bitext), shared_store, beam=beam)[0] for beam in (1, 4))
    assert np.array_equal(scores(greedy, bitext), scores(wide, bitext)), "the same training"
    assert access(wide).scored(bitext.sources)[1].mean() >= access(greedy).scored(bitext.sources)[1].mean()


def test_a_release_tells_what_it_was_and_how_each_pass_ended(bitext: Bitext, shared_store: Store) -> None:
    release = released(job(bitext, kept=(0, 1, 9)), shared_store)[0]
    assert list(release.course) == [0, 1, 3]
    assert [one.number for one in release.passes] == [1, 2, 3]
    assert np.array_equal(scores(release, bitext, 3), scores(release, bitext))
    means = [scores(release, bitext, passes).mean() for passes in release.course]
    assert means == sorted(means)
    assert release.qualities["perplexity"].value == release.passes[-1].perplexity
    judged = bitext.select(UNTAUGHT)
    exact = access(release).log_probabilities(judged.sources, judged.targets)
    assert abs(np.log(release.passes[-1].perplexity) + exact.mean()) < 0.1, "a mean of tokens is near that of sentences"


def test_the_same_seed_gives_the_same_bytes_in_any_process(bitext: Bitext, store: Store) -> None:
    given = job(bitext, two=True)
    one = released(given, Store(root=store.root / "one", shipped=store.shipped))
    other = released(given, store, {"engine": Engine(workers=2)})
    for first, second in zip(one, other, strict=True):
        assert _bytes(first) == _bytes(second)
    assert _bytes(one[0]) != _bytes(one[1])


def test_a_killed_training_goes_on_and_ends_the_same(bitext: Bitext, store: Store) -> None:
    whole = released(job(bitext), Store(root=store.root / "whole", shipped=store.shipped))
    dying = {"engine": Engine(workers=1), "progress": KilledAt("Training the translators, epoch 3")}
    with pytest.raises(Killed):
        released(job(bitext), store, dying)
    again = released(job(bitext), store)
    for first, second in zip(whole, again, strict=True):
        assert first.passes == second.passes
        assert _bytes(first) == _bytes(second)


def test_a_translator_can_be_sent_to_another_process(bitext: Bitext, shared_store: Store) -> None:
    translator = access(released(job(bitext), shared_store)[0])._translation
    before = len(pickle.dumps(translator))
    said, sure = translator.translate(bitext.sources)
    sent = pickle.dumps(translator)
    assert len(sent) == before, "the network is not sent along"
    again, still = pickle.loads(sent).translate(bitext.sources)  # noqa: S301 - made here
    assert again == said
    assert np.array_equal(still, sure)


def test_one_by_one_gives_what_all_together_give(bitext: Bitext, shared_store: Store) -> None:
    translator = access(released(job(bitext), shared_store, epochs=8)[0])
    said, sure = translator.scored(bitext.sources)
    alone = [translator.scored([source]) for source in bitext.sources]
    assert [texts[0] for texts, _ in alone] == said
    np.testing.assert_allclose([one[0] for _, one in alone], sure, atol=1e-5)
    forced = [
        translator.log_probabilities([one], [other])[0]
        for one, other in zip(bitext.sources, bitext.targets, strict=True)
    ]
    np.testing.assert_allclose(forced, translator.log_probabilities(bitext.sources, bitext.targets), atol=1e-5)


def test_nothing_asked_is_nothing_answered(bitext: Bitext, shared_store: Store) -> None:
    translator = access(released(job(bitext), shared_store)[0])
    said, sure = translator.scored([])
    assert said == [] and sure.shape == (0,)
    assert translator.log_probabilities([], []).shape == (0,)


def test_early_stopping_keeps_the_best_pass(bitext: Bitext, shared_store: Store) -> None:
    long = {"epochs": 12, "learning_rate": 4e-2}
    release = released(job(bitext, [EarlyStopping(patience=2)]), shared_store, **long)[0]
    found = [one.perplexity for one in release.passes]
    assert len(found) < 12
    assert int(np.argmin(found)) == len(found) - 3
    assert max(release.course) == len(found) - 2
    assert release.qualities["perplexity"].value == min(found)
    judged = bitext.select(UNTAUGHT)
    again = released(job(bitext, kept=(len(found) - 2,)), shared_store, **long)[0]
    difference = scores(again, judged, len(found) - 2) - scores(release, judged)
    assert np.abs(difference).max() < 0.02, "what it was then, but for the halved bits"


def test_the_defense_takes_the_place_of_the_models_own_dropout(bitext: Bitext, shared_store: Store) -> None:
    plain = released(job(bitext), shared_store)[0]
    defended = released(job(bitext, [Dropout(inputs=0.5, hidden=0.5)]), shared_store)[0]
    neither = released(job(bitext, [Dropout(inputs=0.0, hidden=0.0)]), shared_store, dropout=0.9)[0]
    assert plain.passes[-1].loss < defended.passes[-1].loss
    assert plain.passes == neither.passes


def test_what_it_cannot_do_is_refused(bitext: Bitext, store: Store) -> None:
    with pytest.raises(Incompatible, match="seq2seq can do dropout and early stopping only"):
        released(job(bitext, [DpSgd()]), store)
    few = TranslationJob(bitext, [TAUGHT, TAUGHT[:5]], UNTAUGHT, {}, 1)
    with pytest.raises(Incompatible, match=r"at least 20 pairs of sentences\. There are 5 for one"):
        released(few, store)
    with pytest.raises(Incompatible, match="and there are none"):
        released(TranslationJob(bitext, [TAUGHT], TAUGHT[:0], {}, 1), store)
    with pytest.raises(InvalidSpec, match=r"multiple of twice its 4 heads\. Got 130 instead; 128 would do"):
        Seq2Seq.parse({"dimension": 130})


def _bytes(release: TrainedTarget) -> bytes:
    state = access(release)._translation.state  # type: ignore[attr-defined]
    return b"".join(state[name].tobytes() for name in sorted(state))
