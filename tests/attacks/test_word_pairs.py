"""The word-pair attack on real text: pooling changes nothing but the cost."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import pytest

from core import drawings
from core.adversaries.pairs import sparse_linear
from core.adversaries.pairs.shadows import ShadowModels
from core.adversaries.pairs.student import PATH
from core.attacks.word_pairs import WordPairs
from core.datasets.documents import Documents
from core.experiment import Experiment, run
from core.kernels.kept import COMPILING, LOADING
from core.models.word2vec import Word2vec
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.progress import Progress
from core.runtime.store import Store
from core.text import contents
from core.text.corpus import Corpus
from tests.errands import tiny

REAL = {
    "dataset": "wikipedia_excerpt",
    "model": {"part": "word2vec", "dimension": 16, "minimum_count": 5, "epochs": 3},
    "game": {"target_sizes": [40], "targets": 4, "plays": 8, "documents": 200},
}


FEW, MANY = 2, 10


@pytest.fixture(scope="module", autouse=True)
def tokenised_once() -> Iterator[None]:
    """Tokenise once what each game tokenises: the excerpt takes as long as a dozen shadow models."""
    encode = lru_cache(8)(Corpus.encode)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            contents.Documents,
            "corpus",
            lambda documents, rows, words=None: encode(tuple(documents.texts[row] for row in rows), words),
        )
        yield


def play(store: Store, pairs: int, changes: dict[str, Any] | None = None, **attack: Any) -> Result:
    settings = {"part": "word_pairs", "shadow_pairs": pairs, "baselines": False, **attack}
    return run(Experiment.parse({**REAL, **(changes or {}), "attack": settings}), RunContext(store=store))[0]


@pytest.fixture(scope="module")
def stores(shared_store: Store) -> dict[int, Store]:
    """A store for each number of shadow pairs, with what was trained for so many."""
    return {pairs: replace(shared_store, root=shared_store.root / str(pairs)) for pairs in (FEW, MANY)}


@pytest.fixture(scope="module")
def few(stores: dict[int, Store]) -> Result:
    """The attack with a few shadow models, the first to be played in its store."""
    return play(stores[FEW], FEW)


@pytest.mark.exhaustive
def test_pooled_and_separate_shadow_models_give_the_same_accuracy(stores: dict[int, Store]) -> None:
    """That a target is in one model of every pair is shown below, and a leak found in either scheme is elsewhere.

    A pool finds one in `tests/adversaries/test_calibrated_pairs.py`, models of each target in `test_next_word.py`.
    """
    # Intervals speak of other targets, of which four show little.
    changes = {
        "game": {**REAL["game"], "targets": 6, "plays": 16, "documents": 320},
        "model": {**REAL["model"], "epochs": 8},
    }
    pooled, separate = (play(stores[MANY], MANY, changes, scheme=scheme).estimates for scheme in ("pool", "per_target"))
    for name in ("accuracy", "auc"):
        assert pooled[name].low <= separate[name].high
        assert separate[name].low <= pooled[name].high
    assert pooled["auc"].low > 0.5
    assert separate["auc"].low > 0.5


def test_pooling_trains_each_model_for_all_targets(few: Result, stores: dict[int, Store]) -> None:
    assert few.provenance.trainings == 8 + 4
    assert play(stores[FEW], FEW, scheme="per_target").provenance.trainings == 16


def test_more_shadows_reuse_the_first_ones(few: Result, stores: dict[int, Store]) -> None:
    assert play(stores[FEW], FEW + 1).provenance.trainings == 2


@pytest.mark.parametrize("setting", [{"distance": "l2"}, {"standardise": False}, {"penalty": "cross_validated"}])
def test_what_is_decided_after_training_trains_nothing(
    few: Result, stores: dict[int, Store], setting: dict[str, Any]
) -> None:
    result = play(stores[FEW], FEW, **setting)
    assert result.provenance.trainings == 0
    assert 0 <= result.estimates["accuracy"].value <= 1


def test_the_papers_distance_is_the_same_attack_as_variant_and_as_setting(
    few: Result, stores: dict[int, Store]
) -> None:
    alone = play(stores[FEW], FEW, distance="l2").estimates["accuracy"]
    assert alone.value == few.estimates["accuracy_l2_distance"].value


def test_each_target_is_in_exactly_one_model_of_every_pair() -> None:
    briefing = _Challenge()
    pool = ShadowModels(briefing, Word2vec(), 5, "pool", "without_replacement", adaptive=True)  # type: ignore[arg-type]
    for pair in range(5):
        assert (pool.members(2 * pair) != pool.members(2 * pair + 1)).all()
    per_target = ShadowModels(briefing, Word2vec(), 5, "per_target", "without_replacement", adaptive=True)  # type: ignore[arg-type]
    for target in range(3):
        held = [per_target.members(item)[target] for item in per_target.serving(target, 5)]
        assert held == [True, False] * 5
        assert all(per_target.members(item).sum() <= 1 for item in per_target.serving(target, 5))


class _Challenge:
    seed = 1
    targets = (None, None, None)


def test_the_attack_says_what_it_needs() -> None:
    assert WordPairs.needs.title == "the vector of any word"


class Counted(Progress):
    """Counts what is reported of each stage."""

    def __init__(self) -> None:
        self.stages: dict[str, list[int]] = {}

    def stage(self, name: str, total: int = 0, done: int = 0) -> None:
        self.stages[name] = [done, total]
        self.current = name

    def advance(self, items: int = 1) -> None:
        self.stages[self.current][0] += items


@pytest.mark.parametrize("baselines", [False, True])
def test_each_function_penalty_and_map_is_reported_when_it_is_finished(
    planted: Documents, store: Store, monkeypatch: pytest.MonkeyPatch, baselines: bool
) -> None:
    """So that no stage stands still for longer than one of them takes, and none is full while it works.

    A run lays out nothing, for which it would wait for umap: maps are drawn once somebody looks.
    """
    values = tiny(planted.source, baselines=baselines)
    experiment, targets = Experiment.parse(values), values["game"]["targets"]
    context = RunContext(store=store, engine=Engine(workers=1), progress=(counted := Counted()))
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "umap", None)  # importing it fails
        run(experiment, context)
    assert counted.stages["Fitting the linear functions"] == [(5 if baselines else 3) * targets] * 2
    assert counted.stages["Deciding at each penalty"] == [len(PATH)] * 2
    assert {LOADING, COMPILING, "Drawing the word maps"}.isdisjoint(counted.stages)
    drawings.draw(experiment, context)
    assert counted.stages["Drawing the word maps"] == [targets] * 2


class Noting(Progress):
    """Notes stages and points of the curve."""

    def __init__(self, events: list[str]) -> None:
        self.events = events

    def stage(self, name: str, total: int = 0, done: int = 0) -> None:
        self.events.append(name)

    def partial(self, curve: Sequence[Mapping[str, Any]]) -> None:
        self.events.append(f"{len({row['shadows'] for row in curve})} points")


@dataclass(frozen=True)
class InTurn(Engine):
    """Trains one model after another in this process, and notes each."""

    events: list[str] = field(default_factory=list)

    def map(self, function: Any, items: Any, shared: Any, per_item: Any = None) -> Any:
        for item in items:
            out = function(item, **shared, **(per_item or {}).get(item, {}))
            self.events.append(f"model {item}")
            yield item, out


def test_a_point_of_the_curve_is_there_before_the_next_models_are(
    planted: Documents, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What fits is loaded before the first shadow model: on a busy machine, forty were trained meanwhile."""
    events: list[str] = []
    monkeypatch.setattr(sparse_linear, "load", lambda: events.append("loaded"))
    context = RunContext(store=store, engine=InTurn(events=events), progress=Noting(events))
    run(Experiment.parse(tiny(planted.source)), context)
    shadows = events[events.index("Training shadow models") :]
    assert events.index("loaded") < events.index("Training shadow models")
    assert shadows[1:12] == [*(f"model {item}" for item in range(10)), "1 points"]


def test_a_naive_adversary_is_named_so() -> None:
    assert WordPairs().named == "Word pairs" and WordPairs(adaptive=False).named == "Word pairs (naive adversary)"
    assert WordPairs().assumed == WordPairs.threat
    assert WordPairs(adaptive=False).assumed.startswith(f"{WordPairs.threat} It does not know the trainer’s defense")
