"""The examples in CONTRIBUTING.md work: attack and game are found and pass their tests, and a page shows a result."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import core.games
import dashboard.topics
from core.datasets.documents import Documents
from core.experiment import Experiment, run
from core.registry import part
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.store import Store
from dashboard.kit import links, running
from tests.attack_files import Install, attack_files
from tests.dashboard.kept_results import in_tab, words
from tests.errands import ROOT
from tests.patience import PATIENCE
from tests.stand_ins import Phrases, Sentences, WordBag

SMALL_GAME = {"target_sizes": [20], "targets": 4, "plays": 4, "documents": 600}

ATTACK, TEST, PAGE, CATALOG, CONTRACT, GAME, GAME_ATTACK, GAME_TEST, FIGURE, GAME_PAGE = re.findall(
    r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.DOTALL
)


@pytest.fixture
def written(install: Install) -> dict[str, Any]:
    """Put the example attack where its text says, into the folder of attacks, and return the names in its test."""
    install("close_neighbours", ATTACK)
    names: dict[str, Any] = {}
    exec(compile(TEST, "CONTRIBUTING.md", "exec"), names)
    return names


@pytest.mark.parametrize("name", re.findall(r"def (test_\w+)", TEST))
def test_the_example_attack_passes_its_test(
    name: str, written: dict[str, Any], planted: Documents, store: Store
) -> None:
    written[name](planted, store)


def test_the_example_game_passes_its_test(install: Install, tmp_path: Path, store: Store) -> None:
    with attack_files(tmp_path / "games", core.games) as install_game:
        install_game("longer_text/contract", CONTRACT)
        install_game("longer_text/__init__", GAME)
        install("longer_norm", GAME_ATTACK)
        assert part("game", "longer_text").standards, "as every game has to declare some"  # type: ignore[attr-defined]
        names: dict[str, Any] = {}
        exec(compile(GAME_TEST, "CONTRIBUTING.md", "exec"), names)
        names["test_nothing_the_adversary_holds_knows_the_answers"](store)
        (cases,) = names["test_the_norm_tells_the_longer_text"].pytestmark
        assert len(cases.args[1]) == 2
        for model, leaks in cases.args[1]:
            names["test_the_norm_tells_the_longer_text"](model, leaks, store)


def test_the_page_of_the_example_game_reads_its_figure_aloud(install: Install, tmp_path: Path, home: Path) -> None:
    with (
        attack_files(tmp_path / "games", core.games) as install_game,
        attack_files(tmp_path / "topics", dashboard.topics) as install_topic,
    ):
        install_game("longer_text/contract", CONTRACT)
        install_game("longer_text/__init__", GAME)
        install("longer_norm", GAME_ATTACK)
        install_topic("lengths/__init__", "")
        install_topic("lengths/by_difference", FIGURE)
        demo = Experiment.preset("longer_norm", "demo", game={"pairs": 20})
        result, _ = run(demo, RunContext(Store()))
        page = _opened(demo, GAME_PAGE)
        assert len(page.main.get("plotly_chart")) == 1
        figure = import_module("dashboard.topics.lengths.by_difference")
        assert figure.sentence(figure.points(result.tables["pairs"])) in words(page)
        told = {
            right: figure.sentence(figure.points(pd.DataFrame({"longer": 30, "shorter": 3, "right": [right] * 20})))
            for right in (True, False)
        }
        assert told[True].endswith("That is above chance for 11 to 50 words.")
        assert told[False].endswith("None of these is shown to be above chance.")


def test_the_example_page_shows_a_result_that_agrees_with_itself(
    written: dict[str, Any], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    demo = Experiment.preset("close_neighbours", "demo", game={**SMALL_GAME})
    result, _ = run(demo, RunContext(Store(), Engine(workers=1)))
    points, live = result.tables["curve"].to_dict("records"), []
    monkeypatch.setattr(running, "panel", lambda _, draw=None: live.append(draw and draw(points, demo)))
    page = _opened(Experiment.preset("close_neighbours", "demo"))
    assert len(live) == 1, "what it draws of a run in progress"
    assert not page.main.segmented_control, "its only preset leaves no choice"
    seed = page.sidebar.number_input(key="close_neighbours/seed")
    seed.set_value(int(seed.value or 0) + 1).run()
    page.sidebar.number_input(key="close_neighbours/attack.reach").set_value(6).run()
    assert page.main.segmented_control(key="form/close_neighbours/preset").options == ["Demo", "Changed"]
    page = _opened(demo)
    assert "Given vectors of neighbouring words, the adversary tells whether a target was trained on" in words(page)
    charts = [len(in_tab(page, name).main.get("plotly_chart")) for name in [tab.label for tab in page.tabs]]
    assert len(charts) == 2 and min(charts) >= 2


def _opened(experiment: Experiment, source: str = PAGE) -> AppTest:
    page = AppTest.from_string(source, default_timeout=PATIENCE)
    for name, text in links.written(experiment, Store()).items():
        page.query_params[name] = text
    page.run()
    assert not page.exception
    return page


def test_the_example_of_a_promised_result_is_its_demo(written: dict[str, Any]) -> None:
    names: dict[str, Any] = {}
    exec(compile(CATALOG, "CONTRIBUTING.md", "exec"), names)
    (entry,) = names["entries"]()
    assert entry.name == "demo_close_neighbours" and entry.summary.endswith(": eight targets of twenty texts.")
    assert entry.experiment == Experiment.preset("close_neighbours", "demo")


def test_the_annotation_of_a_game_on_embeddings_is_the_one_in_use() -> None:
    annotation = re.search(r"`(model_kind: .*?)`", (ROOT / "CONTRIBUTING.md").read_text("utf-8"))
    games = [path.read_text("utf-8") for path in (ROOT / "core" / "games").glob("*/__init__.py")]
    kinds = {
        line.strip() for game in games for line in game.splitlines() if re.search(r"model_kind.*= SentenceModel$", line)
    }
    assert annotation is not None and kinds == {annotation[1]}


def test_the_stand_ins_make_what_is_told_of_them() -> None:
    lengths = [{len(text.split()) for text in made.load().texts} for made in (Sentences(), Phrases())]
    assert lengths == [{7}, {30}]
    assert {len(word) for text in Phrases().load().texts for word in text.split()} == {3}
    context = RunContext(Store())
    alone, both = (WordBag().encode([text], context)[0] for text in ("sun", "sun sun"))
    assert np.allclose(both, 2 * alone)
