"""Hostile files: uploads, tables of one's own, and folders of encoders."""

import gzip
import io
import json
import os
import random
import shutil
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from core.corpora.documents import LargeDocuments
from core.corpora.source import ENDINGS
from core.datasets import documents as own_documents
from core.datasets.documents import Documents
from core.encoders.network import Network
from core.models.encoder import Encoder
from core.runtime.engine import Engine
from core.runtime.progress import Progress
from dashboard.kit.inputs import kept_uploads, uploads
from tests.campaigns.damage import damaged
from tests.campaigns.hostile_values import home, sent, value
from tests.encoders.tiny import tiny

KINDS = ("bert", "gpt2", "t5", "", None, 3, "../bert", "auto", "llama")
FILES = ("config.json", "tokenizer.json", "tokenizer_config.json", "model.safetensors", "vocab.txt", "any")
NUMBERS = (-1, 0, 1, 7, 10**9, 10**400, 1.5, float("nan"), True, None, "12", [], {}, [[1]])


@cache
def small() -> Path:
    """Return the folder of a small encoder."""
    return tiny(Path(tempfile.mkdtemp(prefix="telltale-hostile-")) / "model")


def upload(rng: random.Random) -> str:
    """Upload a file, and read it."""
    ending = rng.choice(["csv", "tsv", "parquet", "txt"])
    texts = [sent(rng) for _ in range(rng.randrange(1, 30))]
    frame = pd.DataFrame({rng.choice(["text", "body", sent(rng)]): texts, "n": range(len(texts))})
    try:
        buffer = io.BytesIO()
        if ending == "parquet":
            frame.to_parquet(buffer)
        else:
            buffer.write(frame.to_csv(index=False).encode())
        content = bytearray(buffer.getvalue())
    except (ValueError, OverflowError):  # what no table can hold
        content = bytearray(rng.randbytes(200))
    for _ in range(rng.choice([0, 1, 5, 50])):
        content[rng.randrange(len(content))] = rng.randrange(256)
    name = f"{sent(rng)[:300]}.{ending}"
    source = uploads.save(home(), [(name, bytes(content[: rng.choice([len(content), 40])]))])
    try:
        Documents(source=uploads.locate(home(), source, "source")).load()
    finally:
        shutil.rmtree(kept_uploads.folder(home()), ignore_errors=True)
    return "taken"


def table(rng: random.Random) -> str:
    """Read a table of one's own, into memory or tokenised to disk."""
    ending = rng.choice(ENDINGS)
    names = ["text", "who"] if rng.random() < 0.7 else [rng.choice(["text", "who", sent(rng)]) for _ in range(3)]
    hostile = rng.choice([0.02, 0.5])
    rows = [
        [sent(rng) if rng.random() < hostile else f"a letter {at}" for _ in names]
        for at in range(rng.choice([1, 25, 60]))
    ]
    form, sign = ending.removesuffix(".gz"), "\t" if ".tsv" in ending else ","
    if form == ".jsonl":
        content = "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows).encode()
    elif form == ".parquet":
        columns = {name: [row[at] for row in rows] for at, name in enumerate(names)}
        buffer = io.BytesIO()
        pq.write_table(pa.table(columns), buffer)
        content = buffer.getvalue()
    else:
        content = pd.DataFrame(rows, columns=names).to_csv(index=False, sep=sign).encode()
    for packed in (False, True):
        content = gzip.compress(content) if packed and ending.endswith(".gz") else content
        content = damaged(content, rng) if content and rng.random() < 0.2 else content
    parent = Path(tempfile.mkdtemp(prefix="telltale-hostile-"))
    try:
        for number in range(rng.choice([1, 1, 2])):
            (parent / f"{number}{ending}").write_bytes(content)
        fields = {
            "source": str(rng.choice([parent, parent / f"0{ending}"])),
            "text_column": rng.choice(["text"] * 5 + [value(rng)]),
            "owner_column": rng.choice(["", "who"]),
        }
        most = rng.choice([own_documents.MOST, 0])  # 0: too many for memory
        with patch.object(own_documents, "MOST", most):
            documents = Documents.parse(fields).load()
        if isinstance(documents, LargeDocuments):
            documents.tokenised_by(Engine(workers=1), Progress())
        corpus = documents.corpus(range(len(documents)))
        assert len(corpus.tokens) == corpus.offsets[-1]
    finally:
        shutil.rmtree(parent)
        shutil.rmtree(home().root / "corpora", ignore_errors=True)
    return "taken"


def encoder(rng: random.Random) -> str:
    """Load an encoder from files with spoiled contents."""
    model = Path(tempfile.mkdtemp(prefix="telltale-hostile-")) / "model"
    shutil.copytree(small(), model)
    try:
        file = model / rng.choice(
            ["config.json", "config.json", "tokenizer.json", "tokenizer_config.json", "model.safetensors"]
        )
        content = file.read_bytes()
        if file.name == "config.json":
            config: dict[str, Any] = json.loads(content)
            config[rng.choice([*config, "model_type", sent(rng)])] = rng.choice([*NUMBERS, sent(rng)])
            config["model_type"] = rng.choice([config["model_type"], config["model_type"], *KINDS])
            file.write_text(json.dumps(config))
        else:
            spoiled = bytearray(content)
            for _ in range(rng.choice([1, 3, 30])):
                spoiled[rng.randrange(min(len(spoiled), rng.choice([64, 4000, len(spoiled)])))] = rng.randrange(256)
            file.write_bytes(bytes(spoiled[: rng.choice([len(spoiled), len(spoiled), 100])]))
        list(Network(model, "cpu").embed(["the cat of york", sent(rng)[:1000]], 8, "mean"))
    finally:
        shutil.rmtree(model.parent)
    return "taken"


def folder(rng: random.Random) -> str:
    """Load an encoder from a folder where something else is in the place of a file."""
    model = Path(tempfile.mkdtemp(prefix="telltale-hostile-")) / "model"
    shutil.copytree(small(), model)
    file = model / rng.choice(FILES)
    file.unlink(missing_ok=True)

    def sparse() -> None:
        with file.open("wb") as stream:
            stream.truncate(10**13)

    odd: list[Callable[[], object]] = [
        *(partial(file.symlink_to, to) for to in ("/dev/zero", "/etc/passwd", "/proc/self/mem", file.name, "..", ".")),
        *(file.touch, file.mkdir, lambda: os.mkfifo(file), sparse, lambda: file.with_name(f"a\n{file.name}").touch()),
        lambda: [(model / f"{number}.txt").touch() for number in range(3000)],
        lambda: shutil.copy(small() / "model.safetensors", model / "pytorch_model.bin"),
    ]
    try:
        rng.choice(odd)()
        assert Encoder(source=str(model)).key, "a key may be asked for of anything"
        list(Network(model, "cpu").embed(["the cat of york"], 8, "mean"))
    finally:
        shutil.rmtree(model.parent)
    return "taken"
