"""Collections that are dealt into halves hold few near copies, so that no half tells of a document in the other."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from core.catalog import entries
from core.catalog.fine_tuned_messages import messages
from core.datasets import Repetitive
from core.errors import DataUnavailable
from core.experiment import Experiment
from core.games.membership import Membership
from core.registry import parts
from core.text.contents import Documents
from core.text.corpus import words_of

RUN = 8
MOST = 0.05
IN_SEVERAL_MAILBOXES = 0.14
"""What a person sent lies in the inbox of another: the dataset's text says so."""
LEFT = 0.002
"""Where near copies are left out."""
MOST_OUT = 0.03
"""Of documents that are out: a copy in the training documents hides the true positives at a low rate."""

EVERY: tuple[Any, ...] = parts("dataset")
COLLECTIONS = [dataset for dataset in EVERY if dataset.holds is Documents and dataset().sources()]


def near_copies(texts: Sequence[str]) -> float:
    """Return the share of a random half's documents with over half of their runs of eight words in the other half."""
    documents = [_runs(texts[number]) for number in np.random.default_rng(0).permutation(len(texts))]
    half = len(documents) // 2
    seen = set().union(*documents[:half])
    return float(np.mean([len(runs & seen) > 0.5 * len(runs) for runs in documents[half:]]))


def _runs(text: str) -> set[tuple[str, ...]]:
    words = words_of(text)
    return {tuple(words[first : first + RUN]) for first in range(max(1, len(words) - RUN + 1))}


def test_the_measure_finds_near_copies() -> None:
    rng = np.random.default_rng(1)
    stories = [" ".join("".join(word) for word in rng.choice(list("aeioulmnrst"), (40, 6))) for _ in range(50)]
    assert near_copies(stories) == 0
    assert near_copies([*stories, *(f"{story} and so on" for story in stories)]) == pytest.approx(0.5, abs=0.15)


@pytest.mark.parametrize("dataset", COLLECTIONS, ids=lambda dataset: dataset.part_name())
def test_few_documents_are_near_copies(dataset: Any, real_home: Path) -> None:
    allowed = IN_SEVERAL_MAILBOXES if dataset.part_name() == "enron_mailboxes" else MOST
    assert near_copies(_loaded(dataset()).texts) <= allowed


@pytest.mark.parametrize("dataset", [each for each in COLLECTIONS if issubclass(each, Repetitive)])
def test_hardly_any_near_copy_is_left_where_they_are_left_out(dataset: Any, real_home: Path) -> None:
    assert near_copies(_loaded(dataset(near_copies="left out")).texts) <= LEFT


def _loaded(dataset: Any) -> Documents:
    try:
        return cast("Documents", dataset.load())
    except DataUnavailable as lacking:
        pytest.skip(str(lacking))


def _of_single_documents() -> Iterator[Experiment]:
    """Yield a promised experiment of each game on single random documents, whatever attack and model."""
    played = set()
    for entry in entries():
        game, dataset = entry.experiment.game, entry.experiment.dataset
        if not isinstance(game, Membership) or game.users != "emulated" or 1 not in game.target_sizes:
            continue
        if dataset.sources() and (dealt := (dataset.key, game.key)) not in played:
            played.add(dealt)
            yield entry.experiment


@pytest.mark.parametrize(
    "experiment",
    list(_of_single_documents()),
    ids=lambda experiment: f"{experiment.dataset.part_name()}-{experiment.key}",
)
def test_few_documents_that_are_out_have_a_copy_that_is_in(experiment: Experiment, real_home: Path) -> None:
    assert _copied(experiment) <= MOST_OUT


def test_with_their_near_copies_more_messages_that_are_out_have_one(real_home: Path) -> None:
    played = messages("loss_membership", 3, 2)
    assert _copied(played.replace(dataset=played.dataset.replace(near_copies="kept"))) == pytest.approx(0.06, abs=0.01)


def _copied(experiment: Experiment) -> float:
    """Deal a game ten times; return of what share of the documents out a model is trained on over half of the runs."""
    documents = _loaded(experiment.dataset)
    runs = cache(lambda row: _runs(documents.texts[row]))
    game = cast("Membership", experiment.game)
    split = game.draw_split(documents, experiment.seed)
    rng = np.random.default_rng(0)
    shares = []
    for _ in range(10):
        rng.shuffle(targets := list(split.targets))
        members, others = targets[: len(targets) // 2], targets[len(targets) // 2 :]
        rows = [row for target in members for row in target.documents]
        rows += rng.choice(split.trainer, game.documents - len(rows), replace=False).tolist()
        trained = set().union(*map(runs, rows))
        out = [runs(row) for target in others for row in target.documents]
        shares.append(np.mean([len(own & trained) > 0.5 * len(own) for own in out]))
    return float(np.mean(shares))
