"""Made-up results of attacks on sentence embeddings, with the declared tables and about the right sizes."""

from functools import cache
from typing import Any

import numpy as np

from core.catalog import Entry
from core.experiment import Experiment
from core.result import Estimate, Result
from tests.dashboard.samples import PROVENANCE
from tests.made_up import filled

STRENGTHS: dict[str, tuple[str, tuple[float, ...], tuple[float, ...], float]] = {
    "rounding": ("decimals", (0, 1, 2, 3, 4), (1.0, 0.55, 0.05, 0.0, 0.0), 0.7),
    "laplace": ("epsilon", (10, 30, 100, 300, 1000), (1.0, 0.9, 0.55, 0.2, 0.05), 0.9),
    "adversarial_mapping": ("distortion", (0, 0.1, 0.3, 1, 3), (0.9, 0.7, 0.5, 0.3, 0.1), 0.5),
    "subspace_projection": ("share", (0.01, 0.03, 0.1, 0.3), (0.35, 0.6, 0.85, 1.0), 0.35),
}
"""Defense to its parameter, its strengths, how much each hides, and what hiding all costs the service."""

SEED = 77
"""Of no result that comes with the code, which would be shown instead."""


def estimate(
    value: float, chance: float | None, half: float = 0.025, decisions: int = 2000, says: str = ""
) -> Estimate:
    low, high = max(value - half, 0.0), min(value + half, 1.0)
    return Estimate(
        value=value, low=low, high=high, chance=chance, unit="share of victims", decisions=decisions, help=says
    )


def result(experiment: Experiment, estimates: dict[str, Estimate], rows: dict[str, list[dict[str, Any]]]) -> Result:
    drawn = {name: drawing.schema for name, drawing in experiment.drawings.items() if name in rows}
    declared = {**experiment.game.tables, **experiment.attack.tables, **drawn}
    tables = {name: filled(schema, rows.get(name, [])) for name, schema in declared.items()}
    return Result(experiment.as_dict(), estimates, PROVENANCE, tables)


def keywords(dataset: str = "mtsamples", defenses: list[dict[str, Any]] | None = None) -> Experiment:
    return Experiment.parse(
        {
            "attack": "keyword_inference",
            "dataset": dataset,
            "model": {"part": "encoder", "source": "minilm"},
            "defenses": defenses or [],
        }
    )


def splice(defenses: list[dict[str, Any]] | None = None) -> Experiment:
    return Experiment.parse(
        {
            "attack": {"part": "pattern_reconstruction", "samples": 8000, "steps": 3000},
            "dataset": "splice",
            "model": {"part": "encoder", "source": "small_gpt2"},
            "defenses": defenses or [],
        }
    )


def defended(chance: float = 0.5, best: float = 0.86, hidden: float = 0.0, cost: float = 0.0) -> dict[str, Estimate]:
    """Figures of an attack of which a defense hides a share, and which the service pays with a share of its utility."""
    adaptive = chance + (best - chance) * (1 - hidden)
    estimates = {
        "accuracy": estimate(adaptive, chance, says="Mean share of victims whose answer was named."),
        "utility": estimate(0.78 - 0.6 * cost, 0.22, 0.03, 900, "Share of texts whose class the service names."),
    }
    if hidden or cost:
        estimates["accuracy_naive"] = estimate(chance + (best - chance) * max(1 - 1.6 * hidden, 0), chance)
    return estimates


@cache
def sweep() -> list[tuple[Entry, Result]]:
    """The keywords of medical transcriptions, and the nucleotides of splice sites, under every strength."""
    attacked = []
    for make, chance, best in ((keywords, 0.5, 0.86), (splice, 0.3, 0.62)):
        experiment = make()
        attacked.append((experiment, defended(chance, best)))
        for part, (field, strengths, hidden, cost) in STRENGTHS.items():
            for value, share in zip(strengths, hidden, strict=True):
                one = make(defenses=[{"part": part, field: int(value) if part == "rounding" else value}])
                attacked.append((one, defended(chance, best, share, share**2 * cost)))
    return [entry(experiment, result(experiment, figures, {})) for experiment, figures in attacked]


def fingerprint(rng: np.random.Generator | None = None, victims: int = 300) -> tuple[Entry, Result]:
    """Five encoders of 768 numbers and two of 1,024, nearly all told apart."""
    rng = rng or np.random.default_rng(0)
    experiment = Experiment.preset("encoder_fingerprint", "paper", seed=SEED)
    names = ["xlnet", *experiment.as_dict()["attack"]["candidates"]]
    sizes = {name: 1024 if name in ("bert", "xlm") else 768 for name in names}
    drawn = rng.integers(len(names), size=victims)
    guesses = np.where(rng.random(victims) < 0.97, drawn, np.where(drawn == 2, 4, np.where(drawn == 4, 2, drawn)))
    centres = {layer: rng.normal(0, 3, (len(names), 2)) for layer in ("embedding", "hidden")}
    spread = {"embedding": 1.4, "hidden": 0.25}
    rows: dict[str, list[dict[str, Any]]] = {"encoders": [], "confusion": [], "map": []}
    for number, name in enumerate(names):
        is_of_encoder = drawn == number
        right = float((guesses[is_of_encoder] == number).mean())
        rows["encoders"].append(
            {
                "encoder": name,
                "dimension": sizes[name],
                "victims": is_of_encoder.sum(),
                "accuracy": right,
                "low": max(right - 0.05, 0),
                "high": min(right + 0.03, 1),
            }
        )
        for guess, other in enumerate(names):
            count = int((guesses[is_of_encoder] == guess).sum())
            rows["confusion"].append(
                {"truth": name, "guess": other, "victims": count, "share": count / is_of_encoder.sum()}
            )
    for layer, centre in centres.items():
        for method in ("pca", "umap"):
            for victim in range(victims):
                position = centre[drawn[victim]] * (1 if method == "pca" else 2) + rng.normal(0, spread[layer], 2)
                rows["map"].append(
                    {
                        "layer": layer,
                        "method": method,
                        "dimension": sizes[names[drawn[victim]]],
                        "victim": victim,
                        "row": victim,
                        "encoder": names[drawn[victim]],
                        "guess": names[guesses[victim]],
                        "x": position[0],
                        "y": position[1],
                    }
                )
    estimates = {
        "accuracy": estimate(0.98, 1 / 7, 0.01, victims),
        "accuracy_by_dimension": estimate(0.286, 1 / 7, 0.0, victims),
        "accuracy_768": estimate(0.975, 0.2, 0.012, 214),
        "accuracy_1024": estimate(1.0, 0.5, 0.0, 86),
    }
    return entry(experiment, result(experiment, estimates, rows))


WORDS = (
    "removal",
    "repair",
    "arm",
    "leg",
    "skin",
    "growth",
    "vein",
    "artery",
    "insertion",
    "tissue",
    "trunk",
    "biopsy",
    "spinal",
    "device",
    "chest",
    "imaging",
)


def reassembly(preset: str = "demo", victims: int = 12) -> tuple[Entry, Result]:
    """Sixteen candidates; each text has three of them, two of which are found."""
    experiment = Experiment.preset("semantic_reassembly", preset, seed=SEED)
    rng = np.random.default_rng(1)
    shares = np.linspace(0.2, 0.02, len(WORDS))
    rows: dict[str, list[dict[str, Any]]] = {"words": [], "rankings": [], "candidates": []}
    for victim in range(victims):
        there = set(rng.choice(len(WORDS), 3, replace=False).tolist())
        score = rng.random(len(WORDS)) * 0.7 + [0.35 * (word in there) for word in range(len(WORDS))]
        for rank, word in enumerate(np.argsort(-score)[:10], start=1):
            rows["words"].append(
                {
                    "victim": victim,
                    "row": 3 * victim,
                    "sentence": victim % 4 if preset == "demo" else -1,
                    "place": rank,
                    "word": WORDS[word],
                    "probability": min(float(score[word]), 1.0),
                    "present": int(word) in there,
                    "findable": 3,
                }
            )
    for variant, values in (
        ("semantic_reassembly", (0.81, 0.24, 0.6)),
        ("frequency", (0.6, 0.17, 0.35)),
        ("random", (0.4, 0.1, 0.2)),
    ):
        for measure, value in zip(("recall_at_10", "precision_at_10", "average_precision"), values, strict=True):
            rows["rankings"].append(
                {"variant": variant, "measure": measure, "value": value, "low": value - 0.03, "high": value + 0.03}
            )
    rows["candidates"] = [
        {"word": word, "share": share, "victims": 30, "auc": 0.6 + 0.3 * rng.random(), "top": 0.5 + 0.4 * rng.random()}
        for word, share in zip(WORDS, shares, strict=True)
    ]
    estimates = {
        "recall_at_10": estimate(0.81, 0.6, 0.03, 300),
        "precision_at_10": estimate(0.24, 0.17, 0.03, 300),
        "average_precision": estimate(0.6, 0.35, 0.03, 300),
    }
    return entry(experiment, result(experiment, estimates, rows))


_LOOP = "the first war was the the the of the"


def decoder(accuracy: float = 0.53) -> tuple[Entry, Result]:
    """Ten passes; the loss falls, the accuracy stays where it is."""
    experiment = Experiment.preset("decoder", "demo", seed=SEED)
    point = {"variant": "decoder", "low": accuracy - 0.05, "high": accuracy + 0.05, "chance": 0.5}
    rows: dict[str, list[dict[str, Any]]] = {
        "decoding": [
            {"epochs": epoch, "loss": 6.5 * 0.8**epoch + 2, "left_out_loss": 6.4 * 0.85**epoch + 3}
            for epoch in range(1, 11)
        ],
        "curve": [
            {**point, "adversary": "adaptive", "secret": secret, "epochs": epoch, "accuracy": accuracy}
            for epoch in (2, 4, 6, 8, 10)
            for secret in ("war", "world", "music", "all")
        ],
        "decoded": [
            {"victim": victim, "row": victim, "words": _LOOP if victim % 3 else "music"} for victim in range(20)
        ],
        "guesses": [
            {
                "victim": victim,
                "row": victim,
                "secret": secret,
                "truth": "present" if victim % 2 else "absent",
                "guess": "present" if "war" in secret and victim % 3 else "absent",
            }
            for victim in range(40)
            for secret in ("war", "music")
        ],
    }
    rows["inferred"] = [
        {**point, "adversary": "adaptive", "secret": secret, "accuracy": accuracy}
        for secret in ("war", "world", "music", "all")
    ]
    names = {"accuracy": accuracy, "accuracy_war": accuracy + 0.02, "accuracy_music": accuracy - 0.02}
    return entry(experiment, result(experiment, {name: estimate(v, 0.5, 0.05, 600) for name, v in names.items()}, rows))


def entry(experiment: Experiment, made: Result) -> tuple[Entry, Result]:
    title = f"{experiment.attack.title} on {experiment.dataset.title}"
    return Entry(experiment.key, title, "Made up.", experiment, contrast=bool(experiment.defenses)), made
