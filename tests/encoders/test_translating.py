"""Models that turn a text into a text: their losses and translations are those of the library."""

import json
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

from core.encoders.folders import digests_of
from core.encoders.translating import TranslationNetwork
from core.encoders.tried import main
from core.errors import ModelRefused
from tests.held_networks import taught, translations, translator
from tests.language_models import causal

ROWS = translations(["in"] * 24)
PAIRS = list(zip(ROWS["text"], ROWS["german"], strict=True))


@pytest.mark.parametrize("architecture", ["t5", "marian"])
def test_losses_and_translations_are_those_of_the_library(tmp_path: Path, architecture: str) -> None:
    import torch
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    folder = taught(translator(tmp_path / "base", architecture), PAIRS, tmp_path / "mine", epochs=30)
    network = TranslationNetwork(folder, "cpu")
    sources, targets = [list(side) for side in zip(*PAIRS, strict=True)]
    words, model = AutoTokenizer.from_pretrained(folder), AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    read = words(sources[0], return_tensors="pt")
    with torch.inference_mode():
        theirs = model(**read, labels=words(targets[0], return_tensors="pt")["input_ids"]).loss.item()
        said = words.decode(model.generate(**read, num_beams=1, max_new_tokens=20)[0], skip_special_tokens=True)
    losses = network.losses(sources, targets, 64)
    assert np.isclose(losses[0].mean(), theirs, rtol=1e-4) and len(losses[0]) == 7
    assert network.translate(sources, 64)[0] == said != ""


def test_a_text_that_is_too_long_is_cut_before_what_ends_it(tmp_path: Path) -> None:
    network = TranslationNetwork(translator(tmp_path / "mine"), "cpu")
    ((whole, uncut), (ids, cut)) = (network.tokens([ROWS["text"][0]], limit)[0] for limit in (64, 4))
    assert not uncut and cut and ids == [*whole[:3], whole[-1]]
    assert [len(nats) for nats in network.losses(["bal"], [ROWS["german"][0]], 4)] == [4]


def test_other_models_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelRefused, match="turns a text into a text"):
        TranslationNetwork(causal(tmp_path / "causal"), "cpu")
    folder = translator(tmp_path / "mine")
    monkeypatch.setattr("transformers.PreTrainedTokenizerFast.src_lang", "en", raising=False)
    with pytest.raises(ModelRefused, match="between many languages"):
        TranslationNetwork(folder, "cpu")


def test_it_is_tried_in_a_process_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder, status in ((translator(tmp_path / "mine"), 0), (causal(tmp_path / "causal"), 3)):
        monkeypatch.setattr("sys.stdin", StringIO(json.dumps(digests_of(folder))))
        assert main(str(folder), "translator") == status
    assert "turns a text into a text" in capsys.readouterr().out
