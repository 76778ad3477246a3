"""A decoder finds words that an embedding keeps, and is at chance where it keeps nothing."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.attacks.inversion.decoder import Decoder
from core.errors import Incompatible
from core.experiment import Experiment, run
from core.networks import recurrent_decoder
from core.networks.recurrent_decoder import Training, Vocabulary
from core.result import Result
from core.runtime.store import Store
from tests.stand_ins import Constant, Noise, Sentences, WordBag, context

QUICK = {"epochs": 12, "length": 8, "hidden": 48, "batch": 16, "learning_rate": 0.01}
GAME = {"shadow_share": 0.6, "victims": 50}


def play(store: Store, model: Any, dataset: Any = None, game: Any = None, **attack: Any) -> Result:
    return run(
        Experiment(
            attack=Decoder(**{**QUICK, **attack}),
            dataset=dataset or Sentences(count=600),
            model=model,
            game={**GAME, **(game or {})},
        ),
        context(store),
    )[0]


def test_a_keyword_that_the_embedding_keeps_is_written(store: Store) -> None:
    result = play(store, WordBag())
    accuracy = result.estimates["accuracy"]
    assert accuracy.chance == 0.5
    assert accuracy.low > 0.8
    loss = result.tables["decoding"]
    assert loss["epochs"].tolist() == list(range(1, 13))
    assert loss["loss"].iloc[-1] < loss["loss"].iloc[0] - 1
    assert sorted(set(result.tables["curve"]["epochs"])) == [2, 5, 7, 10, 12]


@pytest.mark.parametrize("model", [Noise(), pytest.param(Constant(), marks=pytest.mark.exhaustive)])
def test_an_embedding_that_keeps_nothing_gives_chance(store: Store, model: Any) -> None:
    """One vector for all texts is exhaustive: noise tells as little."""
    accuracy = play(store, model, Sentences(count=300), epochs=4).estimates["accuracy"]
    assert accuracy.low <= 0.5 <= accuracy.high


def test_only_words_of_the_adversary_are_kept(shared_store: Store) -> None:
    dataset = Sentences(count=600)
    decoded = play(shared_store, WordBag(), dataset, epochs=4).tables["decoded"]
    assert len(decoded) == 20
    words = {word for text in dataset.load().texts for word in text.split()}
    assert all(set(text.split()) <= words for text in decoded["words"])
    assert list(decoded) == ["victim", "row", "words"]


def test_a_killed_run_goes_on_to_the_same_end(shared_store: Store, tmp_path: Path) -> None:
    whole = play(shared_store, WordBag(), epochs=4)
    other = Store(root=tmp_path / "other", shipped=tmp_path / "none")
    calls = 0
    honest = recurrent_decoder.Decoder.train_epoch

    def breaks(self: Any, *given: Any) -> float:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt
        return honest(self, *given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recurrent_decoder.Decoder, "train_epoch", breaks)
        with pytest.raises(KeyboardInterrupt):
            play(other, WordBag(), epochs=4)
    again = play(other, WordBag(), epochs=4)
    assert again.provenance.trainings == 2, "the first two stages were kept"
    assert again.estimates == whole.estimates
    for name, table in whole.tables.items():
        assert again.tables[name].equals(table)


def test_a_layer_that_reads_backwards_sees_what_it_is_to_write() -> None:
    rng = np.random.default_rng(0)
    vocabulary = Vocabulary(tuple(f"w{number}" for number in range(30)))
    texts = [" ".join(rng.choice(vocabulary.words, 8)) for _ in range(300)]
    numbers = vocabulary.numbers(texts, 9)
    left_out = {}
    for bidirectional in (False, True):
        course = Training(
            vectors=rng.normal(size=(300, 4)).astype(np.float32),
            numbers=numbers,
            taught=250,
            vocabulary=32,
            hidden=32,
            bidirectional=bidirectional,
            batch=25,
            learning_rate=0.03,
            seed=1,
        )
        decoder = recurrent_decoder.Decoder(course)
        for epoch in range(14):
            decoder.train_epoch(epoch)
        left_out[bidirectional] = decoder.held_out_loss()
        assert decoder.write(course.vectors[:3]).shape == (3, 9)
    assert left_out[False] > 2.5, "random words cannot be foreseen"
    assert left_out[True] < 1


def test_rare_words_are_unknown_and_never_written() -> None:
    vocabulary = Vocabulary.of(["A tree, a cat", "a TREE; zebra"], fewest=2, most=10)
    assert vocabulary.words == ("a", "tree")
    assert vocabulary.numbers(["zebra a tree", ""], 4).tolist() == [[1, 2, 3, 0], [0, -100, -100, -100]]
    assert vocabulary.numbers(["a a a a a"], 3).tolist() == [[2, 2, 2]]


def test_an_adversary_without_texts_is_refused(store: Store) -> None:
    with pytest.raises(Incompatible, match="The adversary has 4: give it a larger share"):
        play(store, WordBag(), Sentences(count=40), {"shadow_share": 0.1})


def test_a_dataset_without_keywords_is_refused(store: Store) -> None:
    with pytest.raises(Incompatible, match="lee_news proposes no keywords"):
        play(store, WordBag(), "lee_news")


def test_keywords_must_differ(store: Store) -> None:
    with pytest.raises(Incompatible, match="must differ"):
        play(store, WordBag(), keywords=("a", "A"))
