"""The page of authorship answers first, draws who is assigned to whom, and looks at one author closely."""

from functools import partial

import pytest

from core.experiment import Experiment
from dashboard.kit import tabs
from dashboard.kit.texts import victim_texts
from dashboard.topics.authors import authorship as section
from tests.dashboard.authors.samples import authorship as made
from tests.dashboard.kept_results import Open, everything, words
from tests.dashboard.samples import validated


def metrics(app):
    return [metric.label for metric in app.main.metric]


def test_the_answer_comes_first(open_result: Open) -> None:
    app = open_result(made(), unfolded=True)
    assert metrics(app) == ["Accuracy", "Times chance", "Top-5 accuracy", "Accuracy from the words"]
    seen = everything(app)
    page_text = seen.said
    assert seen.headers == ["Accuracy", "One author"]
    assert seen.figures.keys() >= {"by-labels", "confusion", "map", "named"}
    assert "Other authors" not in page_text, "nothing stands beside it"
    assert "Accuracy is highest for" in page_text and "Accuracy by labelled texts" in page_text
    assert "Here an “author” is a Wikipedia article, not a person: its texts are its passages" in page_text


def test_the_best_recognised_author_is_looked_at_unless_another_is_chosen(open_result: Open) -> None:
    result = made()
    app = open_result(result, tab=tabs.HOW)
    first = app.main.selectbox(key="view.author").value
    assert f"Accuracy is highest for {first}" in words(app)
    app.main.selectbox(key="view.author").set_value("author-07").run()
    assert not app.exception
    assert "Of 12 texts of author-07" in words(app)
    app.main.segmented_control(key="view.map").set_value("umap").run()
    assert not app.exception
    assert "In the UMAP plane" in words(app)


def test_without_the_dataset_no_text_is_shown(open_result: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TELLTALE_DATA", raising=False)
    app = open_result(made(dataset="enron_mailboxes", source="minilm"), tab=tabs.HOW)
    assert victim_texts.ABSENT in words(app)
    assert not [button for button in app.main.button if button.label == "Draw another"]


def test_with_the_dataset_a_text_is_shown_and_another_drawn(open_result: Open) -> None:
    app = open_result(made(), tab=tabs.HOW)
    before = app.main.selectbox(key="view.victim").value
    assert "Inferred: :" in words(app) and len(app.main.code[0].value) > 40
    app.main.button(key="draw-victim").click().run()
    assert not app.exception
    assert app.main.selectbox(key="view.victim").value != before
    app.main.selectbox(key="view.author").set_value("author-09").run()
    assert not app.exception, "a victim of another author is no choice any more"


@pytest.mark.parametrize("odd", [{"authors": 2}, {"labels": 1}, {"authors": 2, "labels": 1, "level": 9.0, "each": 1}])
def test_the_smallest_experiments_are_shown(open_result: Open, odd: dict[str, int]) -> None:
    app = open_result(made(**odd))
    assert "times chance" in words(app)
    assert ("Top-5 accuracy" in metrics(app)) == ("authors" not in odd)


def test_a_defense_brings_two_adversaries(open_result: Open) -> None:
    app = open_result(made(defended=True), made(), unfolded=True)
    page_text = words(app)
    assert "Accuracy, naive adversary" in metrics(app)
    assert (
        "The naive adversary reaches" in page_text
        and "The naive adversary trains on undefended embeddings" in page_text
    )
    assert "Accuracy by experiment" in page_text
    links = [link.label for link in app.main.get("page_link")]
    assert "Open Wikipedia excerpt, 10 authors" in links


def test_other_authors_stand_beside_and_what_is_missing_is_named(open_result: Open) -> None:
    promised = Experiment.parse(made(authors=40, dataset="enron_mailboxes").experiment)
    twin = made(labels=10)
    app = open_result(made(), twin, made(authors=5), made(defended=True), promised)
    page_text = words(app)
    assert "for Wikipedia excerpt, 10 authors, 10 labels, Small BERT (" in page_text
    assert "for Wikipedia excerpt, 5 authors (" in page_text
    assert "Not computed yet: Enron mailboxes, all mail, 40 mailboxes." in page_text
    assert "Laplace" not in page_text, "a defended result stands beside no undefended one"


def test_a_run_is_drawn_while_it_goes_on() -> None:
    result = made(defended=True)
    draw = partial(section.live, experiment=Experiment.parse(result.experiment))
    rows = result.tables["curve"].to_dict("records")
    assert len(validated(draw(rows)).data) > len(validated(draw(rows[:2])).data) > 0
    assert draw(rows[:1]).to_json() and draw([]).to_json()
