"""Documents that were already read once, kept as Parquet under the user's folder so that the next load is quick."""

import hashlib
import io
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from core.datasets import Dataset, Documents


def remembered(dataset: Dataset, parse: Callable[[], Documents]) -> Documents:
    """Return a dataset's documents, from the file of its key where it is intact, else by parsing.

    A file that fails its digest is set aside and made anew. A folder that cannot be written costs time, not the result.

    Args:
        dataset: Whose documents; its key must cover all that determines them.
        parse: Reads them from the dataset's files.
    """
    path = _path(dataset)
    kept = _load(path)
    if kept is None:
        kept = parse()
        with suppress(OSError):
            _save(path, kept)
    return kept


def _path(dataset: Dataset) -> Path:
    from core.store import home

    return home() / "documents" / f"{dataset.part_name()}-{dataset.key}.parquet"


def _digest_path(path: Path) -> Path:
    return path.with_name(path.name + ".sha256")


def _load(path: Path) -> Documents | None:
    try:
        content, promised = path.read_bytes(), _digest_path(path).read_text()
    except (OSError, UnicodeError):
        return None
    if hashlib.sha256(content).hexdigest() != promised:
        with suppress(OSError):
            path.replace(path.with_name(path.name + ".damaged"))
        return None
    import pyarrow.parquet as pq

    # Arrow's threads may still be ending when a short process does, which would abort it.
    table = pq.ParquetFile(io.BytesIO(content)).read(use_threads=False)
    texts = tuple(table.column("text").to_pylist())
    owners = tuple(table.column("owner").to_pylist()) if "owner" in table.column_names else ()
    return Documents(texts, owners)


def _save(path: Path, documents: Documents) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {"text": pa.array(documents.texts, pa.string())}
    if documents.owners:
        columns["owner"] = pa.array(documents.owners, pa.string())
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer, compression="zstd")
    content = buffer.getvalue()
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(path, content)
    _write(_digest_path(path), hashlib.sha256(content).hexdigest().encode())


def _write(path: Path, content: bytes) -> None:
    """Write to a temporary name, flush and rename, so that the file is whole or absent."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
