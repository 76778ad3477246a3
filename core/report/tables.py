"""What the tables of a result carry beyond its estimates: subgroups, false positives, worst decile, ROC curve."""

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from core.audits.asked_about import AskedAbout
from core.audits.exposed_owners import exposed_owners
from core.errors import TelltaleError
from core.experiment import Experiment
from core.games.audit import Audit
from core.games.example_membership.contract import ExampleAttack
from core.report import private
from core.result import Result
from core.statistics.decision_rates import DecisionRates
from core.statistics.decisions import Decisions
from core.statistics.intervals import Interval, mean_share
from core.statistics.jackknife import figures_over_targets
from core.statistics.measures import ROC

if TYPE_CHECKING:
    import pandas as pd

_MOST = 5
"""Subgroups that a report shows, those with the highest lower ends."""
_FEWEST_TARGETS = 10
_FEWEST_PLAYS = 4


def false_positives(experiment: Experiment, result: Result) -> dict[str, Any] | None:
    """Return the false-positive rate at the threshold that the adversary chose; None where no table carries it."""
    if (false_alarms := result.estimates.get("false_alarms")) is not None:
        return {"value": false_alarms.value, "low": false_alarms.low, "high": false_alarms.high, "n": false_alarms.n}
    if isinstance(experiment.game, Audit):
        return _falsely_taken(experiment, result)
    decisions = _decisions(result)
    if decisions is None or decisions.member.all():
        return None
    rate = figures_over_targets(decisions, ["false_positive_rate"], np.random.default_rng(0))["false_positive_rate"]
    return {**rate._asdict(), "n": int((~decisions.member).sum())}


def _falsely_taken(experiment: Experiment, result: Result) -> dict[str, Any] | None:
    """Return the share of targets out that an audit of one model took for members; its interval resamples them.

    Targets out are independent where each is all documents out of one owner, or where no owners are named. Where each
    is one of an owner's documents, the result does not tell which are one owner's: no interval is given.
    """
    scores = result.tables.get("scores")
    if scores is None:
        return None
    nonmembers = scores[(scores["variant"] == experiment.attack.part_name()) & ~scores["member"]]
    if nonmembers.empty:
        return None
    guess = nonmembers["guess"].to_numpy(np.float64)[None]
    rate = mean_share(guess, np.ones_like(guess), np.random.default_rng(0))
    if getattr(experiment.dataset, "owner_column", "") and getattr(experiment.game, "users", "") == "documents":
        rate = Interval(rate.value)
    return {**rate._asdict(), "n": guess.size}


def worst_decile(result: Result) -> dict[str, Any] | None:
    """Return how often the attack is right about the tenth of the targets that it is best at.

    Every second play chooses those targets, and the others measure: chosen and measured on the same plays, the best of
    many would look worse than they are. The interval is the jackknife's over models and targets. None where no table
    carries decisions by target.
    """
    decisions = _decisions(result)
    if decisions is None:
        return None
    right = decisions.positive == decisions.member  # (plays, targets)
    plays, targets = right.shape
    if plays < _FEWEST_PLAYS or targets < _FEWEST_TARGETS:
        return None
    chosen = np.argsort(-right[::2].mean(axis=0), kind="stable")[: targets // 10]
    member, score, guess = decisions.member[1::2], decisions.score[1::2], decisions.positive[1::2]
    measured = Decisions(member[:, chosen], score[:, chosen], guess=guess[:, chosen])
    accuracy = figures_over_targets(measured, ["accuracy"], np.random.default_rng(0))["accuracy"]
    return {**accuracy._asdict(), "n": measured.member.size, "targets": len(chosen), "of": int(targets)}


def _decisions(result: Result) -> DecisionRates | None:
    """Return the decisions about targets, (plays, targets), of a result that carries them."""
    scores = result.tables.get("scores")
    if scores is None or not {"target", "play", "member", "score", "guess"} <= set(scores.columns):
        return None
    member, score, guess = (scores.pivot(index="play", columns="target", values=name) for name in _PLAYED)
    if member.isna().to_numpy().any():
        return None
    return DecisionRates(member.to_numpy(np.bool_), score.to_numpy(np.float64), guess=guess.to_numpy(np.bool_))


_PLAYED = ("member", "score", "guess")


def roc(experiment: Experiment, result: Result) -> list[dict[str, float]]:
    """Return the points of the ROC curve over all decisions, none without one.

    Of several curves, it is that of the attack where they are named by variants, and else the first.
    """
    curve = result.tables.get("roc")
    if curve is None or not len(curve):
        return []
    if "variant" in curve and (is_attack := curve["variant"] == experiment.attack.part_name()).any():
        curve = curve[is_attack]
    others = [name for name in curve.columns if name not in ROC]
    first = curve[(curve[others] == curve[others].iloc[0]).all(axis=1)] if others else curve
    points = first[list(ROC)].to_dict("records")
    return [{str(name): round(float(value), 4) for name, value in point.items()} for point in points]


def subgroups(
    key: str, experiment: Experiment, result: Result, *, with_names: bool
) -> tuple[list[dict[str, Any]], int]:
    """Return the subgroups with the highest lower ends of their intervals, and how many there are.

    Args:
        key: Key of the result.
        experiment: Tells which rows are the attack's own.
        result: Its tables carry the subgroups.
        with_names: Whether names that come from the data may be shown; else they are numbered. Bands of words by how
            rare they are have none.
    """
    if isinstance(experiment.game, Audit) and not with_names:
        return [], 0
    rows = [row for row in _rows(key, experiment, result) if math.isfinite(row["value"])]
    if not with_names and experiment.game.part_name() not in private.NAMES_NOTHING:
        rows = [{**row, "group": f"group {number}"} for number, row in enumerate(rows, start=1)]
    if len(rows) == 1:
        return [], 0
    ranked = sorted(rows, key=lambda row: (-row["low"], row["group"]))
    return ranked[:_MOST], len(rows)


def _rows(key: str, experiment: Experiment, result: Result) -> Iterator[dict[str, Any]]:
    if isinstance(experiment.game, Audit):
        yield from _owners(key, experiment, result)
        return
    attack, game, tables = experiment.attack.part_name(), experiment.game.part_name(), result.tables
    if game == "inference":
        inferred = tables["inferred"]
        rows = inferred[(inferred["variant"] == attack) & (inferred["adversary"] == "adaptive")]
        for row in _records(rows[~rows["secret"].isin(["all", "whole"])]):
            yield _row(row["secret"], "accuracy", row, "accuracy", row["chance"], row["victims"])
    elif game == "inversion":
        for row in _records(tables["rarity"]):
            yield _row(_band(row["fewest"], row["most"]), "recall", row, "recall", row["frequency"], row["occurrences"])
    elif isinstance(experiment.attack, ExampleAttack):
        groups, about = tables["groups"], experiment.attack.wording
        method = ["statistic", "rule"]
        for row in _records(groups[(groups[method] == groups[method].iloc[0]).all(axis=1)]):
            row |= {"low": row["auc_low"], "high": row["auc_high"]}
            yield _row(f"{about.many} {about.which.format(row['group'])}", "AUC", row, "auc", 0.5, row["examples"])
    elif game == "extraction":
        cells = tables["cells"]
        for row in _records(cells[cells["own"] & (cells["pattern"] != "all")]):
            row |= {"low": row["accuracy_low"], "high": row["accuracy_high"]}
            group = f"{row['pattern']}, repeated {row['repetitions']} times"
            yield _row(group, "accuracy", row, "accuracy", row["accuracy_chance"], row["canaries"])
    elif game == "fingerprint":
        for row in _records(tables["encoders"]):
            yield _row(row["encoder"], "accuracy", row, "accuracy", None, row["victims"])


def _band(fewest: int, most: int) -> str:
    """Return which words a band of rarity holds; ``most`` is negative where it has no upper end.

    >>> _band(0, 0), _band(500, -1)
    ('words that no text of the adversary has', 'words in 500 or more texts of the adversary')
    """
    if most == 0:
        return "words that no text of the adversary has"
    return f"words in {f'{fewest} to {most}' if most > 0 else f'{fewest} or more'} texts of the adversary"


def _owners(key: str, experiment: Experiment, result: Result) -> Iterator[dict[str, Any]]:
    """Yield how exposed each owner is, where documents name them and can still be read as they were."""
    if not experiment.dataset.names_owners() or experiment.key != key:
        return
    try:
        exposed = exposed_owners(experiment, result, experiment.dataset.load())
    except TelltaleError:
        return
    whole = of_whole_owners(experiment, result)
    measure = "one score, ahead of owners out" if whole else "ahead of documents out"
    for row in _records(exposed):
        yield _row(row["owner"], measure, row, "ahead", 0.5, row["outs"] if whole else row["documents"])


def of_whole_owners(experiment: Experiment, result: Result) -> bool:
    """Tell whether the subgroups of a result are owners who were asked about as a whole."""
    return isinstance(experiment.game, Audit) and AskedAbout.of(result).unit == "owner"


def _records(frame: "pd.DataFrame") -> list[dict[str, Any]]:
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def _row(group: str, measure: str, row: Mapping[str, Any], value: str, chance: float | None, n: int) -> dict[str, Any]:
    return {
        "group": str(group),
        "measure": measure,
        "value": float(row[value]),
        "low": float(row["low"]),
        "high": float(row["high"]),
        "chance": None if chance is None else float(chance),
        "n": int(n),
    }
