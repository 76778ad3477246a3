"""Charts of an attack through a language model: pairs, contexts, decisions, queries, and the paper beside them."""

from dataclasses import replace

import numpy as np
import pytest

from core.attacks.next_word import NextWord
from core.games.membership import Membership
from core.result import Estimate, Result, table
from core.statistics.wording import percent
from dashboard.kit.figures import dumbbells
from dashboard.kit.membership.figures import curve, headline, scores
from dashboard.topics.next_word.figures import completions, context_queries, paper, user_decisions
from dashboard.topics.next_word.figures.paper import MEASURES, MODELS, PAPER
from tests.dashboard.next_word import samples
from tests.dashboard.samples import has_chance, texts, titles

OWN = samples.completing()
FOUND = OWN.tables
LSTM, TRANSFORMER = MODELS.values()


def pairs(*rows):
    return table(NextWord.tables["pairs"], list(rows))


def contexts(*rows):
    return table(NextWord.tables["contexts"], list(rows))


def decided(*rows):
    return table(NextWord.tables["verdicts"], [samples.verdict(*row) for row in rows])


def named(verdicts_table):
    users = sorted({int(user) for user in verdicts_table["target"]})
    labels = [{"target": user, "label": f"user {user}", "size": 20, "documents": []} for user in users]
    return user_decisions.of(verdicts_table, table(Membership.tables["targets"], labels))


TWO_AND_TWO = decided((0, 0, True, 1), (0, 1, True, 0), (0, 2, False, 0), (0, 3, False, 2))


def test_pairs_are_ordered_by_what_they_tell_and_only_some_are_drawn():
    figure = completions.figure(FOUND["pairs"], 0, 3)
    shown = completions.of(FOUND["pairs"], 0)
    assert len(shown) == 15 and (shown["completed_in"] - shown["completed_out"]).abs().is_monotonic_decreasing
    points = [trace for trace in figure.data if trace.mode == "markers"]
    assert [list(trace.customdata) for trace in points] == [shown["rank"].head(completions.MOST_PAIRS).tolist()] * 2
    assert titles(figure) == ["Models that complete the pair"]


def test_a_pair_that_nobody_completes_comes_last_and_is_drawn():
    rows = pairs(samples.pair(0, completed=(0, 0)), samples.pair(1, "a", "b"))
    assert completions.of(rows, 0)["rank"].tolist() == [1, 0]
    nobody = completions.figure(pairs(samples.pair(completed=(0, 0))), 0)
    assert nobody.layout.xaxis.range[1] > 1


@pytest.mark.parametrize("shares", [(np.nan, 0.5), (0.5, np.nan), (np.nan, np.nan), (np.nan, 0.0)])
def test_a_share_that_is_not_known_is_drawn_too(shares):
    figure = completions.figure(pairs(samples.pair(completed=shares)), 0)
    assert figure.to_json() and all(np.isfinite(figure.layout.xaxis.range))


def test_pairs_are_read_with_the_number_of_models():
    rows = pairs(samples.pair(0, completed=(0.5, 0)), samples.pair(1, "a", "b", completed=(0, 0)))
    sentence = completions.sentence(rows, TWO_AND_TWO, 0)
    assert sentence == (
        "“the” and “gas” are completed at least once by 1 of the 2 models with the target and by 0 of the 2 models "
        "without it. Of the target’s 2 pairs, 1 is never completed by any model, and none is completed without the "
        "target: no false alarm."
    )
    alarm = pairs(samples.pair(0, completed=(0.5, 1)))
    assert completions.sentence(alarm, TWO_AND_TWO, 0).endswith(
        "The target’s only pair is completed by some model, and 1 is completed without the target too: each such pair "
        "causes a false alarm."
    )


def test_targets_with_nothing_to_compare_are_said_to_be_so():
    always, never = decided((0, 0, True, 1), (0, 1, True, 1)), decided((0, 0, False, 1))
    sentence = completions.sentence(pairs(samples.pair(completed=(0.5, np.nan))), always, 0)
    assert sentence.endswith("Every model was trained on this target, so there is no comparison.")
    assert "1 of the 2 models with the target." in sentence
    sentence = completions.sentence(pairs(samples.pair(completed=(np.nan, 1.0))), never, 0)
    assert "by the only model without it. No model was trained on this target" in sentence
    sentence = completions.sentence(pairs(samples.pair(completed=(0, 0))), TWO_AND_TWO, 0)
    assert sentence == "No model completes any of its 1 pair: the target is always predicted a non-member."
    assert "always predicted a non-member" in completions.sentence(pairs(), TWO_AND_TWO, 0)
    assert "No pair was selected" in texts(completions.figure(pairs(), 0))[-1]


def test_names_of_pairs_are_cut_and_no_markup():
    figure = completions.figure(pairs(samples.pair(first="<b>", second="x" * 90)), 0)
    assert list(figure.layout.yaxis.ticktext) == [f"&lt;b&gt; · {'x' * 19}…"]


@pytest.mark.parametrize(
    ("rows", "number", "words"),
    [
        ([samples.context()], 1, "The only context of the pair"),
        ([samples.context(), samples.context(completed=(0, 1))], 2, "Both contexts of the pair"),
        ([samples.context(position=at) for at in range(1, 6)], 12, "The 5 most informative of 12 contexts of the pair"),
        ([samples.context(completed=(0, 0))], 1, "makes no difference here"),
        (
            [samples.context(), samples.context(completed=(0, 1))],
            2,
            "more often in 1 of them and less often in 1 of them",
        ),
        ([samples.context(completed=(0.5, np.nan))], 1, "Every model was trained on this target"),
        ([samples.context(completed=(np.nan, 0.5))], 1, "No model was trained on this target"),
        ([], 0, "there is no query"),
    ],
)
def test_contexts_are_counted(rows, number, words):
    shown = completions.contexts(contexts(*rows), 0, 0)
    assert len(shown) == len(rows)
    [row] = pairs(samples.pair(contexts=number)).itertuples()
    assert words in completions.contexts_sentence(shown, row)


def test_equal_shares_of_a_dumbbell_are_both_seen():
    figure = dumbbells.figure(table_of_one_row(), "Share", "")
    outer, inner = (trace for trace in figure.data if trace.mode == "markers")
    assert outer.marker.size > inner.marker.size and outer.marker.symbol != inner.marker.symbol
    assert figure.layout.legend.traceorder == "reversed" and inner.name == "with the target"


def table_of_one_row():
    rows = completions.of(pairs(samples.pair(completed=(0.5, 0.5))), 0)
    return rows.rename(columns={"completed_in": "inside", "completed_out": "outside", "first": "label"})


def test_decisions_are_told_apart_by_their_marks():
    rows = named(decided((0, 0, True, 1), (0, 1, False, 0), (1, 0, True, 0), (1, 1, False, 3)))
    figure = user_decisions.figure(rows)
    marks = {trace.name: (trace.marker.symbol, len(trace.x)) for trace in figure.data}
    assert marks == {
        "member, found": ("square", 1),
        "member, missed": ("square-x", 1),
        "non-member, not taken for one": ("square-open", 1),
        "non-member, taken for a member": ("square-x-open", 1),
    }
    assert list(figure.layout.yaxis.ticktext) == ["user 0", "user 1"]
    assert list(figure.layout.xaxis.ticktext) == ["1", "2"] and titles(figure) == ["Target model"]


def test_users_with_the_fewest_mistakes_come_first():
    rows = user_decisions.of(FOUND["verdicts"], FOUND["targets"])
    mistakes = (~rows["right"]).groupby(rows["target"], sort=False).sum()
    assert mistakes.is_monotonic_increasing
    assert len(rows) == len(FOUND["verdicts"]) and (rows["called"] == (rows["completed"] > 0)).all()


def test_decisions_at_chance_are_explained():
    rows = named(decided((0, 0, True, 3), (0, 1, False, 2), (1, 0, False, 1), (1, 1, True, 0)))
    null = OWN.estimates["accuracy"].model_copy(update={"value": 0.5, "low": 0.4, "high": 0.6})
    explanation = user_decisions.silence(rows, null)
    assert rows["asked"].eq(9).all()
    assert f"complete {percent(3 / 18)} of the queried pairs, models that were not {percent(3 / 18)}" in explanation
    assert "50% of members and 100% of non-members are taken for members" in explanation
    more = user_decisions.silence(rows.assign(completed=rows["completed"] * rows["member"]), null)
    assert "models that were not 0%" in more
    assert user_decisions.silence(rows, null.model_copy(update={"low": 0.51})) == "", "what is better needs no excuse"
    assert user_decisions.silence(rows, None) == ""
    assert user_decisions.silence(user_decisions.of(decided(), FOUND["targets"]), null) == ""


def test_decisions_are_counted():
    sentence = user_decisions.sentence(named(TWO_AND_TWO))
    assert "The attack misses 1 of 2 members and takes 1 of 2 non-members for members." in sentence
    assert "Of its 2 decisions for “member” 50% are correct (chance: 50%)." in sentence
    assert sentence.endswith("No user who is in some models only gets the same decision from every model.")
    same = named(decided((0, 0, True, 1), (0, 1, False, 2)))
    assert "Of 1 user who are in some models only, 1 get the same decision" in user_decisions.sentence(same)


def test_decisions_are_said_to_depend_on_words_only_where_members_are_found_as_often_as_others():
    def said(*rest):
        alike = (0, 0, True, 1), (0, 1, False, 1), (1, 0, True, 0), (1, 1, False, 0)
        return user_decisions.sentence(named(decided(*alike, *rest)))

    agreement = "2 get the same decision from every model"
    assert said().endswith(
        f"{agreement}: it depends on the user’s words. They are taken for members with 50% of the models that they "
        "are in and with 50% of the others, which is not shown to differ."
    )
    by_membership = [(user, play, play == 0, int(play == 0)) for user in range(2, 12) for play in range(2)]
    assert said(*by_membership).endswith(f"{agreement}.")
    alike = named(decided((0, 0, True, 0), (0, 1, False, 0), (1, 0, True, 0), (1, 1, False, 0)))
    assert user_decisions.sentence(alike).endswith(f"{agreement}."), (
        "nothing is seen of the words where all users are alike"
    )


def test_one_play_and_no_positive_decision_are_said():
    sentence = user_decisions.sentence(named(decided((0, 0, True, 0), (1, 0, False, 0))))
    assert "It takes nobody for a member." in sentence and sentence.endswith(
        "so an effect of membership cannot be seen."
    )
    assert user_decisions.figure(named(decided((0, 0, True, 0)))).to_json()


def test_no_verdict_and_many_are_drawn():
    none = user_decisions.of(decided(), FOUND["targets"])
    assert texts(user_decisions.figure(none))[-1] == user_decisions.sentence(none) == "The result has no decision."
    many = samples.completing(users=50).tables
    tall = user_decisions.figure(user_decisions.of(many["verdicts"], many["targets"]))
    assert tall.layout.height > 50 * 20 and max(map(len, tall.layout.yaxis.ticktext)) < 40


def test_a_decision_is_counted_in_next_words():
    sentence = context_queries.queries(OWN.estimates)
    assert sentence.startswith("For one decision the attack makes 24 queries on average; baseline 1")
    assert "makes 3,000, about 120 times as many." in sentence
    few = OWN.estimates["queries"].model_copy(update={"value": 10.35})
    many = OWN.estimates["queries_all_pairs"].model_copy(update={"value": 2913.4})
    close = context_queries.queries({**OWN.estimates, "queries": few, "queries_all_pairs": many})
    assert "makes 10.4 queries" in close and "makes 2,913, about 280 times as many" in close
    assert "The attack on the whole text makes 3,400" in sentence
    assert "is 85% (82–88%), that of the pairs 66% (63–69%): more queries reveal more." in sentence
    apart = OWN.estimates["accuracy"]
    same = context_queries.queries({**OWN.estimates, "accuracy": OWN.estimates["accuracy_full_text"]})
    assert "the intervals overlap, which neither shows" in same
    swapped = {**OWN.estimates, "accuracy": OWN.estimates["accuracy_full_text"], "accuracy_full_text": apart}
    assert "the pairs reveal more than all words." in context_queries.queries(swapped)
    assert context_queries.queries({"queries": OWN.estimates["queries"]}).endswith("24 queries on average.")
    assert context_queries.queries({}) == context_queries.quality({}) == "The result has no such estimate."


def test_false_alarms_of_the_whole_text_are_those_that_happened_not_those_promised():
    counts = {"members": 40, "nonmembers": 60, "unit": "share of decisions"}
    right = Estimate(value=0.85, low=0.8, high=0.9, chance=0.5, **counts)
    recall = Estimate(value=1.0, low=0.9, high=1.0, chance=0.5, **counts)
    estimates = {**OWN.estimates, "accuracy_full_text": right, "recall_full_text": recall}
    assert context_queries.queries(estimates).endswith(
        "Its threshold is set for 5% false alarms, by the adversary’s own documents; it takes 15 of 60 non-members "
        "(25%) for members."
    )
    estimates["accuracy_full_text"] = right.model_copy(update={"value": 1.0})
    assert context_queries.queries(estimates).endswith("it takes 0 of 60 non-members (0%) for members.")


def test_perplexity_is_explained_and_overfitting_judged_by_the_intervals():
    sentence = context_queries.quality(OWN.estimates)
    assert (
        "120 (95% interval 117–123) in new documents" in sentence
        and "untrained: 5,000, the whole vocabulary" in sentence
    )
    assert "it is 80 (77–83): the gap is overfitting" in sentence and "sure of wrong" not in sentence
    test = OWN.estimates["perplexity_test"]
    worse = {"perplexity_test": test.model_copy(update={"chance": 100.0})}
    text = context_queries.quality(worse)
    assert text == (
        "Perplexity is 120 (95% interval 117–123) in new documents: worse than chance, the 100 words of the "
        "vocabulary, because the model is sure of wrong words."
    )
    unsure = {"perplexity_test": test.model_copy(update={"chance": 119.0})}
    assert "in new documents: not shown to differ from chance" in context_queries.quality(unsure)
    assert "worse" not in context_queries.quality(unsure) and "sure of wrong" not in context_queries.quality(unsure)
    even = context_queries.quality({"perplexity_test": test, "perplexity_train": test})
    assert even.endswith("no overfitting is shown.")
    assert context_queries.quality({"perplexity_test": test}).endswith("the whole vocabulary).")


def test_the_papers_figures_are_those_it_prints():
    printed = {name: paper.points(name, {}).set_index("adversary") for name in MEASURES}
    attack = {
        name: (measure["value"]["next_word"], measure["deviation"]["next_word"]) for name, measure in printed.items()
    }
    assert attack == {"accuracy": (0.708, 0.023), "precision": (0.67, 0.025), "recall": (0.82, 0.047)}
    assert printed["recall"]["value"].tolist() == [0.82, 1.0, 0.478]
    assert paper.quality({}).iloc[0].tolist() == [PAPER, "94.7 ± 3.16", "107.74 ± 2.55", "not printed"]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("results", [{}, {LSTM: OWN}, {LSTM: OWN, TRANSFORMER: samples.completing("transformer_lm")}])
def test_ours_stand_beside_the_paper_side_by_side(measure, results):
    figure = paper.figure(measure, results)
    assert [trace.name for trace in figure.data] == [*results, PAPER]
    assert has_chance(figure) and titles(figure) == [MEASURES[measure]]
    lanes = [at for trace in figure.data for at in trace.y]
    assert len(set(lanes)) == len(lanes) == 3 * (len(results) + 1)
    assert paper.points(measure, results)["model"].nunique() == len(results) + 1


def test_ours_is_compared_by_its_interval():
    sentence = paper.sentence("accuracy", {LSTM: OWN, TRANSFORMER: samples.completing(level=0.7)})
    assert sentence == (
        "The paper prints 70.8% ± 2.3 for the attack. LSTM here: 66% (95% interval 63–69%), an interval below it. "
        "Transformer here: 70% (67–73%), an interval that includes it."
    )
    assert paper.sentence("accuracy", {LSTM: samples.completing(level=0.8)}).endswith("an interval above it.")
    private = samples.completing(level=0.8)
    private = replace(private, experiment={**private.experiment, "defenses": [{"part": "dp_sgd", "epsilon": 8}]})
    for said in (paper.sentence("accuracy", {LSTM: private}), paper.quality_sentence({LSTM: private})):
        assert said.endswith(f"{LSTM} is behind a defense, and the paper’s LSTM is not.")
    both = paper.sentence("accuracy", {LSTM: private, TRANSFORMER: private})
    assert f"{LSTM} and {TRANSFORMER} are behind a defense" in both


def test_a_measure_that_is_missing_is_said():
    without = {name: estimate for name, estimate in OWN.estimates.items() if not name.startswith("precision")}
    result = Result(OWN.experiment, without, OWN.provenance, FOUND)
    assert "no user was predicted a member" in paper.sentence("precision", {LSTM: result})
    assert len(paper.points("precision", {LSTM: result})) == 3


def test_table_4_has_ours_and_says_what_is_overfitted():
    ours = paper.quality({LSTM: OWN})
    assert ours.iloc[0].tolist() == [LSTM, "80 (77–83)", "120 (117–123)", "5,000"]
    sentence = paper.quality_sentence({LSTM: OWN})
    assert "is 1.14 times that of training documents. LSTM here: 1.50 times." in sentence
    bare = Result(OWN.experiment, {}, OWN.provenance, FOUND)
    assert paper.quality({LSTM: bare}).iloc[0].tolist()[1:] == ["not measured"] * 3
    assert "None of our results is computed" in paper.quality_sentence({LSTM: bare})


def test_the_headline_judges_the_control_and_names_what_ranks_better():
    sentence = headline.sentence(FOUND["curve"], samples.ATTACK)
    assert "With as many random other pairs it would be 55%: that the choice of pairs matters is not shown" in sentence
    assert "the choice of pairs matters." in headline.sentence(
        samples.completing(level=0.8).tables["curve"], samples.ATTACK
    )
    ranked = headline.auc_sentence(FOUND["curve"], samples.ATTACK)
    assert "difference above 0: “Pairs not in the auxiliary data” with 0.90 for 20 documents. “" in ranked
    assert curve.points(FOUND["curve"], samples.ATTACK)["shadows"].nunique() == 1


def test_a_score_of_zero_is_drawn_on_the_side_of_non_members():
    figure = scores.figure(FOUND["scores"])
    for trace in figure.data:
        below = sum(share for at, share in zip(trace.x, trace.customdata, strict=True) if at < 0)
        rows = FOUND["scores"][FOUND["scores"]["member"] == (trace.name == "members")]
        assert below == pytest.approx((rows["score"] == 0).mean())


def test_a_leak_that_only_a_rival_shows_is_said():
    points = samples.completing(level=0.54).tables["curve"]
    sentence = headline.sentence(points, samples.ATTACK)
    assert (
        "These decisions are not shown to be better than chance. The model leaks all the same: “Every word, "
        "calibrated on auxiliary texts” is right in "
    ) in sentence
    free = points["variant"] == "model_free"
    telling = headline.sentence(points.assign(low=points["low"].where(~free, 0.51)), samples.ATTACK)
    assert "no leak of the model is shown" in telling and "leaks all the same" not in telling
    alone = headline.sentence(points[points["variant"].isin([samples.ATTACK, "model_free"])], samples.ATTACK)
    assert "None of its intervals lies above chance: no leak is shown." in alone
