"""Malicious encoder folders are refused with a reason: no read hangs, and none exhausts memory."""

import io
import json
import os
import re
import runpy
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.encoders import folders, trial, trial_process
from core.encoders.folders import INDEX, WEIGHTS, content_of, digest_of, digests_of
from core.encoders.loading import refusing
from core.encoders.network import Network, network
from core.encoders.safety import check
from core.errors import ModelRefused
from core.models.encoder import Encoder
from core.runtime import memory
from tests.encoders.tiny import edited, tiny
from tests.patience import PATIENCE

FILES = ("config.json", "tokenizer.json", "tokenizer_config.json", WEIGHTS, INDEX)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny(tmp_path_factory.mktemp("sound") / "model")


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "model"))


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.timeout(PATIENCE)
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("make", [device, os.mkfifo])
def test_only_regular_files_are_opened(folder: Path, name: str, make: Callable[[Path], None]) -> None:
    (folder / name).unlink(missing_ok=True)
    make(folder / name)
    for look in (check, digest_of, lambda folder: Network(folder, "cpu")):
        with pytest.raises(ModelRefused, match=rf"{name} must be a regular file"):
            look(folder)
    assert Encoder(source=str(folder)).key, "a key may be asked for of anything"
    with pytest.raises(ModelRefused, match="regular file"):
        content_of(folder / name, 1000)


@pytest.mark.parametrize("name", FILES)
def test_no_link_leaves_the_folder(folder: Path, name: str) -> None:
    outside = folder.parent / "outside"
    outside.write_bytes((folder / name).read_bytes() if (folder / name).exists() else b"{}")
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(outside)
    with pytest.raises(ModelRefused, match=rf"{name} is a link to .*outside the folder"):
        check(folder)


def test_links_inside_the_folder_and_to_the_store_of_the_hub_are_followed(folder: Path, tmp_path: Path) -> None:
    (folder / WEIGHTS).rename(folder / "weights")
    (folder / WEIGHTS).symlink_to("weights")
    plain = digest_of(folder)
    Network(folder, "cpu")
    repository = tmp_path / "models--org--name"
    snapshot, blobs = repository / "snapshots" / ("a" * 40), repository / "blobs"
    snapshot.mkdir(parents=True)
    blobs.mkdir()
    for name, digest in digests_of(folder).items():
        shutil.copy(folder / name, blobs / digest)
        (snapshot / name).symlink_to(f"../../blobs/{digest}")
    assert digest_of(snapshot) == plain
    Network(snapshot, "cpu", digests_of(snapshot))


@pytest.mark.parametrize("name", FILES)
def test_sizes_are_bounded_before_anything_is_read(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with (folder / name).open("ab") as file:
        file.truncate(10**13)  # a hole, which takes no room
    monkeypatch.setattr("hashlib.file_digest", lambda *_: pytest.fail("it was read"))
    for look in (check, digest_of):
        with pytest.raises(ModelRefused, match=r"has 10,000,000,000,000 bytes\. At most"):
            look(folder)


def test_the_number_of_files_is_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "MOST_FILES", 3)
    with pytest.raises(ModelRefused, match="At most 3 are read"):
        check(folder)


@pytest.mark.parametrize(
    "name",
    [
        "num_hidden_layers",
        "n_layer",
        "encoder_layers",
        "num_hidden_groups",
        "hidden_size",
        "intermediate_size",
        "d_model",
        "n_embd",
        "vocab_size",
        "type_vocab_size",
        "num_attention_heads",
        "n_head",
        "num_key_value_heads",
        "num_local_experts",
        "max_position_embeddings",
        "n_positions",
    ],
)
@pytest.mark.parametrize("nested", [False, True])
def test_numbers_of_a_configuration_are_bounded(folder: Path, name: str, nested: bool) -> None:
    config = json.loads((folder / "config.json").read_text())
    for value in (10**9, 10**400, float("inf"), float("nan"), [1, 10**9]):
        spoiled = {**config, "inner": [{"deeper": {name: value}}]} if nested else {**config, name: value}
        (folder / "config.json").write_text(json.dumps(spoiled))
        with pytest.raises(ModelRefused, match=rf"'{name}', which counts \w+, must be at most"):
            check(folder)


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(config=st.dictionaries(st.sampled_from(["model_type", "num_hidden_layers", "inner"]), _VALUES))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
def test_any_configuration_passes_or_is_refused(folder: Path, config: dict[str, object]) -> None:
    (folder / "config.json").write_text(json.dumps(config))
    try:
        checked = check(folder)
    except ModelRefused as error:
        assert str(folder) in str(error)
    else:
        layers = checked.get("num_hidden_layers")
        assert not isinstance(layers, int | float) or layers <= 1000


@given(content=st.binary(max_size=60), name=st.sampled_from(FILES))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
def test_any_bytes_in_any_file_are_refused_with_the_reason(folder: Path, content: bytes, name: str) -> None:
    whole = (folder / name).read_bytes() if (folder / name).exists() else None
    (folder / name).write_bytes(content)
    try:
        Network(folder, "cpu")
    except ModelRefused as error:
        assert str(error)
    finally:
        (folder / name).unlink()
        if whole is not None:
            (folder / name).write_bytes(whole)


class Panic(BaseException):
    """What a library written in Rust raises."""


def test_a_panic_is_one_more_error() -> None:
    with pytest.raises(ModelRefused, match="It cannot be loaded: no rule"), refusing("It cannot be loaded"):
        raise Panic("no rule")
    with pytest.raises(KeyboardInterrupt), refusing("It cannot be loaded"):
        raise KeyboardInterrupt


def test_a_tokeniser_that_panics_is_refused(folder: Path) -> None:
    """The library's own panic: merges without the tokens they make."""
    spoiled = json.loads((folder / "tokenizer.json").read_text())
    spoiled["model"] = {"type": "Unigram", "unk_id": 7, "vocab": [["a", 0.0]]}
    (folder / "tokenizer.json").write_text(json.dumps(spoiled))
    with pytest.raises(ModelRefused, match="tokeniser"):
        list(Network(folder, "cpu").embed(["zzz"], 8, "mean"))


@pytest.fixture
def untried(with_trial: None) -> None:
    """No encoder was tried before."""
    network.cache_clear()


@pytest.mark.usefixtures("untried")
def test_a_foreign_encoder_is_tried_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, commands = digests_of(folder), list[list[str]]()

    def run(command: list[str], **options: object) -> subprocess.CompletedProcess[bytes]:
        assert options["input"] == json.dumps(files).encode()
        commands.append(command[1:])
        return subprocess.CompletedProcess(command, 0, b"")

    monkeypatch.setattr("subprocess.run", run)
    for _ in range(2):
        network.cache_clear()
        network(folder, digest_of(folder), "cpu")
    assert commands == [["-m", "core.encoders.trial_process", str(folder), "encoder"]]


def test_a_sound_encoder_passes_its_trial(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(digests_of(folder))))
    assert trial_process.main(str(folder), "encoder") == 0


@pytest.mark.exhaustive
@pytest.mark.usefixtures("untried")
def test_a_foreign_encoder_is_tried_once_in_a_process_of_its_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The two tests above show the command and what it does; the next, that it is a process."""
    digest = digest_of(folder)
    network(folder, digest, "cpu")
    monkeypatch.setattr("subprocess.run", lambda *_, **__: pytest.fail("it was tried again"))
    network.cache_clear()
    network(folder, digest, "cpu")


def instead_of_python(folder: Path, line: str) -> str:
    """Write a program that takes no seconds to import its libraries; return its path."""
    program = folder / "program"
    program.write_text(f"#!/bin/sh\n{line}\n")
    program.chmod(0o700)
    return str(program)


@pytest.mark.usefixtures("untried")
def test_what_goes_wrong_in_a_process_is_said(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Network, "__init__", lambda *_: pytest.fail("it was loaded outside its trial"))
    monkeypatch.setattr("sys.executable", instead_of_python(tmp_path, "echo it is a trap; exit 3"))
    with pytest.raises(ModelRefused, match="it is a trap"):
        network(folder, digest_of(folder), "cpu")
    monkeypatch.setattr("sys.executable", instead_of_python(tmp_path, "exec sleep 600"))
    monkeypatch.setattr(trial, "_SECONDS", 0.05)
    with pytest.raises(ModelRefused, match=r"within 0\.05 seconds"):
        network(folder, digest_of(folder), "cpu")


def test_the_program_of_the_trial_gives_the_reason(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    edited(folder / "config.json", model_type="an unknown one")
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(digests_of(folder))))
    monkeypatch.setattr("sys.argv", ["trial_process", str(folder), "encoder"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(trial_process.__file__, run_name="__main__")
    assert ended.value.code == trial.REASON_GIVEN
    assert "no architecture 'an unknown one'" in capsys.readouterr().out


@pytest.mark.exhaustive
@pytest.mark.usefixtures("untried")
def test_what_goes_wrong_in_the_trial_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The two tests above show what is told of a process, and what the program of this one tells."""
    edited(folder / "config.json", model_type="an unknown one")
    monkeypatch.setattr(Network, "__init__", lambda *_: pytest.fail("it was loaded outside its trial"))
    with pytest.raises(ModelRefused, match="no architecture 'an unknown one'"):
        network(folder, digest_of(folder), "cpu")
    monkeypatch.setattr(trial, "_SECONDS", 0.05)
    with pytest.raises(ModelRefused, match=r"within 0\.05 seconds"):
        network(folder, digest_of(folder), "cpu")


def test_a_network_too_large_for_the_memory_is_refused_in_the_trial(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    edited(folder / "config.json", vocab_size=2_000_000, hidden_size=100_000)
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(digests_of(folder))))
    assert trial_process.main(str(folder), "encoder") == trial.REASON_GIVEN
    assert re.search("fit|memory|cannot be loaded", capsys.readouterr().out)


@pytest.mark.usefixtures("untried")
def test_a_process_that_dies_in_the_trial_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(ModelRefused, match=r"ended the process \(1\)"):
        trial.attempt(folder, digests_of(folder))


@pytest.mark.usefixtures("untried")
def test_a_limited_process_and_an_encoder_on_record_need_no_trial(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("subprocess.run", lambda *_, **__: pytest.fail("it was tried"))
    shipped = folders.locate("small_bert")
    assert shipped is not None
    trial.attempt(shipped, digests_of(shipped))
    monkeypatch.setattr(memory, "limited", lambda: True)
    trial.attempt(folder, digests_of(folder))
