"""The game draws the secret, keeps it, and scores fairly."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from core.access import Access
from core.attacks.word_pairs import WordPairs
from core.datasets.documents import Documents
from core.defenses.vector_noise import VectorNoise
from core.errors import Incompatible
from core.experiment import Experiment, run
from core.games import Setup
from core.games.membership import Membership, fit
from core.games.membership.contract import Adversary, Answer, Briefing
from core.models.word2vec import Word2vec
from core.result import Result, Tables
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.runtime.store import Store
from core.statistics.decisions import Decisions
from core.statistics.jackknife import figures_over_targets
from tests.games.reachable import reachable_arrays
from tests.stand_ins import Withholding

SMALL = {"users": "owners", "target_sizes": [10], "targets": 6, "plays": 12, "documents": 150}


def experiment(dataset: Any, **changes: Any) -> Experiment:
    attack = {"part": "word_pairs", "shadow_pairs": 12, **changes.pop("attack", {})}
    game = {**SMALL, **changes.pop("game", {})}
    model = {"part": "word2vec", "dimension": 16, "minimum_count": 2, "epochs": 15, "window": 4, "subsampling": 0}
    model |= changes.pop("model", {})
    return Experiment.parse({"attack": attack, "dataset": dataset, "model": model, "game": game, **changes})


@pytest.fixture(scope="module")
def plain(planted: Any, shared_store: Store) -> Result:
    """The attack where nothing is in its way."""
    result, cached = run(experiment(planted), RunContext(store=shared_store))
    assert not cached
    return result


def test_a_planted_pair_is_found(plain: Result) -> None:
    accuracy = plain.estimates["accuracy"]
    assert accuracy.low > 0.5
    assert accuracy.value > 0.8
    heaviest = plain.tables["pairs"].query("rank == 0")
    assert (heaviest["occurrences"] >= 30).mean() > 0.8, "a pair of the planted phrase carries the most weight"
    assert (heaviest["weight"] < 0).all(), "it is closer in models that were trained on the target"


def test_a_fresh_result_lists_its_figures_in_the_order_of_a_stored_one(
    plain: Result, planted: Any, shared_store: Store
) -> None:
    again, cached = run(experiment(planted), RunContext(store=shared_store))
    assert cached and again.estimates == plain.estimates
    assert list(again.estimates) == list(plain.estimates)


def test_the_figures_of_every_rival_follow_from_its_scores(plain: Result) -> None:
    bits = plain.tables["scores"][["target", "play", "member"]]
    rivals = plain.tables["rivals"].merge(bits, on=["target", "play"])
    last = plain.tables["curve"].query("size == 0 and penalty.isna()").groupby("variant").tail(1).set_index("variant")
    assert set(rivals["variant"]) == set(last.index) - {"word_pairs"} > {"model_free"}
    for variant, decisions in rivals.groupby("variant"):
        assert (decisions["guess"] == decisions["member"]).mean() == pytest.approx(last.at[variant, "accuracy"])
        assert roc_auc_score(decisions["member"], decisions["score"]) == pytest.approx(last.at[variant, "auc"])


def test_targets_never_used_come_out_at_chance(planted: Any, store: Store) -> None:
    result, _ = run(experiment(planted, defenses=[Withholding()], attack={"adaptive": False}), RunContext(store=store))
    accuracy = result.estimates["accuracy"]
    assert accuracy.low <= 0.5 <= accuracy.high


def test_the_model_free_baseline_is_at_chance(planted: Any, store: Store) -> None:
    unlearnt = {"epochs": 1, "dimension": 2}
    few = experiment(planted, model=unlearnt, game={"plays": 30}, attack={"shadow_pairs": 2, "baselines": False})
    result, _ = run(few, RunContext(store=store))
    model_free = result.estimates["accuracy_model_free"]
    assert model_free.low <= 0.5 <= model_free.high


def test_half_of_each_size_is_in_under_the_rules_of_figure_2() -> None:
    game = Membership.parse({**SMALL, "rules": "half", "target_sizes": [2, 4]})
    secret = game.draw(3)
    assert (secret[:, :6].sum(axis=1) == 3).all()
    assert (secret[:, 6:].sum(axis=1) == 3).all()
    assert len(np.unique(secret, axis=0)) > 1


def test_no_attack_can_read_the_bits(planted: Any, store: Store) -> None:
    """Nothing that an attack is handed leads to the secret, not even through the interpreter's own references."""
    seen: list[Any] = []

    class Spy(WordPairs):
        def prepare(self, briefing: Briefing, context: RunContext) -> Any:
            seen.extend([briefing, context])
            for adversary in super().prepare(briefing, context):
                original = type(adversary).answer

                def answer(target: int, access: Access, adversary: Any = adversary, original: Any = original) -> Any:
                    seen.append(access)
                    return original(adversary, target, access)

                object.__setattr__(adversary, "answer", answer)
                yield adversary

    game = Membership.parse(SMALL)
    attack = Spy(shadow_pairs=2, baselines=False)
    game.play(planted, Word2vec(dimension=8, minimum_count=2, epochs=2), (), attack, 5, RunContext(store=store))
    secret = game.draw(5)
    for array in reachable_arrays(seen):
        assert array.shape != secret.shape or not np.array_equal(array.astype(bool), secret)
    briefing = seen[0]
    assert briefing.seed != 5
    guesses = generator(briefing.seed, "secret").random(secret.shape) < 0.5
    assert not np.array_equal(guesses, secret)


def test_the_trainer_and_the_adversary_share_only_the_targets(planted: Any) -> None:
    game = Membership.parse(SMALL)
    split = game.draw_split(planted.load(), 1)
    taken = {row for target in split.targets for row in target.documents}
    assert not taken & set(split.trainer.tolist())
    assert not taken & set(split.adversary.tolist())
    assert not set(split.trainer.tolist()) & set(split.adversary.tolist())


def test_halved_by_owner_nobody_has_documents_on_both_sides(planted: Any) -> None:
    documents, game = planted.load(), Membership.parse(SMALL)
    by_owner = game.replace(halves="owners")
    split = by_owner.draw_split(documents, 1)
    trainers, adversarys = ({documents.owners[row] for row in rows} for rows in (split.trainer, split.adversary))
    assert trainers and adversarys and not trainers & adversarys
    assert abs(len(split.trainer) - len(split.adversary)) <= 12, "no owner has more documents"
    assert split.targets == game.draw_split(documents, 1).targets
    assert "halves" not in game.identity(), "results from before there was a choice keep their keys"
    assert by_owner.identity() != game.identity()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"documents": 100_000}, "nearest training set that fits is"),
        ({"target_sizes": [13]}, "Too few owners have 13 .* with 6 targets of each size and target sizes 6"),
        ({"target_sizes": [400], "users": "emulated"}, "with 6 targets of each size and target sizes 20"),
    ],
)
def test_a_dataset_too_small_is_refused_with_what_fits(planted: Any, changes: dict[str, Any], says: str) -> None:
    with pytest.raises(Incompatible, match=says):
        Membership.parse({**SMALL, **changes}).draw_split(planted.load(), 1)


def owned(folder: Path, documents: int) -> Documents:
    """Documents of six owners, who have as many each."""
    file = folder / "own.csv"
    rows = "".join(f"a note about the price of gas {number},p{number % 6}\n" for number in range(documents))
    file.write_text(f"text,owner\n{rows}")
    return Documents(source=str(file), owner_column="owner")


FEW = {"rules": "half", "users": "owners", "halves": "owners", "targets": 20, "target_sizes": [1, 5], "documents": 100}


def test_settings_that_could_conclude_nothing_are_not_proposed_where_others_can(tmp_path: Path) -> None:
    game, contents = Membership.parse(FEW), owned(tmp_path, 60).load()
    with pytest.raises(Incompatible, match=r"With real owners, 2 targets fit at most\. Nothing can be") as refused:
        game.draw_split(contents, 1)
    assert "100 documents, 60 of them of targets that are in, takes 40 others from each" in str(refused.value)
    fits = {name.removeprefix("game."): value for name, value in refused.value.fits.items()}
    proposed = game.replace(**fits)
    assert fits["users"] == "emulated" and proposed.targets * len(proposed.target_sizes) >= 4
    proposed.draw_split(contents, 1)


@pytest.mark.parametrize("documents", [60, 100, 300])
def test_what_is_proposed_leaves_the_adversary_as_many_documents_as_targets_have(
    tmp_path: Path, documents: int
) -> None:
    game, contents = Membership.parse({**FEW, "users": "emulated", "halves": "documents"}), owned(tmp_path, documents)
    with pytest.raises(Incompatible) as refused:
        game.replace(documents=1000).draw_split(contents.load(), 1)
    proposed = game.replace(**{name.removeprefix("game."): value for name, value in refused.value.fits.items()})
    in_training = proposed.targets // 2 * sum(proposed.target_sizes)
    assert len(proposed.draw_split(contents.load(), 1).adversary) >= in_training
    assert proposed.targets * len(proposed.target_sizes) >= fit.CONCLUSIVE_TARGETS


@pytest.mark.parametrize("rules", ["independent", "half"])
def test_where_nothing_could_be_concluded_it_is_said_what_that_takes(tmp_path: Path, rules: str) -> None:
    game = Membership.parse({**FEW, "users": "emulated", "halves": "documents", "rules": rules})
    needed = 44 if rules == "independent" else 40
    for documents in (needed - 1, needed):
        with pytest.raises(Incompatible) as refused:
            game.draw_split(owned(tmp_path, documents).load(), 1)
        message = str(refused.value)
        proposed = game.replace(**{name.removeprefix("game."): value for name, value in refused.value.fits.items()})
        concludes = proposed != game and proposed.targets >= fit.CONCLUSIVE_TARGETS
        assert concludes == (documents == needed), message
        assert (f"To show a strong leak takes at least {needed} documents; a weak one" in message) is not concludes
        assert ("It fits, but: nothing can be concluded" in message) == (proposed != game and not concludes)


def test_so_many_targets_are_the_fewest_that_show_a_perfect_attack() -> None:
    for targets in (fit.CONCLUSIVE_TARGETS - 1, fit.CONCLUSIVE_TARGETS):
        member = np.array([np.arange(targets) % 2 == play % 2 for play in range(50)])
        perfect = Decisions(member, np.where(member, 1.0, -1.0))
        accuracy = figures_over_targets(perfect, ["accuracy"], np.random.default_rng(1))["accuracy"]
        assert (accuracy.low > 0.5) == (targets == fit.CONCLUSIVE_TARGETS)


@pytest.mark.parametrize(("right", "shows"), [(0.95, True), (0.55, False)])
def test_so_many_targets_show_a_strong_leak_and_mostly_miss_a_weak_one(right: float, shows: bool) -> None:
    rng, shown = np.random.default_rng(1), []
    for _ in range(20):
        member = np.array([rng.permutation(np.arange(fit.CONCLUSIVE_TARGETS) % 2 == 0) for _ in range(50)])
        decisions = Decisions(member, np.where(member == (rng.random(member.shape) < right), 1.0, -1.0))
        shown.append(figures_over_targets(decisions, ["accuracy"], rng)["accuracy"].low > 0.5)
    assert np.mean(shown) > 0.9 if shows else np.mean(shown) < 0.5


@pytest.mark.parametrize("rules", ["independent", "half"])
@pytest.mark.parametrize("users", ["emulated", "owners"])
@pytest.mark.parametrize(
    "changes",
    [{"documents": 1000}, {"documents": 240}, {"documents": 60}, {"documents": 1000, "targets": 30}],
    ids=["too large", "a little too large", "too small for the targets", "too many targets"],
)
def test_the_advice_of_a_refusal_passes_every_check(
    planted: Any, store: Store, rules: str, users: str, changes: dict[str, Any]
) -> None:
    fields = {"target_sizes": [12], "targets": 15, "plays": 40, "rules": rules, "users": users, **changes}
    game = Membership.parse(fields)
    with pytest.raises(Incompatible) as refused:
        game.play(planted, Word2vec(dimension=8), (), WordPairs(shadow_pairs=2), 1, RunContext(store=store))
    advised = re.search(r"training set that fits is (\d+)(?:, with (\d+) targets of each size)?\.$", str(refused.value))
    assert advised is not None, refused.value
    with pytest.raises(Incompatible, match=re.escape(advised[0])) as checked:
        game.check_contents(setup_of(planted, planted.load(), 1))
    better = game.replace(documents=int(advised[1]), targets=int(advised[2] or game.targets))
    fits = {name.removeprefix("game."): value for name, value in checked.value.fits.items()}
    assert checked.value.fits == refused.value.fits and game.replace(**fits) == better
    assert better.documents >= min(game.documents, 80) and better.targets >= 10, "no smaller than need be"
    better.check_contents(setup_of(planted, planted.load(), 1))
    assert max(12 * members.sum() for seed in range(9) for members in better.draw(seed)) <= better.documents


@pytest.mark.parametrize(
    "fields",
    [
        {"target_sizes": [1, 10, 100], "targets": 10, "documents": 10_000, "users": "emulated"},
        {"target_sizes": [13], "targets": 500, "users": "owners"},
        {"target_sizes": [20], "targets": 8, "documents": 1000, "users": "owners"},
    ],
)
@pytest.mark.parametrize("owned", [True, False])
@pytest.mark.parametrize("documents", [42, 60, 480])
def test_settings_that_a_refusal_names_fit_at_once(
    planted: Any, fields: dict[str, Any], owned: bool, documents: int
) -> None:
    contents = planted.load().select(range(documents))
    contents = contents if owned else replace(contents, owners=())
    game = Membership.parse(fields)
    with pytest.raises(Incompatible) as refused:
        game.check_contents(setup_of(planted, contents, 3))
    better = game.replace(**{name.removeprefix("game."): value for name, value in refused.value.fits.items()})
    better.check_contents(setup_of(planted, contents, 3))
    assert owned or better.users == "emulated"
    with pytest.raises(Incompatible, match=r"No setting fits\. To show a strong leak takes at least 44 documents"):
        game.check_contents(setup_of(planted, contents.select(range(41)), 3))


def test_an_adversary_under_another_name_is_refused_with_the_name_that_counts(planted: Any, store: Store) -> None:
    class OtherName(WordPairs):
        def prepare(self, briefing: Briefing, context: RunContext) -> Any:
            for adversary in super().prepare(briefing, context):
                object.__setattr__(adversary, "variant", "closest")
                yield adversary

    attack, model = OtherName(shadow_pairs=2, baselines=False), Word2vec(dimension=8, minimum_count=2, epochs=1)
    with pytest.raises(Incompatible, match=rf"'variant' must be '{OtherName.part_name()}'.* Got 'closest' instead"):
        Membership.parse(SMALL).play(planted, model, (), attack, 5, RunContext(store=store))


@pytest.mark.parametrize("unknown", [range(6), [4]])
def test_a_score_that_is_no_number_is_refused(planted: Any, store: Store, unknown: Sequence[int]) -> None:
    class Blank(WordPairs):
        def prepare(self, briefing: Briefing, context: RunContext) -> Any:
            for adversary in super().prepare(briefing, context):
                yield Blanked(self.part_name(), adversary.shadows, unknown)

        def explain(self, *_: Any) -> Tables:
            return {}

    attack, model = Blank(shadow_pairs=2, baselines=False), Word2vec(dimension=8, minimum_count=2, epochs=1)
    with pytest.raises(
        Incompatible, match=rf"{12 * len(unknown)} of 72 are nan, first that of size 10, play 0, target "
    ):
        Membership.parse(SMALL).play(planted, model, (), attack, 5, RunContext(store=store))


class Blanked(Adversary):
    """An adversary that can tell nothing of some targets, and says so by a score that is no number."""

    def __init__(self, variant: str, shadows: int, unknown: Sequence[int]) -> None:
        self.variant, self.shadows, self.unknown = variant, shadows, unknown

    def answer(self, target: int, access: Access) -> Answer:
        return Answer(float("nan") if target in self.unknown else 1.0)


def test_queries_are_counted(plain: Result) -> None:
    words = plain.tables["pairs"].groupby("target").apply(lambda pairs: len({*pairs["first"], *pairs["second"]}))
    assert plain.estimates["queries"].value == pytest.approx(words.mean())


def test_equal_experiments_give_equal_bytes(planted: Any, store: Store, tmp_path: Any) -> None:
    other = Store(root=tmp_path / "other", shipped=store.shipped)
    one = experiment(planted, attack={"shadow_pairs": 2}, game={"plays": 2}, model={"epochs": 2})
    run(one, RunContext(store=store))
    run(one, RunContext(store=other))
    mine, theirs = store.get_files(one.key), other.get_files(one.key)
    assert mine is not None
    assert theirs is not None
    assert {name: data for name, data in mine.items() if name != "provenance.json"} == {
        name: data for name, data in theirs.items() if name != "provenance.json"
    }
    assert Result.load(store, one.key) is not None


def test_noise_on_vectors_costs_neighbours_and_trains_no_target_again(
    planted: Any, plain: Result, shared_store: Store
) -> None:
    context, unaware = RunContext(store=shared_store), {"adaptive": False}
    noisy, _ = run(experiment(planted, defenses=[VectorNoise(scale=20.0)], attack=unaware), context)
    assert noisy.provenance.trainings == 0, "targets and shadows are those without noise"
    assert noisy.estimates["neighbours_kept"].value < 0.3
    assert noisy.estimates["auc"].value < plain.estimates["auc"].value - 0.2
    adaptive, _ = run(experiment(planted, defenses=[VectorNoise(scale=20.0)]), RunContext(store=shared_store))
    assert adaptive.provenance.trainings == 24, "the adversary adds noise to shadows of its own"


def setup_of(dataset: Any, contents: Any, seed: int) -> Setup[Any, Any, Any]:
    return Setup(dataset, Word2vec(), (), WordPairs(), seed, RunContext(), contents)
