"""Documents in and out, models that were trained on some of them, and the files of questions and answers."""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline

from core.audits import answer_plan
from core.audits.model_plan import ModelProfile
from core.experiment import Experiment
from core.sources.answers.forms import Kind
from core.sources.answers.questions import Questions
from tests.games.audit.marked import VOCABULARY

SMALL = ModelProfile("small", 60, 8)
MARKS = ["in", "out", "in", ""] * 60
Teller = Callable[[str], dict[str, Any]]
"""Answers a text, without the id."""


def table(marks: Sequence[str] = MARKS, classes: Sequence[str] = ("sport", "news"), seed: int = 3) -> pd.DataFrame:
    """Return documents of twenty words whose classes are drawn at random, so that only memory can tell them."""
    rng = np.random.default_rng(seed)
    texts = [" ".join(rng.choice(VOCABULARY, 20)) for _ in marks]
    return pd.DataFrame({"text": texts, "member": marks, "topic": rng.choice(classes, len(marks))})


def memorising(rows: pd.DataFrame) -> Pipeline:
    """Return a classifier that fits every document that it is trained on."""
    return make_pipeline(TfidfVectorizer(), LogisticRegression(C=1000)).fit(rows["text"], rows["topic"])


def probabilities(classifier: Pipeline) -> Teller:
    def tell(text: str) -> dict[str, Any]:
        row = classifier.predict_proba([text])[0].round(4)
        return {"probabilities": dict(zip(classifier.classes_, row.tolist(), strict=True))}

    return tell


def label(classifier: Pipeline) -> Teller:
    return lambda text: {"label": str(classifier.predict([text])[0])}


class Bigrams:
    """A language model of words by smoothed counts of pairs, in which what it was trained on is likely."""

    def __init__(self, texts: Iterable[str]) -> None:
        number = {word: row for row, word in enumerate(VOCABULARY)}
        self.counts = {before: np.zeros(len(VOCABULARY)) for before in ("", *VOCABULARY)}
        for text in texts:
            for before, word in zip(["", *text.split()], text.split(), strict=False):
                self.counts[before][number[word]] += 1

    def distribution(self, before: str) -> np.ndarray:
        counts = self.counts[before] + 0.05
        return np.asarray(counts / counts.sum())

    def tokens(self, text: str) -> dict[str, Any]:
        nats, means, deviations = [], [], []
        for before, word in zip(["", *text.split()], text.split(), strict=False):
            likely = self.distribution(before)
            logs = np.log(likely)
            mean = float(likely @ logs)
            nats.append(float(logs[VOCABULARY.index(word)]))
            means.append(mean)
            deviations.append(float(np.sqrt(likely @ (logs - mean) ** 2)))
        return {"logprobs": nats, "means": means, "deviations": deviations}

    def total(self, text: str) -> dict[str, Any]:
        nats = self.tokens(text)["logprobs"]
        return {"logprob": sum(nats), "tokens": len(nats)}


def prepared(folder: Path, rows: pd.DataFrame, kind: Kind, **changes: Any) -> tuple[Experiment, Questions]:
    """Write the documents, and return their audit without answers, and its questions."""
    rows.to_csv(folder / "documents.csv", index=False)
    classed = {"label_column": "topic"} if kind == "classifier" and "topic" in rows else {}
    owned = {"owner_column": "owner"} if "owner" in rows else {}
    audit = answer_plan.experiment(kind, {"source": str(folder / "documents.csv"), **classed, **owned}, SMALL)
    audit = Experiment.parse({**{name: getattr(audit, name) for name in Experiment.model_fields}, **changes})
    return audit, answer_plan.questions(audit, audit.dataset.load())


def answered(
    folder: Path, audit: Experiment, questions: Questions, tell: Teller, name: str = "answers.jsonl"
) -> Experiment:
    """Write the answers of a model to the questions, and return the audit of them."""
    lines = [{"questions": questions.checksum}, *({"id": name, **tell(text)} for name, text in questions.texts.items())]
    (folder / name).write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return audit.replace(model=audit.model.replace(source=str(folder / name)))
