"""The worst tenth of the targets: found where it leaks, and no luck of the best where nothing does."""

import numpy as np
import pytest

from core.report import build
from core.report.tables import worst_decile
from core.result import Result
from core.runtime.store import Store
from tests.dashboard import samples


@pytest.mark.parametrize("leak", [0, 4], ids=["none", "four of forty"])
def test_the_worst_decile_is_a_leak_and_not_the_luck_of_the_best(leak: int, store: Store) -> None:
    rng = np.random.default_rng(3)
    member = rng.random((40, 40)) < 0.5
    guess = np.where(np.arange(40) < leak, member, rng.random((40, 40)) < 0.5)
    rows = [
        {
            "target": target,
            "size": 1,
            "play": play,
            "member": bool(bit),
            "score": 2.0 * guessed - 1,
            "guess": bool(guessed),
        }
        for (play, target), bit in np.ndenumerate(member)
        for guessed in [guess[play, target]]
    ]
    result = samples.make(sizes=(1,))
    result.tables["scores"] = samples.table(samples.SCHEMAS["scores"], rows)
    result.save(store, "e" * 16)
    (described,) = build(["e" * 16], store)["results"]
    worst, alarms = described["worst_decile"], described["false_positives"]
    assert (worst["low"] > 0.5) is bool(leak)
    assert (worst["targets"], worst["of"]) == (4, 40)
    assert alarms["value"] == pytest.approx(float(guess[~member].mean()))
    assert alarms["low"] < alarms["value"] < alarms["high"]


def test_the_worst_decile_of_a_game_without_a_leak_is_seldom_above_chance() -> None:
    rng, games, alarms = np.random.default_rng(5), 80, 0
    columns = {
        "target": np.tile(np.arange(20), 50),
        "size": np.ones(1000, np.int64),
        "play": np.repeat(np.arange(50), 20),
    }
    scores = samples.table(samples.SCHEMAS["scores"], {**columns, **dict.fromkeys(("member", "score", "guess"), 0)})
    for _ in range(games):
        member, guess = rng.random((2, 50, 20)) < 0.5
        played = scores.assign(member=member.ravel(), score=2.0 * guess.ravel() - 1, guess=guess.ravel())
        worst = worst_decile(Result({}, {}, samples.PROVENANCE, {"scores": played}))
        assert worst is not None
        alarms += worst["low"] > 0.5
    assert alarms <= 0.025 * games
