"""The forecast of a run: the estimate falls, the bar moves and is never full, and what earlier runs took is known."""

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.jobs import timelines
from core.jobs.forecast import Forecast, Outlook, Stage
from core.jobs.timelines import Timelines, kind, shipped
from core.kernels.kept import COMPILING, LOADING
from core.runtime.store import Store

RUN = [Stage("Reading", 4.0), Stage("Training", 60.0, 100), Stage("Fitting", 20.0, 8), Stage("Drawing the maps", 10.0)]
EXPERIMENT = {"attack": {"part": "word_pairs", "k": 5}, "model": "word2vec", "dataset": {"part": "enron"}, "seed": 1}


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def told(before: list[Stage], stages: list[Stage], pace: Callable[[int], float] = lambda item: 1.0) -> list[Outlook]:
    """What is told every second of a run that goes through some stages."""
    clock = Clock()
    forecast = Forecast(before, clock)
    outlooks: list[Outlook] = []

    def passing(seconds: float) -> Iterator[Outlook]:
        end = clock.now + seconds
        while clock.now < end:
            clock.now = min(clock.now + 1.0, end)
            yield forecast.outlook()

    for stage in stages:
        forecast.stage(stage.name, stage.items)
        if not outlooks:
            outlooks.append(forecast.outlook())
        for item in range(stage.items or 1):
            outlooks += passing(stage.seconds / (stage.items or 1) * pace(item))
            forecast.advance(item + 1)
    return [*outlooks, forecast.outlook()]


def rises(outlooks: list[Outlook]) -> list[float]:
    return [
        max((later.seconds_left or 0.0) - (earlier.seconds_left or 0.0), 0.0) for earlier, later in pairwise(outlooks)
    ]


def test_a_run_like_one_before_is_foretold_to_the_second() -> None:
    outlooks = told(RUN, RUN)
    assert outlooks[0].seconds_left == pytest.approx(94.0)
    assert all(outlook.whole and not outlook.late for outlook in outlooks)
    assert max(rises(outlooks)) == pytest.approx(0.0, abs=1e-6)
    assert outlooks[-1].seconds_left == pytest.approx(0.0, abs=1.0)
    shares = [outlook.share for outlook in outlooks]
    assert shares == sorted(shares)
    assert 0.97 < shares[-1] < 1.0


@given(st.lists(st.floats(0.2, 5.0), min_size=4, max_size=4), st.floats(0.3, 3.0))
def test_the_estimate_rises_only_where_it_says_that_it_was_wrong(slower: list[float], machine: float) -> None:
    stages = [
        Stage(stage.name, stage.seconds * factor * machine, stage.items)
        for stage, factor in zip(RUN, slower, strict=True)
    ]
    outlooks = told(RUN, stages)
    for earlier, later in pairwise(outlooks):
        risen = (later.seconds_left or 0.0) - (earlier.seconds_left or 0.0)
        assert risen < 1e-6 or later.late
        assert later.share >= earlier.share
        assert 0.0 <= later.share < 1.0


def test_the_bar_moves_at_least_every_two_seconds_though_no_item_is_finished() -> None:
    """The maps of words are one item of ten seconds, and the first training waits until the processes started."""
    *shares, _ = [outlook.share for outlook in told(RUN, RUN, lambda item: 10.0 if item == 0 else 0.9)]
    assert all(later != earlier for earlier, later in zip(shares[:-2], shares[2:], strict=True))


def test_before_the_time_left_is_told_the_bar_moves_on_with_the_run() -> None:
    clock = Clock()
    busy: list[float | None] = [None, None, None, 2.0]
    forecast = Forecast(RUN, clock, slowdown=lambda: busy[0])
    forecast.stage("Reading")
    forecast.advance(1)
    shares = []
    for _ in busy[:-1]:
        clock.now += 2.0
        outlook = forecast.outlook()
        assert outlook.seconds_left is None
        shares.append(outlook.share)
    assert 0.0 < shares[0] < shares[1] < shares[2] < 4.0 / 94.0 + 0.05
    busy[0] = busy[-1]
    assert (forecast.outlook().seconds_left or 0.0) > 94.0


def test_on_a_machine_at_half_the_speed_the_estimate_is_right_before_a_third_of_the_run() -> None:
    slow = [Stage(stage.name, 2 * stage.seconds, stage.items) for stage in RUN]
    outlooks = told(RUN, slow)
    third = len(outlooks) // 3
    assert outlooks[third].seconds_left == pytest.approx(188 * 2 / 3, rel=0.25)


def test_of_an_unknown_run_each_stage_is_foretold_alone() -> None:
    outlooks = told([], RUN)
    assert not any(outlook.whole for outlook in outlooks)
    assert outlooks[0].seconds_left is None, "before the first item there is no reason for an estimate"
    counted = [outlook for outlook in outlooks if outlook.seconds_left is not None]
    assert counted
    assert max(outlook.share for outlook in outlooks) < 1.0, "no stage is full while it works"


def test_where_only_the_whole_time_is_known_it_counts_down() -> None:
    outlooks = told([Stage("", 94.0)], RUN)
    assert outlooks[0].seconds_left == pytest.approx(94.0)
    assert max(rises(outlooks)) < 1e-6
    assert all(outlook.whole for outlook in outlooks)


def test_what_takes_longer_than_expected_is_never_said_to_be_over() -> None:
    outlooks = told([Stage("Reading", 5.0)], [Stage("Reading", 120.0)])
    assert outlooks[-1].late
    assert (outlooks[-1].seconds_left or 0.0) > 1.0


def test_stages_of_a_run_are_remembered_for_the_next_with_another_seed(store: Store) -> None:
    timelines = Timelines(store)
    assert timelines.of(EXPERIMENT) == []
    timelines.keep(EXPERIMENT, RUN)
    assert timelines.of({**EXPERIMENT, "seed": 2}) == RUN
    other = {**EXPERIMENT, "attack": {"part": "word_pairs", "k": 50}}
    assert timelines.of(other) == [], "another size may take any time"
    scaled = timelines.of(other, expected=188.0)
    assert [stage.seconds for stage in scaled] == [8.0, 120.0, 40.0, 20.0], (
        "unless it is known how long it took elsewhere"
    )
    assert timelines.of({**other, "model": "lstm_lm"}, expected=30.0) == [Stage("", 30.0)]


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[1]", b'[{"name": "a"}]', b'[{"name": "a", "seconds": NaN}]', b"null"]
)
def test_a_damaged_memory_of_stages_counts_as_none(store: Store, content: bytes) -> None:
    timelines = Timelines(store)
    timelines.keep(EXPERIMENT, RUN)
    for path in (store.root / "timelines").iterdir():
        path.write_bytes(content)
    assert timelines.of(EXPERIMENT) == []


def test_the_stages_of_a_resumed_run_are_known_to_be_incomplete() -> None:
    clock = Clock()
    forecast = Forecast(RUN, clock)
    forecast.stage("Training", 100, done=100)
    assert not forecast.resumed, "all were stored, as where two experiments share them"
    clock.now += 1.0
    assert forecast.close() == [RUN[1]], "they took what they took when they were computed"
    forecast.stage("Training", 100, done=40)
    assert forecast.resumed, "nothing is known of a second training"


def test_what_an_earlier_run_stored_counts_as_long_as_it_took_then() -> None:
    """Victims that another seed drew, too, are embedded already."""
    clock = Clock()
    forecast = Forecast(RUN, clock)
    forecast.stage("Training", 100, done=40)
    clock.now += 30.0
    assert not forecast.resumed
    assert forecast.close() == [Stage("Training", 30.0 + 0.4 * 60.0, 100)]


def test_the_time_for_which_a_run_waited_for_cores_is_kept_apart(store: Store) -> None:
    clock, effort = Clock(), Clock()
    forecast = Forecast(RUN, clock, effort)
    forecast.stage("Reading")
    clock.now += 20.0
    effort.now += 4.0
    stages = forecast.close()
    assert stages == [Stage("Reading", 4.0, waited=16.0)]
    Timelines(store).keep(EXPERIMENT, stages)
    assert Timelines(store).exactly(EXPERIMENT) == stages


def test_the_demos_are_known_from_the_start() -> None:
    values = {"attack": {"part": "word_pairs"}, "model": {"part": "word2vec"}, "game": {"part": "membership"}}
    known = shipped()[kind({**values, "dataset": {"part": "wikipedia_excerpt"}})]
    assert {"Training shadow models", "Drawing the word maps"} <= {stage.name for stage in known}
    sentence = {"attack": {"part": "own_text"}, "model": {"part": "encoder"}, "game": {"part": "inference"}}
    known = shipped()[kind({**sentence, "dataset": {"part": "wikipedia_excerpt"}})]
    assert ("Training a classifier for each keyword", 3) in {(stage.name, stage.items) for stage in known}


@pytest.mark.parametrize("kept", [True, False])
def test_what_is_compiled_once_a_machine_is_expected_only_where_it_is_not_kept(
    store: Store, monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    monkeypatch.setattr(timelines, "layouts_are_kept", lambda: kept)
    for before in (Stage(LOADING, 1.0), Stage(COMPILING, 30.0, 81)):
        Timelines(store).keep(EXPERIMENT, [RUN[0], before, RUN[-1]])
        _, stage, _ = Timelines(store).of(EXPERIMENT)
        assert stage.name == (LOADING if kept else COMPILING), "whatever the earlier run had to do"
        assert (stage.seconds < 5.0) == kept
        *_, longer, _ = Timelines(store).of({**EXPERIMENT, "attack": {"part": "word_pairs", "k": 9}}, expected=900.0)
        assert longer == stage, "it takes no longer in a longer run"


def test_of_a_fast_stage_that_waited_for_a_library_the_first_item_is_no_measure() -> None:
    """347 texts in six seconds, after five in which torch was loaded."""
    clock = Clock()
    forecast = Forecast(clock=clock)
    forecast.stage("Embedding", 347)
    clock.now += 5.0
    estimates = 0
    for done in range(1, 348):
        clock.now += 6 / 347
        forecast.advance(done)
        if (left := forecast.outlook().seconds_left) is not None:
            estimates += 1
            assert left == pytest.approx((347 - done) * 6 / 347, abs=0.5)
    assert estimates > 150


def test_processes_side_by_side_that_finish_together_are_no_pace() -> None:
    clock = Clock()
    forecast = Forecast(clock=clock)
    forecast.stage("Training", 64)
    for done in range(0, 64, 8):
        clock.now += 5.0
        forecast.advance(done + 8)
        left = forecast.outlook().seconds_left
        assert left == (pytest.approx((56 - done) / 8 * 5.0) if done else None)


def test_an_estimate_that_is_twice_too_high_falls_at_once() -> None:
    clock = Clock()
    forecast = Forecast([Stage("Reading", 5.0), Stage("Training", 600.0, 100)], clock)
    forecast.stage("Training", 100)
    assert forecast.outlook().seconds_left == pytest.approx(600.0)
    for done in range(1, 91):
        clock.now += 0.03
        forecast.advance(done)
    assert (forecast.outlook().seconds_left or 0.0) < 40.0


def test_the_bar_leaves_room_for_what_is_counted_and_not_finished() -> None:
    maps = [Stage("Training", 60.0, 100), Stage("Drawing the maps", 8.0, 8)]
    outlooks = told(maps, [maps[0], Stage("Drawing the maps", 80.0, 8)])
    working = outlooks[61:101]  # up to four of eight
    assert max(outlook.share for outlook in working) < 0.96
    assert all((outlook.seconds_left or 0.0) >= 1.0 for outlook in working[10:]), "none of eight is nearly finished"
    assert all(later.share > earlier.share for earlier, later in pairwise(outlooks[:-1])), "it never stands still"
    assert outlooks[-1].share < 0.99
    outlooks = told([Stage("Reading", 5.0)], [Stage("Reading", 5.0), Stage("Loading the classifiers", 30.0, 3)])
    assert max(outlook.share for outlook in outlooks[:15]) < 0.93, "0 of 3 at the end of what is known of the run"
    assert max(outlook.share for outlook in outlooks) < 0.99


EPOCHS = [Stage("Reading", 5.0), *(Stage(f"Training, epoch {number} of 12", 3.0, 2) for number in range(1, 13))]


@pytest.mark.parametrize("expected", [8.0, 11.0, 40.0])
def test_a_run_said_to_be_short_is_not_nearly_finished_while_half_of_its_epochs_are_left(expected: float) -> None:
    outlooks = told([Stage("", expected)], EPOCHS)
    halfway = [outlook for outlook in outlooks[:23] if outlook.seconds_left is not None]
    assert all((outlook.seconds_left or 0.0) >= 1.0 for outlook in halfway)
    shares = [outlook.share for outlook in outlooks]
    assert shares == sorted(shares), "the bar never goes back"
    assert max(outlook.share for outlook in halfway) < 0.7


def test_epochs_of_an_unknown_run_are_one_bar() -> None:
    shares = [outlook.share for outlook in told([], EPOCHS)]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(24 / 25)
    assert max(shares[:23]) <= 0.5
