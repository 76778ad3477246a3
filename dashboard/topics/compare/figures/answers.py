"""The single answers of results, by record: which are right, how two results differ, and which records both find."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.games.summaries import summarised_by
from core.result import Result
from core.statistics import resampling
from core.statistics.decision_rates import DecisionRates
from core.statistics.intervals import RESAMPLES, Interval, difference, middle
from core.statistics.jackknife import figures_over_targets
from dashboard.kit.figures import paired
from dashboard.kit.figures.intervals import of_count
from dashboard.kit.figures.tables import records
from dashboard.kit.shared import once
from dashboard.kit.words import minus

_SHOWN = 20
"""Records of the ranking that are shown."""


@once
def differences(results: Sequence[Result], letters: Sequence[str]) -> pd.DataFrame:
    """Return the difference of each result from the first, in pairs where both answered the same questions."""
    rows = []
    for letter, result in list(zip(letters, results, strict=True))[1:]:
        both, names = paired.paired(results[0], result), (_headline(results[0]), _headline(result))
        if (gap := paired.difference(results[0], result)) is not None:
            comparison, n = "in pairs: share of right answers", len(both)
        elif names[0] == names[1] != "":
            gap, comparison, n = _apart(result, results[0], names[0]), f"as if independent: {names[0]}", 0
        else:
            continue
        points = dict(zip(("points", "low", "high"), (round(100 * end, 2) for end in gap), strict=True))
        rows.append({"result": f"{letter} minus {letters[0]}", "compared": comparison, **points, "answers": n})
    return pd.DataFrame(rows, columns=["result", "compared", "points", "low", "high", "answers"])


@once
def differences_sentence(table: pd.DataFrame) -> str:
    """Say which results differ from the first by more than their interval allows for."""
    if table.empty:
        return "These results answer different questions by different figures, so they have no difference."
    sentences = []
    for row in records(table):
        points, low, high = (minus(f"{bound:+.1f}") for bound in (row.points, row.low, row.high))
        verdict = "which is not shown to differ from 0" if row.low <= 0 <= row.high else "which excludes 0"
        how = f"{row.compared}, n {row.answers:,} answers" if row.answers else row.compared
        sentences.append(f"{row.result}: {points} points (95% interval {low} to {high}; {how}), {verdict}.")
    return " ".join(sentences)


@once
def overlap(results: Sequence[Result], letters: Sequence[str]) -> pd.DataFrame:
    """Return, for each pair of results with the same questions, how many records both, one or neither of them find.

    A record is found if more than half of the answers about it are right.
    """
    rows = []
    for (one, first), (other, second) in combinations(zip(letters, results, strict=True), 2):
        both = paired.paired(first, second)
        if not len(both):
            continue
        share = both.groupby("record")[["right_first", "right_second"]].mean() > 0.5
        here, there = share["right_first"].to_numpy(), share["right_second"].to_numpy()
        value, low, high = _more_than_independent(here, there)
        rows.append(
            {
                "results": f"{one} and {other}",
                "records": len(share),
                "answers": len(both),
                "both": int((here & there).sum()),
                "only_the_first": int((here & ~there).sum()),
                "only_the_second": int((~here & there).sum()),
                "neither": int((~here & ~there).sum()),
                "both_expected": round(float(here.mean() * there.mean() * len(share)), 1),
                "more": round(value, 1),
                "more_low": round(low, 1),
                "more_high": round(high, 1),
            }
        )
    return pd.DataFrame(rows)


@once
def overlap_sentence(table: pd.DataFrame) -> str:
    """Read the overlap aloud, and say whether it is shown to differ from that of independent results."""
    if table.empty:
        return "No two of these results keep single answers to the same questions."
    sentences = []
    for row in records(table):
        more, low, high = (minus(f"{count:+,.1f}") for count in (row.more, row.more_low, row.more_high))
        if row.more_low > 0:
            verdict = "they find the same records more often than by chance"
        elif row.more_high < 0:
            verdict = "they find the same records less often than by chance"
        else:
            verdict = "they are not shown to find the same records more or less often than by chance"
        asked = f", about which there are {row.answers:,} answers" if row.answers != row.records else ""
        sentences.append(
            f"{row.results}: both find {row.both:,} of {row.records:,} records{asked}; if each found its own "
            f"independently, it would be {row.both_expected:,.1f}. The difference is {more} (95% interval {low} to "
            f"{high}): {verdict}."
        )
    return " ".join(sentences) + " A record is found if more than half of the answers about it are right."


def _more_than_independent(here: NDArray[np.bool_], there: NDArray[np.bool_]) -> Interval:
    """Return how many more records both find than if each found its own independently, resampling the records.

    Args:
        here: (records,) whether the first finds each.
        there: (records,) whether the second does.
    """
    counts = resampling.drawn(len(here), RESAMPLES, np.random.default_rng(0))  # (resamples, records)
    both, first, second = (counts[:, records].sum(axis=1) for records in (here & there, here, there))
    value = float((here & there).sum() - here.mean() * there.sum())
    return Interval(value, *middle(both - first * second / len(here)))


@once
def ranked(results: Sequence[Result], letters: Sequence[str]) -> pd.DataFrame:
    """Return all records, first those about which every result is right most often, and of these those asked most."""
    answered = [(letter, paired.answers(result)) for letter, result in zip(letters, results, strict=True)]
    answered = [(letter, table) for letter, table in answered if len(table)]
    if not all(len(paired.paired(results[0], result)) for result in results[1:]):
        answered = answered[:1]
    shares = pd.DataFrame({f"right_{letter}": table.groupby("record")["right"].mean() for letter, table in answered})
    shares["answers"] = answered[0][1].groupby("record").size() if answered else []
    shares = shares.dropna()
    least = shares.drop(columns="answers").min(axis=1)
    rows = shares.assign(least=least).reset_index(names="record")
    return rows.sort_values(
        ["least", "answers", "record"], ascending=[False, False, True], kind="stable", ignore_index=True
    )


@once
def most(results: Sequence[Result], letters: Sequence[str]) -> pd.DataFrame:
    """Return the first of all records by their rank, with the share of answers about each that are right."""
    named = {f"right_{letter}": f"share_right_{letter}" for letter in letters} | {"answers": f"answers_of_{letters[0]}"}
    return ranked(results, letters).drop(columns="least").head(_SHOWN).rename(columns=named)


@once
def most_sentence(table: pd.DataFrame) -> str:
    """Say how many records tie, of which those that are shown are not the ones that leak most.

    Args:
        table: All records, see `ranked`.
    """
    right = int((table["least"] == 1).sum())
    text = f"Every answer is right about {right:,} of {len(table):,} records; first come those with the most answers."
    last = table.iloc[min(_SHOWN, len(table)) - 1]
    ties = int(((table["least"] == last["least"]) & (table["answers"] == last["answers"])).sum())
    above = int((table["least"] > last["least"]).sum())
    above += int(((table["least"] == last["least"]) & (table["answers"] > last["answers"])).sum())
    if above + ties > _SHOWN:
        places = f"the last {_SHOWN - above} of the {_SHOWN} places" if above else f"all {_SHOWN} places"
        text += (
            f" {ties:,} records tie for {places}; the lowest numbers of these are shown, which leak no more than the "
            "others."
        )
    return text


@once
def records_sentence(shown: pd.DataFrame, table: pd.DataFrame, letters: Sequence[str]) -> str:
    """Say what stands in the table of the records that leak most, and whose they are where not all results are paired.

    Args:
        shown: The records that are shown, see `most`.
        table: All records, see `ranked`.
        letters: The letters of the results.
    """
    text = (
        "The records about which the adversaries are right most often, by the number of the target or of the row in "
        f"the dataset. {most_sentence(table)} Among many records, luck alone has adversaries right about some every "
        "time. A share of 1 is every answer."
    )
    if len(shown.columns) < len(letters) + 2:
        text += f" Those of {letters[0]} are shown: not all results answer the same questions."
    return text


@once
def at_threshold(results: Sequence[Result], letters: Sequence[str], percent: int) -> pd.DataFrame:
    """Return true and false positives where a share of the decisions with the highest scores is taken for members."""
    rows = []
    for letter, result in zip(letters, results, strict=True):
        decisions = _decisions(result)
        if decisions is None:
            continue
        threshold = float(np.quantile(decisions.score, 1 - percent / 100))
        decided = DecisionRates(decisions.member, decisions.score, guess=decisions.score > threshold)
        figures = _rates(decided)
        rows.append(
            {
                "result": letter,
                "threshold": threshold,
                "true_positives": int((decided.positive & decided.member).sum()),
                "false_positives": int((decided.positive & ~decided.member).sum()),
                **{
                    f"{name}{end}": figure
                    for name, interval in figures.items()
                    for end, figure in zip(("", "_low", "_high"), interval, strict=True)
                },
                "members": int(decided.member.sum()),
                "nonmembers": int((~decided.member).sum()),
            }
        )
    return pd.DataFrame(rows)


@once
def threshold_sentence(table: pd.DataFrame) -> str:
    """Read the table of `at_threshold` aloud."""
    return " ".join(
        f"{row.result}: {row.true_positives:,} of {row.members:,} members found, {row.false_positives:,} of "
        f"{row.nonmembers:,} non-members taken for members."
        for row in records(table)
    )


def _rates(decided: DecisionRates) -> dict[str, Interval]:
    """Return the rates of true and false positives, for a single model with exact intervals over texts."""
    if len(decided.member) > 1:
        return figures_over_targets(decided, DecisionRates.statistics, np.random.default_rng(0))
    groups = (decided.member, ~decided.member)
    counts = ((int((decided.positive & group).sum()), int(group.sum())) for group in groups)
    intervals = (Interval(hits / total, *of_count(hits, total)) for hits, total in counts)
    return dict(zip(DecisionRates.statistics, intervals, strict=True))


def _decisions(result: Result) -> DecisionRates | None:
    """Return the scores of members and non-members, (plays, targets) or (1, candidates); None without scores."""
    tables = result.tables
    if "scores" in tables and {"target", "play", "score"} <= set(tables["scores"].columns):
        scores = tables["scores"]
        member, score = (scores.pivot(index="play", columns="target", values=name) for name in ("member", "score"))
        if score.isna().to_numpy().any():
            return None
        return DecisionRates(member.to_numpy(np.bool_), score.to_numpy(np.float64))
    if "stored" in tables:
        stored = tables["stored"]
        stored = stored[stored["variant"] == result.experiment["attack"]["part"]]
        return DecisionRates(stored["member"].to_numpy(np.bool_)[None], stored["score"].to_numpy(np.float64)[None])
    return None


def _headline(result: Result) -> str:
    return next(iter(summarised_by(result.estimates, result.experiment["game"]).values()), "")


def _apart(result: Result, base: Result, name: str) -> Interval:
    estimates = (result.estimates[name], base.estimates[name])
    return difference(*(Interval(estimate.value, estimate.low, estimate.high) for estimate in estimates))
