"""A made-up result that every page can show, so that no test of a page trains anything."""

import gc
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import pytest
import streamlit as st
from streamlit import logger
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime import fragment
from streamlit.runtime.context import ContextProxy
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, app_test, local_script_runner
from streamlit.testing.v1.util import patch_config_options

from core import catalog
from core.experiment import Experiment
from core.result import Estimate, Result
from core.runtime.store import Store
from dashboard import navigation
from dashboard.kit import attack_page, links, shared, tabs
from dashboard.kit.drawing import Drawing
from dashboard.kit.forms import form
from tests.dashboard import samples
from tests.dashboard.kept_results import Open, keep, unfold
from tests.patience import FOREVER, PATIENCE

TESTS = Path(__file__).resolve().parent
APP = TESTS.parents[1] / "dashboard" / "app.py"


def pytest_collection_finish() -> None:
    """Let Streamlit's loggers hand on what they log: pytest attaches itself to each that does not, for every test."""
    for streamlit_logger in logger._loggers.values():
        streamlit_logger.propagate = True


@pytest.fixture(scope="session", autouse=True)
def plain_app_test() -> Iterator[None]:
    """Let an `AppTest` run scripts as the server does, and wait for them patiently.

    Streamlit looks for components for each `AppTest`, compiles every script anew for each run, and wakes each
    millisecond to go through all that a script sent; unless told otherwise, it gives up after three seconds. It copies
    where each fragment begins, to run that alone again, which an `AppTest` never does. Of the dashboard's configuration
    it reads nothing here: no statistics are gathered, and nothing is collected after a run. A test that fails shows of
    a page what went wrong on it, not all that is on it.
    """

    def joined(runner: local_script_runner.LocalScriptRunner, _: float = 0.0) -> None:
        thread = runner._script_thread
        assert thread is not None
        thread.join(PATIENCE)
        if thread.is_alive():
            runner.request_stop()
            runner.join()
            raise RuntimeError(f"AppTest script run timed out after {PATIENCE}(s)")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_script_runner, "require_widgets_deltas", joined)
        for module in (app_test, local_script_runner):
            patch.setattr(module, "ScriptCache", cache(ScriptCache))
        patch.setattr(AppTest, "__repr__", _briefly)
        patch.setattr(fragment, "deepcopy", lambda value: value)
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        served = {"browser.gatherUsageStats": False, "runner.postScriptGC": False}
        with patch_config_options(served):
            yield


def _briefly(page: AppTest) -> str:
    """Return what went wrong on a page."""
    errors = [f"{error.proto.type}: {error.message}" for error in page.exception]
    return f"<a page; {'; '.join(errors) or 'no exception'}>"


@pytest.fixture(scope="module", autouse=True)
def frozen() -> None:
    """Spare the collector what is imported, but nothing that nobody holds any more."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def fresh_caches() -> Iterator[None]:
    """Forget what Streamlit remembers from one test to the next."""
    yield
    st.cache_resource.clear()
    st.cache_data.clear()
    shared.forget()


@pytest.fixture(autouse=True)
def browser(monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, str]]:
    """What the browser of an `AppTest` sends: no cookies and no headers, unless a test puts some here."""
    sent: dict[str, dict[str, str]] = {"cookies": {}, "headers": {}}
    for kind, values in sent.items():
        monkeypatch.setattr(ContextProxy, kind, property(lambda _, values=values: values))
    return sent


@pytest.fixture(autouse=True)
def validated(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let plotly validate every figure that a test of figures draws."""
    if "figures" in str(request.path.relative_to(TESTS)):
        monkeypatch.setattr(
            Drawing, "figure", lambda drawing: go.Figure(drawing.traces, drawing.layout, drawing.frames)
        )


@pytest.fixture
def demo() -> Experiment:
    """The demo, with a seed that has no precomputed result."""
    return Experiment.preset("word_pairs", "demo", seed=4711)


@pytest.fixture
def made_up(demo: Experiment) -> Result:
    """A result for the demo whose figures are invented."""
    return replace(samples.make(sizes=demo.game.target_sizes, **demo.as_dict()), estimates=_estimates())


@pytest.fixture
def kept(made_up: Result, demo: Experiment, home: Path) -> Experiment:
    """The demo, its made-up result being in the store."""
    made_up.save(Store(), demo.key)
    return demo


@pytest.fixture
def app() -> AppTest:
    """The whole dashboard, not yet opened."""
    return AppTest.from_file(str(APP))


@pytest.fixture
def without_sections(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw form, answer and provenance of an attack's page alone, for tests that look at nothing below them."""
    monkeypatch.setattr(tabs, "show", lambda *_, **__: None)


@pytest.fixture
def open_result(app: AppTest, home: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Opens the page of a result, others being promised: those that are results are here, the rest is missing.

    Where all that is folded away is looked at, too, it is unfolded from the beginning, which saves drawing it twice.
    The fields of the form, which tests of forms draw, say what the link says, and are not drawn: a fifth of a page.
    Neither is the button that runs the experiment again, which tests of the frame of a page draw.
    """
    monkeypatch.setattr(form._Form, "draw", lambda _, base: base.as_dict())
    monkeypatch.setattr(attack_page, "again", lambda _: None)

    def opened(result: Result, *others: Result | Experiment, tab: str = "", unfolded: bool = False) -> AppTest:
        promised = []
        for other in others:
            experiment = other if isinstance(other, Experiment) else keep(other)
            promised.append(catalog.Entry("other", "Other", "Beside it.", experiment))
        monkeypatch.setattr(catalog, "entries", lambda: tuple(promised))
        experiment = keep(result)
        page = navigation.page_of(experiment.attack.part_name())
        assert page is not None
        app.switch_page(f"views/{page.name}.py")
        app.query_params.clear()
        for name, text in links.written(experiment, Store()).items():
            app.query_params[name] = text
        if tab:
            app.query_params[tabs.KEY] = tab
        if unfolded:
            unfold(app)
        else:
            app.run()
        assert not app.exception
        return app

    return opened


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Let runs do nothing: their processes sleep."""
    started: list[subprocess.Popen[bytes]] = []
    start = subprocess.Popen

    def sleeping(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
        if "core.jobs.worker" not in command:
            return start(command, **options)
        started.append(start([sys.executable, "-c", f"import time; time.sleep({FOREVER})"], **options))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", sleeping)
    yield started
    for process in started:
        process.kill()
        process.wait()


def _estimates() -> dict[str, Estimate]:
    says: dict[str, Any] = {
        "unit": "share of decisions",
        "members": 80,
        "nonmembers": 80,
        "help": "Share of right guesses.",
    }
    good = Estimate(value=0.9, low=0.85, high=0.95, chance=0.5, **says)
    null = Estimate(value=0.5, low=0.42, high=0.58, chance=0.5, **says)
    names = ("accuracy", "auc", "advantage", "accuracy_20", "auc_20", "advantage_20")
    queries = Estimate(value=40, low=40, high=40, chance=None, unit="queries")
    return {**dict.fromkeys(names, good), "accuracy_model_free": null, "queries": queries}
