"""One's own sentence is read by the classifiers that were trained for the victims."""

import pytest

from core.attacks.own_text import OwnText
from core.errors import InvalidSpec
from core.games.inference import Inference
from core.runtime.store import Store
from tests.stand_ins import WORDS, Sentences, Turning, WordBag, context

HALF = Inference(shadow_share=0.5, victims=100)
ASKED = ("london", WORDS[0], WORDS[1])


def read(store: Store, text: str) -> tuple[list[tuple[str, float, bool]], int]:
    used = context(store)
    attack = OwnText(text=text, keywords=ASKED)
    _, tables = HALF.play(Sentences(), WordBag(), (), attack, 1, used)
    words = tables["own_text"]
    return list(zip(words["keyword"], words["probability"], words["present"], strict=True)), used.trainings


def test_the_words_of_the_sentence_come_first(store: Store) -> None:
    ranking, trained = read(store, f"We saw {ASKED[0]} and {ASKED[1]} at dusk")
    assert trained
    assert {name for name, _, present in ranking if present} == set(ASKED[:2])
    assert {name for name, _, _ in ranking[:2]} == set(ASKED[:2])
    probabilities = [probability for _, probability, _ in ranking]
    assert probabilities == sorted(probabilities, reverse=True)
    again, trained = read(store, "Nothing of the kind was said")
    assert not trained
    assert not any(present for _, _, present in again)


@pytest.mark.parametrize("text", ["", "Ω" * 500, "🙂 🙃", "word " * 1900])
def test_any_text_is_read(text: str, store: Store) -> None:
    ranking, _ = read(store, text)
    assert len(ranking) == len(ASKED)
    assert all(0 <= probability <= 1 for _, probability, _ in ranking)


def test_behind_a_defense_the_sentence_is_defended_too(store: Store) -> None:
    used = context(store)
    attack = OwnText(text="so london it is", keywords=ASKED)
    _, tables = HALF.play(Sentences(), WordBag(), (Turning(),), attack, 1, used)
    assert tables["own_text"]["keyword"].iloc[0] == "london"
    assert attack.remark(tables).startswith("Your sentence, “so london it is”: it predicts london (")


def test_an_absurdly_long_text_is_refused_by_name() -> None:
    with pytest.raises(InvalidSpec, match="'text'"):
        OwnText.parse({"text": "x" * 100_000})
