"""Results with exactly the declared tables, small and without any training."""

import pickle
from dataclasses import replace
from functools import cache, wraps

import numpy as np
import plotly.graph_objects as go

from core.attacks.word_pairs import WordPairs
from core.games.membership import Membership
from core.result import Provenance, Result, table

ATTACK = "word_pairs"
PENALTIES = (0.4, 0.2, 0.1, 0.05)
SCHEMAS = {
    **Membership.tables,
    **WordPairs.tables,
    **{name: drawing.schema for name, drawing in WordPairs.drawings.items()},
}
PROVENANCE = Provenance(
    started="2026-01-02T03:04:05+00:00",
    wall_seconds=42.0,
    trainings=3,
    training_seconds=30.0,
    peak_memory_mb=300.0,
    cores=2,
    python="3.11",
    machine="Linux x86_64",
    packages={"numpy": "2"},
)


def made_once(make):
    """Make each result once for all tests: each gets estimates and tables that it may exchange, but not change."""
    made = {}

    @wraps(make)
    def remembered(*args, **kwargs):
        key = pickle.dumps((args, kwargs))
        if key not in made:
            made[key] = make(*args, **kwargs)
        return replace(made[key], estimates=dict(made[key].estimates), tables=dict(made[key].tables))

    return remembered


def point(variant=ATTACK, size=10, shadows=50, penalty=np.nan, accuracy=0.8, half=0.1, auc=0.9):
    return {
        "variant": variant,
        "size": size,
        "shadows": shadows,
        "penalty": penalty,
        "accuracy": accuracy,
        "low": accuracy - half,
        "high": accuracy + half,
        "auc": auc,
        "auc_low": auc - 0.05,
        "auc_high": min(auc + 0.05, 1),
    }


def curve(rows):
    return table(SCHEMAS["curve"], rows)


def _curve(sizes):
    rows = []
    for order, size in enumerate([0, *sizes]):
        rows += [
            point(size=size, shadows=k, accuracy=0.5 + 0.1 * step + 0.02 * order) for step, k in enumerate((5, 10, 50))
        ]
        rows += [point("l2_distance", size, k, accuracy=0.55) for k in (5, 10, 50)]
        rows += [point(name, size, accuracy=0.52) for name in ("all_vectors", "target_words")]
        rows += [point(size=size, penalty=penalty, accuracy=0.6) for penalty in PENALTIES]
        rows.append(point("model_free", size, accuracy=0.5))
    return curve(rows)


def _scores(sizes, plays, rng):
    rows = []
    for target, size in enumerate(size for size in sizes for _ in range(2)):
        for play in range(plays):
            member = bool((play + target) % 2)
            score = rng.normal(1 if member else -1, 0.8)
            rows.append(
                {"target": target, "size": size, "play": play, "member": member, "score": score, "guess": score > 0}
            )
    return table(SCHEMAS["scores"], rows)


def _roc(sizes):
    rates = np.concatenate([[0.0], np.geomspace(1e-3, 1, 25)])
    rows = [
        {"size": size, "false_positive_rate": x, "true_positive_rate": x**0.3, "low": x**0.6, "high": x**0.1}
        for size in (0, *sizes)
        for x in rates
    ]
    return table(SCHEMAS["roc"], rows)


def pair(target=0, rank=0, first="alpha", second="beta", weight=-0.3, mean_in=1.0, mean_out=2.0, occurrences=3):
    return {
        "target": target,
        "rank": rank,
        "first": first,
        "second": second,
        "weight": weight,
        "mean_in": mean_in,
        "mean_out": mean_out,
        "deviation_in": 0.1,
        "deviation_out": 0.1,
        "occurrences": occurrences,
    }


_WORDS = ("alpha", "beta", "gamma", "delta")


def make(sizes=(1, 10, 100), plays=24, **experiment):
    """Return a result whose target 0 has three pairs and whose last target has none."""
    plain = {
        "attack": {
            "part": ATTACK,
            "shadow_pairs": 50,
            "penalty": "inverse_root",
            "adaptive": True,
            "shadow_data": None,
        },
        "dataset": {"part": "enron"},
        "model": {"part": "word2vec", "mode": "cbow"},
        "defenses": [],
        "game": {},
        "seed": 1,
    }
    return Result({**plain, **experiment}, {}, PROVENANCE, dict(_tables(tuple(sizes), plays)))


@cache
def _tables(sizes, plays):
    rng = np.random.default_rng(7)
    targets = [size for size in sizes for _ in range(2)]
    attacked = range(max(len(targets) - 1, 1))
    pairs, path, distances, positions = [], [], [], []
    for target in attacked:
        chosen = [("alpha", "beta", -0.3), ("gamma", "delta", 0.2), ("alpha", "gamma", -0.1)]
        for rank, (first, second, weight) in enumerate(chosen):
            pairs.append(pair(target, rank, first, second, weight))
            path += [
                {
                    "target": target,
                    "penalty": penalty,
                    "first": first,
                    "second": second,
                    "weight": weight * (1 - penalty),
                }
                for penalty in PENALTIES[rank:]
            ]
            for source, count in (("shadow", 40), ("target", plays)):
                distances += [
                    {
                        "target": target,
                        "rank": rank,
                        "source": source,
                        "member": bool(number % 2),
                        "distance": 1.0 + (0 if number % 2 else 1) + 0.01 * number,
                    }
                    for number in range(count)
                ]
        positions += [
            {"target": target, "member": member, "method": method, "word": word, "x": x, "y": y}
            for member in (False, True)
            for method in ("pca", "umap")
            for word, (x, y) in zip(_WORDS, rng.normal(size=(4, 2)), strict=True)
        ]
    rows = {
        "targets": [
            {"target": number, "label": f"user {number + 1}", "size": size, "documents": list(range(size))}
            for number, size in enumerate(targets)
        ],
        "pairs": pairs,
        "path": path,
        "distances": distances,
        "word_map": positions,
    }
    tables = {name: table(SCHEMAS[name], values) for name, values in rows.items()}
    return tables | {"curve": _curve(sizes), "scores": _scores(sizes, plays, rng), "roc": _roc(sizes)}


def nothing():
    """Return every declared table without a row."""
    return {name: table(schema, []) for name, schema in SCHEMAS.items()}


def titles(figure):
    """Return the titles of the axes that have one."""
    axes = [figure.layout[name] for name in figure.layout if name.startswith(("xaxis", "yaxis"))]
    return [axis.title.text for axis in axes if axis.title.text]


def texts(figure):
    return [note.text for note in figure.layout.annotations]


_LEVELS = {"guessing", "chance", "majority class", "chance (the most frequent words)"}


def has_chance(figure):
    shapes = [
        shape
        for shape in figure.layout.shapes
        if shape.name == "chance" or (shape.showlegend and "chance" in shape.name)
    ]
    return bool(shapes) or any(trace.name in _LEVELS for trace in figure.data)


def validated(figure: go.Figure) -> go.Figure:
    """Return a finished figure as plotly's own object, validated."""
    return go.Figure(figure.to_dict())
