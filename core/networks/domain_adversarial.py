"""Domain-adversarial training (Ajakan et al. 2014): a hidden layer that does not reveal the corpus of a text."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from core.networks.perceptron import Perceptron, moments


def train(
    inputs: NDArray[np.float32],
    truth: NDArray[np.int64],
    elsewhere: NDArray[np.float32],
    *,
    width: int,
    epochs: int,
    strength: float,
    batch: int,
    learning_rate: float,
    rng: np.random.Generator,
    drawn: Callable[[NDArray[np.int64], np.random.Generator], NDArray[np.float32]] | None = None,
) -> Iterator[Perceptron]:
    """Train a classifier whose hidden layer does not distinguish two corpora (Pan et al. 2020, appendix I).

    An encoder of sigmoid units feeds two linear classifiers: one predicts the answer, on labelled inputs, the other the
    corpus, on both. Between the encoder and the corpus classifier the gradient changes sign.

    Args:
        inputs: (rows, inputs) of the labelled corpus.
        truth: (rows,) answers, 0 or 1.
        elsewhere: (others, inputs) of the corpus without labels.
        width: Units of the hidden layer.
        epochs: Epochs over the labelled inputs.
        strength: Weight of the reversed gradient (lambda).
        batch: Examples in a batch.
        learning_rate: Adam's step size.
        rng: Source of all randomness.
        drawn: Gives rows of the labelled corpus under fresh noise; None where there is none.

    Yields:
        The network after each epoch.
    """
    import torch
    from torch.nn.functional import cross_entropy

    from core.networks.gradient_reversal import reverse
    from core.networks.states import begin, descend

    begin(rng)
    center, scale = moments(np.concatenate([inputs, elsewhere]))
    there = torch.from_numpy((elsewhere - center) / scale)
    draw = drawn or (lambda rows, _: inputs[rows])

    def here(rows: torch.Tensor) -> torch.Tensor:
        return torch.from_numpy((draw(rows.numpy(), rng) - center) / scale)

    answers = torch.from_numpy(truth)
    shapes = ((inputs.shape[1], width), (width, 2), (width, 2))
    encoder, keyword, corpus = (torch.nn.Linear(wide, narrow) for wide, narrow in shapes)
    parameters = [*encoder.parameters(), *keyword.parameters(), *corpus.parameters()]
    optimiser = torch.optim.Adam(parameters, lr=learning_rate, fused=True)
    half = batch // 2
    domains = torch.cat([torch.zeros(half, dtype=torch.int64), torch.ones(half, dtype=torch.int64)])
    for _ in range(epochs):
        for rows in torch.from_numpy(rng.permutation(len(inputs))).split(batch):
            first = torch.from_numpy(rng.integers(len(inputs), size=half))
            second = torch.from_numpy(rng.integers(len(there), size=half))
            hidden = torch.sigmoid(
                encoder(torch.cat([here(rows), here(first), there[second]]))
            )  # (rows + batch, width)
            mixed = reverse(hidden[len(rows) :], strength)
            loss = cross_entropy(keyword(hidden[: len(rows)]), answers[rows]) + cross_entropy(corpus(mixed), domains)
            descend(optimiser, loss)
        layers = tuple(
            (layer.weight.detach().numpy().T.copy(), layer.bias.detach().numpy().copy()) for layer in (encoder, keyword)
        )
        yield Perceptron(center, scale, layers)
