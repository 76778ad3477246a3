"""The frame of an attack's page: the answer above, tabs that open by their address, and nothing built unopened."""

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core import catalog
from core.experiment import Experiment
from core.jobs import Jobs
from core.registry import names
from core.result import Result
from core.runtime.store import Store
from dashboard import navigation
from dashboard.kit import stored_results, tabs
from tests.dashboard.canaries import samples as canary_samples
from tests.dashboard.kept_results import Open, in_tab, words
from tests.dashboard.next_word import samples

PAGES = [page.name for page in navigation.declared() if page.name in names("attack")]


def headers(app: AppTest) -> list[str]:
    return [header.value for header in app.main.header]


@pytest.mark.exhaustive
@pytest.mark.parametrize("page", PAGES)
def test_every_attack_says_given_what_it_tells_what_and_how_often_it_is_right(app: AppTest, page: str) -> None:
    """`tests/dashboard/test_shipped_results.py` shows it of results that a link opens."""
    app.switch_page(f"views/{page}.py").run()
    assert not app.exception
    page_text, claim = words(app), Experiment.preset(page, "demo").attack.claimed
    assert claim.startswith("Given ") and f"{claim}: **" in page_text
    assert [tab.label for tab in app.tabs][:2] == [tabs.ANSWER, tabs.HOW]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("page", PAGES)
def test_without_a_result_the_line_says_so(app: AppTest, page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_results, "load", lambda key: None)
    monkeypatch.setattr(stored_results, "estimates", lambda key: {})
    app.switch_page(f"views/{page}.py").run()
    claim = Experiment.preset(page, "demo").attack.claimed
    assert f"{claim}: not computed yet for these settings." in words(app)
    assert not app.tabs


def test_what_is_not_computed_yet_leads_to_what_is_with_similar_settings(app: AppTest) -> None:
    app.switch_page("views/pattern_reconstruction.py")
    app.query_params["preset"] = "paper"
    app.run()
    assert "Computed already, with other settings:" in [caption.value for caption in app.main.caption]
    offered = [link.proto.label for link in app.main.get("page_link")]
    titles = {entry.title for entry in catalog.entries_of("pattern_reconstruction")}
    assert 1 <= len(offered) <= 3 and set(offered) <= titles
    first = next(entry for entry in catalog.entries_of("pattern_reconstruction") if entry.title == offered[0])
    assert first.experiment.dataset == Experiment.preset("pattern_reconstruction", "paper").dataset


def test_the_line_changes_with_the_result(open_result: Open) -> None:
    result = samples.completing()
    worse = {name: figure.model_copy(update={"value": 0.5, "low": 0.4}) for name, figure in result.estimates.items()}
    before = words(open_result(result))
    after = words(open_result(replace(result, estimates=worse)))
    assert "not shown to be better than chance" not in before.split("**right")[1].splitlines()[0]
    assert "**right in 50% of " in after and "not shown to be better than chance" in after
    found = "a leak alike for all targets that makes it"
    assert found in after and found not in before, "what the run could have seen"


def test_the_spread_over_seeds_stands_below_the_answer_unless_a_result_is_lacking(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.switch_page("views/keyword_inference.py")
    app.query_params["preset"] = "demo"
    app.run()
    assert not app.exception
    assert "Over 5 seeds, each with its split and trainings:" in words(app)
    demo = Experiment.preset("keyword_inference", "demo")
    (lacking, *_) = (entry.key for entry in catalog.with_any_seed(demo) if entry.experiment != demo)
    stored = stored_results.estimates
    monkeypatch.setattr(stored_results, "estimates", lambda key: {} if key == lacking else stored(key))
    app.run()
    assert "seeds, each" not in words(app)


def test_a_link_opens_a_tab_and_only_that_is_built_and_what_is_folded_once_it_is_unfolded(open_result: Open) -> None:
    app = open_result(samples.completing(), tab=tabs.HOW)
    assert headers(app) == ["Completed pairs"]
    folded = next(fold for fold in app.main.expander if fold.label == "All 15 pairs as a table")
    before = len(app.main.dataframe)
    assert not folded.children
    app.session_state["folded/All 15 pairs as a table"] = True
    app.run()
    assert len(app.main.dataframe) == before + 1
    assert headers(in_tab(app, tabs.PAPER)) == ["Comparison with the paper"]
    assert "Completed pairs" not in headers(in_tab(app, tabs.ANSWER))


def test_a_tab_without_sections_does_not_appear_and_a_link_to_it_opens_the_answer(open_result: Open) -> None:
    alone = open_result(samples.completing(), tab=tabs.DEFENSES)
    assert [tab.label for tab in alone.tabs] == [tabs.ANSWER, tabs.HOW, tabs.PAPER]
    assert "What leaked" in headers(alone)
    private = open_result(samples.completing(), samples.completing(epsilon=8.0))
    assert tabs.DEFENSES in [tab.label for tab in private.tabs]


def test_a_choice_made_in_one_tab_holds_in_another(open_result: Open) -> None:
    app = open_result(canary_samples.extracted())
    app.main.segmented_control(key="view.secret").set_value("color").run()
    in_tab(app, tabs.HOW)
    assert app.main.segmented_control(key="view.secret").value == "color"
    in_tab(app, tabs.PAPER)
    in_tab(app, tabs.ANSWER)
    assert app.main.segmented_control(key="view.secret").value == "color"


@pytest.mark.parametrize("page", ["keyword_inference", "word_pairs"])
def test_a_text_stands_on_the_first_tab(app: AppTest, page: str) -> None:
    app.switch_page(f"views/{page}.py")
    app.query_params["preset"] = "demo"
    app.run()
    assert not app.exception
    assert "For example" in [header.value for header in app.main.header]
    assert "\n> " in words(app)


@pytest.mark.parametrize("low", [0.4, 0.6])
def test_a_pair_is_an_example_of_a_leak_only_where_one_is_shown(open_result: Open, home: Path, low: float) -> None:
    stored = Result.load(Store(), Experiment.preset("word_pairs", "demo").key)
    assert stored is not None
    estimates = {
        name: estimate.model_copy(update={"value": low + 0.1, "low": low, "high": low + 0.2})
        for name, estimate in stored.estimates.items()
    }
    app = open_result(replace(stored, experiment={**stored.experiment, "seed": 4711}, estimates=estimates))
    shown, chance = [header.value for header in app.main.header], low < 0.5
    assert ("A pair that was tried" in shown, "For example" in shown) == (chance, not chance)
    assert ("Its decisions are not shown to be better than chance" in words(app)) == chance


def planted(app: AppTest) -> None:
    next(button for button in app.main.button if button.label == "Plant it and read it out").click().run()


def test_a_secret_of_ones_own_is_refused_beside_its_field_or_planted_at_once_and_says_how_long_it_takes(
    app: AppTest, idle: list[object]
) -> None:
    app.switch_page("views/canary_extraction.py")
    app.query_params["preset"] = "demo"
    app.run()
    for unlike in ("another seed", "another secret"):
        assert words(app).count(f"With {unlike} this took about") == 1, "each beside the button that runs it"
    app.main.text_input(key="own.secret").set_value("hello")
    planted(app)
    assert not app.exception
    warning = app.main.warning[0].value.replace("\\", "")
    assert warning.startswith("Your own secret: this must be 4 digits") and app.tabs
    assert "address of this page" in words(app), "where it goes is said beside the field"
    app.main.text_input(key="own.secret").set_value("4711")
    planted(app)
    assert not app.exception
    assert "being computed for these settings" in words(app) and "secret 4711" in words(app)
    demo = Experiment.preset("canary_extraction", "demo")
    job = Jobs(Store()).find(demo.replace(game=demo.game.replace(secret="4711")).key)
    assert job is not None and job.active and job.expected
