"""Made-up results of authorship: the answers are invented, the tables and figures come from the game's own scoring."""

import numpy as np

from core.experiment import Experiment
from core.games.inference.contract import Answer, Truth
from core.games.inference.score import Scorer
from core.result import Result, table
from core.statistics import intervals
from core.text.secrets import Authorship
from tests.dashboard.inference_samples import NOISE
from tests.dashboard.samples import PROVENANCE, made_once

ATTACK = "attribute_inference"


@made_once
def authorship(
    authors=10,
    labels=20,
    level=2.0,
    words=0.9,
    dataset="wikipedia_excerpt",
    source="small_bert",
    defended=False,
    seed=4711,
    each=12,
    owners=(),
    folder=None,
    **changed,
):
    """Return a result with a seed that has none precomputed.

    `level` is how much likelier an adversary finds the truth, `words` how right the words are.
    """
    experiment = Experiment.parse(
        {
            "attack": {"part": ATTACK, "authors": authors, "labels": labels, "texts": max(2 * labels, 40), **changed},
            "dataset": {"part": dataset, **({} if folder is None else {"folder": folder})},
            "model": {"part": "encoder", "source": source},
            "defenses": list(NOISE) if defended else [],
            "game": {"shadow_share": 0.5},
            "seed": seed,
        }
    )
    rng = np.random.default_rng(seed)
    values = tuple(owners) or tuple(f"author-{number:02}" for number in range(authors))
    truths = np.repeat(np.arange(authors), each)
    rows = np.arange(len(truths)) + 7
    truth = Truth(tuple(f"text {row}" for row in rows), rows, truths[None], np.ones((1, len(truths)), dtype=np.bool_))
    secret = Authorship("author", values, {})
    scorer = Scorer((secret,), truth, (), uniform=False, dealt=False, variant=ATTACK, seed=seed)
    given = {"adaptive": _answers(truths, authors, level, rng)}
    if defended:
        given["naive"] = _answers(truths, authors, level / 3, rng)
    for adversary, probabilities in given.items():
        scorer.add(Answer(ATTACK, 0, probabilities), adversary)
    guesses = given["adaptive"].argmax(axis=1)
    schemas = {**experiment.attack.tables, **{name: each.schema for name, each in experiment.drawings.items()}}
    rows_of = {
        "by_labels": _by_labels(labels, truths, level, words, rng),
        "confusion": [
            {"author": values[author], "guess": values[guess], "victims": int(count)}
            for (author, guess), count in zip(*_counted(truths, guesses), strict=True)
        ],
        "map": [
            {"method": method, "row": row, "author": values[author], "guess": values[guess], "x": x, "y": y}
            for method in ("pca", "umap")
            for row, author, guess, (x, y) in zip(
                rows, truths, guesses, rng.normal(size=(len(rows), 2)) + 0.5 * truths[:, None], strict=True
            )
        ],
    }
    tables = {**scorer.tables(), **{name: table(schemas[name], listed) for name, listed in rows_of.items()}}
    return Result(experiment.as_dict(), scorer.estimates(), PROVENANCE, tables)


def _answers(truths, authors, level, rng):
    """Return how likely each author is for each text: the first authors are recognised best."""
    odds = rng.normal(size=(len(truths), authors))
    odds[np.arange(len(truths)), truths] += level * (1.5 - truths / authors)
    shares = np.exp(odds)
    return (shares / shares.sum(axis=1, keepdims=True)).astype(np.float32)


def _counted(truths, guesses):
    pairs, counts = np.unique(np.stack([truths, guesses], axis=1), axis=0, return_counts=True)
    return pairs.tolist(), counts


def _by_labels(labels, truths, level, words, rng):
    steps = [step for step in (1, 2, 5, 10, 20) if step < labels] + [labels]
    decided, authors = np.ones((1, len(truths))), int(truths.max()) + 1
    rows = []
    for step in steps:
        right = _answers(truths, authors, level * (0.4 + 0.6 * step / labels), rng).argmax(axis=1) == truths
        read = rng.random(len(truths)) < words * (0.6 + 0.4 * step / labels)
        for reader, hits in (("embedding", right), ("words", read)):
            accuracy, low, high = intervals.mean_share(hits[None].astype(np.float64), decided, rng)
            rows.append(
                {
                    "reader": reader,
                    "labels": step,
                    "accuracy": accuracy,
                    "low": low,
                    "high": high,
                    "chance": float(np.bincount(truths).max() / len(truths)),
                }
            )
    return rows
