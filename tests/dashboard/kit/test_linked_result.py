"""The link that the command line prints: it opens the result, of whatever was computed, for who may see it."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.attacks.own_text import OwnText
from core.commands.summary import page_address
from core.experiment import Experiment
from core.jobs import Jobs
from core.registry import names
from core.result import Result
from core.runtime.store import Store
from dashboard import navigation
from dashboard.kit import landing, visitors
from dashboard.kit.inputs import uploads
from tests.dashboard.inversion.samples import inversion
from tests.dashboard.kept_results import words

alone = pytest.mark.usefixtures("without_sections")
FIXED = "The command line computed this from files of this machine that are not uploaded"


@pytest.fixture
def of_own_documents(tmp_path: Path, planted: Any, made_up: Result, demo: Experiment) -> Experiment:
    """An experiment on documents that lie where the command line read them, its made-up result being in the store."""
    source = shutil.copy(planted.source, tmp_path)
    experiment = demo.replace(dataset=planted.replace(source=str(source), owner_column="owner"))
    replace(made_up, experiment=experiment.as_dict()).save(Store(), experiment.key)
    Jobs(Store()).note(experiment.as_dict(), experiment.key, 0.0)
    return experiment


def opened(app: AppTest, address: str) -> AppTest:
    """Open an address that the command line printed."""
    attack, _, key = address.removeprefix("/").partition("?view.result=")
    page = navigation.page_of(attack)
    assert page is not None
    app.switch_page(f"views/{page.name}.py")
    app.query_params["attack"], app.query_params["view.result"] = attack, key
    return app.run()


def warnings(app: AppTest) -> str:
    return "\n".join(warning.value for warning in app.main.warning).replace("\\", "")


@alone
def test_a_result_on_ones_own_documents_opens_where_they_lie(app: AppTest, of_own_documents: Experiment) -> None:
    opened(app, page_address(of_own_documents))
    assert not app.exception and not warnings(app)
    page_text = words(app)
    assert (
        FIXED in page_text
        and "Made-up" not in page_text
        and "planted.csv" in page_text
        and f"seed {of_own_documents.seed}" in page_text
    )
    assert not [button for button in app.button if button.label.startswith("Run it live")]
    app.run()
    assert not app.exception and FIXED in words(app), "it stays when the page is drawn again"
    (back,) = [button for button in app.button if button.label == "To the attack’s own page"]
    back.click().run()
    assert not app.exception and FIXED not in words(app) and "view.result" not in app.query_params


@alone
def test_a_result_that_a_form_can_name_fills_the_form(app: AppTest, kept: Experiment) -> None:
    opened(app, page_address(kept))
    assert not app.exception and not warnings(app)
    assert FIXED not in words(app) and f"seed {kept.seed}" in words(app)
    assert "view.result" not in app.query_params and app.query_params["seed"] == str(kept.seed)


def test_the_runs_lead_to_it(app: AppTest, of_own_documents: Experiment) -> None:
    app.switch_page("views/runs.py").run()
    (link,) = [link.proto for link in app.main.get("page_link") if link.proto.label == "Open"]
    assert f"view.result={of_own_documents.key}" in link.query_string


@alone
def test_documents_that_changed_are_said_to_have_changed(app: AppTest, of_own_documents: Experiment) -> None:
    source = Path(str(of_own_documents.dataset.source))  # type: ignore[attr-defined]
    address, content = page_address(of_own_documents), source.read_bytes()
    source.write_bytes(content.replace(b"e", b"a", 1))
    opened(app, address)
    assert not app.exception and "(planted.csv) has changed since" in warnings(app) and FIXED not in words(app)
    uploaded = uploads.locate(Store(), uploads.save(Store(), [("planted.csv", content)]), "source")
    assert of_own_documents.replace(dataset=of_own_documents.dataset.replace(source=uploaded)).key in address, (
        "uploaded, it has the same result"
    )


def test_where_a_server_names_owners_only_they_open_it(
    app: AppTest, of_own_documents: Experiment, monkeypatch: pytest.MonkeyPatch, browser: dict[str, dict[str, Any]]
) -> None:
    monkeypatch.setenv(visitors.OWNERS, "ann@example.org")
    monkeypatch.setenv(visitors.HEADER, "X-Mail")
    opened(app, page_address(of_own_documents))
    assert not app.exception and "only who asked for it can open it" in warnings(app)
    assert FIXED not in words(app) and "planted" not in words(app)
    runs = listed(app)
    assert "Another visitor typed" in words(runs) and of_own_documents.key not in shown(runs)
    browser["headers"]["X-Mail"] = "ann@example.org"
    app.run()
    assert not warnings(app) and FIXED in words(app)


ANN, BOB = "1" * 32, "2" * 32


def asked(experiment: Experiment, result: Result, browser: dict[str, dict[str, Any]]) -> None:
    """Let Ann ask for an experiment whose result is stored."""
    replace(result, experiment=experiment.as_dict()).save(Store(), experiment.key)
    browser["cookies"][visitors.COOKIE] = ANN
    Jobs(Store()).ask(experiment.as_dict(), experiment.key, visitors.current().ids[0])


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize("brought", ["text", "upload"])
def test_what_another_visitor_typed_or_uploaded_opens_for_nobody_else(
    app: AppTest, of_own_documents: Experiment, made_up: Result, browser: dict[str, dict[str, Any]], brought: str
) -> None:
    """A key is no secret: of a short text, whoever computes the keys of all has that of the right one."""
    if brought == "text":
        result = inversion(text="Anna Smith is ill")
        experiment = Experiment.parse(result.experiment)
    else:
        content = Path(str(of_own_documents.dataset.source)).read_bytes()  # type: ignore[attr-defined]
        upload = uploads.locate(Store(), uploads.save(Store(), [("nna.csv", content)]), "source")
        experiment, result = (
            of_own_documents.replace(dataset=of_own_documents.dataset.replace(source=upload), seed=12),
            made_up,
        )
    asked(experiment, result, browser)
    opened(app, page_address(experiment))
    assert not app.exception and not warnings(app) and f"seed {experiment.seed}" in words(app)
    browser["cookies"][visitors.COOKIE] = BOB
    other = opened(AppTest.from_file(app._script_path), page_address(experiment))
    assert not other.exception and "only who asked for it can open it" in warnings(other)
    assert "nna" not in shown(other)
    runs = listed(app)
    assert "Another visitor typed" in words(runs)
    assert experiment.key not in shown(runs) and "nna" not in shown(runs)


def listed(app: AppTest) -> AppTest:
    """Return the page of runs in a window of its own."""
    runs = AppTest.from_file(app._script_path).switch_page("views/runs.py").run()
    assert not runs.exception
    return runs


def shown(app: AppTest) -> str:
    """Return all that a browser is sent, and its address."""
    sent = "".join(str(element.proto) for element in app.main if getattr(element, "proto", None) is not None)
    return f"{sent}{app._tree}{dict(app.query_params)}"


@alone
@pytest.mark.parametrize("key", ["", "0" * 64, "../../etc", "<b>"])
def test_what_is_no_key_of_the_attack_is_said(app: AppTest, kept: Experiment, key: str) -> None:
    opened(app, f"/word_pairs?view.result={key}")
    assert not app.exception
    assert ("No stored result of this attack has the key" in warnings(app)) == bool(key)


@alone
def test_the_result_of_another_attack_is_refused(app: AppTest, kept: Experiment) -> None:
    opened(app, f"/classifier_probing?view.result={kept.key}")
    assert not app.exception and "No stored result of this attack has the key" in warnings(app)


@alone
def test_a_page_of_several_attacks_opens_the_one_whose_result_is_named(app: AppTest, home: Path) -> None:
    experiment = landing.experiment("few_shot_inversion")
    app.switch_page("views/inversion.py")
    app.query_params["view.result"] = experiment.key
    app.run()
    assert not app.exception and not warnings(app)
    assert app.query_params["attack"] == "few_shot_inversion" and "view.result" not in app.query_params
    assert experiment.attack.title in [title.value for title in app.main.title]


def test_every_attack_has_the_page_that_the_command_line_names() -> None:
    addresses = {name for page in navigation.declared() for name in (page.name, *page.attacks)}
    for attack in set(names("attack")) - {OwnText.part_name()}:
        page, _, query = page_address(Experiment.preset(attack, "demo")).removeprefix("/").partition("?")
        assert page in addresses and query.startswith("view.result="), attack
    assert not page_address(Experiment.preset("own_text", "demo"))
