"""The page of probing a classifier shows stored results beside the paper, and its form offers the right model."""

from dataclasses import replace
from functools import partial

from streamlit.testing.v1 import AppTest

from core.experiment import Experiment
from dashboard.kit import tabs
from dashboard.kit.membership import outcome
from tests.dashboard.kept_results import Open, everything, everywhere, words
from tests.dashboard.probing import samples
from tests.dashboard.samples import validated

PAGE = samples.ATTACK


def test_a_result_of_several_sizes_is_shown_beside_the_paper(open_result: Open) -> None:
    app = open_result(samples.probing(), samples.probing(samples.OTHER), unfolded=True)
    assert [metric.value for metric in app.main.metric] == ["7,200", "93%", "96%"]
    seen = everything(app)
    page_text = seen.said
    assert seen.figures.keys() >= {
        "paper-other",
        "paper-same",
        "probe",
        "probes",
        "roc",
        "scores",
        "shadows",
        "within_target",
        "words",
    }
    assert "One decision takes 7,200 queries" in page_text and "Accuracy against the size of a target" in page_text
    assert "Table 1 of the paper" in page_text and "Table 2 of the paper" in page_text
    assert "not computed yet" not in page_text and "is in neither setting" not in page_text
    assert "the paper’s text" not in page_text
    assert any(link.label.startswith("Open our result") for link in app.main.get("page_link"))


def test_real_owners_are_in_neither_setting_of_the_paper(open_result: Open) -> None:
    app = open_result(samples.probing(samples.SENDERS, sizes=(100,)), samples.probing(samples.OTHER), unfolded=True)
    page_text = everywhere(app)
    assert "with documents of one owner each as targets, is in neither setting" in page_text
    assert page_text.count("Our result is not computed yet.") == 1, "that of random targets stands beside the paper"


def test_the_demo_alone_is_shown_with_the_papers_figures(open_result: Open) -> None:
    app = open_result(samples.probing(samples.DEMO, sizes=(50,)), unfolded=True)
    page_text = everywhere(app)
    assert "Accuracy against the size of a target" not in page_text
    assert page_text.count("Our result is not computed yet.") == 2 and "is in neither setting" in page_text
    assert "predict “person”" in page_text and "spam”" not in page_text
    assert set(app.main.dataframe[-1].value["here"]) == {"not computed yet"}


def test_a_promised_experiment_can_be_opened(open_result: Open) -> None:
    promised = Experiment.parse(samples.probing(samples.OTHER).experiment)
    app = open_result(samples.probing(), promised, tab=tabs.PAPER)
    labels = [link.label for link in app.main.get("page_link")]
    assert "Open the experiment, and run it" in labels and "Open our result" not in labels


def test_another_target_and_probe_are_looked_at(open_result: Open) -> None:
    result = samples.probing()
    app = open_result(result, tab=tabs.HOW)
    probe = app.main.selectbox(key="view.probe")
    app.main.selectbox(key="view.probe").set_value(3).run()
    assert not app.exception
    rows = result.tables["probes"]
    target = app.main.selectbox(key="view.target").value
    row = rows[(rows["target"] == target) & (rows["rank"] == 3)].iloc[0]
    assert len(probe.options) == 10 and f"“{row['word']}” and the label" in words(app)
    before = words(app)
    app.main.button_group(key="view.size").set_value(10).run()
    assert not app.exception
    assert words(app) != before


def test_a_target_without_a_word_is_said(open_result: Open) -> None:
    result = samples.probing()
    empty = {name: result.tables[name].iloc[:0] for name in ("words", "probes")}
    page_text = words(open_result(replace(result, tables={**result.tables, **empty}), tab=tabs.HOW))
    assert "there is no query" in page_text and "No word was selected for this target" in page_text


def test_a_run_is_drawn_while_it_goes_on() -> None:
    result = samples.probing()
    draw = partial(outcome.live, experiment=Experiment.parse(result.experiment))
    rows = result.tables["curve"].to_dict("records")
    assert len(validated(draw(rows)).data) > 1
    assert draw(rows[:1]).to_json()
    assert draw([]).to_json()


def test_the_form_offers_the_classifier_with_the_fields_of_both(app: AppTest, home: object) -> None:
    app.switch_page(f"views/{PAGE}.py")
    app.query_params["preset"] = "demo"
    app.query_params["seed"] = "4711"
    app.session_state[f"form/{PAGE}/unfolded/Model parameters"] = True
    app.run()
    assert not app.exception
    assert app.sidebar.selectbox(key=f"{PAGE}/model").options == ["Document classifier on word2vec"]
    assert [choice.options for choice in app.sidebar.multiselect] == [["Subsampling of each user's data"]]
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
