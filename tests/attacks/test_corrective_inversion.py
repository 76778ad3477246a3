"""Inversion by text search: its tables, its queries, and the cost of a kill."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from core.attacks.inversion.corrective_inversion import CorrectiveInversion
from core.experiment import run
from core.games.inversion.contract import InversionAdversary
from core.runtime.store import Store
from tests.errands import contents
from tests.games.inversion.small_games import MIXED, YOURS, Opened, asked, killed_and_run_again, plain, play
from tests.stand_ins import Turning, context

FEW = {"made_up": 300, "epochs": 2}


def test_the_table_of_rounds_shows_the_search_come_closer() -> None:
    search = plain("corrective", False)[0].tables["search"]
    assert search["round"].tolist() == [0, 1, 2]
    assert (search["guesses"].diff().iloc[1:] > 0).all()
    assert (search["guesses"] <= 6 + 4 * search["round"]).all()
    assert (search["closeness"].diff().iloc[1:] >= 0).all()
    assert search["closeness"].iloc[-1] > search["closeness"].iloc[0] + 0.02
    assert search["left_out_f1"].iloc[-1] > 0.95


def test_proposals_add_to_a_classifier_that_has_learnt_little(shared_store: Store) -> None:
    tables = play(shared_store, "corrective", **FEW).tables
    alone = tables["learning"]["left_out_f1"].iloc[-1]
    assert tables["search"]["left_out_f1"].iloc[-1] > alone + 0.1


def test_the_choice_is_the_best_on_held_out_texts(shared_store: Store) -> None:
    choices = play(shared_store, "corrective", **FEW).tables["choices"]
    (best,) = choices[choices["chosen"]].itertuples()
    assert best.left_out_f1 == choices["left_out_f1"].max()
    assert best.trust > 0
    alone = choices[choices["trust"] == 0]
    assert alone["left_out_f1"].nunique() == 1, "without trust no proposal counts"


def test_the_closest_text_is_kept_for_the_first_victims_and_the_users_own(store: Store) -> None:
    result = play(store, "corrective", victims=70)
    texts = result.tables["texts"].set_index("victim")["words"]
    assert texts.index.tolist() == [*range(60), -1]
    assert len(set(texts[-1].split()) & set(YOURS.split())) >= 5
    assert all(set(text.split()) <= set(MIXED) for text in texts)


def test_texts_embedded_for_the_search_are_counted(store: Store) -> None:
    queries = play(store, "corrective", rounds=0, written=1, **FEW).estimates["queries"].value
    assert queries == 180 + 300 + 18 + 40, "auxiliary and synthetic texts, a proposal a held-out text, and one a victim"


def test_behind_a_defense_synthetic_texts_are_embedded_too(store: Store) -> None:
    class Overheard(Opened):
        """Counts the texts it is asked for."""

        embedded: ClassVar[list[str]] = []

        def encode(self, texts: Sequence[str], context: Any, whose: str = "texts") -> NDArray[np.float32]:
            self.embedded.extend(texts)
            return super().encode(texts, context)

    play(store, "corrective", model=Overheard(), defenses=[Turning()], rounds=0, **FEW)
    assert len(Overheard.embedded) > 180 + 300


def test_without_synthetic_texts_it_learns_from_auxiliary_ones(store: Store) -> None:
    assert play(store, "corrective", made_up=0, epochs=30).estimates["f1"].value > 0.8


def test_no_embedding_is_read_as_none(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    prepared: list[InversionAdversary] = []
    prepare = CorrectiveInversion.prepare

    def overheard(self: CorrectiveInversion, *given: Any) -> InversionAdversary:
        prepared.append(prepare(self, *given))
        return prepared[-1]

    monkeypatch.setattr(CorrectiveInversion, "prepare", overheard)
    play(store, "corrective", **FEW)
    read = prepared[0].read(np.empty((0, 128), np.float32))
    assert read.scores.shape == read.predicted.shape == (0, len(read.words))
    assert read.texts == ()


@pytest.mark.exhaustive
def test_a_killed_run_goes_on_and_ends_with_the_same_bytes(store: Store, tmp_path: Path) -> None:
    """`test_generative_inversion.py` kills the training of the same classifier, and the next test keeps a search."""
    again = killed_and_run_again(
        store, Store(root=tmp_path / "whole"), asked("corrective", victims=10, made_up=300, epochs=4, rounds=1), 3
    )
    assert again.trainings < 4


def test_a_search_that_was_kept_is_not_made_again_and_the_result_is_that_of_one_from_nothing(
    store: Store, tmp_path: Path
) -> None:
    class Overheard(Opened):
        """Counts the texts it is asked for."""

        embedded: ClassVar[list[str]] = []

        def encode(self, texts: Sequence[str], context: Any, whose: str = "texts") -> NDArray[np.float32]:
            self.embedded.extend(texts)
            return super().encode(texts, context)

    model, apart = Overheard(), {"apart": True, **FEW}
    play(store, "corrective", model=model, victims=9, **apart)
    one_more = asked("corrective", model=model, victims=10, **apart)
    before = len(Overheard.embedded)
    run(one_more, context(store))
    assert len(Overheard.embedded) - before <= 120 + 180 + 300 + 1 + 2 * (6 + 2 * 4), "only the victim is searched for"
    elsewhere = Store(root=tmp_path / "nothing")
    run(one_more, context(elsewhere))
    assert contents(store, one_more.key) == contents(elsewhere, one_more.key)
