"""The small encoders are trained the same twice, go on where they were stopped, and can be read back."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.encoders import pretraining
from core.encoders.folders import digest_of
from core.encoders.network import Network
from core.encoders.recipes import Recipe
from tests.encoders.tiny import TEXTS

PAIRS = list(zip(TEXTS[::2], TEXTS[1::2], strict=True))
RECIPE = Recipe("tiny", "bert", steps=6, contrast=0.5, width=16, layers=1, vocabulary=400, pairs=8)


@pytest.mark.parametrize("architecture", ["bert", "gpt2", "xlnet"])
def test_a_killed_training_goes_on_and_ends_with_the_same_bytes(
    architecture: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = replace(RECIPE, architecture=architecture, contrast=0.5 if architecture == "bert" else 0.0)
    whole = pretraining.pretrain(recipe, PAIRS, ["cat"], tmp_path / "whole" / "tiny")
    monkeypatch.setattr(pretraining, "_CHECKPOINT_EVERY", 4)
    loss = pretraining._loss
    calls = []

    def killed(*arguments: object) -> object:
        calls.append(1)
        if len(calls) == 6:
            raise KeyboardInterrupt
        return loss(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(pretraining, "_loss", killed)
    out = tmp_path / "resumed" / "tiny"
    with pytest.raises(KeyboardInterrupt):
        pretraining.pretrain(recipe, PAIRS, ["cat"], out)
    assert not out.exists()
    resumed = pretraining.pretrain(recipe, PAIRS, ["cat"], out)
    assert len(calls) == 6 + 2, "two of six steps were left"
    assert digest_of(resumed) == digest_of(whole)
    assert [path.name for path in out.parent.iterdir()] == ["tiny"]
    Network(resumed, "cpu")


def test_each_pair_has_its_turn() -> None:
    import numpy as np

    lengths = np.random.default_rng(0).integers(5, 60, 80)
    seen = [pair for step in range(10) for pair in pretraining._batch(RECIPE, lengths, step)]
    assert sorted(seen) == list(range(80))


def test_a_wrong_name_is_answered_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert pretraining.main(["small_brt"]) == 1
    assert "Did you mean 'small_bert'?" in capsys.readouterr().err
    assert pretraining.main([]) == 2
