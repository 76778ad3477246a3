"""Folders of sentence-transformers are read as the library reads them, and what is not understood is refused."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.encoders.folders import MODULES
from core.encoders.loading import kind_of
from core.encoders.sentence_encoder import SentenceEncoder
from core.encoders.sentence_folders import reading
from core.errors import InvalidSpec, ModelRefused
from core.models.encoder import Encoder
from core.runtime.store import Store
from tests.encoders.tiny import tiny
from tests.held_networks import encoder, marian, saved, translator
from tests.language_models import causal
from tests.stand_ins import context

TEXTS = ["Bal celra fosotu.", "gun", "dilan dilan balra cemer " * 20]


PROMPT = {"prompts": {"passage": "bal fos "}, "default_prompt_name": "passage"}


@pytest.mark.parametrize(
    ("pooling", "unit", "dense", "settings"),
    [
        ("cls", True, (), {}),
        ("lasttoken", False, ("Tanh",), {}),
        ("mean", True, (), PROMPT),
        ("max", False, (), {"truncate_dim": 5}),
        ("mean_sqrt_len_tokens", False, ("Identity", "ReLU"), {}),
        ("weightedmean", True, ("GELU",), {"truncate_dim": 3, **PROMPT}),
    ],
)
def test_texts_become_the_vectors_that_the_library_makes(
    tmp_path: Path, store: Store, pooling: str, unit: bool, dense: Sequence[str], settings: dict[str, Any]
) -> None:
    """In an audit, in any other attack, and with a gradient."""
    import torch
    from sentence_transformers import SentenceTransformer

    folder = saved(tmp_path, pooling, unit, dense, **settings)
    theirs = SentenceTransformer(str(folder), device="cpu").encode(TEXTS)
    read, model = reading(folder), Encoder(source=str(folder))
    opened = model.open_encoder(context(store))
    for ours in (SentenceEncoder(read, 256).encode(TEXTS), model.encode(TEXTS, context(store)), opened.encode(TEXTS)):
        np.testing.assert_allclose(ours, theirs, rtol=1e-3, atol=1e-5)
    pooled = np.random.default_rng(0).normal(size=(3, 32)).astype(np.float32)
    with_gradient = torch.from_numpy(pooled).requires_grad_()
    finished = read.finished_tensors(with_gradient)
    np.testing.assert_allclose(finished.detach().numpy(), read.finished(pooled), rtol=1e-5, atol=1e-6)
    finished.sum().backward()
    assert with_gradient.grad is not None and model.encode([], context(store)).shape == (0, theirs.shape[1])
    assert kind_of(folder) == "encoder" and (read.unit, bool(read.prompt)) == (unit, "prompts" in settings)
    assert SentenceEncoder(read, 16).cut(TEXTS) == 1


def test_the_key_of_an_encoder_follows_what_its_folder_says(tmp_path: Path) -> None:
    folder = saved(tmp_path, "cls")
    keys = [Encoder(source=str(folder)).key, Encoder(source=str(folder), pooling="first").key]
    assert keys[0] == keys[1] != Encoder(source=str(tmp_path / "plain"), pooling="first").key
    with pytest.raises(InvalidSpec, match=r"takes the first token’s hidden state\. Got 'last' instead; leave it out"):
        Encoder(source=str(folder), pooling="last").saved(folder)
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode": "mean"}))
    assert Encoder(source=str(folder)).key not in keys


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
        ({"pooling_mode": "mean"}, ("Transformer", "Pooling", "LSTM"), "It names Transformer, Pooling, LSTM"),
        ({"pooling_mode": "mean"}, ("Transformer", "Pooling", "Normalize", "Dense"), "in this order"),
        ({"pooling_mode": "mean"}, ("Transformer", "Pooling", "Dense"), "holds no weights"),
        ({"pooling_mode": "best"}, ("Transformer", "Pooling"), "must name one pooling of cls, mean, max"),
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
    assert kind_of(translator(tmp_path / "t5")) == kind_of(marian(tmp_path / "marian")) == "translator"
    assert kind_of(encoder(tmp_path / "bert")) == "encoder"


@pytest.mark.parametrize(
    ("path", "says", "refused"),
    [
        ("sentence_bert_config.json", {"module_output_name": "sentence_embedding"}, "module_output_name"),
        ("sentence_bert_config.json", {"query_expansion": True}, "query_expansion: True, which is not understood"),
        ("config_sentence_transformers.json", {"model_type": "SparseEncoder"}, "SparseEncoder, which is not"),
        ("2_Dense/config.json", {"activation_function": "my.code"}, "'my.code'. Those that are read are torch"),
        ("2_Dense/config.json", {"use_residual": True}, "use_residual"),
        ("2_Dense/config.json", {"in_features": -1}, "from 1 to 100,000"),
        ("3_Normalize/config.json", {"module_input_name": "token_embeddings"}, "module_input_name"),
    ],
)
def test_a_setting_that_is_not_understood_is_refused(
    tmp_path: Path, path: str, says: dict[str, Any], refused: str
) -> None:
    kinds = ("Transformer", "Pooling", "Dense", "Normalize")
    older(tmp_path, {"pooling_mode": "mean"}, *kinds)
    (tmp_path / "2_Dense" / "config.json").write_text(json.dumps({"in_features": 8, "out_features": 8}))
    (tmp_path / "2_Dense" / "model.safetensors").write_bytes((2).to_bytes(8, "little") + b"{}")
    network = tmp_path / "0_Transformer"
    file = network / path if path.startswith("sentence") else tmp_path / path
    before = json.loads(file.read_text()) if file.exists() else {}
    assert reading(tmp_path).unit
    file.write_text(json.dumps({**before, **says}))
    with pytest.raises(ModelRefused, match=refused):
        reading(tmp_path)
