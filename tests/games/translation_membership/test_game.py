"""Alice, Bob and Carol: who gets what, and what comes out for a memory of known size."""

from collections.abc import Iterator, Mapping
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn import ensemble, neural_network
from sklearn.metrics import roc_auc_score

from core import catalog
from core.attacks.translation_overlap import TranslationOverlap
from core.catalog.entry import Entry
from core.defenses import Defense
from core.defenses.subsampling import Subsampling
from core.errors import Incompatible, InvalidSpec
from core.games.translation_membership import TranslationMembership, shadows
from core.games.translation_membership.score import groups, translations
from core.games.translation_membership.split import WATERMARKS, defended, is_watermark
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.store import Store
from core.statistics import clustered, decisions, grouped
from tests.games.reachable import reachable
from tests.games.translation_membership.small_games import Given, Memoriser, bitext

SMALL = TranslationMembership(probes=30, shadow_probes=15, validation=20, watermarks=4, copies=3, course=(0,))
PAIRS = bitext(140)
"""What is played with."""
LAST = TranslationMembership(probes=30, shadow_probes=15, validation=20, course=())


def play(
    recall: float, store: Store, game: TranslationMembership = SMALL, defenses: tuple[Defense, ...] = (), **attack: Any
) -> Any:
    given: Any = Given(PAIRS)
    context = RunContext(store=store)
    return game.play(given, Memoriser(recall=recall), defenses, TranslationOverlap(**attack), 1, context)


@pytest.fixture(scope="module", autouse=True)
def small() -> Iterator[None]:
    """Have a tenth of the trees, epochs and resamples or fewer, and two sizes of groups: they take the most time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ensemble, "RandomForestClassifier", partial(ensemble.RandomForestClassifier, n_estimators=4))
        patch.setattr(neural_network, "MLPClassifier", partial(neural_network.MLPClassifier, max_iter=8))
        patch.setattr(decisions, "RESAMPLES", 50)
        patch.setattr(clustered, "SHUFFLES", 40)
        patch.setattr(groups, "_RESAMPLES", 20)
        patch.setattr(groups, "_SIZES", (1, 20))
        patch.setattr(grouped, "_OF_RESAMPLE", 2)
        patch.setattr(translations, "_RESAMPLES", 20)
        yield


@pytest.fixture(scope="module")
def remembered(shared_store: Store) -> Any:
    return play(1.0, shared_store, quantile=True)


@pytest.fixture(scope="module")
def forgotten(shared_store: Store) -> Any:
    return play(0.0, shared_store, LAST)


def test_who_gets_which_pairs() -> None:
    pairs = bitext(200)
    split = SMALL.draw_split(pairs, seed=5)
    roles = np.array([corpus.role for corpus in split.bitext.corpora])[split.bitext.corpus]
    names = np.array([corpus.name for corpus in split.bitext.corpora])[split.bitext.corpus]
    probes = split.pair_rows[split.balanced]
    assert (split.member.sum(axis=0) == np.where(split.balanced, 1, 0)).all(), "one of each couple, foreign ones none"
    for model, rows in enumerate(split.training):
        assert set(probes[split.member[model][split.balanced]]) <= set(rows)
        assert not set(split.pair_rows[~split.member[model]]) & set(rows)
        assert not set(split.validation) & set(rows)
        marks = rows[names[rows] == WATERMARKS]
        assert len(marks) == 4 * 3
        assert len(set(marks)) == 4
        assert "foreign" not in roles[rows]
        assert "private" in roles[rows]
    assert not set(split.adversary_rows) & (set(split.pair_rows) | set(split.validation))
    assert set(roles[split.adversary_rows]) == {"shared"}
    everything = np.concatenate([np.concatenate(pair) for pair in split.splits])
    assert len(np.unique(everything)) == len(everything)
    assert {len(one) for pair in split.splits for one in pair} == {2 * 13}


def test_fuzzy_copies_are_learnt_beside_one_exact_copy_each() -> None:
    pairs = bitext(200)
    exact, fuzzy = SMALL.draw_split(pairs, seed=5), SMALL.replace(changed=3).draw_split(pairs, seed=5)
    assert (exact.member == fuzzy.member).all() and (exact.pair_rows == fuzzy.pair_rows).all()
    marks = fuzzy.pair_rows[is_watermark(fuzzy.bitext)[fuzzy.pair_rows]]
    for model, rows in enumerate(fuzzy.training):
        learnt = rows[is_watermark(fuzzy.bitext)[rows]]
        known = np.intersect1d(learnt, marks)
        copies = np.setdiff1d(learnt, marks)
        assert (len(learnt), len(known), len(copies)) == (4 * 3, 4, 4 * 2)
        assert set(known) == set(fuzzy.pair_rows[fuzzy.member[model]]) & set(marks)
        for texts in (fuzzy.bitext.sources, fuzzy.bitext.targets):
            words = np.array([text.split() for text in texts[len(pairs) :]])
            differing = (words[copies - len(pairs)][:, None] != words[known - len(pairs)]).sum(axis=2)
            assert sorted((differing == 3).sum(axis=0)) == [2] * 4, "each has two copies that differ in three words"
    assert "changed" not in SMALL.identity() and SMALL.replace(changed=3).identity()["changed"] == 3
    assert SMALL.replace(changed=3, copies=1).draw_split(pairs, seed=5).bitext.sources == exact.bitext.sources


def test_the_secret_depends_on_the_seed_alone() -> None:
    pairs = bitext(200)
    first, again, other = (SMALL.draw_split(pairs, seed) for seed in (5, 5, 6))
    assert (first.member == again.member).all()
    assert (first.pair_rows == again.pair_rows).all()
    assert not (first.pair_rows == other.pair_rows).all()


def test_a_memory_is_found_out(remembered: Any) -> None:
    estimates, tables = remembered
    assert estimates["accuracy"].low > 0.9
    assert estimates["auc_likelihood_ratio"].value > 0.95
    course = tables["course"]
    answers = course[course.answer].set_index("passes")
    assert answers.auc_chance_low[0] <= answers.auc[0] <= answers.auc_chance_high[0], "never trained"
    assert answers.auc[2] > answers.auc_chance_high[2]


def test_no_memory_is_chance(forgotten: Any) -> None:
    estimates, _ = forgotten
    for name in ("accuracy", "auc", "auc_bleu", "auc_likelihood_ratio"):
        assert estimates[name].low - 0.05 <= 0.5 <= estimates[name].high + 0.05, name


def test_quantile_regression_finds_a_memory_without_shadow_models_and_none_where_there_is_none(
    shared_store: Store, remembered: Any, forgotten: Any
) -> None:
    memory, null = remembered, play(0.0, shared_store, LAST, quantile=True)
    assert memory[0]["auc_quantile_reference"].value > 0.95 and memory[0]["accuracy_quantile_reference"].value > 0.9
    low, high = null[0]["auc_quantile_reference"].low, null[0]["auc_quantile_reference"].high
    assert low - 0.05 <= 0.5 <= high + 0.05
    assert "auc_quantile_reference" not in forgotten[0]
    assert null[0]["queries"].value > forgotten[0]["queries"].value, "the pairs known to be out are asked about, too"
    assert "quantile" not in TranslationOverlap().identity()
    with pytest.raises(InvalidSpec, match="needs probabilities"):
        TranslationOverlap.parse({"quantile": True, "service": "translations"})


def test_foreign_pairs_are_out_for_all(remembered: Any) -> None:
    corpora = remembered[1]["corpora"]
    foreign = corpora[corpora.role == "foreign"]
    assert len(foreign)
    assert foreign.auc.isna().all()
    assert (foreign[foreign.answer].accuracy > 0.9).all()


def test_every_figure_can_be_computed_from_the_stored_scores(remembered: Any) -> None:
    assert_computable(remembered[1])


@pytest.mark.parametrize("entry", catalog.entries_of("translation_overlap"), ids=attrgetter("name"))
def test_every_figure_that_ships_can_be_computed_from_its_scores(entry: Entry) -> None:
    result = Result.load(Store(), entry.key)
    assert result is not None
    assert_computable(result.tables)


def assert_computable(tables: Mapping[str, pd.DataFrame]) -> None:
    about = tables["corpora"].drop_duplicates("corpus").set_index("corpus")
    scores = tables["scores"].join(about["role"], on="corpus")
    methods = scores.groupby(["features", "rule"])["answer"].first()
    assert methods.sum() == 1
    assert len(scores) == 2 * len(methods) * scores["pair"].nunique()
    judged = scores[(scores["role"] != "foreign") & (scores["corpus"] != WATERMARKS)]
    figures = tables["methods"].set_index(["features", "rule"])
    assert set(methods.index) == set(figures.index)
    for method, of_method in judged.groupby(["features", "rule"]):
        assert roc_auc_score(of_method["member"], of_method["score"]) == pytest.approx(figures.loc[method, "auc"])
        right = (of_method["score"] > 0) == of_method["member"]
        assert right.mean() == pytest.approx(figures.loc[method, "accuracy"])


def test_findings_list_who_has_which_pairs(remembered: Any) -> None:
    sets = remembered[1]["sets"].set_index(["holder", "use", "corpus"]).pairs
    assert sets["target", "in_probes", "corpus_0"] == 30
    assert sets["shadow", "in_probes", "corpus_0"] == 7
    assert ("shadow", "training", "corpus_2") not in sets.index, "it is private"
    assert sets["everyone", "foreign_probes", "corpus_3"] == 30
    shown = remembered[1]["shown"]
    assert shown[shown.corpus == WATERMARKS].row.min() >= len(PAIRS) > shown[shown.corpus != WATERMARKS].row.max()
    assert set(shown[shown.corpus != WATERMARKS].row) <= set(range(len(PAIRS)))


def test_groups_are_decided_better_than_single_pairs(shared_store: Store) -> None:
    _, tables = play(0.15, shared_store, LAST, service="translations")
    groups = tables["groups"]
    bleu = groups[(groups.features == "bleu")].set_index("size").auc
    assert bleu[20] > bleu[1] + 0.1


def test_the_adversary_holds_no_label_of_the_pairs_in_question() -> None:
    """The secret bits, and the rows that give them away, are not among the objects reachable from a briefing."""
    split = SMALL.draw_split(bitext(200), seed=5)
    held = split.bitext.select(np.concatenate([split.adversary_rows, split.validation]))
    nothing = {"translations": np.empty(0, np.uint8)}
    briefing = shadows.briefed(split, held, [[nothing] * 10] * 2, seed=5)
    reached = list(reachable([briefing]))
    for array in (thing for thing in reached if isinstance(thing, np.ndarray)):
        assert not np.shares_memory(array, split.member)
        assert not np.shares_memory(array, split.pair_rows)
    assert not any(thing is split for thing in reached)
    own = (*briefing.shadows, *briefing.undefended)
    texts = {text for shadow in own for text in briefing.bitext.select(shadow.probes).sources}
    assert len(own) == 20 and not texts & set(briefing.pairs.sources)
    order = split.bitext.select(split.pair_rows).sources
    assert briefing.pairs.sources == order
    runs = np.count_nonzero(np.diff(split.member[0][split.balanced].astype(int)))
    assert runs > 0.3 * split.balanced.sum(), "members do not stand together"


def test_subsampling_leaves_out_a_part_of_each_subcorpus() -> None:
    split = SMALL.draw_split(bitext(200), seed=5)
    kept = defended(split.bitext, split.training, (Subsampling(fraction=0.5),), 1)
    for before, after in zip(split.training, kept, strict=True):
        for subcorpus in np.unique(split.bitext.corpus[before]):
            several = (split.bitext.corpus[before] == subcorpus).sum()
            assert (split.bitext.corpus[after] == subcorpus).sum() == round(0.5 * several)


def test_shadow_models_of_a_naive_adversary_learn_from_every_pair_and_targets_from_half(shared_store: Store) -> None:
    halving = (Subsampling(fraction=0.5),)
    adaptive, naive = (play(1.0, shared_store, LAST, halving, adaptive=knows) for knows in (True, False))
    assert right_on(naive, "test") > 0.95, "nothing is left out of its own training data"
    assert right_on(adaptive, "test") < 0.85, "half of the members are forgotten"
    assert naive[0]["accuracy"].value < 0.85 and adaptive[0]["accuracy"].value < 0.85
    holders = [set(tables["training"]["holder"]) for _, tables in (adaptive, naive)]
    assert holders == [{"target", "shadow", "undefended_shadow"}, {"target", "shadow"}], "who knows prepares both ways"


def right_on(game: Any, split: str) -> float:
    """Return the share of right answers on one of the adversary's splits."""
    methods = game[1]["classifiers"]
    (counts,) = methods[methods["answer"] & (methods["on"] == split)].to_dict("records")
    asked = sum(counts[name] for name in ("members_in", "members_out", "others_in", "others_out"))
    return (counts["members_in"] + counts["others_out"]) / asked


def test_a_naive_adversary_is_named_so_and_keys_of_adaptive_ones_stay() -> None:
    assert TranslationOverlap(adaptive=False).named == "Translation membership (naive adversary)"
    for service in ("scores", "translations"):
        knows, unaware = (TranslationOverlap(service=service, adaptive=adaptive).assumed for adaptive in (True, False))
        assert unaware.removeprefix(knows).startswith(" It does not know the trainer’s defense, and trains")
    assert "adaptive" not in TranslationOverlap().identity()
    assert TranslationOverlap(adaptive=False).key != TranslationOverlap().key


def test_too_few_pairs_are_refused() -> None:
    with pytest.raises(Incompatible, match="at least 40 pairs"):
        TranslationMembership(validation=10).draw_split(bitext(30), 1)
    with pytest.raises(Incompatible, match="no subcorpus is shared"):
        TranslationMembership().draw_split(bitext(100, ("private", "foreign")), 1)
    with pytest.raises(Incompatible, match="Take more pairs"):
        TranslationMembership(validation=10, splits=50).draw_split(bitext(100), 1)


def test_a_game_played_anew_without_attacks_at_earlier_epochs_is_the_same_to_the_last(
    remembered: Any, store: Store
) -> None:
    """Nor does it matter that nothing is stored: the same seed gives the same figures and tables."""
    estimates, tables = play(1.0, store, SMALL.model_copy(update={"course": ()}), quantile=True)
    assert set(tables["course"].passes) == {2}
    assert estimates == remembered[0]
    by_epoch = {"course", "quality"}
    assert all(tables[name].equals(table) for name, table in remembered[1].items() if name not in by_epoch)
    for name in by_epoch:
        last = remembered[1][name].query("passes == 2").reset_index(drop=True)
        assert tables[name].equals(last), name


@pytest.mark.parametrize("ends", [1, pytest.param(4, marks=pytest.mark.exhaustive)])
def test_shadow_models_may_train_for_fewer_or_more_epochs_than_their_target(ends: int, shared_store: Store) -> None:
    estimates, tables = play(1.0, shared_store, service="translations", shadow_model=Memoriser(ends=ends))
    assert sorted(set(tables["course"].passes)) == [0, 2], "whenever the target models were kept"
    training = tables["training"].groupby("holder").passes.max()
    assert training.to_dict() == {"shadow": ends, "target": 2}
    assert estimates["accuracy"].low > 0.9, "at the end, all are as they ended"
    early = tables["course"].set_index("passes").loc[0]
    assert (early.auc < early.auc_chance_high + 0.05).all()


def test_translators_are_attacked_only_once_there_is_one_of_each(shared_store: Store) -> None:
    game = SMALL.model_copy(update={"course": (1,)})
    course = play(1.0, shared_store, game, service="translations", shadow_model=Memoriser(ends=4))[1]["course"]
    assert set(course.passes) == {1, 2}
    answers = course[course.answer].set_index("passes")
    assert answers.auc[1] > answers.auc_chance_high[1], "half of it is learnt by then"
