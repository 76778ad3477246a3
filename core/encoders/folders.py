"""Where an encoder lies on this machine, and a digest of its files; nothing here reads a network or a heavy library."""

import hashlib
import os
import re
import stat
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from pydantic import BaseModel, Field

from core.encoders.records import RECORDS, EncoderRecord
from core.errors import ModelRefused, ModelUnavailable
from core.runtime.folders import folder_named, home, write_whole
from core.sources.user_files import nearest

CONFIG = "config.json"
WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"
MODULES = "modules.json"
"""What sentence-transformers does to a text, step by step."""
TOKENISER_SETTINGS = "tokenizer_config.json"
TOKENISER_FILES = (
    "tokenizer.json",
    TOKENISER_SETTINGS,
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    "spiece.model",
    "sentencepiece.bpe.model",
    "source.spm",
    "target.spm",
    "target_vocab.json",
)
FILES = (CONFIG, INDEX, "*.safetensors", *TOKENISER_FILES)
"""The only files of an encoder that are ever read."""

LARGEST_WEIGHTS = 40_000_000_000
LARGEST = 50_000_000
"""Bytes that any other file may have."""
MOST_FILES = 1000

_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_SHIPPED = Path(__file__).resolve().parent


def is_hub_id(source: str) -> bool:
    """Tell an id on the hub (``"org/name"``) from the path of a folder."""
    return bool(_HUB_ID.fullmatch(source)) and _folder(source) is None


def commit(source: str, revision: str) -> str:
    """Return the full commit that a revision of a model on the hub is, or an empty text for any other.

    A commit stands for the same files for good, whether they are on this machine or not; ``main`` does not.

    >>> commit("someone/something", "main"), commit("someone/something", 40 * "a")[:4]
    ('', 'aaaa')
    """
    return revision if is_hub_id(source) and _COMMIT.fullmatch(revision) else ""


def locate(source: str, revision: str = "") -> Path | None:
    """Return the folder of an encoder, or None when it is not on this machine.

    A named encoder is looked for in what comes with the code, in the package that carries it, among those trained
    here (``TELLTALE_HOME/encoders``), and in the cache of the hub.

    Args:
        source: Name of a record, id on the hub, or path of a folder.
        revision: Commit, tag or branch on the hub; empty for the record's own, or ``main``.
    """
    if record := RECORDS.get(source):
        candidates = [_SHIPPED / record.name, _packaged(record), home() / "encoders" / record.name]
        if revision and revision != record.revision:
            candidates = []
        folder = next((path for path in candidates if path is not None and _is_folder(path)), None)
        return folder or (_cached(record.hub, revision or record.revision) if record.hub else None)
    if is_hub_id(source):
        return _cached(source, revision or "main")
    return _folder(source)


def located(source: str, revision: str = "") -> Path:
    """Return the folder of an encoder that does not come from the hub.

    Raises:
        ModelUnavailable: It is not on this machine, or cannot be loaded at all.
    """
    record = RECORDS.get(source)
    if record and record.unavailable:
        raise ModelUnavailable(f"The encoder {source!r} ({record.title}) cannot be loaded: {record.unavailable}.")
    if folder := locate(source, revision):
        return folder
    if record and record.command:
        raise ModelUnavailable(f"The encoder {source!r} has not been trained yet. Train it: {record.command}")
    named = f"Name a folder with {CONFIG} and {WEIGHTS} in it."
    raise ModelUnavailable(f"No folder {source!r} is on this machine.{nearest(source)} {named}")


def pinned(source: str, folder: Path) -> str:
    """Return the digest on record of a folder that comes with the code or in a package, or an empty text."""
    record = RECORDS.get(source)
    return record.digest if record and folder in (_SHIPPED / record.name, _packaged(record)) else ""


def digest_of(folder: Path) -> str:
    """Return one digest of all files that are read (`summed`).

    Raises:
        ModelRefused: Something there is no file, or too large.
    """
    return summed(digests_of(folder))


def digests_of(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file that is read, by name; it is not computed again while size and time stay.

    Raises:
        ModelRefused: Something there is no file, or too large.
    """
    return {path.name: _file_digest(path) for path in read_files(folder)}


def weights_of(folder: Path) -> set[str]:
    """Return the SHA-256 of each file of weights, under whatever name.

    Raises:
        ModelRefused: Something there is no file, or too large.
    """
    return {digest for name, digest in digests_of(folder).items() if name.endswith(".safetensors")}


def summed(digests: Mapping[str, str]) -> str:
    r"""Return the SHA-256 of the lines ``"<sha256 of file>  <name>\n"``, sorted by name."""
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(digests.items()))
    return hashlib.sha256(lines.encode(errors="surrogateescape")).hexdigest()


def read_files(folder: Path) -> list[Path]:
    """Return the files of a folder that are read, sorted by name.

    Raises:
        ModelRefused: One is a device, a pipe, a link that leaves the folder, or too large; or there are too many.
    """
    named = (path for path in folder.glob("*") if path.name in FILES or path.name.endswith(".safetensors"))
    files = [path for path in named if not path.is_dir() and (path.exists() or path.name not in FILES)]
    if len(files) > MOST_FILES:
        raise ModelRefused(f"{folder} holds {len(files):,} files of an encoder. At most {MOST_FILES:,} are read.")
    for path in files:
        _refuse_irregular(path)
    return sorted(files, key=lambda path: path.name)


def content_of(path: Path, most: int) -> bytes:
    """Return the bytes of a file, and never wait for those of a pipe or a device.

    Raises:
        ModelRefused: It is no regular file, or has more bytes than it may.
        OSError: It cannot be read.
    """
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        status = os.fstat(file.fileno())
        _refuse_status(path, status, most)
        return file.read(status.st_size)


def largest(path: Path) -> int:
    """Return how many bytes a file may have."""
    return LARGEST_WEIGHTS if path.suffix == ".safetensors" else LARGEST


def _refuse_irregular(path: Path) -> None:
    try:
        _refuse_status(path, path.stat(), largest(path))
        if path.is_symlink():
            _refuse_link(path, path.resolve(strict=True))
    except (OSError, RuntimeError) as error:
        raise ModelRefused(f"{path} cannot be read: {error}.") from None


def _refuse_status(path: Path, status: os.stat_result, most: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise ModelRefused(f"{path} must be a regular file. It is a device, a pipe or a socket, or a link to one.")
    if status.st_size > most:
        raise ModelRefused(f"{path} has {status.st_size:,} bytes. At most {most:,} are read.")


def _refuse_link(path: Path, target: Path) -> None:
    folder = path.parent.resolve()
    # The hub's cache keeps all revisions of a model in one place, and each of them is a folder of links to it.
    blobs = folder.parent.parent / "blobs"
    if target.is_relative_to(folder) or (folder.parent.name == "snapshots" and target.parent == blobs):
        return
    raise ModelRefused(f"{path} is a link to {target}, outside the folder. Copy the file to where the link is.")


def _folder(source: str) -> Path | None:
    """Return the folder of a path, or None where there is none, or it may not be looked at."""
    try:
        path = Path(source).expanduser()
    except RuntimeError:  # There is no such user.
        return None
    return path if _is_folder(path) else None


def _packaged(record: EncoderRecord) -> Path | None:
    """Return the folder inside an installed package, which is found without being imported."""
    if not record.package:
        return None
    try:
        return Path(str(distribution(record.package).locate_file(record.package_folder)))
    except PackageNotFoundError:
        return None


def hub_cache() -> Path:
    """Return the folder where the hub's own library keeps its downloads."""
    if cache := os.environ.get("HF_HUB_CACHE"):
        return folder_named(cache)
    base = os.environ.get("HF_HOME") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "huggingface"
    return folder_named(str(base)) / "hub"


def _cached(hub: str, revision: str) -> Path | None:
    """Return the snapshot of a revision, where it holds a model."""
    repository = hub_cache() / f"models--{hub.replace('/', '--')}"
    commit = revision
    if not _COMMIT.fullmatch(revision):
        try:
            commit = (repository / "refs" / revision).read_text().strip()
        except (OSError, ValueError):
            return None
    snapshot = repository / "snapshots" / commit
    try:
        return snapshot if (snapshot / CONFIG).is_file() and any(snapshot.glob("*.safetensors")) else None
    except OSError:
        return None


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


class _Note(BaseModel):
    """The digest of a file by its size and time of change, and the digest that it had before it was replaced."""

    path: str
    size: int
    changed: int
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    before: str = ""


def replaced(folder: Path) -> list[str]:
    """Return the names of the large files that have been replaced since their digest was first taken."""
    notes = {path.name: _noted(str(path.resolve())) for path in read_files(folder)}
    return [name for name, note in notes.items() if note and note.before]


def _file_digest(path: Path) -> str:
    status = path.stat()
    return _remembered(str(path), (status.st_dev, status.st_ino), status.st_size, status.st_mtime_ns)


@cache
def _remembered(name: str, _node: tuple[int, int], size: int, changed: int) -> str:
    """Return the digest of a file, computed once for each path, node, size and time of change, by any process."""
    path = str(Path(name).resolve())
    if size < 1 << 20:  # not worth remembering beyond the process
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    known = _noted(path)
    if known and (known.size, known.changed) == (size, changed):
        return known.sha256
    with Path(path).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    before = "" if known is None else known.before if known.sha256 == digest else known.sha256
    with suppress(OSError):
        note = _Note(path=path, size=size, changed=changed, sha256=digest, before=before)
        write_whole(_note_file(path), note.model_dump_json().encode())
    return digest


def _noted(path: str) -> _Note | None:
    with suppress(OSError, ValueError):
        return _Note.model_validate_json(_note_file(path).read_bytes())
    return None


def _note_file(path: str) -> Path:
    return home() / "encoders" / ".digests" / hashlib.sha256(path.encode(errors="surrogateescape")).hexdigest()[:32]
