"""Weights are vouched for by what is read when they are loaded, not by what was read before."""

import json
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.encoders import folders, network
from core.encoders.folders import WEIGHTS, digest_of, digests_of, locate, summed
from core.encoders.integrity import vouched
from core.encoders.network import Network
from core.encoders.records import DEFAULT, RECORDS
from core.errors import ModelRefused
from core.models.encoder import Encoder
from core.runtime.progress import Progress
from core.runtime.store import Store
from tests.encoders.tiny import tiny
from tests.stand_ins import context


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny(tmp_path_factory.mktemp("sound") / "model")


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "model"))


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the encoder that comes with the code, in its place."""
    original = locate(DEFAULT)
    assert original is not None
    copy = Path(shutil.copytree(original, tmp_path / "shipped" / DEFAULT))
    monkeypatch.setattr(folders, "_SHIPPED", copy.parent)
    network.network.cache_clear()
    return copy


def flip(path: Path, position: int = -1, keep_time: bool = True) -> None:
    """Change one byte of a file, and leave its time as it was."""
    before, content = path.stat(), bytearray(path.read_bytes())
    content[position] ^= 1
    path.write_bytes(content)
    if keep_time:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("name", [WEIGHTS, "tokenizer.json", "config.json"])
def test_a_flip_that_keeps_the_time_is_met_when_the_files_are_loaded(folder: Path, name: str) -> None:
    digests = digests_of(folder)
    flip(folder / name, (folder / name).read_bytes().rindex(b"1") if name != WEIGHTS else -1)
    assert digests_of(folder) == digests, "size and time are the same"
    with pytest.raises(ModelRefused, match=rf"{name} is damaged: .* it was {digests[name]}"):
        Network(folder, "cpu", digests)


@given(position=st.integers(min_value=0))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
def test_a_flip_anywhere_in_the_weights_is_met(folder: Path, position: int) -> None:
    digests, size = digests_of(folder), (folder / WEIGHTS).stat().st_size
    flip(folder / WEIGHTS, position % size)
    try:
        with pytest.raises(ModelRefused):
            Network(folder, "cpu", digests)
    finally:
        flip(folder / WEIGHTS, position % size)
    assert digests_of(folder) == digests


def test_an_experiment_on_flipped_weights_keeps_no_embedding(folder: Path, store: Store) -> None:
    encoder = Encoder(source=str(folder))
    assert encoder.key
    flip(folder / WEIGHTS)
    with pytest.raises(ModelRefused, match=rf"{WEIGHTS} is damaged"):
        encoder.encode(["a"], context(store))
    assert not list(store.root.glob("embeddings/*"))


@pytest.mark.parametrize("keep_time", [True, False])
def test_what_comes_with_the_code_is_held_to_its_record(shipped: Path, keep_time: bool, store: Store) -> None:
    Encoder().encode(["a"], context(store))
    network.network.cache_clear()
    expected = digests_of(shipped)[WEIGHTS]
    flip(shipped / WEIGHTS, keep_time=keep_time)
    with pytest.raises(ModelRefused, match=rf"{WEIGHTS} is damaged.* {expected}"):
        Encoder().encode(["b"], context(store))
    if not keep_time:
        with pytest.raises(ModelRefused, match=rf"{WEIGHTS} is damaged.* {expected}"):
            Encoder().open_encoder(context(store))


def test_a_card_that_was_changed_along_does_not_help(shipped: Path) -> None:
    flip(shipped / WEIGHTS, keep_time=False)
    card = json.loads((shipped / "card.json").read_text())
    (shipped / "card.json").write_text(json.dumps({**card, "files": digests_of(shipped)}))
    with pytest.raises(ModelRefused, match=rf"not those on record.*should be {RECORDS[DEFAULT].digest}"):
        vouched(DEFAULT, shipped)


def test_the_card_that_comes_with_the_code_lists_the_files_on_record() -> None:
    shipped = locate(DEFAULT)
    assert shipped is not None
    card = json.loads((shipped / "card.json").read_text())
    assert card["files"] == digests_of(shipped)
    assert card["digest"] == summed(card["files"]) == RECORDS[DEFAULT].digest


def test_the_store_of_the_hub_names_files_by_their_content(folder: Path, tmp_path: Path) -> None:
    repository = tmp_path / "models--org--name"
    snapshot, blobs = repository / "snapshots" / ("a" * 40), repository / "blobs"
    snapshot.mkdir(parents=True)
    blobs.mkdir()
    digests = digests_of(folder)
    for name, digest in digests.items():
        shutil.copy(folder / name, blobs / digest)
        (snapshot / name).symlink_to(f"../../blobs/{digest}")
    assert vouched("org/name", snapshot) == summed(digests)
    flip(blobs / digests[WEIGHTS], keep_time=False)
    with pytest.raises(ModelRefused, match=rf"{WEIGHTS} is damaged.*should be {digests[WEIGHTS]}"):
        vouched("org/name", snapshot)


def test_the_first_use_of_an_own_folder_whose_weights_were_replaced_tells_so(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TELLTALE_HOME", str(tmp_path / "home"))
    shipped = locate(DEFAULT)
    assert shipped is not None
    copied = Path(shutil.copytree(shipped, tmp_path / "own", ignore=shutil.ignore_patterns("card.json")))
    assert "changed" not in stage_of_embedding(copied, store)
    os.utime(copied / WEIGHTS, ns=(1, 1))
    assert "changed" not in stage_of_embedding(copied, store), "another time alone is no other content"
    flip(copied / WEIGHTS, keep_time=False)
    assert f"{WEIGHTS} changed since its last use" in stage_of_embedding(copied, store)
    assert "changed" not in stage_of_embedding(copied, store), "told once"


def stage_of_embedding(folder: Path, store: Store) -> str:
    """Return how a run calls the stage in which the encoder of a folder embeds a text; empty where it is stored."""
    stages: list[str] = []

    class Heard(Progress):
        def stage(self, name: str, total: int = 0, done: int = 0) -> None:
            stages.append(name)

    Encoder(source=str(folder)).encode(["A text."], context(store, progress=Heard()))
    return "".join(stages)


@pytest.mark.parametrize("card", ["", "[]", "{", '{"files": 3}', '{"files": {"README.md": "x"}}'])
def test_the_card_of_another_encoder_says_nothing_about_files(folder: Path, card: str) -> None:
    (folder / "card.json").write_text(card)
    if "README" in card:
        with pytest.raises(ModelRefused, match="lacks README"):
            vouched(str(folder), folder)
    else:
        assert vouched(str(folder), folder) == digest_of(folder)
