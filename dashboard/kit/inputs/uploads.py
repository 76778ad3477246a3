"""Stores uploads, each in a folder named by its content; a link can name no other file."""

import hashlib
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from core.corpora.source import ENDINGS
from core.errors import InvalidDocuments, InvalidSpec
from core.runtime.environment import whole_number
from core.runtime.folders import locked, writing
from core.runtime.store import Store
from dashboard.kit import visitors
from dashboard.kit.inputs import kept_uploads

TYPES = {
    "documents": ("csv", "tsv", "jsonl", "parquet", "gz", "txt"),
    "parallel_text": ("csv", "tsv"),
    "own_requests": ("jsonl", "txt"),
}
"""Endings of the files that each dataset reads, by the name of the dataset."""
MOST_FILES = 5_000
_TABLES = ("csv", "tsv", "jsonl", "gz", "parquet", "arrow", "feather")
_ARRAYS = ("npy", "npz", "safetensors", "faiss", "index")
VECTORS = {"source": (*_ARRAYS, *_TABLES), "texts": _TABLES, "queries": _TABLES}
"""Endings of the files of an audited store, of the texts beside its vectors, and of what it is searched for."""
MODEL_FILES = {
    "model": ("bin", "vec", "txt", "npy", "safetensors", "model", "kv"),
    "words": ("txt",),
    "marked": ("csv", "tsv", "jsonl", "parquet", "gz"),
    "asked": ("csv", "tsv", "jsonl", "parquet", "gz"),
    "answers": ("jsonl",),
}
"""Endings of the files of an audited model, of the words beside its matrix, of its marked documents, of those that
another model is asked about, and of its answers. Gensim's own, ``model`` and ``kv``, are refused once they are read,
with the lines that save the same vectors otherwise."""
VARIABLE = "TELLTALE_UPLOAD_MB"
"""Environment variable with the most megabytes that one session's uploads may have together."""

_File = TypeVar("_File", bound="_HasName")
_UNUSUAL = re.compile(r"[^A-Za-z0-9._-]+")


class _HasName(Protocol):
    @property
    def name(self) -> str: ...


def megabytes() -> int:
    """Return the most megabytes that one session's uploads may have together.

    Raises:
        InvalidSpec: The environment holds no number of megabytes.
    """
    return whole_number(VARIABLE, 200, 10_000, "megabytes")


def largest() -> int:
    """Return the same in bytes."""
    return megabytes() * 1_000_000


def read_together(files: Sequence[_File]) -> list[_File]:
    """Return the files of a field that are read together: the last one if it is a table, else all text files.

    So a file that was added by mistake is not in the way of the next.
    """
    if not files or not _is_text(files[-1].name):
        return list(files[-1:])
    return [file for file in files if _is_text(file.name)]


def save(store: Store, files: Sequence[tuple[str, bytes]], givers: tuple[str, ...] = ()) -> str:
    """Store an upload, one table or text files together, and return its path inside the uploads' folder.

    Args:
        store: Its root holds the folder.
        files: Name from the browser and content of each; names may recur. Text files lie in a folder that is
            named by the one file, or by their number.
        givers: Digests that name who uploads them.

    Raises:
        InvalidDocuments: The files cannot be documents together, or there is no room for them.
        StoreError: They cannot be stored.
    """
    endings = {name.rpartition(".")[2].lower() for name, _ in files}
    if not files or not all(_is_text(name) or name.lower().endswith(ENDINGS) for name, _ in files):
        raise InvalidDocuments(f"Upload .txt files, or one table ({', '.join(ENDINGS)}).")
    if len(files) > 1 and endings != {"txt"}:
        raise InvalidDocuments("Upload one table alone, or any number of .txt files.")
    if len(files) > MOST_FILES or sum(len(content) for _, content in files) > largest():
        raise InvalidDocuments(f"At most {MOST_FILES:,} files of {largest():,} bytes together can be uploaded.")
    return _write(store, _safe_names(files), givers, together=endings == {"txt"})


def save_one(store: Store, name: str, content: bytes, field: str, givers: tuple[str, ...] = ()) -> str:
    """Store a file of an audited store or model, and return its path inside the uploads' folder.

    Args:
        store: Its root holds the folder.
        name: Name from the browser.
        content: What it holds.
        field: Which of `VECTORS` or `MODEL_FILES` it is.
        givers: Digests that name who uploads it.

    Raises:
        InvalidDocuments: It is of another kind, or there is no room for it.
        StoreError: It cannot be stored.
    """
    endings = {**VECTORS, **MODEL_FILES}[field]
    if name.rpartition(".")[2].lower() not in endings:
        raise InvalidDocuments(f"Upload a file of one of these kinds: {', '.join(endings)}. Got {name!r}.")
    if len(content) > largest():
        raise InvalidDocuments(f"At most {largest():,} bytes can be uploaded. {name!r} has {len(content):,}.")
    return _write(store, _safe_names([(name, content)]), givers)


def _write(store: Store, contents: dict[str, bytes], givers: tuple[str, ...], *, together: bool = False) -> str:
    """Write files into a folder named by their content, text files into one folder inside it; return the path."""
    label = next(iter(contents)) if len(contents) == 1 else f"{len(contents)} text files"
    digest = hashlib.sha256(label.encode() if together else b"")
    for name, content in sorted(contents.items()):
        digest.update(f"{hashlib.sha256(content).hexdigest()}  {name}\n".encode())
    upload_id = digest.hexdigest()[:16]
    kept_uploads.expire(store)
    with locked(kept_uploads.LOCK, store.root), writing(store.root):
        kept_uploads.admit(store, upload_id, kept_uploads.on_disk(map(len, contents.values())), givers)
        base = kept_uploads.folder(store)
        base.mkdir(parents=True, exist_ok=True)
        if not (base / upload_id).is_dir():
            with tempfile.TemporaryDirectory(dir=base, prefix=".", ignore_cleanup_errors=True) as temporary:
                fresh = Path(temporary) / upload_id
                inner = fresh / label if together else fresh
                inner.mkdir(parents=True)
                for name, content in contents.items():
                    (inner / name).write_bytes(content)
                fresh.rename(base / upload_id)
        kept_uploads.note(store, upload_id, givers)
    return f"{upload_id}/{label}"


def locate(store: Store, text: str, field: str) -> str:
    """Return the full path of an upload by its name in a link.

    Where the server names owners, an upload is visible only to the visitor who gave it.

    Raises:
        InvalidSpec: There is no such upload.
    """
    if not text:
        return ""
    base = kept_uploads.folder(store).resolve()
    try:
        path = (base / text).resolve()
        inside = path != base and path.is_relative_to(base) and path.exists()
        allowed = inside and _is_allowed(store, path.relative_to(base).parts[0])
    except (OSError, ValueError, RuntimeError):
        allowed, path = False, base
    if not allowed:
        raise InvalidSpec(f"The {field!r} parameter must be something uploaded here. Upload it again.", field)
    return str(path)


def called(store: Store, path: str) -> str:
    """Return the name of an upload in a link; empty for a path outside the uploads' folder."""
    try:
        return Path(path).resolve().relative_to(kept_uploads.folder(store).resolve()).as_posix() if path else ""
    except (OSError, ValueError, RuntimeError):
        return ""


def _is_allowed(store: Store, upload_id: str) -> bool:
    """Tell whether the visitor gave an upload, or may read it nevertheless."""
    return visitors.current().may_read(kept_uploads.times_given(store, upload_id))


def _is_text(name: str) -> bool:
    return name.lower().endswith(".txt")


def _safe_names(files: Sequence[tuple[str, bytes]]) -> dict[str, bytes]:
    safe: dict[str, bytes] = {}
    for number, (name, content) in enumerate(files):
        stem, _, ending = Path(name).name.rpartition(".")
        stem = _UNUSUAL.sub("_", stem).strip("._")[:60] or "documents"
        unique = f"{stem}.{ending.lower()}"
        while unique in safe:
            stem = f"{stem}-{number}"
            unique = f"{stem}.{ending.lower()}"
        safe[unique] = content
    return safe
