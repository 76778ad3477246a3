"""Words that an embedding keeps are read back; where it keeps nothing, frequency is as good."""

from typing import Any, ClassVar

import numpy as np
import pytest

from core.attacks.inversion.multilabel_inversion import MultilabelInversion
from core.datasets import Dataset
from core.errors import Incompatible
from core.experiment import Experiment, run
from core.runtime.store import Store
from core.text.contents import Documents
from tests.games.inversion.small_games import (
    ATTACKS,
    BRIEF,
    MIXED,
    YOURS,
    OpenedConstant,
    OpenedNoise,
    asked,
    plain,
    play,
)
from tests.stand_ins import CARD, Drowning, Sentences, Turning

every_attack = pytest.mark.parametrize("attack", ATTACKS)
quick_attacks = pytest.mark.parametrize(
    "attack",
    [pytest.param(name, marks=pytest.mark.exhaustive if name == "generative" else ()) for name in ATTACKS],
)
"""For what the game does to every attack alike; `tests/attacks/test_generative_inversion.py` tests the slowest."""
quickest_attacks = pytest.mark.parametrize(
    "attack",
    [
        pytest.param(name, marks=() if name in ("multilabel", "relaxed", "sparse") else pytest.mark.exhaustive)
        for name in ATTACKS
    ],
)
"""For what is decided before any attack begins: those among them that search for no texts."""

NOTHING = {
    "corrective": {"made_up": 100, "epochs": 4},
    "generative": {"epochs": 1, "classifier_epochs": 15, "rounds": 1},
}
"""Fields of each where there is nothing to learn."""


@every_attack
def test_what_is_the_sum_of_word_vectors_is_read_back_almost_perfectly(attack: str) -> None:
    result, _ = plain(attack, False)
    assert result.estimates["f1"].value > 0.95
    assert result.estimates["f1"].chance < 0.5
    assert result.estimates["f1_content"].value > 0.95
    guesses = attack in ("corrective", "generative")
    assert (result.estimates["queries"].value == 180) == (not guesses), "one that guesses asks more"
    yours = result.tables["yours"]
    assert set(yours[yours["named"]]["word"]) == set(YOURS.split())
    remark, words = MultilabelInversion(text=YOURS).remark(result.tables), len(set(YOURS.split()))
    assert remark.startswith(f"Your sentence, “{YOURS}”") and remark.endswith(f"; {words} of {words} stand there.")


@every_attack
@pytest.mark.parametrize("model", [OpenedNoise(), pytest.param(OpenedConstant(), marks=pytest.mark.exhaustive)])
def test_an_embedding_that_says_nothing_is_read_as_well_as_none(store: Store, attack: str, model: Any) -> None:
    """Noise tells no more than what is always the same, which plays when all tests are asked for."""
    f1 = play(store, attack, model=model, **NOTHING.get(attack, {})).estimates["f1"]
    assert f1.value < f1.chance + 0.05


@quick_attacks
def test_texts_of_another_kind_teach_the_words_they_share(attack: str) -> None:
    result, _ = plain(attack, True)
    rarity = result.tables["rarity"].set_index("fewest")
    assert rarity.loc[20, "recall"] > 0.6, "the words that both have"
    assert rarity.loc[1, "recall"] < rarity.loc[20, "recall"], "those of a few texts only"
    assert result.estimates["f1"].low > result.estimates["f1"].chance


@quickest_attacks
@pytest.mark.parametrize("strange", [False, True])
def test_no_victims_text_is_among_the_adversarys(attack: str, strange: bool) -> None:
    result, seen = plain(attack, strange)
    texts = Sentences(count=300, share=0, words=MIXED).load().texts
    assert seen and not {texts[row] for row in result.tables["words"]["row"]} & seen


@every_attack
def test_the_same_texts_are_not_auxiliary_too(attack: str) -> None:
    dataset = Sentences(count=300, share=0)
    with pytest.raises(Incompatible, match="must be others than the victims'"):
        run(asked(attack, dataset=dataset, auxiliary=dataset))


@every_attack
def test_too_few_texts_are_refused(store: Store, attack: str) -> None:
    with pytest.raises(Incompatible, match=r"texts\. The adversary has 12"):
        play(store, attack, dataset=Sentences(count=20, share=0))
    with pytest.raises(Incompatible, match="0 of 0 texts of the holder have a word"):
        play(store, attack, dataset=Sentences(count=0))


@quick_attacks
def test_an_adversary_who_knows_the_defense_reads_behind_it(store: Store, attack: str) -> None:
    result = play(store, attack, defenses=[Turning()])
    estimates = result.estimates
    assert estimates["f1"].value > 0.9
    assert estimates["f1"].low > estimates["f1_naive"].high
    assert set(result.tables["readings"]["variant"]) == {f"{attack}_inversion", "naive", "frequency"}
    if "search" in result.tables:
        assert result.tables["search"]["closeness"].iloc[-1] > 0.9, "proposals are embedded behind it too"


@every_attack
@pytest.mark.sampled(every=5)
def test_a_defense_that_leaves_nothing_leaves_frequency(store: Store, attack: str) -> None:
    """That every attack is at chance where it learns nothing, `test_an_embedding_that_says_nothing...` shows."""
    estimates = play(store, attack, defenses=[Drowning()], **NOTHING.get(attack, {})).estimates
    assert estimates["f1"].value < estimates["f1"].chance + 0.05


@every_attack
@pytest.mark.sampled(every=5)
def test_the_use_that_is_left_is_measured_where_texts_have_classes(store: Store, attack: str) -> None:
    """It is that of the embeddings, whatever the attack."""
    dataset = Sentences(count=300, share=0.5, words=MIXED, labelled=True)
    assert play(store, attack, dataset=dataset, **BRIEF[attack]).estimates["utility"].above_chance()


@every_attack
@pytest.mark.parametrize("defense", ["rounding", "laplace", "adversarial_mapping", "subspace_projection"])
def test_every_defense_of_embeddings_can_be_tried(attack: str, defense: str) -> None:
    assert Experiment.preset(f"{attack}_inversion", "demo", defenses=[defense]).defenses


@every_attack
@pytest.mark.sampled(every=5)
def test_a_text_without_words_is_no_victim(store: Store, attack: str) -> None:
    """The game draws victims before any attack prepares."""

    class Silent(Dataset):
        """Texts of which some have no word."""

        title: ClassVar[str] = "silent"
        card: ClassVar[Any] = CARD

        def load(self) -> Documents:
            texts = Sentences(count=160, share=0).load().texts
            return Documents(tuple(text if row % 2 else "?" * row for row, text in enumerate(texts)))

    words = play(store, attack, dataset=Silent(), **BRIEF[attack]).tables["words"]
    assert (words["there"] > 0).all()
    assert np.unique(words["victim"]).size >= 5
