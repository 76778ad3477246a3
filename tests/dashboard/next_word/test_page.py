"""The page of completing word pairs shows stored results beside the paper, and its form offers both models."""

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.attacks.next_word import NextWord
from core.datasets.wikipedia_excerpt import WikipediaExcerpt
from core.experiment import Experiment
from core.result import table
from core.text.corpus import words_of
from dashboard.kit import tabs
from tests.dashboard.kept_results import Open, everything, words
from tests.dashboard.next_word import samples

PAGE = samples.ATTACK


def test_a_result_is_shown_beside_the_paper(open_result: Open) -> None:
    app = open_result(samples.completing(), samples.completing("transformer_lm"), unfolded=True)
    assert [metric.value for metric in app.main.metric] == ["24", "3,000", "120", "80"]
    seen = everything(app)
    page_text = seen.said
    assert seen.figures.keys() >= {"accuracy", "pairs", "paper-accuracy", "roc", "scores", "verdicts", "within_target"}
    assert "Accuracy against shadow models" not in page_text, "there is one number of shadows only"
    assert (
        "the attack makes 24 queries" in page_text and "Perplexity is the effective number of candidates" in page_text
    )
    assert "Why the decisions" not in page_text, "they are better than chance"
    assert "The attack misses" in page_text and "The paper prints 70.8% ± 2.3 for the attack." in page_text
    assert (
        "Transformer here: 66%" in page_text
        and "are not public" in page_text
        and "standard deviation over five runs" in page_text
    )
    assert app.main.dataframe[-1].value["model"].tolist() == [
        "LSTM here",
        "Transformer here",
        "LSTM in the paper",
    ]
    labels = [link.label for link in app.main.get("page_link")]
    assert "Open the result of the transformer language model" in labels


def test_a_promised_model_can_be_opened(open_result: Open) -> None:
    promised = Experiment.parse(samples.completing("transformer_lm").experiment)
    app = open_result(samples.completing(), promised, tab=tabs.PAPER)
    labels = [link.label for link in app.main.get("page_link")]
    assert "Open the experiment with the transformer language model, and run it" in labels


def test_other_data_do_not_stand_beside_it(open_result: Open) -> None:
    app = open_result(
        samples.completing("transformer_lm"), samples.completing(dataset="wikipedia_excerpt"), tab=tabs.PAPER
    )
    assert app.main.dataframe[-1].value["model"].tolist() == ["Transformer here", "LSTM in the paper"]


def test_another_pair_and_another_target_are_looked_at(open_result: Open) -> None:
    result = samples.completing()
    app = open_result(result, tab=tabs.HOW)
    assert "All 15 pairs as a table" in [fold.label for fold in app.main.expander]
    app.main.selectbox(key="view.pair").set_value(1).run()
    assert not app.exception
    pair = result.tables["pairs"].query("target == 0 and rank == 1").iloc[0]
    assert f"Contexts of “{pair['first']}” and “{pair['second']}”" in words(app)
    assert "Sentences appear only where the dataset is on this machine" in words(app)
    app.main.selectbox(key="view.target").set_value(5).run()
    assert not app.exception
    assert "No pair was selected for this target" in words(app)


def test_the_words_before_are_shown_where_the_dataset_lies_here(open_result: Open) -> None:
    result = samples.completing(dataset="wikipedia_excerpt")
    text = words_of(WikipediaExcerpt().load().texts[3])
    here = samples.context(0, 20, text[19], text[20], (1.0, 0.0), "said")
    other = samples.context(0, 21, "not", "there", (0.5, 0.5), "there")
    kept = [samples.pair(0, text[19], text[20], 2, (1.0, 0.0))]
    made = {
        "pairs": table(NextWord.tables["pairs"], kept),
        "contexts": table(NextWord.tables["contexts"], [here, other]),
    }
    page_text = words(open_result(replace(result, tables={**result.tables, **made}), tab=tabs.HOW))
    assert f"… {' '.join(text[7:19])} **{text[19]}** ▸ **{text[20]}**" in page_text
    assert (
        ":orange-badge[with the target: 100% suggest" in page_text
        and ":blue-badge[without it: 0%, mostly “said”]" in page_text
    )
    assert "**not** ▸ **there**" in page_text, "a text that is another than was asked about is not shown"


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    "setting", [{"plays": 1}, {"users": 2, "user_0": True}, {"users": 2, "user_0": False}, {"users": 50, "pairs": 3}]
)
def test_unusual_experiments_are_drawn_too(open_result: Open, setting: dict[str, int | bool]) -> None:
    seen = everything(open_result(samples.completing(**setting), unfolded=True))
    assert seen.figures.keys() >= {"accuracy", "pairs", "paper-accuracy", "roc", "scores", "verdicts", "within_target"}


def test_the_form_offers_every_model_that_says_a_next_word(app: AppTest, home: Path) -> None:
    app.switch_page(f"views/{PAGE}.py").run()
    assert not app.exception
    assert app.sidebar.selectbox(key=f"{PAGE}/model").options == [
        "Fine-tuned language model",
        "LSTM language model",
        "Transformer language model",
    ]


def test_private_training_is_shown_with_the_others_of_its_curve(open_result: Open) -> None:
    private = samples.completing(epsilon=8.0)
    app = open_result(private, samples.completing(), samples.completing(epsilon=1000.0), tab=tabs.DEFENSES)
    page_text = words(app)
    assert (
        "With epsilon 8, the AUC of the attack on users of 20 documents" in page_text
        and "With ordinary training" in page_text
    )
    assert "Epsilon is guaranteed for one document" in page_text
    labels = [link.label for link in app.main.get("page_link")]
    assert {"Open ordinary training", "Open epsilon 1,000"} <= set(labels)


def test_a_result_at_chance_says_at_once_why(open_result: Open) -> None:
    page_text = words(open_result(samples.completing(level=0.5)))
    assert (
        "Why the decisions are not shown to be better than chance here: a single completed pair is enough" in page_text
    )
