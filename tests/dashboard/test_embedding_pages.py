"""The pages of defenses, encoders, reassembly and decoder, and the overview of several attacks."""

import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core import catalog
from core.catalog import Entry
from core.experiment import Experiment
from core.registry import part
from core.result import Result
from core.runtime.store import Store
from dashboard.kit import links, sweeps, tabs
from dashboard.kit.membership.figures import canary_audit
from dashboard.topics.canaries.figures import utility
from dashboard.topics.defenses import sweep as defense_sweep
from dashboard.topics.defenses.figures import pareto
from dashboard.topics.encoders import known
from dashboard.topics.next_word.figures import private_training
from dashboard.topics.overview import leaks, sights
from tests.dashboard import embedding_results as made
from tests.dashboard.kept_results import everything, everywhere, figures, in_tab, unfold, words

Made = list[tuple[Entry, Result]]


def stored(results: Made, monkeypatch: pytest.MonkeyPatch, kept: Made | None = None) -> None:
    """Keep results, and let the catalog promise them, after those that are kept already."""
    for entry, result in results:
        result.save(Store(), entry.experiment.key)
    promised = (catalog.entries()[0], *(entry for entry, _ in [*(kept or []), *results]))
    monkeypatch.setattr(catalog, "entries", lambda: promised)


@pytest.fixture(scope="module")
def folder_of_sweep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of a store that holds the sweep: its many tables are written once."""
    store = Store(root=tmp_path_factory.mktemp("sweep"))
    for entry, result in made.sweep():
        result.save(store, entry.key)
    return store.root


@pytest.fixture
def sweep(home: Path, folder_of_sweep: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    """The sweep, its results being in the store, and promised."""
    shutil.copytree(folder_of_sweep, home)
    stored([], monkeypatch, made.sweep())
    return made.sweep()


def opened(app: AppTest, page: str, **query: str) -> AppTest:
    app.switch_page(f"views/{page}.py")
    for name, text in query.items():
        app.query_params[name] = text
    app.run()
    assert not app.exception
    return app


def asked(experiment: Experiment) -> dict[str, str]:
    return links.written(experiment, Store())


def test_a_sweep_has_the_undefended_in_front_and_each_defense_by_strength(monkeypatch: pytest.MonkeyPatch) -> None:
    promised = tuple(entry for entry, _ in made.sweep())
    monkeypatch.setattr(catalog, "entries", lambda: promised[::-1])
    by_title = {sweep.title: sweep for sweep in sweeps.in_catalogue()}
    assert set(by_title) == {
        "Keyword inference on Medical transcriptions, all-MiniLM-L6-v2",
        "Pattern reconstruction on Splice sites, Small GPT-2",
    }
    sweep = by_title["Keyword inference on Medical transcriptions, all-MiniLM-L6-v2"]
    assert sweep.settings[0].series == ""
    assert len(sweep.series) == 4
    rounding = [one for one in sweep.settings if one.series == "Rounding of the coordinates"]
    assert [one.strength for one in rounding] == [0, 1, 2, 3, 4]
    assert {one.label for one in rounding} == {"decimals"}


def test_what_sets_namesakes_apart_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    between = [{"part": "subspace_projection", "share": share, "subspace": "between"} for share in (0.01, 0.1)]
    within = [{"part": "subspace_projection", "share": share} for share in (0.01, 0.1)]
    plain = [made.keywords(), *(made.keywords(defenses=[one]) for one in [*between, *within])]
    experiments = [*plain, *(one.replace(seed=2) for one in plain)]
    monkeypatch.setattr(catalog, "entries", lambda: [Entry("", "", "", one) for one in experiments])
    first, second = sweeps.in_catalogue()
    assert (first.title, second.title) == tuple(
        f"Keyword inference on Medical transcriptions, all-MiniLM-L6-v2, seed {seed}" for seed in (1, 2)
    )
    assert first.series == ["Subspace projection, subspace between", "Subspace projection, subspace within"]


@pytest.mark.usefixtures("sweep")
def test_the_slider_moves_through_the_sweep(app: AppTest) -> None:
    opened(app, "defenses", **{"view.defense": "Laplace noise", "view.strength": "100"})
    assert [metric.value for metric in app.main.metric] == ["62%", "66%", "54%"]
    assert "Laplace noise, epsilon 100, costs 16 points" in words(app).replace("\\", "")
    assert not app.main.warning
    app.select_slider(key="view.strength").set_value(10.0).run()
    assert not app.exception
    assert [metric.value for metric in app.main.metric] == ["24%", "50%", "50%"]
    assert not app.main.dataframe
    unfold(app)
    assert app.main.dataframe[0].value["experiment"].str.startswith("keyword_inference?").all()


@pytest.mark.usefixtures("sweep")
def test_what_a_link_asks_of_the_defenses_in_vain_is_said(app: AppTest) -> None:
    query = {"view.defense": "Laplace noise", "view.strength": "11", "view.task": "nothing", "view.changes": "all"}
    opened(app, "defenses", **query)
    warnings = [warning.value.replace("\\", "") for warning in app.main.warning]
    assert [text.partition(" here. ")[0] for text in warnings] == [
        "What the defense changes: there is no “all”",
        "Attack, data and model: there is no “nothing”",
        "Epsilon: there is no “11”",
    ]
    assert warnings[0].endswith("Released embeddings is shown instead.")
    assert not app.run().main.warning, "once is enough"


def test_one_story_stands_on_the_page_of_defenses_at_a_time(app: AppTest, home: object) -> None:
    opened(app, "defenses")
    secrets = [f"{name}, defended" for name in ("PIN", "Colours", "Telephone number")]
    stories = {
        "Released embeddings": [pareto.TITLE, "Rounding of the coordinates by strength"],
        "Private training": [private_training.TITLE, canary_audit.TITLE],
        "Training options": [*secrets, utility.TITLE],
    }
    drawn: list[str] = []
    for story, drawings in stories.items():
        if (chosen := app.segmented_control(key="view.changes")).value != story:
            chosen.set_value(story).run()
        assert not app.exception
        seen = [heading.value for heading in app.main.subheader]
        assert seen[-len(drawings) :] == drawings and not {*drawn} & {*seen}, "nothing else below"
        drawn += drawings
    captions = [caption.value.replace("\\", "") for caption in app.main.caption]
    assert sum(caption.startswith("Canary extraction · Snips voice requests") for caption in captions) == 1


def test_missing_strengths_are_counted(app: AppTest, sweep: Made) -> None:
    Store().delete(sweep[1][0].experiment.key)
    opened(app, "defenses")
    assert "1 of 20 experiments of this sweep are not computed yet" in words(app)


def test_without_a_sweep_every_defense_can_be_tried(
    app: AppTest, home: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored([], monkeypatch)
    opened(app, "defenses")
    assert "No sweep of a defense is computed yet" in app.info[0].value
    assert "Keyword inference" in {link.proto.label for link in app.main.get("page_link")}


def test_a_defense_that_does_not_fit_has_no_live_run() -> None:
    rounding = made.keywords(defenses=[{"part": "rounding"}]).defenses[0]
    assert defense_sweep.offline("word_pairs", rounding) is None
    live = defense_sweep.offline("pattern_reconstruction", rounding)
    assert live is not None
    assert live.defenses == (rounding,)


def test_encoders_are_shown_with_their_clusters(app: AppTest, home: object, monkeypatch: pytest.MonkeyPatch) -> None:
    entry, result = made.fingerprint()
    stored([(entry, result)], monkeypatch)
    opened(app, "encoder_fingerprint", **asked(entry.experiment))
    assert figures(app) == ["accuracy", "confusion"]
    in_tab(app, tabs.HOW)
    assert figures(app) == ["map-embedding", "map-hidden"]
    assert "nearest neighbour" in words(app)
    app.segmented_control(key="view.map").set_value("umap").run()
    assert not app.exception
    assert "UMAP plane" in words(app)


def test_known_encoders_are_listed_without_any_result(app: AppTest, home: object) -> None:
    opened(app, "encoder_fingerprint", seed="4711")
    listed = app.main.dataframe[0].value
    assert listed.loc[listed["name"] == "small_bert", "here"].tolist() == ["yes"]
    assert listed.loc[listed["name"] == "transformer_xl", "here"].str.contains("cannot be loaded").all()
    assert known.RECORDS.keys() == set(listed["name"])


def test_the_words_of_a_victim_stand_beside_its_text(
    app: AppTest, home: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry, result = made.reassembly()
    stored([(entry, result)], monkeypatch)
    opened(app, "semantic_reassembly", **asked(entry.experiment))
    assert figures(app) == ["rankings"]
    assert "From the embedding alone, the adversary names" in words(app), "a text stands on the first tab"
    page_text = words(in_tab(app, tabs.HOW))
    assert figures(app) == ["frequent", "words"]
    assert "Of the 3 candidates in this text" in page_text
    assert "\n> " in page_text
    app.selectbox(key="view.victim").set_value(5).run()
    assert not app.exception


def test_no_text_is_shown_where_the_dataset_is_not(app: AppTest, home: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TELLTALE_DATA", raising=False)
    entry, result = made.reassembly("paper")
    stored([(entry, result)], monkeypatch)
    opened(app, "semantic_reassembly", **asked(entry.experiment))
    assert "For example" not in words(app)
    assert "of them are unknown" in everywhere(app)
    assert "a page never downloads one" in words(app)


def test_the_decoder_is_judged_and_quoted(app: AppTest, home: object, monkeypatch: pytest.MonkeyPatch) -> None:
    entry, result = made.decoder()
    stored([(entry, result)], monkeypatch)
    opened(app, "inversion", **asked(entry.experiment))
    assert "no leak is shown" in words(app).replace("\\", "")
    written = app.main.dataframe[0].value
    assert written["inferred"].tolist()[:3] == ["", "war", "war"]
    assert "the victim’s text" in written.columns
    assert everything(app).figures.total() == 2


def test_the_overview_has_one_row_an_attack_and_folds_the_rest(
    app: AppTest, sweep: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored([made.fingerprint(), made.decoder()], monkeypatch, sweep)
    attacks = {attack.first[0].experiment.attack.part_name(): attack for attack in leaks.attack_entries()}
    assert set(attacks) == {
        "word_pairs",
        "keyword_inference",
        "pattern_reconstruction",
        "encoder_fingerprint",
        "decoder",
    }
    assert not attacks["keyword_inference"].first[0].experiment.defenses
    assert not attacks["keyword_inference"].further
    assert len(attacks["keyword_inference"].contrasts) == 19
    opened(app, "overview")
    folded = "19 experiments for comparison, all with a defense: "
    titles = {part("attack", name).title for name in ("keyword_inference", "pattern_reconstruction")}
    assert {expander.label for expander in app.main.expander} == {f"{folded}{title}" for title in titles}
    always = len(attacks) + len(sights.SIGHTS) + len(sights.BEGINNINGS)
    assert len(app.main.get("page_link")) == always, "what is folded is not built"
    app.session_state["contrasts-keyword_inference"] = True
    assert len(app.run().main.get("page_link")) == always + 19


def test_the_sweep_with_most_defenses_and_most_to_lose_is_shown_first_and_tried_on_what_comes_with_the_code(
    app: AppTest, sweep: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    genomes = [(entry, result) for entry, result in sweep if entry.experiment.dataset.part_name() == "splice"]
    stored([], monkeypatch, [*genomes[:-4], *(one for one in sweep if one not in genomes)])
    opened(app, "defenses")
    assert app.main.selectbox(key="view.task").value.startswith("Keyword inference on Medical")
    assert app.main.select_slider(key="view.strength").value == 2, "the middle one, where neither all nor none is left"
    live = [link.proto for link in app.main.get("page_link") if "live" in link.proto.label]
    assert "defenses=rounding" in live[0].query_string
    assert "dataset=wikipedia_excerpt" in live[0].query_string


def test_rounding_to_tens_is_a_strength_like_others(app: AppTest, sweep: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    tens = made.keywords(defenses=[{"part": "rounding", "decimals": -1}])
    stored([made.entry(tens, made.result(tens, made.defended(0.5, 0.86, 1.0, 1.0), {}))], monkeypatch, sweep)
    opened(app, "defenses", **{"view.strength": "-1"})
    assert "Rounding of the coordinates, decimals -1, costs 60 points" in words(app).replace("\\", "")
    assert [app.main.select_slider(key="view.strength").options[0]] == ["-1"]


def test_a_sweep_without_an_undefended_experiment_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    defended = [made.keywords(defenses=[{"part": "laplace", "epsilon": epsilon}]) for epsilon in (1.0, 10.0)]
    monkeypatch.setattr(catalog, "entries", lambda: [Entry("", "", "", one) for one in defended])
    assert sweeps.in_catalogue() == []
