"""Hostile models of one's own: files of word vectors and classifiers, folders of language models and others."""

import importlib.util
import random
import shutil
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import NoReturn
from unittest.mock import patch

import numpy as np

from core.commands import model_audit
from core.errors import InvalidSpec
from core.experiment import Experiment
from core.targets.answered_model import AskedModel
from core.targets.held_model import HeldModel
from core.text.corpus import Corpus
from tests.campaigns.hostile_values import ended, spoil, value
from tests.datasets import test_word_vectors as word_vectors
from tests.games.answers.asked import table
from tests.games.audit.marked import VOCABULARY
from tests.held_networks import marian, translator
from tests.language_models import causal
from tests.sources import test_classifiers as classifiers

_FOLDERS: dict[str, Callable[[Path], Path]] = {
    "gpt2": causal,
    "llama": partial(causal, architecture="llama"),
    "t5": translator,
    "marian": marian,
}


@cache
def _sound() -> Path:
    """Return a folder with models of every kind that libraries on this machine write, and documents."""
    parent = Path(tempfile.mkdtemp(prefix="telltale-hostile-"))
    vectors = np.random.default_rng(0).normal(size=(len(VOCABULARY), 8)).astype(np.float32)
    word_vectors.write(parent, VOCABULARY, vectors)
    if importlib.util.find_spec("skops"):
        classifiers.skops(parent / "mine.skops", classifiers.fitted())
    if importlib.util.find_spec("skl2onnx"):
        classifiers.onnx(parent / "mine.onnx", classifiers.fitted())
    for name, write in _FOLDERS.items():
        write(parent / name)
    table(["in", "out", ""] * 80).to_csv(parent / "marked.csv", index=False)
    return parent


def model(rng: random.Random) -> str:
    """Audit a model, one of whose files is spoiled; the documents or the settings now and then, too."""
    parent = Path(tempfile.mkdtemp(prefix="telltale-hostile-"))
    try:
        kept = rng.choice(
            sorted(path for path in _sound().iterdir() if path.suffix != ".csv" and ".words" not in path.name)
        )
        if kept.is_dir():
            path = Path(shutil.copytree(kept, parent / kept.name))
            spoil(rng.choice(sorted(path.iterdir())), rng)
        else:
            copies = [Path(shutil.copy(file, parent)) for file in sorted(_sound().glob(f"{kept.stem}.*"))]
            path = parent / kept.name
            spoil(rng.choice([path, *copies]), rng)
        documents = Path(shutil.copy(_sound() / "marked.csv", parent))
        if rng.random() < 0.1:
            spoil(documents, rng)
        return _audited(path, documents, rng)
    finally:
        shutil.rmtree(parent)


def _audited(path: Path, documents: Path, rng: random.Random) -> str:
    """Give a model to the command, which opens it where it would play."""

    def opened(audit: Experiment, *_: object) -> NoReturn:
        assert audit.key
        held, texts = audit.model, table(["in"] * 30)["text"].tolist()
        if isinstance(held, HeldModel):
            corpus = Corpus.of(list(zip(texts, texts, strict=True))) if translates else held.corpus(texts)
            held.opened(corpus)  # type: ignore[call-arg]  # each kind has an access of its own
        elif isinstance(held, AskedModel):
            held.opened(texts, ["news", "sport"] * 15)
        raise InvalidSpec("It would run.")

    translates = path.name in ("t5", "marian")
    words = ["audit", "model", str(path), f"--documents={documents}"]
    words += ["--set=translation_column=text"] * translates + ["--set=label_column=topic"] * (path.stem == "mine")
    if rng.random() < 0.2:
        words.append(f"--set={rng.choice(['epochs', 'window', 'context', 'owner_column', value(rng)])}={value(rng)}")
    with patch.object(model_audit, "run_with_bars", opened):
        status, message = ended(words)
    if "It would run." in message:
        return "taken"
    assert status in (1, 2), f"status {status}"
    assert "Traceback" not in message and message.count("\n") <= 12 and len(message) < 4_000, message[:300]
    return "refused"
