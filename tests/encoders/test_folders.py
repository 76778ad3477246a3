"""Where encoders are looked for, and what their digest follows."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import huggingface_hub
import pytest

from core.encoders import folders
from core.encoders.folders import digest_of, is_hub_id, locate
from core.encoders.hub import obtain
from core.errors import ModelRefused
from core.runtime.folders import home as own_home

COMMIT = "a" * 40


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "hub"
    monkeypatch.setenv("HF_HUB_CACHE", str(folder))
    return folder


def model(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(b"weights")
    return folder


def test_the_cache_of_the_hub_is_found_by_branch_and_commit(cache: Path) -> None:
    repository = cache / "models--org--name"
    snapshot = model(repository / "snapshots" / COMMIT)
    assert locate("org/name") is None
    assert locate("org/name", COMMIT) == snapshot
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(COMMIT)
    assert locate("org/name") == snapshot
    assert obtain("org/name") == snapshot
    (snapshot / "model.safetensors").unlink()
    assert locate("org/name") is None


def test_one_trained_here_is_found_by_its_name() -> None:
    assert locate("small_gpt2") is None
    folder = model(own_home() / "encoders" / "small_gpt2")
    assert locate("small_gpt2") == folder


def test_an_id_and_a_path_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert is_hub_id("org/name")
    (tmp_path / "org" / "name").mkdir(parents=True)
    assert not any(is_hub_id(source) for source in ("org/name", "./name", "/org/name", "a/b/c", "../name", "name"))


def test_the_digest_follows_the_bytes_that_are_read(tmp_path: Path) -> None:
    folder = model(tmp_path / "model")
    before = digest_of(folder)
    assert digest_of(model(tmp_path / "copy")) == before
    (folder / "notes.txt").write_text("not read")
    assert digest_of(folder) == before
    (folder / "model.safetensors").write_bytes(b"other weights")
    assert digest_of(folder) != before


def test_a_large_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = model(tmp_path / "model")
    (folder / "model.safetensors").write_bytes(bytes(2_000_000))
    before = digest_of(folder)
    folders._remembered.cache_clear()
    monkeypatch.setattr(hashlib, "file_digest", lambda *_: pytest.fail("it was read again"))
    assert digest_of(folder) == before


@pytest.mark.parametrize("names", [["config.json", "pytorch_model.bin"], ["config.json", "onnx/model.safetensors"]])
def test_nothing_unsafe_is_downloaded(names: list[str], cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(monkeypatch, names, lambda **_: pytest.fail("it was downloaded"))
    with pytest.raises(ModelRefused, match=r"no safetensors.*save_pretrained"):
        obtain("org/name")


def test_only_what_is_read_is_downloaded(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    download: dict[str, Any] = {}

    def fetch(**options: Any) -> str:
        download.update(options)
        return str(tmp_path)

    publish(monkeypatch, ["config.json", "model.safetensors", "pytorch_model.bin"], fetch)
    assert obtain("org/name", "v1") == tmp_path
    assert download["revision"] == "v1"
    assert not any("bin" in pattern or pattern == "*" for pattern in download["allow_patterns"])


def publish(monkeypatch: pytest.MonkeyPatch, names: list[str], fetch: Callable[..., Any]) -> None:
    """Stand in for the hub."""
    files = [SimpleNamespace(rfilename=name) for name in names]
    info = SimpleNamespace(siblings=files)
    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", lambda *_, **__: info)
    monkeypatch.setattr(huggingface_hub, "snapshot_download", lambda hub, **options: fetch(**options))
