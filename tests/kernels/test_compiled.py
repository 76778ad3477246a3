"""Kept machine code saves time and nothing else: what is damaged, crafted or in the wrong hands is never believed."""

import hashlib
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from core.kernels.compiled import compiled

ROOT = Path(__file__).resolve().parents[2]
TRAIN = """
import numpy as np
from core.kernels import cooccurrence
pairs = np.arange(6, dtype=np.int32)
words, contexts = cooccurrence.train(
    pairs, pairs[::-1].copy(), np.ones(6, np.float32), 6, dimension=4, epochs=2, learning_rate=0.05, ceiling=10.0,
    exponent=0.75, rng=np.random.default_rng(1),
)
print((words + contexts).tobytes().hex(), sum(cooccurrence._epoch.stats.cache_hits.values()))
"""


class Crafted:
    """Makes a file when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.mark),)


def train(caches: Path) -> tuple[str, int]:
    """Train in a process of its own; return the vectors, and how often kept machine code was used."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(caches), "TELLTALE_HOME": str(caches / "home")}
    done = subprocess.run(
        [sys.executable, "-c", TRAIN], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    vectors, hits = done.stdout.split()
    return vectors, int(hits)


def added() -> tuple[float, int]:
    """Add two numbers as a process would that has compiled nothing yet; return the sum, and uses of kept code."""
    loop = compiled()(_add)
    return loop(2.0, 0.5), sum(loop.stats.cache_hits.values())


def _add(first: float, second: float) -> float:
    return first + second


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of caches in which one loop has been kept."""
    folder = tmp_path_factory.mktemp("caches")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        assert added() == (2.5, 0)
    assert len(kept(folder)) == 1
    return folder


@pytest.fixture
def caches(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that folder, in use."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    return Path(shutil.copytree(filled, tmp_path / "caches"))


def kept(caches: Path) -> list[Path]:
    return sorted(path for path in (caches / "telltale" / "kernels").iterdir() if "." not in path.name[-8:])


@pytest.mark.exhaustive
def test_machine_code_of_a_training_is_used_by_the_next_process(tmp_path: Path) -> None:
    """The next test shows it with a small loop, which is compiled and used as two processes would."""
    whole, hits = train(tmp_path)
    assert not hits
    assert train(tmp_path) == (whole, 1)


def test_what_is_kept_is_for_this_user_alone_and_is_used(filled: Path, caches: Path, home: Path) -> None:
    assert (filled / "telltale" / "kernels").stat().st_mode & 0o777 == 0o700
    assert [path.stat().st_mode & 0o777 for path in kept(filled)] == [0o600]
    assert added() == (2.5, 1)
    assert not home.exists(), "no code lies among the data"


@pytest.mark.parametrize("position", [0, 40, -1])
def test_damaged_machine_code_is_set_aside_and_compiled_again(caches: Path, position: int) -> None:
    (path,) = kept(caches)
    content = bytearray(path.read_bytes())
    content[position] ^= 0xFF
    path.write_bytes(content)
    assert added() == (2.5, 0)
    assert path.with_name(f"{path.name}.damaged").read_bytes() == bytes(content)
    assert hashlib.sha256(path.read_bytes()[32:]).digest() == path.read_bytes()[:32], "kept anew"


def test_cut_machine_code_is_compiled_again(caches: Path) -> None:
    (path,) = kept(caches)
    path.write_bytes(path.read_bytes()[:1000])
    assert added() == (2.5, 0)


def test_a_crafted_file_without_its_digest_is_not_unpickled(caches: Path, tmp_path: Path) -> None:
    (path,) = kept(caches)
    path.write_bytes(pickle.dumps(Crafted(tmp_path / "mark")))
    assert added() == (2.5, 0)
    assert not (tmp_path / "mark").exists()


@pytest.mark.parametrize("mode", [0o777, 0o750])
def test_a_folder_that_others_may_enter_is_set_aside(caches: Path, tmp_path: Path, mode: int) -> None:
    craft(caches, tmp_path / "mark")
    kept(caches)[0].parent.chmod(mode)
    assert added() == (2.5, 0)
    assert not (tmp_path / "mark").exists()
    assert list((caches / "telltale").glob("kernels.refused-*"))
    assert len(kept(caches)) == 1, "kept anew"


def test_a_link_in_place_of_the_folder_or_of_a_file_is_not_followed(caches: Path, tmp_path: Path) -> None:
    craft(caches, tmp_path / "mark")
    (path,) = kept(caches)
    elsewhere = path.rename(tmp_path / "elsewhere")
    path.symlink_to(elsewhere)
    assert added() == (2.5, 0)
    folder = path.parent
    other = folder.rename(tmp_path / "other")
    folder.symlink_to(other)
    assert added() == (2.5, 0)
    assert not (tmp_path / "mark").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_neither_used_nor_changed(caches: Path, tmp_path: Path) -> None:
    craft(caches, tmp_path / "mark")
    (path,) = kept(caches)
    os.chown(path.parent, 12345, 12345)
    assert added() == (2.5, 0)
    assert not (tmp_path / "mark").exists() and path.exists()


def craft(caches: Path, mark: Path) -> None:
    """Put a harmful file, with a digest that is right, in the place of kept machine code."""
    content = pickle.dumps(Crafted(mark))
    (path,) = kept(caches)
    path.write_bytes(hashlib.sha256(content).digest() + content)
