"""Word pairs beside sets known to be out: known answers, a planted leak, noise, and what is refused."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.adversaries.own_sets import LEVEL
from core.adversaries.pairs.relative import FEWEST, exceeding, with_known_outs
from core.adversaries.pairs.shadows import ShadowModels
from core.attacks.word_pairs import WordPairs
from core.errors import Incompatible, InvalidSpec
from core.experiment import Experiment, run
from core.games.membership.contract import Briefing, Target
from core.models.word2vec import Word2vec
from core.runtime.context import RunContext
from core.runtime.store import Store
from core.statistics.within_target import within_targets
from core.text.corpus import Corpus
from tests.planted import planted_documents


def shadows(owned: Sequence[int], documents: int = 400, *, named: bool = True, **changes: Any) -> ShadowModels:
    """Return a pool for two targets of six documents and one of three, behind the documents of some owners."""
    count = sum(owned)
    names = [f"owner {number}" for number, each in enumerate(owned) for _ in range(each)]
    corpus = Corpus.encode([f"word{number} said" for number in range(count + 15)])
    starts = {count: 6, count + 6: 6, count + 12: 3}
    targets = tuple(Target(f"{row}", size, tuple(range(row, row + size))) for row, size in starts.items())
    rows, owners = np.arange(count), tuple(names) if named else ()
    briefing = Briefing(corpus, targets, rows, documents, Word2vec(), (), 7, owners=owners)
    return replace(ShadowModels(briefing, Word2vec(), 10, "pool", "without_replacement", adaptive=True), **changes)


@pytest.mark.parametrize("named", [True, False])
def test_sets_known_to_be_out_are_the_adversarys_own_and_share_no_document(named: bool) -> None:
    before = shadows([12] * 60, named=named)
    after = with_known_outs(before, 20)
    briefing, outs = after.briefing, after.briefing.targets[3:]
    assert briefing.targets[:3] == before.briefing.targets and [out.size for out in outs] == [6] * 20 + [3] * 20
    rows = [row for out in outs for row in out.documents]
    assert len(rows) == len(set(rows)) and set(rows) <= set(before.briefing.auxiliary.tolist())
    assert set(briefing.auxiliary.tolist()) == set(before.briefing.auxiliary.tolist()) - set(rows)
    if named:
        assert all(len({briefing.owners[row] for row in out.documents}) == 1 for out in outs)
    for item in after.items(after.pairs):
        drawn = after.documents(item)
        assert len(drawn) == len(set(drawn.tolist())) == 400, "nothing is drawn twice"
    assert with_known_outs(before, 0) is before


@pytest.mark.parametrize(
    ("given", "count", "reason"),
    [
        (shadows([12] * 25, 200), 30, "make 25 sets for targets of 6"),
        (shadows([12] * 25, 130), 30, "make 25 sets for targets of 6"),
        (shadows([12] * 60, 90), 40, "fill [0-9]+ documents of a training set of 90"),
        (shadows([12] * 60, 600), 40, "They leave 360 documents, and a training set takes up to [0-9]+ others"),
        (shadows(list(range(1, 60)), 300), 60, "make [0-9]+ sets for targets of 6"),
        (shadows([1] * 400, 300), 25, "make 0 sets for targets of 6"),
        (shadows([12] * 60, 600, sampling="bootstrap"), 70, "make 60 sets for targets of 6"),
    ],
)
def test_too_many_sets_are_refused_with_the_largest_number_that_fits(
    given: ShadowModels, count: int, reason: str
) -> None:
    with pytest.raises(Incompatible, match=reason) as refused:
        with_known_outs(given, count)
    fits = int(str(refused.value).rpartition(" would do")[0].rpartition(" ")[2])
    assert len(with_known_outs(given, fits).briefing.targets) == 3 + 2 * fits
    for more in range(max(fits + 1, FEWEST), count):
        with pytest.raises(Incompatible):
            with_known_outs(given, more)


def test_a_model_that_tells_nothing_takes_nobody_for_a_member() -> None:
    assert exceeding(np.zeros(25)) < 0
    assert exceeding(np.array([-9e9] + [3.0] * 38)) > 0, "38 of 39: one in twenty at least as high"
    assert exceeding(np.array([-9e9] + [3.0] * 37)) < 0, "37 of 38: one in nineteen and a half"


@given(st.integers(FEWEST, 120))
def test_at_most_one_target_in_twenty_would_exceed_so_many_by_luck(sets: int) -> None:
    """A target that is out and the sets are ranked in any order alike."""
    taken = sum(exceeding(np.where(np.arange(sets) < below, 1.0, -1.0)) > 0 for below in range(sets + 1))
    assert 0 < taken / (sets + 1) <= LEVEL


@pytest.mark.parametrize("values", [{"known_outs": FEWEST - 1}, {"known_outs": 20, "scheme": "per_target"}])
def test_too_few_sets_and_models_of_each_target_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(InvalidSpec, match="known_outs"):
        Experiment.parse({"attack": {"part": "word_pairs", **values}})


@pytest.mark.parametrize("leaks", [True, False])
def test_a_planted_leak_is_found_and_noise_tells_nothing(tmp_path: Path, leaks: bool, store: Store) -> None:
    planted = planted_documents(tmp_path, owners=72)
    values = {
        "attack": {"part": "word_pairs", "shadow_pairs": 12, "baselines": False, "known_outs": 20},
        "dataset": {"part": "documents", "source": planted.source, "owner_column": "owner"},
        "model": {"part": "word2vec", "dimension": 16, "minimum_count": 2, "epochs": 20},
        "game": {
            "users": "owners",
            "halves": "owners",
            "target_sizes": [10],
            "targets": 8,
            "plays": 10,
            "documents": 260,
        },
        "defenses": [] if leaks else [{"part": "vector_noise", "scale": 10.0}],
    }
    result, _ = run(Experiment.parse(values), RunContext(store=store))
    scores, rivals = result.tables["scores"], result.tables["rivals"]
    of_variant = rivals[rivals["variant"] == "known_outs"]
    member = scores.pivot(index="play", columns="target", values="member").to_numpy(np.bool_)
    score = of_variant.pivot(index="play", columns="target", values="score").to_numpy(np.float64)
    shares = score * 20 + 19.5
    assert np.allclose(shares, shares.round(), atol=0.025) and set(shares.round().ravel()) <= set(range(21))
    assert set(scores["target"]) == set(range(8)), "nobody decides about the sets"
    assert (score[~member] > 0).mean() < 0.2, "5% are promised where targets and sets are alike"
    within = within_targets(member, score).auc
    if leaks:
        assert within.value > 0.9
    else:
        accuracy = result.estimates["accuracy_known_outs"]
        assert within.low <= 0.5 <= within.high and accuracy.low <= 0.5 <= accuracy.high


def test_sets_that_are_not_asked_leave_no_trace_in_the_key() -> None:
    assert "known_outs" not in WordPairs().identity()
    assert WordPairs(known_outs=20).identity()["known_outs"] == 20
