"""The experiment of a room: a run for each seed, one for people who share it, and an interval of the mean."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from core.jobs import Jobs
from core.runtime.store import Store
from core.statistics.intervals import mean_over_models
from dashboard.kit import stored_results
from dashboard.room.rooms import Rooms
from dashboard.room.rooms_file import Standing
from dashboard.topics.lessons import shelf
from dashboard.topics.lessons.figures import pool
from dashboard.topics.lessons.lesson import Pooled
from dashboard.topics.lessons.pooled import runs
from dashboard.topics.lessons.room.view import seeds_of
from tests.dashboard.kept_results import words
from tests.dashboard.lessons.test_room import at, person, pictures, press, seen

POOLED = Pooled("Runs", "", "Accuracy", "", (), low=0.45, high=0.95)
SHARES = st.lists(st.floats(0.3, 0.99), max_size=30).map(tuple)


@pytest.fixture
def pooled() -> Pooled:
    pooled_run = shelf.lessons()["vector"].pooled
    assert pooled_run is not None
    return pooled_run


@pytest.fixture(autouse=True)
def nothing_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Jobs, "tend", lambda self: None)


@given(SHARES, SHARES)
@settings(deadline=None, max_examples=30)
def test_every_run_is_a_dot_and_the_mean_has_its_interval(values: tuple[float, ...], stored: tuple[float, ...]) -> None:
    drawn = pool.picture(POOLED, values, stored, 0.5, values[0] if values else None)
    means = sum(len(each) > 1 for each in (values, stored))
    assert drawn.count("<circle") == len(values) + len(stored) + means
    assert drawn.count('stroke="currentColor"') == bool(values), "one's own"
    assert f"n = {len(values)}" in drawn and "chance 50%" in drawn
    sentence = pool.sentence(values, stored, 0.5, None)
    if len(values) > 1:
        mean = mean_over_models(np.array(values), share=True)
        assert mean.low <= mean.value <= mean.high
        assert pool.measured(*mean) in sentence
    assert sentence.endswith("Chance 50%.")


@given(st.text("0123456789abcdef", min_size=12, max_size=32))
def test_a_proposed_seed_is_one_that_may_be_chosen(visitor: str) -> None:
    pooled = shelf.lessons()["vector"].pooled
    assert pooled is not None
    assert runs.lowest(pooled) <= runs.suggested(pooled, visitor) <= runs.HIGHEST


def test_seeds_are_read_from_what_people_gave() -> None:
    assert seeds_of(["12", 0.5, "12", "²", (True,), "7"]) == (12, 7)


def test_a_room_runs_together(home: Path, pooled: Pooled, monkeypatch: pytest.MonkeyPatch) -> None:
    host, ann, bob = person(), person(), person()
    at(host, lesson="vector")
    press(host, "start")
    code = "".join(host.query_params["room"])
    for each in (ann, bob):
        at(each, room=code)
        press(each, "join")
    room = Rooms(Store()).find(code)
    (leader,) = [each for each in Rooms(Store()).people(code) if each.role == "facilitator"]
    Rooms(Store()).go(code, leader.visitor, len(shelf.lessons()["vector"].steps) + 1)
    host.run()
    assert host.main.title[0].value == pooled.title and "Started by 0 of 2 people." in words(host)
    assert "Nobody has started a run yet." in words(host) and "8 stored runs: on average" in words(host)

    for each in (ann, bob):
        each.run()
        each.main.number_input[0].set_value(77)
        press(each, "run")
        assert "Your run, seed 77" in str(each.main.get("progress")[0].proto)
    (job,) = Jobs(Store()).all()
    assert job.key == runs.key(pooled, 77), "a second identical request is the same run"
    host.run()
    assert "Started by 2 of 2 people." in words(host)
    assert "1 run: 0 finished, 0 running, 1 waiting. 1 of 2 people share" in words(host)

    stored = stored_results.estimates(runs.key(pooled, 1))
    with monkeypatch.context() as patched:  # as if its run had finished
        known = stored_results.estimates
        patched.setattr(stored_results, "estimates", lambda key: stored if key == runs.key(pooled, 77) else known(key))
        ann.run()
        assert not ann.exception and "Your run, seed 77, is finished: 79%." in words(ann)
        assert "One run: 79%; an interval of the mean takes two." in words(ann) and "<circle" in pictures(ann)
        assert r"stroke-width=\"2.5" in pictures(ann), "one's own dot is marked"

    Jobs(Store()).cancel(job.key)
    runs._queue.cache_clear()
    ann.run()
    assert "Your run, seed 77, has ended without a result." in words(ann)
    press(ann, "again")
    assert Jobs(Store()).all()[0].state == "queued"

    large = at(person(), room=code, screen="large")
    assert pooled.why[:40] not in words(large) and not large.main.button
    at(host, room=code, screen="large")
    seen(host.main.button(key="presenter.Right").click().run())
    assert Rooms(Store()).stage(code, len(shelf.lessons()["vector"].steps) + 1).is_locked, "Close"
    assert "stored runs" in words(host) and pooled.why[:40] in words(seen(large.run()))
    seen(host.main.button(key="presenter.Right").click().run())
    assert pooled.why[:40] in words(host) and "stored runs" not in words(host), "one thing a screen"
    seen(host.main.button(key="presenter.Right").click().run())
    assert "True or not?" in words(seen(ann.run())), "everybody has their sheet"
    assert any(question.replace("\\", "").startswith("Who wrote it? How") for question in ann.main.table[0].value.index)
    assert host.main.title[0].value == seen(large.run()).main.title[0].value == "To remember"
    seen(host.main.button(key="presenter.Left").click().run())
    assert host.main.title[0].value == pooled.title and pooled.why[:40] in words(host)
    seen(host.main.button(key="presenter.Left").click().run())
    assert "stored runs" in words(host)
    at(host, room=code)
    assert pooled.why[:40] in words(host)
    with monkeypatch.context() as patched:
        patched.setattr(Rooms, "standing", lambda *_: Standing(Rooms(Store()).find(code).revision, 1))
        assert "Started by 0 of 1 person." in words(seen(host.run()))
    late = at(person(), room=code)
    press(late, "join")
    assert "The experiment is closed" in late.main.info[0].value and not late.main.number_input
    press(host, "arrow_forward")
    assert room.revision < Rooms(Store()).find(code).revision and "True or not?" in words(host)
    assert host.main.table or not host.exception


def test_alone_one_adds_runs_to_the_stored_spread(app: AppTest, home: Path, pooled: Pooled) -> None:
    at(app, lesson="vector", step="runs")
    assert "8 stored runs: on average" in words(app) and "No run has finished." in words(app)
    first = app.main.number_input[0].value
    app.main.button(key="lesson.run").click().run()
    assert not app.exception and f"Your run, seed {first}" in str(app.main.get("progress")[0].proto)
    assert app.main.number_input[0].value == first + 1, "the next seed is proposed"
    assert [job.key for job in Jobs(Store()).all()] == [runs.key(pooled, first)]
    at(app, lesson="pin", step="runs")
    assert "there is no “runs”" in app.main.warning[0].value.replace("\\", ""), "this lesson has none"


def test_ones_own_run_is_said_with_its_share_or_why_it_has_none() -> None:
    assert pool.own_run(7, 0.7) == "Your run, seed 7, is finished: 70%."
    assert pool.own_run(8, 0.0) == "Your run, seed 8, is finished: 0%."
    assert pool.own_run(7, None) == "Your run, seed 7, has ended without a result."
    assert pool.own_run(7, None, "The disk is full.").endswith("without a result. The disk is full.")


def test_runs_are_counted_by_their_state_and_shared_ones_named() -> None:
    assert pool.queue(0, 0, finished=0, running=0, waiting=0) == "Nobody has started a run yet."
    said = pool.queue(6, 6, finished=3, running=2, waiting=1)
    assert said == "6 runs: 3 finished, 2 running, 1 waiting."
    assert "2 without a result" in pool.queue(6, 6, finished=3, running=1, waiting=0)
    shared = pool.queue(1, 4, finished=0, running=0, waiting=1)
    assert shared.startswith("1 run: 0 finished") and shared.endswith("3 of 4 people share the run of somebody else.")
