"""Runs and results on a page: asked once, followed, cancelled, explained when they fail."""

import time
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from streamlit.testing.v1 import AppTest

from core import catalog
from core.experiment import Experiment
from core.jobs import Job, Jobs
from core.jobs.timelines import Timelines
from core.models.spam_classifier import SpamClassifier
from core.result import Estimate, Result
from core.runtime.store import Store
from dashboard.kit import landing, links, panels, running, stored_results
from dashboard.kit.browser import picture
from dashboard.kit.forms import needed, settings_in_words


def script() -> None:
    """Stand in for the page of an attack."""
    from core.experiment import Experiment
    from dashboard.kit import attack_page, panels

    experiment = Experiment.preset("word_pairs", "demo", seed=4711)
    result = attack_page.run_or_result(experiment)
    if result is not None:
        attack_page.heading(experiment, result)
        attack_page.about(result, experiment)
        panels.estimates(result, ["accuracy", "queries", "no such figure"])
        panels.table(result.tables["pairs"], "pairs", "The pairs.", title="Pairs")


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setattr(landing, "nearest", lambda wanted: [])  # a script alone has no pages to lead to
    return AppTest.from_function(script)


def text(page: AppTest) -> str:
    kinds = ("title", "markdown", "caption", "warning", "error")
    return "\n".join(str(element.value) for kind in kinds for element in getattr(page, kind))


def pressed(page: AppTest) -> AppTest:
    return page.run().button(key="run.start").click().run()


def test_the_same_experiment_asked_twice_runs_once(page: AppTest, idle: list[object], demo: Experiment) -> None:
    pressed(page)
    other = AppTest.from_function(script).run()
    assert not page.exception
    assert not other.exception
    assert len(idle) == 1
    assert [button.key for button in other.button] == ["run.cancel"], "another visitor follows the same run"
    assert len(Jobs(Store()).all()) == 1


def test_progress_is_said(page: AppTest, idle: list[object], demo: Experiment) -> None:
    pressed(page)
    Jobs(Store()).update(demo.key, token(demo), stage="Training shadow models", done=37, total=100, share=0.21, whole=1)
    page.run()
    (bar,) = page.get("progress")
    assert bar.proto.value == 21
    assert r"37 of 100, 21% of the run" in bar.proto.text.replace("\\", "")


def test_no_bar_is_full_and_nothing_nearly_finished_while_items_are_left(
    page: AppTest, idle: list[object], demo: Experiment
) -> None:
    pressed(page)
    stage = {"stage": "Loading the classifiers", "share": 1.0, "whole": 1, "ends": time.time()}
    Jobs(Store()).update(demo.key, token(demo), done=0, total=3, **stage)
    (bar,) = page.run().get("progress")
    assert (
        bar.proto.value == 99
        and bar.proto.text.replace("\\", "") == "**Loading the classifiers: 0 of 3, 99% of the run**"
    )
    Jobs(Store()).update(demo.key, token(demo), done=2, total=3, **stage)
    (bar,) = page.run().get("progress")
    assert "nearly finished" in bar.proto.text


def test_a_run_is_asked_for_with_what_is_known_of_its_time(
    page: AppTest, idle: list[object], demo: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(needed, "seconds_before", lambda _: 77.0)
    pressed(page)
    job = Jobs(Store()).find(demo.key)
    assert job is not None
    stages = Timelines(Store()).of(demo.as_dict(), 77.0)
    assert job.expected == pytest.approx(sum(stage.seconds for stage in stages))
    assert 40 < job.expected <= 77, "what is compiled once is not expected again"
    assert job.asker, "who asks is known, so that the queue is fair"
    assert job.asker not in text(page)


def token(experiment: Experiment) -> str:
    """What lets the process of a run write."""
    job = Jobs(Store()).find(experiment.key)
    assert job is not None
    return job.token


def test_a_run_can_be_cancelled_and_run_again(page: AppTest, idle: list[object], demo: Experiment) -> None:
    pressed(page)
    page.button(key="run.cancel").click().run()
    assert not page.exception
    page.run()
    assert "cancelled" in text(page)
    page.button(key="run.start").click().run()
    assert len(idle) == 2


def test_a_cancelled_run_says_how_far_it_came(page: AppTest, idle: list[object], demo: Experiment) -> None:
    pressed(page)
    Jobs(Store()).update(demo.key, token(demo), stage="Reading with Small BERT", done=2, total=9)
    page.button(key="run.cancel").click().run()
    page.run()
    assert r"This run was cancelled at 2 of 9 \(reading with Small BERT\)" in text(page)


def test_a_failure_says_what_to_do(page: AppTest, idle: list[object], demo: Experiment) -> None:
    pressed(page)
    Jobs(Store()).finish(demo.key, token(demo), "failed", "The dataset has 12 documents. [Click](http://example.org)")
    page.run()
    assert "12 documents" in text(page)
    assert "](http" not in text(page)
    assert page.button(key="run.start").label == "Run again"
    assert "under “Rules" not in text(page)


def test_a_failure_names_its_setting_and_where_it_is(page: AppTest, idle: list[object], demo: Experiment) -> None:
    pressed(page)
    Jobs(Store()).finish(demo.key, token(demo), "failed", "The nearest training set that fits is 120.")
    page.run()
    assert "Change “Training set” under “Rules of the game” in the settings (“Settings” at the upper left" in text(page)


def test_a_failure_stands_below_the_field_it_names(app: AppTest, idle: list[object], demo: Experiment) -> None:
    page = app.switch_page("views/word_pairs.py")
    page.query_params.update(links.written(demo, Store()))
    pressed(page)
    Jobs(Store()).finish(demo.key, token(demo), "failed", "There is 1 of these. Choose fewer shadow pairs (k)")
    page.session_state["form/word_pairs/unfolded/Attack"] = False
    page.run()
    (beside,) = (error.value.replace("\\", "") for error in page.sidebar.error)
    assert beside == "There is 1 of these. Choose fewer shadow pairs (k)", "in its group, which opens"
    page.session_state["form/word_pairs/unfolded/Attack"] = False
    assert not page.run().sidebar.error, "and can be closed again"
    page.sidebar.number_input(key="word_pairs/seed").set_value(9).run()
    assert not page.sidebar.error, "another experiment has not failed"


def test_a_finished_run_shows_its_result(page: AppTest, idle: list[object], made_up: Result, demo: Experiment) -> None:
    pressed(page)
    made_up.save(Store(), demo.key)
    Jobs(Store()).finish(demo.key, token(demo), "done")
    page.run()
    assert not page.exception
    assert page.metric[0].value == "90%"
    assert "95% interval 85–95%, chance 50%, 160 decisions" in text(page)
    assert "Share" in [popover.proto.popover.label for popover in page.get("popover")]


def test_a_damaged_queue_is_said_and_results_still_open(
    page: AppTest, kept: Experiment, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "jobs.sqlite").write_bytes(b"nonsense" * 1000)
    page.run()
    assert not page.exception
    assert page.metric
    Store().delete(kept.key)
    page.run()
    assert not page.exception
    assert "was damaged and moved to" in text(page)


def test_a_home_that_cannot_be_written_is_said(page: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    page.run()
    monkeypatch.setenv("TELLTALE_HOME", str(blocked / "home"))
    page.button(key="run.start").click().run()
    assert not page.exception
    assert "cannot be written" in text(page)


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"state": "queued", "position": 1}, "Next in the queue"),
        ({"state": "queued", "position": 3}, "Queued behind 2"),
        ({"state": "queued", "position": 1, "wait": 0.0}, "Next in the queue, starts now"),
        ({"state": "queued", "position": 1, "wait": 0.2}, "Next in the queue, starts once the run before it ends"),
        (
            {"state": "queued", "position": 1, "wait": 20.0, "late": True},
            "Next in the queue, starts in about 20 s (a run before it takes longer than expected)",
        ),
        ({"state": "queued", "position": 3, "wait": 130.0}, "Queued behind 2, starts in about 2 min 10 s"),
        ({"state": "running", "stage": ""}, "Starting"),
        ({"state": "running", "whole": True}, "Training, 0% of the run, too early to say how long"),
        (
            {"state": "running", "done": 5, "total": 10, "seconds_left": 12.0},
            "Training: 5 of 10, about 12 s left in this stage",
        ),
        ({"state": "running", "done": 10, "total": 10, "seconds_left": 0.0}, "Training: 10 of 10"),
        (
            {"state": "running", "done": 5, "total": 10, "seconds_left": 72.0, "whole": True, "share": 0.4},
            "Training: 5 of 10, 40% of the run, about 1 min 12 s left",
        ),
        (
            {"state": "running", "seconds_left": 72.0, "whole": True, "share": 0.4, "late": True},
            "Training, 40% of the run, about 1 min 12 s left (longer than expected)",
        ),
        (
            {"state": "running", "seconds_left": 0.4, "whole": True, "share": 0.98, "late": True},
            "Training, 98% of the run, longer than expected",
        ),
        (
            {"state": "running", "seconds_left": 0.0, "whole": True, "share": 0.99},
            "Training, 99% of the run, nearly finished",
        ),
    ],
)
def test_standing(changes: dict[str, object], line: str) -> None:
    usual = {
        "key": "0",
        "experiment": {},
        "asked": 0.0,
        "started": None,
        "ended": None,
        "stage": "Training",
        "done": 0,
        "total": 0,
        "seconds_left": None,
        "curve": [],
        "message": "",
    }
    assert running.standing(Job(**{**usual, **changes})) == line  # type: ignore[arg-type]


def test_an_exact_figure_has_no_interval() -> None:
    queries = Estimate(value=40, low=40, high=40, chance=None, unit="queries")
    assert panels.interval(queries) == "queries"


def test_the_time_left_does_not_flicker() -> None:
    """A reader counts down by its own clock, and sees the estimate a second later a little higher."""

    def page() -> None:
        import streamlit as st

        from core.jobs import Job
        from dashboard.kit import running

        about: dict[str, object] = dict.fromkeys(("asked", "started", "ended"), 0.0)
        about |= {"experiment": {}, "curve": [], "message": "", "stage": "Training", "done": 0, "total": 0}
        for wait in (40.0, 42.0, 39.0, 70.0):
            job = Job(key="0", state="queued", seconds_left=None, wait=wait, **about)  # type: ignore[arg-type]
            st.write(str(running.steady(job).wait))
        for left in (40.0, 39.2, 39.9, 39.7, 39.1, 38.0, 52.0, 51.0, None, 50.0):
            job = Job(key="0", state="running", seconds_left=left, **about)  # type: ignore[arg-type]
            st.write(str(running.steady(job).seconds_left))

    texts = [element.value for element in AppTest.from_function(page).run().markdown]
    assert texts[:4] == ["40.0", "40.0", "39.0", "70.0"]
    assert texts[4:] == ["40.0", "39.2", "39.2", "39.2", "39.1", "38.0", "52.0", "51.0", "None", "50.0"]


def test_a_sentence_among_the_settings_is_quoted_and_cut() -> None:
    long = "It was_all " * 20
    settings = settings_in_words.of(Experiment.preset("multilabel_inversion", "paper", attack={"text": long}))
    assert "your sentence “It was_all It" in settings and settings.endswith("…”.")
    settings = settings_in_words.of(Experiment.preset("multilabel_inversion", "paper", attack={"text": ""}))
    assert settings.endswith("your sentence “”.")


def test_of_an_encoder_in_a_folder_of_the_server_settings_have_the_name_alone() -> None:
    folder = "/home/ann/private models/enc"
    settings = settings_in_words.of(
        Experiment.preset(
            "few_shot_inversion", "demo", model={"part": "encoder", "source": folder}, attack={"local": folder}
        )
    )
    assert "ann" not in settings and settings.count("enc,") == 2
    assert "own encoder minilm" in settings_in_words.of(
        Experiment.preset("few_shot_inversion", "demo", attack={"local": "minilm"})
    )


def test_every_encoder_among_the_settings_is_named() -> None:
    candidates = ["@first", "small_bert@mean", "gpt2", "my_own/folder"]
    settings = settings_in_words.of(Experiment.preset("encoder_fingerprint", "demo", attack={"candidates": candidates}))
    named = "the same encoder (first token), Small BERT (mean of tokens), GPT-2 and my_own/folder"
    assert f"other encoders {named}" in settings and "@" not in settings


def test_settings_say_words_and_titles_only() -> None:
    settings = settings_in_words.of(catalog.matching("mailboxes")[0].experiment)
    assert "users owners" in settings
    assert "dictionary Common English words" in settings
    assert "<" not in settings


def test_one_of_a_setting_is_in_the_singular() -> None:
    shown = Experiment.preset("window_similarity", "demo")
    assert "minimum count 1 occurrence," in settings_in_words.of(shown)


def test_a_value_outside_its_interval_says_why() -> None:
    inside = stored_results.estimates("1fa259cf7aa02958")["advantage_one_threshold"]
    assert "not around" not in panels.interval(inside)
    outside = inside.model_copy(update={"low": inside.value + 0.001})
    assert "not around the value: the largest of many differences grows" in panels.interval(outside)


def test_what_is_counted_behind_an_estimate_is_named() -> None:
    f1 = Estimate(value=0.7, low=0.6, high=0.8, chance=0.2, unit="mean over victims", decisions=1000)
    assert panels.interval(f1).endswith("chance 20%, 1,000 victims"), "as in the answer above it"


def test_a_figure_is_rounded_as_its_interval() -> None:
    narrow = Estimate(value=0.9804, low=0.9774, high=0.9824, chance=None, unit="share of texts")
    assert (panels.value(narrow), panels.interval(narrow)) == ("98.0%", "95% interval 97.7–98.2%")
    times = Estimate(value=6.846, low=6.27, high=7.33, chance=1.0, unit="times chance")
    assert (panels.value(times), panels.interval(times)) == ("6.8", "95% interval 6.3–7.3, chance 1.0")


def test_a_picture_is_titled_by_attack_figure_and_data() -> None:
    experiment = Experiment.preset("word_pairs", "demo")
    result = stored_results.load(experiment.key)
    assert result is not None
    shown = picture.of(result, experiment)
    assert shown.title("Accuracy") == "Word pairs · Accuracy · Wikipedia excerpt, word2vec"
    assert shown.source == f"result {experiment.key}; n of its answer: 160 decisions; seed 1, no defense"
    defended = next(entry.experiment for entry in catalog.entries() if entry.experiment.defenses)
    assert picture.of(result, defended).source.endswith(f"; seed 1, defense: {defended.defenses[0].named}")


def test_a_result_credits_every_dataset_behind_it() -> None:
    experiment = next(entry for entry in catalog.entries() if entry.name == "probing_other").experiment
    page = AppTest.from_function(_about, kwargs={"entry": "probing_other"}).run()
    page_text = text(page).replace("\\", "")
    model = cast(SpamClassifier, experiment.model)
    for dataset in filter(None, (experiment.dataset, model.texts, model.dictionary)):
        assert f"**{dataset.title}**" in page_text
        assert f"Licence: {dataset.card.licence}. Source: {dataset.card.citation}".replace("\\", "") in page_text
        assert dataset.card.homepage in page_text


def _about(entry: str) -> None:
    from core import catalog
    from dashboard.kit import attack_page, stored_results

    experiment = next(each for each in catalog.entries() if each.name == entry).experiment
    result = stored_results.load(experiment.key)
    assert result is not None
    attack_page.about(result, experiment)


@pytest.mark.parametrize(("chance", "shown"), [(0.6, []), (0.4, ["Utility"])])
def test_a_utility_below_that_of_one_class_for_all_is_not_shown(
    made_up: Result, chance: float, shown: list[str]
) -> None:
    utility = Estimate(value=0.5, low=0.4, high=0.6, chance=chance, unit="share of texts", members=96, nonmembers=0)
    result = replace(made_up, estimates={"utility": utility})
    page = AppTest.from_function(_show_utility, kwargs={"result": result}).run()
    assert not page.exception
    assert [metric.label for metric in page.metric] == shown


def _show_utility(result: object) -> None:
    from typing import Any, cast

    from dashboard.kit import panels

    panels.estimates(cast("Any", result), {"utility": "Utility"})
