"""The single answers of a result, by record: which were right, how two results differ, and what each finds."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from core.result import Result, headline
from core.statistics.accusations import Accusations
from core.statistics.intervals import Interval, difference
from core.statistics.jackknife import figures_over_targets
from core.statistics.paired import difference_of_pairs
from dashboard.kit.figures.intervals import of_count
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.kit.words import minus

FEWEST = 20
"""Answers that two results must share to be compared in pairs."""
_COLUMNS = ["record", "asked", "truth", "right"]


@once
def answers(result: Result) -> pd.DataFrame:
    """Return one row an answer: the record, what was asked of it, the truth, and whether the answer was right.

    A record is a target, or the row of a text in its dataset; none of a result that keeps no single answers.
    """
    tables = result.tables
    if "scores" in tables and {"target", "play", "guess"} <= set(tables["scores"].columns):
        each = tables["scores"]
        columns = each["target"], each["play"], each["member"], each["member"] == each["guess"]
    elif "guesses" in tables and {"row", "secret", "truth"} <= set(tables["guesses"].columns):
        each = tables["guesses"]
        columns = each["row"], each["secret"], each["truth"], each["truth"] == each["guess"]
    elif "places" in tables:
        each = tables["places"]
        columns = each["row"], each["sentence"], each["sentence"], each["place"] == 1
    else:
        return pd.DataFrame(columns=_COLUMNS)
    found = pd.DataFrame(dict(zip(_COLUMNS, columns, strict=True)))
    return found.astype({"record": "int64", "asked": "str", "truth": "str", "right": "bool"})


@once
def paired(first: Result, second: Result) -> pd.DataFrame:
    """Return the answers of both results to the same questions, ``right_first`` and ``right_second``; else none."""
    same = first.experiment["dataset"] == second.experiment["dataset"]
    if "scores" in first.tables:
        same &= all(first.experiment[name] == second.experiment[name] for name in ("game", "seed"))
    both = answers(first).merge(answers(second), on=_COLUMNS[:3], suffixes=("_first", "_second"))
    return both if same and len(both) >= FEWEST else both.iloc[:0]


@once
def differences(results: Sequence[Result], letters: Sequence[str]) -> pd.DataFrame:
    """Return by how much each result differs from the first, in pairs where both answered the same questions."""
    rows = []
    for letter, result in list(zip(letters, results, strict=True))[1:]:
        both, names = paired(results[0], result), [_headline(each) for each in (results[0], result)]
        if len(both):
            arrays = (both[name].to_numpy() for name in ("right_second", "right_first", "record"))
            found, how, n = difference_of_pairs(*arrays), "in pairs: share of right answers", len(both)
        elif names[0] == names[1] != "":
            found, how, n = _apart(result, results[0], names[0]), f"as if independent: {names[0]}", 0
        else:
            continue
        rows.append({"result": f"{letter} less {letters[0]}", "compared": how, **found._asdict(), "answers": n})
    return pd.DataFrame(rows, columns=["result", "compared", "value", "low", "high", "answers"])


@once
def differences_sentence(table: pd.DataFrame) -> str:
    """Say which results differ from the first by more than their interval allows for."""
    if table.empty:
        return "These results answer different questions by different figures, so that they have no difference."
    said = []
    for row in records(table):
        points, low, high = (minus(f"{100 * each:+.1f}") for each in (row.value, row.low, row.high))
        verdict = "which is not shown to differ from 0" if row.low <= 0 <= row.high else "which excludes 0"
        said.append(f"{row.result}: {points} points (95% interval {low} to {high}), {verdict}.")
    return " ".join(said)


@once
def overlap(results: Sequence[Result], letters: Sequence[str]) -> pd.DataFrame:
    """Return, for each two results with the same questions, how many records both find, one of them, or neither.

    A record is found where more than half of the answers about it are right.
    """
    rows = []
    for (one, first), (other, second) in combinations(zip(letters, results, strict=True), 2):
        both = paired(first, second)
        if not len(both):
            continue
        share = both.groupby("record")[["right_first", "right_second"]].mean() > 0.5
        here, there = share["right_first"], share["right_second"]
        rows.append(
            {
                "results": f"{one} and {other}",
                "records": len(share),
                "both": int((here & there).sum()),
                "only_the_first": int((here & ~there).sum()),
                "only_the_second": int((~here & there).sum()),
                "neither": int((~here & ~there).sum()),
                "both_expected": round(float(here.mean() * there.mean() * len(share)), 1),
            }
        )
    return pd.DataFrame(rows)


@once
def overlap_sentence(table: pd.DataFrame) -> str:
    """Read the overlap aloud."""
    if table.empty:
        return "No two of these results keep single answers to the same questions."
    said = [
        f"{row.results}: both find {row.both:,} of {row.records:,} records; by chance alone, if each found its own "
        f"independently, it would be {row.both_expected:,.1f}."
        for row in records(table)
    ]
    return " ".join(said)


@once
def most(results: Sequence[Result], letters: Sequence[str], shown: int = 20) -> pd.DataFrame:
    """Return the records about which every result is right most often, by their numbers."""
    kept = [(letter, answers(each)) for letter, each in zip(letters, results, strict=True) if len(answers(each))]
    if not kept or not all(len(paired(results[0], each)) or each is results[0] for each in results):
        kept = kept[:1]
    shares = pd.DataFrame({f"right_{letter}": each.groupby("record")["right"].mean() for letter, each in kept})
    shares["answers"] = kept[0][1].groupby("record").size() if kept else []
    shares = shares.dropna()
    ranked = shares.assign(least=shares.drop(columns="answers").min(axis=1)).reset_index(names="record")
    ranked = ranked.sort_values(["least", "answers", "record"], ascending=[False, False, True], kind="stable")
    return ranked.drop(columns="least").head(shown).reset_index(drop=True)


@once
def at_threshold(results: Sequence[Result], letters: Sequence[str], percent: int) -> pd.DataFrame:
    """Return true and false positives where a share of the decisions with the highest scores is called members."""
    rows = []
    for letter, result in zip(letters, results, strict=True):
        decisions = _decisions(result)
        if decisions is None:
            continue
        threshold = float(np.quantile(decisions.score, 1 - percent / 100))
        called = Accusations(decisions.member, decisions.score, guess=decisions.score > threshold)
        figures = _rates(called)
        rows.append(
            {
                "result": letter,
                "threshold": threshold,
                "true_positives": int((called.called & called.member).sum()),
                "false_positives": int((called.called & ~called.member).sum()),
                **{
                    f"{name}{end}": figure
                    for name, found in figures.items()
                    for end, figure in zip(("", "_low", "_high"), found, strict=True)
                },
                "members": int(called.member.sum()),
                "nonmembers": int((~called.member).sum()),
            }
        )
    return pd.DataFrame(rows)


def _rates(called: Accusations) -> dict[str, Interval]:
    """Return the rates of true and of false positives; those of a single model have exact intervals over texts."""
    if len(called.member) > 1:
        return figures_over_targets(called, Accusations.statistics, np.random.default_rng(0))
    counts = ((int((called.called & of).sum()), int(of.sum())) for of in (called.member, ~called.member))
    found = (Interval(hits / of, *of_count(hits, of)) for hits, of in counts)
    return dict(zip(Accusations.statistics, found, strict=True))


def _decisions(result: Result) -> Accusations | None:
    """Return the scores of members and non-members, (plays, targets) or (1, candidates); None without scores."""
    tables = result.tables
    if "scores" in tables and {"target", "play", "score"} <= set(tables["scores"].columns):
        each = tables["scores"]
        member, score = (each.pivot(index="play", columns="target", values=name) for name in ("member", "score"))
        if score.isna().to_numpy().any():
            return None
        return Accusations(member.to_numpy(np.bool_), score.to_numpy(np.float64))
    if "stored" in tables:
        each = tables["stored"]
        each = each[each["variant"] == result.experiment["attack"]["part"]]
        return Accusations(each["member"].to_numpy(np.bool_)[None], each["score"].to_numpy(np.float64)[None])
    return None


def _headline(result: Result) -> str:
    return next(iter(headline(result.estimates).values()), "")


def _apart(result: Result, base: Result, name: str) -> Interval:
    ends = (Interval(each.value, each.low, each.high) for each in (result.estimates[name], base.estimates[name]))
    return difference(*ends)
