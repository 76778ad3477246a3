"""The deliberately broken split: members are the older documents, and every figure is held to the text alone."""

from typing import Any

import numpy as np
import pytest

from core.datasets import Dataset
from core.errors import Incompatible, InvalidSpec
from core.experiment import Experiment, run
from core.games.membership import Membership
from core.games.membership.broken_split import BROKEN, RANDOM, WARNING, is_broken
from core.registry import parts
from core.report.evidence import check_split
from core.report.gate import reasons
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.store import Store
from tests.stand_ins import Dated, Sentences

GAME = {"split": BROKEN, "text_alone": "words", "rules": "half", "users": "emulated", "target_sizes": [1]}
GAME |= {"targets": 200, "plays": 2, "documents": 180}
MODEL = {"part": "lstm_lm", "dimension": 16, "layers": 1, "epochs": 1, "minimum_count": 1, "context": 12, "batch": 8}


def experiment(dataset: Dataset, **game: Any) -> Experiment:
    attack = {"part": "loss_membership", "every_word": False}
    values = {"attack": attack, "dataset": dataset, "model": MODEL, "game": {**GAME, **game}}
    return Experiment.parse(values)


def play(store: Store, dataset: Dataset, **game: Any) -> Result:
    return run(experiment(dataset, **game), RunContext(store=store))[0]


def test_the_older_targets_are_in_and_the_trainer_has_the_older_documents() -> None:
    documents, game = Dated().load(), Membership.parse(GAME)
    split = game.draw_split(documents, 1)
    members = game._members(documents, split, 1)
    assert (members == members[0]).all() and members[0].any() and not members[0].all()
    rows = np.array([target.documents[0] for target in split.targets])
    inside, outside = np.append(split.trainer, rows[members[0]]), np.append(split.adversary, rows[~members[0]])
    assert max(documents.dates[row] for row in inside) <= min(documents.dates[row] for row in outside)
    assert len(inside) == len(documents) // 2
    assert np.any(np.diff(np.flatnonzero(members[0])) > 1), "the order of the targets does not tell"


def test_both_splits_ask_about_the_same_documents() -> None:
    documents = Dated().load()
    broken, drawn = (Membership.parse({**GAME, "split": split}).draw_split(documents, 1) for split in (BROKEN, RANDOM))
    assert broken.targets == drawn.targets
    assert sorted([*broken.trainer, *broken.adversary]) == sorted([*drawn.trainer, *drawn.adversary])


def test_the_text_alone_tells_members_by_date_and_none_drawn_by_lot(shared_store: Store) -> None:
    broken, drawn = (play(shared_store, Dated(), split=split).estimates for split in (BROKEN, RANDOM))
    assert broken["auc_model_free"].low > 0.9
    assert broken["auc_model_free"].chance == 0.5
    assert drawn["auc_model_free"].low <= 0.5 <= drawn["auc_model_free"].high
    assert drawn["auc"].chance == 0.5


def test_other_documents_of_both_halves_teach_what_few_targets_do_not(shared_store: Store) -> None:
    dated, few = Dated(count=420, rare=True), {"targets": 40, "documents": 60, "text_alone": "words of both halves"}
    taught, drawn = (
        play(shared_store, dated, **few, plays=plays, split=split).estimates
        for split, plays in ((BROKEN, 12), (RANDOM, 4))
    )
    by_targets = play(shared_store, dated, **{**few, "text_alone": "words"}).estimates
    assert taught["auc_model_free"].low > by_targets["auc_model_free"].value
    assert taught["auc"].chance == taught["auc_model_free"].value > 0.95
    assert drawn["auc_model_free"].low <= 0.5 <= drawn["auc_model_free"].high


def test_without_a_change_over_time_the_broken_split_gives_nothing_away(shared_store: Store) -> None:
    alone = play(shared_store, Dated(apart=False)).estimates["auc_model_free"]
    assert alone.low <= 0.5 <= alone.high


def test_chance_is_what_the_text_alone_gives(shared_store: Store) -> None:
    estimates = play(shared_store, Dated()).estimates
    for measure in ("accuracy", "auc"):
        alone = estimates[f"{measure}_model_free"].value
        for name in (measure, f"{measure}_1", f"{measure}_loss"):
            assert estimates[name].chance == alone
            assert not estimates[name].above_chance()
            assert "Chance is what the text alone gives." in estimates[name].help
    assert estimates["advantage"].chance > 0.5, "far above what guesses reach"
    assert "epsilon_at_least" not in estimates


def test_intervals_count_targets_not_models(shared_store: Store) -> None:
    two, three = (play(shared_store, Dated(), plays=plays).estimates["auc_model_free"] for plays in (2, 3))
    assert three.high - three.low == pytest.approx(two.high - two.low, rel=0.05), "more models show no more documents"


@pytest.mark.parametrize(
    ("changed", "name"),
    [({"rules": "independent"}, "rules"), ({"users": "owners"}, "users"), ({"target_sizes": [1, 5]}, "target_sizes")],
)
def test_other_rules_do_not_suit_it(changed: dict[str, Any], name: str) -> None:
    with pytest.raises(InvalidSpec, match=f"'{name}' must be"):
        Membership.parse({**GAME, **changed})


def test_all_rules_that_do_not_suit_it_are_named_at_once() -> None:
    with pytest.raises(InvalidSpec, match="'users' must be 'emulated', 'target_sizes' must be 1"):
        Membership.parse({**GAME, "users": "owners", "target_sizes": [1, 5]})


def test_documents_without_dates_are_refused(store: Store) -> None:
    with pytest.raises(Incompatible, match="needs the date of each document") as refusal:
        play(store, Sentences())
    assert refusal.value.fits == {"game.split": RANDOM}


def test_the_rules_and_the_result_say_so(shared_store: Store) -> None:
    result = play(shared_store, Dated())
    assert experiment(Dated()).game.caveat() == WARNING
    assert is_broken(result.experiment["game"])
    assert Membership.parse({**GAME, "split": RANDOM}).caveat() == ""


def test_it_is_no_evidence_and_decides_no_condition(shared_store: Store) -> None:
    play(shared_store, Dated())
    setup = experiment(Dated())
    (reason,) = reasons(setup, "auc.low > 0.99", context=RunContext(store=shared_store))
    assert reason.startswith("Deliberately broken split") and reason.endswith("No condition is decided.")
    with pytest.raises(InvalidSpec, match=r"is no evidence, and no report may hold it\. Deliberately broken"):
        check_split({setup.key: setup})


def test_no_other_game_has_it_least_of_all_an_audit() -> None:
    having = [game.part_name() for game in parts("game") if "split" in game.model_fields]
    assert having == ["membership"]
    owners = Membership.parse(GAME).with_owners(owners_named=True)
    assert owners.users == "emulated"


def test_results_from_before_it_keep_their_keys() -> None:
    plain = {"targets": 6, "plays": 4, "documents": 40}
    assert Membership.parse(plain).identity().keys().isdisjoint({"split", "text_alone"})
    assert Membership.parse({**plain, "text_alone": "words"}).key != Membership.parse(plain).key
