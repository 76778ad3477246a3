"""Advice on own documents that are too few: whoever follows it gets a run, or is told how many it takes."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core import fitting
from core.errors import Incompatible, InvalidDocuments
from core.experiment import Experiment
from core.games.audit import Audit
from core.games.calibrated_audit import CalibratedAudit
from core.games.membership.fit import CONCLUSIVE_TARGETS
from core.overrides import overridden
from core.text.marked import MarkedDocuments

FEWEST = 20
"""Documents without which nothing is read."""
MODEL = {"part": "causal_lm", "epochs": 1}


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of tables of 5 to 60 documents, by five authors."""
    folder, rng = tmp_path_factory.mktemp("few"), np.random.default_rng(3)
    words = [start + end for start in ("ba", "ce", "di", "fo") for end in ("lan", "mer", "nis", "pok")]
    rows = [f"{' '.join(rng.choice(words, 30))},author {number % 5}" for number in range(60)]
    for size in range(5, 61):
        (folder / f"{size}.csv").write_text("\n".join(["text,author", *rows[:size]]))
    return folder


def asked(attack: str, texts: Path, size: int, **columns: str) -> Experiment:
    dataset = {"part": "documents", "source": str(texts / f"{size}.csv"), **columns}
    return Experiment.preset(attack, "demo", dataset=dataset, model=MODEL)


@pytest.mark.parametrize("columns", [{}, {"owner_column": "author"}], ids=["unowned", "owned"])
@pytest.mark.parametrize("attack", ["loss_membership", "likelihood_ratio", "recitation", "secret_sharer"])
def test_advice_that_is_followed_leads_to_a_run(attack: str, columns: dict[str, str], texts: Path) -> None:
    enough = FEWEST
    for size in range(5, 61, 2):
        experiment = asked(attack, texts, size, **columns)
        if size < FEWEST:
            with pytest.raises(InvalidDocuments, match=f"At least {FEWEST} are needed"):
                fitting.fit(experiment)
            continue
        fit = fitting.fit(experiment)
        if not fit.changes:
            assert not fit.reason or "emulated" not in fit.reason, "nothing is proposed that does not work"
            if fit.reason:
                enough = int(re.findall(r"at least (\d+) documents", fit.reason)[-1])
                assert size < enough
            continue
        assert size >= enough, "it takes no more than it says"
        fitted = overridden(experiment, fit.changes)
        assert not fitting.fit(fitted).reason
        for name, value in re.findall(r"(\d+) (passages) for each number of copies would fit", fit.reason):
            assert fit.changes[f"game.{value}"] == int(name), "the sentence and the setting agree"
        if fitted.game.part_name() == "membership":
            game: Any = fitted.game
            assert game.targets * len(game.target_sizes) >= CONCLUSIVE_TARGETS


@pytest.mark.parametrize("rules", [Audit, CalibratedAudit])
def test_an_audit_of_owners_proposes_documents_only_where_these_are_enough(rules: type[Audit]) -> None:
    @cache
    def refused(size: int, users: str) -> dict[str, Any] | None:
        marks = tuple("in" if number % 3 else "out" for number in range(size))
        owners = tuple(f"owner {number % 6}" for number in range(size))
        documents = MarkedDocuments(("a text",) * size, owners, members=marks)
        try:
            rules(users=users).draw(documents, 1)
        except Incompatible as refusal:
            return refusal.fits
        return None

    for size in range(5, 140):
        fits = refused(size, "owners")
        assert fits == ({} if refused(size, "documents") is not None else {"game.users": "documents"})
