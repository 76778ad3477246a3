"""Figures of membership of sentence pairs: chance is drawn, sentences are honest, and nothing is said to be nothing."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pytest

from core.games.translation_membership.score import SCHEMAS
from core.result import Estimate, table
from dashboard.kit.examples.figures import roc
from dashboard.kit.figures.tables import records
from dashboard.topics.translation.figures import (
    bleu,
    classifiers,
    conclusions,
    confusion,
    corpora,
    course,
    methods,
    pair,
    printed,
    quality,
    regimes,
    sets,
    training,
)
from dashboard.topics.translation.figures import groups as translation_groups
from dashboard.topics.translation.figures import unknown as translation_unknown
from tests.dashboard import samples
from tests.dashboard.translation.samples import translations

EMPTY = {name: table(schema, []) for name, schema in SCHEMAS.items()}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pd.DataFrame]:
    return translations(tmp_path_factory.getbasetemp()).tables


def figure(value: float, low: float, high: float) -> Estimate:
    return Estimate(value=value, low=low, high=high, chance=0.5, unit="share of decisions", members=9, nonmembers=9)


def tried(
    features: str, on_targets: Mapping[str, tuple[float, float, float]], chosen: str = "naive_bayes"
) -> pd.DataFrame:
    """Return classifiers of which Bob's own reads the features, and validation chooses one of translations alone."""
    rows: list[dict[str, Any]] = [{"features": features, "rule": "random_forest", "answer": True, "on": "target"}]
    for rule in ("naive_bayes", "mlp"):
        value, low, high = on_targets.get(rule, (0.5, 0.4, 0.6))
        ends = {"accuracy": value, "accuracy_low": low, "accuracy_high": high}
        rows.append({"features": "overlap", "rule": rule, "answer": False, "on": "target", **ends})
        validated = {"accuracy": 0.55 if rule == chosen else 0.54}
        rows.append({"features": "overlap", "rule": rule, "answer": False, "on": "validation", **validated})
    counts = dict.fromkeys(("members_in", "members_out", "others_in", "others_out"), 0)
    return table(SCHEMAS["classifiers"], [{**row, **counts} for row in rows])


def concluded(estimates: Mapping[str, Estimate], classifiers: pd.DataFrame = EMPTY["classifiers"]) -> list[str]:
    """Return the conclusions about single pairs."""
    return conclusions.conclusions(estimates, classifiers, EMPTY["groups"], synthetic=False, couples=1, scores=True)


def checked(drawn: go.Figure) -> go.Figure:
    """Return a figure after plotly itself has looked at every value."""
    return go.Figure(drawn.to_dict())


@pytest.mark.parametrize(
    ("accuracy", "says"),
    [
        (
            figure(0.51, 0.49, 0.53),
            "is not shown to reveal membership to Bob’s classifier: it is right in 51% (95% interval 49",
        ),
        (figure(0.52, 0.51, 0.53), "reveals membership to Bob’s classifier a little: it is right in 52%"),
        (figure(0.66, 0.64, 0.68), "reveals membership to Bob’s classifier in part"),
        (figure(0.9, 0.88, 0.92), "reveals membership to Bob’s classifier mostly"),
        (figure(0.4, 0.38, 0.42), "misleads Bob’s classifier"),
    ],
)
def test_the_answer_follows_the_interval(accuracy: Estimate, says: str) -> None:
    answer = conclusions.answer({"accuracy": accuracy}, 15, tried("overlap", {}))
    assert answer.startswith("After 15 epochs of training, one translation ") and says in answer


@pytest.mark.parametrize(
    ("features", "seen"),
    [
        ("overlap", "one translation"),
        ("overlap_and_score", "one translation with its probability"),
        ("several_queries", "one sentence, translated whole and with single words left out,"),
    ],
)
def test_what_reveals_membership_is_what_the_classifier_has_seen(features: str, seen: str) -> None:
    estimates, rules = {"accuracy": figure(0.66, 0.64, 0.68)}, tried(features, {})
    assert f", {seen} reveals membership to Bob’s classifier" in conclusions.answer(estimates, 15, rules)
    assert concluded(estimates, rules)[0].startswith(f"**{seen[0].upper()}{seen[1:]} can reveal membership")


@pytest.mark.parametrize(
    ("naive_bayes", "claim"), [((0.61, 0.58, 0.64), "can reveal"), ((0.52, 0.5, 0.54), "is not shown to reveal")]
)
def test_translations_alone_are_told_by_the_classifier_that_validation_chooses(
    naive_bayes: tuple[float, float, float], claim: str
) -> None:
    estimates = {"accuracy": figure(0.66, 0.64, 0.68)}
    on_targets = {"naive_bayes": naive_bayes, "mlp": (0.9, 0.88, 0.92)}
    conclusion = concluded(estimates, tried("overlap_and_score", on_targets, chosen="naive_bayes"))[1]
    assert conclusion.startswith(f"**One translation alone {claim} membership:**")
    assert f"naive Bayes, is right in {100 * naive_bayes[0]:.0f}%" in conclusion and "90%" not in conclusion
    assert conclusion.endswith(", where chance is 50%.") == (claim == "is not shown to reveal")
    conclusion = concluded(estimates, tried("overlap_and_score", on_targets, chosen="mlp"))[1]
    assert (
        "**One translation alone can reveal" in conclusion
        and "multi-layer perceptron, is right in 90% (88–92%)" in conclusion
    )
    assert "translation alone" not in " ".join(concluded(estimates, tried("overlap", on_targets))), "it is Bob’s own"


def test_conclusions_say_what_is_not_shown() -> None:
    null = {"accuracy": figure(0.5, 0.48, 0.52), "auc": figure(0.5, 0.48, 0.52)}
    classifiers, groups = tried("overlap", {}), EMPTY["groups"]
    text = " ".join(conclusions.conclusions(null, classifiers, groups, synthetic=False, couples=1, scores=False))
    assert "One translation is not shown to reveal membership" in text and "no proof of safety" in text
    assert "synthetic" not in text and "returns translations only" in text


def of_thirty(tables: dict[str, pd.DataFrame], **shares: tuple[float, float, float]) -> pd.DataFrame:
    """Return groups of thirty pairs with planted accuracies: of Bob's mean score, his majority and each method."""
    table = tables["groups"].query("size == 1").assign(size=30, members=8, others=9)
    keys = table["features"].where(~table["answer"], table["decision"])
    ends = ["accuracy", "accuracy_low", "accuracy_high"]
    table[ends] = [shares.get(key, (0.5, 0.4, 0.6)) for key in keys]
    return table


@pytest.mark.parametrize(
    ("shares", "says"),
    [
        ({"mean": (0.9, 0.8, 0.95)}, "“Bob’s classifier”, the most accurate of"),
        (
            {"reference": (0.9, 0.8, 1)},
            "right in 90% (80–100%), and Bob’s classifier, by its mean score, in 50% (40–60%), not shown to be better "
            "than chance",
        ),
        ({"majority": (0.7, 0.6, 0.8)}, "“Bob’s classifier, majority vote (the paper)”, the most accurate"),
    ],
)
def test_the_strongest_attack_on_many_pairs_is_told_beside_bobs_classifier(
    tables: dict[str, pd.DataFrame], shares: dict[str, tuple[float, float, float]], says: str
) -> None:
    groups = of_thirty(tables, **shares)
    lines = conclusions.conclusions({}, EMPTY["classifiers"], groups, synthetic=False, couples=1, scores=True)
    assert says in conclusions.beyond(tables["methods"], groups)
    assert any(line.startswith("**30 pairs together reveal membership:**") and says in line for line in lines)
    best = max(share[0] for share in shares.values())
    tiles = conclusions.with_groups({"group_accuracy": figure(0.5, 0.4, 0.6)}, groups)
    assert [tiles[name].value for name in conclusions.FIGURES if name in tiles] == [0.5, best]


def test_the_spread_over_seeds_is_said_of_single_pairs_and_of_groups() -> None:
    def of_seeds(*values: float) -> list[Estimate]:
        return [figure(value, value - 0.1, value + 0.1) for value in values]

    said = conclusions.over_seeds(of_seeds(0.6, 0.57, 0.61), of_seeds(0.53, 0.79, 0.51))
    assert said.endswith(
        "of 3 seeds, Bob’s classifier is right in 57% to 61% of single pairs and 51% to 79% of groups of 30 pairs."
    )
    assert conclusions.over_seeds([], of_seeds(0.5)) == conclusions.over_seeds(of_seeds(0.5), []) == ""
    arguments = {}, EMPTY["classifiers"], EMPTY["groups"]
    lines = conclusions.conclusions(*arguments, synthetic=False, couples=1, scores=True, spread=said)
    assert any(line.startswith("**No interval counts") and line.endswith(said) for line in lines)


def test_many_pairs_reveal_nothing_only_where_no_attack_is_above_chance(tables: dict[str, pd.DataFrame]) -> None:
    lines = conclusions.conclusions(
        {}, EMPTY["classifiers"], of_thirty(tables), synthetic=False, couples=1, scores=True
    )
    assert "**30 pairs together are not shown to reveal membership:**" in " ".join(lines)
    lines = conclusions.conclusions({}, EMPTY["classifiers"], EMPTY["groups"], synthetic=False, couples=1, scores=True)
    assert not any("30 pairs" in line for line in lines)


@pytest.mark.parametrize(
    ("of_one", "areas", "no_better", "misplaced"),
    [
        (0.6, ((0.6, 0.55, 0.65), (0.95, 0.8, 1.0)), True, True),
        (0.6, ((0.6, 0.55, 0.65), (0.7, 0.6, 0.8)), True, False),
        (0.45, ((0.6, 0.55, 0.65), (0.95, 0.8, 1.0)), False, False),
    ],
    ids=["scores rank better", "neither", "more pairs are better"],
)
def test_more_pairs_that_are_less_accurate_have_their_reason_in_the_paragraph(
    tables: dict[str, pd.DataFrame],
    of_one: float,
    areas: tuple[tuple[float, float, float], tuple[float, float, float]],
    no_better: bool,
    misplaced: bool,
) -> None:
    many = of_thirty(tables, reference=(0.9, 0.8, 1))
    one = tables["groups"].query("size == 1").assign(accuracy=of_one, accuracy_low=of_one, accuracy_high=of_one)
    of_sizes = (part.assign(auc=a, auc_low=b, auc_high=c) for part, (a, b, c) in zip((one, many), areas, strict=True))
    groups = pd.concat(of_sizes, ignore_index=True)
    lines = conclusions.conclusions({}, EMPTY["classifiers"], groups, synthetic=False, couples=1, scores=True)
    (line,) = [line for line in lines if line.startswith("**30 pairs together reveal membership")]
    assert line.startswith("**30 pairs together reveal membership, though Bob’s classifier does no") == no_better
    reason = "The scores of Bob’s classifier rank 30 pairs better than 1: AUC 0.95 (0.80–1.00) against 0.60 (0.55–0.65)"
    assert (reason in line) == misplaced
    assert (reason in translation_groups.sentence(groups)) == misplaced
    assert "shadow models, and does not fit" not in translation_groups.sentence(groups, "auc")
    fewer, more = (
        SimpleNamespace(size=size, accuracy=share, auc=area[0], auc_low=area[1], auc_high=area[2])
        for size, share, area in zip((1, 30), (of_one, 0.5), areas, strict=True)
    )
    assert translation_groups.misplaced("Bob’s classifier", fewer, more).startswith(f" {reason}") == misplaced


def test_a_single_pair_has_one_interval(tables: dict[str, pd.DataFrame]) -> None:
    groups = translation_groups.with_single_pairs(tables["groups"], tables["methods"])
    assert len(groups) == len(tables["groups"]) and list(groups.columns) == list(tables["groups"].columns)
    keys = ["features", "rule", "accuracy", "accuracy_low", "accuracy_high"]
    single = groups[(groups["size"] == 1) & (groups["decision"] == "mean")][keys]
    shown = single.merge(tables["methods"][keys], on=keys)
    assert len(shown) == len(single) > 0


def test_groups_are_counted_as_decisions_not_their_pairs(tables: dict[str, pd.DataFrame]) -> None:
    pairs = figure(0.7, 0.65, 0.75).model_copy(update={"members": 400, "nonmembers": 400})
    groups = tables["groups"].head(1).assign(size=30, members=13, others=14)
    counted = conclusions.with_groups({"accuracy": pairs, "group_accuracy": pairs}, groups)
    assert (counted["accuracy"].n, counted["group_accuracy"].n) == (800, 27)
    assert conclusions.with_groups({"group_accuracy": pairs}, groups.head(0))["group_accuracy"].n == 800


@pytest.mark.parametrize(
    ("ratio", "bobs_auc", "says"),
    [
        (figure(0.9, 0.88, 0.92), 0.6, "**The output of the service matters.**"),
        (figure(0.9, 0.88, 0.92), 0.6, "the attack is much stronger: AUC 0.90 instead of 0.60. A service can avoid"),
        (figure(0.65, 0.63, 0.67), 0.6, "the attack is stronger: AUC 0.65 instead of 0.60. A service can avoid"),
        (figure(0.61, 0.58, 0.64), 0.6, "**The probability of a given translation is not shown to tell more:**"),
        (figure(0.61, 0.58, 0.64), 0.6, "the intervals overlap, which"),
        (figure(0.4, 0.38, 0.42), 0.71, "**The probability of a given translation tells less** than Bob’s classifier"),
        (figure(0.4, 0.38, 0.42), 0.3, "is not shown to tell more:** AUC 0.40 (0.38–0.42) by the likelihood ratio"),
        (figure(0.4, 0.38, 0.42), 0.3, "0.30 (0.28–0.32) by Bob’s classifier; chance is 0.50"),
    ],
)
def test_what_probabilities_add_follows_their_interval(ratio: Estimate, bobs_auc: float, says: str) -> None:
    text = " ".join(
        concluded({"auc": figure(bobs_auc, bobs_auc - 0.02, bobs_auc + 0.02), "auc_likelihood_ratio": ratio})
    )
    assert says in text
    assert ("A service can avoid" in text) == ("The output of the service matters" in text) == (ratio.low > 0.6)


@pytest.mark.parametrize(
    ("centred", "calibrated", "claim", "apart"),
    [
        (figure(0.94, 0.93, 0.95), figure(0.86, 0.85, 0.87), "helps", True),
        (figure(0.52, 0.5, 0.54), figure(0.71, 0.7, 0.72), "does not help here", True),
        (figure(0.55, 0.54, 0.56), figure(0.54, 0.53, 0.55), "is not shown to help", False),
        (figure(0.45, 0.44, 0.46), figure(0.4, 0.39, 0.41), "is not shown to help", True),
    ],
)
def test_whether_knowing_subcorpora_helps_follows_the_intervals(
    centred: Estimate, calibrated: Estimate, claim: str, apart: bool
) -> None:
    estimates = {"auc_centred_reference": centred, "auc_calibrated_reference": calibrated}
    conclusion = concluded(estimates)[0]
    assert conclusion.startswith(f"**Knowing the subcorpus of a pair, and that half of it is in, {claim}.**")
    assert f"AUC of {centred.value:.2f} (" in conclusion
    assert f"by shadow models alone needs neither and has an AUC of {calibrated.value:.2f} (" in conclusion
    assert ("the intervals overlap" in conclusion) != apart
    assert "Knowing" not in " ".join(concluded({"auc_centred_reference": centred}))


def test_what_calibration_within_subcorpora_presumes_stands_beside_all_that_it_shows(
    tables: dict[str, pd.DataFrame],
) -> None:
    presumes = "Bob must know each pair’s subcorpus and that half of it is in."
    for without, unshown in (((0.7, 0.6, 0.8), ""), ((0.52, 0.4, 0.6), ", not shown to be better than chance")):
        groups = of_thirty(tables, centred_reference=(0.9, 0.8, 0.95), calibrated_reference=without)
        low, high = (f"{100 * end:.0f}" for end in without[1:])
        given = f"{presumes} Calibration by shadow models alone needs neither and is right in {100 * without[0]:.0f}%"
        given += f" ({low}–{high}%){unshown}."
        lines = conclusions.conclusions({}, EMPTY["classifiers"], groups, synthetic=False, couples=1, scores=True)
        assert given in conclusions.beyond(tables["methods"], groups)
        assert any(line.startswith("**30 pairs together reveal") and given in line for line in lines)
        assert given in conclusions.with_groups({}, groups)["group_accuracy_of_strongest"].help
    other = of_thirty(tables, reference=(0.99, 0.98, 1))
    assert presumes not in conclusions.beyond(tables["methods"], other)
    assert presumes not in conclusions.with_groups({}, other)["group_accuracy_of_strongest"].help
    table_of = {conclusions.few_alarms: "methods", course.sentence: "course", translation_groups.remark: "groups"}
    for says, name in table_of.items():
        drawn = tables[name]
        without = "Calibration by shadow models alone, which knows no subcorpora, "
        assert without in says(drawn)
        assert without not in says(drawn[drawn["features"] != "centred_reference"])
    planted = tables["methods"].assign(accuracy=0.64, accuracy_low=0.62, accuracy_high=0.66)
    assert methods.presumed(planted).endswith("needs neither and is right in 64% (62–66%) over all.")
    alone = planted[planted["features"] != "calibrated_reference"]
    assert methods.presumed(alone) == methods.presumption("") and methods.presumption("").endswith(presumes)
    assert methods.presumption("is right in 51%").endswith(
        f"{presumes} Calibration by shadow models alone needs neither and is right in 51%."
    )
    assert methods.without_subcorpora("has an AUC of 0.60") == f"{without}has an AUC of 0.60."
    assert methods.without_subcorpora("") == ""


@pytest.mark.parametrize(("low", "unshown"), [(0.51, False), (0.5, True), (0.4, True)])
def test_groups_whose_interval_begins_at_chance_are_not_shown_to_be_better(low: float, unshown: bool) -> None:
    said = ", not shown to be better than chance" if unshown else ""
    assert translation_groups.unshown(SimpleNamespace(accuracy_low=low, auc_low=0.6)) == said
    assert translation_groups.unshown(SimpleNamespace(accuracy_low=0.6, auc_low=low), "auc") == said


@pytest.mark.parametrize(
    ("quantile", "says"),
    [
        (
            figure(0.8, 0.78, 0.82),
            "regression tells members from others: AUC 0.80 (0.78–0.82), less than the likelihood",
        ),
        (figure(0.89, 0.87, 0.91), "regression tells members from others: AUC 0.89 (0.87–0.91), beside 0.90"),
        (figure(0.95, 0.93, 0.97), "more than the likelihood ratio by shadow models (0.90), beyond both intervals"),
        (figure(0.51, 0.48, 0.54), "regression is not shown to tell members from others"),
    ],
)
def test_what_needs_no_shadow_models_is_said_beside_what_does(quantile: Estimate, says: str) -> None:
    ratio = figure(0.9, 0.88, 0.92)
    estimates = {"auc": figure(0.6, 0.58, 0.62), "auc_quantile_reference": quantile, "auc_likelihood_ratio": ratio}
    lines = concluded(estimates)
    assert sum(says in line for line in lines) == 1


@pytest.mark.parametrize(
    ("ends", "says"),
    [
        ((0.9, 0.85, 0.95), "reveals them: with its likelihood ratio the AUC is 0.90 (95% interval 0.85–0.95)"),
        ((0.45, 0.4, 0.5), "is not shown to reveal them: with its likelihood ratio the AUC is 0.45 (95% interval 0.40"),
        ((0.45, 0.4, 0.5), "0.50), where chance is 0.50."),
    ],
)
def test_watermarks_are_revealed_where_the_interval_lies_above_chance(
    tables: dict[str, pd.DataFrame], ends: tuple[float, float, float], says: str
) -> None:
    planted = tables["corpora"].assign(auc=ends[0], auc_low=ends[1], auc_high=ends[2])
    sentence = corpora.watermarks(planted)
    assert says in sentence and "earlier" not in sentence
    assert corpora.watermarks(planted.query("corpus != 'watermarks'")) == ""
    for features, seen in (("overlap", "one translation the"), ("overlap_and_score", "one translation with its prob")):
        answers = planted["answer"]
        assert f"By {seen}" in corpora.watermarks(planted.assign(features=planted["features"].mask(answers, features)))


def test_the_method_spoken_of_is_not_chosen_in_hindsight(tables: dict[str, pd.DataFrame]) -> None:
    standard = methods.standard(tables["methods"])
    assert (standard.features, standard.rule) == methods.RATIO
    without = tables["methods"][tables["methods"]["features"] != "calibrated_reference"]
    assert methods.standard(without).answer


def test_every_subcorpus_stands_in_a_row_with_its_pairs(tables: dict[str, pd.DataFrame]) -> None:
    drawn = checked(sets.figure(tables["sets"]))
    assert len(drawn.layout.yaxis.ticktext) == tables["sets"]["corpus"].nunique()
    boxes = [shape for shape in drawn.layout.shapes if shape.name != "holder"]
    assert len(boxes) == len(tables["sets"][tables["sets"]["use"] != "validation"])
    assert list(sets.corpora(tables["sets"])["role"])[-1] == "foreign"


def test_classifiers_stand_beside_the_paper(tables: dict[str, pd.DataFrame]) -> None:
    for features in methods.features(tables["classifiers"]):
        points = classifiers.points(tables["classifiers"], features)
        drawn = checked(classifiers.figure(points))
        assert samples.has_chance(drawn)
        paper = points[points["series"].str.endswith("_paper")]
        assert sorted(paper["value"]) == sorted(
            value for row in printed.CLASSIFIERS[features].values() for value in row
        )
        assert "better than chance" in classifiers.sentence(points)


def test_the_best_classifier_is_the_best_from_its_features_only(tables: dict[str, pd.DataFrame]) -> None:
    tried = tables["classifiers"]
    mine = tried[(tried["features"] == "overlap") & (tried["on"] == "target")].assign(
        accuracy=0.64, accuracy_low=0.62, accuracy_high=0.66, answer=False
    )
    chosen = mine.assign(features="overlap_and_score", accuracy=0.7, answer=mine["rule"] == "naive_bayes")
    both = pd.concat([mine, chosen], ignore_index=True)
    sentence = classifiers.sentence(classifiers.points(both, "overlap"))
    assert sentence.startswith(
        "From overlap with the reference, 6 of 6 classifiers are better than chance (50%) on Alice’s"
    )
    assert "The best from these features is perceptron with 64%" in sentence
    assert sentence.endswith("Bob’s classifier uses other features.")
    sentence = classifiers.sentence(classifiers.points(both, "overlap_and_score"))
    assert (
        sentence.startswith("From overlap and the translation’s score, 6 of 6") and "Bob uses naive Bayes" in sentence
    )
    assert "other features" not in sentence


def test_rows_of_a_matrix_add_up(tables: dict[str, pd.DataFrame]) -> None:
    counts = confusion.counts(tables["classifiers"], "overlap")
    drawn = checked(confusion.figure(counts))
    assert len(drawn.data) == len(counts) == 6
    assert len(drawn.layout.shapes) == 24
    never = counts.assign(members_in=0, others_in=0)
    assert "predict out for nearly all probes" in confusion.sentence(never)
    always = counts.assign(members_out=0, others_out=0)
    assert "predict in for nearly all probes" in confusion.sentence(always)
    assert "nearly all" not in confusion.sentence(counts.assign(members_in=5, members_out=5, others_in=5, others_out=5))


def test_who_has_how_many_pairs_is_said(tables: dict[str, pd.DataFrame]) -> None:
    holders = tables["sets"]
    sentence, double = sets.sentence(holders), sets.sentence(holders.assign(pairs=2 * holders["pairs"]))
    trained = int(holders.loc[(holders["holder"] == "target") & (holders["use"] == "training"), "pairs"].sum())
    assert f"Alice trains on {trained:,} pairs." in sentence and f"Alice trains on {2 * trained:,} pairs." in double
    assert "foreign pairs; overall estimates exclude them" in sentence
    assert "foreign" not in sets.sentence(holders[holders["use"] != "foreign_probes"])


def test_subcorpora_and_unknown_words_have_controls(tables: dict[str, pd.DataFrame]) -> None:
    points = corpora.points(tables["corpora"], "overlap", "mlp")
    assert set(points["series"]) == {"own", "foreign", "always_out", "paper"}
    foreign, always = (points[points["series"] == series] for series in ("foreign", "always_out"))
    assert always["row"].tolist() == foreign["row"].tolist() and (always["value"] == 1).all()
    assert samples.has_chance(checked(corpora.figure(points)))
    assert "Foreign pairs:" in corpora.sentence(points)
    assert "always answers out is right about 100% of them" in corpora.sentence(points)
    assert "always" not in corpora.sentence(points[points["series"] == "own"])
    row = points[points["series"] == "own"].head(1)
    three = pd.concat([row.assign(corpus=name, row=name) for name in "ABC"], ignore_index=True)
    wide = three.assign(value=[0.7, 0.69, 0.55], low=[0.45, 0.68, 0.54], high=[0.92, 0.7, 0.56])
    assert "It is higher for B than for C, beyond both intervals." in corpora.sentence(wide)
    assert "neither shows a difference nor excludes one" in corpora.sentence(wide.head(2))
    unknown = tables["unknown_words"]
    method = records(unknown[unknown["answer"]])[0]
    points = translation_unknown.points(unknown, method.features, method.rule)
    assert {"test", "target"} <= set(points["series"])
    assert samples.has_chance(checked(translation_unknown.figure(points)))
    assert "of his probes, all out)" in translation_unknown.sentence(points)
    for low, better in ((0.4, False), (0.6, True)):
        sentence = translation_unknown.sentence(points.assign(value=0.7, low=low, high=0.8))
        assert ("not shown to be better than chance" not in sentence) == better
    drawn = checked(bleu.figure(tables["bleu"]))
    assert [trace.name for trace in drawn.data if trace.mode == "markers"] == ["members", "non-members"]
    assert "Watermarks, 0" not in bleu.sentence(tables["bleu"])
    inside = tables["bleu"]["member"]
    for gap in (0.3, 0.1):
        alike = tables["bleu"].assign(median=(0.2 + gap * inside).astype(float))
        sentence = bleu.sentence(alike)
        assert f"exceeds that of non-members by at most {round(100 * gap)} points" in sentence
        assert f" and at least {round(100 * gap)} points (" in sentence
    one = alike[alike["corpus"] == alike.loc[alike["role"] != "foreign", "corpus"].iloc[0]]
    assert "and at least" not in bleu.sentence(one)


@pytest.mark.parametrize("measure", list(course.MEASURES))
def test_the_course_begins_without_training(tables: dict[str, pd.DataFrame], measure: course.Measure) -> None:
    drawn = checked(course.figure(tables["course"], measure))
    assert samples.has_chance(drawn)
    assert drawn.layout.xaxis.ticktext[0] == "never<br>trained"
    bars = [trace for trace in drawn.data if trace.name == "95% by chance"]
    assert bool(bars) == (measure != "group_auc")
    assert "after 12 epochs" in course.sentence(tables["course"], measure)
    early = tables["course"].assign(auc_chance_high=0.1, accuracy_chance_high=0.1)
    assert ("above chance before training" in course.sentence(early, measure)) == bool(bars)


@pytest.mark.parametrize("measure", list(translation_groups.MEASURES))
def test_groups_are_drawn_by_method(tables: dict[str, pd.DataFrame], measure: translation_groups.Measure) -> None:
    drawn = checked(translation_groups.figure(tables["groups"], measure))
    assert samples.has_chance(drawn) and drawn.layout.xaxis.type == "log"
    sentence = translation_groups.sentence(tables["groups"], measure)
    assert (
        " of Bob’s classifier goes from" in sentence and "By the majority of its decisions, as in the paper" in sentence
    )


def test_an_interval_of_groups_that_begins_at_chance_or_ends_at_its_value_is_explained(
    tables: dict[str, pd.DataFrame],
) -> None:
    table = tables["groups"].query("size == 1").assign(size=50, members=8, others=9)
    ends = ["accuracy", "accuracy_low", "accuracy_high"]
    for interval in ((0.625, 0.5, 0.625), (0.8, 0.5, 0.9), (0.625, 0.51, 0.625), (1.0, 0.9, 1.0)):
        table[ends] = interval
        sentence, remark = translation_groups.sentence(table), translation_groups.remark(table)
        unshown = sentence.count("for 50, not shown to be better than chance")
        assert unshown == 2 * (interval[1] == 0.5), "of the mean and of the majority"
        explained = "each draw of an interval makes one partition, such as 8 groups of 50 pairs in and 9 out"
        assert (explained in remark) == (interval[2] == 0.625)


@pytest.mark.parametrize(
    ("thirty", "hundreds", "says"),
    [
        (
            ["mean"],
            ["mean", "reference"],
            "Bob’s classifier needs the fewest for an interval wholly above 90%: 30 pairs.",
        ),
        (
            ["reference"],
            ["mean"],
            "Probability of the reference needs the fewest for an interval wholly above 90%: 30 ",
        ),
        (
            [],
            ["reference"],
            "Probability of the reference needs the fewest for an interval wholly above 90%: 300 pairs.",
        ),
        (
            ["reference", "mean"],
            [],
            "Bob’s classifier and probability of the reference need the fewest for an interval ",
        ),
        ([], [], "No interval lies wholly above 90%."),
    ],
)
def test_the_lines_that_need_the_fewest_pairs_are_named(
    tables: dict[str, pd.DataFrame], thirty: list[str], hundreds: list[str], says: str
) -> None:
    table = tables["groups"]
    others = set(table["features"]) | {"mean", "majority"}
    meeting = dict.fromkeys(others, (0.95, 0.9, 0.99))
    parts = [of_thirty(tables, **{**meeting, **dict.fromkeys(sure, (0.95, 0.91, 0.99))}) for sure in (thirty, hundreds)]
    sentence = translation_groups.sentence(pd.concat([parts[0], parts[1].assign(size=300)], ignore_index=True))
    assert says in sentence and sentence.count("wholly above") == 1


def test_every_line_that_stays_at_chance_is_named(tables: dict[str, pd.DataFrame]) -> None:
    features, strong = set(tables["groups"]["features"]) | {"mean", "majority"}, (0.9, 0.8, 0.95)
    sentence = translation_groups.sentence(of_thirty(tables, **dict.fromkeys(features, strong)))
    assert "not shown" not in sentence
    sentence = translation_groups.sentence(of_thirty(tables, **dict.fromkeys(features - {"bleu", "reference"}, strong)))
    at_chance = "BLEU alone with 50% (40–60%) for 30 and probability of the reference with 50% (40–60%) for 30."
    assert f"Of the other lines, not shown to be better than chance at the largest groups: {at_chance}" in sentence
    still = {**dict.fromkeys(features - {"bleu"}, strong), "bleu": (0.5, 0.5, 0.5)}
    assert "at the largest groups: BLEU alone with 50% for 30." in translation_groups.sentence(
        of_thirty(tables, **still)
    )


def test_curves_are_those_of_the_methods(tables: dict[str, pd.DataFrame]) -> None:
    curves = methods.keyed(tables["roc"])
    series = methods.drawn(curves)
    drawn = checked(roc.figure(curves, 300, series))
    chance, band, reaching, *lines = [trace.name for trace in drawn.data if trace.name]
    assert (chance, band, reaching) == ("chance", "95% interval of the first curve", "95% interval from 0% to here")
    assert lines == [one.name for one in series]
    assert "Chance is 1%." in conclusions.few_alarms(tables["methods"])


def test_quality_and_training_follow_the_passes(tables: dict[str, pd.DataFrame]) -> None:
    means = quality.means(tables["quality"], tables["bleu"])
    assert set(means["kind"]) == {"trained", "new", "foreign"}
    assert len(checked(quality.figure(means)).data) == 6
    assert "Non-members were still improving" in quality.sentence(means)
    ends = means.assign(min=2.6, max=30.8)
    assert "for non-members (from 2.6 to 30.8 by subcorpus) and" in quality.sentence(ends)
    assert len(checked(training.figure(tables["training"])).data) == 8
    own = tables["training"].query("holder == 'shadow'").assign(holder="undefended_shadow")
    both_ways = pd.concat([tables["training"], own])
    assert len(checked(training.figure(both_ways)).data) > 8
    assert "Bob’s without the defense: perplexity" in training.sentence(both_ways)
    worse = tables["training"].assign(perplexity=tables["training"]["passes"].astype(float))
    sentence = training.sentence(worse.assign(loss=-worse["perplexity"]))
    assert "was best after epoch 1, 1, while the training loss went on falling." in sentence
    assert "went on falling" not in training.sentence(worse.assign(loss=1.0)), "no more than is measured"


def test_a_pair_says_what_bob_would_say(tables: dict[str, pd.DataFrame]) -> None:
    row = records(tables["shown"].assign(member=True, answer=1.0, ratio=float("nan")))[0]
    assert pair.verdicts(row) == [("Bob’s classifier: in, correct", True)]
    assert pair.who(row) == "Alice 1, trained on it"


def test_a_pair_without_more_overlap_is_said_to_lack_that_alone(tables: dict[str, pd.DataFrame]) -> None:
    row, other = (records(tables["shown"].assign(member=True, bleu=bleu))[0] for bleu in (0.4, 0.4))
    assert pair.sentence(row, other).endswith("Its overlap gives Bob no evidence.")
    assert pair.sentence(row._replace(bleu=0.1), other).endswith("its overlap misleads Bob.")
    assert pair.sentence(row._replace(bleu=0.9), other).endswith("repeats more of it.")


def test_experiments_are_compared_by_what_they_have() -> None:
    points = regimes.points([("One", {"auc": figure(0.6, 0.51, 0.7)}), ("Other", {})])
    drawn = checked(regimes.figure(points))
    assert samples.has_chance(drawn) and any(note.text == "<b>One</b>" for note in drawn.layout.annotations)
    assert regimes.sentence(points) == "AUC of Bob’s classifier: 0.60 (0.51–0.70) for “One”; chance is 0.50."
    several = [(str(high), {"auc": figure(high - 0.1, high - 0.2, high)}) for high in (0.6, 0.9, 0.8, 0.7)]
    assert regimes.sentence(regimes.points(several)) == (
        "AUC of Bob’s classifier: from 0.80 (0.70–0.90) for “0.9” to 0.50 (0.40–0.60) for “0.6”; chance is 0.50. "
        "It is not shown to exceed chance for “0.7” and “0.6”."
    )


def test_an_area_that_no_draw_changes_is_said_to_be_so() -> None:
    points = regimes.points([("One", {"group_auc": figure(0.8125, 0.8125, 0.8125)})])
    assert "AUC 0.81 (the same in 95% of resamples)" in regimes.figure(points).to_json()


def test_nothing_is_said_to_be_nothing() -> None:
    charts = {
        sets: EMPTY["sets"],
        training: EMPTY["training"],
        classifiers: classifiers.points(EMPTY["classifiers"], "overlap"),
        confusion: confusion.counts(EMPTY["classifiers"], "overlap"),
        bleu: EMPTY["bleu"],
        course: EMPTY["course"],
        translation_groups: EMPTY["groups"],
        corpora: corpora.points(EMPTY["corpora"], "overlap", "some_rule"),
        translation_unknown: translation_unknown.points(EMPTY["unknown_words"], "overlap", "some_rule"),
        quality: quality.means(EMPTY["quality"], EMPTY["bleu"]),
        regimes: regimes.points([]),
    }
    for chart, nothing in charts.items():
        assert chart.figure(nothing).to_json()
        assert chart.sentence(nothing)
    assert conclusions.answer({}, 1, EMPTY["classifiers"]) == "This result has no decision."


def test_epochs_get_no_blame_where_pairs_differ_too() -> None:
    def trained(pairs: int, epochs: int) -> dict[str, Any]:
        return {"dataset": {"pairs": pairs}, "model": {"epochs": epochs}}

    shown = trained(3000, 20)
    assert regimes.caution([shown, trained(60_000, 1)]) == (
        "Of 1 other experiment, 1 differs from the first in both pairs and epochs: neither alone explains the "
        "difference."
    )
    several = [shown, trained(3000, 20), trained(60_000, 1), trained(12_000, 3), trained(60_000, 20)]
    assert regimes.caution(several).startswith("Of 4 other experiments, 2 differ from the first")
    assert not regimes.caution([shown, trained(3000, 20), trained(3000, 1), trained(60_000, 20)])
    assert not regimes.caution([shown, trained(3000, 1), trained(60_000, 20)]), "the shown one shares one with each"
