"""Where an encoder lies on this machine, and a digest of its files; nothing here reads a network or a heavy library."""

import hashlib
import json
import os
import re
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from core.encoders.records import RECORDS, EncoderRecord
from core.errors import ModelUnavailable
from core.runtime.folders import folder_named, home

CONFIG = "config.json"
WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"
TOKENISER_FILES = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    "spiece.model",
    "sentencepiece.bpe.model",
)
FILES = (CONFIG, INDEX, "*.safetensors", *TOKENISER_FILES)
"""All that is ever read of an encoder; whatever else lies beside it is left alone."""

_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_SHIPPED = Path(__file__).resolve().parent


def is_hub_id(source: str) -> bool:
    """Tell an id on the hub (``"org/name"``) from the path of a folder."""
    return bool(_HUB_ID.fullmatch(source)) and not _is_folder(Path(source))


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
        found = next((path for path in candidates if path is not None and _is_folder(path)), None)
        return found or (_cached(record.hub, revision or record.revision) if record.hub else None)
    if is_hub_id(source):
        return _cached(source, revision or "main")
    try:
        path = Path(source).expanduser()
    except RuntimeError:  # There is no such user.
        return None
    return path if _is_folder(path) else None


def located(source: str, revision: str = "") -> Path:
    """Return the folder of an encoder that does not come from the hub.

    Raises:
        ModelUnavailable: It is not on this machine, or cannot be loaded at all.
    """
    record = RECORDS.get(source)
    if record and record.unavailable:
        raise ModelUnavailable(f"The encoder {source!r} ({record.title}) cannot be loaded: {record.unavailable}.")
    if found := locate(source, revision):
        return found
    if record and record.command:
        raise ModelUnavailable(f"The encoder {source!r} has not been trained yet. Train it: {record.command}")
    raise ModelUnavailable(f"No folder {source!r} is on this machine. Name a folder with {CONFIG} and {WEIGHTS} in it.")


def digest_of(folder: Path) -> str:
    r"""Return the SHA-256 of the lines ``"<sha256 of file>  <name>\n"`` of the files that are read, sorted by name."""
    lines = "".join(f"{_file_digest(path)}  {path.name}\n" for path in read_files(folder))
    return hashlib.sha256(lines.encode()).hexdigest()


def read_files(folder: Path) -> list[Path]:
    """Return the files of a folder that are read, sorted by name."""
    found = {path for pattern in FILES for path in folder.glob(pattern) if path.is_file()}
    return sorted(found, key=lambda path: path.name)


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
    if named := os.environ.get("HF_HUB_CACHE"):
        return folder_named(named)
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


def _file_digest(path: Path) -> str:
    status = path.stat()
    return _remembered(str(path.resolve()), status.st_size, status.st_mtime_ns)


@cache
def _remembered(path: str, size: int, changed: int) -> str:
    """Return the digest of a file, computed once for each path, size and time of change, by any process.

    Files of less than a megabyte are not worth remembering beyond the process.
    """
    if size < 1 << 20:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    name = hashlib.sha256(f"{path}\n{size}\n{changed}".encode()).hexdigest()[:32]
    note = home() / "encoders" / ".digests" / name
    with suppress(OSError, ValueError):
        known = json.loads(note.read_text())["sha256"]
        if isinstance(known, str) and re.fullmatch(r"[0-9a-f]{64}", known):
            return known
    with Path(path).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    with suppress(OSError):
        note.parent.mkdir(parents=True, exist_ok=True)
        fresh = note.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps({"path": path, "sha256": digest}))
        fresh.replace(note)
    return digest
