"""The members of zip files, which are never unpacked to disk."""

import io
import zipfile
import zlib
from collections.abc import Iterator

from core.errors import DataCorrupt

LIMIT = 1 << 28
"""Bytes a zip file may hold when unpacked."""


def members(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the paths and contents of the files in a zip file, in its order.

    Raises:
        DataCorrupt: It cannot be read, or unpacks to too many bytes.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > LIMIT:
                raise DataCorrupt(f"{name} unpacks to more than {LIMIT:,} bytes.")
            for entry in archive.infolist():
                if not entry.is_dir():
                    yield entry.filename, archive.read(entry)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError) as error:  # also unknown, or encrypted
        raise DataCorrupt(f"{name} is not a readable zip file: {error}.") from None
