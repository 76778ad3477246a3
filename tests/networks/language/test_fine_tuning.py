"""Fine-tuning of a causal language model: it learns its documents, and the same seed gives the same bytes."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.encoders.causal import CausalNetwork
from core.networks.language.fine_tuning import fine_tune
from tests.language_models import TRAINED, causal, documents

TEXTS = documents(["in"] * 20)["text"].tolist()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return causal(tmp_path_factory.mktemp("base") / "model")


def losses(folder: Path, seed: int = 1, **changes: object) -> list[float]:
    network = CausalNetwork(folder, "cpu")
    fine_tune(network, TEXTS, replace(TRAINED, **changes), np.random.default_rng(seed))  # type: ignore[arg-type]
    return [float(row.mean()) for row in network.losses([tokens for tokens, _ in network.tokens(TEXTS, 64)])]


def test_it_learns_its_documents_and_the_same_seed_gives_the_same(folder: Path) -> None:
    learnt = losses(folder)
    untrained = losses(folder, learning_rate=1e-12)
    assert max(learnt) < min(untrained)
    assert losses(folder) == learnt
    assert losses(folder, seed=2) != learnt


def test_a_step_size_that_falls_learns_less_than_one_that_stays(folder: Path) -> None:
    assert np.mean(losses(folder, decay="none")) < np.mean(losses(folder))
