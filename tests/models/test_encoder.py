"""The encoder part: its key follows the files, each text is embedded once, and what comes with the code is intact."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core.encoders import network
from core.encoders.folders import digest_of, locate
from core.encoders.kept import Kept
from core.encoders.network import Network
from core.encoders.records import DEFAULT, PAN_2020, RECORDS
from core.encoders.safety import check, width
from core.errors import InvalidSpec, ModelRefused, ModelUnavailable, StoreFull
from core.lab import Lab
from core.models.encoder import Encoder
from core.progress import Progress
from core.store import Store
from tests.encoders.tiny import TEXTS, tiny

KEYWORDS = (
    "head",
    "foot",
    "hand",
    "heart",
    "blood",
    "leg",
    "skin",
    "arm",
    "eye",
    "boston",
    "chicago",
    "doctor",
    "flight",
)


class Told(Progress):
    """Writes down the stages and what was done in them."""

    def __init__(self) -> None:
        self.stages: list[tuple[str, int, int]] = []
        self.advanced = 0

    def stage(self, name: str, total: int = 0, done: int = 0) -> None:
        self.stages.append((name, total, done))

    def advance(self, items: int = 1) -> None:
        self.advanced += items


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def lab(store: Store, told: Told) -> Lab:
    return Lab(store, progress=told)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny(tmp_path / "model")


def test_each_different_text_is_embedded_once(folder: Path, lab: Lab, told: Told) -> None:
    encoder = Encoder(source=str(folder))
    vectors = encoder.encode(["a", "b", "a", "a"], lab)
    assert vectors.shape == (4, 16)
    assert vectors.dtype == np.float32
    assert vectors[0].tobytes() == vectors[2].tobytes()
    assert told.stages == [("Embedding texts with model", 2, 0)]
    assert told.advanced == 2
    assert encoder.encode([], lab).shape == (0, 16)


def test_what_was_embedded_before_loads_no_model(
    folder: Path, lab: Lab, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = Encoder(source=str(folder))
    first = encoder.encode(TEXTS, lab)
    network.network.cache_clear()
    monkeypatch.setattr(Network, "__init__", lambda *_: pytest.fail("the model was loaded"))
    assert encoder.encode(TEXTS, lab).tobytes() == first.tobytes()
    assert told.stages[-1][1:] == (len(TEXTS), len(TEXTS))


def test_a_stopped_run_keeps_what_it_had_and_ends_with_the_same_bytes(
    folder: Path, lab: Lab, told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = Encoder(source=str(folder))
    texts = [text + " again" * (number % 40) for number, text in enumerate(TEXTS)]
    whole = encoder.encode(texts, Lab(Store(root=tmp_path / "other", shipped=tmp_path)))

    def stop(items: int = 1) -> None:
        told.advanced += items
        if told.advanced > 30:
            raise KeyboardInterrupt

    monkeypatch.setattr(told, "advance", stop)
    with pytest.raises(KeyboardInterrupt):
        encoder.encode(texts, lab)
    monkeypatch.undo()
    assert encoder.encode(texts, lab).tobytes() == whole.tobytes()
    assert 30 < told.stages[-1][2] < len(TEXTS)


def test_pooling_and_length_are_kept_apart(folder: Path, lab: Lab) -> None:
    settings: Sequence[dict[str, Any]] = ({}, {"pooling": "last"}, {"pooling": "first"}, {"max_tokens": 3})
    vectors = [Encoder.parse({"source": str(folder), **fields}).encode(TEXTS[:3], lab) for fields in settings]
    assert len({vector.tobytes() for vector in vectors}) == len(settings)


def test_the_key_follows_the_files_and_not_the_device(folder: Path) -> None:
    encoder = Encoder(source=str(folder))
    before = encoder.key
    assert encoder.replace(device="cpu").key == before
    assert encoder.replace(pooling="last").key != before
    (folder / "README.md").write_text("not read, so it does not count")
    assert encoder.key == before
    config = folder / "config.json"
    config.write_text(config.read_text() + "\n")
    assert encoder.key != before


def test_weights_that_are_no_numbers_are_said(folder: Path, lab: Lab) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    first = next(name for name in weights if "LayerNorm.bias" in name)
    weights[first] = torch.full_like(weights[first], float("nan"))
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelRefused, match="no finite numbers"):
        Encoder(source=str(folder)).encode(["a"], lab)


def test_a_full_disk_is_said(folder: Path, lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise StoreFull("No space is left.")

    monkeypatch.setattr(Kept, "put", full)
    with pytest.raises(StoreFull):
        Encoder(source=str(folder)).encode(["a"], lab)


def test_the_default_comes_with_the_code_and_is_intact() -> None:
    record = RECORDS[DEFAULT]
    found = locate(DEFAULT)
    assert found is not None
    assert record.digest
    assert digest_of(found) == record.digest
    assert width(check(found)) == record.dimension
    assert sum(path.stat().st_size for path in found.iterdir()) < 4_000_000


def test_the_default_sees_digits_letters_and_common_words(lab: Lab) -> None:
    found = locate(DEFAULT)
    assert found is not None
    asked = Network(found, "cpu")
    digits, letters, words = (
        asked.tokens([text], 256)[0][0][1:-1] for text in ("3 1 0 1 9 9 9", "A C G T T", " ".join(KEYWORDS))
    )
    assert (len(digits), len(set(digits))) == (7, 4)
    assert (len(letters), len(set(letters))) == (5, 4)
    assert len(words) == len(set(words)) == len(KEYWORDS)
    near, far = "the doctor looked at his heart", "the flight to boston was late"
    one, other, third = Encoder().encode([near, "a doctor examined the heart", far], lab)
    assert cosine(one, other) > cosine(one, third)


def test_every_record_says_what_a_person_should_know() -> None:
    assert len(PAN_2020) == 8
    for name, record in RECORDS.items():
        assert name == record.name
        assert record.licence
        assert record.citation.endswith(".")
        assert record.hub or record.command
        assert not record.pinned or record.digest or len(record.revision) == 40


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("transformer_xl", "transformers 5 no longer"),
        ("small_gpt2", "python -m core.encoders.pretraining small_gpt2"),
        ("./nowhere", "No folder"),
    ],
)
def test_what_cannot_be_loaded_is_said(source: str, message: str, lab: Lab) -> None:
    with pytest.raises(ModelUnavailable, match=message):
        Encoder(source=source).encode(["a"], lab)
    assert Encoder(source=source).key


def test_a_wrong_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(InvalidSpec, match="Did you mean 'small_bert'"):
        Encoder.parse({"source": "smallbert"})


def test_it_agrees_with_the_library_people_use(lab: Lab) -> None:
    folder = locate("minilm")
    if folder is None:
        pytest.skip("all-MiniLM-L6-v2 is not here")
    library = pytest.importorskip("sentence_transformers")
    texts = ["A flight from Boston.", "She has pain in the left foot, again and again.", "ok", ""]
    theirs = library.SentenceTransformer(str(folder), device="cpu").encode(texts)
    ours = Encoder(source="minilm").encode(texts, lab)
    for one, other in zip(ours, theirs, strict=True):
        assert cosine(one, other) > 0.99999


def cosine(one: Any, other: Any) -> float:
    return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other)))
