"""The readers that come with the code: intact, fitting it, and refused when damaged."""

import json
from pathlib import Path

import numpy as np
import pytest

from core.__main__ import main
from core.errors import StoreError
from core.readers import files, recipe, training
from core.readers.files import Card, Measured
from core.runtime.store import READERS

CARD = Card("key", ("A", "B"), 10, 64, {"method": {"A": Measured(0.4, 0.3, 0.5, 0.2, 100, 50)}})
WEIGHTS = {"method/weight": np.eye(3, dtype=np.float16), "method/words": np.frombuffer(b"a\nb", np.uint8)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "readers"
    files.write(WEIGHTS, CARD, folder)
    files.card.cache_clear()
    return folder


def test_what_is_written_is_read_again(folder: Path) -> None:
    weights = files.weights(folder)
    assert {name: array.tolist() for name, array in weights.items()} == {
        name: array.tolist() for name, array in WEIGHTS.items()
    }
    card = files.card(folder)
    assert (card.key, card.datasets, card.measured) == (CARD.key, CARD.datasets, CARD.measured)


def test_the_same_weights_give_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    files.write(dict(reversed(WEIGHTS.items())), CARD, tmp_path / "again")
    for name in (files.WEIGHTS, files.CARD):
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes()


def test_damaged_weights_are_refused(folder: Path) -> None:
    path = folder / files.WEIGHTS
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(StoreError, match="digest is not the card's"):
        files.weights(folder)
    path.unlink()
    with pytest.raises(StoreError, match="python -m core readers"):
        files.weights(folder)


def test_a_card_with_another_figure_is_refused(folder: Path) -> None:
    path = folder / files.CARD
    path.write_text(path.read_text().replace("0.4", "0.45"))
    with pytest.raises(StoreError, match=r"card\.json is damaged"):
        files.card(folder)


@pytest.mark.parametrize(("f1", "low", "high"), [(0.4, 0.41, 0.5), (0.4, 0.3, 0.39), (1.2, 1.1, 1.3)])
def test_an_f1_outside_its_interval_is_refused(f1: float, low: float, high: float) -> None:
    with pytest.raises(ValueError, match="within its interval"):
        Measured(f1, low, high, 0.2, 100, 50)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"measured": {"m": {"A": {"f1": 1}}}}'])
def test_a_broken_card_is_refused(folder: Path, content: str) -> None:
    (folder / files.CARD).write_text(content)
    with pytest.raises(StoreError, match=r"card\.json cannot be read"):
        files.card(folder)


def test_the_readers_that_come_with_the_code_fit_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["readers", "--check"]) == 0
    assert capsys.readouterr().out == ""
    card = files.card()
    assert set(card.measured) == set(recipe.METHODS)
    for method, measured in card.measured.items():
        assert tuple(measured) == card.datasets
        for figures in measured.values():
            assert figures.chance < figures.low <= figures.f1 <= figures.high, method
            assert figures.sentences > 500
    assert sum(path.stat().st_size for path in READERS.iterdir()) < 6_000_000


def test_readers_of_another_recipe_are_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recipe, "VERSION", recipe.VERSION + 1)
    assert main(["readers", "--check"]) == 1
    assert f"the code now says {recipe.key()}" in capsys.readouterr().out


def test_no_sentence_of_a_dataset_is_kept() -> None:
    names = {name.partition("/")[2] for name in files.weights()}
    assert {name for name in names if "words" in name} == {"words", "words.weight"}
    for name, array in files.weights().items():
        if name.endswith("/words"):
            assert not any(" " in word for word in array.tobytes().decode().split("\n"))
    assert "text" not in json.loads((READERS / files.CARD).read_text())


def test_a_method_that_is_no_reader_is_refused() -> None:
    with pytest.raises(TypeError, match="no reader is kept"):
        training.weights_of(object())  # type: ignore[arg-type]
