"""Documents with marks, each with a phrase of its own, and word vectors trained on some of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from core.experiment import Experiment
from core.models.word2vec import Word2vec
from core.runtime.seeding import generator
from core.text.corpus import Corpus
from tests.stand_ins import WORDS

MODEL = {"mode": "skip_gram", "window": 4, "epochs": 60, "minimum_count": 2}
ATTACK = {"part": "word_pair_audit", "shadow_pairs": 12}
_SYLLABLES = ("", "ra", "so", "tu", "wi")
VOCABULARY = tuple(word + end for word in WORDS for end in _SYLLABLES)


def table(marks: Sequence[str], owners: int = 0, telling: bool = False, seed: int = 0) -> pd.DataFrame:
    """Return documents of thirty words, of which half repeat a phrase that is the document's own.

    Args:
        marks: The mark of each document.
        owners: Number of owners, each with as many documents in a row; 0 for none.
        telling: Whether documents that are in have words of their own.
        seed: Source of the words.
    """
    rng = np.random.default_rng(seed)
    rows = []
    for number, mark in enumerate(marks):
        words = rng.choice(VOCABULARY, 30)
        words[:16] = np.resize(rng.choice(VOCABULARY, 4, replace=False), 16)
        text = " ".join(words) + (" indeed" if telling and mark == "in" else "")
        owner = {"owner": f"owner {number * owners // len(marks)}"} if owners else {}
        rows.append({"text": text, "member": mark, **owner})
    return pd.DataFrame(rows)


def trained(texts: Sequence[str], path: Path) -> Path:
    """Write word vectors trained on texts as word2vec text."""
    model = Word2vec.parse({**MODEL, "dimension": 12, "subsampling": 0})
    vectors = model.train(Corpus.encode(texts), generator(7, "a user's model"))
    rows = [f"{len(vectors.words)} 12"]
    rows += [f"{word} {' '.join(map(str, row))}" for word, row in zip(vectors.words, vectors.vectors, strict=True)]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def experiment(folder: Path, rows: pd.DataFrame, learnt: str = "in", **changes: Any) -> Experiment:
    """Return the audit of a model trained on the documents with a mark."""
    rows.to_csv(folder / "marked.csv", index=False)
    vectors = trained(rows[rows["member"] == learnt]["text"].tolist(), folder / "vectors.txt")
    named = {"owner_column": "owner"} if "owner" in rows else {}
    parts: dict[str, Any] = {
        "attack": ATTACK,
        "dataset": {"part": "marked_documents", "source": str(folder / "marked.csv"), **named},
        "model": {"part": "own_word_vectors", "source": str(vectors), **MODEL},
    }
    return Experiment.parse({**parts, **changes})
