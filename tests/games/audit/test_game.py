"""The audit of one model: a leak is found, a model that never saw the documents is at chance, secrets stay secret."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest

from core.access import Access, OwnWordVectors
from core.adversaries.pairs.shadows import ShadowModels
from core.errors import Incompatible
from core.experiment import Experiment, run
from core.games import Setup
from core.games.audit import Audit
from core.games.audit.contract import AuditAttack
from core.games.audit.eligible import FEWEST
from core.games.calibrated_audit import CalibratedAudit
from core.games.membership.contract import Adversary, Answer, Briefing
from core.models.word2vec import Word2vec
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.store import Store
from core.text.marked import MarkedDocuments
from tests.games.audit.marked import experiment, table
from tests.games.reachable import reachable, reachable_arrays

MARKS = ["in", "out", "in", ""] * 60


class Told(AuditAttack):
    """Has been told the secret, or draws it."""

    title: ClassVar[str] = "told"
    question: ClassVar[str] = "Which are in?"
    threat: ClassVar[str] = "Somebody told the secret."
    needs: ClassVar[type[Access]] = OwnWordVectors
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    inside: ClassVar[frozenset[str]] = frozenset()
    seen: ClassVar[list[tuple[Briefing, RunContext]]] = []

    def prepare(self, briefing: Briefing, context: RunContext) -> Iterator[Adversary]:
        self.seen.append((briefing, context))
        yield _Telling(briefing, self.part_name(), self.inside)


class _Telling(Adversary):
    shadows = 0

    def __init__(self, briefing: Briefing, variant: str, inside: frozenset[str]) -> None:
        self.labels, self.variant, self.inside = [target.label for target in briefing.targets], variant, inside

    def answer(self, target: int, access: Access) -> Answer:
        if not self.inside:
            return Answer(float(np.random.default_rng(target).normal()))
        return Answer(1.0 if self.labels[target] in self.inside else -1.0)


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    return table(MARKS)


@pytest.fixture(scope="module")
def leaking(rows: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory, shared_store: Store) -> Result:
    return run(experiment(tmp_path_factory.mktemp("leak"), rows), RunContext(store=shared_store))[0]


def told(folder: Path, rows: pd.DataFrame, inside: frozenset[str], store: Store) -> Result:
    Told.inside = inside
    Told.seen.clear()
    return run(experiment(folder, rows, attack=Told(), seed=4), RunContext(store=store))[0]


def test_what_a_model_was_trained_on_is_found(leaking: Result) -> None:
    accuracy, area = leaking.estimates["accuracy"], leaking.estimates["auc"]
    assert accuracy.above_chance() and area.above_chance()
    assert area.value > 0.75
    assert accuracy.members == accuracy.nonmembers == 60
    assert "this one model" in accuracy.help
    assert leaking.estimates["queries"].value > 0


def test_the_blind_baseline_is_at_chance_where_texts_are_alike(leaking: Result) -> None:
    assert not leaking.estimates["auc_model_free"].above_chance()


def test_its_tables_agree_with_its_figures(leaking: Result) -> None:
    scores = leaking.tables["scores"].query("variant == 'word_pair_audit'")
    assert (scores["guess"] == scores["member"]).mean() == pytest.approx(leaking.estimates["accuracy"].value)
    figures = leaking.tables["figures"].set_index(["variant", "measure"])
    assert figures.loc[("word_pair_audit", "auc"), "low"] == leaking.estimates["auc"].low
    assert set(leaking.tables["roc"]["variant"]) == {"model_free", "word_pair_audit", "uncalibrated", "l2_distance"}
    targets = leaking.tables["targets"]
    assert [MARKS[rows[0]] == "in" for rows in targets["documents"]] == targets["member"].tolist()


def test_a_model_never_trained_on_the_documents_is_at_chance(
    rows: pd.DataFrame, tmp_path: Path, leaking: Result, shared_store: Store
) -> None:
    null, _ = run(experiment(tmp_path, rows, learnt=""), RunContext(store=shared_store))
    assert null.provenance.trainings < leaking.provenance.trainings, "shadow models serve another model"
    for name, figure in null.estimates.items():
        if figure.chance is not None and "model_free" not in name:
            assert figure.low <= figure.chance <= figure.high, name


def test_an_adversary_that_knows_the_secret_is_always_right(rows: pd.DataFrame, tmp_path: Path, store: Store) -> None:
    inside = frozenset(f"document {row + 1}" for row, mark in enumerate(MARKS) if mark == "in")
    accuracy = told(tmp_path, rows, inside, store).estimates["accuracy"]
    assert accuracy.value == 1.0
    assert 0.9 < accuracy.low < 1.0


def test_a_guess_is_at_chance_and_the_briefing_holds_no_marks(rows: pd.DataFrame, tmp_path: Path, store: Store) -> None:
    result = told(tmp_path, rows, frozenset(), store)
    assert result.estimates["auc"].low <= 0.5 <= result.estimates["auc"].high
    secret = result.tables["targets"]["member"].to_numpy()
    (given,) = Told.seen
    assert not [thing for thing in reachable(given) if isinstance(thing, MarkedDocuments)]
    for array in reachable_arrays(given):
        if array.shape == secret.shape and array.dtype.kind in "bif":
            assert abs(np.corrcoef(array, secret)[0, 1]) < 0.5


def test_too_few_marks_are_refused_with_the_count(tmp_path: Path, store: Store) -> None:
    with pytest.raises(Incompatible, match="30 documents are marked in and 8 out"):
        run(experiment(tmp_path, table(["in"] * 30 + ["out"] * 8)), RunContext(store=store))


@pytest.mark.parametrize("knows_outs", [False, True])
@pytest.mark.parametrize("users", ["documents", "owners"])
def test_each_count_of_a_refusal_is_explained_and_the_fewest_marks_do(users: str, knows_outs: bool) -> None:
    game = (CalibratedAudit if knows_outs else Audit)(users=users)
    least = game.takes(FEWEST)

    def marked(inside: int, outside: int) -> MarkedDocuments:
        texts = tuple(map(str, range(inside + outside)))
        return MarkedDocuments(texts, texts, members=("in",) * inside + ("out",) * outside)

    assert len(game.draw(marked(*least), 1).targets) == 2 * FEWEST
    for short in ((least[0] - 1, least[1]), (least[0], least[1] - 1)):
        with pytest.raises(Incompatible, match=f"takes at least {least[0]} {users} in and {least[1]} out:"):
            game.draw(marked(*short), 1)
    with pytest.raises(Incompatible) as refused:
        game.draw(marked(31, 70), 1)
    outs = "a random half, 35, as it knows the others to be out" if knows_outs else "all"
    assert str(refused.value) == (
        f"31 {users} are marked in and 70 out. Of those in, a random half may be targets, 16, as the adversary has the "
        f"others unmarked; of those out, {outs}. An audit needs 20 targets in and 20 out, which takes at least "
        f"{least[0]} {users} in and {least[1]} out: with fewer, it cannot conclude anything."
    )


def test_what_cannot_be_played_is_said_before_any_training(rows: pd.DataFrame, tmp_path: Path, store: Store) -> None:
    def setup(audit: Experiment) -> Setup[Any, Any, Any]:
        return Setup(audit.dataset, audit.model, (), audit.attack, 1, RunContext(store=store))

    Audit().check_contents(setup(experiment(tmp_path, rows)))
    few = setup(experiment(tmp_path, table(["in", "out"] * 60, owners=6)))
    by_owner = Audit(users="owners")
    with pytest.raises(Incompatible, match="owners are marked in"):
        by_owner.check_contents(few)
    (change,) = by_owner.alternatives(few)
    Audit(users=change["game.users"]).check_contents(few)


def test_below_a_hundred_outs_there_is_no_rate_at_one_percent() -> None:
    documents = MarkedDocuments(tuple(map(str, range(400))), members=(("in",) * 250 + ("out",) * 150))
    drawn = Audit().draw(documents, 1)
    assert drawn.member.sum() == (~drawn.member).sum() == 125
    few = MarkedDocuments(tuple(map(str, range(340))), members=(("in",) * 250 + ("out",) * 90))
    assert (~Audit().draw(few, 1).member).sum() == 90


def test_no_target_is_among_what_the_adversary_has_and_half_of_those_in_are_left_to_it() -> None:
    documents = MarkedDocuments(tuple(map(str, range(300))), members=(("in",) * 200 + ("out",) * 60 + ("",) * 40))
    drawn = Audit().draw(documents, 1)
    of_targets = {row for target in drawn.targets for row in target.documents}
    held = set(drawn.auxiliary.tolist())
    assert not of_targets & held
    assert held >= set(range(260, 300)) and len(held & set(range(200))) == 100


def test_rates_are_given_only_where_enough_are_out(leaking: Result) -> None:
    assert "tpr_at_1pct_fpr" not in leaking.estimates


def test_texts_that_differ_are_told_by_the_blind_baseline(tmp_path: Path, store: Store) -> None:
    result, _ = run(experiment(tmp_path, table(MARKS, telling=True), attack=Told()), RunContext(store=store))
    assert result.estimates["auc_model_free"].low > 0.9


def test_owners_are_asked_about_as_a_whole(tmp_path: Path, store: Store) -> None:
    marks = [mark for owner in range(100) for mark in (("in", "out")[owner % 2],) * 3]
    rows = table(marks, owners=100)
    result, _ = run(
        experiment(tmp_path, rows, attack=Told(), game={"users": "owners", "targets": 25}), RunContext(store=store)
    )
    targets = result.tables["targets"]
    assert set(targets["size"]) == {3} and targets["label"].is_unique and len(targets) == 50


def test_no_shadow_model_of_owners_lacks_documents(tmp_path: Path, store: Store) -> None:
    """Whole owners are in a shadow model or not, so that the number of their documents in it varies widely."""
    marks = [mark for owner in range(80) for mark in (("in", "out")[owner % 2],) * 10]
    audit = experiment(tmp_path, table(marks, owners=80), attack=Told(), game={"users": "owners", "documents": 1000})
    Told.seen.clear()
    run(audit, RunContext(store=store))
    ((briefing, _),) = Told.seen
    shadows = ShadowModels(briefing, Word2vec(), 500, "pool", "without_replacement", adaptive=True)
    sizes = np.array([target.size for target in briefing.targets])
    held = [int(sizes[shadows.members(item)].sum()) for item in shadows.items(500)]
    assert len(briefing.auxiliary) < briefing.documents <= len(briefing.auxiliary) + min(held)


def test_a_model_of_other_words_is_refused(rows: pd.DataFrame, tmp_path: Path, store: Store) -> None:
    audit = experiment(tmp_path, rows)
    (tmp_path / "vectors.txt").write_text("2 12\n" + "".join(f"{word}{' 0.5' * 12}\n" for word in ("nothing", "alike")))
    with pytest.raises(Incompatible, match="knows 0% of the words"):
        run(audit, RunContext(store=store))


def test_the_key_is_that_of_the_content_not_of_the_path(rows: pd.DataFrame, tmp_path: Path) -> None:
    first = experiment(tmp_path, rows)
    key = first.key
    (tmp_path / "elsewhere").mkdir()
    assert experiment(tmp_path / "elsewhere", rows).key == key
    assert experiment(tmp_path, rows, learnt="").key != key
    assert Experiment.parse(first.as_dict()) == first
