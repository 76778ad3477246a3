"""Whole experiments on texts of every script, on one class, and on embeddings that are no numbers."""

from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from core.attacks.inversion.decoder import Decoder
from core.attacks.keyword_inference import KeywordInference
from core.attacks.own_text import OwnText
from core.attacks.semantic_reassembly import SemanticReassembly
from core.datasets import Card, Dataset
from core.defenses import EmbeddingDefense, Holdings, Mechanism
from core.defenses.adversarial_mapping import AdversarialMapping
from core.defenses.laplace import Laplace
from core.defenses.rounding import Rounding
from core.defenses.subspace_projection import SubspaceProjection
from core.errors import Incompatible, ModelRefused, StoreFull
from core.experiment import Experiment, run
from core.games.inference import Inference
from core.models.encoder import Encoder
from core.runtime.context import RunContext
from core.runtime.store import Store
from core.targets import downstream_accuracy
from core.text.contents import Documents
from core.text.secrets import Keyword
from tests.encoders.trouble import full_disk
from tests.errands import contents
from tests.stand_ins import CARD, Change, Sentences, WordBag, context

HALF = Inference(shadow_share=0.5, victims=20)
ODD = (
    "",
    "\u6211\u7684 \u6237\u53e3 \u5728 \u8fd9\u91cc\u3002",
    "\u0645\u064e\u0631\u0652\u062d\u064e\u0628\u064b\u0627 \u0628\u0643",
    "\u0928\u092e\u0938\u094d\u0924\u0947 \u0926\u0941\u0928\u093f\u092f\u093e",
    "voila\u0300 un re\u0301sume\u0301",
    "\U0001f469\u200d\U0001f4bb likes \U0001f355",
    "a\0b [SEP] <s>",
)
LONG = "The patient had pain in the left foot. " * 2565
KEYWORDS = ("london", "\u5317\u4eac", "\u0939\u093f\u0928\u094d\u0926\u0940", "cafe\u0301", "\U0001f600", "c++")


class Scripts(Dataset):
    """Odd beginnings, one of 100,000 characters, then a number, and at the end a keyword or none."""

    title: ClassVar[str] = "scripts"
    card: ClassVar[Card] = CARD
    keywords: ClassVar[tuple[str, ...]] = KEYWORDS

    def load(self) -> Documents:
        ends = (*KEYWORDS, "")
        starts = [*ODD * 21, LONG]
        texts = tuple(f"{start} {number} {ends[number // 7 % 7]}".strip() for number, start in enumerate(starts))
        return Documents(texts, labels=tuple("even" if number % 2 else "odd" for number in range(len(texts))))


class OneClass(Sentences):
    """Texts that are all of one class."""

    def load(self) -> Documents:
        texts = super().load().texts
        return Documents(texts, labels=("yes",) * len(texts))


class Infinite(WordBag):
    """Says what no encoder may say about some texts."""

    number: str = "nan"

    def encode(self, texts: Any, context: RunContext, whose: str = "texts") -> NDArray[np.float32]:
        vectors = super().encode(texts, context, whose)
        vectors[["london" in text for text in texts]] = float(self.number)
        return vectors


class Overflowing(EmbeddingDefense):
    """Makes coordinates larger than numbers go."""

    title: ClassVar[str] = "overflowing"

    def mechanism(self, holdings: Holdings, rng: np.random.Generator) -> Mechanism:
        return Change(lambda embeddings, _: np.where(embeddings > 1, np.float32(np.inf), embeddings))


def test_texts_of_every_script_are_played_with_from_end_to_end(shared_store: Store) -> None:
    """Tests share a store, so that texts are embedded once."""
    experiment = Experiment(
        attack=KeywordInference(classifier="svm", rivals=False),
        dataset=Scripts(),
        model=Encoder(max_tokens=32),
        game=HALF,
    )
    result, _ = run(experiment, context(shared_store))
    texts = Scripts().load().texts
    guesses = result.tables["guesses"]
    assert set(guesses["secret"]) == set(KEYWORDS)
    for row, secret, truth in zip(guesses["row"], guesses["secret"], guesses["truth"], strict=True):
        assert truth == Keyword.values[texts[row].endswith(f" {secret}")]
    assert result.estimates["utility"].decisions > 0


@pytest.mark.parametrize(
    "parts",
    [
        {"attack": OwnText(text=f"{ODD[3]} {KEYWORDS[2]}", keywords=KEYWORDS), "game": HALF},
        {"attack": Decoder(epochs=1)},
        {"attack": SemanticReassembly()},
        {
            "attack": KeywordInference(keywords=KEYWORDS[1:2], classifier="svm", rivals=False),
            "game": HALF,
            "defenses": (Rounding(), Laplace(pairs=20), AdversarialMapping(rounds=2), SubspaceProjection()),
        },
    ],
    ids=["own text", "decoder", "reassembly", "defenses"],
)
def test_whatever_is_done_to_odd_texts_ends_in_figures(
    parts: dict[str, Any], shared_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downstream_accuracy, "_REPEATS", 1)  # further splits take time, and away the luck of one
    experiment = Experiment.parse({"dataset": Scripts(), "model": Encoder(max_tokens=32), **parts})
    result, _ = run(experiment, context(shared_store))
    assert all(0 <= one.low <= one.value <= one.high for one in result.estimates.values())
    if "own_text" in result.tables:
        present = result.tables["own_text"].set_index("keyword")["present"]
        assert [word for word in KEYWORDS if present[word]] == [KEYWORDS[2]]


def test_a_full_disk_while_embedding_stops_the_run_and_it_resumes(store: Store, tmp_path: Any) -> None:
    experiment = Experiment(
        attack=KeywordInference(keywords=("london",), rivals=False),
        dataset=Scripts(),
        model=Encoder(max_tokens=8),
        game=HALF,
    )
    with full_disk(), pytest.raises(StoreFull, match="run again: it resumes"):
        run(experiment, context(store))
    assert store.results() == []
    run(experiment, context(store))
    other = Store(root=tmp_path / "other", shipped=tmp_path)
    run(experiment, context(other))
    assert contents(other, experiment.key) == contents(store, experiment.key)


def test_where_all_texts_are_of_one_class_there_is_no_task_to_measure(store: Store) -> None:
    estimates, _ = HALF.play(OneClass(), WordBag(), (), KeywordInference(rivals=False), 1, context(store))
    assert "utility" not in estimates
    assert estimates["accuracy"].above_chance()


@pytest.mark.parametrize(
    ("share", "says"),
    [
        (1.0, r"200 of the 200 texts .* Choose keywords that occur less often"),
        (0.0, r"none of the 200 texts .* Choose keywords that occur more often"),
    ],
)
def test_a_word_in_every_text_and_one_in_none_are_refused_with_what_would_do(
    share: float, says: str, store: Store
) -> None:
    with pytest.raises(Incompatible, match=f"stands in {says}"):
        HALF.play(Sentences(share=share), WordBag(), (), KeywordInference(rivals=False), 1, context(store))


@pytest.mark.parametrize("number", ["nan", "inf", "-inf"])
def test_a_model_that_gives_no_numbers_is_refused(number: str, store: Store) -> None:
    with pytest.raises(ModelRefused, match=r"must be finite numbers\. Behind no defense some are NaN or infinite"):
        HALF.play(Sentences(), Infinite(number=number), (), KeywordInference(rivals=False), 1, context(store))


def test_a_defense_that_overflows_is_named(store: Store) -> None:
    with pytest.raises(ModelRefused, match="Behind test_odd_texts some are NaN or infinite"):
        HALF.play(Sentences(), WordBag(), (Overflowing(),), KeywordInference(rivals=False), 1, context(store))
