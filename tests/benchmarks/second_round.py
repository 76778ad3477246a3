"""How much more a second round of questions tells of a classifier that returns only the class; run with python -m.

The documents are descriptions of medical transcriptions, half of them in training; TELLTALE_DATA names where they lie.
The attack is used as it is: no setting of it is chosen here.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.svm import LinearSVC

from core.audits import answer_plan
from core.audits.model_plan import ModelProfile
from core.datasets.mtsamples import Mtsamples
from core.experiment import run
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.runtime.store import Store
from tests.games.answers.asked import answered, label

CLASSES = 8
PROFILE = ModelProfile("second round", 200, 15)


def documents(seed: int) -> pd.DataFrame:
    """Return the descriptions of the most frequent classes, a random half of them marked in."""
    read = Mtsamples().load()
    frequent = {name for name, _ in Counter(filter(None, read.labels)).most_common(CLASSES)}
    rows = [row for row, name in enumerate(read.labels) if name in frequent]
    inside = generator(seed, "second round").permutation(len(rows)) < len(rows) // 2
    return pd.DataFrame(
        {
            "text": [read.texts[row] for row in rows],
            "topic": [read.labels[row] for row in rows],
            "member": np.where(inside, "in", "out"),
        }
    )


def classifiers() -> Iterator[tuple[str, Pipeline]]:
    """Yield three kinds of classifiers, untrained."""
    letters = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4))
    yield "a linear SVM of two to four characters", make_pipeline(letters, LinearSVC(random_state=0))
    yield "naive Bayes", make_pipeline(TfidfVectorizer(), MultinomialNB(alpha=0.1))
    pairs = TfidfVectorizer(ngram_range=(1, 2))
    yield "a logistic regression of words and word pairs", make_pipeline(pairs, LogisticRegression(C=100, max_iter=500))


def main(seed: int) -> None:
    """Audit each classifier in two rounds, and print a line of JSON for each."""
    rows = documents(seed)
    inside = rows[rows["member"] == "in"]
    with TemporaryDirectory() as name:
        folder = Path(name)
        rows.to_csv(folder / "documents.csv", index=False)
        fields = {"source": str(folder / "documents.csv"), "label_column": "topic"}
        audit = answer_plan.experiment("classifier", fields, PROFILE, seed)
        first_round = answer_plan.questions(audit, audit.dataset.load())
        for number, (title, classifier) in enumerate(classifiers()):
            tell = label(classifier.fit(inside["text"], inside["topic"]))
            first = answered(folder, audit, first_round, tell, f"{number}.jsonl")
            again = answer_plan.questions_again(first, first.dataset.load())
            second = answered(folder, audit, again, tell, f"{number} again.jsonl").model.source  # type: ignore[attr-defined]
            both = first.replace(model=first.model.replace(second=second))
            figures = run(both, RunContext(store=Store(folder / "home")))[0].estimates
            areas = {which: figures[which] for which in ("auc_one_round", "auc", "auc_model_free")}
            line = {
                "classifier": title,
                "documents": len(rows),
                "in": len(inside),
                "questions": len(again.texts),
                **{
                    which: [round(area.value, 3), round(area.low, 3), round(area.high, 3)]
                    for which, area in areas.items()
                },
            }
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
