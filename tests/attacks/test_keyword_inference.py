"""Keyword inference finds the words that a bag of words plants; what it is given is checked."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.access import SentenceEmbeddings
from core.attacks.keyword_inference import KeywordInference
from core.datasets.dictionaries.common_words import CommonWords
from core.datasets.patterns.citizen_ids import CitizenIds
from core.errors import Incompatible, InvalidSpec
from core.games.inference import Inference
from core.games.inference.contract import Briefing
from core.networks import domain_adversarial
from core.runtime.store import Store
from core.text.contents import Documents, Words
from core.text.secrets import Keyword
from tests.stand_ins import Sentences, WordBag, context

MENU = ("pizza", "pasta", "salad", "bread", "wine", "beer", "soup", "rice", "fish", "cake")
REVIEWS = Sentences(stream=1, count=300, share=0.0, words=MENU)


class Silent(Sentences):
    title: ClassVar[str] = "silent"
    keywords: ClassVar[tuple[str, ...]] = ()

    def load(self) -> Documents:
        return Documents(())


def play(store: Store, dataset: Sentences = Sentences(), **attack: Any) -> tuple[Any, Any]:  # noqa: B008 - frozen
    game = Inference(shadow_share=0.5, victims=100)
    return game.play(dataset, WordBag(), (), KeywordInference(**attack), 1, context(store))


@pytest.mark.parametrize("classifier", ["svm", "mlp"])
def test_the_white_box_finds_planted_words(classifier: str, shared_store: Store) -> None:
    """Each decides beside the other, so both are trained once."""
    dataset = Sentences(count=600)
    estimates, tables = play(shared_store, dataset, classifier=classifier, keywords=("London", "balan"))
    for name in ("accuracy", "accuracy_London", "accuracy_balan"):
        assert estimates[name].value > 0.9, name
        assert estimates[name].chance == 0.5
    texts = dataset.load().texts
    guesses = tables["guesses"]
    read = [
        Keyword.values[Keyword(secret).read(texts[row])]
        for secret, row in zip(guesses["secret"], guesses["row"], strict=True)
    ]
    assert guesses["truth"].tolist() == read
    rival = "mlp" if classifier == "svm" else "svm"
    assert set(tables["inferred"]["variant"]) == {"keyword_inference", rival}, "no DANN in the white box"


def test_the_black_box_learns_from_texts_of_another_kind(store: Store) -> None:
    estimates, tables = play(
        store, knowledge="black_box", external=REVIEWS, classifier="dann", anchor="pizza", epochs=12, substitutions=4
    )
    assert estimates["accuracy"].value > 0.6
    assert set(tables["inferred"]["variant"]) == {"keyword_inference", "svm", "mlp"}
    course = tables["curve"].query("variant == 'keyword_inference' and secret == 'all'")
    assert course["epochs"].tolist() == list(range(1, 13))
    assert course["accuracy"].iloc[-1] == estimates["accuracy"].value, "the last epoch is the answer, not the best"


def test_the_boundary_is_drawn_whatever_decides(store: Store) -> None:
    _, tables = play(store, rivals=False, keywords=("london", "balan"), texts=50)
    points, grid = tables["boundary_points"], tables["boundary_grid"]
    assert list(dict.fromkeys(points["keyword"])) == ["london", "balan"]
    victims = points.query("panel == 'victims'")
    texts = Sentences().load().texts
    present = [
        bool(Keyword(word).read(texts[row])) for word, row in zip(victims["keyword"], victims["row"], strict=True)
    ]
    assert victims["present"].tolist() == present
    assert grid.groupby("keyword").size().to_dict() == {"balan": 900, "london": 900}


def test_an_adversary_without_texts_is_refused(store: Store) -> None:
    attack = KeywordInference(rivals=False)
    with pytest.raises(Incompatible, match=r"at least 2 texts\. The adversary has 0: give it a larger share"):
        Inference(shadow_share=0.001).play(Sentences(), WordBag(), (), attack, 1, context(store))


@pytest.mark.parametrize(
    ("attack", "says"),
    [
        ({"knowledge": "black_box"}, "needs external texts"),
        (
            {"knowledge": "black_box", "external": REVIEWS, "anchor": "knee"},
            "They are 0 with the word 'knee'. Choose a more",
        ),
        ({"knowledge": "black_box", "external": Silent()}, "They are 0. Choose other texts"),
        ({"knowledge": "black_box", "external": Sentences()}, "must be others than the victims'"),
        ({"keywords": ("Knee", "knee")}, "must differ. Got Knee, knee instead"),
        ({"keywords": ("knee", " knee ")}, "must differ"),
    ],
)
def test_what_does_not_fit_is_refused(attack: dict[str, Any], says: str, store: Store) -> None:
    with pytest.raises(Incompatible, match=says):
        play(store, **attack)


def test_a_dataset_without_keywords_needs_some() -> None:
    with pytest.raises(Incompatible, match=r"proposes no keywords\. Name some"):
        KeywordInference().secrets(Silent(), Documents(()))
    assert KeywordInference().secrets(Sentences(), Documents(())) == (Keyword("london"),)


@pytest.mark.parametrize("keywords", [("",), ("   ",), ("x" * 61,), ("knee",) * 61, ("knee", "\t")])
def test_keywords_without_a_character_or_without_end_are_refused(keywords: tuple[str, ...]) -> None:
    with pytest.raises(InvalidSpec, match="keywords"):
        KeywordInference.parse({"keywords": keywords})


@pytest.mark.parametrize("external", [CommonWords(), CitizenIds()])
def test_external_texts_are_documents(external: Any) -> None:
    assert CommonWords.holds is Words
    with pytest.raises(InvalidSpec, match="holds Documents is needed") as caught:
        KeywordInference.parse({"external": external})
    assert caught.value.field == "external"


@given(word=st.text(alphabet="ab.*+?[](){}|^$\\'\" -\U0001f600\u00e9\u0130\u6771", min_size=1, max_size=12))
@settings(max_examples=15)
def test_any_keyword_can_be_asked_for(word: str) -> None:
    """Whatever it is made of, the texts made for it are balanced and carry it truly."""
    if not word.strip():
        return
    attack = KeywordInference(keywords=(word,), classifier="svm", rivals=False)
    (secret,) = attack.secrets(Sentences(), Documents(()))
    held = ("fine plain text", "nothing to see here", f"here is {word} again", "and more")

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        return WordBag(dimension=8).encode(texts, None)  # type: ignore[arg-type]

    access = SentenceEmbeddings(np.zeros((2, 8), np.float32), encode, encode)
    task = attack.task(Briefing((secret,), held, None, False, 1), access)
    assert task.examples.answers[0].tolist() == [0, 1] * len(held)
    assert access.queries == len(task.known) <= 2 * len(held)


def aligned_with(store: Store, monkeypatch: pytest.MonkeyPatch, **attack: Any) -> list[tuple[Any, ...]]:
    """Return what each DANN was trained on: answers, and how often the keyword stands in what it aligns with."""
    seen: list[tuple[Any, ...]] = []
    train = domain_adversarial.train

    def spied(inputs: Any, truth: Any, elsewhere: Any, **settings: Any) -> Any:
        seen.append((truth, elsewhere))
        return train(inputs, truth, elsewhere, **settings)

    monkeypatch.setattr(domain_adversarial, "train", spied)
    dann = {
        "knowledge": "black_box",
        "external": REVIEWS,
        "classifier": "dann",
        "anchor": "pizza",
        "texts": 40,
        "epochs": 1,
    }
    play(store, **{**dann, "rivals": False, **attack})
    return seen


@pytest.mark.parametrize(("alignment", "with_it"), [("asked", 0.5), ("all", None)])
def test_a_dann_aligns_with_victims_of_balanced_classes_where_it_is_told_of_whom_it_is_asked(
    alignment: str, with_it: float | None, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("london", "balan")
    for number, (truth, elsewhere) in enumerate(aligned_with(store, monkeypatch, alignment=alignment, keywords=words)):
        assert truth.mean() == 0.5, "the labelled texts are pairs"
        texts = Sentences().load().texts
        known = {vector.tobytes(): text for text, vector in zip(texts, WordBag().encode(texts, None), strict=True)}  # type: ignore[arg-type]
        present = [Keyword(words[number]).read(known[vector.tobytes()]) for vector in elsewhere]
        share = float(np.mean(present))
        assert share == with_it if with_it else share < 0.45, "of all victims fewer have it"


def test_the_answers_of_a_dann_count_for_the_same_balanced_victims_either_way(store: Store) -> None:
    dann = {
        "knowledge": "black_box",
        "external": REVIEWS,
        "classifier": "dann",
        "epochs": 2,
        "keywords": ("balan",),
        "texts": 40,
    }
    guesses = [play(store, alignment=alignment, **dann)[1]["guesses"] for alignment in ("all", "asked")]
    for column in ("row", "truth"):
        assert guesses[0][column].tolist() == guesses[1][column].tolist()
    assert guesses[0]["truth"].value_counts().nunique() == 1, "as many have the keyword as have it not"


def test_results_from_before_alignment_could_be_chosen_keep_their_keys() -> None:
    assert "alignment" not in KeywordInference().identity()
    assert KeywordInference(alignment="asked").identity()["alignment"] == "asked"
