"""How many language models a minute an adversary fine-tunes: ours on all cores, and one fine-tuning after another."""

import json
import math
import os
import statistics
import tempfile
import time
from collections.abc import Sequence
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
from core.text.corpus import Corpus, words_of

MODELS = 4
DOCUMENTS = 400
ROUNDS = 3
MODEL = CausalLm(epochs=1, learning_rate=1e-3, context=256)
WORDS, SPREAD = 82, 0.8
"""Median number of words of an Enron e-mail, and the deviation of its logarithm."""


def run() -> None:
    """Fine-tune the same shadow models both ways in turns, and print one line of JSON."""
    rng = np.random.default_rng(0)
    read = [words_of(text) for text in WikipediaExcerpt().load().texts]
    lengths = rng.lognormal(math.log(WORDS), SPREAD, len(read)).astype(int)
    figures = {
        **_raced("mail", [words[:most] for words, most in zip(read, lengths, strict=True)]),
        **_raced("long_documents", read),
    }
    line = {
        "name": "shadow_lm",
        "ratio": figures["mail_ratio"],
        "compared": (
            f"seconds to fine-tune {MODELS} GPT-2s of half a million weights on {DOCUMENTS} documents each, as long as "
            f"e-mails are (a median of {WORDS} words) and cut at {MODEL.context} tokens, once over, on "
            f"{len(os.sched_getaffinity(0))} cores: a loop of plain transformers over padded batches, with all "
            "threads, over ours, storing each epoch. The same of documents of which most are cut, so that padding "
            "costs little. At most: the ratio if ours took no longer than the steps of training, in one thread a core"
        ),
        "figures": figures,
    }
    print(json.dumps(line))


def _raced(name: str, documents: Sequence[Sequence[str]]) -> dict[str, float | list[float]]:
    """Return seconds and models a minute of both ways, whose models learn from the same draws of some documents."""
    corpus, rng = Corpus.encode([" ".join(words) for words in documents]), np.random.default_rng(0)
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
    steps = bare_median * MODELS / min(len(os.sched_getaffinity(0)), MODELS)
    return {
        f"{name}_ratio": round(plain_median / our_median, 2),
        f"{name}_ratio_at_most": round(plain_median / steps, 2),
        f"{name}_models_per_minute": round(60 * MODELS / our_median, 2),
        f"{name}_plain_models_per_minute": round(60 * MODELS / plain_median, 2),
        f"{name}_seconds": [round(seconds, 2) for seconds in ours],
        f"{name}_plain_seconds": [round(seconds, 2) for seconds in plain],
    }


def _in_one_thread(texts: list[str]) -> float:
    """Return the seconds that the steps of one fine-tuning take."""
    network = opened(MODEL.folder(), device_of("auto"))
    start = time.perf_counter()
    fine_tune(network, texts, MODEL.fine_tuning(training_options(())), np.random.default_rng(0))
    return time.perf_counter() - start


def _one_after_another(texts: list[str]) -> None:
    """Fine-tune one model as the usual loop does: batches of padded documents, Adam, clipped gradients."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    torch.set_num_threads(len(os.sched_getaffinity(0)))
    folder, device = MODEL.folder(), device_of("auto")
    tokeniser, model = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder)
    model = model.float().to(device).train()
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
