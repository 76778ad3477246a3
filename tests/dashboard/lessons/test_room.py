"""A room: whoever leads it sees who predicted, participants see its step, and all see the same dots."""

import csv
import json
import time
from collections.abc import Callable
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.errors import RoomRefused
from core.runtime.store import Store
from dashboard.kit import glossary, visitors
from dashboard.kit.figures import tables
from dashboard.room.rooms import MOST_OF_ONE, Rooms
from dashboard.room.rooms_file import Stage, Value
from dashboard.topics.lessons import shelf
from dashboard.topics.lessons.room import export, invitation
from tests.dashboard.conftest import APP
from tests.dashboard.kept_results import words
from tests.dashboard.test_glossary import helps, texts


def person() -> AppTest:
    """Somebody with a browser of their own."""
    return AppTest.from_file(str(APP))


def at(app: AppTest, **query: str) -> AppTest:
    app.switch_page("views/lessons.py")
    app.query_params.clear()
    app.query_params.update(query)
    return seen(app.run())


def seen(app: AppTest) -> AppTest:
    assert not app.exception
    explained = "\n".join(helps(app))
    assert [term for term in glossary.terms_in("\n".join(texts(app))) if glossary.TERMS[term] not in explained] == []
    return app


def pictures(app: AppTest) -> str:
    components = [each.proto for each in app.main.get("bidi_component")]
    return "".join(each.json for each in components if each.component_name == "telltale.predictions")


def looks(app: AppTest) -> dict[str, Any]:
    """What a screen is told to look at."""
    (component,) = (
        each.proto for each in app.main.get("bidi_component") if each.proto.component_name.endswith("following")
    )
    return json.loads(component.json)  # type: ignore[no-any-return]


def press(app: AppTest, key: str) -> AppTest:
    return seen(app.main.button(key=f"room.{key}").click().run())


def test_a_room_from_start_to_end(home: object, monkeypatch: pytest.MonkeyPatch) -> None:
    host, ann, bob = person(), person(), person()
    at(host, lesson="mailbox")
    press(host, "start")
    code = "".join(host.query_params["room"])
    assert code in words(host) and "Nobody has joined yet." in words(host)
    assert "No phone can join yet" in host.main.info[0].value and not host.main.get("image"), (
        "AppTest serves this machine only"
    )
    with monkeypatch.context() as patched:
        patched.setattr(invitation, "_address", "https://room.example/lessons?room={}".format)
        seen(host.run())
        assert "code at **room.example/room**" in words(host).replace("\\", "") and host.main.get("image")

    at(ann, room=code.lower())
    assert "You are invited" in words(ann) and not ann.main.slider
    ann.main.text_input(key="room.nickname").set_value("=Ann")
    press(ann, "join")
    assert "The first question appears here" in words(ann)
    at(bob, room=code)
    press(bob, "join")

    press(host, "arrow_forward")
    assert "Still thinking" not in words(host) and "Elsewhere: =Ann, 1 without a name" in words(host)
    seen(ann.run())
    seen(bob.run())
    of_host, of_ann = looks(host), looks(ann)
    assert of_host["path"] == of_ann["path"] == f"/room/standing/{code}/1"
    assert of_host["seen"] == ["1", "2", "0", "0"], "nobody's screen had followed when it was drawn"
    assert of_ann["seen"] == ["1", "2", "0"], "who stands where is for those who lead"
    assert of_host["looks"] < of_ann["looks"] and of_host["draws"] == 0 < of_ann["draws"]
    assert ann.main.button(key="room.vote").disabled, "where the slider starts is no prediction"
    ann.main.slider[0].set_value(0.7).run()
    press(ann, "vote")
    assert "You predicted **70%**." in words(ann) and "**1 of 2** have predicted." in words(ann)
    assert "Measured" not in words(ann) and not pictures(ann)
    assert "Still thinking: 1 without a name" in words(seen(host.run()))

    press(host, "scatter_plot")
    assert "1 prediction: 70%" in pictures(host)
    assert "light-dark(" in pictures(host) and "#00000" not in pictures(host), "in the colours of the theme"
    assert "1 prediction: 70%" in pictures(seen(bob.run())) and "Measured" not in words(bob)
    bob.main.slider[0].set_value(0.9).run()
    press(host, "lock")
    bob.main.button(key="room.vote").click().run()
    assert "locked before you predicted" in bob.main.info[0].value and "1 of 2" in words(bob)
    press(host, "lock_open")
    seen(bob.run())
    bob.main.slider[0].set_value(0.96).run()
    press(bob, "vote")
    press(host, "visibility")
    assert "Of 2 predictions, 1 lies in the interval." in words(host) and host.main.get("plotly_chart")
    seen(ann.run())
    assert "Measured: 96%" in words(ann) and "Many think:" in words(ann) and not ann.main.get("plotly_chart")
    assert "2 predictions: 70%, 96%. 1 of them lies in the interval. Yours: 70%." in pictures(ann)

    press(host, "visibility_off")
    assert "Measured" not in words(host) and "Measured" not in words(seen(ann.run())), "a slip is taken back"
    assert Rooms(Store()).stage(code, 1) == Stage(is_locked=True, is_shown=True), "and nobody predicts who has seen it"
    press(host, "visibility")

    rows = list(csv.DictReader(tables.csv(export.table(code, shelf.lessons()["mailbox"])).decode().splitlines()))
    assert [(row["nickname"], row["step"], row["prediction"]) for row in rows] == [
        ("'=Ann", "1", "0.7"),
        ("", "1", "0.96"),
    ]
    assert rows[0]["question"].startswith("Only a list of vectors. How often does the adversary name")

    press(host, "arrow_forward")
    at(ann, room=code, step="4")
    assert "Step 2 of" in words(ann), "nobody runs ahead unless that is allowed"
    host.main.toggle(key="room.ahead").set_value(True).run()
    at(ann, room=code, step="4")
    assert "Step 4 of" in words(ann)
    Rooms(Store()).go(code, Rooms(Store()).people(code)[0].visitor, len(shelf.lessons()["mailbox"].steps) + 1)
    at(ann, room=code)
    sheet = ann.main.table[0].value
    assert list(sheet["I predict"])[:2] == ["70%", ""] and sheet["Measured"].iloc[0] and not sheet["Measured"].iloc[1]
    sheet = seen(host.run()).main.table[0].value
    assert set(sheet["I predict"]) == {""} and sheet["Measured"].iloc[0], "who leads prints what was measured"
    press(host, "really")
    assert "room" not in host.query_params
    at(ann, room=code)
    assert f"No room has the code {code}" in ann.main.warning[0].value


def test_the_large_screen_turns_pages_for_all(home: object) -> None:
    host, ann, projector = person(), person(), person()
    at(host, lesson="mailbox")
    press(host, "start")
    code = "".join(host.query_params["room"])
    at(ann, room=code)
    press(ann, "join")
    at(host, room=code, screen="large")
    at(projector, room=code, screen="large")
    turned = []
    for _ in range(4):
        seen(host.main.button(key="presenter.Right").click().run())
        turned.append({name: "".join(text) for name, text in host.query_params.items()})
        assert seen(projector.run()).main.title[0].value == host.main.title[0].value
        assert not projector.main.button, "who only looks, turns no page"
    assert [(address["step"], address.get("hide", "")) for address in turned] == [
        ("1", "answer,why"),
        ("1", "why"),
        ("1", ""),
        ("2", "answer,why"),
    ]
    assert all(
        (address["lesson"], address["room"], address["screen"]) == ("mailbox", code, "large") for address in turned
    )
    assert "Step 2 of" in words(seen(ann.run()))
    host_id = Rooms(Store()).people(code)[0].visitor
    Rooms(Store()).change_stage(code, host_id, 2, is_revealed=True)
    assert pictures(seen(host.run())) and pictures(seen(projector.run())), "one reveal for all views"
    seen(host.main.button(key="presenter.Left").click().run())
    assert "Many think:" in words(host) and "Step 1 of" in words(seen(ann.run()))

    at(projector, lesson="pin", step="1", screen="large", hide="anwser")
    assert projector.main.warning[0].value.replace("\\", "").startswith("Hide: there is no “anwser”, only answer,")
    assert "".join(projector.query_params["hide"]) == "answer,why,code"
    assert "Measured" not in words(projector) and not pictures(projector)
    assert not at(projector, lesson="pin", step="1", screen="large", hide="answer, why").main.warning
    at(projector, lesson="pin", step="1", screen="large", hide="answer,why")
    assert "Measured" not in words(projector) and not pictures(projector)
    seen(projector.main.button(key="presenter.Right").click().run())
    assert "Measured:" in words(projector) and "predict" not in pictures(projector)


def test_a_code_is_asked_for_and_a_secret_link_leads(home: object, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = person()
    ann.switch_page("views/lessons.py")
    at(ann, room="")
    assert "Join a room" in words(ann) and not ann.main.warning
    room, _ = Rooms(Store()).start("pin", "1" * 32)
    host = at(person(), room="")
    host.main.selectbox(key="room.lesson").set_value("pin")
    press(host, "start")
    started = Rooms(Store()).find("".join(host.query_params["room"]))
    assert started.lesson == "pin" and "You lead the room" in words(host)
    host_id = Rooms(Store()).people(started.code)[0].visitor
    assert "Rooms that you lead" not in words(at(ann, room=""))
    assert [link.proto.label for link in at(host, room="").main.get("page_link")] == [
        f"`{started.code}` Can the PIN be read back? · 0 participants"
    ], "who has lost the tab finds the room again"
    for _ in range(MOST_OF_ONE - 1):
        led, _ = Rooms(Store()).start("pin", host_id)
    secret = Rooms(Store()).renew(room.code, "1" * 32)
    Rooms(Store()).admit(room.code, secret, host_id)
    press(at(host, room=""), "start")
    assert "you have as many" in host.main.warning[0].value, "as many rooms as one visitor may start"
    Rooms(Store()).delete(led.code, host_id)
    assert "You lead the room" in words(press(host, "start")), "rooms that others started do not count"
    with monkeypatch.context() as patched:
        patched.setenv(visitors.OWNERS, "ann@example.org")
        assert not seen(ann.run()).main.selectbox, "only owners start one"
    at(ann, room="K7PQ")
    assert "has 6 of the letters and digits" in ann.main.warning[0].value
    at(ann, room=room.code, key="wrong")
    assert "Ask for its newest one" in ann.main.warning[0].value
    at(ann, room=room.code, key=secret)
    assert "makes you a facilitator" in words(ann) and len(Rooms(Store()).people(room.code)) == 2, "a link only asks"
    press(ann, "lead")
    assert "You lead the room" in words(ann) and "key" not in ann.query_params
    assert "this link" not in words(ann) and "Make a link: whoever opens it may lead" in words(ann)
    press(ann, "renew")
    assert "Whoever opens this link may lead" in words(ann) and "key=" in ann.main.code[-1].value


def test_facilitators_see_each_others_rules_and_change_one_at_a_time(home: object) -> None:
    rooms = Rooms(Store())
    room, _ = rooms.start("pin", "1" * 32)
    ann, bob = person(), person()
    for app in (ann, bob):
        at(app, room=room.code, key=rooms.renew(room.code, "1" * 32))
        press(app, "lead")
    before = rooms.find(room.code).revision
    seen(ann.main.toggle(key="room.ahead").set_value(True).run())
    seen(bob.main.number_input(key="room.runs").set_value(5).run())  # his screen has not followed yet
    after = rooms.find(room.code)
    assert (after.ahead, after.runs) == (True, 5), "one rule changes no other"
    assert after.revision == before + 2, "one change is one reason to draw anew"
    seen(ann.main.number_input(key="room.minutes").set_value(30).run())
    seen(bob.run())
    for app in (ann, bob):
        assert app.main.toggle(key="room.ahead").value
        assert [app.main.number_input(key=f"room.{name}").value for name in ("runs", "minutes")] == [5, 30]


def test_a_rule_that_is_being_typed_is_not_reset_by_another_change(
    home: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms, host = Rooms(Store()), "1" * 32
    room, _ = rooms.start("pin", host)
    ann = person()
    at(ann, room=room.code, key=rooms.renew(room.code, host))
    press(ann, "lead")

    def filled() -> list[bool]:
        return [ann.main.number_input(key=f"room.{name}").proto.set_value for name in ("runs", "minutes")]

    rooms.allow_ahead(room.code, host, ahead=True)
    seen(ann.run())
    assert filled() == [False, False]
    rooms.allow_runs(room.code, host, 4)
    seen(ann.run())
    assert filled() == [True, False] and ann.main.number_input(key="room.runs").value == 4

    def refuse(*_: object, **__: object) -> None:
        raise RoomRefused("No longer.")

    with monkeypatch.context() as patched:
        patched.setattr(Rooms, "allow_runs", refuse)
        seen(ann.main.number_input(key="room.runs").set_value(9).run())
    assert ann.main.number_input(key="room.runs").value == 4, "the room's rule is shown again"


def test_the_timer_closes_a_step_the_large_screen_hides_the_code_and_answers_are_saved(
    home: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw, saved = st.download_button, {}

    def noted(label: str, data: Callable[[], bytes], name: str, *arguments: Any, **options: Any) -> bool:
        saved[name] = data
        return draw(label, data, name, *arguments, **options)

    monkeypatch.setattr(st, "download_button", noted)
    host, ann, projector = person(), person(), person()
    at(host, lesson="mailbox")
    press(host, "start")
    code = "".join(host.query_params["room"])
    at(ann, room=code)
    press(ann, "join")
    press(host, "arrow_forward")
    for hidden, stays in (("", "answer,why"), ("code", "answer,why,code")):
        at(projector, room=code, screen="large", hide=hidden)
        assert (f"Room {code}" in words(projector)) != bool(hidden)
        assert "".join(projector.query_params["hide"]) == stays

    rooms = Rooms(Store())
    seen(ann.run()).main.slider[0].set_value(0.7).run()
    press(ann, "vote")
    started = time.time()
    host.session_state["room.timer"] = True
    press(host, "timer.300")
    assert not host.session_state["room.timer"], "its box covers nothing that all look at"
    ends = rooms.stage(code, 1).ends
    assert ends is not None and started + 300 <= ends <= time.time() + 300
    monkeypatch.setattr(time, "time", lambda: ends - 61.5)
    assert all("**1:02** left" in words(seen(app.run())) for app in (host, ann, projector))
    monkeypatch.setattr(time, "time", lambda: ends)
    assert "left" not in words(seen(host.run())) and not host.main.button(key="room.lock_open").disabled
    rooms.join(code, "1" * 32)
    with pytest.raises(RoomRefused, match="was locked before"):
        rooms.vote(code, 1, "1" * 32, 0.1)
    press(host, "lock_open")
    press(host, "timer.30")
    press(host, "timer_off")
    assert rooms.stage(code, 1) == Stage()

    (row,) = csv.DictReader(saved[f"room-{code}.csv"]().decode().splitlines())
    assert (row["person"], row["step"], row["prediction"]) == ("1", "1", "0.7")
    rows = list(csv.DictReader(saved[f"room-{code}-counts.csv"]().decode().splitlines()))
    assert [(row["answer"], row["of"]) for row in rows if row["people"] != "0"] == [("70% to below 80%", "1")]


def test_anonymous_counts_of_every_kind_of_answer(home: object) -> None:
    rooms, people = Rooms(Store()), ["1" * 32, "2" * 32, "3" * 32]

    def counted(name: str, step: int, *values: Value) -> list[tuple[str, int, int]]:
        room, _ = rooms.start(name, "9" * 32)
        rooms.go(room.code, "9" * 32, step)
        for visitor, value in zip(people, values, strict=False):
            rooms.join(room.code, visitor, "Nick")
            rooms.vote(room.code, step, visitor, value)
        table = export.counts(room.code, shelf.lessons()[name])
        assert "Nick" not in table.to_csv() and list(table.columns) == export.COLUMNS_OF_COUNTS
        here = table[table["step"] == step]
        return [(row.answer, row.people, row.of) for row in here.itertuples() if row.people]

    assert counted("mailbox", 1, 0.3, 0.29, 1.0) == [
        ("20% to below 30%", 1, 3),
        ("30% to below 40%", 1, 3),
        ("90% to 100%", 1, 3),
    ]
    assert counted("pin", 3, 15.0, 0.0) == [("0 bits to below 1.50 bits", 1, 2), ("13.5 bits to 15 bits", 1, 2)]
    option = next(iter(shelf.lessons()["translator"].steps[2].prediction.measured))
    assert counted("translator", 3, option, option, "nonsense") == [(option, 2, 2)]
    calls = (True, *9 * [False])
    assert counted("vector", 1, calls, calls, (True,) * 10)[:2] == [("item 1 is in", 3, 3), ("item 2 is in", 1, 3)]
    assert counted("vector", 5, "77", "78") == [("started a run", 2, 2)]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    "lesson, step, shown, hidden",
    [
        ("mailbox", 3, ["Measured for ten: 93%", "a hundred: 97%"], "one: 66%"),
        ("pin", 3, ["Measured for never: 1.24 bits"], "once: 11.7"),
        ("vector", 1, ["1. …", "10. …"], "the model says"),
        ("vector", 2, ["1. …", "the model says −"], "Measured"),
        ("translator", 3, ["- Words in common with the reference"], "Measured"),
        ("mailbox", 1, [], "Measured"),
    ],
)
def test_every_screen_shows_what_a_question_points_at(
    home: object, lesson: str, step: int, shown: list[str], hidden: str
) -> None:
    host, ann, projector = person(), person(), person()
    at(host, lesson=lesson)
    press(host, "start")
    code = "".join(host.query_params["room"])
    at(ann, room=code)
    press(ann, "join")
    rooms = Rooms(Store())
    rooms.go(code, rooms.people(code)[0].visitor, step)
    seen(host.run())
    seen(ann.run())
    at(projector, room=code, screen="large")
    alone = at(person(), lesson=lesson, step=str(step), screen="large", hide="answer,why")
    for screen in (host, projector, alone):
        drawn = words(screen) + pictures(screen)
        assert all(text in drawn for text in shown) and hidden not in drawn
        assert not screen.main.radio and not screen.main.slider, "to read only"
    assert not ann.main.get("plotly_chart"), "a phone in a room loads no plotly"
    if step == 3 and ann.main.slider:
        assert all(text in pictures(ann) for text in shown) and hidden not in pictures(ann)
        ann.main.slider[0].set_value(ann.main.slider[0].max).run()
        assert "You predicted" in words(seen(ann)) and "You predicted" in pictures(ann)
    rooms.change_stage(code, rooms.people(code)[0].visitor, step, is_revealed=True)
    assert not seen(ann.run()).main.get("plotly_chart")


def test_who_answered_about_items_sees_what_they_said_and_then_how_many_were_right(home: object) -> None:
    host, ann = person(), person()
    at(host, lesson="vector")
    press(host, "start")
    code = "".join(host.query_params["room"])
    press(at(ann, room=code), "join")
    rooms = Rooms(Store())
    leader = rooms.people(code)[0].visitor
    rooms.go(code, leader, 1)
    assert "Show predictions" not in [button.label for button in seen(host.run()).main.button]
    rooms.vote(code, 1, next(each.visitor for each in rooms.people(code) if each.visitor != leader), (True,) * 10)
    seen(ann.run())
    (expander,) = (each for each in ann.main.expander if each.label == "What you said")
    ann.session_state["folded/What you said"] = True
    assert words(seen(ann.run())).count("you said: in") == 10
    rooms.change_stage(code, leader, 1, is_revealed=True)
    labels = [each.label for each in seen(ann.run()).main.expander]
    assert "Item by item: you were right about 5 of 10" in labels and expander.label not in labels


def _screen(is_shown: bool) -> None:
    from dashboard.topics.lessons import shelf
    from dashboard.topics.lessons.room import chart

    step = shelf.lessons()["split"].steps[0]
    chart.show(step.prediction, (0.6, 0.7), None, "step", is_shown=is_shown)


@pytest.mark.parametrize("is_shown", [True, False])
def test_a_screen_of_a_room_warns_once_a_broken_split_is_measured(home: object, is_shown: bool) -> None:
    app = AppTest.from_function(_screen, kwargs={"is_shown": is_shown}).run()
    assert not app.exception
    assert any("Deliberately broken split" in str(each.value) for each in app.caption) == is_shown


def test_the_code_of_no_room_is_repeated_as_it_was_typed(home: object) -> None:
    ann = person()
    at(ann, room="zzzzzz")
    assert "No room has the code ZZZZZZ, read as 222222:" in ann.main.warning[0].value.replace("\\", "")
    at(ann)
    ann.main.text_input(key="room.code").set_value("zzz-zzz")
    seen(next(button for button in ann.main.button if button.label == "Go to the room").click().run())
    assert "No room has the code ZZZ-ZZZ, read as 222222:" in ann.main.warning[0].value.replace("\\", "")


def test_the_address_of_a_room_has_its_code_as_it_is(home: object) -> None:
    host, ann = person(), person()
    at(host, lesson="mailbox")
    press(host, "start")
    code = "".join(host.query_params["room"])
    at(ann, room=f"{code[:3]}-{code[3:]}".lower())
    assert "".join(ann.query_params["room"]) == code and not ann.main.warning


def test_an_empty_code_is_answered_and_takes_the_place_of_an_earlier_refusal(home: object) -> None:
    ann = person()
    at(ann, room="")
    send = next(button for button in ann.main.button if button.label == "Go to the room")
    seen(send.click().run())
    assert ann.main.info[0].value == "Type the code first: 6 letters and digits, such as K7PQ4M."
    at(ann, room="abc")
    assert "such as K7PQ4M. Got 'abc' instead" in ann.main.warning[0].value.replace("\\", "")
    send = next(button for button in ann.main.button if button.label == "Go to the room")
    seen(send.click().run())
    assert not ann.main.warning and "Type the code first" in ann.main.info[0].value
    seen(ann.run())
    assert not ann.main.warning, "the address has dropped the wrong code"
