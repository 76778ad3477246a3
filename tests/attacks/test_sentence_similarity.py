"""Runs of sentences are drawn so that nothing but their vectors tells, and a trained encoder gives them away."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from core.access import TextEmbeddings
from core.attacks.sentence_similarity import SentenceSimilarity
from core.datasets import Card, Dataset
from core.errors import Incompatible
from core.experiment import Experiment, run
from core.games.example_membership.contract import Examples, Population, Revealed
from core.models.dual_encoder import DualEncoder
from core.networks import projection
from core.result import Result
from core.runtime.seeding import generator
from core.runtime.store import Store
from core.spec import parameter
from core.text.contents import Documents
from tests.stand_ins import CARD, context

ATTACK = SentenceSimilarity(sizes=(2, 4), people=20, each=6)
NOBODY = Revealed(Documents(()), np.empty(0, np.bool_))
SMALL: dict[str, Any] = {"dimension": 24, "word_dimension": 16, "batch": 32, "learning_rate": 3e-2, "minimum_count": 1}


class Letters(Dataset):
    """People who write texts of three sentences each, all of random words."""

    title: ClassVar[str] = "letters"
    card: ClassVar[Card] = CARD

    people: int = parameter(30, "How many.", ge=1, le=1000)
    texts: int = parameter(3, "Texts of each.", ge=1, le=100)

    def load(self) -> Documents:
        rng = generator(0, "letters")
        words = [start + end for start in "bcdfghklm" for end in ("aro", "eli", "umo", "ista", "onde")]
        texts, owners = [], []
        for person in range(self.people):
            for _ in range(self.texts):
                sentences = [" ".join(rng.choice(words, 6)).capitalize() + "." for _ in range(3)]
                texts.append(" ".join(sentences))
                owners.append(f"person {person}")
        return Documents(tuple(texts), tuple(owners))


def drawn(
    documents: Documents, attack: SentenceSimilarity = ATTACK, candidates: NDArray[np.bool_] | None = None
) -> Examples:
    everybody = np.full(len(documents), True)
    population = Population(documents, everybody if candidates is None else candidates, [], 1000)
    return attack.examples(population, np.random.default_rng(0))


def counting(texts: Sequence[str]) -> NDArray[np.float32]:
    """An encoder that looks at the number of words only."""
    several = np.array([len(text.split()) for text in texts], np.float32)
    return np.stack([np.cos(several), np.sin(several)], axis=1)


def test_a_run_is_one_person_s_and_pairs_are_neighbours() -> None:
    documents = Letters().load()
    examples = drawn(documents)
    assert examples.groups == ("2 sentences", "4 sentences") and examples.answer == 1
    assert np.bincount(examples.group).tolist() == examples.usable.tolist()
    sentences = [text.replace(". ", ".\n").split("\n") for text in documents.texts]
    for row, position, run_ in zip(examples.rows, examples.positions, examples.texts, strict=True):
        assert run_[0] == sentences[row][position]
        sentences_of_run = [sentence for sentence in run_ if sentence]
        stream = [sentence for at in range(row, min(row + 3, len(documents))) for sentence in sentences[at]]
        assert sentences_of_run == stream[position : position + len(sentences_of_run)]
        assert {documents.owners[at] for at in range(row, row + 1 + run_.count(""))} == {documents.owners[row]}


def test_an_empty_sentence_stands_where_one_text_ends_and_the_next_begins() -> None:
    run_ = next(run for run in drawn(Letters().load()).texts if len([sentence for sentence in run if sentence]) == 4)
    assert run_.index("") == 3, "texts have three sentences"


def test_the_statistic_is_the_mean_cosine_of_neighbours() -> None:
    access = TextEmbeddings(counting)
    texts = (("a b", "a b c", "", "a b c d"), ("a b c", "a b"))
    several = np.arange(2)
    about = Examples(several, several, texts, ("all",), 0 * several, several[:1], several[:1], -1.0 * several)
    statistics = ATTACK.observe(about, access, NOBODY)
    assert list(statistics) == ["similarity"]
    assert statistics["similarity"] == pytest.approx([np.cos(1), np.cos(1)], abs=1e-6)
    assert access.queries == 2, "each text in a pair once, and no other"


def test_what_two_people_wrote_is_left_out() -> None:
    documents = Letters().load()
    copied = Documents((*documents.texts, documents.texts[0]), (*documents.owners, "someone else"))
    before, after = drawn(documents), drawn(copied)
    shared = tuple(documents.texts[0].replace(". ", ".\n").split("\n")[:2])
    assert shared in before.texts and shared not in after.texts
    again = Documents((*documents.texts, documents.texts[0]), (*documents.owners, documents.owners[0]))
    assert shared in drawn(again).texts, "who wrote it twice is in or out with both"


def test_people_revealed_to_the_adversary_are_never_targets() -> None:
    documents = Letters().load()
    candidates = np.array([owner != "person 3" for owner in documents.owners])
    examples = drawn(documents, candidates=candidates)
    assert all(documents.owners[row] != "person 3" for row in examples.rows)
    assert examples.usable.sum() < examples.pool.sum()


def test_the_game_is_about_people_with_enough_sentences() -> None:
    documents = Letters().load()
    rows = ATTACK.about(documents, np.random.default_rng(0))
    people, several = np.unique([documents.owners[row] for row in rows], return_counts=True)
    assert len(people) == 20 and set(several) == {2}, "two texts have the six sentences asked for"
    assert not np.array_equal(rows, ATTACK.about(documents, np.random.default_rng(1)))


@pytest.mark.parametrize(
    ("documents", "reason"),
    [
        (Letters(people=19).load(), r"At least 20 people must have 4 sentences each\. 19 have\. Take a larger dataset"),
        (Letters(texts=1).load(), r"0 have\. The largest size that fits is 3"),
    ],
)
def test_too_few_people_are_refused(documents: Documents, reason: str) -> None:
    with pytest.raises(Incompatible, match=reason):
        ATTACK.about(documents, np.random.default_rng(0))


def test_texts_without_owners_are_each_their_own() -> None:
    documents = Documents(Letters().load().texts)
    assert len(np.unique(ATTACK.owner(documents))) == len(documents)
    assert drawn(documents, ATTACK.replace(sizes=(2, 3))).answer == 1


def played(store: Store, epochs: int) -> Result:
    experiment = Experiment.parse(
        {
            "attack": ATTACK.replace(people=30, revealed=0.3),
            "dataset": Letters(people=30),
            "model": DualEncoder(epochs=epochs, **{**SMALL, "batch": 64, "learning_rate": 5e-2}),
            "game": {"couples": 4, "examples": 60},
        }
    )
    return run(experiment, context(store))[0]


def test_a_trained_encoder_gives_people_away_and_an_untrained_one_does_not(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projection, "_STEPS", 10)  # of the statistic that stands beside
    result = played(store, 5)
    assert result.estimates["auc"].low > 0.6, "four sentences"
    assert result.estimates["auc_2_sentences"].low > 0.5
    course = result.tables["course"].set_index(["passes", "statistic", "rule", "group"])
    for group in ("2 sentences", "4 sentences"):
        never = course.loc[(0, "similarity", "likelihood_ratio", group)]
        assert (
            never["auc_low"] <= 0.5 <= never["auc_high"] or never["chance_low"] <= never["auc"] <= never["chance_high"]
        )
    last = course.loc[(5, "similarity", "likelihood_ratio", "4 sentences")]
    assert last["auc"] == result.estimates["auc"].value > last["chance_high"]
    assert set(course.index.get_level_values("passes")) == {0, 1, 2, 5}
    assert set(course.index.get_level_values("statistic")) == {"similarity", "projection"}
