"""What a folder must hold, and what is never let in."""

import json
import pickle
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from core.encoders.folders import INDEX, WEIGHTS
from core.encoders.hub import obtain
from core.encoders.network import Network
from core.encoders.safety import check, width
from core.errors import ModelRefused, ModelUnavailable
from tests.encoders.tiny import tiny


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny(tmp_path_factory.mktemp("sound") / "model")


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "model"))


class Bomb:
    def __reduce__(self) -> tuple[Callable[..., object], tuple[str]]:
        return Path.touch, (Path("/tmp/unpickled"),)  # type: ignore[return-value]


def test_a_sound_folder_passes(folder: Path) -> None:
    assert width(check(folder)) == 16


def test_a_pickle_is_refused_with_the_way_out(folder: Path) -> None:
    (folder / WEIGHTS).unlink()
    torch.save({}, folder / "pytorch_model.bin")
    with pytest.raises(ModelRefused, match=r"pytorch_model\.bin.*save_pretrained"):
        check(folder)


@pytest.mark.parametrize("zipped", [True, False])
def test_a_pickle_in_disguise_is_refused(folder: Path, zipped: bool) -> None:
    if zipped:
        torch.save({"weight": torch.zeros(3)}, folder / WEIGHTS)
    else:
        (folder / WEIGHTS).write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(ModelRefused, match="pickle under a false name"):
        Network(folder, "cpu")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda folder: (folder / WEIGHTS).write_bytes(b""), "cut short"),
        (lambda folder: (folder / WEIGHTS).write_bytes((folder / WEIGHTS).read_bytes()[:-7]), "cut short"),
        (lambda folder: (folder / WEIGHTS).write_bytes((9).to_bytes(8, "little") + b'{"a": [1]' + b"x"), "header"),
        (lambda folder: (folder / WEIGHTS).unlink(), "holds no weights"),
        (lambda folder: (folder / "config.json").unlink(), "lacks config.json"),
        (lambda folder: (folder / "config.json").write_text("[]"), "JSON object"),
        (lambda folder: (folder / "config.json").write_text("{"), "no JSON"),
        (lambda folder: (folder / "config.json").write_text("{}"), "model_type"),
        (lambda folder: (folder / "config.json").write_text('{"model_type": "borges"}'), "no architecture 'borges'"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "holds no tokeniser"),
        (lambda folder: (folder / "tokenizer.json").write_text("{}"), "tokeniser in .* cannot be loaded"),
        (lambda folder: (folder / "adapter_config.json").write_text("{}"), "adapter"),
    ],
)
def test_what_is_wrong_is_said(folder: Path, spoil: Callable[[Path], object], message: str) -> None:
    spoil(folder)
    with pytest.raises(ModelRefused, match=message):
        Network(folder, "cpu")


def test_an_index_names_files_of_its_own_folder(folder: Path) -> None:
    (folder / WEIGHTS).rename(folder.parent / "outside.safetensors")
    (folder / INDEX).write_text(json.dumps({"weight_map": {"a": "../outside.safetensors"}}))
    with pytest.raises(ModelRefused, match="same folder"):
        check(folder)


def test_weights_that_do_not_fit_are_refused_rather_than_drawn_at_random(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "num_hidden_layers": 3}))
    with pytest.raises(ModelRefused, match="do not fit"):
        Network(folder, "cpu")


def test_code_of_the_folder_is_never_run(folder: Path) -> None:
    trap = folder / "modeling_trap.py"
    trap.write_text(f"open({str(folder / 'sprung')!r}, 'w')")
    config = json.loads((folder / "config.json").read_text())
    mapped = {**config, "model_type": "trap", "auto_map": {"AutoModel": "modeling_trap.Trap"}}
    (folder / "config.json").write_text(json.dumps(mapped))
    with pytest.raises(ModelRefused):
        Network(folder, "cpu")
    assert not (folder / "sprung").exists()


def test_a_folder_that_is_not_there_is_said() -> None:
    with pytest.raises(ModelUnavailable, match="No folder"):
        obtain("./nowhere")


def test_the_hub_out_of_reach_is_said_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    began = time.monotonic()
    with pytest.raises(ModelUnavailable, match="hub cannot be reached"):
        obtain("nobody/nothing")
    assert time.monotonic() - began < 30
