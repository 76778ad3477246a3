"""What documents past memory cost, up to ten million of them; run with python -m tests.benchmarks.scale.

The documents are made of Enron e-mails: each is a run of up to 600 characters, cut at spaces, of a random e-mail. One
in ten ends in a made-up word that no other has, so that the vocabulary grows with the documents, as it does in real
text. Few documents, too, are read from disk here. The folder keeps what is measured: a step is not measured again.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from core.corpora.documents import LargeDocuments
from core.corpora.source import Source
from core.corpora.tokenised import tokenised
from core.datasets import documents as own_documents
from core.experiment import Experiment, run
from core.models.word2vec import Word2vec
from core.registry import part
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.progress import Progress
from core.runtime.seeding import generator
from tests.benchmarks import limits

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
PAIRS, PLAYS, TARGETS = 4, 4, 20
MODEL = {"part": "word2vec", "dimension": 80, "epochs": 1, "minimum_count": 20}
COLUMNS = {
    "documents": "{:,.0f}",
    "text, MB": "{:,.0f}",
    "words, million": "{:,.1f}",
    "vocabulary": "{:,.0f}",
    "tokenising, core s": "{:,.1f}",
    "MB a core s": "{:,.1f}",
    "one model, core s": "{:,.1f}",
    "million words a core s": "{:,.2f}",
    "attack, core s": "{:,.0f}",
    "peak memory, GB": "{:,.2f}",
}
LIMITS = {"memory_gb": 3.0, "mb_a_core_second": 30.0}
"""The limit of memory is the most, that of tokenising the least."""
MANY = 1_000_000
"""Documents from which tokenising has a limit: below, the start of the processes is most of it."""
_BLOCK = 10_000
_MADE_UP = 0.1
_LONGEST = 600
_SAMPLE_SECONDS = 0.5


def main() -> None:
    """Measure each size in a process of its own, and print a line of JSON or a table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", nargs="?", type=Path, default=Path(tempfile.gettempdir()) / "telltale-scale")
    options.add_argument(
        "--sizes", type=int, nargs="+", default=SIZES[:2], help=f"up to {SIZES[-1]:,}, which take 11 GB"
    )
    options.add_argument("--table", action="store_true", help="print a table and a chart in Markdown")
    options.add_argument("--one", type=int, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    if chosen.one:
        _measure(chosen.folder, chosen.one)
        return
    measured = []
    for size in chosen.sizes:
        command = [sys.executable, "-m", "tests.benchmarks.scale", str(chosen.folder), "--one", str(size)]
        subprocess.run(command, check=True)
        measured.append(json.loads(_figures(chosen.folder, size).read_text()))
    held = {what: figure for figures in measured for what, figure in _held(figures).items()}
    if not chosen.table:
        line = {"name": "scale", "sizes": measured}
        limits.end(line, held)
        return
    for cells in (COLUMNS, ["---:"] * len(COLUMNS)):
        print(f"| {' | '.join(cells)} |")
    for figures in measured:
        print(f"| {' | '.join(form.format(figures[name]) for name, form in COLUMNS.items())} |")
    print(_chart(measured))
    limits.hold("scale", held)


def _held(figures: Mapping[str, float]) -> dict[str, tuple[float, float]]:
    """Return what a size costs, each with its limit: memory always, tokenising where starting processes is little."""
    documents = f"{figures['documents']:,} documents"
    held = {f"GB, {documents}": (figures["peak memory, GB"], LIMITS["memory_gb"])}
    if figures["documents"] >= MANY:
        seconds = 1 / figures["MB a core s"]
        held[f"core seconds to tokenise a megabyte, {documents}"] = (seconds, 1 / LIMITS["mb_a_core_second"])
    return held


def _chart(measured: Sequence[Mapping[str, float]]) -> str:
    """Return the cost of a million documents at each size as a chart in Markdown: level where cost is linear."""
    rows = {
        kind: [round(1e6 * figures[f"{step}, core s"] / figures["documents"], 1) for figures in measured]
        for kind, step in (("bar", "tokenising"), ("line", "one model"))
    }
    return "\n".join(
        [
            "\n```mermaid",
            "xychart-beta",
            '    title "Core seconds a million documents: tokenising (bars), one model (line)"',
            f"""    x-axis "documents" [{", ".join(f'"{figures["documents"]:,}"' for figures in measured)}]""",
            '    y-axis "core seconds a million documents"',
            *(f"    {kind} {values}" for kind, values in rows.items()),
            "```",
        ]
    )


def _measure(folder: Path, size: int) -> None:
    """Measure what is not measured yet; each step is kept as soon as it is done."""
    texts, kept = folder / f"{size}.csv", _figures(folder, size)
    if not texts.exists():
        _write(texts, size)
    os.environ["TELLTALE_HOME"] = str(folder / f"home-{size}")
    figures: dict[str, Any] = json.loads(kept.read_text()) if kept.exists() else {"documents": size}
    for step in (_tokenising, _one_model, _attack):
        memory, measured = figures.get("peak memory, GB", 0.0), step(texts, figures)
        if measured:
            figures |= {**measured, "peak memory, GB": max(memory, measured["peak memory, GB"])}
            kept.write_text(json.dumps(figures, indent=1))


def _tokenising(texts: Path, known: Mapping[str, Any]) -> dict[str, float]:
    if "tokenising, core s" in known:
        return {}
    documents = LargeDocuments(Source(texts), "")
    documents.source.digest()
    with _watching() as watched:
        corpus = tokenised(documents.source, Engine(workers=1), Progress())
    size, seconds = texts.stat().st_size / 1e6, watched["core seconds"]
    return {
        "text, MB": size,
        "words, million": len(corpus.tokens) / 1e6,
        "vocabulary": len(corpus.words),
        "tokenising, core s": seconds,
        "MB a core s": size / seconds,
        "peak memory, GB": watched["bytes"] / 1e9,
    }


def _one_model(texts: Path, known: Mapping[str, Any]) -> dict[str, float]:
    if "one model, core s" in known:
        return {}
    documents, model = LargeDocuments(Source(texts), ""), Word2vec.parse(MODEL)
    model.train(documents.corpus(np.arange(1000)), generator(1, "compile"))
    with _watching() as watched:
        model.train(documents.corpus(np.arange(len(documents))), generator(1, "one model"))
    seconds = watched["core seconds"]
    return {
        "one model, core s": seconds,
        "million words a core s": known["words, million"] / seconds,
        "peak memory, GB": watched["bytes"] / 1e9,
    }


def _attack(texts: Path, known: Mapping[str, Any]) -> dict[str, float]:
    if "attack, core s" in known:
        return {}
    experiment = Experiment.parse(
        {
            "dataset": {"part": "documents", "source": str(texts)},
            "model": MODEL,
            "game": {"target_sizes": [20], "targets": TARGETS, "plays": PLAYS, "documents": known["documents"] // 10},
            "attack": {"part": "word_pairs", "shadow_pairs": PAIRS},
        }
    )
    own_documents.MOST = 0
    with _watching() as watched:
        run(experiment, RunContext(engine=Engine(workers=2)))
    return {"attack, core s": watched["core seconds"], "peak memory, GB": watched["bytes"] / 1e9}


def _write(path: Path, size: int) -> None:
    """Write documents as a table with one column."""
    real: tuple[str, ...] = part("dataset", "enron")().load().texts  # type: ignore[attr-defined]
    mails = [" ".join(text.replace('"', " ").split()) for text in real]
    whole = path.with_suffix(".part")
    with whole.open("w", encoding="utf-8") as file:
        file.write("text\n")
        for block in range(size // _BLOCK):
            file.writelines(f'"{text}"\n' for text in _documents(mails, block))
    whole.replace(path)


def _documents(mails: list[str], block: int) -> Iterator[str]:
    rng = generator(1, "documents", block)
    chosen, starts, made_up = rng.integers(len(mails), size=_BLOCK), rng.random(_BLOCK), rng.random(_BLOCK) < _MADE_UP
    letters = rng.integers(97, 123, (_BLOCK, 8), np.uint8)
    for number, mail, start in zip(range(_BLOCK), chosen.tolist(), starts.tolist(), strict=True):
        text = mails[mail]
        first = int(start * max(len(text) - _LONGEST // 2, 0))
        text = text[first : first + _LONGEST].partition(" ")[2].rpartition(" ")[0] or text[:_LONGEST]
        yield f"{text} {letters[number].tobytes().decode()}" if made_up[number] else text


@contextmanager
def _watching() -> Iterator[dict[str, float]]:
    """Measure the core seconds of this process and those it starts, and the most private memory of all at once.

    What the looking itself takes is left out: it grows with the seconds on the clock, and so with other work.
    """
    watched = {"bytes": 0.0, "core seconds": 0.0, "looking": 0.0}
    ended, seconds = threading.Event(), dict[int, float]()
    before = _look(seconds)

    def sample() -> None:
        while not ended.wait(_SAMPLE_SECONDS):
            watched["bytes"] = max(watched["bytes"], _look(seconds))
        watched["looking"] = time.thread_time()

    thread = threading.Thread(target=sample, daemon=True)
    base = sum(seconds.values())
    thread.start()
    began = time.perf_counter()
    try:
        yield watched
    finally:
        ended.set()
        thread.join()
        watched["bytes"] = max(watched["bytes"], _look(seconds), before)
        watched["core seconds"] = sum(seconds.values()) - base - watched["looking"]
        watched["seconds"] = time.perf_counter() - began


def _look(seconds: dict[int, float]) -> float:
    """Note the core seconds of each process; return their memory, without files that are merely mapped."""
    memory = 0.0
    this = psutil.Process()
    for process in (this, *this.children(recursive=True)):
        with suppress(psutil.Error, OSError):
            times = process.cpu_times()
            seconds[process.pid] = times.user + times.system
            lines = Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()
            fields = dict(line.split(":", 1) for line in lines[1:])
            memory += sum(1024 * int(fields[name].split()[0]) for name in ("Pss_Anon", "Pss_Shmem"))
    return memory


def _figures(folder: Path, size: int) -> Path:
    return folder / f"{size}.json"


if __name__ == "__main__":
    main()
