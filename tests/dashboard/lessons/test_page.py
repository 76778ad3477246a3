"""A lesson asks, locks and reveals; its place is in the address, and its predictions outlive a reload."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.runtime.store import Store
from dashboard.kit import glossary, stored_results, visitors
from dashboard.room.alone import AloneFile
from dashboard.room.rooms import Rooms
from dashboard.room.rooms_file import StageChanges
from dashboard.topics.lessons import shelf
from dashboard.topics.lessons.lesson import Measured, Number
from dashboard.topics.lessons.tour.tour import tours
from tests.dashboard.conftest import APP
from tests.dashboard.kept_results import words
from tests.dashboard.test_glossary import helps, texts

GONE = r"is not installed\: gone\."
LOCK, REVEAL = "lesson.lock", "lesson.visibility"


def at(app: AppTest, **query: str) -> AppTest:
    app.switch_page("views/lessons.py")
    app.query_params.clear()
    app.query_params.update(query)
    app.run()
    assert not app.exception
    explained = "\n".join(helps(app))
    assert [term for term in glossary.terms_in("\n".join(texts(app))) if glossary.TERMS[term] not in explained] == []
    return app


def charts(app: AppTest) -> int:
    return len(app.main.get("plotly_chart"))


def test_a_question_can_be_read_without_its_situation() -> None:
    """After the answer, on the sheet and in the files of a room, it stands alone."""
    pointing = re.compile(r"\b(he|him|she|it|them|this|these|that one|those|there|now|here)\b", re.I)
    questions = [step.prediction.label for lesson in shelf.lessons().values() for step in lesson.steps]
    assert [question for question in questions if pointing.search(question)] == []


def test_a_lesson_begins_by_its_main_button(app: AppTest, home: object) -> None:
    at(app, lesson="mailbox")
    begin = app.main.button(key="lesson.begin")
    assert begin.proto.type == "primary"
    assert [button.label for button in app.main.button if button.proto.type == "primary"] == ["Begin"]
    begin.click().run()
    assert not app.exception and app.query_params["step"] == "1" and "Only a list of vectors" in app.main.title[0].value


def test_predict_lock_reveal(
    app: AppTest, home: object, browser: dict[str, dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TELLTALE_DATA", raising=False)
    browser["cookies"][visitors.COOKIE] = "1" * 32
    at(app)
    assert len(app.main.get("page_link")) == len(shelf.lessons()) + len(tours())

    at(app, lesson="mailbox", step="1")
    assert "Measured" not in words(app) and not charts(app)
    assert app.main.button(key=LOCK).disabled and "Move the slider to predict" in words(app)
    app.main.slider[0].set_value(0.7).run()
    app.main.button(key=LOCK).click().run()
    assert "You predicted **70%**." in words(app) and not app.main.slider
    assert "Measured" not in words(app) and not charts(app)
    app.main.button(key=REVEAL).click().run()
    assert "n = 600 decisions. You predicted 70%, below the interval." in words(app)
    assert "Many think:" in words(app) and charts(app) == 1

    at(app, lesson="translator", step="3")
    assert app.main.button(key=LOCK).disabled
    app.main.radio[0].set_value(app.main.radio[0].options[0]).run()

    at(app, lesson="mailbox", step="3")
    assert charts(app) == 1 and "You predicted" not in words(app), "the other points are shown"
    app.main.slider[0].set_value(0.7).run()
    assert "You predicted 70%" in words(app)
    app.main.slider[0].set_value(0.5).run()
    app.main.button(key=LOCK).click().run()
    assert not charts(app), "whoever moved it may predict where it started"

    at(app, lesson="mailbox", step="4")
    app.main.slider[0].set_value(0.65).run()
    app.main.slider[0].set_value(0.7)
    app.main.button(key=LOCK).click().run()
    assert "You predicted **70%**." in words(app), "the value at the click, not that of the last run"

    at(app, lesson="vector", step="2")
    labels = " ".join(verdict.label for verdict in app.main.radio)
    assert re.search(r"the model says −\d", labels) and not re.search(r"the model says \\?-", labels)

    at(app, lesson="vector", step="1")
    for verdict in app.main.radio[:9]:
        verdict.set_value("In")
    app.run()
    assert app.main.button(key=LOCK).disabled
    assert "9 of 10 answered. Your prediction can be locked once all are." in words(app)
    app.main.radio[9].set_value("Not in").run()
    app.main.button(key=LOCK).click().run()
    assert "You predicted **9 of 10 items in**." in words(app) and "right" not in words(app)
    app.main.button(key=REVEAL).click().run()
    assert "of 10 items: " in words(app) and charts(app) == 1

    at(app, lesson="mailbox", step="1")
    assert "You predicted 70%, below the interval." in words(app), "it is kept"
    at(app, lesson="mailbox", step="sheet")
    sheet = app.main.table[0].value
    assert list(sheet["I predict"])[:3] == ["70%", "", "50%"]
    assert sheet["Measured"].iloc[0].replace("\\", "").startswith("96%")
    assert sheet["Measured"].iloc[2] == "", "locked, and not revealed"
    assert "Not so. They hold traces" in words(app)
    assert "To remember" not in words(app) and words(app).count("Not so.") == 1, "the sheet gives no answer away"

    again = at(AppTest.from_file(str(APP)), lesson="mailbox", step="sheet")
    assert again.main.table[0].value.equals(sheet), "a page that is loaded again has what was locked and revealed"
    browser["cookies"][visitors.COOKIE] = "2" * 32
    other = at(AppTest.from_file(str(APP)), lesson="mailbox", step="sheet")
    assert set(other.main.table[0].value["I predict"]) == {""}, "another browser has its own"
    browser["cookies"][visitors.COOKIE] = "1" * 32
    again.main.button(key="mailbox.forget").click().run()
    assert set(again.main.table[0].value["I predict"]) == {""}
    kept = AloneFile(Store()).predictions(visitors.current().ids[0])
    assert {lesson for lesson, _ in kept} == {"vector"}, "forgotten for good, in this lesson alone"


def test_a_kept_prediction_that_no_longer_fits_is_asked_for_again(
    app: AppTest, home: Path, browser: dict[str, dict[str, str]]
) -> None:
    browser["cookies"][visitors.COOKIE] = "1" * 32
    visitor, file = visitors.current().ids[0], AloneFile(Store())
    for lesson, step, value in (("mailbox", 1, 7.5), ("mailbox", 99, 0.5), ("gone", 1, 0.5), ("translator", 3, "gone")):
        file.lock(visitor, lesson, step, value)
    file.lock(visitor, "mailbox", 3, 0.5)
    assert app_asks(at(app, lesson="mailbox", step="1"))
    assert app_asks(at(app, lesson="translator", step="3"))
    assert "You predicted **50%**." in words(at(app, lesson="mailbox", step="3"))
    home.joinpath(AloneFile.NAME).write_bytes(b"nonsense" * 1000)
    assert app_asks(at(AppTest.from_file(str(APP)), lesson="mailbox", step="3")), "a damaged file is set aside"


def app_asks(app: AppTest) -> bool:
    """Tell whether a step asks for a prediction."""
    return [button.key for button in app.main.button] == [LOCK]


@pytest.mark.parametrize(
    "query, kept, message",
    [
        ({"lesson": "pim", "step": "1", "seed": "3"}, {}, "Lesson: there is no “pim”. Did you mean "),
        ({"lesson": "pin", "step": "99"}, {"lesson": "pin"}, "Step: there is no “99”, only 1 to "),
        ({"lesson": "pin", "step": "²"}, {"lesson": "pin"}, "Step: there is no “²”, only 1 to "),
        ({"lesson": "pin", "step": "2", "attack.steps": "3"}, {"lesson": "pin", "step": "2"}, ""),
    ],
)
def test_an_odd_address_leads_to_the_nearest_place(
    app: AppTest, home: object, query: dict[str, str], kept: dict[str, str], message: str
) -> None:
    at(app, **query)
    assert "".join(warning.value.replace("\\", "") for warning in app.main.warning).startswith(message)
    assert bool(app.main.warning) == bool(message)
    assert {name: "".join(text) for name, text in app.query_params.items()} == kept


def test_a_result_that_is_not_installed_is_named(app: AppTest, home: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_results, "estimates", lambda key: {})
    monkeypatch.setattr(stored_results, "load", lambda key: None)
    for step in ("1", "3"):
        at(app, lesson="vector", step=step)
        assert "is not installed" in app.main.info[0].value
    at(app, lesson="vector", step="runs")
    assert "is not installed" in app.main.info[0].value


def test_a_result_that_nobody_knows_is_named(app: AppTest, home: object, monkeypatch: pytest.MonkeyPatch) -> None:
    known = shelf.lessons()["pin"]
    prediction = Number("How often?", Measured("gone"), "Accuracy")
    steps = (replace(known.steps[0], prediction=prediction), *known.steps[1:])
    monkeypatch.setattr(shelf, "lessons", lambda: {"pin": replace(known, steps=steps)})
    room, _ = Rooms(Store()).start("pin", "1" * 32)
    Rooms(Store()).go(room.code, "1" * 32, 1)
    for query in (
        {"lesson": "pin", "step": "1"},
        {"lesson": "pin", "step": "1", "screen": "large", "hide": "why"},
    ):
        at(app, **query)
        assert app.main.info[0].value.endswith(GONE)
    at(app, room=room.code)
    app.main.button(key="room.join").click().run()
    assert not app.exception and app.main.info[0].value.endswith(GONE)
    opening: tuple[StageChanges, ...] = ({"is_shown": True}, {"is_revealed": True})
    for changes in opening:
        Rooms(Store()).change_stage(room.code, "1" * 32, 1, **changes)
        at(app, room=room.code, screen="large")
        assert app.main.info[0].value.endswith(GONE)


def test_the_first_of_two_tabs_locks_the_prediction(
    app: AppTest, home: Path, browser: dict[str, dict[str, str]]
) -> None:
    browser["cookies"][visitors.COOKIE] = "1" * 32
    visitor, file = visitors.current().ids[0], AloneFile(Store())
    at(app, lesson="mailbox", step="3")
    app.main.slider[0].set_value(0.7).run()
    file.lock(visitor, "mailbox", 3, 0.25)
    app.main.button(key=LOCK).click().run()
    assert "You predicted **25%**." in words(app), "as after a reload"
    file.forget(visitor, "mailbox")
    app.main.button(key=REVEAL).click().run()
    assert file.predictions(visitor) == {("mailbox", 3): (0.25, True)}, "what this tab shows is kept"


def test_a_result_of_a_broken_split_is_never_revealed_without_its_warning(
    app: AppTest, home: object, browser: dict[str, dict[str, str]]
) -> None:
    browser["cookies"][visitors.COOKIE] = "2" * 32
    for step, is_broken in (("1", True), ("2", True), ("3", False)):
        at(app, lesson="split", step=step)
        app.main.slider[0].set_value(0.65).run()
        app.main.button(key=LOCK).click().run()
        app.main.button(key=REVEAL).click().run()
        assert charts(app) == 1
        assert any("Deliberately broken split" in str(each.value) for each in app.warning) == is_broken, step
