"""Downloads that go on where an earlier one broke, and refusals of the disk in words."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import StoreFull, StoreReadOnly

if TYPE_CHECKING:
    from tqdm import tqdm

_CHUNK = 1 << 16
_TIMEOUT = (10, 60)
"""Seconds to connect, and without a byte, before a download gives up."""
_ATTEMPTS = 3


def download(url: str, part: Path, *, size: int, limit: int, label: str, progress: bool | None) -> str:
    """Download into a file, going on from where it ends, and again when the connection breaks.

    What was received before a broken connection stays in the file, for a later call to go on from.

    Args:
        url: Where from.
        part: The file.
        size: Expected size in bytes, for the bar.
        limit: Bytes after which the server has sent something else.
        label: What the bar says.
        progress: Whether a bar is drawn on standard error; None draws one on a terminal only.

    Returns:
        What went wrong, without the server's address; empty when the file is whole.

    Raises:
        OSError: The file cannot be written; it is removed.
    """
    import requests
    from tqdm import tqdm

    problem = ""
    disable = None if progress is None else not progress
    with tqdm(total=size, desc=label, unit="B", unit_scale=True, disable=disable) as bar:
        for _ in range(_ATTEMPTS):
            try:
                problem = _request(url, part, limit, bar)
            except requests.RequestException as error:
                problem = _in_words(error)
            except (ConnectionError, TimeoutError):
                problem = "the connection broke"
            except OSError:
                with suppress(OSError):
                    part.unlink()
                raise
            if not problem or problem.startswith("4"):
                break
    return problem


def _request(url: str, part: Path, limit: int, bar: "tqdm[Any]") -> str:
    """Ask once for the rest of a file; return what went wrong, or an empty text when the file is whole."""
    import requests

    have = part.stat().st_size if part.is_file() else 0
    headers = {"Accept-Encoding": "identity", **({"Range": f"bytes={have}-"} if have else {})}
    with requests.get(url, headers=headers, stream=True, timeout=_TIMEOUT) as response:
        if response.status_code == 416:
            part.unlink()
            return "the server does not continue an earlier download"
        if response.status_code not in (200, 206):
            return f"{response.status_code} {response.reason}"
        goes_on = response.status_code == 206 and response.headers.get("Content-Range", "").startswith(f"bytes {have}-")
        if response.status_code == 206 and not goes_on:
            part.unlink(missing_ok=True)
            return "the server does not continue an earlier download"
        have = have if goes_on else 0
        bar.reset()
        bar.update(have)
        length = response.headers.get("Content-Length", "")
        expected = have + int(length) if length.isdecimal() else have
        with part.open("ab" if goes_on else "wb") as stream:
            for chunk in response.iter_content(_CHUNK):
                stream.write(chunk)
                have += len(chunk)
                bar.update(len(chunk))
                if have > limit:
                    return ""
            stream.flush()
            os.fsync(stream.fileno())
    return "" if have >= expected else "the connection broke"


def _in_words(error: Exception) -> str:
    """Say what kept a download from happening, without the server's address."""
    import requests

    if isinstance(error, requests.Timeout):
        return "the server did not answer in time"
    if isinstance(error, ValueError):
        return "TELLTALE_MIRROR is no http address" if os.environ.get("TELLTALE_MIRROR") else "the address is not valid"
    if isinstance(error, requests.ConnectionError):
        return "no connection"
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return "the connection broke"
    return type(error).__name__


@contextmanager
def storing(path: Path) -> Iterator[None]:
    """Turn the system's refusals to write into errors that say what to do."""
    try:
        yield
    except OSError as error:
        raise _store_error(error, path) from None


def _store_error(error: OSError, path: Path) -> StoreFull | StoreReadOnly:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        free = _free(path)
        return StoreFull(f"No space is left for {path}{free}. Free some, or name another folder in TELLTALE_HOME.")
    return StoreReadOnly(
        f"{path} cannot be written ({error.strerror or error}). Name a folder of your own in TELLTALE_HOME."
    )


def _free(path: Path) -> str:
    folder = next((parent for parent in path.parents if parent.is_dir()), None)
    try:
        return f" ({shutil.disk_usage(folder).free / 1e6:.0f} MB free)" if folder else ""
    except OSError:
        return ""
