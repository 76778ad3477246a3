"""Fine-tuning of a causal language model: it learns its documents, and the same seed gives the same bytes."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from core.encoders.causal import CausalNetwork
from core.networks.language.fine_tuning import LEFT_OUT, fine_tune, rows
from tests.language_models import TRAINED, causal, documents

TEXTS = documents(["in"] * 20)["text"].tolist()
OF_ANY_LENGTH = [
    " ".join(text.split()[:words]) for text, words in zip(TEXTS, [1, 2, 14, 3, 9, 13, 5, 14] * 2, strict=False)
]
ONE_STEP = replace(TRAINED, epochs=1, batch=len(OF_ANY_LENGTH))


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


@pytest.mark.parametrize("dropped", [0, 3])
def test_a_step_follows_the_mean_loss_of_all_tokens_of_a_padded_batch(folder: Path, dropped: int) -> None:
    network, padded = CausalNetwork(folder, "cpu"), CausalNetwork(folder, "cpu")
    fine_tune(network, OF_ANY_LENGTH, replace(ONE_STEP, dropped=dropped), np.random.default_rng(0))

    padded.model.requires_grad_(True)
    inputs, following = rows(padded, [tokens for tokens, _ in padded.tokens(OF_ANY_LENGTH, 64)], dropped)
    scores = padded.scores(inputs).transpose(1, 2)
    torch.nn.functional.cross_entropy(scores, torch.from_numpy(following), ignore_index=LEFT_OUT).backward()
    torch.nn.utils.clip_grad_norm_(padded.model.parameters(), 1.0)

    weights = zip(network.model.parameters(), padded.model.parameters(), strict=True)
    assert all(torch.allclose(ours.grad, plain.grad, rtol=1e-4, atol=1e-6) for ours, plain in weights)


def test_little_of_what_is_read_is_padding(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network, read = CausalNetwork(folder, "cpu"), []
    whole = network.scores

    def noted(inputs: NDArray[np.int64]) -> torch.Tensor:
        read.append(inputs.size)
        return whole(inputs)

    monkeypatch.setattr(network, "scores", noted)
    fine_tune(network, OF_ANY_LENGTH, ONE_STEP, np.random.default_rng(0))
    tokens = sum(len(cut) + 1 for cut, _ in network.tokens(OF_ANY_LENGTH, 64))
    assert tokens <= sum(read) <= tokens * 1.2


def test_a_batch_whose_tokens_are_all_dropped_changes_nothing(folder: Path) -> None:
    assert losses(folder, dropped=1) == losses(folder, epochs=0)
