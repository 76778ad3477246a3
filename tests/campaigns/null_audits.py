"""How often audits of models that never saw the documents in question show an interval that excludes chance; -m."""

import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest import mock

import pandas as pd

from core.adversaries.neighbouring_sentences import pairs_of
from core.audits import answer_plan, folder_plan, model_plan
from core.audits.model_plan import ModelProfile
from core.experiment import Experiment, run
from core.result import Estimate
from core.runtime.context import RunContext
from core.sources.answers.forms import Kind
from tests.campaigns.campaign import WORKERS, command
from tests.campaigns.null import Game, attempt, report
from tests.games.answers.asked import Bigrams, Teller, answered, label, memorising, prepared, probabilities, table
from tests.games.audit import marked
from tests.held_networks import brought_together, encoder, passages, taught, translations, translator
from tests.language_models import TRAINED, causal, documents, tuned

TARGETS = 100
"""In, and as many out: the fewest for a true-positive rate at 1%."""
_MARKS = ["in", "in", "out", ""] * TARGETS
_HALF_KNOWN = [*("in", "in", "out", "out", "") * TARGETS]
"""For games that tell the adversary a half of what is out."""

_ONCE = replace(TRAINED, epochs=1)
"""How a language model and its shadow models are fine-tuned."""

_Audit = Callable[[Path, int], Experiment]
"""Writes documents and a model that was trained on none of those in question, and returns its audit by a seed."""


def _played(prepare: _Audit) -> Game:
    def game(seed: int, lab: RunContext) -> Mapping[str, Estimate]:
        untried = mock.patch("core.encoders.trial.attempt", lambda *_: None)  # a process of its own for each folder
        with tempfile.TemporaryDirectory(prefix="telltale-audit-") as name, untried:
            return run(prepare(Path(name), seed), lab)[0].estimates

    return game


def _unmarked(rows: pd.DataFrame) -> pd.DataFrame:
    return rows[rows["member"] == ""]


def _tokens(learnt: pd.DataFrame) -> Teller:
    return Bigrams(learnt["text"]).tokens


def _whole(learnt: pd.DataFrame) -> Teller:
    return Bigrams(learnt["text"]).total


def _probabilities(learnt: pd.DataFrame) -> Teller:
    return probabilities(memorising(learnt))


def _class(learnt: pd.DataFrame) -> Teller:
    return label(memorising(learnt))


def _asked(kind: Kind, teller: Callable[[pd.DataFrame], Teller], rounds: int = 1, owners: bool = False) -> _Audit:
    """Return an audit by answers, of owners with two documents each where there are some."""

    def prepare(folder: Path, seed: int) -> Experiment:
        rows = table([mark for mark in _MARKS for _ in range(2)] if owners else _MARKS, seed=seed)
        if owners:
            rows["owner"] = [f"owner {number // 2}" for number in range(len(rows))]
        game = {"part": "answers", "targets": TARGETS, "users": "owners" if owners else "documents"}
        audit, questions = prepared(folder, rows, kind, game=game, seed=seed)
        tell = teller(_unmarked(rows))
        audit = answered(folder, audit, questions, tell)
        if rounds == 1:
            return audit
        again = answer_plan.questions_again(audit, audit.dataset.load())
        second = answered(folder, audit, again, tell, "again.jsonl").model.source
        return audit.replace(model=audit.model.replace(second=second))

    return prepare


def _word_vectors(folder: Path, seed: int) -> Experiment:
    rows = marked.table(_MARKS, seed=seed)
    return marked.experiment(folder, rows, learnt="", game={"part": "audit", "targets": TARGETS}, seed=seed)


def _language_model(folder: Path, seed: int) -> Experiment:
    """Return the audit of a model that was fine-tuned as its shadow models are, from the same base."""
    rows = documents(_MARKS, seed=seed)
    rows.to_csv(folder / "marked.csv", index=False)
    tuned(causal(folder / "base"), _unmarked(rows)["text"].tolist(), folder / "mine", _ONCE)
    how = {"epochs": _ONCE.epochs, "batch": _ONCE.batch, "learning_rate": _ONCE.learning_rate, "context": _ONCE.tokens}
    folders = {name: str(folder / subfolder) for name, subfolder in (("source", "mine"), ("base", "base"))}
    return Experiment.parse(
        {
            "attack": {"part": "language_model_audit", "shadow_pairs": 3},
            "dataset": {"part": "marked_documents", "source": str(folder / "marked.csv")},
            "model": {"part": "own_language_model", **folders, **how},
            "game": {"targets": TARGETS},
            "seed": seed,
        }
    )


def _sentence_encoder(folder: Path, seed: int) -> Experiment:
    rows = passages(_HALF_KNOWN, seed)
    pairs = [pair for text in _unmarked(rows)["text"] for pair in pairs_of(text)]
    brought_together(encoder(folder / "base"), pairs, folder / "mine", epochs=2)
    return _of_folder("encoder", folder, rows, seed)


def _translator(folder: Path, seed: int) -> Experiment:
    rows = translations(_HALF_KNOWN, seed)
    learnt = _unmarked(rows)
    pairs = list(zip(learnt["text"], learnt["german"], strict=True))
    taught(translator(folder / "base"), pairs, folder / "mine", epochs=3)
    return _of_folder("translator", folder, rows, seed, translation_column="german")


def _of_folder(kind: folder_plan.Kind, folder: Path, rows: pd.DataFrame, seed: int, **named: str) -> Experiment:
    rows.to_csv(folder / "marked.csv", index=False)
    model = {"source": str(folder / "mine"), "base": str(folder / "base"), "context": 32}
    profile = ModelProfile("small", TARGETS, 0)
    return model_plan.experiment(kind, model, {"source": str(folder / "marked.csv"), **named}, profile, seed)


KINDS: dict[str, Game] = {
    "word vectors": _played(_word_vectors),
    "sentence encoder": _played(_sentence_encoder),
    "translator": _played(_translator),
    "language model": _played(_language_model),
    "answers of a language model, tokens": _played(_asked("language_model", _tokens)),
    "answers of a language model, whole texts": _played(_asked("language_model", _whole)),
    "answers of a language model, owners": _played(_asked("language_model", _tokens, owners=True)),
    "answers of a classifier, probabilities": _played(_asked("classifier", _probabilities)),
    "answers of a classifier, class alone": _played(_asked("classifier", _class)),
    "answers of a classifier, class in two rounds": _played(_asked("classifier", _class, rounds=2)),
    "answers of a classifier, owners": _played(_asked("classifier", _probabilities, owners=True)),
}

play = partial(attempt, kinds=KINDS)
"""Plays one audit of one kind."""

if __name__ == "__main__":
    sys.exit(command("null_audits", play, 200 * len(KINDS), partial(report, kinds=KINDS), [WORKERS]))
