"""Made-up results of probing a classifier: declared tables, and labels that a linear classifier would give."""

from functools import cache

import numpy as np

from core.experiment import Experiment
from core.networks.document_classifier import Sums
from core.result import Estimate, Result, table
from tests.dashboard.samples import PROVENANCE

ATTACK = "classifier_probing"
SAME = {"dataset": {"part": "enron_spam", "label": "both"}, "texts": None}
OTHER = {"dataset": {"part": "r_mailing_lists"}, "texts": {"part": "enron_spam", "label": "both"}}
SENDERS = {**OTHER, "game": {"users": "owners"}}
DEMO = {"dataset": {"part": "wikipedia_people"}, "texts": None, "positive": "person"}
_SYLLABLES = ("ba", "lin", "gor", "tes", "mar", "vo", "kel", "sun", "dri", "pol", "an", "qui")


def probing(setting=SAME, sizes=(10, 100, 1000), level=0.75, words=30, pairs=60, seed=77, control=True, documents=40):
    """Return a result; `level` is how right it is about the largest targets, less about smaller ones."""
    model = {"part": "spam_classifier", "texts": setting["texts"], "positive": setting.get("positive", "spam")}
    experiment = Experiment.parse(
        {
            "attack": {"part": ATTACK, "shadow_pairs": pairs, "documents": documents, "control": control},
            "dataset": setting["dataset"],
            "model": model,
            "game": {
                "target_sizes": list(sizes),
                "targets": 2,
                "plays": 20,
                "documents": 1000,
                **setting.get("game", {}),
            },
            "seed": seed,
        }
    )
    return _made(experiment, level, words)


@cache
def _made(experiment, level, words):
    rng = np.random.default_rng(experiment.seed)
    sizes, attack = experiment.game.target_sizes, experiment.attack
    pairs, control, documents = attack.shadow_pairs, attack.control, attack.documents
    accuracy = {size: 0.53 + (level - 0.53) * (at + 1) / len(sizes) for at, size in enumerate(sizes)}
    owners = [size for size in sizes for _ in range(2)]
    chosen, probes = [], []
    for target in range(len(owners)):
        answers, kept = _answers(target, words, documents, pairs, rng)
        chosen += answers
        probes += kept
    rows = {
        "targets": [
            {"target": number, "label": f"user {number + 1}", "size": size, "documents": list(range(size))}
            for number, size in enumerate(owners)
        ],
        "curve": _curve(accuracy, pairs, control),
        "scores": [
            {
                "target": target,
                "size": size,
                "play": play,
                "member": bool((play + target) % 2),
                "score": (score := float(np.clip(rng.normal(0.1 if (play + target) % 2 else -0.1, 0.12), -0.5, 0.5))),
                "guess": score > 0,
            }
            for target, size in enumerate(owners)
            for play in range(20)
        ],
        "roc": [
            {"size": size, "false_positive_rate": x, "true_positive_rate": x**0.5, "low": x**0.7, "high": x**0.3}
            for size in (0, *sizes)
            for x in np.linspace(0, 1, 21)
        ],
        "words": chosen,
        "probes": probes,
    }
    rows["rivals"] = [
        {"variant": "model_free", "target": row["target"], "play": row["play"], "score": 0.0, "guess": False}
        for row in rows["scores"]
    ]
    declared = {**experiment.game.tables, **experiment.attack.tables}
    assert set(rows) == set(declared), "the made-up result has the tables that the attack declares"
    tables = {name: table(schema, rows[name]) for name, schema in declared.items()}
    return Result(experiment.as_dict(), _estimates(accuracy, documents * words * 6), PROVENANCE, tables)


def _answers(target, words, documents, pairs, rng):
    """Return the rows of words and probes that linear classifiers with and without a target would lead to."""
    names = ["".join(rng.choice(_SYLLABLES, 1 + number % 3 + 1)) + "s" * (number % 2) for number in range(words)]
    member = np.arange(2 * pairs) % 2 == 0
    totals, counts = rng.normal(0, 5, documents), rng.integers(15, 40, documents)
    scores, moved = rng.normal(0, 2, words), rng.normal(0, 1.5, words)
    labels = np.array(
        [
            Sums(totals + rng.normal(0, 2, documents), counts, float(rng.normal(0, 0.02))).appended(
                scores + moved * inside + rng.normal(0, 1, words), 5
            )
            for inside in member
        ]
    )  # (models, documents, words, repetitions + 1)
    flipped = (labels != labels[..., :1])[..., 1:].mean(axis=(1, 3))
    shares = {side: labels[member == inside].mean(axis=0) for side, inside in (("in", True), ("out", False))}
    one = {side: labels[number] for side, number in (("in", 0), ("out", 1))}
    apart = np.abs(shares["in"] - shares["out"]).max(axis=2)
    chosen = [
        {
            "target": target,
            "rank": rank,
            "word": name,
            "flips_in": flipped[member, rank].mean(),
            "flips_out": flipped[~member, rank].mean(),
        }
        for rank, name in enumerate(names)
    ]
    probes = []
    for rank, number in enumerate(np.argsort(-apart, axis=None)[:10].tolist()):
        document, word = divmod(number, words)
        for times in range(6):
            at = document, word, times
            probes.append(
                {
                    "target": target,
                    "rank": rank,
                    "document": document,
                    "word": names[word],
                    "repetitions": times,
                    "share_in": shares["in"][at],
                    "share_out": shares["out"][at],
                    "one_in": one["in"][at],
                    "one_out": one["out"][at],
                }
            )
    return chosen, probes


def _curve(accuracy, pairs, control):
    steps = [step for step in (10, 25, 50) if step < pairs] + [pairs]
    rows = []
    for size, share in {0: float(np.mean(list(accuracy.values()))), **accuracy}.items():
        for number, step in enumerate(steps):
            rows.append(_point(ATTACK, size, step, 0.5 + (share - 0.5) * (number + 1) / len(steps)))
        if control:
            rows.append(_point("other_words", size, pairs, 0.5 + (share - 0.5) * 0.4))
        rows.append(_point("model_free", size, pairs, 0.5))
    return rows


def _point(variant, size, shadows, accuracy):
    return {
        "variant": variant,
        "size": size,
        "shadows": shadows,
        "penalty": np.nan,
        "accuracy": accuracy,
        "low": accuracy - 0.05,
        "high": accuracy + 0.05,
        "auc": accuracy + 0.05,
        "auc_low": accuracy - 0.01,
        "auc_high": min(accuracy + 0.1, 1),
    }


def _estimates(accuracy, queries):
    measured = {
        f"accuracy_{size}": Estimate(
            value=share,
            low=share - 0.05,
            high=share + 0.05,
            chance=0.5,
            unit="share of decisions",
            members=20,
            nonmembers=20,
        )
        for size, share in accuracy.items()
    }
    for name, value in (("test", 0.93), ("train", 0.96)):
        measured[f"classifier_{name}"] = Estimate(
            value=value, low=value - 0.01, high=value + 0.01, chance=0.55, unit="share of documents"
        )
    measured["queries"] = Estimate(value=queries, low=queries, high=queries, chance=None, unit="queries")
    return measured
