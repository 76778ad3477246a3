"""Pattern reconstruction finds what a linear code plants, and only that."""

from typing import Any

import numpy as np
import pytest

from core.attacks.pattern_reconstruction import PatternReconstruction, positions
from core.datasets.patterns.citizen_ids import CitizenIds
from core.errors import Incompatible
from core.games.inference import Inference
from core.runtime.store import Store
from core.text.contents import Documents, Patterns
from tests.stand_ins import Codes, PositionCode, context

QUICK = {"samples": 800, "steps": 200, "batch": 64, "learning_rate": 0.03, "hidden": "wide"}


def play(store: Store, seed: int = 1, **attack: Any) -> tuple[Any, Any]:
    played = PatternReconstruction.parse({**QUICK, **attack})
    return Inference(victims=80).play(Codes(labelled=False), PositionCode(), (), played, seed, context(store))


@pytest.mark.parametrize(
    "settings",
    [
        {},
        pytest.param({"hidden": "paper"}, marks=pytest.mark.exhaustive),  # the same: the paper tells dates apart
        {"positions": "shared", "steps": 350, "learning_rate": 0.02},
    ],
)
def test_a_linear_code_of_the_characters_is_read(settings: dict[str, Any], shared_store: Store) -> None:
    estimates, tables = play(shared_store, **settings)
    for name in ("accuracy", "accuracy_first", "accuracy_middle", "accuracy_last", "accuracy_whole"):
        assert estimates[name].value > 0.95, name
        assert estimates[name].above_chance()
    assert estimates["accuracy_first"].chance == pytest.approx(1 / 8)
    assert estimates["accuracy_whole"].chance == pytest.approx(1 / 512)
    assert estimates["top5_first"].value >= estimates["accuracy_first"].value
    guesses = tables["guesses"].pivot(index="row", columns="secret", values="guess")
    texts = Codes(labelled=False).load().texts
    whole = [" ".join(guess[["first", "middle", "last"]]) == texts[row] for row, guess in guesses.iterrows()]
    assert np.mean(whole) == pytest.approx(estimates["accuracy_whole"].value)


def test_the_likeliest_values_stand_in_order(shared_store: Store) -> None:
    _, tables = play(shared_store)
    likeliest = tables["likeliest"]
    assert len(likeliest) == 80 * 3 * 5
    first = likeliest.query("place == 1").set_index(["victim", "secret"])["value"]
    guesses = tables["guesses"].set_index(["victim", "secret"])["guess"]
    assert (first.sort_index() == guesses.sort_index()).all()
    falls = likeliest.groupby(["victim", "secret"])["probability"].apply(lambda column: column.is_monotonic_decreasing)
    assert falls.all()
    values = likeliest.groupby(["victim", "secret"])["value"].nunique()
    assert (values == 5).all()


def test_training_is_shown_in_passes_and_each_once(shared_store: Store) -> None:
    for steps in (200, 10):
        curve = play(shared_store, steps=steps)[1]["curve"]
        counts = curve.groupby(["secret", "epochs"]).size()
        assert (counts == 1).all()
        assert curve["epochs"].max() == max(1, steps * 64 // 800)


def test_the_seed_decides_and_training_is_kept(store: Store) -> None:
    meant = context(store)
    attack = PatternReconstruction.parse({**QUICK, "steps": 40})
    for trainings in (3, 3):
        Inference(victims=80).play(Codes(labelled=False), PositionCode(), (), attack, 1, meant)
        assert meant.trainings == trainings, "the second game finds the classifiers of the first"
    Inference(victims=80).play(Codes(labelled=False), PositionCode(), (), attack, 2, meant)
    assert meant.trainings == 6


def test_one_classifier_for_all_needs_the_same_values(store: Store) -> None:
    attack = PatternReconstruction(positions="shared")
    dataset = CitizenIds()
    with pytest.raises(Incompatible, match="Those of citizen_ids differ; choose positions='separate'"):
        attack.secrets(dataset, dataset.load())
    codes = Codes().load()
    assert attack.secrets(Codes(), codes) == codes.segments


def test_texts_without_a_rule_are_refused() -> None:
    dataset = Codes()
    patterns = dataset.load()
    assert isinstance(patterns, Patterns)
    with pytest.raises(Incompatible, match="needs texts that follow a rule"):
        PatternReconstruction().secrets(dataset, Documents(patterns.texts))


def test_positions_are_told_apart() -> None:
    encoded = positions(20, 16)
    assert encoded.shape == (20, 16)
    assert encoded.dtype == np.float32
    assert encoded[4, 0] == pytest.approx(np.sin(5))
    assert encoded[4, 3] == pytest.approx(np.cos(5 / 10_000 ** (3 / 16)), abs=1e-6)
    distances = np.linalg.norm(encoded[:, None] - encoded[None], axis=2)
    assert distances[~np.eye(20, dtype=bool)].min() > 0.3
