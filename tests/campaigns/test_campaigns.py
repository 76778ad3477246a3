"""A few attempts of each campaign: nothing is lost, believed, or worse than refused; docs/reliability.md has more."""

from pathlib import Path

import pytest

from tests.campaigns import corruption, disk, hostile, kills
from tests.campaigns.campaign import Attempt, Tally, campaign
from tests.errands import QUICK, ROOT
from tests.patience import FOREVER

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("name", "attempt", "count"),
    [
        ("corruption", corruption.attempt, 2 * len(corruption.KINDS)),
        ("hostile", hostile.attempt, 4 * len(hostile.WAYS)),
        ("disk", disk.attempt, 12),
        ("kills", kills.attempt, 1),
    ],
)
def test_a_short_campaign_finds_nothing(
    name: str, attempt: Attempt, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(QUICK))
    tally = campaign(name, attempt, count, FOREVER)
    assert tally.faults == {}
    assert tally.done == sum(tally.counts.values()) == count


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


def test_the_last_results_of_every_campaign_are_written_down() -> None:
    table = (ROOT / "docs" / "reliability.md").read_text("utf-8")
    for name in ("kills", "corruption", "disk", "hostile"):
        assert f"python -m tests.campaigns.{name}" in table
