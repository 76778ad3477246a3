"""The page of sentence membership answers first, follows training, and shows sentences only where it may."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from core.jobs.needs import Need
from dashboard.kit import tabs
from dashboard.topics.sentence_membership import sentences as section
from tests.dashboard.kept_results import Open, everything, in_tab, words
from tests.dashboard.sentence_membership.samples import passages as made


def passages_of(app: AppTest) -> list[str]:
    return [element.value for element in app.main.markdown if "Right about" in element.value]


def test_the_answer_comes_first_and_can_be_looked_at_closer(open_result: Open) -> None:
    app = open_result(made(), unfolded=True)
    seen = everything(app)
    page_text = seen.said
    assert "about passages of 20 sentences (95% interval" in page_text, "the answer is about one size"
    in_tab(app, tabs.ANSWER)
    assert [metric.label for metric in app.main.metric] == [
        "AUC, 20 sentences",
        "Accuracy",
        "AUC, 2 sentences",
        "AUC, one threshold",
        "AUC, learned similarity",
        "AUC, blind baseline",
        "Training pairs found",
        "Held-out pairs found",
    ]
    assert seen.headers == [
        "Membership of passages",
        "Why it works",
        "Some passages",
        "How this differs from the paper",
    ]
    assert "Given 20 sentences of a person whose texts trained the encoder" in page_text
    assert "Cosine, likelihood ratio: for passages of 20 sentences the AUC goes from" in page_text
    assert "Control without training:" in page_text and "Members of 20 sentences found" in page_text
    assert "60% of all 1,500 passages could not be drawn" in page_text
    assert "40 million sentences of books" in page_text
    assert seen.figures.keys() >= {"course", "densities", "groups", "passages", "roc"}
    app.main.selectbox(key="view.course").set_value("Learned similarity, one threshold (the paper)").run()
    assert "Learned similarity, one threshold (the paper): for passages of 20 sentences the AUC" in words(app)
    in_tab(app, tabs.HOW).main.selectbox(key="view.group").set_value("all").run()
    app.main.segmented_control(key="view.statistic").set_value("projection").run()
    assert not app.exception
    assert "For passages of all groups" in words(app)


def test_passages_are_shown_as_sentences_that_follow_each_other(open_result: Open) -> None:
    app = open_result(made(), tab=tabs.HOW)
    assert section.ABSENT not in words(app)
    lines = passages_of(app)
    assert len(lines) == 6 and all(line.count("**→**") == 1 and ":gray[and" not in line for line in lines)
    app.main.selectbox(key="view.band").set_value("20 sentences").run()
    assert not app.exception
    assert all(":gray[and 18 more]" in line for line in passages_of(app))


def test_without_the_dataset_no_sentence_is_shown(open_result: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.kit.texts.remembered.needs", lambda spec: (Need("pairs"),))
    page_text = words(open_result(made(), tab=tabs.HOW))
    assert section.ABSENT in page_text and "Passage 1: row 3 of the dataset, from sentence 1 on." in page_text


def test_of_a_changed_dataset_no_sentence_is_shown(open_result: Open) -> None:
    result = made()
    shown = result.tables["shown"]
    starts = shown["place"].where(shown["example"] != 4, 999).astype(shown["place"].dtype)
    app = open_result(replace(result, tables={**result.tables, "shown": shown.assign(place=starts)}), tab=tabs.HOW)
    assert section.ABSENT in words(app) and not any("→" in line for line in passages_of(app))


def test_one_number_of_sentences_and_nothing_learned(open_result: Open) -> None:
    app = open_result(made(level=0.0, sizes=(3,), statistics=("similarity",)))
    labels = [metric.label for metric in app.main.metric]
    assert "AUC, 3 sentences" in labels and "AUC, learned similarity" not in labels
    assert labels.count("AUC, 3 sentences") == 1
    assert "view.statistic" not in [control.key for control in app.main.segmented_control]
    assert "With 3 sentences that is not shown to exceed chance" in words(app)
    in_tab(app, tabs.HOW)
    assert passages_of(app)
    assert all(":gray[and 1 more]" in line for line in passages_of(app))
