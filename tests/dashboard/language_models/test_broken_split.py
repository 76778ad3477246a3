"""A deliberately broken split: its page warns, holds every figure to the text alone, and leads to the random split."""

from dataclasses import replace

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.datasets.wikipedia_people import WikipediaPeople
from core.games.membership.broken_split import BROKEN, RANDOM, WARNING
from core.result import Estimate
from core.statistics.wording import area
from dashboard.kit import tabs
from dashboard.kit.figures.wording import variant
from dashboard.kit.membership.figures import blind_baseline, headline
from dashboard.topics.overview import leaks
from tests.dashboard.kept_results import Open, everything, figures, words
from tests.dashboard.language_models import samples
from tests.dashboard.samples import texts, validated


def warnings(app):
    return [str(warning.value).replace("\\", "") for warning in app.warning]


def test_the_page_of_a_broken_split_warns_and_shows_no_decisions(open_result: Open) -> None:
    app = open_result(samples.split(BROKEN, free=9.0), unfolded=True)
    assert WARNING in warnings(app)
    assert not [button for button in app.get("download_button") if button.proto.label == "Report as HTML"]
    page_text = words(app)
    assert "The split gives itself away" in page_text and "the blind baseline (without the model)" in page_text
    assert "the model leaks membership" not in page_text
    assert "Members drawn by lot:" not in page_text, "a split alone compares nothing"
    seen = everything(app)
    assert seen.figures.keys() >= {"accuracy", "auc"}
    assert seen.figures.keys().isdisjoint({"scores", "within_target", "statistics-1", "roc"})


@pytest.mark.parametrize("attack", [samples.LOSS, samples.RATIO])
@pytest.mark.parametrize("split", [BROKEN, RANDOM])
def test_how_it_works_follows_the_split(attack: str, split: str, open_result: Open) -> None:
    page_text = words(open_result(samples.split(split, attack=attack), tab=tabs.HOW))
    assert ("documents of the same kind" in page_text) == (split == RANDOM and attack == samples.LOSS)
    assert ("besides the targets are newer" in page_text) == (split == BROKEN)


def test_documents_of_a_dataset_of_its_own_are_not_said_to_be_of_the_same_kind(open_result: Open) -> None:
    made = samples.split(RANDOM)
    attack = {**made.experiment["attack"], "shadow_data": WikipediaPeople().as_dict()}
    foreign = replace(made, experiment={**made.experiment, "attack": attack})
    page_text = words(open_result(foreign, tab=tabs.HOW))
    assert "trained on documents of a dataset of its own:" in page_text and "of the same kind" not in page_text


def test_no_other_page_warns(open_result: Open) -> None:
    app = open_result(samples.split(RANDOM), unfolded=True)
    assert WARNING not in warnings(app)
    assert [button for button in app.get("download_button") if button.proto.label == "Report as HTML"]
    assert {*figures(app)} >= {"scores", "statistics-1"}


@pytest.mark.parametrize(("shown", "beside"), [(BROKEN, RANDOM), (RANDOM, BROKEN)])
def test_each_split_leads_to_the_other_and_says_what_both_show(open_result: Open, shown: str, beside: str) -> None:
    made = {BROKEN: samples.split(BROKEN, free=9.0), RANDOM: samples.split(RANDOM)}
    page_text = words(open_result(made[shown], made[beside]))
    by_lot, by_date = (
        page_text.index("Members drawn by lot: The text alone"),
        page_text.index("Members by date, deliberately"),
    )
    assert by_lot < by_date
    assert "the split gives members away" in page_text
    assert (WARNING in page_text) == (shown == RANDOM), "the page of the broken split warns above its figures"


def test_what_exceeds_the_text_alone_is_said_with_its_gain() -> None:
    curve = samples.split(RANDOM, apart=6.0).tables["curve"]
    table = blind_baseline.gains(curve, samples.LOSS, "auc")
    assert table["gain"].is_monotonic_decreasing and len(table) == 5
    alone = blind_baseline.level(curve, samples.LOSS, "auc")
    assert (table["value"] - table["gain"]).tolist() == pytest.approx([alone] * len(table))
    sentence = blind_baseline.sentence(curve, samples.LOSS, "auc")
    assert "no better than chance is shown" in sentence
    best = table[table["gain_low"] > 0].iloc[0]
    named = f"“{variant(best['variant'], samples.LOSS)}” by {area(best['gain'], best['gain_low'], best['gain_high'])}"
    assert f"Beyond that in AUC (intervals widened for all 5 adversaries): {named}" in sentence
    free = samples.split(BROKEN, apart=0.0, free=8.0).tables["curve"]
    free = free.assign(auc_low=free["auc_low"].mask(free["variant"] == "model_free", 0.97))
    given_away = blind_baseline.sentence(free, samples.LOSS, "auc")
    assert "the split gives members away" in given_away
    assert "None of 5 adversaries that ask the model is shown to exceed it; the best is “" in given_away
    assert "Below it (intervals widened for all 5 adversaries): “" in given_away
    assert blind_baseline.sentence(curve[curve["variant"] != "model_free"], samples.LOSS, "auc").endswith(
        "not measured."
    )


@pytest.mark.parametrize(
    ("attacks_rate", "difference"),
    [(0.82, "no difference is shown."), (0.99, "more."), (0.2, "fewer.")],
    ids=["alike", "more", "less"],
)
def test_few_false_alarms_are_held_to_the_text_alone_too(attacks_rate: float, difference: str) -> None:
    def rate(value: float) -> Estimate:
        return Estimate(value=value, low=value - 0.08, high=value + 0.05, chance=None, unit="share of members")

    sentence = blind_baseline.found(
        {"tpr_at_1pct_fpr": rate(attacks_rate), "tpr_at_1pct_fpr_model_free": rate(0.8)}, samples.LOSS
    )
    assert sentence.startswith(
        "At a false-positive rate of 1%, the text alone finds 80% (72–85%)"
    ) and sentence.endswith(difference)
    assert blind_baseline.found({"tpr_at_1pct_fpr": rate(attacks_rate)}, samples.LOSS) == ""


def test_the_size_that_is_compared_is_named() -> None:
    several = samples.made(apart=6.0).tables["curve"]
    for measure in ("accuracy", "auc"):
        sentence = blind_baseline.sentence(several, samples.LOSS, measure)
        assert "for 1 document: no better than chance is shown." in sentence
        assert sentence.endswith("Of targets of 5 documents this says nothing.")
        one = blind_baseline.sentence(several[several["size"] != 5], samples.LOSS, measure)
        assert "for 1 document" not in one and "says nothing" not in one


def test_one_of_many_gains_is_widened() -> None:
    points = samples.split(RANDOM).tables["curve"]
    free, attack = (points[points["variant"] == name].iloc[:1] for name in ("model_free", samples.LOSS))
    free = free.assign(size=1, accuracy=0.5, low=0.4, high=0.6)
    attack = attack.assign(size=1, accuracy=0.66, low=0.55, high=0.77)
    alike = [free.assign(variant=f"other_{number}") for number in range(9)]
    alone = blind_baseline.sentence(pd.concat([free, attack]), samples.LOSS, "accuracy")
    assert "Beyond that in accuracy: “Loss membership (the attack)” by 16 points (1 to 31)." in alone
    swapped = pd.concat([free.assign(variant=samples.LOSS), attack.assign(variant="model_free")])
    assert "Below it: “Loss membership (the attack)” by 16 points (1 to 31)." in blind_baseline.sentence(
        swapped, samples.LOSS, "accuracy"
    )
    many = blind_baseline.sentence(pd.concat([free, attack, *alike]), samples.LOSS, "accuracy")
    assert "None of 10 adversaries that ask the model is shown to exceed it; the best is" in many


def test_the_level_to_exceed_is_the_text_alone() -> None:
    curve = samples.split(BROKEN, free=8.0).tables["curve"]
    level = blind_baseline.LEVEL, blind_baseline.level(curve, samples.LOSS, "accuracy")
    figure = validated(headline.figure(curve, samples.LOSS, "accuracy", level))
    assert "text alone" in texts(figure) and "chance" not in texts(figure)


@pytest.mark.parametrize(
    ("name", "warns"), [("loss_membership_broken_split", True), ("loss_membership_random_split", False)]
)
def test_the_overview_warns_beside_its_figure(name: str, warns: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def line(name: str) -> None:
        from core import catalog
        from dashboard.topics.overview import leaks

        leaks._line(*next((entry, leaks._row(entry)) for entry in catalog.entries() if entry.name == name))

    monkeypatch.setattr(leaks, "_link", lambda *_: None)  # there is no navigation
    app = AppTest.from_function(line, kwargs={"name": name}).run()
    assert not app.exception
    captions = " ".join(str(caption.value).replace("\\", "") for caption in app.caption)
    assert (WARNING in captions) == warns
