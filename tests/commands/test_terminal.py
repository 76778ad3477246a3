"""What a command writes to a log while it works, and how it ends when it is told to."""

import math
import os
import signal

import pytest

from core import __main__ as command_line
from core.commands import experiments, terminal


def test_a_log_has_a_line_for_each_stage_and_for_each_minute_of_counted_work(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "_EVERY", 0.0)
    with terminal.bars() as progress:
        progress.stage("Loading")
        progress.stage("Training", 3, 1)
        progress.partial([{"size": 0, "accuracy": 0.75, "shadows": 2}])
        progress.advance(2)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "Loading"
    assert lines[1].startswith("Training: 1 of 3 after 00:00")
    assert lines[-1].startswith("Training: 3 of 3") and lines[-1].endswith("accuracy 0.75 with k = 2")


def test_a_log_is_not_filled_by_quick_items(capsys: pytest.CaptureFixture[str]) -> None:
    with terminal.bars() as progress:
        progress.stage("Counting", 1000)
        for _ in range(1000):
            progress.advance()
    assert len(capsys.readouterr().err.splitlines()) <= 2


def test_the_epochs_of_a_training_are_one_line_of_a_log(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "_EVERY", math.inf)
    with terminal.bars() as progress:
        for name in ("Training", "Loading", "Training"):
            for epoch in range(1, 4):
                progress.stage(f"{name}, epoch {epoch} of 3", 1)
                progress.advance()
    lines = [line.partition(":")[0] for line in capsys.readouterr().err.splitlines()]
    assert lines == [f"{name}, all 3 epochs" for name in ("Training", "Loading", "Training")]


def test_a_log_says_what_is_left_of_all_epochs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "_EVERY", 0.0)
    with terminal.bars() as progress:
        for epoch in range(2, 4):  # the first was stored by a run before
            progress.stage(f"Training, epoch {epoch} of 4", 5, 1)
            progress.advance(4)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("Training, all 4 epochs: 6 of 20 after 00:00")
    assert "left" not in lines[0], "nothing is known of it yet"
    assert lines[-1].startswith("Training, all 4 epochs: 15 of 20") and lines[-1].endswith("00:00 left")


def test_a_command_that_is_ended_says_that_it_resumes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(*_: object) -> int:
        os.kill(os.getpid(), signal.SIGTERM)
        raise AssertionError("the signal stops the command")

    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(experiments, "_list", ended)
    assert command_line.main(["list"]) == 130
    assert capsys.readouterr().err == "Stopped. Finished work is kept: the same command resumes.\n"
    assert signal.getsignal(signal.SIGTERM) is before
