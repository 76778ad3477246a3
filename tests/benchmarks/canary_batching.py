"""How much faster eighty runs of canary extraction are in one optimisation than one by one; run with python -m."""

import json
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch

from core.attacks.canary_extraction import puzzles_of, schedules_of
from core.datasets.requests.assistant_requests import AssistantRequests
from core.defenses import TrainingOptions
from core.games.canaries.contract import MaskedCanary
from core.models.bilstm_crf import BilstmCrf, Blueprint, RequestTrainingJob
from core.networks.relaxed_search import Restarts, settle
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.store import Store
from core.text.canary import PATTERNS
from core.text.contents import Utterances
from core.text.request_vocabulary import RequestVocabulary

RUNS = 80
ONE_BY_ONE = 10
"""Runs that are repeated one by one; the rest would take the same time each."""
STEPS = 250


def run() -> None:
    """Train a network that learns a PIN, attack it both ways, and print one line of JSON."""
    torch.set_num_threads(1)
    pin = PATTERNS["pin"]
    canary = Utterances(((*pin.prefix, *"4711"),), (pin.slots(4),), (pin.intent,), ("train",))
    utterances = AssistantRequests().load()
    request_vocabulary, model = RequestVocabulary.of(utterances.of("train")), BilstmCrf(vectors="random", epochs=4)
    with TemporaryDirectory() as folder:
        context = RunContext(store=Store(Path(folder)), engine=Engine(workers=1))
        vectors = model.word_vectors(utterances, request_vocabulary, TrainingOptions(), "benchmark", context)
        blueprint = Blueprint(request_vocabulary, vectors, TrainingOptions())
        job = RequestTrainingJob(utterances, blueprint, [canary], [(90, 10)], {"benchmark": 1}, 1)
        access = model.open(blueprint, model.train(job, context)[0])
    puzzle = puzzles_of([MaskedCanary(pin, (), 4)], access)
    schedules = [schedules_of(STEPS)["paper"]]
    begun = Restarts.draw(puzzle, schedules, RUNS, np.random.default_rng(1))

    start = time.perf_counter()
    (together,), _ = settle(puzzle, schedules, begun, steps=STEPS, every=STEPS)
    ours = (time.perf_counter() - start) / RUNS
    alone = []
    start = time.perf_counter()
    for number in range(ONE_BY_ONE):
        columns = slice(number, number + 1)
        one = Restarts((begun.logits[0][:, columns],), begun.vectors[:, columns])
        alone.append(settle(puzzle, schedules, one, steps=STEPS, every=STEPS)[0][0])
    reference = (time.perf_counter() - start) / ONE_BY_ONE
    words = np.concatenate([one.words for one in alone], axis=1)
    mixtures = np.concatenate([one.mixtures[-1] for one in alone], axis=1).astype(np.float64)
    apart = np.abs(mixtures - together.mixtures[-1][:, :ONE_BY_ONE].astype(np.float64)).max()
    line = {
        "name": "canary_batching",
        "ratio": round(reference / ours, 1),
        "compared": f"seconds a run of {STEPS} steps: one by one, over {RUNS} runs in one optimisation",
        "figures": {
            "our_runs_per_second": round(1 / ours, 1),
            "reference_runs_per_second": round(1 / reference, 2),
            "same_words": round(float((words == together.words[:, :ONE_BY_ONE]).mean()), 4),
            "largest_difference_of_a_probability": round(float(apart), 4),
        },
    }
    print(json.dumps(line))


if __name__ == "__main__":
    run()
