"""The pages of attacks by the probability of texts: the text alone first, then every statistic, and shown words."""

from dataclasses import replace

import pandas as pd
import pytest

from dashboard.kit import tabs
from dashboard.kit.membership import outcome
from dashboard.topics.language_models import document
from tests.dashboard.kept_results import Open, everything, figures, words
from tests.dashboard.language_models import samples


@pytest.mark.parametrize("attack", [samples.LOSS, samples.RATIO])
def test_the_text_alone_comes_first_and_every_statistic_is_drawn(open_result: Open, attack: str) -> None:
    app = open_result(samples.made(attack), unfolded=True)
    page_text = words(app)
    assert page_text.index("Blind baseline") < page_text.index("The attack is right in")
    seen = everything(app)
    page_text = seen.said
    assert seen.figures.keys() >= {"accuracy", "auc", "scores", "within_target", "statistics-1", "statistics-5"}
    assert "roc" not in seen.figures, "its curves are among those of every statistic, with the same bands"
    assert "trade-off" not in seen.figures, "which is of fine-tuned models"
    assert seen.figures.keys().isdisjoint({"over-pairs", "together"}), "there is only one number of pairs, and one way"
    assert "nothing here is a reproduction" in page_text
    assert "The decision is “member” if" in page_text or "which of the two the target model resembles" in page_text
    assert ("One pool of shadow models serves all targets" in page_text) == (attack == samples.RATIO)


@pytest.mark.parametrize(("dataset", "kept"), [("enron_mailboxes", True), ("wikipedia_excerpt", False)])
def test_near_copies_that_are_kept_are_told(open_result: Open, dataset: str, kept: bool) -> None:
    assert (outcome.COPIES in words(open_result(samples.made(dataset=dataset)))) == kept


def test_a_size_that_no_curve_of_every_statistic_is_about_keeps_its_own(open_result: Open) -> None:
    made = samples.made(samples.LOSS)
    scores, *curves = (made.tables[name] for name in ("scores", "roc", "curve"))
    between = scores.assign(size=scores["size"].mask(scores["target"].isin([2, 3]), 3))
    longer = (pd.concat([table, table[table["size"] == 1].assign(size=3)]) for table in curves)
    tables = {**made.tables, **dict(zip(("scores", "roc", "curve"), (between, *longer), strict=True))}
    unshipped = {**made.experiment, "seed": 77}
    app = open_result(replace(made, experiment=unshipped, tables=tables), unfolded=True)
    assert {*figures(app)} >= {"roc", "statistics-1", "statistics-5"}


def test_words_are_shown_of_texts_that_may_be_shown(open_result: Open) -> None:
    app = open_result(samples.made(), tab=tabs.HOW)
    assert ":orange-background" in words(app) and document.WITHHELD not in words(app)
    app = open_result(samples.made(dataset="enron_mailboxes"), tab=tabs.HOW)
    assert document.WITHHELD in words(app) and "Document 1 of the target" not in words(app)
