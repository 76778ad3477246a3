"""The page of window membership answers first, shows why, and shows words only where they may be shown."""

import pytest

from dashboard.kit import tabs
from dashboard.kit.examples import window_texts
from tests.dashboard.kept_results import Open, everything, in_tab, words
from tests.dashboard.windows.samples import windows as made


def metrics(app):
    return [metric.label for metric in app.main.metric]


def test_the_answer_comes_first(open_result: Open) -> None:
    app = open_result(made())
    assert metrics(app) == ["AUC", "Accuracy", "TPR at 1% FPR"], "the others are folded away"
    assert metrics(in_tab(app, tabs.ANSWER)) == [
        "AUC",
        "Accuracy",
        "TPR at 1% FPR",
        "AUC, one threshold",
        "AUC, cosine",
        "AUC, blind baseline",
    ]
    seen = everything(app)
    page_text = seen.said
    assert seen.headers == [
        "Membership of windows",
        "Why it works",
        "Some windows",
    ]
    assert "By “Output times input vector, likelihood ratio”, the advantage is" in page_text
    assert "60% of all 2,500 windows could not be drawn" in page_text
    assert "the vector of any word, and its vector as context" in page_text
    assert seen.figures.keys() >= {"densities", "groups", "roc", "windows"}


def test_another_band_and_another_statistic_can_be_looked_at(open_result: Open) -> None:
    app = open_result(made(), tab=tabs.HOW)
    assert "For windows whose middle word occurs 5–9 times" in words(app)
    app.main.selectbox(key="view.group").set_value("all").run()
    app.main.segmented_control(key="view.statistic").set_value("cosine").run()
    assert not app.exception
    assert "For windows of all groups" in words(app)
    app.main.selectbox(key="view.band").set_value("50–199").run()
    assert not app.exception
    assert "decisions about 6 windows" in words(app)


def test_by_cosine_alone_there_is_nothing_to_choose(open_result: Open) -> None:
    app = open_result(made(similarity="cosine"))
    assert "AUC, cosine" not in metrics(app)
    assert "view.statistic" not in [control.key for control in app.main.segmented_control]
    assert "By “Cosine, likelihood ratio”, the advantage is" in words(app)
    assert "the vector of any word" in words(app) and "as context" not in words(app)


def test_words_are_shown_with_the_middle_one_bold(open_result: Open) -> None:
    app = open_result(made(), tab=tabs.HOW)
    assert window_texts.ABSENT not in words(app)
    lines = [element.value for element in app.main.markdown if "Right about" in element.value]
    assert len(lines) == 6 and all(line.count("**") == 2 for line in lines)


def test_without_the_dataset_no_word_is_shown(open_result: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TELLTALE_DATA", raising=False)
    app = open_result(made(dataset="wikitext2"), tab=tabs.HOW)
    page_text = words(app)
    assert window_texts.ABSENT in page_text and "Window 1: row 3 of the dataset, from word 1 on." in page_text


@pytest.mark.parametrize("odd", [{"bands": ("5–9",), "level": 1000.0}, {"each": 1, "level": 0.0}])
def test_odd_results_are_shown(open_result: Open, odd: dict[str, object]) -> None:
    app = open_result(made(**odd))
    assert "Chance is 0%." in words(app)
