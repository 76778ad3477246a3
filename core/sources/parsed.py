"""Documents that were already read once, kept under the user's folder so that the next load is quick."""

import gzip
import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from core.runtime.folders import home, write_whole
from core.text.contents import Documents

_FIELDS = ("texts", "owners", "labels", "dates")


def remembered(name: str, parse: Callable[[], Documents]) -> Documents:
    """Return the documents of a file that was written before where it is intact, else parse them.

    A file that fails its digest is set aside and made anew. A folder that cannot be written costs time, not the result.

    Args:
        name: Of the file; it must cover all that determines the documents.
        parse: Reads them from the dataset's files.
    """
    path = home() / "documents" / name
    documents = _load(path)
    if documents is None:
        documents = parse()
        with suppress(OSError):
            _save(path, documents)
    return documents


def _load(path: Path) -> Documents | None:
    """Return the documents of a file, or None where there is none or it fails its digest."""
    try:
        promised, _, packed = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    if hashlib.sha256(packed).hexdigest().encode() != promised:
        with suppress(OSError):
            path.replace(path.with_name(f"{path.name}.damaged"))
        return None
    content = json.loads(gzip.decompress(packed))
    texts, owners, labels, dates = (tuple(content.get(name, ())) for name in _FIELDS)
    return Documents(texts, owners, labels, dates=dates)


def _save(path: Path, documents: Documents) -> None:
    """Write the SHA-256 of what follows, a line end, and the documents as compressed JSON.

    JSON because it loads as fast as Parquet here and needs no library: a page that shows a sentence should not pay for
    importing one.
    """
    content = json.dumps({name: getattr(documents, name) for name in _FIELDS}).encode()
    packed = gzip.compress(content, compresslevel=1, mtime=0)
    write_whole(path, hashlib.sha256(packed).hexdigest().encode() + b"\n" + packed)
