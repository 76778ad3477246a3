"""Loss membership: found where texts are memorised, at chance where no target is trained on, and all is counted."""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.access import Access
from core.access.by_word import ByWord
from core.access.language_models import TextProbabilities
from core.adversaries.dataset_inference import PValue
from core.adversaries.own_sets import Sets
from core.adversaries.text_scores import MinK, MinKPlus, Parts, loss, probabilities, zlib_ratio
from core.adversaries.top_share import TopShare
from core.attacks.loss_membership import LossMembership
from core.datasets.documents import Documents
from core.errors import Incompatible, InvalidSpec
from core.experiment import Experiment, run
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.store import Store
from core.text.vocabulary import Vocabulary
from tests.stand_ins import WORDS, Withholding

GAME = {"rules": "half", "users": "owners", "target_sizes": [1, 6], "targets": 6, "plays": 4, "documents": 40}
MODEL = {
    "part": "lstm_lm",
    "dimension": 24,
    "layers": 1,
    "epochs": 3,
    "minimum_count": 1,
    "context": 12,
    "batch": 8,
    "learning_rate": 3e-2,
}
VARIANTS = ("loss", "zlib_ratio", "min_k", "min_k_plus")


def play(store: Store, dataset: Any, attack: dict[str, Any], **changes: Any) -> Result:
    experiment = Experiment.parse({"attack": attack, "dataset": dataset, "model": MODEL, "game": GAME, **changes})
    return run(experiment, RunContext(store=store))[0]


@pytest.fixture(scope="module")
def by_probabilities(planted: Documents, shared_store: Store) -> Result:
    """The attack by the probabilities alone."""
    return play(shared_store, planted, {"part": "loss_membership"})


EVERYTHING = {"part": "loss_membership", "gradients": True, "dataset_inference": True, "top_share": 0.5}


@pytest.fixture(scope="module")
def by_everything(planted: Documents, shared_store: Store) -> Result:
    """The attack with all that it can be asked for besides."""
    return play(shared_store, planted, EVERYTHING)


@pytest.fixture(scope="module")
def null(planted: Documents, shared_store: Store) -> Result:
    """The same where no target is trained on."""
    return play(shared_store, planted, EVERYTHING, defenses=[Withholding()])


def test_memorised_texts_are_found_and_their_words_shown(planted: Documents, by_probabilities: Result) -> None:
    estimates = by_probabilities.estimates
    assert estimates["auc_6"].above_chance()
    assert estimates["auc_6"].value >= estimates["auc_1"].value, "more documents of a person tell no less"
    assert estimates["accuracy_model_free"].low <= 0.5 <= estimates["accuracy_model_free"].high
    assert all(estimates[f"auc_{variant}_6"].value > 0.6 for variant in VARIANTS)
    assert estimates["queries"].value == estimates["queries_min_k_plus"].value
    words, targets = by_probabilities.tables["words"], by_probabilities.tables["targets"].set_index("target")
    texts = planted.load().texts
    for (target, document), rows in words.groupby(["target", "document"]):
        assert rows["place"].tolist() == list(range(len(texts[targets.loc[target, "documents"][document]].split())))
    assert words["gain_in"].mean() > words["gain_out"].mean() + 0.2


LIKELIEST = {"part": "loss_membership", "told": "top", "every_word": False}


def test_the_likeliest_words_alone_tell_members_too(planted: Documents, shared_store: Store) -> None:
    estimates = play(shared_store, planted, LIKELIEST).estimates
    assert estimates["auc_6"].above_chance()
    assert "auc_min_k_plus" not in estimates


@pytest.mark.exhaustive  # test_targets_never_trained_on_come_out_at_chance shows it of all probabilities
def test_the_likeliest_words_tell_nothing_of_targets_never_trained_on(planted: Documents, shared_store: Store) -> None:
    null = play(shared_store, planted, LIKELIEST, defenses=[Withholding()]).estimates
    assert null["auc"].low <= 0.5 <= null["auc"].high


@pytest.mark.parametrize("needy", ["gradients", "every_word"])
def test_what_the_likeliest_words_do_not_give_is_refused(needy: str) -> None:
    values = {"told": "top", "every_word": False, needy: True}
    with pytest.raises(InvalidSpec, match=f"'{needy}' parameter .* must be False"):
        LossMembership.parse(values)
    LossMembership.parse({**values, needy: False})


def test_claim_and_threat_say_what_of_the_model_is_seen() -> None:
    usual, seen, whole = (
        LossMembership.parse(values) for values in ({}, {"told": "top", "every_word": False}, {"gradients": True})
    )
    least = usual.replace(every_word=False)
    assert least.claimed == LossMembership.claim and least.assumed == LossMembership.threat
    assert usual.claimed.startswith("Given the probability of every next word, the adversary")
    assert usual.assumed.endswith("may ask it for the probability of every next word at each position of any text.")
    assert seen.claimed.startswith(
        "Given the probabilities of the 20 likeliest next words, or tokens, the adversary tells"
    )
    assert seen.assumed.endswith(
        "and may ask it for the probabilities of the 20 likeliest next words, or tokens at each position of any text."
    )
    assert whole.claimed.startswith("Given the weights, the adversary tells")
    assert whole.assumed.endswith("knows how the model was trained, and has its weights.")


GRADIENTS = ("gradient_norm", "gradient_ratio")


def test_gradients_of_memorised_texts_are_short(by_everything: Result) -> None:
    estimates = by_everything.estimates
    assert all(estimates[f"auc_{variant}_6"].above_chance() for variant in GRADIENTS)
    assert estimates["auc_gradient_ratio_6"].value > 0.8


def test_what_is_asked_for_besides_leaves_the_other_statistics_as_they_are(
    by_probabilities: Result, by_everything: Result
) -> None:
    assert {name: by_everything.estimates[name] for name in by_probabilities.estimates} == by_probabilities.estimates


def test_targets_never_trained_on_come_out_at_chance(null: Result) -> None:
    of = (*VARIANTS, *GRADIENTS, "dataset_inference", "top_share")
    for name in ("auc", *(f"auc_{variant}" for variant in of)):
        assert null.estimates[name].low <= 0.5 <= null.estimates[name].high, name


def test_p_values_are_small_where_texts_are_memorised_and_not_where_no_target_is_trained_on(
    by_everything: Result, null: Result
) -> None:
    assert by_everything.estimates["auc_dataset_inference_6"].above_chance()
    level, p_values = 0.05, {}
    for name, result in (("found", by_everything), ("null", null)):
        scores, rivals = result.tables["scores"], result.tables["rivals"]
        tests = rivals[rivals["variant"] == "dataset_inference"]
        of_users = scores[scores["size"] == 6].merge(tests, on=["target", "play"], suffixes=("", "_p"))
        p_values[name] = of_users.assign(p=level * 10.0 ** -of_users["score_p"])
    members, others = (p_values["found"].loc[p_values["found"]["member"] == inside, "p"] for inside in (True, False))
    assert (members < level).mean() > 0.8 > 0.4 > (others < level).mean()
    assert (p_values["null"]["p"] < level).mean() <= 0.1


class _Told:
    """A model whose score of a document is given by its only word."""

    def __call__(self, access: Access, text: Any) -> Parts:
        return Parts(np.array([float(words[0]) for words in text]), np.ones(len(text)))


@pytest.mark.parametrize("owners", [("ann", "bob", "cyd", "dan"), ()])
def test_a_p_value_is_that_of_one_person_among_people_who_are_out(owners: tuple[str, ...]) -> None:
    outside = [["1"], ["2"], ["3"], ["5"]]
    tested = partial(PValue, "dataset_inference", score=_Told(), targets=[[["9"]], [["2"]]], outside=outside)
    sets, access = Sets(4, 1, owners), TextProbabilities(ByWord(Vocabulary(("9",)), _Fixed()))
    answers = [tested(sets=sets).answer(target, access) for target in (0, 1)]
    # (9 - 2.75) / (1.708 * sqrt(1 + 1/4)) = 3.273 with three degrees of freedom: p = 0.0234.
    assert 0.05 * 10 ** -answers[0].score == pytest.approx(0.0234, abs=2e-4)
    assert answers[0].member and not answers[1].member
    with pytest.raises(Incompatible, match="at least 3 sets of 2 documents"):
        tested(sets=Sets(4, 1), targets=[[["9"], ["8"]]]).answer(0, access)


def test_a_top_share_is_the_mean_of_the_highest_scores_beside_that_of_sets_of_its_own() -> None:
    outside = [["1"], ["2"], ["3"], ["5"]]
    targets = [[["9"], ["0"], ["0"], ["0"]], [["3"], ["3"], ["3"], ["0"]]]
    played = partial(TopShare, "top_share", score=_Told(), targets=targets, outside=outside, sets=Sets(4, 1))
    access = TextProbabilities(ByWord(Vocabulary(("9",)), _Fixed()))
    highest, all_of_them = ([played(share=share).answer(target, access) for target in (0, 1)] for share in (0.25, 1.0))
    # The highest of four documents drawn from those outside is 5 more often than in 5% of all sets.
    assert [answer.score for answer in highest] == pytest.approx([9 - 5, 3 - 5])
    assert highest[0].member and not highest[1].member
    means = [answer.score for answer in all_of_them]
    assert means[0] - means[1] == pytest.approx(9 / 4 - 9 / 4), "together they are alike"


def test_a_top_share_finds_users_of_whom_a_model_remembers_a_few_documents(by_everything: Result) -> None:
    estimates = by_everything.estimates
    assert estimates["auc_top_share_6"].above_chance()
    assert estimates["auc_top_share_1"].value == estimates["auc_1"].value, "of one document there is nothing to choose"
    assert "top_share" not in LossMembership().identity()


def of_few_owners(planted: Documents, folder: Path) -> Documents:
    """Return the documents of 14 owners: a model is asked for the perplexity of all that it is not trained on."""
    pd.read_csv(planted.source).head(14 * 12).to_csv(folder / "few.csv", index=False)
    return planted.replace(source=str(folder / "few.csv"))


@pytest.mark.exhaustive
def test_what_a_pretrained_model_is_fine_tuned_on_is_found(
    planted: Documents, shared_store: Store, tmp_path: Path
) -> None:
    """`tests/models/test_causal_lm.py` shows that such a model finds its own documents likelier than others.

    What follows from that the tests above show, and that such a model may be attacked, `test_likelihood_ratio.py`.
    """
    model = {"part": "causal_lm", "epochs": 1, "rank": 4, "context": 16, "learning_rate": 3e-2}
    game = {**GAME, "target_sizes": [6], "documents": 24}
    few = of_few_owners(planted, tmp_path)
    played = partial(play, shared_store, few, {"part": "loss_membership"}, model=model, game=game)
    result = played()
    assert result.estimates["auc"].above_chance()
    words = result.tables["words"]
    assert words["gain_in"].mean() > words["gain_out"].mean() + 2
    null = played(defenses=[Withholding()]).estimates
    assert null["auc"].low <= 0.5 <= null["auc"].high


class _Fixed:
    """A language model whose losses are given."""

    def losses(self, documents: Any) -> list[np.ndarray]:
        return [np.where(tokens == 1, np.nan, tokens.astype(float)) for tokens in documents]


def test_scores_are_those_of_their_papers_and_leave_unknown_words_out() -> None:
    access = TextProbabilities(ByWord(Vocabulary(("a", "b", "c", "d")), _Fixed()))  # their losses are 2, 3, 4 and 5
    text = [["a", "b", "c", "d"], ["d", "zz"], ["zz"]]
    assert loss(access, text).of(np.array([0])).quotient == -3.5
    assert loss(access, text).of(np.array([0, 1])).quotient == pytest.approx(-19 / 5)
    assert np.isnan(loss(access, text).of(np.array([2])).quotient)
    assert MinK(0.5)(access, text).of(np.array([0])).quotient == -4.5
    assert zlib_ratio(access, text).above.tolist() == [-14, -5, 0]
    assert access.queries == 3 * 5
    with pytest.raises(TypeError, match="the probability of every word is needed"):
        MinKPlus(0.5)(access, text)
    with pytest.raises(TypeError, match="a language model that gives probabilities"):
        probabilities(Access())


def test_private_training_that_references_have_too_few_documents_for_is_refused_before_any_training(
    planted: Documents, store: Store
) -> None:
    context, large = RunContext(store=store), {**GAME, "documents": 180}
    experiment = Experiment.parse(
        {
            "attack": {"part": "loss_membership"},
            "dataset": planted,
            "model": {**MODEL, "batch": 150},
            "game": large,
            "defenses": ["dp_sgd"],
        }
    )
    with pytest.raises(
        Incompatible, match=r"The adversary trains models of its own\. A step cannot draw 150 of"
    ) as few:
        run(experiment, context)
    would = int(str(few.value).split()[-3])
    assert not context.trainings and 0 < would < 150


@pytest.mark.parametrize("attack", ["loss_membership", "likelihood_ratio"])
def test_data_of_one_owner_for_the_adversary_are_refused_before_any_training(
    attack: str, planted: Documents, store: Store, tmp_path: Path
) -> None:
    table = pd.DataFrame({"text": [f"{word} rest" for word in WORDS], "owner": "ann"})
    table.to_csv(tmp_path / "own.csv", index=False)
    one_owner, context = {**planted.as_dict(), "source": str(tmp_path / "own.csv")}, RunContext(store=store)
    values = {"attack": {"part": attack, "shadow_data": one_owner}, "dataset": planted, "model": MODEL, "game": GAME}
    with pytest.raises(Incompatible, match="'shadow_data' holds documents of one owner"):
        run(Experiment.parse(values), context)
    assert not context.trainings
