"""A few attempts of each campaign: nothing is lost, believed, or worse than refused; docs/reliability.md has more."""

import math
import random
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from joblib import parallel_config

from core.result import Estimate
from tests.campaigns import changed_bytes, corruption, coverage, disk, hostile, kills, lesson, null, null_audits
from tests.campaigns.campaign import Attempt, Tally, campaign
from tests.errands import QUICK, ROOT
from tests.patience import FOREVER

pytestmark = pytest.mark.slow


ONE_WAY_EACH = [hostile.WAYS.index(way) for way in dict.fromkeys(hostile.WAYS)]
ODD_NAMES = [list(disk.NAMES).index(name) for name in ("a newline", "a byte that is no UTF-8")]
LEAKS_IN_TURN = [at + at % len(coverage.LEAKS) * len(coverage.KINDS) for at in range(len(coverage.KINDS))]
CLASS_ALONE = list(null_audits.KINDS).index("answers of a classifier, class alone")


@pytest.mark.parametrize(
    ("name", "attempt", "numbers"),
    [
        ("corruption", corruption.attempt, range(len(corruption.KINDS))),
        ("hostile", hostile.attempt, ONE_WAY_EACH),
        ("disk", disk.attempt, [*ODD_NAMES, *range(len(disk.NAMES), 12)]),
        pytest.param("kills", kills.attempt, [0], marks=pytest.mark.exhaustive),
        ("coverage", coverage.attempt, LEAKS_IN_TURN),
        ("null", null.attempt, range(2)),
        ("changed_bytes", changed_bytes.attempt, range(6)),
        ("null_audits", null_audits.play, [CLASS_ALONE]),
        pytest.param(
            "lesson", partial(lesson.attempt, people=2, kills=1, limit=math.inf), [0], marks=pytest.mark.exhaustive
        ),
    ],
)
def test_a_short_campaign_finds_nothing(
    name: str, attempt: Attempt, numbers: Sequence[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """That kills lose nothing, tests of the queue of runs and of rooms show without a campaign.

    Where a server is started again, tests/dashboard/room/test_store.py keeps the votes, and
    tests/dashboard/server/test_workers.py the visitors.
    """
    monkeypatch.syspath_prepend(str(QUICK))

    def chosen(position: int, _: random.Random) -> str:
        return attempt(numbers[position], random.Random(f"{name} {numbers[position]}"))

    tally = campaign(name, chosen, len(numbers), FOREVER)
    assert tally.faults == {}
    assert tally.done == sum(tally.counts.values()) == len(numbers)


def test_a_campaign_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    drawn: dict[int, float] = {}

    def attempt(number: int, rng: object) -> str:
        drawn[number] = rng.random()  # type: ignore[attr-defined]
        if number == 2:
            raise AssertionError("a fault")
        return "fine"

    first = campaign("some", attempt, 3, FOREVER)
    first.write(tmp_path / "some.json")
    once = dict(drawn)
    whole = campaign("some", attempt, 5, FOREVER, Tally.read(tmp_path / "some.json"))
    assert sorted(drawn) == list(range(5)), "none is made twice"
    assert (whole.done, whole.counts, whole.faults) == (5, {"fine": 4, "fault": 1}, {"2": "a fault"})
    campaign("some", attempt, 3, FOREVER)
    assert once == {number: drawn[number] for number in range(3)}, "the same number draws the same"
    assert campaign("some", attempt, 3, 0.0).done == 0, "its time is bounded"


def test_attempts_side_by_side_are_the_same_as_one_after_the_other() -> None:
    def attempt(number: int, rng: random.Random) -> str:
        assert number != 1, "a fault"
        return f"{number} {rng.random()}"

    with parallel_config("threading"):  # its rule is that of processes, each of which takes seconds to begin
        alone, together = (campaign("some", attempt, 5, FOREVER, workers=workers) for workers in (1, 2))
    assert (together.done, together.counts, together.faults) == (5, alone.counts, alone.faults)
    assert list(alone.faults) == ["1"]


def test_intervals_that_hold_too_little_or_too_much_are_named() -> None:
    """Of 100 games of each kind; one that promises at least so much may hold more."""
    (narrow, wide, *_), cautious = coverage.KINDS, min(coverage.CAUTIOUS)
    held = dict.fromkeys(coverage.KINDS, 95) | {narrow: 92, wide: 99, cautious: 100}
    counts = Counter({f"{kind}|weak|held": number for kind, number in held.items()})
    counts += Counter({f"{kind}|strong|above": 100 - number for kind, number in held.items()})
    lines, broken = coverage.report(counts)
    assert broken == [f"{narrow}: 92.0%", f"{wide}: 99.0%"]
    assert lines[2] == f"| {narrow} | nan | 100.0 | 0.0 | 92.0 | 0.0 | 8.0 |"
    assert len(lines) == 2 + len(coverage.KINDS)


def test_the_methods_of_a_few_kinds_hold_what_they_promise() -> None:
    """60 games each; by the bootstrap, an advantage without a leak was held in 1 to 10 of a hundred."""
    for kind in ("accuracy over targets", "auc over targets", "advantage over targets", "exposure of 10"):
        position = list(coverage.KINDS).index(kind)
        numbers = [position + game * len(coverage.KINDS) for game in range(60)]
        outcomes = [coverage.attempt(number, random.Random(f"coverage {number}")) for number in numbers]
        assert sum(each.endswith("held") for each in outcomes) >= 52, kind


def test_statistics_that_show_a_leak_where_there_is_none_are_named() -> None:
    """Of 200 games: 13 of them may exclude chance by bad luck, 30 may not; no interval counts for
    nothing, and what speaks of no leak is left out.
    """
    (kind, *_) = null.KINDS
    estimate = Estimate(value=0.6, low=0.55, high=0.65, chance=0.5, unit="share")
    figures = {"auc": estimate, "accuracy": estimate.model_copy(update={"low": 0.4}), "recall": estimate}
    shifted = {"auc": estimate.model_copy(update={"chance": 0.7}), "queries": Estimate.queries(3, "Queries.")}
    assert null.sides({**figures, "classifier_test": estimate}) == {"auc": "+", "accuracy": ""}
    assert null.sides(shifted) == {"auc": "-"}
    ends = {"auc": {"low": math.nan, "high": math.nan}, "epsilon_at_least": {"low": 0.6, "high": math.inf}}
    unknown = {name: estimate.model_copy(update=values) for name, values in ends.items()}
    assert null.sides(unknown) == {"auc": "?", "epsilon_at_least": "+"}, "a bound has one end"
    counts = Counter({f"{kind}|auc+ auc_5-": 13, f"{kind}|auc auc_5-": 17, f"{kind}|auc auc_5": 170})
    counts += Counter({f"{kind}|auc? auc_5? advantage?": 400})
    lines, broken = null.report(counts)
    assert broken == [f"{kind}, auc_5: 15.0% of 200"]
    assert lines[2:] == [
        f"| {kind} | auc | 2 | 400 | 800 | 3.2 | 7.5 | auc_5 | 15.0 |",
        f"| {kind} | advantage | 1 | 0 | 400 | 0.0 | 0.0 | advantage | 0.0 |",
    ]


def test_the_last_results_of_every_campaign_are_written_down() -> None:
    table = (ROOT / "docs" / "reliability.md").read_text("utf-8")
    for name in ("kills", "corruption", "disk", "hostile", "coverage", "null", "lesson"):
        assert f"python -m tests.campaigns.{name}" in table
    intervals = (ROOT / "docs" / "intervals.md").read_text("utf-8")
    assert [kind for kind in coverage.KINDS if f"\n| {kind} | " not in intervals] == []
