"""Embeddings of length one: as stores hold them, in both boxes, without another store of embeddings."""

from pathlib import Path

import numpy as np
import torch

from core.encoders.records import RECORDS
from core.models.encoder import Encoder
from core.runtime.context import RunContext
from core.runtime.store import Store
from tests.encoders.tiny import TEXTS, tiny


def test_unit_embeddings_are_the_raw_ones_scaled_to_length_one(tmp_path: Path, store: Store) -> None:
    context = RunContext(store=store)
    raw = Encoder(source=str(tiny(tmp_path / "encoder")))
    unit = raw.replace(length="unit")
    before, after = raw.encode(TEXTS, context), unit.encode(TEXTS, context)
    lengths = np.linalg.norm(before, axis=1, keepdims=True)
    assert not np.allclose(lengths, 1)
    assert np.allclose(np.linalg.norm(after, axis=1), 1, atol=1e-6)
    assert np.allclose(after, before / lengths, atol=1e-6)
    opened = unit.open_encoder(context)
    assert np.allclose(opened.encode(TEXTS), after, atol=1e-5)
    assert opened.identity != raw.open_encoder(context).identity
    vectors = torch.from_numpy(opened.word_vectors(["the", "cat"]))[None]
    embedded = opened.embed(vectors.requires_grad_(), torch.tensor([2]))
    assert torch.allclose(embedded.norm(dim=1), torch.ones(1), atol=1e-5)
    embedded.sum().backward()
    assert vectors.grad is not None and torch.isfinite(vectors.grad).all()


def test_records_say_whose_makers_scale_to_length_one() -> None:
    assert {name for name, record in RECORDS.items() if record.normalise} == {
        *("minilm", "mpnet", "bge_small", "e5_small", "gte_small", "nomic")
    }
