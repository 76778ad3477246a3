"""The page of candidate ranking says what its tables say, above chance or not, with and without a naive adversary."""

import numpy as np

from core.experiment import Experiment
from core.games.ranking.contract import Answer
from core.games.ranking.score import Scorer
from core.result import Estimate, Result
from dashboard.kit import tabs
from dashboard.topics.ranking.figures import lists, membership
from tests.dashboard.embedding_results import SEED
from tests.dashboard.kept_results import Open, everything, everywhere, in_tab, words
from tests.dashboard.samples import PROVENANCE, validated

ALL = {"lists-accuracy", "lists-reciprocal_rank", "roc", "places", "scores"}


def made(strength: float, naive: float | None = None) -> Result:
    """Sixty victims among two hundred candidates, whose own texts stand out by some standard deviations."""
    positives, member = np.arange(60), np.arange(200) < 60
    scorer = Scorer(positives, member, np.arange(60), np.zeros(60, np.int64), 1)

    def answer(stands_out: float) -> Answer:
        similarity = np.random.default_rng(2).normal(size=(60, 200))
        similarity[positives, positives] += stands_out
        return Answer(similarity, similarity.max(axis=0) - 4)

    answers = {"candidate_ranking": answer(strength)}
    estimates = {**scorer.estimates(answers["candidate_ranking"]), "queries": Estimate.queries(700, "Texts.")}
    defenses = []
    if naive is not None:
        answers["naive"] = answer(naive)
        estimates |= {f"{name}_naive": figure for name, figure in scorer.estimates(answers["naive"]).items()}
        defenses = ["laplace"]
    experiment = Experiment.preset("candidate_ranking", "demo", seed=SEED, defenses=defenses)
    return Result(experiment.as_dict(), estimates, PROVENANCE, scorer.tables(answers))


def test_the_page_says_who_is_found_and_what_is_stored(open_result: Open) -> None:
    app = open_result(made(8), unfolded=True)
    assert "right in 100% of " in words(app)
    assert "ranked first for 100% (95% interval 94–100%) of the victims among 200 candidates; chance is 0.5%" in words(
        app
    )
    assert "finds 100% (94–100%) of the 60 stored texts" in words(app)
    assert "Naive" not in words(app)
    assert everything(app).figures.keys() == ALL
    page_text = words(in_tab(app, tabs.HOW))
    assert "nearer than the 199 decoys, as for 60 of 60 victims" in page_text
    assert "Right of the threshold lie 100% of the 60 stored candidates" in page_text


def test_no_leak_is_said_to_be_none_beside_a_naive_adversary_that_finds_no_more(open_result: Open) -> None:
    page_text = everywhere(open_result(made(0, naive=0), unfolded=True))
    assert page_text.count("not shown to be better than a random order") == 2
    assert page_text.count("The naive adversary, who ignores the defense, reaches") == 2
    assert "Half of all own texts stand in place" in page_text


def test_figures_have_units_intervals_and_chance() -> None:
    result = made(2, naive=1)
    tables = result.tables
    for measure in lists.TITLES:
        drawn = validated(lists.figure(tables["rankings"], measure))
        names = [trace.name for trace in drawn.data if trace.name]
        assert names == ["chance", "The attack", "Naive adversary"]
        assert sum(trace.fill == "toself" for trace in drawn.data) == 2, "a band for each"
        assert drawn.layout.xaxis.title.text == "Candidates in the list" and drawn.layout.yaxis.title.text
    whole = tables["rankings"].assign(value=1.0, low=0.992)
    assert "rank is 1.00 (95% interval 0.99–1.00)" in lists.sentence(whole.assign(high=1.0), "reciprocal_rank")
    curve = membership.settled(tables["roc"], tables["stored"], result.estimates)
    at_one = curve[np.isclose(curve["false_positive_rate"], 0.01) & (curve["variant"] != "naive")]
    known = result.estimates["tpr_at_1pct_fpr"]
    assert at_one[["low", "high"]].to_numpy().tolist() == [[known.low, known.high]], "one interval on a page"
    curve = validated(membership.roc(curve, tables["stored"]))
    assert [trace.name for trace in curve.data if trace.name] == ["chance", "The attack", "Naive adversary"]
    for drawn in (membership.scores(tables["stored"]), membership.similarities(tables["places"])):
        assert "Similarity" in validated(drawn).layout.xaxis.title.text
    empty = {name: table.head(0) for name, table in tables.items()}
    assert lists.sentence(empty["rankings"], "accuracy") == "No list was ranked."
    assert membership.similarities_sentence(empty["places"], 0) == "There is no victim."
    for drawn in (
        lists.figure(empty["rankings"], "accuracy"),
        membership.roc(empty["roc"], empty["stored"]),
        membership.scores(empty["stored"]),
        membership.similarities(empty["places"]),
    ):
        assert validated(drawn).layout.annotations
