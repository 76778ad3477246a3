"""Inversion by generation: whole texts in their order, where the embedding keeps it, and the cost of a kill."""

from collections.abc import Sequence
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from core.adversaries.search.search_reader import SearchReader
from core.attacks.inversion.generative_inversion import GenerativeInversion
from core.datasets import Dataset
from core.errors import InvalidSpec
from core.experiment import Experiment, run
from core.games.inversion.contract import InversionAdversary
from core.result import Result
from core.runtime.store import Store
from core.targets.sentence_encoder import SentenceModel
from core.text.contents import Documents
from tests.games.inversion.small_games import BRIEF, asked, killed_and_run_again, play
from tests.stand_ins import CARD, WORDS, WordBag, context

PLACES = 3
TEXTS = tuple(map(" ".join, product(WORDS[:6], repeat=PLACES)))


class Orders(Dataset):
    """Every order of six words at three places."""

    title: ClassVar[str] = "orders"
    card: ClassVar[Any] = CARD

    def load(self) -> Documents:
        return Documents(TEXTS)


class Ordered(SentenceModel):
    """Keeps which word stands where."""

    title: ClassVar[str] = "ordered"

    def encode(self, texts: Sequence[str], context: Any, whose: str = "texts") -> NDArray[np.float32]:
        words = [[*text.split(), *[""] * PLACES][:PLACES] for text in texts]
        return np.concatenate(
            [
                WordBag(dimension=12).encode(column, context)
                for column in np.array(words).reshape(-1, PLACES).T.tolist()
            ],
            axis=1,
        )


ATTACK = GenerativeInversion(
    **{"subwords": 300, "heads": 1, "layers": 1, "epochs": 60, "classifier_epochs": 60},
    **{"written": 4, "rewritten": 2, "rounds": 8, "asked": 4},
)


@cache
def ordered(model: SentenceModel, epochs: int = 60) -> Result:
    """Play on texts that differ by order."""
    attack = ATTACK.replace(epochs=epochs, classifier_epochs=epochs)
    game = {"pieces": "texts", "shadow_share": 0.6, "victims": 60, "report": "texts"}
    with TemporaryDirectory() as folder:
        experiment = Experiment(attack=attack, dataset=Orders(), model=model, defenses=(), game=game)
        return run(experiment, context(Store(root=Path(folder))))[0]


def test_texts_are_read_in_their_order_where_the_embedding_keeps_it() -> None:
    estimates = ordered(Ordered()).estimates
    assert estimates["exact_match"].value > 0.9
    assert estimates["rouge_l"].value > 0.95
    assert estimates["cosine"].value > 0.99


def test_where_the_embedding_has_no_order_words_are_read_and_whole_texts_are_not() -> None:
    bag, kept = ordered(WordBag(), 40).estimates, ordered(Ordered()).estimates
    assert bag["f1"].value > 0.9
    assert bag["exact_match"].high < kept["exact_match"].low


def test_what_the_decoder_learns_is_shown_by_epoch() -> None:
    losses = ordered(Ordered()).tables["decoding"]
    assert losses["epochs"].tolist() == [*range(1, 61)]
    assert losses["left_out_loss"].iloc[-1] < losses["left_out_loss"].iloc[0] / 4


def test_a_text_that_is_reached_is_not_searched_any_further() -> None:
    search = ordered(Ordered()).tables["search"]
    most = ATTACK.written + search["round"] * (ATTACK.rewritten + ATTACK.asked)
    assert search["closeness"].iloc[-1] > 0.999
    assert search["guesses"].iloc[-1] < most.iloc[-1] / 2


def test_the_table_of_rounds_shows_the_search_come_closer() -> None:
    search = ordered(WordBag(), 40).tables["search"]
    assert search["round"].tolist() == [*range(9)]
    assert (search["closeness"].diff().iloc[1:] >= 0).all()
    assert search["closeness"].iloc[-1] > search["closeness"].iloc[0] + 0.02


def test_texts_embedded_for_the_search_are_counted(store: Store) -> None:
    fields = {**BRIEF["generative"], "rounds": 0, "written": 1}
    queries = play(store, "generative", **fields).estimates["queries"].value
    assert 180 < queries <= 180 + 18 + 40, "auxiliary texts, a proposal a held-out text, and one a victim"


def prepared(store: Store, monkeypatch: pytest.MonkeyPatch, **fields: Any) -> InversionAdversary:
    """Return the adversary of a brief game."""
    adversaries: list[InversionAdversary] = []
    prepare = GenerativeInversion.prepare

    def overheard(self: GenerativeInversion, *given: Any) -> InversionAdversary:
        adversaries.append(prepare(self, *given))
        return adversaries[-1]

    monkeypatch.setattr(GenerativeInversion, "prepare", overheard)
    play(store, "generative", **BRIEF["generative"], **fields)
    return adversaries[0]


def test_no_embedding_is_read_as_none(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    adversary = prepared(store, monkeypatch)
    read = adversary.read(np.empty((0, 128), np.float32))
    assert read.scores.shape == read.predicted.shape == (0, len(read.words))
    assert read.texts == ()


@pytest.mark.parametrize(("longest", "words"), [(8, 7), (64, 60), (512, 480)])
def test_decoder_and_edits_write_texts_up_to_the_longest(
    longest: int, words: int, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = prepared(store, monkeypatch, longest=longest)
    assert isinstance(read, SearchReader) and read.search.writer is not None
    assert read.search.writer.sizes.longest == longest
    assert read.search.writer.longest <= longest + 1, "and the end"
    assert read.search.bigrams.longest == words


@pytest.mark.parametrize("longest", [0, 7, 513, "all"])
def test_a_longest_text_out_of_bounds_is_refused(longest: object) -> None:
    with pytest.raises(InvalidSpec, match=r"'longest' parameter of generative_inversion must be a.* from 8 to 512"):
        GenerativeInversion.parse({"longest": longest})


def test_keys_from_before_the_longest_text_could_be_set_stay() -> None:
    assert "longest" not in ATTACK.identity()
    assert ATTACK.replace(longest=64).key == ATTACK.key != ATTACK.replace(longest=65).key


def test_a_killed_run_goes_on_and_ends_with_the_same_bytes(store: Store, tmp_path: Path) -> None:
    experiment = asked("generative", victims=10, epochs=2, classifier_epochs=4, rounds=1)
    again = killed_and_run_again(store, Store(root=tmp_path / "whole"), experiment, 3)
    assert again.trainings < 4, "the decoder and three epochs of the classifier were there"
