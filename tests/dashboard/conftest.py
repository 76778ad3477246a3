"""A made-up result that every page can show, so that no test of a page trains anything."""

import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from core import catalog
from core.experiment import Experiment
from core.result import Estimate, Result
from core.runtime.store import Store
from dashboard.kit import links, related, shared, sweeps
from dashboard.kit.figures.drawing import Drawing
from dashboard.topics.overview import leaks
from tests.dashboard.kept_results import Open, keep
from tests.dashboard.samples import PROVENANCE
from tests.patience import FOREVER, PATIENCE

TESTS = Path(__file__).resolve().parent
APP = TESTS.parents[1] / "dashboard" / "app.py"


@pytest.fixture(scope="session", autouse=True)
def one_scan() -> Iterator[None]:
    """Look only once which of the installed packages bring components of their own, not once for each `AppTest`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture(autouse=True)
def fresh_caches() -> Iterator[None]:
    """Forget what Streamlit remembers from one test to the next."""
    yield
    st.cache_resource.clear()
    st.cache_data.clear()
    shared.forget()


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
    return Result(demo.as_dict(), _estimates(), PROVENANCE, _findings(demo))


@pytest.fixture
def kept(made_up: Result, demo: Experiment, home: Path) -> Experiment:
    """The demo, its made-up result being in the store."""
    made_up.save(Store(), demo.key)
    return demo


@pytest.fixture
def app() -> AppTest:
    """The whole dashboard, not yet opened."""
    return AppTest.from_file(str(APP), default_timeout=PATIENCE)


@pytest.fixture
def open_result(app: AppTest, home: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Opens the page of a result, others being promised: those that are results are here, the rest is missing."""

    def opened(result: Result, *others: Result | Experiment) -> AppTest:
        promised = []
        for other in others:
            experiment = other if isinstance(other, Experiment) else keep(other)
            promised.append(catalog.Entry("other", "Other", "Beside it.", experiment))
        for module in (
            related.catalog,
            leaks,
            sweeps,
        ):  # two take the function by its name when they are first imported
            monkeypatch.setattr(module, "entries", lambda: tuple(promised))
        experiment = keep(result)
        app.switch_page(f"views/{experiment.attack.part_name()}.py")
        app.query_params.clear()
        for name, text in links.written(experiment, Store()).items():
            app.query_params[name] = text
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


def _findings(experiment: Experiment) -> dict[str, pd.DataFrame]:
    declared = {**experiment.game.tables, **experiment.attack.tables}
    tables = _tables(np.random.default_rng(0))
    assert set(tables) == set(declared), "the made-up result has the tables that the attack declares"
    return {
        name: pd.DataFrame(tables[name])[list(columns)].astype({key: column.dtype for key, column in columns.items()})
        for name, columns in declared.items()
    }


def _tables(rng: np.random.Generator) -> dict[str, list[dict[str, Any]]]:
    words = ["ba", "ce", "di", "fo"]
    couples = [("ba", "ce"), ("di", "fo")]
    targets = range(2)
    curve = [
        {
            "variant": variant,
            "size": size,
            "shadows": shadows,
            "penalty": penalty,
            "accuracy": 0.8,
            "low": 0.7,
            "high": 0.9,
            "auc": 0.85,
            "auc_low": 0.75,
            "auc_high": 0.95,
        }
        for variant in ("word_pairs", "model_free")
        for size in (0, 20)
        for shadows in (5, 50)
        for penalty in (float("nan"), 0.1, 0.2)
    ]
    return {
        "targets": [{"target": t, "label": f"user {t}", "size": 20, "documents": list(range(20))} for t in targets],
        "curve": curve,
        "scores": [
            {"target": t, "size": 20, "play": play, "member": play % 2 == 0, "score": rng.normal(), "guess": True}
            for t in targets
            for play in range(20)
        ],
        "roc": [
            {"size": size, "false_positive_rate": x, "true_positive_rate": x**0.5, "low": x, "high": 1.0}
            for size in (0, 20)
            for x in np.linspace(0, 1, 11)
        ],
        "pairs": [
            {
                "target": t,
                "rank": rank,
                "first": first,
                "second": second,
                "weight": -0.3 + 0.1 * rank,
                "mean_in": 1.0,
                "mean_out": 1.5,
                "deviation_in": 0.1,
                "deviation_out": 0.1,
                "occurrences": 3,
            }
            for t in targets
            for rank, (first, second) in enumerate(couples)
        ],
        "path": [
            {"target": t, "penalty": penalty, "first": first, "second": second, "weight": -0.1 / penalty}
            for t in targets
            for penalty in (0.1, 0.2)
            for first, second in couples
        ],
        "distances": [
            {"target": t, "rank": rank, "source": source, "member": member, "distance": rng.random() + (not member)}
            for t in targets
            for rank in range(2)
            for source in ("shadow", "target")
            for member in (True, False)
            for _ in range(10)
        ],
        "word_map": [
            {"target": t, "member": member, "method": method, "word": word, "x": rng.normal(), "y": rng.normal()}
            for t in targets
            for member in (True, False)
            for method in ("pca", "umap")
            for word in words
        ],
    }
