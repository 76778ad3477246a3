"""Whether a defense removes the memory of a secret, or only hinders the gradient attack.

When the paper's attack fails, the secret may still be memorised: the network's loss may rank the true secret
above all others, which exhaustive scoring shows.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pandas as pd

from core.experiment import Experiment
from core.result import Result
from core.statistics.wording import percent
from dashboard.kit.figures.tables import records, where
from dashboard.kit.figures.wording import joined
from dashboard.kit.shared import once
from dashboard.topics.canaries.figures import canaries
from dashboard.topics.canaries.figures.defenses import (
    PLAIN,
    cases,
    defense_name,
    noise,
    ordered,
    repetitions,
    undefended,
)

TITLE = "Is the secret forgotten, or only the gradient attack hindered?"
_METHODS = {"schedule": "paper", "strongest": "annealed_descent"}


@once
def points(results: Sequence[Result]) -> pd.DataFrame:
    """Return a row for each defense and number of repetitions, over all patterns.

    Returns:
        Columns row (the defense), repetitions, schedule and strongest (share of wrong words by the paper's schedule,
        with its interval low and high, and by annealing and descent), rank (median, of the true secret), exposure
        (bits, with its interval exposure_low and exposure_high), and whether an interval includes chance: stopped (the
        paper's schedule), withstood (annealing and descent), gone (the exposure). By pattern: the least and the most
        exposure, and hidden, the patterns whose interval includes chance.
    """
    counts = repetitions(results)
    rows = [
        {"row": defense_name(Experiment.parse(result.experiment)), "repetitions": count, **_measured(result, count)}
        for result in results
        for count in result.experiment["game"]["repetitions"]
        if count in counts
    ]
    columns = [
        "row",
        "repetitions",
        "schedule",
        "low",
        "high",
        "stopped",
        "strongest",
        "withstood",
        "rank",
        "exposure",
        "gone",
    ]
    columns += ["exposure_low", "exposure_high", "least", "most", "hidden"]
    frame = pd.DataFrame(rows, columns=columns)
    return ordered(frame.astype({"stopped": bool, "withstood": bool, "gone": bool}))


@once
def listed(points: pd.DataFrame) -> pd.DataFrame:
    """Return `points` for display: a row for each defense, with its results at each number of repetitions."""
    rows = []
    for name in dict.fromkeys(points["row"]):
        cells = records(points[points["row"] == name])
        rows.append(
            {
                "defense": name,
                "times shown": _dotted(f"{row.repetitions:,}" for row in cells),
                "paper’s attack": _dotted(
                    dict.fromkeys("not shown to work" if row.stopped else "works" for row in cells)
                ),
                "true secret, by the loss": _dotted(dict.fromkeys(_standing(row) for row in cells)),
                "wrong words, paper’s schedule": _dotted(percent(row.schedule) for row in cells),
                "wrong words, annealed + descent": _dotted(percent(row.strongest) for row in cells),
                "median rank": _dotted(f"{row.rank:,.0f}" for row in cells),
                "exposure, bits (by pattern)": _dotted(
                    f"{row.exposure:.1f} ({row.least:.1f}–{row.most:.1f})" for row in cells
                ),
            }
        )
    return pd.DataFrame(rows)


@once
def conclusion(points: pd.DataFrame) -> list[str]:
    """Say where the paper's attack is not shown to work, and whether the loss still reveals the secret there."""
    defended = points[~undefended(points)]
    if defended.empty:
        return ["No defense is computed yet, so there is no conclusion."]
    sentences, plain = [], records(points[points["row"] == PLAIN])
    if plain:
        wrong = joined([f"{percent(row.schedule)} (shown {canaries.times(row.repetitions)})" for row in plain])
        sentences.append(
            f"Without a defense, the paper’s gradient attack gets this share of the secrets’ words wrong: {wrong}."
        )
    otherwise = [*_otherwise(points, plain), *_hidden_by_noise(points)]
    if plain and all(row.stopped for row in plain):
        reason = "That is not shown to be better than chance already, so no defense can show an effect on it."
        return [*sentences, reason, *otherwise]
    sentences += otherwise
    stopped = defended[defended["stopped"]]
    if stopped.empty:
        sentences.append("Over all patterns together, it stays better than chance with every defense.")
        first = defended[~defended["gone"] & (defended["rank"] <= 1)]
        ranks = f"The median rank of the true secret is 1 with {cases(first, defended)}."
        return [*sentences, ranks] if len(first) else sentences
    shown = "every defense" if len(stopped) == len(defended) else f"{_brief(stopped, defended)} only"
    sentences.append(f"Over all patterns together, it is not shown to be better than chance with {shown}.")
    return [*sentences, *_remembered(stopped, defended)]


def _otherwise(points: pd.DataFrame, plain: Sequence[Any]) -> Iterator[str]:
    """Say what longer training without a defense changes of the share of wrong words."""
    usual = {row.repetitions: row for row in plain}
    of_noise = noise(points["row"])
    for name, rows in points[undefended(points) & ~points["row"].isin([PLAIN, *of_noise])].groupby("row", sort=False):
        how = str(name).removeprefix(f"{PLAIN}, ")
        pairs = [(row, usual[row.repetitions]) for row in records(rows) if row.repetitions in usual]
        wrong = joined([f"{percent(row.schedule)} (shown {canaries.times(row.repetitions)})" for row, _ in pairs])
        fewer = [row for row, other in pairs if row.high < other.low]
        more = [row for row, other in pairs if row.low > other.high]
        changed = [
            f"{change} {joined([canaries.times(row.repetitions) for row in changed_rows])}"
            for change, changed_rows in (("fewer if shown", fewer), ("more if shown", more))
            if changed_rows
        ]
        certainty = f"beyond both intervals, {joined(changed)}" if changed else "the intervals overlap"
        if pairs:
            yield f"Where networks are trained {how}, it gets {wrong} wrong: {certainty}."


def _hidden_by_noise(points: pd.DataFrame) -> Iterator[str]:
    """Say where private training leaves fewer bits of exposure than the same training without noise."""
    private, without_noise = (records(where(points, "row", name)) for name in noise(points["row"]))
    others = {row.repetitions: row for row in without_noise}
    pairs = [(row, others[row.repetitions]) for row in private if row.repetitions in others]
    if not pairs:
        return
    fewer = [(row, other) for row, other in pairs if row.exposure_high < other.exposure_low]
    shown = "; ".join(_bits(row, other) for row, other in fewer)
    if len(fewer) < len(pairs):
        shown += "; otherwise no difference is shown" if fewer else "no difference in exposure is shown"
    yield f"Private training beside the same without noise: {shown}."


def _bits(row: Any, other: Any) -> str:
    return f"shown {canaries.times(row.repetitions)}, {row.exposure:.1f} bits of exposure against {other.exposure:.1f}"


def _remembered(stopped: pd.DataFrame, defended: pd.DataFrame) -> list[str]:
    """Say whether the loss still reveals the secret where the gradient attack is not shown to work."""
    remembered = stopped[~stopped["gone"]]
    if remembered.empty:
        return ["Nor is the exposure shown to be above chance there: no memory is shown."]
    if len(remembered) == len(stopped):
        text = "Even there, the exposure stays above chance: the network still remembers the secrets."
    else:
        text = (
            f"Of these, {_brief(remembered, defended)} leaves the exposure above chance: the network still remembers."
        )
    first = remembered[remembered["rank"] <= 1]
    text += f" The median rank of the true secret is 1 with {_brief(first, defended)}." if len(first) else ""
    hidden = records(remembered[remembered["hidden"] != ""])
    return [text] + [
        f"Of single patterns, the exposure of {row.hidden} is not shown to exceed chance ({_case(row)})."
        for row in hidden
    ]


def _brief(chosen: pd.DataFrame, defended: pd.DataFrame) -> str:
    """Name the defenses of some rows within a sentence."""
    return _spoken(cases(chosen, defended))


def _spoken(names: str) -> str:
    """Return names of defenses as written within a sentence: in lower case except abbreviations, epsilon after “at”."""
    within = re.sub(r"(?:^|(?<=, )|(?<= and ))[A-Z](?=[a-z])", lambda first: first[0].lower(), names)
    return re.sub(r", (?=epsilon)", " at ", within)


@once
def _measured(result: Result, count: int) -> dict[str, Any]:
    """Return the results at one number of repetitions, over all patterns."""
    values: dict[str, Any] = {}
    tables = [canaries.over_all(result.tables[name]) for name in ("cells", "exposures")]
    cells, exposures = (table[table["repetitions"] == count] for table in tables)
    for name, method in _METHODS.items():
        row = records(cells[cells["method"] == method])[0]
        values[name] = row.hamming
        if name == "schedule":
            values |= {"low": row.hamming_low, "high": row.hamming_high}
        values["stopped" if name == "schedule" else "withstood"] = row.hamming_high >= row.hamming_chance
    row = records(exposures)[0]
    by_pattern = result.tables["exposures"]
    by_pattern = by_pattern[(by_pattern["pattern"] != canaries.ALL) & (by_pattern["repetitions"] == count)]
    at_chance = by_pattern.loc[by_pattern["low"] <= by_pattern["chance"], "pattern"]
    values |= {"least": by_pattern["exposure"].min(), "most": by_pattern["exposure"].max()}
    values["hidden"] = joined([canaries.pattern_name(pattern) for pattern in at_chance]) if len(at_chance) else ""
    values |= {"exposure": row.exposure, "exposure_low": row.low, "exposure_high": row.high}
    return {**values, "rank": row.rank, "gone": row.low <= row.chance}


def _case(row: Any) -> str:
    return f"{_spoken(row.row)}, shown {canaries.times(row.repetitions)}"


def _dotted(texts: Iterable[str]) -> str:
    return " · ".join(texts)


def _standing(row: Any) -> str:
    """Return the standing of the true secret among all secrets."""
    if row.gone:
        return "not shown above chance"
    return "ranks first" if row.rank <= 1 else "above chance"
