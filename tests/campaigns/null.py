"""How often real games whose models never saw what is asked about show an interval that excludes chance; -m."""

import math
import random
import re
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import binom

from core.attacks.translation_overlap import TranslationOverlap
from core.datasets.embeddings import Embeddings
from core.experiment import Experiment, run
from core.games.translation_membership import TranslationMembership
from core.result import Estimate
from core.runtime.context import RunContext
from core.runtime.store import Store
from tests.campaigns.campaign import WORKERS, command
from tests.games.inversion.small_games import MIXED
from tests.games.translation_membership.small_games import Given, Memoriser, bitext
from tests.stand_ins import Noise, RandomVectors, Sentences, Withholding, WordBag, context

MOST = 0.05
"""Share of the intervals of a statistic that may exclude chance where nothing is given away."""
_DOUBT = 0.001
"""More is a fault where games that keep to the most would show so many this rarely."""
_NO_STATISTIC = ("recall", "classifier_", "perplexity", "intent_", "slot_", "retrieval_")
"""Recall alone says nothing, since who calls everybody a member has all of it; others are of utility, not of a leak."""
_MEASURE = re.compile(
    r"(group_)?(accuracy|auc|advantage|precision|reciprocal_rank|tpr_at_\S+?_fpr|epsilon_at_least|exposure|hamming_distance_per_token)"
)
_MEMBERSHIP: dict[str, Any] = {"target_sizes": [3, 6], "targets": 8, "plays": 15, "documents": 80}
_EMBEDDING: dict[str, Any] = {"dimension": 8, "minimum_count": 1, "epochs": 2, "window": 3, "subsampling": 0}
_TRANSLATION = TranslationMembership(probes=30, shadow_probes=15, validation=20, course=())

Game = Callable[[int, RunContext], Mapping[str, Estimate]]
"""Plays a game from a seed, and returns its figures."""


def _experiment(values: Callable[[int], Mapping[str, Any]]) -> Game:
    def game(seed: int, lab: RunContext) -> Mapping[str, Estimate]:
        return run(Experiment.parse({**values(seed % 1000), "seed": seed}), lab)[0].estimates

    return game


def _withheld(attack: Mapping[str, Any], model: Mapping[str, Any]) -> Game:
    """Membership of documents that train no model, whatever the coin says."""
    return _experiment(
        lambda stream: {
            "dataset": Sentences(count=250, share=0.5, labelled=True, stream=stream),
            "model": model,
            "game": _MEMBERSHIP,
            "attack": {"shadow_pairs": 6, **attack},
            "defenses": [Withholding()],
        }
    )


@_experiment
def _windows(stream: int) -> Mapping[str, Any]:
    return {
        "dataset": Sentences(count=120, share=0.0, stream=stream),
        "model": RandomVectors(dimension=8, minimum_count=1),
        "game": {"couples": 4, "examples": 40},
        "attack": {"part": "window_similarity", "window": 2},
    }


@_experiment
def _keywords(stream: int) -> Mapping[str, Any]:
    return {
        "dataset": Sentences(count=300, share=0.5, stream=stream),
        "model": Noise(),
        "game": {"shadow_share": 0.5, "victims": 60},
        "attack": {"part": "keyword_inference"},
    }


@_experiment
def _canaries(stream: int) -> Mapping[str, Any]:
    return {
        "dataset": {"part": "assistant_requests", "utterances": 200},
        "model": {"part": "bilstm_crf", "dimension": 8, "hidden": 8, "epochs": 1},
        "game": {"patterns": ["pin"], "length": 3, "repetitions": [0], "trials": 10},
        "attack": {"part": "canary_extraction", "schedule": "annealed", "restarts": 1, "steps": 2},
    }


def _suspects(seed: int, lab: RunContext) -> Mapping[str, Estimate]:
    """Suspected texts, half of them stored, and vectors in a file behind noise that leaves nothing of their texts."""
    texts, bag = Sentences(count=700, share=0, words=MIXED, stream=seed % 1000).load().texts, WordBag()
    with tempfile.TemporaryDirectory(prefix="telltale-null-") as name:
        folder = Path(name)
        np.save(folder / "vectors.npy", bag.encode(texts, lab))
        pd.DataFrame({"text": texts}).to_csv(folder / "texts.csv", index=False)
        audit = Experiment.parse(
            {
                "attack": {"part": "candidate_ranking", "texts": 100},
                "dataset": Embeddings(source=str(folder / "vectors.npy"), texts=str(folder / "texts.csv")),
                "model": bag,
                "defenses": [{"part": "gaussian", "scale": 1000}],
                "game": {"pieces": "texts", "victims": 100, "candidates": 200, "utility": "quick"},
                "seed": seed,
            }
        )
        return run(audit, lab)[0].estimates


def _translations(seed: int, lab: RunContext) -> Mapping[str, Estimate]:
    pairs: Any = Given(bitext(200, seed=seed))
    return _TRANSLATION.play(pairs, Memoriser(recall=0.0), (), TranslationOverlap(), seed, lab)[0]


KINDS: dict[str, Game] = {
    "window similarity": _windows,
    "keyword inference": _keywords,
    "word pairs": _withheld({"part": "word_pairs", "adaptive": False}, {"part": "word2vec", **_EMBEDDING}),
    "classifier probing": _withheld(
        {"part": "classifier_probing", "trees": 10, "documents": 20, "repetitions": 2},
        {"part": "spam_classifier", "positive": "yes", **_EMBEDDING},
    ),
    "next word": _withheld(
        {"part": "next_word", "embedding": _EMBEDDING, "dictionary": None, "controls": False},
        {
            "part": "lstm_lm",
            "dimension": 8,
            "minimum_count": 1,
            "layers": 1,
            "epochs": 1,
            "context": 8,
            "batch": 16,
            "learning_rate": 1e-2,
        },
    ),
    "translation overlap": _translations,
    "canary extraction": _canaries,
    "suspected texts": _suspects,
}


def attempt(number: int, rng: random.Random, kinds: Mapping[str, Game] = KINDS) -> str:
    """Play one game of one kind, and name its statistics; + and - follow those whose interval excludes chance.

    A ? follows those without an interval.
    """
    kind = list(kinds)[number % len(kinds)]
    folder = Path(tempfile.mkdtemp(prefix="telltale-null-"))
    try:
        lab = context(Store(root=folder, shipped=folder / "shipped"))
        estimates = kinds[kind](rng.getrandbits(31), lab)
    finally:
        shutil.rmtree(folder)
    return f"{kind}|" + " ".join(sorted(name + side for name, side in sides(estimates).items()))


def sides(estimates: Mapping[str, Estimate]) -> dict[str, str]:
    """Return for each statistic of a leak on which side of chance its interval lies: +, - or none; ? without any."""
    return {
        name: _side(figure, figure.chance)
        for name, figure in estimates.items()
        if figure.chance is not None and not name.startswith(_NO_STATISTIC)
    }


def _side(figure: Estimate, chance: float) -> str:
    if any(map(math.isnan, (figure.low, figure.high, chance))):
        return "?"
    return "+" if figure.low > chance else "-" if figure.high < chance else ""


def report(counts: Counter[str], kinds: Iterable[str] = KINDS) -> tuple[list[str], list[str]]:
    """Return the lines of a table, one a kind and measure, and the statistics that exclude chance too often."""
    shown, above, below, without = (Counter[tuple[str, str]]() for _ in range(4))
    for outcome, games in counts.items():
        kind, _, names = outcome.partition("|")
        for name in names.split():
            statistic = (kind, name.rstrip("+-?"))
            shown[statistic] += games * (not name.endswith("?"))
            without[statistic] += games * name.endswith("?")
            above[statistic] += games * name.endswith("+")
            below[statistic] += games * name.endswith("-")
    measures = defaultdict(list)
    for kind, name in shown:
        match = _MEASURE.match(name)
        measures[kind, match[0] if match else name].append((kind, name))
    lines = [
        "| game | measure | statistics | intervals | without one | above chance | below | the statistic with most "
        "| excludes it |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for kind in kinds:
        for (of, measure), statistics in measures.items():
            if of == kind:
                total, missing = (sum(count[each] for each in statistics) for count in (shown, without))
                sums = [100 * sum(count[each] for each in statistics) / max(total, 1) for count in (above, below)]
                worst = max(statistics, key=lambda each: (above[each] + below[each]) / max(shown[each], 1))
                most = 100 * (above[worst] + below[worst]) / max(shown[worst], 1)
                lines.append(
                    f"| {kind} | {measure} | {len(statistics)} | {total:,} | {missing:,} | {sums[0]:.1f} "
                    f"| {sums[1]:.1f} | {worst[1]} | {most:.1f} |"
                )
    broken = [
        f"{kind}, {name}: {100 * (above[kind, name] + below[kind, name]) / games:.1f}% of {games:,}"
        for (kind, name), games in shown.items()
        if binom.sf(above[kind, name] + below[kind, name] - 1, games, MOST) < _DOUBT
    ]
    return lines, broken


if __name__ == "__main__":
    sys.exit(command("null", attempt, 1_000 * len(KINDS), report, [WORKERS]))
