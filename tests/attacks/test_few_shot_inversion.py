"""Inversion from few pairs: a secret rotation falls to them, no pairs tell nothing, and noise tells nothing."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.adversaries.leaked_pairs import PairMap, drawn_folds
from core.adversaries.pair_words import PairWords
from core.attacks.inversion.few_shot_inversion import FewShotInversion
from core.errors import InvalidSpec
from core.experiment import Experiment, run
from core.models.encoder import Encoder
from core.result import Result
from core.runtime.store import Store
from tests.encoders.tiny import tiny
from tests.stand_ins import Noise, Sentences, Turning, WordBag, context


def play(store: Store, folder: Path, **changes: Any) -> Result:
    local = str(tiny(folder / "encoder"))
    attack = {"pairs": 150, "epochs": 10, "batch": 20, "learning_rate": 0.02, **changes.pop("attack", {})}
    experiment = Experiment.parse(
        {
            "attack": FewShotInversion(local=local, text="red blue", **attack),
            "dataset": Sentences(count=changes.pop("count", 400), share=0),
            "model": Encoder(source=local, length="unit"),
            "game": {"pieces": "texts", "victims": 100},
            **changes,
        }
    )
    return run(experiment, context(store))[0]


def test_a_secret_rotation_falls_to_few_pairs(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learnt, learn = [], PairMap.learn

    def counted(*arguments: Any) -> PairMap:
        learnt.append(arguments)
        return learn(*arguments)

    monkeypatch.setattr(PairMap, "learn", counted)
    result = play(store, tmp_path, defenses=[Turning()], game={"pieces": "texts", "victims": 50})
    assert len(learnt) == 1, "who knows the defense and who does not have the same pairs, and so the same map"
    assert result.estimates["queries"].value == 150, "it sees the vectors of the leaked texts and no others"
    assert result.estimates["f1"].low > result.estimates["f1"].chance
    assert result.estimates["f1_naive"] == result.estimates["f1"].model_copy(
        update={"help": result.estimates["f1_naive"].help}
    ), "the pairs leak behind the defense, whoever holds them"
    explained = result.tables["map"]["explained"]
    assert explained.iloc[0] > 0.9
    assert result.tables["map"]["share"].sum() == pytest.approx(1, abs=1e-3)


def test_without_pairs_or_behind_noise_it_knows_frequencies_only(store: Store, tmp_path: Path) -> None:
    for changes in ({"attack": {"pairs": 0}}, {"model": Noise()}):
        result = play(store, tmp_path, **changes)
        assert result.estimates["f1"].value <= result.estimates["f1"].chance + 0.03
        assert (result.tables["map"]["explained"] < 0.1).all()


def test_more_pairs_explain_more(store: Store) -> None:
    rng = np.random.default_rng(0)
    every = rng.normal(size=(900, 12)).astype(np.float32)
    vectors = np.tanh(every @ rng.normal(size=(12, 40))).astype(np.float32)
    maps = []
    for count in (20, 400, 400):
        folds, run_context = drawn_folds(count, np.random.default_rng(1)), context(store)
        maps.append(PairMap.learn(vectors[:count], every[:count], every, folds, run_context))
    few, many, again = maps
    assert run_context.trainings == 0 and (again.weights == many.weights).all(), "a map is fitted once, and kept"
    assert many.crossed.shape == (400, len(many.shares))
    assert many.explained.mean() > few.explained.mean() + 0.1
    assert many.error.mean() < few.error.mean() or many.shrinkage.mean() > few.shrinkage.mean()
    missed = many(vectors[500:]) - many.axes(every[500:])
    spread = np.sqrt(many.error**2 + ((1 - many.shrinkage) * many.axes(every).std(axis=0)) ** 2)
    assert np.allclose(missed.std(axis=0), spread, rtol=0.25), "the blur is that of vectors that taught nothing"


def test_words_are_learnt_from_pairs_alone_and_unseen_ones_not_ruled_out(store: Store) -> None:
    rng = np.random.default_rng(0)
    present = (rng.random((700, 20)) < 0.3).astype(np.float32)
    present[:400, -1] = 0  # a word that no pair has
    vectors = (present @ rng.normal(size=(20, 32)) + 0.1 * rng.normal(size=(700, 32))).astype(np.float32)
    frequency, sizes = present.mean(axis=0), present.sum(axis=1).astype(np.int64)
    alone = PairWords.learn(vectors[:400], present[:400], sizes[:400], frequency, drawn_folds(400, rng), context(store))
    probabilities = alone.probabilities(vectors[400:])
    assert ((probabilities > 0.5) == present[400:])[:, :-1].mean() > 0.97
    assert probabilities[:, -1].mean() == pytest.approx(frequency[-1], abs=0.05)
    assert ((alone.crossed > 0.5) == present[:400]).mean() > 0.97
    assert probabilities.min() > 0 and probabilities.max() < 1
    shuffled = rng.permutation(400)
    nothing = PairWords.learn(
        vectors[:400], present[shuffled], sizes[shuffled], frequency, drawn_folds(400, rng), context(store)
    )
    assert np.abs(nothing.crossed - frequency).mean() < 0.1, "of pairs that tell nothing, frequencies are left"


def test_an_own_encoder_that_tells_nothing_is_given_no_weight(store: Store, tmp_path: Path) -> None:
    sighted = play(store, tmp_path, count=600)
    weights = sighted.tables["weights"]
    assert weights["weight"].tolist() == [1.0, 0.75, 0.5, 0.25, 0.0]
    assert weights["left_out_f1"].idxmax() < 4, "the same encoder is worth more than the pairs alone"
    blind = play(store, tmp_path, count=600, model=WordBag(dimension=64))
    assert blind.tables["weights"]["left_out_f1"].idxmax() >= 3
    assert blind.estimates["f1"].low > blind.estimates["f1"].chance + 0.1


def test_what_it_may_ask_for_is_said_as_it_is() -> None:
    assert FewShotInversion().returned() == "the vectors of the leaked texts only"


def test_an_encoder_that_is_none_is_refused_by_name() -> None:
    with pytest.raises(InvalidSpec, match="Did you mean 'minilm'"):
        FewShotInversion.parse({"local": "minlm"})
