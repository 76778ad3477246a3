"""Folders that cannot be used are named above every page, and what ships is still shown."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.__main__ import main
from core.encoders import folders
from core.errors import ModelUnavailable, StoreError
from core.experiment import Experiment
from core.jobs import Jobs
from core.runtime.store import Store

HOMES = {
    "no such user": "~nosuchuser/telltale",
    "never a folder": "/proc/nope",
    "a long name": "/tmp/" + "n" * 300,
    "a long path": "/tmp" + "/long" * 1000,
    "a file": __file__,
    "below a file": f"{__file__}/telltale",
}


@pytest.fixture(params=list(HOMES.values()), ids=list(HOMES))
def odd(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A home that cannot be used."""
    monkeypatch.setenv("TELLTALE_HOME", request.param)
    return str(request.param)


def opened(app: AppTest, page: str, **query: str) -> AppTest:
    app.switch_page(f"views/{page}.py")
    for name, text in query.items():
        app.query_params[name] = text
    return app.run()


@pytest.mark.sampled(every=3)
def test_a_page_names_an_unusable_home_and_shows_shipped_results(app: AppTest, odd: str) -> None:
    for page in ("word_pairs", "runs"):
        opened(app, page)
        assert not app.exception
        assert app.title
        assert app.main.get("plotly_chart") or page == "runs"
        (error_text,) = [error.value for error in app.error]
        assert "cannot be written" in error_text and "Point TELLTALE\\_HOME at a folder" in error_text


@pytest.mark.sampled(every=3)
def test_a_run_that_could_not_be_stored_cannot_be_started_and_it_says_why(app: AppTest, odd: str) -> None:
    opened(app, "word_pairs", seed="4711", preset="demo")
    assert not app.exception and app.button(key="run.start").disabled
    (reason,) = app.main.warning
    assert "Nothing can run, because nothing can be stored" in reason.value and "cannot be written" in reason.value


def test_the_command_names_it_in_one_line(odd: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "word_pairs", "--seed", "4711"]) == 1
    message = capsys.readouterr().err.splitlines()[-1]
    assert message.startswith("StoreReadOnly: ") and message.endswith(
        "Point TELLTALE_HOME at a folder that can be written."
    )
    assert len(message) < 400


def test_only_a_user_who_is_missing_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    for home, reason in (
        ("~nosuchuser/a", "~nosuchuser/a cannot be written (there is no such user)"),
        ("/dev/null/a", "/dev/null/a cannot be written (Not a directory)"),
    ):
        monkeypatch.setenv("TELLTALE_HOME", home)
        with pytest.raises(StoreError, match=re.escape(reason)):
            Store().put_arrays("a" * 16, "0", {})


def test_nothing_is_written_anywhere_else(odd: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = Store()
    assert store.get_files("a") is None and not store.array_names("a") and Jobs(store).all() == []
    assert store.results() == Store(root=tmp_path / "none").results()
    for write in (lambda: store.put_files("a", {"b": b""}), lambda: Jobs(store).ask({}, "a")):
        with pytest.raises(StoreError, match="TELLTALE_HOME"):
            write()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("folder", ["~nosuchuser/data", "/proc/nope", "/tmp/" + "n" * 300, __file__])
def test_an_unusable_folder_of_datasets_is_named(
    app: AppTest, folder: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TELLTALE_DATA", folder)
    monkeypatch.setenv("TELLTALE_MIRROR", "http://127.0.0.1:9")
    opened(app, "runs")
    assert not app.exception
    assert "TELLTALE\\_DATA names" in "".join(warning.value for warning in app.warning)
    assert main(["data", "fetch", "snips"]) == 1
    assert "TELLTALE_DATA names" in capsys.readouterr().err
    assert main(["data", "list"]) == 0


@pytest.mark.parametrize("source", ["~nosuchuser/x", "n" * 300, "org/" + "n" * 300, "a\0b", "/long" * 1000])
def test_an_odd_path_of_an_encoder_is_refused(source: str) -> None:
    assert folders.locate(source) is None
    if not folders.is_hub_id(source):
        with pytest.raises(ModelUnavailable, match="No folder"):
            folders.located(source)


@pytest.mark.parametrize("source", ["~nosuchuser/x", "n" * 300, "a\0b", "/long" * 1000])
def test_an_odd_path_in_a_form_is_refused(app: AppTest, without_sections: None, source: str) -> None:
    opened(app, "word_pairs", preset="demo", dataset="documents", **{"dataset.source": source})
    assert not app.exception
    assert main(["run", "word_pairs", "--dataset", "documents", "--set", f"dataset.source={source}"]) == 1
    assert Experiment.preset("word_pairs", "demo").key
