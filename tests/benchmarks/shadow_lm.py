"""How many language models a minute an adversary fine-tunes: ours on all cores, and one fine-tuning after another."""

import json
import os
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np
import torch

from core.datasets.wikipedia_excerpt import WikipediaExcerpt
from core.defenses import training_options
from core.encoders.causal import opened
from core.encoders.devices import device_of
from core.models.causal_lm import CausalLm
from core.networks.language.fine_tuning import LEFT_OUT, fine_tune
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.store import Store
from core.targets.training_job import TrainingJob
from core.text.corpus import Corpus

MODELS = 4
DOCUMENTS = 60
ROUNDS = 2
MODEL = CausalLm(epochs=2, learning_rate=1e-3, context=128)


def run() -> None:
    """Fine-tune the same shadow models both ways in turns, and print one line of JSON."""
    corpus = Corpus.encode(WikipediaExcerpt().load().texts)
    rng = np.random.default_rng(0)
    ours: list[float] = []
    plain: list[float] = []
    bare: list[float] = []
    with tempfile.TemporaryDirectory() as home:
        context = RunContext(store=Store(Path(home)), engine=Engine())
        for turn in range(ROUNDS + 1):
            selections = [rng.choice(len(corpus), DOCUMENTS, replace=False) for _ in range(MODELS)]
            start = time.perf_counter()
            MODEL.train_own(TrainingJob(corpus, selections, {"benchmark": turn}, seed=turn), context, "Racing")
            ours.append(time.perf_counter() - start)
            start = time.perf_counter()
            for rows in selections:
                _one_after_another([" ".join(words) for words in corpus.select(rows).texts()])
            plain.append(time.perf_counter() - start)
            bare.append(_in_one_thread([" ".join(words) for words in corpus.select(selections[0]).texts()]))
    # Processes start in the first round.
    our_median, plain_median, bare_median = (statistics.median(seconds[1:]) for seconds in (ours, plain, bare))
    cores = len(os.sched_getaffinity(0))
    line = {
        "name": "shadow_lm",
        "ratio": round(plain_median / our_median, 2),
        "compared": (
            f"seconds to fine-tune {MODELS} GPT-2s of half a million weights on {DOCUMENTS} documents for "
            f"{MODEL.epochs} epochs: a loop of plain transformers with all threads over ours, storing each epoch, on "
            f"{cores} cores. At most: the ratio if ours took no longer than the steps of training, in one thread a core"
        ),
        "figures": {
            "ratio_at_most": round(plain_median / (bare_median * MODELS / min(cores, MODELS)), 2),
            "our_models_per_minute": round(60 * MODELS / our_median, 2),
            "plain_models_per_minute": round(60 * MODELS / plain_median, 2),
            "our_seconds": [round(seconds, 2) for seconds in ours],
            "plain_seconds": [round(seconds, 2) for seconds in plain],
        },
    }
    print(json.dumps(line))


def _in_one_thread(texts: list[str]) -> float:
    """Return the seconds that the steps of one fine-tuning take."""
    network = opened(MODEL.folder(), device_of("auto"))
    start = time.perf_counter()
    fine_tune(network, texts, MODEL.fine_tuning(training_options(())), np.random.default_rng(0))
    return time.perf_counter() - start


def _one_after_another(texts: list[str]) -> None:
    """Fine-tune one model as the usual loop does: batches of padded documents, Adam, clipped gradients."""
    from transformers import AutoTokenizer

    torch.set_num_threads(len(os.sched_getaffinity(0)))
    folder, device = MODEL.folder(), device_of("auto")
    tokeniser, model = AutoTokenizer.from_pretrained(folder), opened(folder, device).model.requires_grad_(True).train()
    tokeniser.pad_token = tokeniser.eos_token
    optimiser = torch.optim.Adam(model.parameters(), lr=MODEL.learning_rate)
    for _ in range(MODEL.epochs):
        for first in range(0, len(texts), MODEL.batch):
            batch = tokeniser(
                texts[first : first + MODEL.batch],
                return_tensors="pt",
                padding=True,
                truncation=True,
                max_length=MODEL.context,
            ).to(device)
            labels = batch["input_ids"].masked_fill(batch["attention_mask"] == 0, LEFT_OUT)
            optimiser.zero_grad()
            model(**batch, labels=labels).loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()


if __name__ == "__main__":
    run()
