"""The page of keywords shows the effect of each setting, and keeps results of other questions apart."""

import re
from dataclasses import replace
from typing import get_args

import pandas as pd
import pytest

from core.attacks.keyword_inference import Classifier
from core.experiment import Experiment
from core.result import Estimate
from dashboard.kit import tabs
from dashboard.kit.figures import learning
from dashboard.topics.keywords import settings
from dashboard.topics.keywords.figures import boundary
from dashboard.topics.overview import leaks
from dashboard.topics.overview.figures import measured
from tests.dashboard import inference_samples
from tests.dashboard.kept_results import Open, everywhere, words


def white(**changed):
    texts = min(changed.get("texts", 2000), 382)
    level = 0.6 + 0.0008 * texts
    return inference_samples.words(level=level, queries=texts * (len(inference_samples.WORDS) + 1), **changed)


def black(level=0.8, **changed):
    return inference_samples.words("black_box", classifier="dann", level=level, **changed)


def absent(**changed):
    return inference_samples.words(
        "black_box", classifier="dann", level=0.95, absent=3, keywords=("brunch", "patio", "waiter"), **changed
    )


def asked(result):
    return Experiment.parse(result.experiment)


def test_the_white_box_shows_how_few_texts_are_enough(open_result: Open) -> None:
    others = white(texts=10, rivals=False), white(texts=100, rivals=False), asked(white(texts=30))
    page_text = words(open_result(white(), *others, tab=tabs.PAPER, unfolded=True))
    assert "Ablations" in page_text and "With 10 texts the accuracy of the attack is" in page_text
    assert "with all 382 " in page_text and "1 further value in the catalog, not computed yet" in page_text
    assert "59.4% for GPT-2" in page_text and "Units of the DANN’s hidden layer" not in page_text


def test_the_black_box_shows_all_three(open_result: Open) -> None:
    others = [black(0.6, texts=100), black(0.7, dimension=5), black(0.7, aligned=10)]
    page_text = words(open_result(black(), *others, tab=tabs.PAPER, unfolded=True))
    for title in (
        "External auxiliary texts",
        "Units of the DANN’s hidden layer",
        "Victims’ embeddings in the training of the DANN",
    ):
        assert title in page_text
    assert "with all 60 " in page_text, "as many victims as the result asks about"


def test_results_of_the_dann_are_shown_as_its_own_beside_another_classifier(open_result: Open) -> None:
    perceptron = inference_samples.words("black_box", classifier="mlp", level=0.9)
    others = black(), black(0.6, dimension=5), black(0.7, aligned=10), black(texts=100)
    page_text = words(open_result(perceptron, *others, tab=tabs.PAPER, unfolded=True))
    assert "With 5 units the accuracy of the DANN is 57%" in page_text and "with 25 77%" in page_text
    assert "With 10 victims the accuracy of the DANN" in page_text and "External auxiliary texts" not in page_text


def test_what_differs_in_two_things_is_no_ablation(open_result: Open) -> None:
    page_text = words(open_result(black(), black(texts=100, dimension=5), black(texts=100, seed=3)))
    assert "What the attack owes to" not in page_text


def test_a_box_with_few_texts_never_stands_beside(open_result: Open) -> None:
    app = open_result(white(), black(texts=100), absent(), black(0.7))
    links = [
        link.proto.query_string
        for link in app.main.get("page_link")
        if link.label == "Open the result with public texts only"
    ]
    assert len(links) == 1 and "texts=" not in links[0] and "absent" not in links[0]
    app = open_result(white(), black(texts=100))
    assert (
        "The attack on the same victims and encoder with public texts only is not among the precomputed results"
        in words(app)
    )


def test_other_encoders_are_those_with_the_same_settings(open_result: Open) -> None:
    few = white(texts=10, source="minilm")
    page_text = words(open_result(white(), few, white(texts=100)))
    assert "Comparison of encoders" not in page_text and "Figure 6(f), BERT: over 99%" in page_text
    page_text = words(open_result(white(), few, white(source="minilm")))
    assert "Comparison of encoders" in page_text and "Other settings also differ" not in page_text


def test_keywords_absent_from_all_texts_are_shown_as_false_alarms(open_result: Open) -> None:
    app = open_result(absent(), black(), unfolded=True)
    label, value = app.main.metric[0].label, app.main.metric[0].value
    page_text = everywhere(app)
    assert "Words that no text has" in page_text and "False alarms by word" in page_text
    assert "This figure shows no leak" in page_text and "none of which has it" in page_text
    assert (
        "no leak is shown" not in page_text
        and "guessing gives" not in page_text
        and "half of them with it" not in page_text
    )
    assert "Which words were told" not in page_text and "What the attack owes to" not in page_text
    assert (label, value) == ("False-alarm rate, mean over words", "7%")
    assert "chance 1" not in page_text
    assert "Here the answer “absent” is always correct" in page_text


def test_the_balanced_page_shows_how_rarely_it_raises_a_false_alarm(open_result: Open) -> None:
    app = open_result(black(), absent(rivals=False), absent(source="minilm"), tab=tabs.PAPER, unfolded=True)
    page_text = words(app)
    assert (
        "On words that no text has, the false-alarm rate" in page_text
        and "Table III" in page_text
        and "“brunch”, “patio”" in page_text
    )
    assert any(link.label == "Open the words that no text has" for link in app.main.get("page_link"))
    assert "Words that no text has" not in everywhere(open_result(white(), absent(), unfolded=True))


def test_absent_words_that_are_not_computed_are_promised(open_result: Open) -> None:
    assert "Not computed yet" in words(open_result(black(), asked(absent()), tab=tabs.PAPER))


def test_the_paper_stands_beside_plain_boxes_only(open_result: Open) -> None:
    assert "Figure 6(f), BERT" not in words(open_result(white(texts=10)))


def test_experiments_are_alike_but_for_named_fields() -> None:
    plain, few = asked(black()), asked(black(texts=100, rivals=False))
    assert settings.is_plain(plain) and not settings.is_plain(few)
    assert settings.differ_only(plain, few, "texts") and not settings.differ_only(plain, few)
    assert not settings.differ_only(plain, asked(black(seed=2)), "texts")
    assert settings.asks_absent(asked(absent())) and not settings.is_plain(asked(absent()))


def test_what_cannot_leak_is_never_the_best_leak() -> None:
    def row(value: float, chance: float) -> measured.Row:
        figure = Estimate(value=value, low=value, high=value, chance=chance, unit="share", decisions=10)
        return measured.row("one", {"accuracy": figure})

    assert row(1.0, 1.0).lead == -float("inf") < row(0.4, 0.5).lead
    assert leaks.leakage.sentence([row(1.0, 1.0)]).startswith("In 0 of 1 attack")


def test_how_many_texts_there_are_is_not_said_where_the_result_does_not_tell(open_result: Open) -> None:
    others = white(texts=10, substitutions=2)
    page_text = words(open_result(white(substitutions=2), others, tab=tabs.PAPER, unfolded=True))
    assert "with at most 2,000 " in page_text and "with all " not in page_text


def test_the_boundary_says_whose_it_is_where_another_classifier_answers(open_result: Open) -> None:
    page_text = words(open_result(white(), tab=tabs.HOW, unfolded=True))
    assert "This boundary is that of a perceptron; the answer above is that of the linear SVM." in page_text
    assert re.search(
        r"right for \d+% of the victims asked about “\w+”, and for \d+% over all keywords, which is the", page_text
    )
    assert "The victims, n = 60" in page_text, "the number of points stands above them"
    assert learning.TITLE in page_text
    perceptron = inference_samples.words("black_box", classifier="mlp", level=0.9)
    page_text = words(open_result(perceptron, tab=tabs.HOW, unfolded=True))
    assert "This boundary is that of the perceptron, as is the answer above." in page_text


def test_a_classifier_without_epochs_has_no_course_of_training(open_result: Open) -> None:
    alone = white(rivals=False)
    curve = alone.tables["curve"]
    still = curve[curve["variant"] == "keyword_inference"].drop_duplicates("secret").assign(epochs=0)
    alone = replace(alone, tables={**alone.tables, "curve": still})
    assert learning.TITLE not in words(open_result(alone, tab=tabs.HOW, unfolded=True))


def test_keywords_begin_with_the_clearest_boundary_among_the_adversarys_own_texts() -> None:
    grid = pd.DataFrame({"x": [0.0, 1.0, 0.0, 1.0], "y": [0.0, 0.0, 1.0, 1.0], "probability": [0.0, 1.0, 0.0, 1.0]})
    texts = pd.DataFrame({"x": [0.0, 1.0], "y": [0.0, 0.0]})
    of_keyword = {"poor": [True, False], "clear": [False, True]}
    known = [texts.assign(keyword=keyword, panel="known", present=truth) for keyword, truth in of_keyword.items()]
    victims = [
        texts.assign(keyword=keyword, panel="victims", present=truth[::-1]) for keyword, truth in of_keyword.items()
    ]
    points = pd.concat([*known, *victims], ignore_index=True)
    planes = pd.concat([grid.assign(keyword=keyword) for keyword in of_keyword], ignore_index=True)
    ordered = boundary.clearest_first(points, planes, ("none", "poor", "clear"))
    assert ordered == ["clear", "poor", "none"], "victims have no say, and what has no boundary comes last"


def test_the_texts_of_the_points_are_read_without_a_pointer_too() -> None:
    points = pd.DataFrame({"x": [0.0, 1.0, 2.0], "y": 0.0, "present": True, "row": [4, 7, -1], "keyword": "liver"})
    points["panel"] = ["victims", "victims", "known"]
    texts = {4: "a <b>liver</b> biopsy", 7: "no such thing"}
    table = boundary.listed(points, "liver", "victims", texts)
    assert table["text"].tolist() == [*texts.values()]
    assert "text" not in boundary.listed(points, "liver", "known", texts), "made up by the adversary"
    assert "text" not in boundary.listed(points, "liver", "victims", {})


@pytest.mark.parametrize("classifier", get_args(Classifier))
def test_the_boundary_says_whose_it_is_for_every_classifier(classifier: str) -> None:
    assert ("as is the answer above" in boundary.origin(classifier)) == (classifier == "mlp")
