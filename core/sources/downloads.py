"""Downloads that resume where an earlier one broke off."""

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tqdm import tqdm

_CHUNK = 1 << 16
_TIMEOUT = (10, 60)
"""Seconds to wait for a connection, and for the next byte, before a download gives up."""
_ATTEMPTS = 3


def download(url: str, path: Path, *, size: int, limit: int, label: str, progress: bool | None) -> str:
    """Download into a file, resuming at its end, and again when the connection breaks.

    After a broken connection, the bytes received stay in the file for a later call to resume from.

    Args:
        url: Address of the file.
        path: File to write.
        size: Expected size in bytes, for the bar.
        limit: Size in bytes beyond which the server must have sent another file.
        label: Label of the bar.
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
                problem = _request(url, path, limit, bar)
            except requests.RequestException as error:
                problem = _described(error)
            except (ConnectionError, TimeoutError):
                problem = "the connection broke"
            except OSError:
                with suppress(OSError):
                    path.unlink()
                raise
            if not problem or problem.startswith("4"):
                break
    return problem


def _request(url: str, path: Path, limit: int, bar: "tqdm[Any]") -> str:
    """Request the rest of a file once; return what went wrong, or an empty text when the file is whole."""
    import requests

    received = path.stat().st_size if path.is_file() else 0
    headers = {"Accept-Encoding": "identity", **({"Range": f"bytes={received}-"} if received else {})}
    with requests.get(url, headers=headers, stream=True, timeout=_TIMEOUT) as response:
        if response.status_code == 416:
            path.unlink()
            return "the server does not continue an earlier download"
        if response.status_code not in (200, 206):
            return f"{response.status_code} {response.reason}"
        content_range = response.headers.get("Content-Range", "")
        resumed = response.status_code == 206 and content_range.startswith(f"bytes {received}-")
        if response.status_code == 206 and not resumed:
            path.unlink(missing_ok=True)
            return "the server does not continue an earlier download"
        received = received if resumed else 0
        bar.reset()
        bar.update(received)
        length = response.headers.get("Content-Length", "")
        expected = received + int(length) if length.isdecimal() else received
        with path.open("ab" if resumed else "wb") as stream:
            for chunk in response.iter_content(_CHUNK):
                stream.write(chunk)
                received += len(chunk)
                bar.update(len(chunk))
                if received > limit:
                    return ""
            stream.flush()
            os.fsync(stream.fileno())
    return "" if received >= expected else "the connection broke"


def _described(error: Exception) -> str:
    """Return why a download failed, without the server's address."""
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
