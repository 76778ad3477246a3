"""Every page opens, empty and full, and says what it shows."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.catalog import entries, matching
from core.experiment import Experiment
from core.jobs import Jobs
from core.registry import names, part
from core.result import Result
from core.runtime.store import Store
from dashboard import navigation
from dashboard.kit import running, stored_results, visitors
from dashboard.kit.inputs import allowed, typed
from dashboard.topics.overview import leaks, sights
from dashboard.topics.runs.job_list import row_name
from tests.benchmarks import page_cost

pytestmark = pytest.mark.first

PAGES = [page.name for page in navigation.declared()]
STATES = ("queued", "running", "done", "failed", "cancelled")


def opened(app: AppTest, page: str, **query: str) -> AppTest:
    app.switch_page(f"views/{page}.py")
    for name, text in query.items():
        app.query_params[name] = text
    return app.run()


def nothing_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_results, "load", lambda key: None)
    monkeypatch.setattr(stored_results, "estimates", lambda key: {})


def words(app: AppTest) -> str:
    kinds = ("title", "subheader", "markdown", "caption", "warning", "info", "error", "success")
    return "\n".join(str(element.value) for kind in kinds for element in getattr(app.main, kind))


@pytest.fixture
def queue(idle: list[object]) -> dict[str, str]:
    """A queue with one job of each state; their keys by state."""
    jobs, keys = Jobs(Store()), {}
    for number, state in enumerate(("done", "failed", "cancelled", "running", "queued")):
        experiment = Experiment.preset("word_pairs", "demo", seed=100 + number)
        keys[state] = experiment.key
        token = jobs.ask(experiment.as_dict(), experiment.key).token
        jobs.update(experiment.key, token, stage="Training shadow models", done=42, total=100)
        if state == "cancelled":
            jobs.cancel(experiment.key)
        elif state in ("done", "failed"):
            jobs.finish(
                experiment.key, token, state, "Two halves <b>need</b> more documents." if state == "failed" else ""
            )
    return keys


def test_every_page_declares_itself() -> None:
    assert PAGES[0] == "overview"
    for page in navigation.declared():
        assert page.icon.startswith(":material/"), f"{page.name} has no icon"
        assert page.title
        if page.name in names("attack"):
            assert page.title == part("attack", page.name).title, "an attack has one name"
        assert len(page.path.read_text("utf-8").splitlines()) <= 60, f"{page.name} is too long for a page"


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_with_nothing_stored(app: AppTest, page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`tests/dashboard/test_cold_imports.py` opens every page without its own result."""
    nothing_stored(monkeypatch)
    opened(app, page)
    assert not app.exception
    assert app.title


def test_the_benchmark_of_pages_shows_each_old_figure_beside_a_page() -> None:
    assert page_cost.FIRST.keys() <= set(PAGES), "an old figure of a page that has another name by now is never shown"
    assert page_cost.beside(0.45, 0.09) == {"old": 0.45, "new": 0.09, "ratio": 5.0}


def test_the_overview_says_what_leaked(app: AppTest, made_up: Result) -> None:
    entry = entries()[-1]
    Result(entry.experiment.as_dict(), made_up.estimates, made_up.provenance, made_up.tables).save(
        Store(), entry.experiment.key
    )
    opened(app, "overview")
    assert not app.exception
    assert app.main.get("plotly_chart")
    page_text = words(app)
    drawn = json.loads(app.main.get("plotly_chart")[0].proto.spec)
    assert [name for name in drawn["layout"]["yaxis"]["ticktext"] if 'href="' in name], "rows lead to their pages"
    assert "lies above chance" in page_text
    assert "yours" in page_text
    assert "the result whose interval begins farthest above chance" in page_text, "what the clearest leak is"
    assert page_text.count("Against word2vec on Wikipedia excerpt") < page_text.count("Against word2vec on "), (
        "each its own"
    )
    assert not re.search(r"\w'\w", page_text), "apostrophes of print"


def test_the_overview_explains_itself_when_empty(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing_stored(monkeypatch)
    opened(app, "overview")
    assert not app.main.get("plotly_chart")
    assert "No precomputed result" in words(app)
    attacks = {entry.experiment.attack.part_name() for entry in entries()}
    without = [page for question in navigation.QUESTIONS[:5] for page in leaks.without_results(question)]
    listed = [page for page in without if page.question in {row.question for row in leaks.attack_entries()}]
    expected = len(attacks) + len(listed) + len(sights.SIGHTS) + len(sights.BEGINNINGS)
    assert len(app.main.get("page_link")) == expected


@pytest.mark.parametrize("view", ["overview", "defenses", "runs"])
def test_a_page_without_an_experiment_drops_one_from_its_address(app: AppTest, view: str) -> None:
    opened(app, view, **{"attack.shadow_pairs": "50", "view.task": "unknown"})
    assert not app.exception
    assert "attack.shadow_pairs" not in app.query_params


def test_an_attack_shows_a_stored_result(app: AppTest, kept: Experiment) -> None:
    opened(app, "word_pairs", seed=str(kept.seed), preset="demo")
    assert not app.exception
    assert kept.attack.question in words(app)
    assert len(app.main.get("plotly_chart")) >= 3
    assert all(button.label != "Run" for button in app.main.button)


def test_a_damaged_result_is_set_aside_and_can_be_run_again(app: AppTest, kept: Experiment, home: Path) -> None:
    table = home / "results" / kept.key / "curve.parquet"
    table.write_bytes(b"flipped" + table.read_bytes()[7:])
    opened(app, "word_pairs", seed=str(kept.seed), preset="demo")
    assert not app.exception
    assert [button.label for button in app.main.button if button.label == "Run"]
    assert list((home / "damaged").iterdir())


def test_the_list_shows_the_state_of_each_run(app: AppTest, queue: dict[str, str]) -> None:
    opened(app, "runs")
    assert not app.exception
    page_text = words(app)
    for state in STATES:
        assert f"1 {state}" in page_text
    assert "Next in the queue" in page_text
    assert "\\<b\\>" in page_text
    assert len([button for button in app.main.button if button.label.startswith("Cancel ")]) == 2
    assert len([button for button in app.main.button if button.label.startswith("Delete ")]) == 3


def test_those_that_wait_are_listed_as_they_will_start(
    app: AppTest, idle: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0})
    keys = [Experiment.preset("word_pairs", "demo", seed=100 + number).key for number in range(4)]
    for number in range(4):
        experiment = Experiment.preset("word_pairs", "demo", seed=100 + number)
        Jobs(Store()).ask(experiment.as_dict(), experiment.key, f"visitor {number}")
    Jobs(Store()).cancel(keys[3])
    opened(app, "runs")
    titles = [text for text in words(app).splitlines() if ", seed 10" in text]
    assert [int(re.findall(r"seed (\d+)", title)[0]) for title in titles] == [100, 101, 102, 103]
    page_text = words(app)
    assert page_text.index("Next in the queue") < page_text.index("Queued behind 1")


def test_a_run_can_be_deleted_from_the_list(app: AppTest, queue: dict[str, str]) -> None:
    opened(app, "runs")
    app.button(key=f"really-{row_name(queue['failed'])}").click().run()
    assert not app.exception
    assert Jobs(Store()).find(queue["failed"]) is None
    assert Jobs(Store()).find(queue["done"]) is not None


def test_a_run_can_be_cancelled_from_the_list(app: AppTest, queue: dict[str, str]) -> None:
    opened(app, "runs")
    app.button(key=f"cancel-{row_name(queue['queued'])}").click().run()
    assert not app.exception
    job = Jobs(Store()).find(queue["queued"])
    assert job is not None
    assert job.state == "cancelled"


def test_runs_of_another_version_are_still_listed(app: AppTest, idle: list[object]) -> None:
    Jobs(Store()).ask({"attack": "gone"}, "0" * 16)
    opened(app, "runs")
    assert not app.exception
    assert "It cannot be opened" in words(app)


def test_no_run_at_all_is_explained(app: AppTest) -> None:
    opened(app, "runs")
    (notice,) = app.main.info
    assert "No run yet" in notice.value
    (link,) = [link.proto.label for link in app.main.get("page_link")]
    assert link == "To the results that are stored"


def test_while_a_field_is_invalid_the_page_keeps_what_it_showed(app: AppTest) -> None:
    opened(app, "word_pairs", preset="demo")
    before = [heading.value for heading in app.main.header]
    assert before
    app.session_state["form/word_pairs/unfolded/Rules of the game"] = True
    app.run()
    app.sidebar.text_input(key="word_pairs/game.target_sizes").set_value("one, two").run()
    assert not app.exception
    assert [heading.value for heading in app.main.header] == before
    assert "Shown below is the experiment before this change" in words(app)
    app.sidebar.text_input(key="word_pairs/game.target_sizes").set_value("20").run()
    assert [heading.value for heading in app.main.header] == before
    assert "before this change" not in words(app)
    app.sidebar.number_input(key="word_pairs/seed").set_value(4242).run()
    app.sidebar.text_input(key="word_pairs/game.target_sizes").set_value("one").run()
    assert "Shown below is the experiment that this page opens on." in words(app), "the one before has no result"


def test_documents_of_ones_own_are_asked_for_below_the_title(app: AppTest) -> None:
    opened(app, "word_pairs", dataset="documents")
    assert not app.exception
    assert app.main.title[0].value == part("attack", "word_pairs").title
    assert "Upload your documents to continue" in words(app)
    assert "Shown below is the experiment that this page opens on." in words(app)
    assert app.main.get("plotly_chart"), "its result, which is an example"
    assert [field.label for field in app.main.file_uploader] == ["Your documents"]
    assert any("Upload your documents to continue" in error.value for error in app.sidebar.error)


@pytest.mark.parametrize(
    "attack, changes",
    [
        ("sparse_inversion", {"text": "Anna Smith is ill"}),
        ("keyword_inference", {"keywords": ("Anna Smith is ill",)}),
        ("semantic_reassembly", {"words": ("anna", "smith")}),
    ],
)
def test_what_another_visitor_typed_is_not_listed(
    app: AppTest, idle: list[object], attack: str, changes: dict[str, Any]
) -> None:
    experiment = Experiment.preset(attack, "demo", attack=changes)
    app.session_state["visitors/token"] = "0" * 32
    job = Jobs(Store()).ask(experiment.as_dict(), experiment.key, visitors._digest("browser", "1" * 32))
    Jobs(Store()).finish(experiment.key, job.token, "failed", "It broke at Anna Smith.")
    opened(app, "runs")
    assert not app.exception
    everything = words(app) + "".join(str(element.proto) for element in app.main.get("page_link"))
    assert "Another visitor typed or uploaded" in everything and "nna" not in everything
    app.session_state["visitors/token"] = "1" * 32
    app.run()
    assert "nna" in words(app)


@pytest.mark.parametrize(
    "experiment",
    [Experiment.preset("keyword_inference", "paper"), matching("demo_sparse_inversion")[0].experiment],
)
def test_what_comes_with_telltale_was_typed_by_nobody(experiment: Experiment) -> None:
    assert not typed.is_typed(experiment.replace(seed=77))
    assert typed.is_typed(Experiment.preset("sparse_inversion", "demo", attack={"text": "Anna Smith is ill"}))


def test_an_encoder_is_brought_unless_the_server_offers_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def brought(source: str) -> bool:
        return typed.is_typed(
            Experiment.preset("multilabel_inversion", "demo", model={"part": "encoder", "source": source})
        )

    assert not brought("minilm") and brought("/home/ann/enc") and brought("ann/enc")
    monkeypatch.setenv(allowed.VARIABLE, "/home/ann/enc")
    assert not brought("/home/ann/enc")


def test_every_waiting_run_says_when_it_starts_without_its_texts(
    app: AppTest, idle: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0})
    jobs = Jobs(Store())
    first = Experiment.preset("word_pairs", "demo", seed=100)
    typed = Experiment.preset("keyword_inference", "demo", attack={"keywords": ("Anna Smith is ill",)})
    for number, experiment in enumerate((first, typed)):
        jobs.ask(experiment.as_dict(), experiment.key, f"visitor {number}", expected=90.0)
    run = jobs.find(first.key)
    assert run is not None
    jobs.update(first.key, run.token, stage="Training", ends=time.time() + 3600, whole=1, share=0.5)
    opened(app, "runs")
    assert not app.exception
    assert re.search(r"Next in the queue, starts in about (1 h 0|60|59) min", words(app))
    assert "nna" not in words(app) and "visitor 1" not in words(app)


def test_a_finished_run_is_listed_with_its_headline(app: AppTest, idle: list[object], kept: Experiment) -> None:
    token = Jobs(Store()).ask(kept.as_dict(), kept.key).token
    Jobs(Store()).finish(kept.key, token, "done", "")
    opened(app, "runs")
    assert not app.exception
    page_text = words(app)
    assert re.search(
        r"were trained on: \*\*right in \d+% of \d+ decisions on \d+ targets\*\* of \d+ documents.*chance", page_text
    )
    assert not re.search(r"Accuracy \d+:", page_text), "no name of an estimate"


def test_a_seed_whose_result_is_stored_is_passed_over() -> None:
    shipped = [Experiment.preset("word_pairs", "demo", seed=seed) for seed in (2, 3, 5)]
    assert [running.with_a_new_seed(experiment).seed for experiment in shipped] == [7, 7, 7]


def test_one_click_runs_the_same_experiment_with_another_seed(app: AppTest, idle: list[object]) -> None:
    opened(app, "word_pairs", preset="demo")
    assert "With another seed this took about" in words(app), "what the form says before Run"
    app.button(key="run.live").click().run()
    assert not app.exception
    job = Jobs(Store()).find(Experiment.preset("word_pairs", "demo", seed=2).key)
    assert job is not None and job.active
    assert app.query_params["seed"] == "2"
    assert app.main.button(key="run.cancel").label == "Cancel"
    claim = part("attack", "word_pairs").claim
    assert f"{claim}: being computed for these settings." in words(app)
    assert "the result of the same experiment with seed 1" in words(app) and f"{claim}: **right" in words(app)
    assert app.main.get("plotly_chart") and app.tabs, "what was shown stays until the run is finished"


def test_a_click_that_still_brings_the_address_a_link_had_runs_all_the_same(app: AppTest, idle: list[object]) -> None:
    opened(app, "word_pairs", preset="demo")
    for name in list(app.query_params):
        del app.query_params[name]
    app.query_params["preset"] = "demo"
    app.button(key="run.live").click().run()
    assert not app.exception
    job = Jobs(Store()).find(Experiment.preset("word_pairs", "demo", seed=2).key)
    assert job is not None and job.active
    assert app.query_params["seed"] == "2" and "preset" not in app.query_params


def test_one_click_shows_a_result_that_is_stored_by_then_without_a_run(
    app: AppTest, kept: Experiment, made_up: Result
) -> None:
    before = kept.replace(seed=kept.seed - 1)
    made_up.save(Store(), before.key)
    Store().delete(kept.key)
    opened(app, "word_pairs", preset="demo", seed=str(before.seed))
    made_up.save(Store(), kept.key)
    app.button(key="run.live").click().run()
    assert not app.exception
    assert app.query_params["seed"] == str(kept.seed) and app.main.get("plotly_chart")
    assert Jobs(Store()).all() == []
