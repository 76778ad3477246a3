"""Uploads on disk: bounded for one visitor and for all, listed to their giver, and really deleted."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import InvalidDocuments, StoreError
from core.experiment import Experiment
from core.jobs import Jobs
from core.runtime.folders import locked
from core.runtime.store import Store
from dashboard.kit import visitors
from dashboard.kit.inputs import kept_uploads, upload_rate, uploads
from tests.dashboard.kept_results import words

ANN, BOB = ("a" * 32,), ("b" * 32,)
MEGABYTE = 1_000_000


def given(name: str, megabytes: float, *givers: str, fill: str = "x") -> str:
    """Upload a file, and return the name of its folder."""
    content = f"text\n{fill * int(megabytes * MEGABYTE)}".encode()
    return uploads.save(Store(), [(name, content)], givers).partition("/")[0]


def left() -> list[str]:
    return sorted(upload.name for upload in kept_uploads.stored(Store()))


def test_one_visitor_may_keep_so_much_and_is_told_what_to_delete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(kept_uploads.OF_ONE, "3")
    given("small.csv", 0.4, *ANN)
    upload = given("large.csv", 2, *ANN)
    with pytest.raises(InvalidDocuments, match=r"keeps 3 MB for each visitor, of which yours take 2 MB.*large\.csv"):
        given("more.csv", 1, *ANN)
    assert given("large.csv", 2, *ANN) == upload, "the same again takes nothing"
    given("more.csv", 1, *BOB)
    kept_uploads.delete(Store(), upload, ANN)
    given("more.csv", 1, *ANN)
    assert left() == ["more.csv", "small.csv"]


def test_the_rule_follows_what_the_server_is_set_to(monkeypatch: pytest.MonkeyPatch) -> None:
    for one, every, days in (("3", "40", "2"), ("70", "900", "365")):
        for name, value in ((kept_uploads.OF_ONE, one), (kept_uploads.OF_ALL, every), (kept_uploads.FOR_DAYS, days)):
            monkeypatch.setenv(name, value)
        assert f"for each visitor, {one} MB together, and {every} MB for all, for {days} days." in kept_uploads.rule()


def test_many_small_files_count_as_the_blocks_that_they_take(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(kept_uploads.OF_ONE, "1")
    small = [(f"{number}.txt", b"x") for number in range(200)]
    uploads.save(Store(), small, ANN)
    (kept,) = kept_uploads.stored(Store())
    assert kept.size >= sum(file.stat().st_blocks * 512 for file in kept_uploads.folder(Store()).rglob("*.txt"))
    with pytest.raises(InvalidDocuments, match=r"keeps 1 MB for each visitor, of which yours take 819 KB"):
        uploads.save(Store(), small[:100], ANN)


@pytest.mark.parametrize(("most", "givers"), [("_NUMBER_OF_ONE", ANN), ("_NUMBER_OF_ALL", BOB)])
def test_so_many_uploads_are_kept_however_small(
    monkeypatch: pytest.MonkeyPatch, most: str, givers: tuple[str, ...]
) -> None:
    monkeypatch.setattr(kept_uploads, most, 2)
    upload = given("1.csv", 0, *ANN)
    given("2.csv", 0, *ANN)
    with pytest.raises(InvalidDocuments, match="keeps 2 uploads of"):
        given("3.csv", 0, *givers)
    assert given("1.csv", 0, *givers) == upload, "the same again takes nothing"
    kept_uploads.delete(Store(), upload, {*ANN, *givers})
    given("3.csv", 0, *givers)


def test_who_uploads_again_and_again_must_wait_though_each_is_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(upload_rate.A_MINUTE, "3")
    now = time.time()
    with monkeypatch.context() as clock:
        clock.setattr(upload_rate.time, "time", lambda: now)
        for number in range(3):
            kept_uploads.delete(Store(), given(f"{number}.csv", 0, *ANN), ANN)
        with pytest.raises(InvalidDocuments, match=r"At most 3 new uploads .* within a minute\. Try again in 61 s"):
            given("more.csv", 0, *ANN)
        given("more.csv", 0, *BOB)
    with monkeypatch.context() as clock:
        clock.setattr(upload_rate.time, "time", lambda: now + 61)
        given("more.csv", 0, *ANN)
    monkeypatch.setattr(upload_rate.time, "time", lambda: now + 200)
    upload_rate.forget(Store())
    assert not list((Store().root / "upload-times").iterdir())


def test_an_upload_larger_than_all_room_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(kept_uploads.OF_ONE, "1")
    with pytest.raises(InvalidDocuments, match=r"of 2 MB is not kept: .* Upload fewer documents\."):
        given("large.csv", 2, *ANN)
    assert left() == []


def test_all_visitors_together_may_keep_so_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(kept_uploads.OF_ALL, "2")
    given("ann.csv", 1.5, *ANN)
    with pytest.raises(InvalidDocuments, match="keeps 2 MB for all visitors together, of which 2 MB are taken") as full:
        given("bob.csv", 1, *BOB, fill="y")
    assert "ann.csv" not in str(full.value), "nobody learns what others uploaded"
    given("ann.csv", 1.5, *BOB)  # lies there already


def test_what_cannot_be_read_hides_no_other_upload(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(kept_uploads.OF_ALL, "2")
    given("ann.csv", 1.5, *ANN)
    unreadable = given("bob.csv", 0.1, *BOB)
    (kept_uploads.folder(Store()) / "notes.txt").write_text("of the operator")
    (kept_uploads.folder(Store()) / "lost+found").mkdir()
    stat = Path.stat

    def refused(path: Path, **options: Any) -> os.stat_result:
        if unreadable in path.parts and path.suffix:
            raise PermissionError
        return stat(path, **options)

    monkeypatch.setattr(Path, "stat", refused)
    ann, bob = kept_uploads.stored(Store())
    assert (ann.name, ann.givers, ann.size > 1_500_000) == ("ann.csv", {*ANN}, True)
    assert (bob.name, bob.givers, bob.size) == ("bob.csv", {*BOB}, 0)
    with pytest.raises(InvalidDocuments, match="keeps 2 MB for all visitors together"):
        given("more.csv", 1, *BOB)


@pytest.mark.usefixtures("idle")
def test_uploads_that_cannot_be_counted_admit_no_other(app: AppTest) -> None:
    Store().root.mkdir(parents=True, exist_ok=True)
    kept_uploads.folder(Store()).write_text("in the way")
    with pytest.raises(StoreError, match="uploads cannot be read: Not a directory"):
        given("ann.csv", 0.1, *ANN)
    app.switch_page("views/runs.py").run()
    assert "uploads cannot be read" in app.warning[0].value


def test_what_somebody_else_gave_too_stays() -> None:
    upload = given("both.csv", 0.1, *ANN, *BOB)
    kept_uploads.delete(Store(), upload, ANN)
    assert left() == ["both.csv"]
    assert kept_uploads.given_by(ANN, kept_uploads.stored(Store())) == []
    kept_uploads.delete(Store(), upload, BOB)
    assert left() == []
    assert not kept_uploads.givers(Store(), upload).exists()


def test_an_upload_is_deleted_when_its_time_is_over_unless_it_was_given_again() -> None:
    location, month = given("both.csv", 0.1, *ANN, *BOB), 31 * 86_400
    for giver in (ANN[0], BOB[0]):
        os.utime(kept_uploads.givers(Store(), location) / giver, (1, time.time() - month))
    given("both.csv", 0.1, *BOB)
    assert [upload.givers for upload in kept_uploads.stored(Store())] == [{BOB[0]}]
    os.utime(kept_uploads.givers(Store(), location) / BOB[0], (1, time.time() - month))
    given("later.csv", 0.1, *ANN)
    assert left() == ["later.csv"]


def test_an_upload_that_is_given_again_while_the_late_ones_are_sought_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    upload = given("late.csv", 0.1, *ANN)
    month = 31 * 86_400
    os.utime(kept_uploads.givers(Store(), upload) / ANN[0], (1, time.time() - month))

    @contextmanager
    def after_another(name: str, root: Path) -> Iterator[None]:
        with locked(name, root):
            kept_uploads.note(Store(), upload, ANN)  # another session held the lock until now
            yield

    monkeypatch.setattr(kept_uploads, "locked", after_another)
    kept_uploads.expire(Store())
    assert left() == ["late.csv"]


def run_of(upload: str, asker: str, seed: int) -> str:
    """Queue a run of an upload, keep what such a run keeps, and return its key."""
    store = Store()
    source = next((kept_uploads.folder(store) / upload).iterdir())
    dataset = {"part": "documents", "source": str(source)}
    experiment = Experiment.preset("word_pairs", "demo", seed=seed, dataset=dataset)
    run = experiment.key
    Jobs(store).ask(experiment.as_dict(), run, asker)
    store.put_files(run, {"result.json": b"{}"})
    for key in (f"own-{seed}", "shared"):
        noting = Store(run=run)
        noting.note_trainings(key)
        noting.put_arrays(key, "0", {})
    return run


@pytest.mark.usefixtures("idle")
def test_what_came_of_an_upload_goes_with_it_but_for_what_others_asked(home: Path) -> None:
    store = Store()
    upload = given("mine.csv", 0.01, *ANN)
    mine, theirs = run_of(upload, ANN[0], 1), run_of(upload, BOB[0], 2)
    elsewhere = Experiment.preset("word_pairs", "demo", seed=3)
    Jobs(store).ask(elsewhere.as_dict(), elsewhere.key, ANN[0])
    kept_uploads.delete(store, upload, ANN)
    assert left() == []
    assert {job.key for job in Jobs(store).all()} == {theirs, elsewhere.key}
    assert not (home / "results" / mine).exists() and (home / "results" / theirs).exists()
    assert not Jobs(store).log(mine).exists()
    assert not store.array_names("own-1")
    assert store.array_names("own-2") and store.array_names("shared"), "another run used them"
    assert not [path for path in home.rglob("*") if mine in path.name or upload in path.name]


@pytest.mark.usefixtures("idle")
def test_a_run_of_what_somebody_else_gave_too_is_theirs_to_open(
    app: AppTest, browser: dict[str, dict[str, Any]]
) -> None:
    browser["cookies"][visitors.COOKIE] = "2" * 32
    run_of(given("both.csv", 0.01, *ANN), ANN[0], 1)
    app.switch_page("views/runs.py").run()
    assert "Another visitor typed or uploaded" in words(app)
    given("both.csv", 0.01, *visitors.current().ids)
    app.run()
    assert "Another visitor typed" not in words(app) and "Another visitor’s" in words(app)


@pytest.mark.usefixtures("idle")
def test_a_run_of_the_command_line_is_listed_and_its_result_opens_with_the_same_content(
    app: AppTest, planted: Any
) -> None:
    source = Path(planted.source)
    elsewhere = planted.replace(owner_column="owner")
    experiment = Experiment.preset("word_pairs", "demo", dataset=elsewhere)
    Jobs(Store()).note(experiment.as_dict(), experiment.key, 0.0)
    Jobs(Store()).note(experiment.as_dict(), experiment.key, 0.0)
    app.switch_page("views/runs.py").run()
    assert not app.exception and "1 done" in words(app)
    uploaded = uploads.locate(Store(), uploads.save(Store(), [(source.name, source.read_bytes())]), "source")
    assert experiment.replace(dataset=elsewhere.replace(source=uploaded)).key == experiment.key


@pytest.mark.usefixtures("idle")
def test_the_page_lists_ones_own_uploads_and_deletes_them(app: AppTest, browser: dict[str, dict[str, Any]]) -> None:
    browser["cookies"][visitors.COOKIE] = "1" * 32
    given("mine.csv", 2.4, *visitors.current().ids)
    upload = given("secret-of-bob.csv", 0.1, *BOB)
    app.switch_page("views/runs.py").run()
    assert not app.exception
    assert "**mine.csv**, 2 MB, kept until 20" in words(app).replace("\\", "")
    assert "secret" not in words(app) and upload not in str(app)
    (button,) = [button for button in app.button if button.label == "Delete upload"]
    button.click().run()
    assert left() == ["secret-of-bob.csv"]
    assert "Your uploads" not in [header.value for header in app.header]
