"""The process that compares stored vectors with encoders for a page."""

import io
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

from core.adversaries import encoder_fit
from core.datasets.embeddings import Embeddings
from core.encoders.records import DEFAULT
from core.errors import WorkerLost
from core.jobs import recognition
from core.models.encoder import Encoder
from core.runtime.context import RunContext
from core.runtime.store import Store
from tests.stand_ins import Sentences

TEXTS = Sentences(count=40, share=0).load().texts


def store_of(folder: Path, order: range) -> Embeddings:
    vectors = Encoder(source=DEFAULT, length="unit").encode(TEXTS, RunContext(store=Store()))
    np.save(folder / "x.npy", vectors[list(order)])
    (folder / "x.csv").write_text("\n".join(["text", *TEXTS]))
    return Embeddings(source=str(folder / "x.npy"), texts=str(folder / "x.csv"))


def test_it_names_the_encoder_and_tells_another_order(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("core.runtime.memory.limit", lambda size: None)

    def process(command: list[str], **given: str) -> "subprocess.CompletedProcess[str]":
        monkeypatch.setattr("sys.stdin", io.StringIO(given["input"]))
        return subprocess.CompletedProcess(command, recognition.main(), capsys.readouterr().out)

    monkeypatch.setattr(subprocess, "run", process)
    monkeypatch.setattr(encoder_fit, "candidates", lambda dimension: (DEFAULT,))
    assert [(fit.encoder, fit.identical) for fit in recognition.encoder_fits(store_of(tmp_path, range(40)))] == [
        (DEFAULT, True)
    ]
    assert [fit.shuffled for fit in recognition.encoder_fits(store_of(tmp_path, range(39, -1, -1)))] == [True]
    with pytest.raises(WorkerLost, match="nowhere"):
        recognition.encoder_fits(Embeddings(source=str(tmp_path / "nowhere.npy")))


@pytest.mark.parametrize("output", ["", "[]", json.dumps({"fits": [{}]}), json.dumps({"fits": 1}), "Killed"])
def test_what_ended_without_an_answer_is_said(monkeypatch: pytest.MonkeyPatch, output: str) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 1, output))
    with pytest.raises(WorkerLost, match="ended before it answered"):
        recognition.encoder_fits(Embeddings())


def test_what_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(command: list[str], *, timeout: float, **_: object) -> None:
        raise subprocess.TimeoutExpired(command, timeout)

    monkeypatch.setattr(subprocess, "run", late)
    monkeypatch.setattr(recognition, "_PATIENCE", 3)
    with pytest.raises(WorkerLost, match="within 3 seconds"):
        recognition.encoder_fits(Embeddings())
