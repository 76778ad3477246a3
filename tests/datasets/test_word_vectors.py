"""Word vectors of a user: files that gensim wrote or made by hand are read, damaged ones and pickles are refused."""

import contextlib
import pickle
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import DataError, InvalidVectors
from core.sources import word_vectors
from core.sources.word_vectors import formats

WORDS = ("knee", "straße", "of", "Zürich")
VECTORS = np.arange(12, dtype=np.float32).reshape(4, 3) / 7 - 0.5
SENTENCES = [["knee", "pain", "of", "straße"], ["of", "knee", "brace", "pain"]] * 30


def write(folder: Path, words: Sequence[str] = WORDS, vectors: np.ndarray = VECTORS) -> Path:
    """Write one file of each format, by gensim, NumPy and safetensors, or by hand; return their folder."""
    from gensim.models import FastText, KeyedVectors
    from gensim.models.fasttext import save_facebook_model
    from safetensors.numpy import save_file

    keyed = KeyedVectors(vectors.shape[1])
    keyed.add_vectors(list(words), vectors)
    keyed.save_word2vec_format(str(folder / "text.txt"), binary=False)
    keyed.save_word2vec_format(str(folder / "binary.bin"), binary=True)
    keyed.save(str(folder / "own.kv"))
    rows = [" ".join([word, *map(repr, row)]) for word, row in zip(words, vectors.astype(float).tolist(), strict=True)]
    (folder / "glove.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
    np.save(folder / "matrix.npy", vectors)
    save_file({"vectors": vectors}, folder / "tensors.safetensors")
    for name in ("matrix.words.txt", "tensors.words.txt"):
        (folder / name).write_text("\n".join(words) + "\n", encoding="utf-8")
    quick = FastText(
        SENTENCES, vector_size=8, window=3, min_count=1, epochs=2, bucket=50, negative=4, workers=1, seed=1
    )
    save_facebook_model(quick, str(folder / "fast.bin"))
    quick.wv.save_word2vec_format(str(folder / "fast.vec"))
    quick.save(str(folder / "fast.model"))
    return folder


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("vectors"))


@pytest.mark.parametrize("name", ["text.txt", "binary.bin", "glove.txt", "matrix.npy", "tensors.safetensors"])
def test_the_vectors_of_the_words_wanted_are_those_written(written: Path, name: str) -> None:
    held = word_vectors.read(written / name)
    assert held.words == WORDS and held.total == 4
    np.testing.assert_allclose(held.vectors, VECTORS, atol=1e-6)
    assert held.vectors.dtype == np.float32
    some = word_vectors.read(written / name, {"of", "nowhere"})
    assert some.words == ("of",) and some.total == 4
    np.testing.assert_allclose(some.vectors, VECTORS[2:3], atol=1e-6)


def test_a_fasttext_model_gives_gensims_vectors_and_its_settings(written: Path) -> None:
    from gensim.models.fasttext import load_facebook_vectors

    reference = load_facebook_vectors(str(written / "fast.bin"))
    held = word_vectors.read(written / "fast.bin")
    assert set(held.words) == {word for sentence in SENTENCES for word in sentence}
    np.testing.assert_allclose(held.vectors, np.stack([reference[word] for word in held.words]), atol=1e-6)
    expected = {"dimension": 8, "window": 3, "minimum_count": 1, "mode": "cbow", "negatives": 4, "buckets": 50}
    assert expected.items() <= held.settings.items()
    text = word_vectors.read(written / "fast.vec")
    np.testing.assert_allclose(text.vectors, np.stack([reference[word] for word in text.words]), atol=1e-5)


def test_the_first_of_two_equal_words_counts(tmp_path: Path) -> None:
    (tmp_path / "twice.txt").write_text("2 2\nsame 1 2\nsame 3 4\n")
    assert word_vectors.read(tmp_path / "twice.txt").vectors.tolist() == [[1, 2]]


@pytest.mark.parametrize(("name", "kind"), [("fast.model", "FastText"), ("own.kv", "KeyedVectors")])
def test_gensims_own_format_is_refused_with_the_lines_that_save_it(
    written: Path, tmp_path: Path, name: str, kind: str
) -> None:
    with pytest.raises(InvalidVectors, match="holds a pickle") as refusal:
        word_vectors.read(written / name)
    imported, saved = refusal.value.program
    assert imported == f"from gensim.models import {kind}"
    again = name.rpartition(".")[0] + ".bin"
    made = saved.replace(repr(name), repr(str(written / name))).replace(repr(again), repr(str(tmp_path / again)))
    exec(f"{imported}\n{made}", {})
    assert word_vectors.read(tmp_path / again).total == (4 if kind == "KeyedVectors" else 5)


class _Mischief:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return exec, ("raise SystemExit('a pickle was run')",)


@pytest.mark.parametrize("name", ["x.pkl", "x.joblib", "x.pt", "x.bin", "x.npy", "x.model", "x.txt"])
def test_no_pickle_is_ever_run(tmp_path: Path, name: str) -> None:
    for protocol in (2, 4, 5):
        (tmp_path / name).write_bytes(pickle.dumps(_Mischief(), protocol=protocol))
        with pytest.raises(DataError):
            word_vectors.read(tmp_path / name)


def test_a_torch_archive_and_an_array_of_objects_are_refused(tmp_path: Path) -> None:
    import torch

    torch.save({"weight": torch.zeros(2, 2)}, tmp_path / "model.bin")
    with pytest.raises(InvalidVectors, match="holds a pickle"):
        word_vectors.read(tmp_path / "model.bin")
    np.save(tmp_path / "objects.npy", np.array([[_Mischief()]], dtype=object), allow_pickle=True)
    (tmp_path / "objects.words.txt").write_text("one\n")
    with pytest.raises(InvalidVectors, match="never loaded"):
        word_vectors.read(tmp_path / "objects.npy")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"999999999 300\nof 0 0 0\n", "at most|Between"),
        (b"1000 3\nof 0 0 0\n", "cut off"),
        (b"2 2\nof 0 0\n" + b"in 0 x\n", "no number"),
        (b"2 2\nof 0 0\nin 0 nan\n", "not finite"),
        (b"2 2\nof 0 0\nin 0 1 2\nat 1 1\n", "holds 3|fields"),
        (b"1 2\nof 0 0\nin 0 1\n", "says that it holds 1 words. It holds 2"),
        (b"of 0 0 1\nin 0 1\n", "must hold a word and 3 numbers"),
        (b"hello world\nthis is a text\n", "in no format"),
        (b"0 0\n", "Between 1"),
        (struct.pack("<ii", 793_712_314, 12) + b"\1" * 30, "cut off"),
    ],
)
def test_a_header_that_lies_or_a_damaged_line_is_refused_by_name(tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "made.txt").write_bytes(content)
    with pytest.raises(DataError, match=says) as refusal:
        word_vectors.read(tmp_path / "made.txt")
    assert "made.txt" in str(refusal.value)


def test_a_matrix_needs_a_list_of_as_many_words(tmp_path: Path) -> None:
    np.save(tmp_path / "m.npy", VECTORS)
    with pytest.raises(InvalidVectors, match="matrix without words"):
        word_vectors.read(tmp_path / "m.npy")
    (tmp_path / "list").write_text("one\ntwo\n")
    with pytest.raises(InvalidVectors, match="4 rows, the list of words 2 lines"):
        word_vectors.read(tmp_path / "m.npy", words=tmp_path / "list")


def _files(folder: Path) -> Iterator[bytes]:
    for name in ("text.txt", "binary.bin", "glove.txt", "fast.bin", "matrix.npy", "tensors.safetensors"):
        yield (folder / name).read_bytes()


@given(data=st.data())
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_bytes_are_read_or_refused_and_nothing_else(written: Path, tmp_path: Path, data: st.DataObject) -> None:
    content = bytearray(data.draw(st.sampled_from(list(_files(written)))))
    for _ in range(data.draw(st.integers(1, 4))):
        position = data.draw(st.integers(0, min(len(content) - 1, 400)))
        content[position] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(content)))
    for name in ("x.bin", "x.npy", "x.safetensors"):
        (tmp_path / name).write_bytes(content[: cut or None])
        (tmp_path / "x.words.txt").write_text("\n".join(WORDS))
        try:
            held = word_vectors.read(tmp_path / name)
        except DataError:
            continue
        assert np.isfinite(held.vectors).all() and len(held.words) == len(held.vectors)


@given(st.binary(max_size=300))
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_read_or_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "any.bin").write_bytes(content)
    with contextlib.suppress(DataError):
        word_vectors.read(tmp_path / "any.bin")


def test_every_format_is_found() -> None:
    files = {path.stem for path in Path(str(formats.__file__)).parent.glob("*.py")} - {"__init__"}
    assert {each.__name__.rpartition(".")[2] for each in word_vectors.known()} == files  # type: ignore[attr-defined]
