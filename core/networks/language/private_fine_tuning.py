"""Differentially private fine-tuning of a causal language model, by adapters."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from opacus import GradSampleModule
from torch.nn.functional import cross_entropy

from core.encoders.causal import CausalNetwork
from core.networks.language.fine_tuning import (
    LEFT_OUT,
    FineTuning,
    prepare,
    restore,
    rows,
    trained_weights,
)
from core.networks.private_steps import PrivateSteps, at_most
from core.networks.states import Arrays, begin, moments

_AT_ONCE = 16
"""Most documents whose gradients are in memory at a time."""


def fine_tune_epoch_privately(
    network: CausalNetwork,
    before: Arrays,
    texts: Sequence[str],
    how: FineTuning,
    steps: PrivateSteps,
    rng: np.random.Generator,
) -> dict[str, NDArray[Any]]:
    """Train adapters for one epoch; each step draws each document independently, so that it is drawn once on average.

    The loss of a document is the mean over its tokens. Arguments and result are those of
    `core.networks.language.fine_tuning.fine_tune_epoch`; the step size stays, and a step has ``steps.batch`` documents
    on average. Where owners are protected, a step draws owners, and their number is ``steps.batch`` on average.
    """
    begin(rng)
    prepare(network, how.rank)
    restore(network, before)
    documents = [tokens for tokens, _ in network.tokens(texts, how.tokens)]
    model = network.model.train()
    hooked = GradSampleModule(model, loss_reduction="sum", strict=False)
    optimiser = steps.optimiser(model, before, rng, str(network.device))
    for part in steps.drawn(optimiser, len(documents), at_most(_AT_ONCE), rng):
        # Without a document, a row whose loss counts for nothing stands in.
        inputs, following = rows(network, [documents[row] for row in part] or documents[:1])
        scores = network.scores(inputs).float()
        after = torch.from_numpy(following).to(scores.device)
        losses = cross_entropy(scores.transpose(1, 2), after, ignore_index=LEFT_OUT, reduction="none")
        means = losses.sum(dim=1) / (after != LEFT_OUT).sum(dim=1)
        counted = torch.tensor([len(documents[row]) > 0 for row in part] or [False], device=scores.device)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Full backward hook is firing")  # tokens have no gradient
            (means * counted).sum().backward()
    state = {**trained_weights(network), **moments(model, optimiser.original_optimizer)}
    hooked.remove_hooks()
    model.eval()
    return state
