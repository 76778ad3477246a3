"""Folders of sentence-transformers are read as the library reads them, and what is not understood is refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.encoders.loading import kind_of
from core.encoders.sentence_encoder import SentenceEncoder
from core.encoders.sentence_folders import MODULES, reading
from core.errors import ModelRefused
from tests.encoders.tiny import tiny
from tests.held_networks import encoder, translator
from tests.language_models import causal

TEXTS = ["Bal celra fosotu.", "gun", "dilan dilan balra cemer " * 20]


def saved(folder: Path, pooling: str = "mean", unit: bool = False, **settings: Any) -> Path:
    """Write an encoder as the library does."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer

    network = Transformer(str(encoder(folder / "plain")))
    modules = [network, Pooling(network.get_embedding_dimension(), pooling_mode=pooling), *([Normalize()] * unit)]
    SentenceTransformer(modules=modules, device="cpu", **settings).save(str(folder / "saved"))
    return folder / "saved"


@pytest.mark.usefixtures("without_trial")
@pytest.mark.parametrize(
    ("pooling", "unit", "settings"),
    [
        ("cls", True, {}),
        ("lasttoken", False, {}),
        ("mean", True, {"prompts": {"passage": "bal fos "}, "default_prompt_name": "passage"}),
    ],
)
def test_texts_become_the_vectors_that_the_library_makes(
    tmp_path: Path, pooling: str, unit: bool, settings: dict[str, Any]
) -> None:
    from sentence_transformers import SentenceTransformer

    folder = saved(tmp_path, pooling, unit, **settings)
    theirs = SentenceTransformer(str(folder), device="cpu").encode(TEXTS)
    read = reading(folder)
    np.testing.assert_allclose(SentenceEncoder(read, 256).encode(TEXTS), theirs, rtol=1e-3, atol=1e-5)
    assert kind_of(folder) == "encoder" and (read.unit, bool(read.prompt)) == (unit, bool(settings))
    assert SentenceEncoder(read, 16).cut(TEXTS) == 1


def older(folder: Path, pooling: dict[str, Any], *kinds: str, settings: dict[str, Any] | None = None) -> Path:
    """Write what versions of the library before 5.2 write about modules."""
    named = [
        {"type": f"sentence_transformers.models.{kind}", "path": f"{row}_{kind}"} for row, kind in enumerate(kinds)
    ]
    (folder / MODULES).write_text(json.dumps(named))
    for module in named:
        (folder / module["path"]).mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    tiny(folder / "0_Transformer")
    (folder / "0_Transformer" / "sentence_bert_config.json").write_text(json.dumps(settings or {}))
    return folder


def test_what_older_versions_wrote_is_read(tmp_path: Path) -> None:
    pooling = {"word_embedding_dimension": 8, "pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
    settings = {"max_seq_length": 20, "do_lower_case": True}
    read = reading(older(tmp_path, pooling, "Transformer", "Pooling", "Normalize", settings=settings))
    assert (read.pooling, read.unit, read.tokens, read.lower) == ("first", True, 20, True)
    assert read.folder == tmp_path / "0_Transformer" and "first token" in read.described()


@pytest.mark.parametrize(
    ("pooling", "kinds", "says"),
    [
        ({"pooling_mode": "mean"}, ("Transformer", "Pooling", "Dense"), "It names Transformer, Pooling, Dense"),
        ({"pooling_mode": "max"}, ("Transformer", "Pooling"), "must name one pooling of cls, mean, lasttoken"),
        (
            {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True},
            ("Transformer", "Pooling"),
            "names cls, mean",
        ),
    ],
)
def test_what_is_not_understood_is_refused(
    tmp_path: Path, pooling: dict[str, Any], kinds: tuple[str, ...], says: str
) -> None:
    with pytest.raises(ModelRefused, match=says):
        reading(older(tmp_path, pooling, *kinds))


def test_no_module_lies_outside_the_folder(tmp_path: Path) -> None:
    older(tmp_path, {"pooling_mode": "mean"}, "Transformer", "Pooling")
    (tmp_path / MODULES).write_text(json.dumps([{"type": "a.Transformer", "path": "../elsewhere"}]))
    with pytest.raises(ModelRefused, match="outside the folder"):
        reading(tmp_path)
    (tmp_path / MODULES).write_text("{}")
    with pytest.raises(ModelRefused, match="must be a JSON list"):
        reading(tmp_path)


def test_a_folder_is_told_by_its_configuration(tmp_path: Path) -> None:
    assert kind_of(causal(tmp_path / "causal")) == "causal"
    assert kind_of(translator(tmp_path / "t5")) == kind_of(translator(tmp_path / "marian", "marian")) == "translator"
    assert kind_of(encoder(tmp_path / "bert")) == "encoder"
