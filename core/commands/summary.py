"""What the commands run and show print of a result: its verdict, its figures and the address of its page."""

import json
import textwrap
from collections.abc import Iterable, Mapping
from pathlib import Path

from core.attacks.own_text import OwnText
from core.audits import worded
from core.datasets.documents import Documents
from core.datasets.requests.own_requests import OwnRequests
from core.experiment import Experiment
from core.games import Game
from core.games.audit import Audit
from core.games.membership import Membership
from core.report import verdict
from core.report.evidence import plain
from core.report.numbers import written
from core.result import Estimate, Result, distinct
from core.statistics.measures import LOW_RATES, unmeasurable
from core.statistics.wording import CONSTANT, fixed
from core.statistics.wording.units import Scale, scale

_WIDTH = 100
"""Letters in a line of a verdict."""
_LEAST = 28
"""Letters that the column of names takes at least."""


def show(key: str, experiment: Experiment, result: Result, *, cached: bool, as_json: bool) -> None:
    """Print a result, with its page on a dashboard that has the same home folder.

    Args:
        key: Key of the result.
        experiment: Its experiment, whose files may have changed since.
        result: The result, its decisions counted.
        cached: Whether it was stored already.
        as_json: Whether to print one JSON object instead of lines.
    """
    if as_json:
        printed = {
            "key": key,
            "experiment": result.experiment,
            "estimates": {name: estimate.plain() for name, estimate in sorted(result.estimates.items())},
            "cached": cached,
            "provenance": result.provenance.model_dump(),
            "said": [*_remarks(key, experiment, result), *verdict.sentences(experiment, result)],
            "page": page_address(experiment, key),
        }
        print(json.dumps(plain(printed), allow_nan=False))
        return
    origin = f"stored {result.provenance.started[:10]}" if cached else "computed now"
    behind = "".join(f", behind {defense.named}" for defense in experiment.defenses)
    print(f"{worded.named(experiment)} on {experiment.dataset.title}{behind}, key {key}, {origin}")
    for line in _remarks(key, experiment, result):
        print(f"  {line}")
    for sentence in verdict.sentences(experiment, result):
        print(textwrap.fill(sentence, _WIDTH, initial_indent="  ", subsequent_indent="  "))
    for line in [*figures(distinct(result.estimates)), *_unmeasured(experiment.game, result), *_mixed(experiment.game)]:
        print(f"  {line}")
    if address := page_address(experiment, key):
        print(f"On the dashboard: {address}")


def page_address(experiment: Experiment, key: str = "") -> str:
    """Return the address of a stored result on a dashboard with the same home folder; empty where no page shows it.

    Args:
        experiment: The experiment of the result.
        key: Key of the result, where files of the experiment may have changed since; its present key if empty.
    """
    if isinstance(experiment.attack, OwnText):
        return ""  # pages show a sentence to the visitor who typed it
    page = "model_audit" if isinstance(experiment.game, Audit) else experiment.attack.part_name()
    return f"/{page}?view.result={key or experiment.key}"


def figures(estimates: Mapping[str, Estimate]) -> list[str]:
    """Return estimates by name as lines; counts have no interval."""
    lines: list[str] = []
    names = _widest(estimates)
    for name, estimate in estimates.items():
        unit = _unit(name, estimate)
        if estimate.chance is None and estimate.low == estimate.value == estimate.high:
            lines.append(f"{name:{names}} {written(estimate.value):>6}{unit}")
            continue
        level = estimate.chance
        chance = "" if level is None else f"   chance {written(level) if level >= 1000 else f'{level:.3g}'}"
        low, high = fixed(estimate.low, 3), fixed(estimate.high, 3)
        ends = f"   [{low}, {high}]{unit}" if estimate.low < estimate.high else f"{unit}   {CONSTANT}"
        figure = f"{fixed(estimate.value, 3):>6}{ends}"
        lines.append(f"{name:{names}} {figure}{chance:16}{f'   n {estimate.n:,}' if estimate.n else ''}".rstrip())
    return lines


def _widest(names: Iterable[str]) -> int:
    """Return how many letters the column of names takes, so that all figures stand below each other."""
    return max([_LEAST, *map(len, names)])


def _unit(name: str, estimate: Estimate) -> str:
    """Return what stands behind a value: its unit, unless it is a share or the name of the estimate says the unit."""
    unit = estimate.unit
    return "" if scale(unit) is not Scale.NUMBER or unit.lower() in name.split("_") else f" {unit}"


def _unmeasured(game: Game, result: Result) -> list[str]:
    """Return the rates of the game at low false-positive rates that too few non-members can show, as lines."""
    area = result.estimates.get("auc")
    if area is None:
        return []
    names = _widest(distinct(result.estimates))
    lacking = [name for name in game.low_rates if name not in result.estimates]
    return [f"{name:{names}} {lack}" for name in lacking if (lack := unmeasurable(LOW_RATES[name], area.nonmembers))]


def _mixed(game: Game) -> list[str]:
    """Return what figures of targets of several sizes mix, as a line."""
    if not isinstance(game, Membership) or len(game.target_sizes) == 1:
        return []
    together = (
        "Figures without a size are of small and large targets together, whose scores may differ in scale: read areas"
    )
    return [f"{together} and low rates by size."]


def _remarks(key: str, experiment: Experiment, result: Result) -> list[str]:
    """Return lines on the user's own documents, on who is attacked and a caveat, and on the user's own sentence."""
    dataset = experiment.dataset
    lines: list[str] = []
    if isinstance(dataset, Documents | OwnRequests):
        read = dataset.summary() if experiment.has_key(key) else "changed since, or not on this machine any more."
        lines.append(f"{Path(dataset.source).name}: {read}")
    game = experiment.game
    return [*lines, *filter(None, [game.caveat(), game.plan(), experiment.attack.remark(result.tables)])]
