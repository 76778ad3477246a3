"""Private fine-tuning: a step follows the clipped gradients of documents, or of the documents of owners."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch.nn.functional import cross_entropy

from core.encoders.causal import CausalNetwork
from core.networks.language.fine_tuning import LEFT_OUT, prepare, rows
from core.networks.language.private_fine_tuning import fine_tune_epoch_privately
from core.networks.private_steps import PrivateSteps
from tests.language_models import TRAINED, causal, documents

TEXTS = [*documents(["in"] * 5)["text"].tolist(), ""]
"""Five documents, and one without a token."""
HOW = replace(TRAINED, rank=2)
NORM = 1e-3
OWNERS = {"documents": [[row] for row in range(len(TEXTS))], "owners": [[0, 3, 4], [1], [2, 5]]}
"""The documents of each that is protected."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return causal(tmp_path_factory.mktemp("base") / "model")


def mean_gradient(folder: Path, owner_rows: Sequence[int]) -> dict[str, torch.Tensor]:
    """Return the mean over documents of the gradient of the mean loss of their tokens, before the first step."""
    network = CausalNetwork(folder, "cpu")
    torch.manual_seed(int(np.random.default_rng(0).integers(2**31)))
    prepare(network, HOW.rank)
    for row in owner_rows:
        if tokens := network.tokens([TEXTS[row]], HOW.tokens)[0][0].tolist():
            inputs, following = rows(network, [np.array(tokens)])
            scores = network.scores(inputs).flatten(0, 1)
            (
                cross_entropy(scores, torch.from_numpy(following).flatten(), ignore_index=LEFT_OUT) / len(owner_rows)
            ).backward()
    return {
        name: torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
        for name, parameter in network.model.named_parameters()
        if parameter.requires_grad
    }


@pytest.mark.parametrize("unit", OWNERS)
def test_a_step_follows_the_sum_of_clipped_gradients(folder: Path, unit: str) -> None:
    expected: dict[str, NDArray[np.float64]] = {}
    for owner_rows in OWNERS[unit]:
        gradients = mean_gradient(folder, owner_rows)
        length = max(float(sum((gradient**2).sum() for gradient in gradients.values())) ** 0.5, NORM)
        for name, gradient in gradients.items():
            expected[name] = expected.get(name, 0) + (gradient * NORM / length).numpy().astype(np.float64)
    owners = [np.array(owner_rows) for owner_rows in OWNERS[unit]] if unit == "owners" else []
    steps = PrivateSteps(len(OWNERS[unit]), 1e-3, NORM, 0.0, owners)
    network = CausalNetwork(folder, "cpu")
    state = fine_tune_epoch_privately(network, {}, TEXTS, HOW, steps, np.random.default_rng(0))
    moments = {name: state[f"exp_avg.{name}"] / 0.1 for name in expected}
    assert max(np.abs(array).max() for array in expected.values()) > NORM / 100
    for name, array in expected.items():
        assert moments[name] == pytest.approx(array, abs=NORM * 1e-4)
