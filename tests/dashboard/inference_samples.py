"""Made-up results of games of inference with exactly the declared tables, of a size and spread as real ones have."""

import numpy as np

from core.experiment import Experiment
from core.result import Estimate, Result, table
from tests.dashboard.samples import PROVENANCE, made_once

WORDS = ("chest", "knee", "heart", "eye")
NOISE = ({"part": "laplace"},)


@made_once
def patterns(dataset="citizen_ids", source="small_bert", level=0.5, defended=False, seed=1, victims=40):
    """Return a result of pattern reconstruction; `level` is how right it is."""
    experiment = Experiment.parse(
        {
            "attack": {"part": "pattern_reconstruction", "samples": 8000, "steps": 3000, "hidden": "wide"},
            "dataset": {"part": dataset},
            "model": {"part": "encoder", "source": source},
            "defenses": list(NOISE) if defended else [],
            "game": {"victims": victims},
            "seed": seed,
        }
    )
    rng = np.random.default_rng(seed)
    if dataset == "citizen_ids":
        documents = experiment.dataset.load()
        secrets = {segment.name: segment.values for segment in documents.segments}
        truths = {
            segment.name: [segment.read(text) for text in documents.texts[:victims]] for segment in documents.segments
        }
    else:
        secrets = {f"position_{at + 1}": tuple("ACGT") for at in range(20)}
        truths = {name: rng.integers(4, size=victims).tolist() for name in secrets}
    chance = {name: 1 / len(values) if len(values) > 4 else 0.28 for name, values in secrets.items()}
    right = {
        name: chance[name] + (level + 0.15 * np.cos(2 * np.pi * at / max(len(secrets) - 1, 1))) * (1 - chance[name])
        for at, name in enumerate(secrets)
    }
    who = ["adaptive", *(["naive"] if defended else [])]
    inferred, curve = [], []
    for number, adversary in enumerate(who):
        shares = {name: max(share - 0.25 * number, chance[name]) for name, share in right.items()}
        if dataset == "citizen_ids":
            shares["whole"] = float(np.prod(list(shares.values())))
        shares["all"] = float(np.mean([shares[name] for name in secrets]))
        for name, share in shares.items():
            values = {"all": 0, "whole": 37_200}.get(name) or (0 if name == "all" else len(secrets[name]))
            level_of = {"all": float(np.mean(list(chance.values()))), "whole": 1 / 37_200}.get(name) or chance[name]
            many = values > 5
            inferred.append(
                {
                    "variant": "pattern_reconstruction",
                    "adversary": adversary,
                    "secret": name,
                    "values": values,
                    "victims": victims,
                    "chance": level_of,
                    **ends(share),
                    "top5_chance": 5 * level_of if many else np.nan,
                    "top5": min(1.6 * share, 0.97) if many else np.nan,
                    "top5_low": min(1.6 * share, 0.97) - 0.03 if many else np.nan,
                    "top5_high": min(1.6 * share, 0.97) + 0.02 if many else np.nan,
                }
            )
            curve += [
                {
                    "variant": "pattern_reconstruction",
                    "adversary": adversary,
                    "secret": name,
                    "epochs": epochs,
                    "chance": level_of,
                    **ends(level_of + (share - level_of) * (0.4 + 0.12 * stage)),
                }
                for stage, epochs in enumerate((2, 6, 12, 24, 48), start=1)
                if name != "whole"
            ]
    guesses, likeliest = [], []
    for name, values in secrets.items():
        for victim in range(victims):
            probabilities = rng.dirichlet(np.full(len(values), 0.08))
            truth = truths[name][victim]
            if rng.random() < right[name]:
                top = int(probabilities.argmax())
                probabilities[[truth, top]] = probabilities[[top, truth]]
            order = np.argsort(-probabilities, kind="stable")
            guesses.append(guess(victim, victim, name, values, truth, probabilities))
            likeliest += [
                {"victim": victim, "secret": name, "place": rank, "value": values[at], "probability": probabilities[at]}
                for rank, at in enumerate(order[:5], start=1)
            ]
    return result(
        experiment,
        {"inferred": inferred, "curve": curve, "guesses": guesses, "likeliest": likeliest},
        {"utility": 0.82} if dataset == "splice" else {},
    )


@made_once
def words(
    knowledge="white_box",
    source="small_bert",
    level=0.85,
    classifier="svm",
    dataset="mtsamples",
    defended=False,
    seed=1,
    victims=60,
    keywords=WORDS,
    rows=1500,
    queries=0,
    **changed,
):
    """Return a result of keyword inference; `level` is how right it is, further arguments are the attack's own."""
    black, absent = knowledge == "black_box", bool(changed.get("absent"))
    attack = {"part": "keyword_inference", "knowledge": knowledge, "classifier": classifier, **changed}
    attack["keywords"] = [] if absent else list(keywords)
    experiment = Experiment.parse(
        {
            "attack": {**attack, **({"external": {"part": "yelp"}, "anchor": "pizza"} if black else {})},
            "dataset": {"part": dataset},
            "model": {"part": "encoder", "source": source},
            "defenses": list(NOISE) if defended else [],
            "seed": seed,
        }
    )
    rng = np.random.default_rng(seed)
    variants = {"keyword_inference": 0.0, **{name: -0.03 for name in ("svm", "mlp", "dann") if name != classifier}}
    if not black:
        variants.pop("dann", None)
    chance = 1.0 if absent else 0.5
    inferred, curve = [], []
    for variant, shift in variants.items():
        for adversary in ("adaptive", "naive") if defended else ("adaptive",):
            named = {
                word: min(level + shift - 0.02 * at - 0.1 * (adversary == "naive"), 0.99)
                for at, word in enumerate(keywords)
            }
            for name, share in {**named, "all": float(np.mean(list(named.values())))}.items():
                who = {"variant": variant, "adversary": adversary, "secret": name}
                inferred.append(
                    {
                        **who,
                        "values": 0 if name == "all" else 2,
                        "victims": victims,
                        "chance": chance,
                        **ends(share),
                        "top5_chance": np.nan,
                        "top5": np.nan,
                        "top5_low": np.nan,
                        "top5_high": np.nan,
                    }
                )
                kind = classifier if variant == "keyword_inference" else variant
                steps = {"svm": [0], "mlp": range(5, 51, 5), "dann": range(1, 51)}[kind]
                wave = rng.normal(0, 0.03, len(steps)) if kind == "dann" else np.linspace(-0.08, 0, len(steps))
                curve += [
                    {**who, "epochs": step, "chance": chance, **ends(share + off)}
                    for step, off in zip(steps, wave, strict=True)
                ]
    guesses = []
    for word in keywords:
        for victim in range(victims):
            truth = int(rng.random() < (0 if absent else 0.5))
            present = np.clip(rng.normal(0.8 if truth else 0.2, 0.25), 0.01, 0.99)
            guesses.append(
                guess(
                    victim,
                    int(rng.integers(rows)),
                    word,
                    ("absent", "present"),
                    truth,
                    np.array([1 - present, present]),
                )
            )
    points, grid = boundary(keywords, 0.9 if black else 0.0, rng, min(victims, 60))
    if absent:
        points = [{**point, "present": point["present"] and point["panel"] == "known"} for point in points]
    tables = {
        "inferred": inferred,
        "curve": curve,
        "guesses": guesses,
        "boundary_points": points,
        "boundary_grid": grid,
    }
    made = result(experiment, tables, {"utility": 0.74})
    if queries:
        made.estimates["queries"] = Estimate(value=queries, low=queries, high=queries, chance=None, unit="queries")
    return made


def boundary(keywords, turn, rng, count):
    """Return texts around a line; the victims' own line is turned by `turn` radians times two."""
    points, grid = [], []
    for word in keywords:
        for panel, angle in (("known", 0.0), ("victims", 2 * turn)):
            for _ in range(count):
                present = bool(rng.random() < 0.5)
                across, along = rng.normal(1.0 if present else -1.0, 0.5), rng.normal(0, 1)
                x, y = across * np.cos(angle) - along * np.sin(angle), across * np.sin(angle) + along * np.cos(angle)
                row = -1 if panel == "known" else int(rng.integers(700))
                points.append({"keyword": word, "panel": panel, "x": x, "y": y, "present": present, "row": row})
        grid += [
            {"keyword": word, "x": x, "y": y, "probability": 1 / (1 + np.exp(-3 * x))}
            for y in np.linspace(-3, 3, 12)
            for x in np.linspace(-3, 3, 12)
        ]
    return points, grid


def guess(victim, row, secret, values, truth, probabilities):
    """Return one row of the table of guesses."""
    return {
        "victim": victim,
        "row": row,
        "secret": secret,
        "truth": values[truth],
        "guess": values[int(probabilities.argmax())],
        "probability": probabilities.max(),
        "truth_probability": probabilities[truth],
        "rank": int((probabilities >= probabilities[truth]).sum()),
    }


def ends(share, half=0.04):
    """Return a share with its interval."""
    return {"accuracy": share, "low": max(share - half, 0.0), "high": min(share + half, 1.0)}


def result(experiment, tables, others=()):
    """Return a result with the tables that game and attack declare."""
    declared = {**experiment.game.tables, **experiment.attack.tables}
    assert set(tables) == set(declared), "the made-up result has the tables that the attack declares"
    estimates = {
        f"accuracy{'' if row['adversary'] == 'adaptive' else '_naive'}": estimate(row["accuracy"], row["chance"])
        for row in tables["inferred"]
        if row["secret"] == "all" and row["variant"] == experiment.attack.part_name()
    }
    estimates |= {name: estimate(value, 0.4) for name, value in dict(others).items()}
    tables = {name: table(schema, tables[name]) for name, schema in declared.items()}
    return Result(experiment.as_dict(), estimates, PROVENANCE, tables)


def estimate(value, chance):
    """Return a figure with an interval."""
    return Estimate(value=value, low=value - 0.02, high=value + 0.02, chance=chance, unit="share", decisions=200)
