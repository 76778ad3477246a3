"""Models that turn a text into a text: their losses and translations are those of the library."""

import json
import warnings
from collections.abc import Callable
from functools import partial
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

from core.encoders.folders import digests_of
from core.encoders.translating import TranslationNetwork
from core.encoders.trial_process import main
from core.errors import ModelRefused
from tests.held_networks import marian, taught, translations, translator
from tests.language_models import causal

ROWS = translations(["in"] * 24)
PAIRS = list(zip(ROWS["text"], ROWS["german"], strict=True))


@pytest.mark.filterwarnings("ignore:Recommended. pip install sacremoses")  # where the library reads the folder itself
@pytest.mark.sampled(every=2)  # the second is the third with one vocabulary for both sides
@pytest.mark.parametrize("base", [translator, marian, partial(marian, separate=True)])
def test_losses_and_translations_are_those_of_the_library(tmp_path: Path, base: Callable[[Path], Path]) -> None:
    import torch
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    folder = taught(base(tmp_path / "base"), PAIRS, tmp_path / "mine", epochs=30)
    sources, targets = [list(side) for side in zip(*PAIRS, strict=True)]
    words, model = AutoTokenizer.from_pretrained(folder), AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    read, wanted = words(sources[0], return_tensors="pt"), words(text_target=targets[0], return_tensors="pt")
    with torch.inference_mode():
        theirs = model(**read, labels=wanted["input_ids"]).loss.item()
        translation = words.decode(model.generate(**read, num_beams=1, max_new_tokens=64)[0], skip_special_tokens=True)
    with warnings.catch_warnings(action="error"):
        network = TranslationNetwork(folder, "cpu")
    losses = network.losses(sources, targets, 64)
    assert np.isclose(losses[0].mean(), theirs, rtol=1e-4) and len(losses[0]) == wanted["input_ids"].shape[1]
    assert network.translate(sources, 64)[0] == translation != ""


def test_a_tokeniser_that_needs_a_package_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = marian(tmp_path / "marian"), translator(tmp_path / "t5")
    monkeypatch.setattr("core.encoders.loading.find_spec", lambda _: None)
    (folders[1] / "spiece.model").write_bytes(b"pieces")
    TranslationNetwork(folders[1], "cpu")
    (folders[1] / "tokenizer.json").unlink()
    for folder, name in zip(folders, ("source.spm", "spiece.model"), strict=True):
        with pytest.raises(ModelRefused, match=rf"\({name}\) needs a package .*: pip install sentencepiece\."):
            TranslationNetwork(folder, "cpu")


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
