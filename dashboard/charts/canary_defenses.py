"""How well secrets are read behind each defense, by the paper's attack, by a stronger one and by scoring them all.

Source: Parikh et al. 2022, Table 3.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go

from core.experiment import Experiment
from core.result import Result
from dashboard.charts import canaries, lanes, theme
from dashboard.charts.canary_printed import DEFENDED, DEFENDED_REPETITIONS
from dashboard.charts.drawing import Drawing
from dashboard.charts.lanes import Look
from dashboard.charts.tables import records
from dashboard.charts.wording import joined, measured, percent
from dashboard.words import number, spoken

View = Literal["paper", "annealed_descent", "exposure"]

VIEWS: tuple[View, ...] = ("paper", "annealed_descent", "exposure")
"""How secrets are read: by two methods, or by the rank of the truth when all of them are scored."""

PLAIN = "No defense"
"""The row without one."""
_HAMMING, _BITS = "Wrong words (HDT)", "Exposure of the true secret (bits)"
_SINGLE = {
    "dropout": "Dropout (D)",
    "early_stopping": "Early stopping (ES)",
    "character_embeddings": "Characters (CE)",
    "dp_sgd": "Private training",
}
_SHORT = {"dropout": "D", "early_stopping": "ES", "character_embeddings": "CE", "dp_sgd": "private"}
_PAPERS = ("dropout", "early_stopping", "character_embeddings")
_NUMBERS = ("value", "low", "high", "chance", "ceiling", "rank")
_COLUMNS = ("row", "pattern", "repetitions", "printed", *_NUMBERS)


def named(view: View) -> str:
    """Return what a choice calls a view."""
    return "Exposure: every secret scored" if view == "exposure" else f"HDT: {canaries.method(view)}"


def called(experiment: Experiment) -> str:
    """Return what the defenses of an experiment are called, with what is not as the paper has it."""
    settings = [
        f"{spoken(name).lower()} {value:g}"
        for step in experiment.defenses
        for name, value in step.as_dict().items()
        if isinstance(value, int | float) and (name == "epsilon" or value != getattr(type(step)(), name))
    ]
    return ", ".join([_called([step.part_name() for step in experiment.defenses]), *settings])


def repetitions(results: Iterable[Result]) -> list[int]:
    """Return how often secrets were learnt behind defenses; the paper's numbers where there is no such result."""
    defended = (result.experiment for result in results if result.experiment["defenses"])
    found = {times for experiment in defended for times in experiment["game"]["repetitions"]}
    return sorted(found or DEFENDED_REPETITIONS)


def points(results: Sequence[Result], view: View, *, printed: bool = False) -> pd.DataFrame:
    """Return how well secrets are read, by defense, pattern and repetitions, the undefended first.

    Args:
        results: Equal but for their defenses and repetitions.
        view: How they are read.
        printed: Whether the paper's Table 3 is about the same secrets, and so stands beside them.

    Returns:
        Columns row (the defense), pattern, repetitions, printed (whether by the paper), value with interval and
        chance, and of exposure its ceiling and the median rank of the truth.
    """
    times = repetitions(results)
    rows = [row for result in results for row in _own(result, view) if row["repetitions"] in times]
    if printed and view != "exposure":
        rows += [
            {"row": _called(names), "pattern": pattern, "repetitions": often, "printed": True, "value": value}
            for (pattern, often, names), value in DEFENDED.items()
            if often in times
        ]
    frame = pd.DataFrame(rows, columns=list(_COLUMNS)).astype({**dict.fromkeys(_NUMBERS, "float64"), "printed": "bool"})
    return ordered(frame)


def ordered(table: pd.DataFrame) -> pd.DataFrame:
    """Return rows of defenses in order: none, those of the paper from one to all three, then others as they come."""
    known = [_called(chosen) for count in range(len(_PAPERS) + 1) for chosen in combinations(_PAPERS, count)]
    place = {name: at for at, name in enumerate(dict.fromkeys([*known, *table["row"]]))}
    return table.sort_values("row", key=lambda names: names.map(place), kind="stable").reset_index(drop=True)


def broken(rows: "pd.Series[str]") -> "pd.Series[str]":
    """Return names of rows with a line break before each setting, for an axis."""
    return rows.str.replace(", ", ",<br>", regex=False)


def figure(shown: pd.DataFrame, view: View) -> go.Figure:
    """Draw a row for each defense, in it a lane for each number of repetitions, the paper's value hollow in the same.

    Args:
        shown: Rows of `points` of one pattern.
        view: How the secrets are read.
    """
    looks = _looks(shown)
    drawing = lanes.blank(_BITS if view == "exposure" else _HAMMING, shown["row"].nunique(), looks)
    if shown.empty:
        return theme.empty(drawing, "Not computed here yet.")
    marked = shown.assign(series=[_series(row.repetitions, row.printed) for row in records(shown)])
    marked["row"] = broken(marked["row"])
    if view == "exposure":
        top = float(shown["ceiling"].max())
        drawing.update_xaxes(range=[-0.03 * top, 1.06 * top], dtick=2)
    else:
        drawing.update_xaxes(range=[-0.03, 1.05], tickformat=".0%", dtick=0.25)
    lanes.draw(drawing, marked, looks, [_hover(row, view) for row in records(shown)])
    lanes.chance(drawing, float(shown["chance"].mean()))
    if view == "exposure":
        _ceiling(drawing, float(shown["ceiling"].max()))
    return drawing.figure()


def sentence(shown: pd.DataFrame, view: View) -> str:
    """Read one pattern aloud: the undefended network, and behind which defenses reading is no better than guessing.

    Args:
        shown: Rows of `points` of one pattern.
        view: How the secrets are read.
    """
    own = shown[~shown["printed"]]
    if own.empty:
        return "Ours is not computed here yet; hollow marks are the paper’s."
    said = []
    plain = records(own[own["row"] == PLAIN])
    if plain:
        values = joined([_value(row, view) for row in plain])
        what = "bits of exposure" if view == "exposure" else "of the words wrong"
        times = joined([f"{row.repetitions:,}" for row in plain])
        said.append(f"Without a defense, shown {times} times: {values} {what}; guessing gives {_guessed(plain, view)}.")
    defended = own[own["row"] != PLAIN]
    if defended.empty:
        return " ".join([*said, "No defense is computed here yet."])
    guessed = defended[_guessing(defended, view)]
    if guessed.empty:
        said.append("Behind every defense, however often they were shown, the secrets are read beyond guessing.")
    else:
        said.append(f"No better than guessing behind {cases(guessed, defended)}.")
    return " ".join(said)


def cases(own: pd.DataFrame, defended: pd.DataFrame) -> str:
    """Name defenses, each with how often secrets were shown unless it is all that was tried.

    Args:
        own: Some rows.
        defended: All rows, with the columns row and repetitions.
    """
    if len(own) == len(defended):
        return "every defense"
    said = []
    for name in dict.fromkeys(own["row"]):
        times = own[own["row"] == name]["repetitions"]
        whole = len(times) == len(defended[defended["row"] == name])
        said.append(name if whole else f"{name} (shown {joined([f'{often:,}' for often in times])} times)")
    return joined(said)


def _called(names: Sequence[str]) -> str:
    """Return what some defenses are called together."""
    if not names:
        return PLAIN
    if len(names) == 1:
        return _SINGLE.get(names[0], spoken(names[0]))
    return " + ".join(_SHORT.get(name, spoken(name)) for name in names)


def _own(result: Result, view: View) -> Iterator[dict[str, Any]]:
    """Yield one result's values, by pattern and repetitions."""
    row = called(Experiment.parse(result.experiment))
    if view == "exposure":
        table = result.tables["exposures"]
        names = {"exposure": "value", "low": "low", "high": "high", "chance": "chance", "ceiling": "ceiling"}
    else:
        table = result.tables["cells"]
        table = table[table["method"] == view]
        names = {"hamming": "value", **{f"hamming_{end}": end for end in ("low", "high", "chance")}}
    ranks = result.tables["exposures"].set_index(["pattern", "repetitions"])["rank"]
    for found in records(table):
        place = {"row": row, "pattern": found.pattern, "repetitions": found.repetitions, "printed": False}
        rank = ranks[found.pattern, found.repetitions]
        yield {**place, **{said: getattr(found, name) for name, said in names.items()}, "rank": rank}


def _looks(shown: pd.DataFrame) -> lanes.Looks:
    """Return how each number of repetitions is drawn, ours full and the paper's hollow."""
    looks: dict[str, Look] = {}
    marks = theme.ordered([int(times) for times in shown["repetitions"]])
    for lane, (times, mark) in enumerate(marks.items()):
        looks[_series(times, False)] = Look(f"shown {canaries.times(times)}", mark, lane)
    if shown["printed"].any():
        for lane, (times, mark) in enumerate(marks.items()):
            looks[_series(times, True)] = Look("" if lane else "hollow: the paper", mark, lane, hollow=True)
    return looks


def _series(times: int, printed: bool) -> str:
    return f"{times} printed" if printed else str(times)


def _ceiling(drawing: Drawing, bits: float) -> None:
    """Draw where the truth ranks first."""
    drawing.add_shape(
        type="line",
        yref="y domain",
        y0=0,
        y1=1,
        x0=bits,
        x1=bits,
        name="ceiling",
        line={"color": theme.INK, "width": 1.5, "dash": "dot"},
    )
    drawing.add_annotation(
        yref="y domain",
        y=0,
        yanchor="bottom",
        x=bits,
        xanchor="right",
        xshift=-4,
        text="ranks first",
        showarrow=False,
        font={"size": theme.SMALL, "color": theme.INK},
        bgcolor=theme.veil(theme.BACKGROUND, 0x90),
    )


def _guessing(own: pd.DataFrame, view: View) -> "pd.Series[bool]":
    """Return where the interval reaches what guessing gives."""
    return own["low"] <= own["chance"] if view == "exposure" else own["high"] >= own["chance"]


def _value(row: Any, view: View) -> str:
    if view == "exposure":
        return f"{row.value:.1f} ({row.low:.1f}–{row.high:.1f})"
    return measured(row.value, row.low, row.high)


def _guessed(rows: Sequence[Any], view: View) -> str:
    chance = rows[0].chance
    return f"{chance:.1f}, the first rank {rows[0].ceiling:.1f}" if view == "exposure" else percent(chance)


def _hover(row: Any, view: View) -> str:
    text = f"<b>{row.row}, shown {canaries.times(row.repetitions)}</b><br>"
    if row.printed:
        return f"{text}the paper: {percent(row.value)}"
    what = "bits of exposure" if view == "exposure" else "of the words wrong"
    return f"{text}{_value(row, view)} {what}<br>median rank of the truth: {number(row.rank)}"
