"""The page of translations answers first, shows who holds what, and sentences only where it may."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from core import catalog
from core.experiment import Experiment
from core.jobs.needs import Need
from core.result import Result
from core.runtime.store import Store
from dashboard.kit import tabs
from dashboard.topics.translation import course, example, regimes
from tests.dashboard.kept_results import Open, everything, figures, in_tab, words
from tests.dashboard.samples import validated
from tests.dashboard.translation.samples import translations


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Result:
    return translations(tmp_path_factory.getbasetemp())


def test_the_page_answers_draws_and_lets_one_look_closer(made: Result, open_result: Open) -> None:
    app = open_result(made, unfolded=True)
    seen = everything(app)
    page_text = seen.said
    assert seen.tabs == {
        tabs.ANSWER: ["Is the membership of one pair revealed?", "From one pair to many", "Conclusions"],
        tabs.HOW: ["One pair", "Alice, Bob and Carol"],
        tabs.PAPER: ["Accuracy of the classifiers"],
    }
    assert (
        "After 12 epochs of training, one translation" in page_text
        and "reveals membership to Bob’s classifier" in page_text
    )
    assert seen.figures.keys() >= {
        "classifiers",
        "course",
        "groups",
        "overlaps",
        "quality",
        "roc",
        "sets",
        "unknown-words",
    }
    assert "The sentences are synthetic" in page_text and "one pair of translators" in page_text
    assert "Alice trains the translator. Bob, the adversary," in page_text
    captions = [line for line in page_text.splitlines() if line.endswith(" groups")]
    assert captions and all("95% interval" in line for line in captions), "not decisions of unknown kind"
    app.main.segmented_control(key="view.features").set_value("overlap_and_score").run()
    in_tab(app, tabs.ANSWER).main.segmented_control(key="view.groups").set_value("auc").run()
    assert any(":orange-background[" in line.value for line in in_tab(app, tabs.HOW).main.markdown), "the same words"
    app.main.segmented_control(key="view.course").set_value("group_auc").run()
    app.main.selectbox(key="view.subcorpus").set_value("court").run()
    assert not app.exception
    page_text = words(app)
    assert "AUC, 30 pairs together after 12 epochs" in page_text
    assert "Neither model was trained on this pair." in page_text
    app.main.selectbox(key="view.subcorpus").set_value("watermarks").run()
    assert not app.exception and example.WATERMARK in words(app)
    assert ":gray[Reference]" in words(app), "its text is drawn again, since no result keeps it"


def test_behind_a_defense_both_adversaries_stand_beside_each_other(made: Result, open_result: Open) -> None:
    def behind(adaptive: bool, accuracy: float) -> Result:
        attack = {**made.experiment["attack"], "adaptive": adaptive}
        defenses = [{"part": "subsampling", "fraction": 0.5}]
        ends = {"value": accuracy, "low": accuracy - 0.02, "high": accuracy + 0.02}
        estimates = {**made.estimates, "accuracy": made.estimates["accuracy"].model_copy(update=ends)}
        return replace(
            made, experiment={**made.experiment, "defenses": defenses, "attack": attack}, estimates=estimates
        )

    knows, unaware = behind(True, 0.7), behind(False, 0.6)
    app = open_result(knows)
    assert tabs.DEFENSES not in [tab.label for tab in app.tabs], "without the other there is none to compare with"
    for shown, other, link in ((knows, unaware, "naive"), (unaware, knows, "adaptive")):
        app = open_result(shown, other, tab=tabs.DEFENSES)
        page_text = words(app)
        assert "both-adversaries" in figures(app)
        assert "The adaptive and the naive one are right in 70% (68–72%) and 60% (58–62%)" in page_text
        assert "The adaptive adversary is right more often behind subsampling" in page_text
        assert "is either adversary right more often beyond both intervals." in page_text, "rules are the same"
        assert ("unknown to the adversary" in page_text) == (shown is unaware)
        labels = [each.proto.label.replace("\\", "") for each in app.main.get("page_link")]
        assert [label for label in labels if "adversary: Subsampling" in label] == [
            f"Open the {link} adversary: Subsampling of each user's data (fraction 0.5)"
        ]


def test_the_translators_without_the_defense_lead_to_both_adversaries(open_result: Open) -> None:
    names = ("translations_over_trained", "translations_subsampled", "translations_subsampled_unaware")
    stored = [Result.load(Store(), entry.key) for name in names for entry in catalog.matching(name)]
    app = open_result(*filter(None, stored), tab=tabs.DEFENSES)
    assert "both-adversaries" in figures(app) and "the naive adversary is right more often beyond both" in words(app)
    links = [each.proto.label.replace("\\", "") for each in app.main.get("page_link")]
    assert links[-1] == "Open the adaptive adversary" and "Open the naive adversary" in links[-2]


def test_a_single_epoch_is_told_and_not_drawn_as_a_curve(made: Result, open_result: Open) -> None:
    last = {name: made.tables[name].query("passes == passes.max()") for name in ("course", "quality")}
    app = open_result(replace(made, tables={**made.tables, **last}), unfolded=True)
    assert not app.exception
    seen = everything(app)
    page_text = seen.said
    assert seen.figures.keys() >= {"groups", "overlaps", "roc", "sets", "training", "unknown-words"}
    assert "AUC after 12 epochs" in page_text and "epoch 12 on" not in page_text and "improving" not in page_text


def test_without_the_dataset_no_reference_is_shown(
    made: Result, open_result: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.kit.texts.remembered.needs", lambda spec: (Need("pairs"),))
    page_text = words(open_result(made, tab=tabs.HOW))
    assert "python -m core data fetch toy_translations" in page_text and "orange-background" not in page_text


def test_other_experiments_stand_beside_it(made: Result, open_result: Open) -> None:
    other = Result({**made.experiment, "seed": 12}, made.estimates, made.provenance, made.tables)
    page_text = words(open_result(made, other, tab=tabs.PAPER))
    assert "Comparison with other experiments" in page_text and "for “This experiment”" in page_text


def test_a_promised_experiment_stands_beside_others_by_its_title(
    made: Result, open_result: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    promised = SimpleNamespace(key=Experiment.parse(made.experiment).key, title="Twelve epochs")
    known = SimpleNamespace(entries_of=lambda attack: [promised], key=catalog.key)
    monkeypatch.setattr(regimes, "catalog", known)
    other = Result({**made.experiment, "seed": 12}, made.estimates, made.provenance, made.tables)
    assert "for “Twelve epochs”" in words(open_result(made, other, tab=tabs.PAPER))


def test_a_run_shows_the_passes_of_its_translators() -> None:
    rows = [
        {"holder": holder, "model": 0, "passes": number, "loss": 3.0 / number, "perplexity": 20.0 / number}
        for holder in ("target", "shadow")
        for number in (1, 2)
    ]
    experiment = Experiment.preset("translation_overlap", "demo")
    named = {trace.name for trace in validated(course.live(rows, experiment)).data if trace.showlegend}
    assert named == {"Alice’s translators", "Bob’s shadow models"}
    assert validated(course.live([], experiment)).layout.annotations[0].text.startswith("No value yet")


def test_the_sample_is_made_once(made: Result, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert translations(Path(tmp_path_factory.getbasetemp())) is made
