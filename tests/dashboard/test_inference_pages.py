"""The pages of attacks on sentence embeddings show stored results, beside what else the catalogue has."""

from dataclasses import replace
from functools import partial
from urllib.parse import parse_qsl

import pytest

from core.attacks.own_text import OwnText
from core.experiment import Experiment
from core.jobs import Jobs
from core.result import table
from core.runtime.store import Store
from dashboard.kit import own_text, tabs, visitors
from dashboard.topics.keywords import accuracy
from dashboard.topics.patterns import reconstruction
from tests.dashboard import inference_samples
from tests.dashboard.kept_results import Open, everything, everywhere, keep, words
from tests.dashboard.samples import validated


def test_the_parts_of_a_date_are_shown(open_result: Open) -> None:
    seen = everything(open_result(inference_samples.patterns(), unfolded=True))
    page_text = seen.said
    assert "Top-1 accuracy" in page_text and "Table II" in page_text and "-background[" in page_text
    assert seen.figures.total() == 2 + 3 + 1
    assert "Comparison of encoders" not in page_text


def test_the_truth_can_be_hidden(open_result: Open) -> None:
    app = open_result(inference_samples.patterns(), tab=tabs.HOW)
    text = inference_samples.patterns().tables["guesses"]
    year = text.loc[(text["victim"] == 0) & (text["secret"] == "year"), "truth"].item()
    assert f"background[{year}]" in words(app)
    app.main.toggle(key="told").set_value(False).run()
    assert not app.exception
    assert "••••" in words(app) and f"background[{year}]" not in words(app) and "parts right" not in words(app)


def test_another_victim_is_drawn_and_kept_in_the_address(open_result: Open) -> None:
    app = open_result(inference_samples.patterns(), tab=tabs.HOW)
    before = app.main.selectbox(key="view.victim").value
    app.main.button(key="draw-victim").click().run()
    assert not app.exception
    assert app.main.selectbox(key="view.victim").value != before


def test_sequences_are_drawn_by_position_and_texts_are_not_downloaded(
    open_result: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TELLTALE_DATA", raising=False)
    app = open_result(
        inference_samples.patterns("splice"), inference_samples.patterns("splice", "minilm"), unfolded=True
    )
    assert "Utility: class predicted" in [metric.label for metric in app.main.metric]
    page_text = everywhere(app)
    assert (
        "Accuracy by position" in page_text
        and "Letter by letter" in page_text
        and "Comparison of encoders" in page_text
    )
    assert "a page never downloads one" in page_text
    assert "Table II" not in page_text


def test_a_defense_brings_two_adversaries_and_no_figure_of_the_paper(open_result: Open) -> None:
    page_text = words(open_result(inference_samples.patterns(defended=True)))
    assert "The naive adversary trains on undefended embeddings" in page_text and "Table II" not in page_text


def test_encoders_that_are_missing_or_differ_are_named(open_result: Open) -> None:
    promised = Experiment.parse(inference_samples.patterns(source="gpt2").experiment)
    other = inference_samples.patterns(source="minilm", victims=60)
    page_text = words(open_result(inference_samples.patterns(), promised, other))
    assert "Not computed yet: GPT-2" in page_text
    assert "Other settings also differ: victims for all-MiniLM-L6-v2." in page_text


def test_both_kinds_of_auxiliary_texts_are_shown_together(open_result: Open) -> None:
    black = inference_samples.words("black_box", classifier="dann", level=0.7)
    app = open_result(inference_samples.words(), black, unfolded=True)
    page_text = words(app)
    assert "With texts of the same kind" in page_text and "With public texts only" in page_text
    assert "White box" not in page_text, "elsewhere that is an adversary with the weights"
    assert any(link.label == "Open the result with public texts only" for link in app.main.get("page_link"))
    assert everything(app).figures.total() == 2 + 2 + 1


def test_a_missing_white_box_is_named(open_result: Open) -> None:
    app = open_result(inference_samples.words("black_box", classifier="dann"), unfolded=True)
    page_text = everywhere(app)
    assert (
        "The attack on the same victims and encoder with texts of the same kind is not among the precomputed results"
        in page_text
    )
    assert "takes the true labels" in page_text


def test_one_keyword_is_shown_in_detail(open_result: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TELLTALE_DATA", raising=False)
    app = open_result(inference_samples.words(defended=True), tab=tabs.HOW)
    app.main.selectbox(key="view.keyword").set_value("knee").run()
    assert not app.exception
    assert "Does the text have “knee”?" in words(app) and "a page never downloads one" in words(app)
    shown = app.main.dataframe[0].value
    assert set(shown["keyword"]) == {"knee"} and "text" not in shown
    app.main.button(key="draw-verdicts").click().run()
    assert not app.exception
    assert app.main.dataframe[0].value["row"].tolist() != shown["row"].tolist()


def test_a_run_is_drawn_while_it_goes_on() -> None:
    dates, letters, words = (
        inference_samples.patterns(),
        inference_samples.patterns("splice"),
        inference_samples.words(),
    )
    for result, live in ((dates, reconstruction.live), (letters, reconstruction.live), (words, accuracy.live)):
        rows = result.tables["curve"].to_dict("records")
        draw = partial(live, experiment=Experiment.parse(result.experiment))
        assert len(validated(draw(rows)).data) > 1
        single = [row for row in rows if row["secret"] != "all"]
        assert draw(single[:1]).to_json() and draw([]).to_json()


def test_a_sentence_of_ones_own_is_read(open_result: Open) -> None:
    shown = inference_samples.words()
    of_sentence = own_text.about(Experiment.parse(shown.experiment), OwnText.model_fields["text"].default)
    keywords = table(
        OwnText.tables["own_text"], {"keyword": ["knee", "chest"], "probability": [0.9, 0.2], "present": [True, False]}
    )
    keep(replace(shown, experiment=of_sentence.as_dict(), tables={**shown.tables, "own_text": keywords}))
    app = open_result(shown)
    assert "The adversary predicts knee. In the sentence: knee, of which it predicted 1." in words(app)
    assert "“Type a sentence”, above, answers at once instead" in words(app)
    app.text_area[0].set_value("Another sentence").run()
    assert not app.exception
    assert [button.label for button in app.button if button.key == "own-run.start"] == ["Run"]


def test_the_run_of_a_sentence_opens_with_it_again_for_its_owner_only(
    open_result: Open, idle: list[object], browser: dict[str, dict[str, str]]
) -> None:
    shown = inference_samples.words()
    of_sentence = own_text.about(Experiment.parse(shown.experiment), "My knee hurts")
    keep(shown)
    ann, bob = "1" * 32, "2" * 32
    token = (
        Jobs(Store()).ask(of_sentence.as_dict(), of_sentence.key, visitors._digest("browser", ann), expected=60.0).token
    )
    app = open_result(shown)
    browser["cookies"][visitors.COOKIE] = ann
    app.switch_page("views/runs.py").run()
    (link,) = app.main.get("page_link")
    assert link.proto.label == "Open" and "knee+hurts" not in link.proto.query_string
    query = dict(parse_qsl(link.proto.query_string))
    assert query[own_text.RUN] == of_sentence.key

    def followed() -> str:
        app.switch_page("views/keyword_inference.py")
        app.query_params.clear()
        for name, text in query.items():
            app.query_params[name] = text
        app.run()
        assert not app.exception
        return str(app.text_area[0].value)

    assert followed() == "My knee hurts" and app.button(key="own-run.cancel").label == "Cancel"
    keywords = table(OwnText.tables["own_text"], {"keyword": ["knee"], "probability": [0.9], "present": [True]})
    keep(replace(shown, experiment=of_sentence.as_dict(), tables={**shown.tables, "own_text": keywords}))
    Jobs(Store()).finish(of_sentence.key, token, "done")
    assert followed() == "My knee hurts" and "The adversary predicts knee." in words(app)
    app.switch_page("views/runs.py").run()
    page_text = words(app)
    assert "The adversary predicts knee." in page_text and "right in" not in page_text, "nothing of the victims"
    app.switch_page("views/keyword_inference.py")
    browser["cookies"][visitors.COOKIE] = bob
    assert followed() != "My knee hurts" and "not yours" in words(app)
