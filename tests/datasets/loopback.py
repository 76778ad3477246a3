"""What the tests of data share: a loopback server that misbehaves on demand, archives, and the folder of real data."""

import io
import os
import tarfile
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import ClassVar

import pytest

REAL_DATA = Path(os.environ.get("TELLTALE_DATA", "/nonexistent"))


def needs(*folders: str) -> pytest.MarkDecorator:
    """Mark a test that reads the real files."""
    missing = [folder for folder in folders if not (REAL_DATA / folder).is_dir()]
    return pytest.mark.skipif(bool(missing), reason=f"TELLTALE_DATA holds no {', '.join(missing)}")


@dataclass
class Server:
    """Files by path, how to answer, and the requests received (path and Range header)."""

    url: str
    files: dict[str, bytes] = field(default_factory=dict)
    behaviour: str = "well"
    requests: list[tuple[str, str | None]] = field(default_factory=list)


class Handler(BaseHTTPRequestHandler):
    state: ClassVar[Server]

    def do_GET(self) -> None:
        state, start = self.state, 0
        wanted = self.headers.get("Range")
        state.requests.append((self.path, wanted))
        content = state.files.get(self.path)
        if state.behaviour == "fails":
            self.send_error(500)
            return
        if content is None:
            self.send_error(404)
            return
        if state.behaviour == "portal":
            content = b"<html>Please sign in</html>"
        if wanted and state.behaviour != "ignores ranges":
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            if start >= len(content):
                self.send_error(416)
                return
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        breaks = state.behaviour == "always breaks" or (state.behaviour == "breaks once" and not wanted)
        self.wfile.write(content[start : start + (len(content) - start) // 2 if breaks else None])

    def log_message(self, *args: object) -> None:
        """Say nothing."""


def tar(files: dict[str, bytes], compression: str = "gz", links: tuple[tuple[str, str], ...] = ()) -> bytes:
    """Return a tar archive of the files and symbolic links."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=f"w:{compression}") as archive:
        for path, content in files.items():
            entry = tarfile.TarInfo(path)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
        for path, target in links:
            entry = tarfile.TarInfo(path)
            entry.type, entry.linkname = tarfile.SYMTYPE, target
            archive.addfile(entry)
    return stream.getvalue()
