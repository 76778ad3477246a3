"""Whoever is named an owner may change every run, others their own; uploads and typed texts belong to who gave them."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import InvalidSpec, TooManyRuns
from core.experiment import Experiment
from core.jobs import Jobs, Limits
from core.runtime.store import Store
from dashboard.kit import visitors
from dashboard.kit.inputs import uploads
from dashboard.topics.runs.job_list import row_name
from tests.dashboard.test_pages import opened, words
from tests.jobs.test_queue_damage import unseal

ANN, BOB = "1" * 32, "2" * 32
OWNER = "owner@example.org"
Browser = dict[str, dict[str, str]]


def browser_id(token: str) -> str:
    return visitors._digest("browser", token)


@pytest.fixture
def owned(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server with an owner, behind a proxy that says who logged in."""
    monkeypatch.setenv(visitors.OWNERS, f"Other@example.org, {OWNER.upper()}")
    monkeypatch.setenv(visitors.HEADER, "X-Forwarded-Email")


@pytest.fixture
def run_of_ann(idle: list[object]) -> Experiment:
    """A run that Ann asked for."""
    experiment = Experiment.preset("word_pairs", "demo", seed=4711)
    Jobs(Store()).ask(experiment.as_dict(), experiment.key, browser_id(ANN))
    return experiment


def labels(app: AppTest) -> list[str]:
    return [button.label for button in app.main.button]


@pytest.mark.usefixtures("owned")
def test_a_run_belongs_to_the_browser_that_asked_for_it(app: AppTest, run_of_ann: Experiment, browser: Browser) -> None:
    browser["cookies"][visitors.COOKIE] = BOB
    opened(app, "runs")
    assert "Cancel" not in labels(app) and "Yours" not in words(app)
    browser["cookies"][visitors.COOKIE] = ANN
    app.run()
    assert "Yours" in words(app)
    app.button(key=f"cancel-{row_name(run_of_ann.key)}").click().run()
    job = Jobs(Store()).find(run_of_ann.key)
    assert job is not None and job.state == "cancelled"
    assert "Delete run" in labels(app)
    browser["cookies"][visitors.COOKIE] = BOB
    app.run()
    assert "Delete run" not in labels(app)


@pytest.mark.usefixtures("owned")
def test_a_page_of_anothers_run_cannot_cancel_it(app: AppTest, run_of_ann: Experiment, browser: Browser) -> None:
    browser["cookies"][visitors.COOKIE] = BOB
    opened(app, "word_pairs", preset="demo", seed="4711")
    assert app.button(key="run.cancel").disabled
    browser["cookies"][visitors.COOKIE] = ANN
    app.run()
    app.button(key="run.cancel").click().run()
    job = Jobs(Store()).find(run_of_ann.key)
    assert job is not None and job.state == "cancelled"


@pytest.mark.usefixtures("owned")
def test_an_owner_may_change_every_run(app: AppTest, run_of_ann: Experiment, browser: Browser) -> None:
    browser["headers"]["X-Forwarded-Email"] = "Owner@Example.org"
    opened(app, "runs")
    assert "an owner of this server" in words(app)
    app.button(key=f"cancel-{row_name(run_of_ann.key)}").click().run()
    app.button(key=f"really-{row_name(run_of_ann.key)}").click().run()
    assert Jobs(Store()).find(run_of_ann.key) is None


@pytest.mark.usefixtures("owned")
def test_an_owner_ends_a_run_without_seeing_its_text(app: AppTest, idle: list[object], browser: Browser) -> None:
    typed = Experiment.preset("sparse_inversion", "demo", attack={"text": "Anna Smith is ill"})
    Jobs(Store()).ask(typed.as_dict(), typed.key, browser_id(ANN))
    browser["headers"]["X-Forwarded-Email"] = OWNER
    opened(app, "runs")
    everything = words(app) + "".join(str(element.proto) for element in app.main.get("page_link"))
    assert "Another visitor typed or uploaded" in everything and "nna" not in everything
    app.button(key=f"cancel-{row_name(typed.key)}").click().run()
    job = Jobs(Store()).find(typed.key)
    assert job is not None and job.state == "cancelled"


def test_without_owners_anybody_may_end_anothers_run_once_told_whose_it_is(
    app: AppTest, run_of_ann: Experiment, browser: Browser
) -> None:
    browser["cookies"][visitors.COOKIE] = ANN
    opened(app, "runs")
    assert labels(app) == ["Cancel"] and "visitor" not in words(app), "one’s own is not asked about"
    browser["cookies"][visitors.COOKIE] = BOB
    app.run()
    assert labels(app) == ["Cancel another visitor’s run"]
    assert ":gray-badge[Another visitor’s]" in words(app) and "Another visitor started this run" in words(app)
    app.button(key=f"cancel-{row_name(run_of_ann.key)}").click().run()
    job = Jobs(Store()).find(run_of_ann.key)
    assert job is not None and job.state == "cancelled"
    assert "Delete another visitor’s run" in labels(app) and "Another visitor asked for this run" in words(app)
    app.button(key=f"really-{row_name(run_of_ann.key)}").click().run()
    assert Jobs(Store()).find(run_of_ann.key) is None


def test_the_page_of_anothers_run_says_whose_it_is_before_it_is_cancelled(
    app: AppTest, run_of_ann: Experiment, browser: Browser
) -> None:
    browser["cookies"][visitors.COOKIE] = BOB
    opened(app, "word_pairs", preset="demo", seed="4711")
    assert "Another visitor started it." in words(app)
    assert app.button(key="run.cancel").label == "Cancel another visitor’s run"


def test_a_run_belongs_to_the_browser_and_to_who_logs_in_later(browser: Browser, monkeypatch: Any) -> None:
    browser["cookies"][visitors.COOKIE] = ANN
    assert visitors.current().ids == (browser_id(ANN),)
    monkeypatch.setenv(visitors.HEADER, "X-Forwarded-Email")
    browser["headers"]["X-Forwarded-Email"] = "ann@example.org"
    person, same = visitors.current().ids
    assert same == browser_id(ANN) and person != same
    browser["cookies"].clear()
    assert visitors.current().ids[0] == person


@pytest.mark.parametrize("cookie", ["", "x", "A" * 32, "1" * 31, "1" * 33, "1" * 31 + "\n"])
def test_a_malformed_cookie_names_nobody(browser: Browser, cookie: str) -> None:
    browser["cookies"][visitors.COOKIE] = cookie
    assert browser_id(cookie) not in visitors.current().ids


@pytest.mark.parametrize(
    ("user", "email"),
    [
        ({}, ""),
        ({"email": "ann@example.org"}, ""),
        ({"is_logged_in": False, "email": "ann@example.org"}, ""),
        ({"is_logged_in": True, "email": "Ann@Example.org"}, "ann@example.org"),
        ({"is_logged_in": True, "email": "ann@example.org", "email_verified": False}, ""),
        ({"is_logged_in": True, "email": "ann@example.org", "email_verified": "false"}, ""),
        ({"is_logged_in": True, "email": "ann@example.org", "email_verified": True}, "ann@example.org"),
        ({"is_logged_in": True}, ""),
    ],
)
def test_only_an_address_that_the_provider_vouches_for_counts(
    user: dict[str, object], email: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitors.st, "user", user)
    assert visitors.current().email == email


def test_a_server_with_members_shows_others_nothing(
    app: AppTest, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(visitors.MEMBERS, "*@example.org")
    monkeypatch.setenv(visitors.HEADER, "X-Forwarded-Email")
    for stranger in ("", "ann@example.org.evil.example", "ann@example.com"):
        browser["headers"]["X-Forwarded-Email"] = stranger
        opened(app, "word_pairs", preset="demo")
        assert not app.exception
        assert app.title[0].value == "Log in"
        assert not app.main.get("plotly_chart") and not app.sidebar.selectbox
    browser["headers"]["X-Forwarded-Email"] = "ann@example.org"
    app.run()
    assert app.main.get("plotly_chart")


def test_an_owner_is_a_member(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(visitors.MEMBERS, "*@example.org")
    monkeypatch.setenv(visitors.OWNERS, "me@example.com")
    assert visitors.Visitor(("a",), "me@example.com").is_member
    assert not visitors.Visitor(("a",), "you@example.com").is_member
    assert not visitors.Visitor(("a",), "").is_member


class TestUploads:
    FILES = (("mine.txt", b"A text of mine."),)

    def test_an_upload_is_there_for_its_giver_only(
        self, store: Store, browser: Browser, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        browser["cookies"][visitors.COOKIE] = ANN
        upload = uploads.save(store, self.FILES, visitors.current().ids)
        monkeypatch.setenv(visitors.OWNERS, OWNER)
        assert Path(uploads.locate(store, upload, "source")).is_dir()
        browser["cookies"][visitors.COOKIE] = BOB
        with pytest.raises(InvalidSpec) as foreign:
            uploads.locate(store, upload, "source")
        with pytest.raises(InvalidSpec) as absent:
            uploads.locate(store, "0" * 16, "source")
        assert str(foreign.value) == str(absent.value), "nobody learns what others uploaded"
        assert uploads.save(store, self.FILES, visitors.current().ids) == upload
        assert Path(uploads.locate(store, upload, "source")).is_dir()

    def test_without_owners_a_link_opens_an_upload(self, store: Store, browser: Browser) -> None:
        upload = uploads.save(store, self.FILES, (browser_id(ANN),))
        browser["cookies"][visitors.COOKIE] = BOB
        assert Path(uploads.locate(store, upload, "source")).is_dir()

    @pytest.mark.parametrize("size", ["0", "-1", "many", "1.5", "10001", "²"])
    def test_a_limit_that_is_no_number_is_refused(self, size: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(uploads.VARIABLE, size)
        with pytest.raises(InvalidSpec, match="TELLTALE_UPLOAD_MB must be a whole number of megabytes"):
            uploads.largest()

    def test_the_owner_sets_the_limit(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(uploads.VARIABLE, "3")
        assert uploads.largest() == 3_000_000


class TestLimits:
    @pytest.fixture(autouse=True)
    def few(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("TELLTALE_RUNS_WAITING", "2")
        monkeypatch.setenv("TELLTALE_RUNS_A_MINUTE", "4")

    def ask(self, number: int, token: str = ANN) -> None:
        Jobs(Store()).ask({"seed": number}, f"{number:016x}", browser_id(token), Limits.configured())

    def test_waiting_runs_are_limited(self, idle: list[object]) -> None:
        for number in range(3):
            self.ask(number)
        with pytest.raises(TooManyRuns, match="At most 2 runs of one visitor may wait at once"):
            self.ask(3)
        self.ask(2)
        self.ask(4, BOB)
        Jobs(Store()).cancel(f"{2:016x}")
        self.ask(3)

    def test_runs_of_a_minute_are_limited(self, idle: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
        for number in range(4):
            self.ask(number)
            Jobs(Store()).cancel(f"{number:016x}")
        with pytest.raises(TooManyRuns, match=r"within a minute. Try again in \d+ s"):
            self.ask(4)
        self.ask(5, BOB)
        now = time.time()
        monkeypatch.setattr("core.jobs.limits.time.time", lambda: now + 61)
        self.ask(4)

    @pytest.mark.parametrize("removed", [False, True])
    def test_a_run_that_is_cancelled_and_asked_for_again_counts_each_time(
        self, idle: list[object], removed: bool
    ) -> None:
        for _ in range(4):
            self.ask(1)
            self.ask(1)
            Jobs(Store()).cancel(f"{1:016x}")
            if removed:
                Jobs(Store()).forget(f"{1:016x}")
        with pytest.raises(TooManyRuns, match=r"within a minute. Try again in \d+ s"):
            self.ask(1)
        self.ask(1, BOB)

    def test_asks_are_forgotten_after_a_minute(self, idle: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
        for number in range(3):
            self.ask(number)
            Jobs(Store()).cancel(f"{number:016x}")
        now = time.time()
        monkeypatch.setattr("core.jobs.limits.time.time", lambda: now + 61)
        self.ask(3, BOB)
        with closing(sqlite3.connect(Store().root / "jobs.sqlite")) as database:
            assert database.execute("select count(*) from asks").fetchone() == (1,)

    def test_a_queue_of_an_earlier_version_counts_too(self, idle: list[object]) -> None:
        self.ask(0)
        with closing(sqlite3.connect(Store().root / "jobs.sqlite")) as database:
            unseal(database)
            database.execute("drop table asks")
        assert len(Jobs(Store()).all()) == 1
        for number in range(1, 3):
            self.ask(number)
            Jobs(Store()).cancel(f"{number:016x}")
        assert len(Jobs(Store()).all()) == 3
        assert not (Store().root / "damaged").exists()

    def test_a_refusal_is_shown_where_the_run_was_asked_for(
        self, app: AppTest, idle: list[object], browser: Browser
    ) -> None:
        browser["cookies"][visitors.COOKIE] = ANN
        for number in range(3):
            self.ask(number)
        opened(app, "word_pairs", preset="demo", seed="4711")
        app.button(key="run.start").click().run()
        assert not app.exception
        assert "may wait at once" in app.error[0].value
        assert len(Jobs(Store()).all()) == 3
