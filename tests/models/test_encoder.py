"""The encoder: its key follows the files, each text is embedded once, and the bundled encoder is intact."""

import os
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
import torch

from core.encoders import network, trial
from core.encoders.folders import digest_of, locate
from core.encoders.network import Network
from core.encoders.records import DEFAULT, PAN_2020, RECORDS
from core.encoders.safety import check, width
from core.errors import InvalidSpec, ModelRefused, ModelUnavailable, StoreFull, StoreReadOnly
from core.models.encoder import Encoder
from core.runtime.context import RunContext
from core.runtime.progress import Progress
from core.runtime.store import Store
from tests.encoders.tiny import TEXTS, tiny
from tests.encoders.trouble import full_disk, read_only
from tests.patience import FOREVER

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


class RecordedProgress(Progress):
    """Records the stages and their items."""

    def __init__(self) -> None:
        self.stages: list[tuple[str, int, int]] = []
        self.advanced = 0

    def stage(self, name: str, total: int = 0, done: int = 0) -> None:
        self.stages.append((name, total, done))

    def advance(self, items: int = 1) -> None:
        self.advanced += items


@pytest.fixture
def recorded() -> RecordedProgress:
    return RecordedProgress()


@pytest.fixture
def context(store: Store, recorded: RecordedProgress) -> RunContext:
    return RunContext(store, progress=recorded)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny(tmp_path / "model")


def test_each_different_text_is_embedded_once(folder: Path, context: RunContext, recorded: RecordedProgress) -> None:
    encoder = Encoder(source=str(folder))
    vectors = encoder.encode(["a", "b", "a", "a"], context)
    assert vectors.shape == (4, 16)
    assert vectors.dtype == np.float32
    assert vectors[0].tobytes() == vectors[2].tobytes()
    assert recorded.stages == [("Embedding texts with model", 2, 0)]
    assert recorded.advanced == 2
    assert encoder.encode([], context).shape == (0, 16)
    encoder.encode(["c", "d"], context, "the victims' texts")
    encoder.encode(["e"], context, "the victims' texts")
    assert [name for name, *_ in recorded.stages[1:]] == [
        "Embedding the victims' texts with model",
        "Embedding one text with model",
    ], "no two stages of a run have one name"


def test_stored_embeddings_load_no_model(
    folder: Path, context: RunContext, recorded: RecordedProgress, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = Encoder(source=str(folder))
    first = encoder.encode(TEXTS, context)
    network.network.cache_clear()
    monkeypatch.setattr(Network, "__init__", lambda *_: pytest.fail("the model was loaded"))
    assert encoder.encode(TEXTS, context).tobytes() == first.tobytes()
    assert len(recorded.stages) == 1, "no stage is full at its beginning"


def test_a_stopped_run_resumes_and_ends_with_the_same_bytes(
    folder: Path, context: RunContext, recorded: RecordedProgress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = Encoder(source=str(folder))
    texts = [text + " again" * (number % 40) for number, text in enumerate(TEXTS)]
    whole = encoder.encode(texts, RunContext(Store(root=tmp_path / "other", shipped=tmp_path)))

    def stop(items: int = 1) -> None:
        recorded.advanced += items
        if recorded.advanced > 30:
            raise KeyboardInterrupt

    monkeypatch.setattr(recorded, "advance", stop)
    with pytest.raises(KeyboardInterrupt):
        encoder.encode(texts, context)
    monkeypatch.undo()
    assert encoder.encode(texts, context).tobytes() == whole.tobytes()
    assert 30 < recorded.stages[-1][2] < len(TEXTS)


def test_pooling_and_length_are_stored_separately(folder: Path, context: RunContext) -> None:
    settings: Sequence[dict[str, Any]] = ({}, {"pooling": "last"}, {"pooling": "first"}, {"max_tokens": 3})
    vectors = [Encoder.parse({"source": str(folder), **fields}).encode(TEXTS[:3], context) for fields in settings]
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


def test_weights_that_are_not_finite_are_refused(folder: Path, context: RunContext) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    first = next(name for name in weights if "LayerNorm.bias" in name)
    weights[first] = torch.full_like(weights[first], float("nan"))
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelRefused, match="no finite numbers"):
        Encoder(source=str(folder)).encode(["a"], context)


@pytest.mark.parametrize(
    ("trouble", "error", "message"),
    [(full_disk, StoreFull, "it resumes"), (read_only, StoreReadOnly, "Point TELLTALE_HOME")],
)
def test_a_full_or_read_only_disk_is_reported_and_stored_embeddings_are_used_again(
    folder: Path, context: RunContext, recorded: RecordedProgress, trouble: Any, error: type[Exception], message: str
) -> None:
    encoder = Encoder(source=str(folder))
    first = encoder.encode(TEXTS[:40], context)
    with trouble(), pytest.raises(error, match=message):
        encoder.encode(TEXTS, context)
    assert encoder.encode(TEXTS, context)[:40].tobytes() == first.tobytes()
    assert recorded.stages[-1][1:] == (len(TEXTS), 40)


@pytest.mark.slow
def test_a_process_killed_while_it_embeds_leaves_its_embeddings(
    folder: Path, context: RunContext, recorded: RecordedProgress
) -> None:
    """It stores as it goes, and the next process resumes with the same bytes."""
    texts = many_texts()
    read, written = os.pipe()
    if not (process := os.fork()):  # a copy of this process need not import the libraries again
        with suppress(BaseException):
            torch.set_num_threads(1)  # those of this process are not in its copy
            embed(str(folder), written)
        os._exit(1)
    os.close(written)
    with os.fdopen(read, "rb") as kept:
        assert kept.readline() == b"kept\n"
        os.kill(process, signal.SIGKILL)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == -signal.SIGKILL
    vectors = Encoder(source=str(folder)).encode(texts, context)
    assert 0 < recorded.stages[-1][2] < len(texts), "some were stored, and some were not"
    other = RunContext(Store(root=context.store.root / "other", shipped=context.store.shipped))
    assert vectors.tobytes() == Encoder(source=str(folder)).encode(texts, other).tobytes()


def embed(folder: str, pipe: int) -> None:
    """Embed many texts, and stand still when some are kept, which is written to a pipe."""

    class Still(Progress):
        def advance(self, items: int = 1) -> None:
            if any(context.store.root.glob("embeddings/*.sqlite")):
                os.write(pipe, b"kept\n")
                time.sleep(FOREVER)

    context = RunContext(progress=Still())
    with patch.object(trial, "attempt"):
        Encoder(source=folder).encode(many_texts(), context)


def many_texts() -> list[str]:
    return [f"{text} number {number}" for number in range(8) for text in TEXTS]


ODD = {
    "nothing": "",
    "spaces": " \t\n",
    "long": "The patient had pain in the left foot. " * 2565,
    "one word": "x" * 100_000,
    "chinese": "\u6211\u7684\u6237\u53e3\u5728\u5317\u4eac\u3002",
    "arabic": "\u0645\u064e\u0631\u0652\u062d\u064e\u0628\u064b\u0627 \u0628\u0643",
    "devanagari": "\u0928\u092e\u0938\u094d\u0924\u0947 \u0939\u093f\u0928\u094d\u0926\u0940",
    "marks": "e" + "\u0301\u0323\u0302" * 30_000,
    "emoji": "\U0001f469\u200d\U0001f4bb \u2764\ufe0f \U0001f1e9\U0001f1ea",
    "half an emoji": "\ud83d",
    "zero": "a\0b",
    "markup": "[CLS] [SEP] [PAD] [MASK] <s> </s>",
}


def test_the_vector_of_a_text_does_not_depend_on_its_batch(context: RunContext, store: Store) -> None:
    texts = list(ODD.values())
    together = Encoder().encode(texts, context)
    assert together.shape == (len(ODD), RECORDS[DEFAULT].dimension)
    assert np.isfinite(together).all()
    alone = RunContext(Store(root=store.root / "other", shipped=store.shipped))
    assert [Encoder().encode([text], alone)[0].tobytes() for text in texts] == [row.tobytes() for row in together]
    nothing, spaces = together[:2]
    assert nothing.tobytes() == spaces.tobytes(), "both are the special tokens alone"


def test_a_long_text_is_cut_off(context: RunContext) -> None:
    text = ODD["long"]
    assert len(text) > 100_000
    whole, start, other = Encoder().encode([text, text[:5000], "Another start. " + text], context)
    assert whole.tobytes() == start.tobytes()
    assert whole.tobytes() != other.tobytes()


def test_the_bundled_encoder_is_intact() -> None:
    record = RECORDS[DEFAULT]
    shipped = locate(DEFAULT)
    assert shipped is not None
    assert record.digest
    assert digest_of(shipped) == record.digest
    assert width(check(shipped)) == record.dimension
    assert sum(path.stat().st_size for path in shipped.iterdir()) < 4_000_000


def test_the_bundled_encoder_has_tokens_for_digits_letters_and_common_words(context: RunContext) -> None:
    shipped = locate(DEFAULT)
    assert shipped is not None
    encoder = Network(shipped, "cpu")
    digits, letters, words = (
        encoder.tokens([text], 256)[0][0][1:-1] for text in ("3 1 0 1 9 9 9", "A C G T T", " ".join(KEYWORDS))
    )
    assert (len(digits), len(set(digits))) == (7, 4)
    assert (len(letters), len(set(letters))) == (5, 4)
    assert len(words) == len(set(words)) == len(KEYWORDS)
    near, far = "the doctor looked at his heart", "the flight to boston was late"
    one, other, third = Encoder().encode([near, "a doctor examined the heart", far], context)
    assert cosine(one, other) > cosine(one, third)


def test_every_record_has_licence_citation_and_pinned_files() -> None:
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
def test_an_encoder_that_cannot_be_loaded_is_reported(source: str, message: str, context: RunContext) -> None:
    with pytest.raises(ModelUnavailable, match=message):
        Encoder(source=source).encode(["a"], context)
    assert Encoder(source=source).key


def test_a_wrong_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(InvalidSpec, match="Did you mean 'small_bert'"):
        Encoder.parse({"source": "smallbert"})


@pytest.mark.exhaustive
def test_it_agrees_with_sentence_transformers(context: RunContext) -> None:
    """`tests/encoders/test_sentence_folders.py` compares small encoders of each pooling with the library."""
    folder = locate("minilm")
    if folder is None:
        pytest.skip("all-MiniLM-L6-v2 is not here")
    library = pytest.importorskip("sentence_transformers")
    texts = ["A flight from Boston.", "She has pain in the left foot, again and again.", "ok", ""]
    theirs = library.SentenceTransformer(str(folder), device="cpu").encode(texts)
    ours = Encoder(source="minilm").encode(texts, context)
    for one, other in zip(ours, theirs, strict=True):
        assert cosine(one, other) > 0.99999


def cosine(one: Any, other: Any) -> float:
    return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other)))
