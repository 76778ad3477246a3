"""What is missing is said before a run is started, with the demo beside it."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.catalog import entries, entries_of
from core.experiment import Experiment
from core.jobs import Jobs
from core.jobs.forecast import Stage
from core.jobs.needs import needs
from core.jobs.timelines import Timelines
from core.registry import part
from core.runtime.store import Store
from dashboard import navigation
from dashboard.kit import landing, links
from dashboard.kit.forms import needed
from dashboard.kit.visitors import Visitor
from dashboard.kit.words import file_size


@pytest.fixture(autouse=True)
def nothing_here(home: object, idle: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TELLTALE_DATA", raising=False)


def page(app: AppTest, experiment: Experiment) -> AppTest:
    declared = navigation.page_of(experiment.attack.part_name())
    assert declared is not None
    app.switch_page(f"views/{declared.name}.py")
    for name, text in links.written(experiment, Store()).items():
        app.query_params[name] = text
    app.run()
    assert not app.exception
    return app


def shown(app: AppTest, kind: str) -> str:
    return "\n".join(str(element.value) for element in app.main.get(kind))


def test_a_download_is_announced_with_its_size_and_the_demo_is_offered(app: AppTest) -> None:
    experiment = Experiment.preset("word_pairs", "demo", dataset={"part": "enron_spam"}, seed=5)
    size = sum(file.size for source in part("dataset", "enron_spam")().sources() for file in source.files)
    page(app, experiment)
    assert "Run first downloads Enron" in shown(app, "info") and file_size(size) in shown(app, "info")
    assert not app.main.button(key="run.start").disabled
    assert needed.DEMO in [link.proto.label for link in app.main.get("page_link")]
    dataset = next(box for box in app.sidebar.selectbox if box.label == "Dataset")
    marked = [option for option in dataset.options if "↓" in option]
    assert any(option.startswith("Enron-Spam") for option in marked)
    assert not any(option.startswith("Wikipedia excerpt") for option in marked)


def test_what_cannot_run_here_says_why_and_cannot_be_started(app: AppTest) -> None:
    experiment = Experiment.preset(
        "keyword_inference", "demo", model={"part": "encoder", "source": "small_gpt2"}, seed=5
    )
    page(app, experiment)
    assert "python -m core.encoders.pretraining small_gpt2" in shown(app, "warning").replace("\\", "")
    assert app.main.button(key="run.start").disabled
    assert Jobs(Store()).find(experiment.key) is None


def test_the_demo_needs_nothing_and_says_how_long_it_took(app: AppTest) -> None:
    page(app, Experiment.preset("word_pairs", "demo", seed=98))
    assert not app.main.info and not app.main.warning
    assert needed.DEMO not in [link.proto.label for link in app.main.get("page_link")]
    assert "where it was computed" in shown(app, "caption")


def test_what_a_run_took_here_counts_before_what_it_took_elsewhere() -> None:
    experiment = Experiment.preset("word_pairs", "demo", seed=98)
    assert "where it was computed" in needed.takes(experiment)
    Timelines(Store()).keep(experiment.as_dict(), [Stage("Training", 30.0, 4), Stage("Scoring", 10.0)])
    assert needed.takes(experiment.replace(seed=97)) == "With another seed this took about 40 s here."
    Timelines(Store()).keep(experiment.as_dict(), [Stage("Training", 30.0, 4, 50.0), Stage("Scoring", 10.0, 0, 10.0)])
    assert needed.takes(experiment.replace(seed=97)) == (
        "With another seed this took about 1 min 40 s here, of which it waited about 1 min 0 s for cores that others "
        "used."
    )


def test_a_run_longer_than_a_room_allows_says_so_beside_its_button(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = Experiment.preset("word_pairs", "demo", seed=99)
    monkeypatch.setattr(Visitor, "longest_run", lambda _: 10)
    page(app, experiment)
    assert not app.main.button(key="run.start").disabled and not app.main.warning
    monkeypatch.setattr(needed, "expected_seconds", lambda _: 3600.0)
    page(app, experiment)
    assert "In your room a run may take 10 min, and this one takes about 1 h" in shown(app, "warning")
    assert app.main.button(key="run.start").disabled


def test_how_long_a_run_takes_is_known_or_not() -> None:
    demo: dict[str, Any] = Experiment.preset("word_pairs", "demo").as_dict()
    more = {"game": {**demo["game"], "plays": demo["game"]["plays"] + 1}}
    unlike = {"model": {**demo["model"], "dimension": demo["model"]["dimension"] + 1}}
    known = [needed.expected_seconds(Experiment.parse({**demo, "seed": 999, **each})) for each in ({}, more, unlike)]
    assert known[0] and known[1] and known[2] is None, "with another seed, with more work, with another model"


def test_time_is_known_from_the_same_experiment_only() -> None:
    demo: dict[str, Any] = Experiment.preset("word_pairs", "demo").as_dict()
    assert needed.before(Experiment.parse({**demo, "seed": 999})) is not None
    assert needed.before(Experiment.parse({**demo, "game": {**demo["game"], "plays": 19}})) is None


def test_an_attack_opens_on_a_result_whose_texts_are_here() -> None:
    for attack in {entry.experiment.attack.part_name() for entry in entries()}:
        first = links.read({}, attack, Store()).experiment
        assert Store().is_shipped(first.key) and needs(first.dataset) == ()
        assert not next(entry for entry in entries_of(attack) if entry.experiment == first).contrast


def test_an_attack_opens_on_a_preset_wherever_one_has_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    for here in (False, True):
        if here:
            monkeypatch.setattr(landing, "needs", lambda spec: ())
        for attack in {entry.experiment.attack.part_name() for entry in entries()}:
            presets = [Experiment.preset(attack, name) for name in part("attack", attack).presets]
            first = links.read({}, attack, Store()).experiment
            assert first in presets, attack
            known = [entry for entry in entries_of(attack) if entry.experiment in presets and not entry.contrast]
            assert not here or first == landing.clearest(known).experiment


def test_the_page_that_opens_links_to_the_clearest_leak(app: AppTest) -> None:
    app.switch_page("views/window_similarity.py").run()
    clearest = landing.clearest(entries_of("window_similarity"))
    labels = [link.proto.label for link in app.main.get("page_link")]
    assert f"Clearest leak: {clearest.title}" in labels


def test_a_link_that_cannot_be_read_leads_to_a_result() -> None:
    reading = links.read({"seed": "many"}, "word_pairs", Store())
    assert Store().is_shipped(reading.experiment.key)
    assert len(reading.problems) == 1 and "opens as usual" in reading.instead
    reading = links.read({"seed": "many", "dataset": "wikipedia_excerpt"}, "word_pairs", Store())
    assert len(reading.problems) == 1 and reading.experiment.dataset.part_name() == "wikipedia_excerpt", "kept"
    demo = links.written(Experiment.preset("word_pairs", "demo"), Store())
    reading = links.read({**demo, "nothing": "1"}, "word_pairs", Store())
    assert reading.experiment == Experiment.preset("word_pairs", "demo") and "default" in reading.instead
