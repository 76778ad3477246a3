"""The page of probing a classifier shows stored results beside the paper, and its form offers the right model."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from core import catalog
from core.experiment import Experiment
from core.result import Result
from core.runtime.store import Store
from dashboard.kit import links
from dashboard.kit.membership import outcome
from tests.dashboard.probing import samples
from tests.dashboard.samples import validated

Open = Callable[..., AppTest]
PAGE = samples.ATTACK


@pytest.fixture
def open_result(app: AppTest, home: object, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Opens the page of a result, others being promised: those that are results are here, the rest is missing."""

    def opened(result: Result, *others: Result | Experiment) -> AppTest:
        promised = [other if isinstance(other, Experiment) else keep(other) for other in others]
        entries = tuple(catalog.Entry(f"other_{at}", "Other", "Beside it.", one) for at, one in enumerate(promised))
        monkeypatch.setattr(catalog, "entries", lambda: entries)
        return at(app, keep(result))

    return opened


def keep(result: Result) -> Experiment:
    experiment = Experiment.parse(result.experiment)
    result.save(Store(), experiment.key)
    return experiment


def at(app: AppTest, experiment: Experiment) -> AppTest:
    app.switch_page(f"views/{PAGE}.py")
    for name, text in links.written(experiment, Store()).items():
        app.query_params[name] = text
    app.run()
    assert not app.exception
    return app


def words(app: AppTest) -> str:
    kinds = ("title", "header", "subheader", "markdown", "caption")
    return "\n".join(str(element.value) for kind in kinds for element in getattr(app.main, kind)).replace("\\", "")


def test_a_result_of_several_sizes_is_shown_beside_the_paper(open_result: Open) -> None:
    app = open_result(samples.probing(), samples.probing(samples.OTHER))
    said = words(app)
    assert len(app.main.get("plotly_chart")) == 3 + 1 + 3 + 2 + 2
    assert "One decision takes 7,200 queries" in said and "Accuracy against the size of a target" in said
    assert "Table 1 of the paper" in said and "Table 2 of the paper" in said
    assert "not computed yet" not in said and "is in neither setting" not in said
    assert "the paper’s text" not in said
    assert [metric.value for metric in app.main.metric] == ["7,200", "93%", "96%"]
    assert any(link.label.startswith("Open our result") for link in app.main.get("page_link"))


def test_the_demo_alone_is_shown_with_the_papers_figures(open_result: Open) -> None:
    app = open_result(samples.probing(samples.DEMO, sizes=(50,)))
    said = words(app)
    assert "Accuracy against the size of a target" not in said
    assert said.count("Our result is not computed yet.") == 2 and "is in neither setting" in said
    assert "predict “person”" in said and "spam”" not in said
    assert set(app.main.dataframe[-1].value["here"]) == {"not computed yet"}


def test_a_promised_experiment_can_be_opened(open_result: Open) -> None:
    promised = Experiment.parse(samples.probing(samples.OTHER).experiment)
    app = open_result(samples.probing(), promised)
    labels = [link.label for link in app.main.get("page_link")]
    assert "Open the experiment, and run it" in labels and "Open our result" not in labels


def test_another_target_and_probe_are_looked_at(open_result: Open) -> None:
    result = samples.probing()
    app = open_result(result)
    probe = app.main.selectbox(key="view.probe")
    app.main.selectbox(key="view.probe").set_value(3).run()
    assert not app.exception
    own = result.tables["probes"]
    target = app.main.selectbox(key="view.target").value
    row = own[(own["target"] == target) & (own["rank"] == 3)].iloc[0]
    assert len(probe.options) == 10 and f"“{row['word']}” and the label" in words(app)
    before = words(app)
    app.main.button_group(key="view.size").set_value(10).run()
    assert not app.exception
    assert words(app) != before


def test_a_target_without_a_word_is_said(open_result: Open) -> None:
    result = samples.probing()
    empty = {name: result.tables[name].iloc[:0] for name in ("words", "probes")}
    said = words(open_result(replace(result, tables={**result.tables, **empty})))
    assert "there is no query" in said and "No word was selected for this target" in said


def test_a_run_is_drawn_while_it_goes_on() -> None:
    result = samples.probing()
    draw = partial(outcome.live, experiment=Experiment.parse(result.experiment))
    rows = result.tables["curve"].to_dict("records")
    assert len(validated(draw(rows)).data) > 1
    assert draw(rows[:1]).to_json()
    assert draw([]).to_json()


def test_the_form_offers_the_classifier_with_the_fields_of_both(app: AppTest, home: object) -> None:
    at(app, Experiment.preset(PAGE, "demo", seed=4711))
    assert app.sidebar.selectbox(key=f"{PAGE}/model").options == ["Document classifier on word2vec"]
    assert [choice.options for choice in app.sidebar.multiselect] == [["Subsampling of each user's documents"]]
    app.session_state[f"form/{PAGE}/unfolded/Model parameters"] = True
    app.run()
    assert not app.exception
    assert app.sidebar.text_input(key=f"{PAGE}/model.positive").value == "person"
    assert app.sidebar.number_input(key=f"{PAGE}/model.training").label == "Classifier’s training set (documents)"
    assert app.sidebar.number_input(key=f"{PAGE}/model.dimension").value == 32
    app.sidebar.selectbox(key=f"{PAGE}/model.texts").set_value("enron_spam").run()
    assert not app.exception
    assert app.query_params["model.texts"] in ("enron_spam", ["enron_spam"])
    keys = [element.key for element in app.sidebar.number_input]
    assert f"{PAGE}/attack.shadow_pairs" in keys and f"{PAGE}/attack.trees" not in keys
    app.session_state[f"form/{PAGE}/unfolded/Fine settings"] = True
    app.run()
    assert f"{PAGE}/attack.trees" in [element.key for element in app.sidebar.number_input]
