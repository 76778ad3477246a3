"""How many words a second a language model is trained on, and how much of that time goes into the softmax."""

import json
import time
from dataclasses import replace

import numpy as np
import torch

from core.networks.language.next_word import NextWordNetwork, Shape

SHAPE = Shape("lstm", words=12_000, dimension=256, layers=2, heads=4, length=32, dropout=0.0, softmax="adaptive")
ROWS = 64
ROUNDS = 6


def run() -> None:
    """Train LSTM and transformer with either softmax in turns, and print one line of JSON."""
    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    zipf = 1 / (np.arange(SHAPE.words) + 2.7)
    words = rng.choice(SHAPE.words, (ROWS, SHAPE.length + 1), p=zipf / zipf.sum())
    tokens, following = torch.from_numpy(words[:, :-1].copy()), torch.from_numpy(words[:, 1:].copy())
    figures: dict[str, float] = {}
    ratio = 0.0
    for body in ("lstm", "gpt2"):
        shapes = {softmax: replace(SHAPE, body=body, softmax=softmax) for softmax in ("adaptive", "full")}
        whole: dict[str, list[float]] = {name: [] for name in shapes}
        without: dict[str, list[float]] = {name: [] for name in shapes}
        networks = {name: NextWordNetwork(shape) for name, shape in shapes.items()}
        optimisers = {name: torch.optim.Adam(network.parameters()) for name, network in networks.items()}
        for _ in range(ROUNDS):
            for name, network in networks.items():
                whole[name].append(_step(network, optimisers[name], tokens, following))
                without[name].append(_step(network, optimisers[name], tokens, None))
        for name in shapes:
            second, body_only = float(np.median(whole[name])), float(np.median(without[name]))
            figures[f"{body}_{name}_words_per_second"] = round(tokens.numel() / second)
            figures[f"{body}_{name}_share_in_softmax"] = round(1 - body_only / second, 2)
        ratio = ratio or float(np.median(whole["full"]) / np.median(whole["adaptive"]))
    line = {
        "name": "lm_training",
        "ratio": round(ratio, 2),
        "compared": (
            f"seconds a training step of the LSTM with {SHAPE.words} words, {SHAPE.dimension} units and one thread: a "
            "full softmax over the adaptive one"
        ),
        "figures": figures,
    }
    print(json.dumps(line))


def _step(
    network: NextWordNetwork, optimiser: torch.optim.Optimizer, tokens: torch.Tensor, following: torch.Tensor | None
) -> float:
    """Take a training step and return its seconds; without what follows, leave the softmax and its update out."""
    start = time.perf_counter()
    optimiser.zero_grad(set_to_none=True)
    hidden = network(tokens).flatten(0, 1)
    loss = hidden.square().mean() if following is None else network.losses(hidden, following.flatten()).mean()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimiser.step()
    return time.perf_counter() - start


if __name__ == "__main__":
    run()
