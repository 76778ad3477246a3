"""How many tokens and words a second language models score, on a GPU if there is one: batched, and one at a time."""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import torch

from core.access.fine_tuned_models import FineTunedModel
from core.datasets.wikipedia_excerpt import WikipediaExcerpt
from core.encoders.causal import opened
from core.encoders.devices import device_of, machine
from core.models.causal_lm import CausalLm
from core.networks.language.next_word import Shape, initial
from core.networks.language.next_word_predictor import NextWordPredictor
from core.networks.language.shared_network import SharedNetwork
from core.text.corpus import words_of

SHAPE = Shape("lstm", words=6000, dimension=64, layers=2, heads=4, length=32, dropout=0.0, softmax="adaptive")
DOCUMENTS = 300
ROUNDS = 3
LENGTHS = {"short": (5, 40), "long": (20, 200)}
"""Words of documents, from and to."""
SQUARE = 1024
"""Rows and columns of the matrices whose product shows how fast this machine multiplies."""


def run() -> None:
    """Score the same documents both ways in turns, and print one line of JSON."""
    figures: dict[str, float | str] = {"machine": machine(), "threads": torch.get_num_threads()}
    for name, words in LENGTHS.items():
        figures |= _fine_tuned(f"{name}_documents", *words)
    figures |= _from_scratch()
    line = {
        "name": "lm_scoring",
        "ratio": figures["short_documents_ratio"],
        "compared": (
            f"seconds to cut {DOCUMENTS} documents of {LENGTHS['short'][0]} to {LENGTHS['short'][1]} words into tokens "
            f"and score them by a fine-tuned GPT-2 of half a million weights, on the same {device_of('auto')}: plain "
            "transformers, one document at a time, in one thread or all of torch's, whichever is faster, over ours. At "
            "most: the ratio if ours took no longer than the products with the network's weights, at the speed of "
            f"products of matrices of {SQUARE} rows. The same of words by models trained from scratch"
        ),
        "figures": figures,
    }
    print(json.dumps(line))


def _fine_tuned(name: str, fewest: int, most: int) -> dict[str, float]:
    """Return tokens a second by the small language model, ours and by plain transformers, and what bounds them."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder, device = CausalLm().folder(), device_of("auto")
    rng = np.random.default_rng(0)
    texts = rng.permutation(np.array(WikipediaExcerpt().load().texts, dtype=object))[:DOCUMENTS]
    documents = [words_of(text)[: int(rng.integers(fewest, most))] for text in texts]
    network = opened(folder, device)
    tokeniser, model = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder)
    model = model.float().to(device).eval()
    square = torch.from_numpy(rng.standard_normal((SQUARE, SQUARE), np.float32)).to(device)

    threads = torch.get_num_threads()

    def alone() -> None:
        torch.set_num_threads(1)
        plain()
        torch.set_num_threads(threads)

    @torch.no_grad()
    def plain() -> None:
        for words in documents:
            ids = tokeniser(" ".join(words), return_tensors="pt", truncation=True)["input_ids"].to(device)
            model(ids, labels=ids).loss.item()

    def ours() -> None:
        FineTunedModel(SharedNetwork(network, 0, network.longest), {}).losses(documents)

    def product() -> None:
        torch.mm(square, square)

    tokens = sum(len(cut) for cut, _ in network.tokens([" ".join(words) for words in documents], network.longest))
    fast, in_one, in_all, multiplied = _medians([ours, alone, plain, product])
    slow = min(in_one, in_all)
    operations = 2 * sum(part.numel() for part in model.parameters()) - 2 * model.transformer.wpe.weight.numel()
    peak = 2 * SQUARE**3 / multiplied
    return {
        f"{name}_ratio": round(slow / fast, 2),
        f"{name}_ratio_at_most": round(slow / tokens * peak / operations, 2),
        f"{name}_tokens_per_second": round(tokens / fast),
        f"{name}_tokens_per_second_of_transformers_in_one_thread": round(tokens / in_one),
        f"{name}_tokens_per_second_of_transformers_in_all_threads": round(tokens / in_all),
        f"{name}_gigaflops": round(tokens / fast * operations / 1e9, 1),
        f"{name}_gigaflops_of_large_products": round(peak / 1e9, 1),
    }


def _from_scratch() -> dict[str, float]:
    """Return words a second by LSTM and transformer over words, in shared batches and one document at a time."""
    rng = np.random.default_rng(0)
    zipf = 1 / (np.arange(SHAPE.words - 2) + 2.7)
    sizes = rng.integers(20, 200, DOCUMENTS)
    documents = [2 + rng.choice(len(zipf), size, p=zipf / zipf.sum()) for size in sizes]
    words = sum(map(len, documents))
    figures: dict[str, float] = {}
    for body in ("lstm", "gpt2"):
        shape = replace(SHAPE, body=body)
        state = initial(shape, np.random.default_rng(0))

        def scored(each: int, shape: Shape = shape, state: dict[str, np.ndarray] = state) -> None:
            predictor = NextWordPredictor(shape, state)
            for first in range(0, len(documents), each):
                predictor.losses(documents[first : first + each])

        batched, alone = _medians([lambda scored=scored: scored(DOCUMENTS), lambda scored=scored: scored(1)])
        figures[f"{body}_words_per_second"] = round(words / batched)
        figures[f"{body}_words_per_second_one_at_a_time"] = round(words / alone)
    return figures


def _medians(ways: Sequence[Callable[[], None]]) -> list[float]:
    """Return the seconds that each way takes, which take turns after one round that does not count."""
    seconds = [[_seconds(way) for way in ways] for _ in range(ROUNDS + 1)][1:]
    medians: list[float] = np.median(seconds, axis=0).tolist()
    return medians


def _seconds(way: Callable[[], None]) -> float:
    start = time.perf_counter()
    way()
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return time.perf_counter() - start


if __name__ == "__main__":
    run()
