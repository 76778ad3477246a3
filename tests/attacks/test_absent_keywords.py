"""Absent keywords: drawn once for all seeds, and only a false alarm is a mistake."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.attacks.keyword_inference import KeywordInference
from core.errors import Incompatible, InvalidSpec
from core.games.inference import Inference
from core.runtime.store import Store
from core.text.contents import Documents
from core.text.secrets import Keyword
from tests.stand_ins import WORDS, Constant, Sentences, WordBag, context

MENU = ("pizza", "pasta", "salad", "bread", "wine", "beer", "soup", "rice", "fish", "cake")
REVIEWS = Sentences(stream=1, count=300, share=0.0, words=(*MENU, *WORDS[:8]))
TALK = Sentences()


class Given(Sentences):
    """Texts as they are given, in the place of random ones."""

    texts: tuple[str, ...] = ()

    def load(self) -> Documents:
        return Documents(self.texts)


def asking(count: int = 5, **fields: Any) -> KeywordInference:
    values = {"absent": count, "external": REVIEWS, "rivals": False, **fields}
    return KeywordInference.parse(values)


@pytest.mark.parametrize(("knowledge", "least"), [("white_box", 0.8), ("black_box", 0.5)])
def test_absent_is_the_right_answer_for_absent_words(knowledge: str, least: float, store: Store) -> None:
    game = Inference(shadow_share=0.5, victims=60)
    estimates, tables = game.play(TALK, WordBag(), (), asking(3, knowledge=knowledge), 1, context(store))
    inferred = tables["inferred"]
    words = inferred["secret"].tolist()[:-1]
    assert len(words) == 3
    assert set(words) < set(MENU), "drawn from the external texts"
    assert not any(Keyword(word).read(text) for word in words for text in TALK.load().texts)
    assert inferred["chance"].tolist() == [1.0] * 4, "always answering absent is always right"
    assert set(tables["guesses"]["truth"]) == {"absent"}
    assert set(inferred["victims"]) == {60}, "as many victims as the game allows"
    assert estimates["accuracy"].chance == 1
    assert not estimates["accuracy"].above_chance()
    assert least < estimates["accuracy"].value <= 1


def test_a_constant_embedding_gives_no_false_alarm(store: Store) -> None:
    estimates, _ = Inference(shadow_share=0.5).play(TALK, Constant(), (), asking(texts=20), 1, context(store))
    assert estimates["accuracy"].value == 1
    assert estimates["accuracy"].low > 0.95


def test_every_victim_is_used_where_the_game_allows_more(store: Store) -> None:
    _, tables = Inference(shadow_share=0.5).play(TALK, Constant(), (), asking(1, texts=20), 1, context(store))
    assert set(tables["inferred"]["victims"]) == {200}


def test_whatever_the_seed_the_words_are_the_same(store: Store) -> None:
    game, attack = Inference(shadow_share=0.5, victims=20), asking(2, texts=20)
    one, other = (game.play(TALK, Constant(), (), attack, seed, context(store))[1] for seed in (1, 2))
    assert one["inferred"]["secret"].tolist() == other["inferred"]["secret"].tolist()
    assert one["guesses"]["row"].tolist() != other["guesses"]["row"].tolist()


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"keywords": ("london",)}, "keywords or a number of absent words, not both"),
        ({"external": None}, "Absent words are drawn from external texts: choose a dataset for 'external'"),
        ({"external": None, "knowledge": "black_box"}, "needs external texts: choose a dataset for 'external'"),
        ({"count": 11}, "must have 11 words that the dataset lacks. They have 10; ask for fewer"),
        ({"external": TALK}, "They have 0; ask for fewer"),
        ({"external": TALK, "knowledge": "black_box"}, "must be others than the victims'"),
        ({"external": Sentences(count=0)}, "They have 0; ask for fewer"),
    ],
)
def test_impossible_requests_are_refused(fields: dict[str, Any], says: str, store: Store) -> None:
    with pytest.raises(Incompatible, match=says):
        Inference(shadow_share=0.5).play(TALK, WordBag(), (), asking(**fields), 1, context(store))


@pytest.mark.parametrize("count", [-1, 61])
def test_a_number_without_sense_is_refused(count: int) -> None:
    with pytest.raises(InvalidSpec, match="'absent'"):
        asking(count)


@given(
    texts=st.lists(st.text("kKiI\u0130\u0131\u017f\u00df\u212a sS\u0307_", max_size=9), max_size=6),
    words=st.lists(st.text("kKiI\u0130\u0131\u017f\u00df\u212asS", min_size=1, max_size=4), min_size=1, max_size=6),
)
@settings(max_examples=30)
def test_in_no_alphabet_is_a_drawn_word_in_a_text(texts: list[str], words: list[str]) -> None:
    """Dotless and dotted letters, the long s and others are read in either case."""
    external = Given(texts=("pizza pasta", *words))
    for secret in asking(2, external=external).secrets(Given(), Documents(tuple(texts))):
        assert not any(secret.read(text) for text in texts)
