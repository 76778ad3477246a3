"""Made-up results of reading canaries out of networks: scored as the game scores, without any training."""

from functools import cache

import numpy as np

from core.experiment import Experiment
from core.games.canaries.contract import Answer, MaskedCanary
from core.games.canaries.exposure import CanaryResult
from core.games.canaries.score import Scorer
from core.result import Estimate, Result
from core.text.canary import PATTERNS
from dashboard.kit.shared import share
from tests.dashboard.samples import PROVENANCE

ATTACK = "canary_extraction"
_SAMPLE = 10_000
_RELIABILITY = {"annealed": 0.8, "annealed_descent": 1.0, "continuous": 0.3, "paper": 0.6}
"""Beside a perfect optimisation, which share of what a network holds each method reads."""


def extracted(
    *,
    repetitions=(10, 100),
    length=4,
    defenses=(),
    dataset="snips",
    patterns=("pin", "color", "call"),
    trials=3,
    good=True,
    known=0,
    shown=1,
    seed=7,
    passes=5,
    epochs=8,
    batch=64,
    **attack,
):
    """Return a result in which networks hold canaries the better, the oftener they were shown them.

    Args:
        repetitions: How often each canary is put among the data.
        length: Words of each secret.
        defenses: Names of them.
        dataset: Name of the requests.
        patterns: What the secrets look like.
        trials: Secrets of each pattern.
        good: Whether networks hold anything at all; otherwise all is at chance.
        known: How many words the adversary knows.
        shown: Trials of which the course is kept.
        seed: Of the experiment and of what is made up.
        passes: Of training that are kept.
        epochs: Of training.
        batch: Requests in a batch.
        attack: Its parameters.
    """
    experiment = Experiment.parse(
        {
            "attack": {"part": ATTACK, **attack},
            "dataset": {"part": dataset},
            "model": {"part": "bilstm_crf", "epochs": epochs, "batch": batch},
            "game": {
                "patterns": list(patterns),
                "length": length,
                "known": known,
                "repetitions": list(repetitions),
                "trials": trials,
                "shown": shown,
            },
            "defenses": [{"part": name} for name in defenses],
            "seed": seed,
        }
    )
    return _made(experiment, good, passes)


@cache
def _made(experiment, good, passes):
    rng = np.random.default_rng(experiment.seed)
    game, attack = experiment.game, experiment.attack
    readings, training = [], []
    for times in game.repetitions:
        for trial in range(game.trials):
            model = len({reading.model for reading in readings})
            readings += [_reading(model, trial, times, name, game, attack, good, rng) for name in game.patterns]
            training += [_pass(model, number, rng) for number in range(1, passes + 1)]
    scorer = Scorer(readings, attack.method, game.shown)
    estimates = {**scorer.estimates(), **_plain_estimates()}
    return share(Result(experiment.as_dict(), estimates, PROVENANCE, scorer.tables(training)))


def _reading(model, trial, times, name, game, attack, good, rng):
    pattern, unknown = PATTERNS[name], game.length - game.known
    count = len(pattern.candidates)
    known = tuple(pattern.candidates[word] for word in rng.integers(count, size=game.known))
    question = MaskedCanary(pattern, known, unknown)
    truth = rng.integers(count, size=unknown)
    decoy = (truth + 1 + rng.integers(count - 1, size=unknown)) % count
    held = min(np.log10(times + 1) / 2, 1.0) if good else 0.0  # 0 never shown, 1 from about a hundred copies on
    exact = question.space <= attack.scored
    scored = (
        np.stack(np.unravel_index(np.arange(question.space), (count,) * unknown), axis=1)
        if exact
        else rng.integers(count, size=(min(_SAMPLE, attack.scored), unknown))
    )
    pull = 4 * held * (scored == truth).mean(axis=1)
    scores = (5.0 - pull + 0.4 * rng.normal(size=len(scored))).astype(np.float32)
    losses = 5.0 - 4.6 * held + 0.1 * rng.random(), 5.0 + 0.4 * rng.normal()
    if exact:
        index = np.ravel_multi_index(tuple(truth), (count,) * unknown)
        scores[index] = losses[0]
        losses = float(scores[index]), float(scores[np.ravel_multi_index(tuple(decoy), (count,) * unknown)])
    runs = np.stack([_read(truth, 0.7 * held, count, rng) for _ in range(attack.restarts)])
    run_losses = losses[0] + 0.9 * (runs != truth).mean(axis=1)
    guesses = _guesses(truth, held, count, rng, scored[scores.argmin()] if exact else None)
    guesses[attack.method] = runs[run_losses.argmin()]
    spread = {name: losses[0] + 0.9 * float((guess != truth).mean()) for name, guess in guesses.items()}
    steps = np.array([*range(0, attack.steps, 10), attack.steps])
    answer = Answer(
        guesses,
        spread,
        scored,
        scores,
        steps,
        _mixture(guesses[attack.method], count, steps, rng),
        runs,
        run_losses.astype(np.float32),
    )
    return CanaryResult(model, trial, times, question, answer, truth, decoy, losses)


def _guesses(truth, held, count, rng, best):
    guesses = {name: _read(truth, held * share, count, rng) for name, share in _RELIABILITY.items()}
    guesses["random"] = rng.integers(count, size=len(truth))
    return guesses if best is None else {**guesses, "exhaustive": best}


def _read(truth, share, count, rng):
    """Return the truth, of which a share is right and the rest as chance has it."""
    return np.where(rng.random(len(truth)) < share, truth, rng.integers(count, size=len(truth)))


def _mixture(words, count, steps, rng):
    """Return a mixture that settles on words, one after the other, (recorded, unknown, candidates)."""
    logits = rng.normal(size=(len(words), count))
    towards = np.eye(count)[words]
    speed = 3 + 4 * rng.random(len(words))
    done = np.linspace(0, 1, len(steps))[:, None, None]
    shares = np.exp((1 - done) * logits + done * speed[:, None] * towards)
    return (shares / shares.sum(axis=2, keepdims=True)).astype(np.float16)


def _pass(model, number, rng):
    return {
        "model": model,
        "pass": number,
        "train_loss": 20 / number**2,
        "validation_loss": 10 / number + rng.random(),
        "intent_accuracy": 1 - 0.5 / number,
        "slot_f1": 1 - 0.6 / number - 0.01 * rng.random(),
    }


def _plain_estimates():
    useful = {"intent_accuracy": (0.97, "share of requests"), "slot_f1": (0.91, "F1")}
    estimates = {
        name: Estimate(value=value, low=value - 0.01, high=value + 0.01, chance=None, unit=unit)
        for name, (value, unit) in useful.items()
    }
    queries = Estimate(value=20_500, low=20_500, high=20_500, chance=None, unit="queries")
    return {**estimates, "queries": queries}
