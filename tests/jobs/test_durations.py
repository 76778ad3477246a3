"""How long a run will probably take, judged by runs of the same settings or by the demo."""

from typing import Any

import pytest

from core.datasets import Dataset
from core.experiment import Experiment
from core.jobs import durations
from core.jobs.durations import Duration
from core.jobs.forecast import Stage
from core.jobs.timelines import Timelines, kind, shipped
from core.runtime.store import Store
from core.text.volume import Volume, volume

DEMO = Experiment.preset("word_pairs", "demo")
HELD = Volume(2000, 100_000)


def expected(experiment: Experiment, store: Store, elsewhere: float | None = 60.0, held: Any = HELD) -> Duration | None:
    def volume_of(_: Dataset) -> Volume | None:
        return held

    return durations.expected(experiment, store, volume_of, lambda each: elsewhere if each == DEMO else None)


def test_twice_the_documents_or_models_take_twice_as_long(store: Store) -> None:
    game: Any = DEMO.game
    doubled = DEMO.replace(game=game.replace(documents=2 * game.documents))
    stages = shipped()[kind(DEMO.as_dict())]
    whole = sum(stage.seconds for stage in stages)
    training = sum(stage.seconds for stage in stages if stage.name.startswith("Training"))
    duration = expected(doubled, store)
    assert duration is not None and duration.work == 2.0
    assert 60 * (1 + training / whole) <= duration.seconds < 120, "libraries and word maps take as long as before"
    more: Any = DEMO.attack
    models = game.plays + 2 * more.shadow_pairs
    shadows = DEMO.replace(attack=more.replace(shadow_pairs=more.shadow_pairs + models // 2))
    duration = expected(shadows, store)
    assert duration is not None and duration.work == pytest.approx(2.0, rel=0.02)


def test_what_the_same_settings_took_here_counts_before_all_else(store: Store) -> None:
    Timelines(store).keep(DEMO.as_dict(), [Stage("Training", 30.0, 4), Stage("Scoring", 10.0)])
    assert expected(DEMO.replace(seed=9), store) == Duration(40.0)
    assert durations.here(DEMO.replace(seed=9), store) == Duration(40.0)
    game: Any = DEMO.game
    assert expected(DEMO.replace(game=game.replace(documents=2 * game.documents)), store) == Duration(70.0, 2.0), (
        "scoring takes as long as before"
    )


def test_what_is_too_far_from_the_demo_is_not_known(store: Store) -> None:
    game: Any = DEMO.game
    changed = DEMO.replace(seed=9)
    assert expected(changed.replace(game=game.replace(documents=100 * game.documents)), store) is None
    assert expected(changed.replace(model={"part": "fasttext"}), store) is None
    assert expected(changed.replace(defenses=("subsampling",)), store) is None
    assert expected(changed, store, elsewhere=None) is None
    assert expected(changed, store, held=None) is None


def test_a_volume_is_that_of_all_texts_though_few_are_read() -> None:
    assert volume(["a b c"] * 7) == Volume(7, 21.0)
    assert volume(["a b c"] * 90_000) == Volume(90_000, 270_000.0)
    uneven = volume(["one two", "three"] * 1000)
    assert uneven.words == pytest.approx(3000, rel=0.1)
    assert volume([]) == Volume(0, 0.0)


def test_an_attack_without_a_demo_is_judged_by_the_one_that_it_extends(store: Store) -> None:
    keywords = Experiment.preset("keyword_inference", "demo")
    on_own_text = keywords.replace(attack={**keywords.attack.as_dict(), "part": "own_text", "text": "A sentence."})
    duration = durations.expected(on_own_text, store, lambda _: HELD, lambda each: 20.0 if each == keywords else None)
    assert duration == Duration(20.0, 1.0)


def test_a_secret_of_ones_own_takes_as_long_as_a_drawn_one(store: Store) -> None:
    paper = Experiment.preset("canary_extraction", "paper")
    game: Any = paper.game
    typed = paper.replace(game=game.replace(secret="4711"), seed=9)
    assert durations.untyped(typed) == paper.replace(seed=9)
    took = {paper.replace(seed=9): 70.0}
    duration = durations.expected(typed, store, lambda _: None, took.get)
    assert duration == Duration(70.0)
    sentence = Experiment.preset("few_shot_inversion", "demo", attack={"text": "Anna Smith is ill", "local": "minilm"})
    plain: Any = durations.untyped(sentence).attack
    assert "Anna" not in plain.text and plain.local == "minilm", "an encoder is no text"
