"""What every attack on stored vectors promises of an unknown encoder: it runs, or is refused at once."""

from typing import Any, cast

import numpy as np
import pandas as pd
import pytest

from core.errors import InvalidSpec, TelltaleError
from core.experiment import Experiment, misfit, run
from core.games.attack import Attack
from core.models.unknown_encoder import UnknownEncoder
from core.registry import parts
from core.runtime.store import Store
from core.text.vectors import Vectors
from tests.games.inversion.small_games import MIXED
from tests.stand_ins import Sentences, WordBag, context

ATTACKS = [cls for cls in cast(tuple[type[Attack], ...], parts("attack")) if Vectors in (cls.reads, *cls.also_reads)]
TEXTS = Sentences(count=200, share=0, words=MIXED).load().texts
SMALL = {"texts": 100, "vocabulary": 100, "epochs": 2, "pairs": 40, "authors": 2, "local": "small_bert"}


@pytest.fixture(scope="module")
def store_of_vectors(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("vectors")
    np.save(folder / "store.npy", WordBag(dimension=32).encode(TEXTS, context=None))  # type: ignore[arg-type]
    owners = [f"owner {row % 2}" for row in range(len(TEXTS))]
    pd.DataFrame({"text": TEXTS, "owner": owners}).to_csv(folder / "texts.csv", index=False)
    files = {"source": str(folder / "store.npy"), "texts": str(folder / "texts.csv")}
    return {"part": "embeddings", "owner_column": "owner", **files}


@pytest.mark.parametrize("cls", ATTACKS, ids=lambda cls: cls.part_name())
def test_an_attack_runs_without_the_encoder_or_is_refused_at_once(
    cls: type[Attack], store_of_vectors: dict[str, Any], store: Store
) -> None:
    fields = {name: value for name, value in SMALL.items() if name in cls.model_fields}
    game = {"victims": 20, **({} if cls.game == "inference" else {"pieces": "texts"})}
    asked = {"attack": {"part": cls.part_name(), **fields}, "dataset": store_of_vectors, "game": game}
    made = {**asked, "model": "unknown_encoder"}
    if reason := misfit(cls, UnknownEncoder):
        with pytest.raises(InvalidSpec) as refused:
            Experiment.parse(made)
        assert str(refused.value).startswith(reason)
        return
    estimates = run(Experiment.parse(made), context(store))[0].estimates
    assert "f1" in estimates


def test_some_attacks_do_without_the_encoder_and_some_do_not() -> None:
    without = {cls.part_name() for cls in ATTACKS if not misfit(cls, UnknownEncoder)}
    assert {"few_shot_inversion", "multilabel_inversion"} <= without
    assert without.isdisjoint({"candidate_ranking", "attribute_inference", "corrective_inversion"})


def test_no_error_says_what_a_text_beside_a_vector_says(store: Store) -> None:
    with pytest.raises(TelltaleError) as refused:
        UnknownEncoder().encode(TEXTS, context(store))
    assert not any(text in str(refused.value) for text in TEXTS)
