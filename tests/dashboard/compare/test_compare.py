"""Compare: results with the same questions in pairs, others as if independent, and a link that opens the choice."""

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core import catalog
from core.result import Result
from core.runtime.store import Store
from dashboard.kit import links
from dashboard.kit.figures import paired
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import share
from dashboard.topics.compare.figures import answers, headlines
from tests.dashboard import samples

WORDS = ("title", "subheader", "markdown", "caption", "warning")


@pytest.fixture(scope="module")
def promised() -> dict[str, Result]:
    """Two results about the same keywords of the same texts, two rankings of the same texts, and word pairs."""
    names = ("keywords_mtsamples_black_box", "defense_medical_laplace_30", "ranking_reviews", "demo")
    keys = {entry.name: entry.key for entry in catalog.entries()}
    results = {name: Result.load(Store(), keys[name]) for name in names}
    return {name: share(result) for name, result in results.items() if result is not None}


def test_results_with_the_same_questions_are_compared_in_pairs(promised: dict[str, Result]) -> None:
    plain, defended, ranking, demo = promised.values()
    table = answers.differences(share((plain, defended, ranking)), ("A", "B", "C"))
    assert list(table["result"]) == ["B minus A", "C minus A"]
    pairs, apart = table.to_dict("records")
    one, other = (paired.answers(each)["right"].mean() for each in (plain, defended))
    assert pairs["points"] == pytest.approx(100 * (other - one), abs=0.006), "in points, as the sentence says"
    assert pairs["low"] < pairs["points"] < pairs["high"] < 0
    assert pairs["answers"] == len(paired.answers(plain))
    assert apart["answers"] == 0 and "independent" in apart["compared"]
    sentence = answers.differences_sentence(table)
    assert (
        "excludes 0" in sentence
        and f"n {pairs['answers']:,} answers)" in sentence
        and "; as if independent: " in sentence
    )
    assert answers.differences(share((plain, demo)), ("A", "B")).empty
    unsure = share(table.head(1).assign(low=-1.0, high=2.0))
    assert answers.differences_sentence(unsure).endswith("which is not shown to differ from 0.")
    assert "have no difference" in answers.differences_sentence(share(table.head(0)))


def test_the_overlap_counts_every_record_once(promised: dict[str, Result]) -> None:
    plain, defended, *others = promised.values()
    (row,) = answers.overlap(share((plain, defended)), ("A", "B")).to_dict("records")
    assert row["both"] + row["only_the_first"] + row["only_the_second"] + row["neither"] == row["records"]
    assert row["records"] == paired.answers(plain)["record"].nunique()
    assert answers.overlap(share(tuple(others)), ("A", "B")).empty
    ranked = answers.most(share((plain, defended)), ("A", "B"))
    assert {"record", "share_right_A", "share_right_B", "answers_of_A"} == set(ranked.columns)
    assert ranked[["share_right_A", "share_right_B"]].min(axis=1).is_monotonic_decreasing


def test_the_overlap_has_an_interval_and_a_conclusion(promised: dict[str, Result]) -> None:
    plain, defended, *_ = promised.values()
    table = answers.overlap(share((plain, defended)), ("A", "B"))
    (row,) = table.to_dict("records")
    assert row["more"] == pytest.approx(row["both"] - row["both_expected"], abs=0.11)
    assert row["more_low"] <= row["more"] <= row["more_high"]
    sentence = answers.overlap_sentence(table)
    assert (
        f"both find {row['both']:,} of {row['records']:,} records, about which there are {row['answers']:,}" in sentence
    )
    half = np.arange(400) < 200
    same, opposite = (answers._more_than_independent(half, other) for other in (half, ~half))
    assert (same.value, opposite.value) == (100, -100) and same.low > 80 and opposite.high < -80
    draw = np.random.default_rng(0)
    apart = answers._more_than_independent(half, draw.permutation(half))
    assert apart.low < 0 < apart.high

    def concluded(low: float, high: float) -> str:
        return answers.overlap_sentence(share(table.assign(more_low=low, more_high=high)))

    assert "more often than by chance" in concluded(1, 9) and "not shown" not in concluded(1, 9)
    assert "less often than by chance" in concluded(-9, -1) and "not shown" not in concluded(-9, -1)
    assert "not shown to find the same records more or less often" in concluded(-1, 9)


def test_records_that_tie_are_counted() -> None:
    table = share(
        pd.DataFrame({"record": range(300), "answers": [2] * 37 + [1] * 263, "least": [1.0] * 250 + [0.0] * 50})
    )
    sentence = answers.most_sentence(table)
    assert "Every answer is right about 250 of 300 records" in sentence
    assert "37 records tie for all 20 places" in sentence
    fewer = share(table.iloc[25:].reset_index(drop=True))
    assert "213 records tie for the last 8 of the 20 places" in answers.most_sentence(fewer)
    assert "tie" not in answers.most_sentence(share(table.head(12)))


def test_each_figure_has_its_n_in_words_and_in_the_drawing(promised: dict[str, Result]) -> None:
    table = headlines.table(share(tuple(promised.values())), tuple("ABCD"))
    sentence, drawn = headlines.sentence(table), samples.texts(samples.validated(headlines.figure(table)))
    assert len(table) == 4 and table["n"].min() > 0
    for row in records(table):
        assert f"), n {row.n:,}, " in sentence and f"{row.result}: {row.figure}, n {row.n:,}" in drawn
    for low, verdict in ((0.4, "not shown to be above chance."), (0.6, "above chance.")):
        planted = share(table.head(1).assign(value=0.7, low=low, high=0.8, chance=0.5))
        assert headlines.sentence(planted).split(", ")[-1].startswith(verdict)
    assert "None of these" in headlines.sentence(share(table.head(0)))


def test_a_threshold_moves_true_and_false_positives(promised: dict[str, Result]) -> None:
    *_, ranking, demo = promised.values()
    tables = [answers.at_threshold(share((ranking, demo)), ("A", "B"), percent) for percent in (10, 50, 90)]
    assert all(list(table["result"]) == ["A", "B"] for table in tables)
    for count in ("true_positives", "false_positives"):
        rising = pd.concat([table[count] for table in tables], axis=1).to_numpy()
        assert (np.diff(rising, axis=1) >= 0).all()
    for half in tables[1].to_dict("records"):
        rate = half["true_positives"] / half["members"]
        assert rate - 0.3 < half["true_positive_rate_low"] < rate <= half["true_positive_rate_high"]


def test_a_game_with_another_seed_is_not_compared_in_pairs() -> None:
    first, second = (samples.make(seed=seed) for seed in (1, 2))
    assert paired.paired(first, second).empty
    assert len(paired.paired(first, samples.make(seed=1)))


def test_the_address_holds_the_choice_and_says_what_is_not_stored(app: AppTest) -> None:
    keys = {entry.name: entry.key for entry in catalog.entries()}
    app.switch_page("views/compare.py")
    app.query_params[links.COMPARED] = [keys["ranking_reviews"], keys["demo"], "0123456789abcdef"]
    app.query_params["view.keys"] = "demo"
    app.run()
    assert not app.exception
    page_text = "\n".join(str(element.value) for kind in WORDS for element in getattr(app.main, kind))
    assert "Candidate ranking on Restaurant reviews" in page_text and "Word pairs on Wikipedia excerpt" in page_text
    assert "No stored result has the key 0123456789abcdef" in page_text
    assert "members found" in page_text
    assert "reads nothing named “view.keys”" in page_text.replace("\\", "")
    assert "view.keys" not in app.query_params
    assert app.main.get("plotly_chart")


def test_a_result_of_a_broken_split_is_compared_under_a_warning(app: AppTest) -> None:
    keys = {entry.name: entry.key for entry in catalog.entries()}
    app.switch_page("views/compare.py")
    app.query_params[links.COMPARED] = [keys[f"loss_membership_{split}_split"] for split in ("random", "broken")]
    app.run()
    assert not app.exception
    (warned,) = [str(each.value).replace("\\", "") for each in app.warning]
    assert warned.startswith("B: Deliberately broken split:")


def test_a_result_leads_to_its_comparison(app: AppTest) -> None:
    key = next(entry.key for entry in catalog.entries() if entry.name == "demo")
    app.switch_page("views/word_pairs.py")
    app.query_params["preset"] = "demo"
    app.run()
    assert not app.exception
    assert [link for link in app.main.get("link_button") if link.proto.url == f"compare?{links.COMPARED}={key}"]


def test_whose_records_are_shown_is_said_where_not_all_results_answer_the_same() -> None:
    table = share(pd.DataFrame({"record": range(30), "answers": 2, "least": [1.0] * 3 + [0.5] * 27}))
    shown = pd.DataFrame(columns=["record", "share_right_A", "share_right_B", "answers_of_A"])
    said = answers.records_sentence(shown, table, ("A", "B"))
    assert "right about 3 of 30 records" in said and "Those of" not in said
    alone = answers.records_sentence(shown.drop(columns="share_right_B"), share(table.assign(least=0.5)), ("A", "B"))
    assert "right about 0 of 30 records" in alone and "Those of A are shown" in alone


def test_what_is_found_at_a_threshold_is_read_for_each_result() -> None:
    table = pd.DataFrame(
        [("A", 8, 10, 1, 20), ("B", 1, 10, 1_200, 2_000)],
        columns=["result", "true_positives", "members", "false_positives", "nonmembers"],
    )
    first, second = "A: 8 of 10 members found, 1 of 20 non-members", "B: 1 of 10 members found, 1,200 of 2,000"
    assert first in answers.threshold_sentence(table) and second in answers.threshold_sentence(table)
    assert second not in answers.threshold_sentence(table.head(1)) and not answers.threshold_sentence(table.head(0))
