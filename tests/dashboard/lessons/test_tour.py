"""A tour: a bar above each page leads on and back, its place is in the address, and a live run is told of."""

import pytest
from streamlit.testing.v1 import AppTest

from core.jobs import Jobs
from core.runtime.store import Store
from dashboard.kit import address
from dashboard.topics.lessons.tour import bar, position
from dashboard.topics.lessons.tour.tour import tours
from tests.dashboard.kept_results import words

TOUR = "ten_minutes"


def at(app: AppTest, page: str, **query: str) -> AppTest:
    app.switch_page(f"views/{page}.py")
    app.query_params.clear()
    app.query_params.update(query)
    app.run()
    assert not app.exception
    return app


def test_a_tour_leads_from_page_to_page(app: AppTest, home: object) -> None:
    at(app, "lessons", tour="")
    assert "What models give away" in app.main.title[0].value and "Page Down" in words(app)
    app.main.button(key="tour.begin").click().run()
    assert not app.exception and "Stop 1 of 8" in words(app)
    assert app.main.button(key="tour.PageUp").disabled
    assert "".join(app.query_params[address.TOUR]) == f"{TOUR}-1"

    at(app, "runs", **{address.TOUR: f"{TOUR}-3"})
    assert "**Whose mailbox was it?** The model" in words(app)
    at(app, "runs", **{address.TOUR: f"{TOUR}-7-2"})  # as after a reload
    assert "Stop 7 of 8" in words(app) and "Live run: not started yet." in words(app)
    app.main.button(key="tour.PageDown").click().run()
    assert not app.exception and "Stop 8 of 8" in words(app)
    assert "".join(app.query_params[address.TOUR]) == f"{TOUR}-8-2"
    assert app.main.button(key="tour.PageDown").disabled
    app.main.button(key="tour.end").click().run()
    assert not app.exception and address.TOUR not in app.query_params


@pytest.mark.parametrize("position_text", ["", "other-1", f"{TOUR}-9", f"{TOUR}-0", f"{TOUR}-²", f"{TOUR}-1-2-3", TOUR])
def test_an_odd_place_opens_no_bar(position_text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(position.st, "query_params", {address.TOUR: position_text})
    assert position.opened() is None


def test_the_live_run_is_told_of(home: object, monkeypatch: pytest.MonkeyPatch) -> None:
    live = position.Position(tours()[TOUR], 2, 77).live
    assert live is not None
    assert bar.standing(live.key) == "not started yet."
    monkeypatch.setattr(Jobs, "tend", lambda self: None)
    Jobs(Store()).ask(live.as_dict(), live.key)
    assert bar.standing(live.key).startswith("Next in the queue")
    Jobs(Store()).cancel(live.key)
    assert bar.standing(live.key) == "cancelled. Its page says why."


@pytest.mark.parametrize("position_text", [f"{TOUR}-99", "other-1"])
def test_a_link_to_no_stop_is_told_of(app: AppTest, home: object, position_text: str) -> None:
    at(app, "runs", **{address.TOUR: position_text})
    text = app.main.warning[0].value.replace("\\", "")
    assert f"there is no “{position_text}”" in text and "has the stops 1 to 8" in text
    assert address.TOUR not in app.query_params
    assert not app.run().main.warning


def test_the_notice_names_what_was_asked_for_and_the_stops_there_are() -> None:
    assert "no “ten_minutes-99”. “What models give away” has the stops 1 to 8." in position.absent("ten_minutes-99")
    assert position.absent("other-1").startswith("Tour: there is no “other-1”.")
