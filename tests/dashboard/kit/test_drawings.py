"""A drawing on its page: drawn already, being drawn, to be drawn, or not to be drawn any more."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.experiment import Experiment
from core.jobs import Jobs
from core.result import Result
from core.runtime.store import Store
from core.runtime.table_files import parquet
from dashboard.kit import links, stored_results, tabs
from tests.dashboard import embedding_results
from tests.dashboard.authors.samples import authorship
from tests.dashboard.kept_results import Open, words

SENTENCE = "In the plane of PCA"


@pytest.fixture
def undrawn(made_up: Result, demo: Experiment, home: Path) -> Experiment:
    """The demo, with a made-up result whose map is not drawn, and something to draw it from."""
    tables = {name: frame for name, frame in made_up.tables.items() if name != "word_map"}
    replace(made_up, tables=tables).save(Store(), demo.key)
    Store().put_arrays(demo.key, drawing(demo), {"seed": np.array(1)})
    return demo


def drawing(experiment: Experiment, name: str = "word_map") -> str:
    return experiment.drawings[name].key(name, experiment.key)


def opened(app: AppTest, experiment: Experiment) -> str:
    app.switch_page("views/word_pairs.py")
    for name, text in {**links.written(experiment, Store()), tabs.KEY: tabs.HOW}.items():
        app.query_params[name] = text
    app.run()
    assert not app.exception
    return words(app)


def progress(app: AppTest) -> list[str]:
    return [bar.proto.text.replace("\\", "") for bar in app.main.get("progress")]


def test_a_map_is_drawn_when_it_is_wanted_and_shown_once_it_is_there(
    app: AppTest, idle: list[object], undrawn: Experiment, made_up: Result
) -> None:
    page_text = opened(app, undrawn)
    assert "The word map is not drawn yet." in page_text and SENTENCE not in page_text and Jobs(Store()).all() == []
    app.button(key="draw word map").click().run()
    assert not app.exception
    (job,) = Jobs(Store()).all()
    assert (job.key, job.active) == (undrawn.key, True)
    (bar,) = progress(app)
    assert "Starting" in bar and "Draw the word map" not in [button.label for button in app.button]

    Jobs(Store()).finish(job.key, job.token, "done", "No space is left.")
    assert "Draw the word map" in [button.label for button in app.run().button]
    assert "No space is left" in app.error[0].value

    Store().put_drawing(undrawn.key, drawing(undrawn), {"word_map.parquet": parquet(made_up.tables["word_map"])})
    assert SENTENCE in words(app.run())
    assert not app.exception and not progress(app)


def test_a_live_run_shows_its_result_while_it_draws(
    app: AppTest, idle: list[object], undrawn: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page was drawn just before the result was there; its progress is followed no further than that."""
    job, load, looks = Jobs(Store()).ask(undrawn.as_dict(), undrawn.key), stored_results.load, [0]
    Jobs(Store()).update(job.key, job.token, stage="Drawing the word maps", total=8, done=3)

    def soon(key: str) -> Result | None:
        looks[0] += 1
        return None if looks[0] == 1 else load(key)

    monkeypatch.setattr(stored_results, "load", soon)
    page_text = opened(app, undrawn)
    assert "**right in" in page_text and SENTENCE not in page_text and looks[0] > 1
    (bar,) = progress(app)
    assert "Drawing the word maps: 3 of 8" in bar


def test_a_map_that_cannot_be_drawn_any_more_says_what_to_do(app: AppTest, undrawn: Experiment) -> None:
    Store().delete_arrays(undrawn.key)
    opened(app, undrawn)
    (info,) = [info.value.replace("\\", "") for info in app.main.info]
    assert "not kept here any more. Delete this run on the page Runs" in info
    assert not [button for button in app.button if button.label.startswith("Draw")]


def test_a_map_among_the_tables_of_an_earlier_version_is_shown(app: AppTest, kept: Experiment) -> None:
    assert SENTENCE in opened(app, kept)


@pytest.mark.parametrize("make", [authorship, lambda: embedding_results.fingerprint()[1]])
def test_other_pages_show_their_maps_when_they_are_drawn(open_result: Open, make: Callable[[], Result]) -> None:
    former = make()
    result = replace(former, tables={name: frame for name, frame in former.tables.items() if name != "map"})
    Store().put_arrays(
        (of := Experiment.parse(result.experiment)).key, key := drawing(of, "map"), {"seed": np.array(1)}
    )
    app = open_result(result, tab=tabs.HOW)
    assert "The map of the embeddings is not drawn yet." in words(app)
    assert "Draw the map of the embeddings" in [button.label for button in app.button]
    Store().put_drawing(of.key, key, {"map.parquet": parquet(former.tables["map"])})
    app.run()
    assert not app.exception
    assert app.segmented_control(key="view.map").options == ["PCA", "UMAP"]
