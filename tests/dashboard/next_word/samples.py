"""Made-up results of completing word pairs with a language model: the declared tables, consistent with each other."""

import numpy as np

from core.experiment import Experiment
from core.result import Estimate, Result, table
from tests.dashboard.samples import PROVENANCE, made_once

ATTACK = "next_word"
FULL = {
    ATTACK: (0.66, 0.68, 0.62),
    "all_pairs": (0.5, 0.5, 1.0),
    "uncommon_pairs": (0.6, 0.61, 0.5),
    "other_pairs": (0.55, 0.56, 0.5),
    "unseen_pairs": (0.5, 0.5, 1.0),
    "calibrated_pairs": (0.7, 0.8, 0.6),
    "full_text": (0.85, 0.8, 0.9),
    "model_free": (0.49, 0.48, 0.5),
}
QUERIES = {
    ATTACK: 24.0,
    "all_pairs": 3000.0,
    "uncommon_pairs": 700.0,
    "unseen_pairs": 1800.0,
    "other_pairs": 20.0,
    "full_text": 3400.0,
}
_SYLLABLES = ("ba", "lin", "gor", "tes", "mar", "vo", "kel", "sun", "dri", "pol", "an", "qui")
_STRANGE = ("донесення", "機密", "מכתב", "Donaudampfschifffahrtsgesellschaftskapitän" * 3, "<b>bold</b>")


@made_once
def completing(
    model="lstm_lm", dataset="enron_mailboxes", users=6, plays=5, pairs=15, seed=77, level=0.66, epsilon=None, **members
):
    """Return a result in which models with a user complete its pairs oftener than models without it.

    Args:
        model: What is attacked.
        dataset: Whose documents.
        users: The last of them has no pair.
        plays: Target models.
        pairs: Pairs a user, the last of them in scripts and lengths that are hard to show.
        seed: Of the experiment and of what is made up.
        level: Accuracy of the attack.
        epsilon: Promised by private training, if any.
        members: By user as ``user_3=True``, in every model or in none.
    """
    experiment = Experiment.parse(
        {
            "attack": {"part": ATTACK, "shadow_pairs": 40},
            "dataset": {"part": dataset},
            "model": {"part": model},
            "game": {
                "rules": "half",
                "users": "owners",
                "target_sizes": [20],
                "targets": max(users, 2),
                "plays": 5,
                "documents": 300,
            },
            "defenses": [] if epsilon is None else [{"part": "dp_sgd", "epsilon": epsilon}],
            "seed": seed,
        }
    )
    rng = np.random.default_rng(seed)
    inside = np.array([rng.permutation(users) < users / 2 for _ in range(plays)])
    for name, member in members.items():
        inside[:, int(name.removeprefix("user_"))] = member
    by_user = [
        _told(user, pairs if user < users - 1 or users == 1 else 0, inside[:, user], rng) for user in range(users)
    ]
    verdicts = [row for _, _, rows in by_user for row in rows]
    rows = {
        "targets": [
            {"target": user, "label": name, "size": 20, "documents": list(range(20 * user, 20 * user + 20))}
            for user, name in enumerate(_names(users))
        ],
        "curve": [
            {
                "variant": variant,
                "size": size,
                "shadows": 40,
                "penalty": np.nan,
                "accuracy": share,
                "low": share - 0.06,
                "high": share + 0.06,
                "auc": (area := 0.9 if variant == "unseen_pairs" else min(share, 0.68)),
                "auc_low": area - 0.06,
                "auc_high": area + 0.06,
            }
            for variant, (share, _, _) in {**FULL, ATTACK: (level, 0, 0)}.items()
            for size in (0, 20)
        ],
        "scores": [
            {
                "target": row["target"],
                "size": 20,
                "play": row["play"],
                "member": row["member"],
                "score": row["completed"] / max(row["asked"], 1),
                "guess": row["completed"] > 0,
            }
            for row in verdicts
        ],
        "roc": [
            {"size": size, "false_positive_rate": x, "true_positive_rate": x**0.5, "low": x**0.7, "high": x**0.3}
            for size in (0, 20)
            for x in np.linspace(0, 1, 21)
        ],
        "pairs": [row for rows, _, _ in by_user for row in rows],
        "contexts": [row for _, rows, _ in by_user for row in rows],
        "verdicts": verdicts,
    }
    rows["rivals"] = [
        {"variant": "model_free", "target": row["target"], "play": row["play"], "score": 0.0, "guess": False}
        for row in rows["scores"]
    ]
    declared = {**experiment.game.tables, **experiment.attack.tables}
    assert set(rows) == set(declared), "the made-up result has the tables that the attack declares"
    tables = {name: table(schema, rows[name]) for name, schema in declared.items()}
    return Result(experiment.as_dict(), estimates(level) | audited(epsilon), PROVENANCE, tables)


def estimates(level=0.66):
    measured = {}
    for variant, figures in {**FULL, ATTACK: (level, *FULL[ATTACK][1:])}.items():
        for name, value in zip(("accuracy", "precision", "recall"), figures, strict=True):
            measured[name if variant == ATTACK else f"{name}_{variant}"] = Estimate(
                value=value,
                low=value - 0.03,
                high=min(value + 0.03, 1),
                chance=0.5,
                unit="share of decisions",
                members=15,
                nonmembers=15,
            )
    for name, value in (("test", 120.0), ("train", 80.0)):
        measured[f"perplexity_{name}"] = Estimate(
            value=value, low=value - 3, high=value + 3, chance=5000.0, unit="words", help="How undecided it is."
        )
    for variant, value in QUERIES.items():
        name = "queries" if variant == ATTACK else f"queries_{variant}"
        measured[name] = Estimate(value=value, low=value, high=value, chance=None, unit="queries")
    return measured


def audited(epsilon, size=20, bound=0.4):
    """Return what a promise adds to the estimates: the promise, and what the attack on the whole text disproves."""
    bounds = {} if epsilon is None else {"epsilon": epsilon, f"epsilon_at_least_full_text_{size}": bound}
    return {
        name: Estimate(value=value, low=value, high=max(value, 1.6), chance=None, unit="epsilon")
        for name, value in bounds.items()
    }


def pair(rank=0, first="the", second="gas", contexts=2, completed=(0.5, 0.0), target=0):
    return {
        "target": target,
        "rank": rank,
        "first": first,
        "second": second,
        "weight": -0.2 + 0.01 * rank,
        "contexts": contexts,
        "completed_in": completed[0],
        "completed_out": completed[1],
    }


def context(rank=0, position=7, before="the", word="gas", completed=(0.5, 0.0), suggested="first", target=0):
    return {
        "target": target,
        "rank": rank,
        "document": 3,
        "place": position,
        "before": before,
        "word": word,
        "completed_in": completed[0],
        "completed_out": completed[1],
        "said_out": suggested,
    }


def verdict(target, play, member, completed):
    return {"target": target, "play": play, "member": member, "completed": completed, "asked": 9}


def _told(user, pairs, inside, rng):
    """Return the rows of pairs, contexts and verdicts of one user."""
    chosen, kept = [], []
    completed = np.zeros(len(inside), dtype=int)
    for rank in range(pairs):
        strange = pairs - rank <= len(_STRANGE)
        first = _STRANGE[pairs - rank - 1] if strange else "".join(rng.choice(_SYLLABLES, 2))
        second = "".join(rng.choice(_SYLLABLES, 3))
        count = 1 + rank % 3
        right = rng.random((len(inside), count)) < np.where(inside, 0.15, 0.04)[:, None]  # (plays, places)
        completed += right.sum(axis=1)
        shares = tuple(
            float(right[models].any(axis=1).mean()) if models.any() else np.nan for models in (inside, ~inside)
        )
        chosen.append(pair(rank, first, second, count, shares, user))
        for at in range(count):
            each = tuple(float(right[models, at].mean()) if models.any() else np.nan for models in (inside, ~inside))
            suggested = "" if inside.all() else "the"
            kept.append(context(rank, 7 + at, first, second, each, suggested, user))
    verdicts = [
        {"target": user, "play": play, "member": bool(member), "completed": int(completed[play]), "asked": 2 * pairs}
        for play, member in enumerate(inside)
    ]
    return chosen, kept, verdicts


def _names(users):
    return [f"{_STRANGE[user]} {user}" if user < len(_STRANGE) else f"user-{user}" for user in range(users)][::-1]
