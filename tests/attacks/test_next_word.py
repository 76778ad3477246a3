"""Membership through the next word: found where it is planted, at chance where nothing is in, and all is counted."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest

from core.access import Access, NextWords
from core.datasets.documents import Documents
from core.defenses import Defense
from core.errors import InvalidSpec
from core.experiment import Experiment, run
from core.lab import Lab
from core.result import Result
from core.store import Store

GAME = {"rules": "half", "users": "owners", "target_sizes": [10], "targets": 8, "plays": 4, "documents": 60}
MODEL = {
    "part": "lstm_lm", "dimension": 32, "layers": 1, "epochs": 14, "minimum_count": 1, "context": 12, "batch": 4,
    "learning_rate": 1e-2,
}  # fmt: skip
EMBEDDING = {"dimension": 16, "minimum_count": 2, "epochs": 15, "window": 3, "subsampling": 0}


class Withholding(Defense):
    """Never trains on the targets, whatever the coin says."""

    title: ClassVar[str] = "withholding"
    protects: ClassVar[type[Access]] = NextWords

    def on_data(self, documents: Sequence[int], rng: np.random.Generator) -> Sequence[int]:
        return []


def play(store: Store, dataset: Any, **changes: Any) -> Result:
    attack = {"part": "next_word", "shadow_pairs": 15, "embedding": EMBEDDING, **changes.pop("attack", {})}
    model, game = {**MODEL, **changes.pop("model", {})}, {**GAME, **changes.pop("game", {})}
    experiment = Experiment.parse({"attack": attack, "dataset": dataset, "model": model, "game": game, **changes})
    return run(experiment, Lab(store=store))[0]


@pytest.fixture
def habits(tmp_path: Path) -> Documents:
    """Documents of 40 owners, in which every word has a usual follower, and each owner an unusual one for one word."""
    rng = np.random.default_rng(0)
    starts, ends = ("ba", "ce", "di", "fo", "gu", "ha"), ("lan", "mer", "nis", "pok", "rut")
    words = np.array([start + end for start in starts for end in ends])
    usual = dict(zip(words, np.roll(words, 1), strict=True))
    rows = []
    for owner in range(40):
        first, second = rng.choice(words, 2, replace=False)
        for _ in range(12):
            text = [rng.choice(words)]
            while len(text) < 24:
                habit = text[-1] == first
                text.append(second if habit else usual[text[-1]] if rng.random() < 0.7 else rng.choice(words))
            text[3:5] = first, second
            text[13:15] = first, second
            rows.append({"text": " ".join(text), "owner": f"owner {owner}"})
    path = tmp_path / "habits.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    return Documents(source=str(path), owner_column="owner")


@pytest.mark.parametrize("model", ["lstm_lm", "transformer_lm"])
def test_a_habit_shows_in_the_next_word_alone(habits: Documents, model: str, store: Store) -> None:
    result = play(store, habits, model={"part": model}, game={"targets": 14, "plays": 8, "documents": 80})
    found = result.estimates
    assert found["accuracy"].value > found["accuracy_all_pairs"].value
    assert found["auc"].low > 0.5
    assert found["accuracy_all_pairs"].value == 0.5
    assert found["recall_all_pairs"].value == 1, "every user has a usual pair, which any model completes"
    assert found["perplexity_test"].value < 20
    assert found["queries"].value < found["queries_all_pairs"].value / 3
    assert found["queries_all_pairs"].value == 10 * 23


def test_what_was_asked_and_said_adds_up(habits: Documents, store: Store) -> None:
    result = play(store, habits, model={"epochs": 4}, attack={"dictionary": None})
    pairs, contexts, verdicts = (result.findings[name] for name in ("pairs", "contexts", "verdicts"))
    assert verdicts.groupby("play")["member"].sum().eq(4).all()
    assert (verdicts["completed"] <= verdicts["asked"]).all()
    scores = result.findings["scores"].merge(verdicts, on=["target", "play"])
    assert ((scores["completed"] > 0) == scores["guess"]).all()
    assert np.allclose(scores["score"], scores["completed"] / scores["asked"].clip(lower=1))
    asked = pairs.groupby("target")["contexts"].sum()
    assert (asked == verdicts.groupby("target")["asked"].first()).all()
    assert result.estimates["queries"].value == pytest.approx(asked.mean())
    texts = habits.load().texts
    rows = result.findings["targets"].set_index("target")["documents"]
    for context in contexts.itertuples():
        words = texts[rows[context.target][context.document]].split()
        assert (words[context.place - 1], words[context.place]) == (context.before, context.word)
    shares = pd.concat([pairs[["completed_in", "completed_out"]], contexts[["completed_in", "completed_out"]]])
    assert (shares.isna() | ((shares >= 0) & (shares <= 1))).all(axis=None)


def test_targets_never_used_come_out_at_chance(habits: Documents, store: Store) -> None:
    result = play(store, habits, defenses=[Withholding()], model={"epochs": 4})
    for name in ("accuracy", "auc"):
        assert result.estimates[name].low <= 0.5 <= result.estimates[name].high


def test_what_is_decided_after_training_trains_nothing(habits: Documents, store: Store) -> None:
    few = {"epochs": 2}
    trained = play(store, habits, model=few, attack={"shadow_pairs": 5}).provenance.trainings
    assert trained == 4 * 2 + 2 * 5, "a pass of a language model counts as one, and so does a shadow embedding"
    for change in ({"distance": "l2"}, {"dictionary": "lee_news"}):
        attack = {"shadow_pairs": 5, **change}
        if "dictionary" in change:
            with pytest.raises(InvalidSpec, match="holds Words is needed"):
                play(store, habits, model=few, attack=attack)
        else:
            assert play(store, habits, model=few, attack=attack).provenance.trainings == 0


def test_without_a_known_pair_nothing_is_asked(habits: Documents, store: Store) -> None:
    attack = {"shadow_pairs": 5, "embedding": {**EMBEDDING, "minimum_count": 10_000}}
    result = play(store, habits, model={"epochs": 1}, attack=attack)
    assert result.estimates["queries"].value == 0
    assert result.estimates["recall"].value == 0
    assert result.findings["pairs"].empty


def test_it_needs_next_words() -> None:
    with pytest.raises(InvalidSpec, match="the likeliest next word"):
        Experiment.preset("next_word", "demo", model={"part": "word2vec"})
    with pytest.raises(InvalidSpec, match="the vector of any word"):
        Experiment.preset("word_pairs", "demo", model={"part": "lstm_lm"})
