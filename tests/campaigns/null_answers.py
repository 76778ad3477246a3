"""How often audits by the answers of models that never saw the documents show an interval that excludes chance; -m."""

import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from core.experiment import run
from core.result import Estimate
from core.runtime.context import RunContext
from core.sources.answers.forms import Kind
from tests.campaigns.campaign import command
from tests.campaigns.null import Game, attempt, report
from tests.games.answers.asked import Bigrams, Teller, answered, label, memorising, prepared, probabilities, table

_MARKS = ["in", "in", "out", ""] * 100
_TARGETS = 100
"""In, and as many out: the fewest for a true-positive rate at 1 %."""


def _audit(kind: Kind, teller: Callable[[pd.DataFrame], Teller]) -> Game:
    """Return an audit of a model that was trained on the documents without a mark, which it is not asked about."""

    def game(seed: int, lab: RunContext) -> Mapping[str, Estimate]:
        rows = table(_MARKS, seed=seed)
        with tempfile.TemporaryDirectory(prefix="telltale-answers-") as name:
            parts: dict[str, Any] = {"game": {"part": "answers", "targets": _TARGETS}, "seed": seed}
            audit, questions = prepared(Path(name), rows, kind, **parts)
            audit = answered(Path(name), audit, questions, teller(rows[rows["member"] == ""]))
            return run(audit, lab)[0].estimates

    return game


KINDS: dict[str, Game] = {
    "probabilities of classes": _audit("classifier", lambda rows: probabilities(memorising(rows))),
    "the class alone": _audit("classifier", lambda rows: label(memorising(rows))),
    "log-probabilities of tokens": _audit("language_model", lambda rows: Bigrams(rows["text"]).tokens),
    "of whole texts": _audit("language_model", lambda rows: Bigrams(rows["text"]).total),
}

play = partial(attempt, kinds=KINDS)
"""Plays one audit of one kind."""

if __name__ == "__main__":
    sys.exit(command("null_answers", play, 1_000 * len(KINDS), partial(report, kinds=KINDS)))
