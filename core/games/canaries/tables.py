"""The tables of games about canaries: their columns, and the rows of one canary."""

from collections.abc import Iterator
from typing import Any

from core.games.canaries.exposure import CanaryResult
from core.result import Column, Schema
from core.statistics.intervals import with_interval

SCHEMAS: dict[str, Schema] = {
    "cells": {
        "pattern": Column("str", "What the canaries look like; 'all' for the mean over the patterns."),
        "repetitions": Column("int32", "How often each was put among the data."),
        "method": Column("str", "How they were read."),
        "own": Column("bool", "Whether this is the attack's own method."),
        "canaries": Column("int32", "Number of canaries."),
        **with_interval("accuracy", "Share of canaries that were read without a mistake."),
        "accuracy_chance": Column("float64", "The same by guessing at random."),
        **with_interval("hamming", "Share of unknown words that were read wrongly (HDT)."),
        "hamming_chance": Column("float64", "The same by guessing at random."),
    },
    "exposures": {
        "pattern": Column("str", "What the canaries look like; 'all' for the mean over the patterns."),
        "repetitions": Column("int32", "How often each was put among the data."),
        "canaries": Column("int32", "Number of canaries."),
        "secrets": Column("float64", "How many secrets are possible; NaN for several patterns."),
        "ceiling": Column("float64", "Bits of exposure when the truth ranks first."),
        "chance": Column("float64", "Bits of exposure of a secret that was never learnt, on average."),
        "rank": Column("float64", "Median rank of the true secret among all, by the network's loss; 1 is best."),
        **with_interval(
            "exposure", "Mean exposure, bits: log2 of the number of secrets less log2 of the rank.", bare=True
        ),
        "control_rank": Column("float64", "Median rank of a secret that was drawn alike and never learnt."),
        **with_interval("control", "Mean exposure of such secrets, bits."),
    },
    "canaries": {
        "model": Column("int32", "Number of the network."),
        "trial": Column("int32", "Number of the trial, each with canaries of its own."),
        "pattern": Column("str", "What the canary looks like."),
        "repetitions": Column("int32", "How often it was put among the data."),
        "beginning": Column("str", "The words that the adversary knows."),
        "truth": Column("str", "The words that it does not."),
        "rank": Column("float64", "Rank of the truth among all secrets, by the network's loss; 1 is best."),
        "exact": Column("bool", "Whether all secrets were ranked, or a sample of them."),
        "exposure": Column("float64", "Exposure of the truth, bits."),
        "loss": Column("float64", "The network's loss with the truth."),
        "control_rank": Column("float64", "Rank of a secret that was never learnt."),
    },
    "guesses": {
        "model": Column("int32", "Number of the network."),
        "pattern": Column("str", "What the canary looks like."),
        "method": Column("str", "How it was read."),
        "guess": Column("str", "The unknown words, as they were read."),
        "wrong": Column("int32", "How many of them are wrong."),
        "loss": Column("float64", "The network's loss with the guess."),
    },
    "mixtures": {
        "model": Column("int32", "Number of the network."),
        "pattern": Column("str", "What the canary looks like."),
        "step": Column("int32", "Steps of the attack by then."),
        "position": Column("int32", "Number of the unknown word, from 1."),
        "candidate": Column("str", "What it may be."),
        "probability": Column("float32", "Its share in the mixture of the run that the attack trusts."),
    },
    "runs": {
        "model": Column("int32", "Number of the network."),
        "pattern": Column("str", "What the canary looks like."),
        "run": Column("int32", "Number of the random restart."),
        "guess": Column("str", "The unknown words, where it ended."),
        "loss": Column("float64", "The network's loss there; the smallest counts."),
    },
    "training": {
        "model": Column("int32", "Number of the network."),
        "pass": Column("int32", "Epochs trained so far."),
        "train_loss": Column("float64", "Mean training loss of a request in that epoch."),
        "validation_loss": Column(
            "float64", "Mean loss of a request for validation, a tenth of the canaries included."
        ),
        "intent_accuracy": Column("float64", "Share of requests for validation of which the intent is named."),
        "slot_f1": Column("float64", "F1 of the slots in requests for validation."),
    },
}


def canary_row(result: CanaryResult) -> dict[str, Any]:
    """Return the row of a canary in the table ``canaries``."""
    truth_loss, decoy_loss = result.losses
    return {
        "model": result.model,
        "trial": result.trial,
        "pattern": result.canary.pattern.name,
        "repetitions": result.repetitions,
        "beginning": " ".join(result.canary.beginning),
        "truth": result.spelt(result.truth),
        "rank": result.rank(result.truth, truth_loss),
        "exact": result.exact,
        "exposure": result.exposure(result.truth, truth_loss),
        "loss": truth_loss,
        "control_rank": result.rank(result.decoy, decoy_loss),
    }


def guess_rows(result: CanaryResult) -> Iterator[dict[str, Any]]:
    """Yield a row for each method that guessed a canary's secret."""
    for method, guess in result.answer.guesses.items():
        yield {
            **_keys(result),
            "method": method,
            "guess": result.spelt(guess),
            "wrong": int((guess != result.truth).sum()),
            "loss": result.answer.losses[method],
        }


def mixture_rows(result: CanaryResult) -> Iterator[dict[str, Any]]:
    """Yield a row for each recorded step, unknown word and candidate."""
    for step, mixture in zip(result.answer.steps.tolist(), result.answer.mixture.tolist(), strict=True):
        for position, shares in enumerate(mixture, 1):
            for candidate, share in zip(result.canary.pattern.candidates, shares, strict=False):
                columns = {"step": step, "position": position, "candidate": candidate}
                yield {**_keys(result), **columns, "probability": share}


def restart_rows(result: CanaryResult) -> Iterator[dict[str, Any]]:
    """Yield a row for each random restart."""
    for run, (words, loss) in enumerate(zip(result.answer.runs, result.answer.run_losses.tolist(), strict=True)):
        yield {**_keys(result), "run": run, "guess": result.spelt(words), "loss": loss}


def _keys(result: CanaryResult) -> dict[str, Any]:
    return {"model": result.model, "pattern": result.canary.pattern.name}
