"""Seals: a digest inside a file that covers every other byte of it."""

import hashlib
import re

_LAST = re.compile(rb"<!-- sealed sha256:([0-9a-f]{64}) -->\n")
_LAST_LENGTH = len(b"<!-- sealed sha256: -->\n") + 64
_FIRST = re.compile(rb'\{"sealed": "sha256:([0-9a-f]{64})",\n')
_FIRST_LENGTH = len(b'{"sealed": "sha256:",\n') + 64


def bears_seal(content: bytes) -> bool:
    """Tell whether a file has a seal, be it broken or not; what has none is no report."""
    return b"sealed" in content and b"sha256:" in content


def sealed(body: str, suffix: str) -> bytes:
    """Return a text with its digest: the last line of a page, or the first name of a JSON object.

    Args:
        body: The text; a JSON object without its opening brace.
        suffix: Suffix of the file, ``.json`` or another.
    """
    content = body.encode()
    digest = hashlib.sha256(content).hexdigest()
    if suffix == ".json":
        return f'{{"sealed": "sha256:{digest}",\n'.encode() + content
    return content + f"<!-- sealed sha256:{digest} -->\n".encode()


def opened(content: bytes) -> tuple[str, str] | None:
    """Return the body of a sealed file and its digest; None where any byte was changed.

    >>> body, digest = opened(sealed("evidence", ".md"))
    >>> body
    'evidence'
    >>> opened(sealed("evidence", ".md").replace(b"d", b"D", 1)) is None
    True
    """
    if content.startswith(b"{"):
        match, body = _FIRST.fullmatch(content[:_FIRST_LENGTH]), content[_FIRST_LENGTH:]
    else:
        match, body = _LAST.fullmatch(content[-_LAST_LENGTH:]), content[:-_LAST_LENGTH]
    if match is None or hashlib.sha256(body).hexdigest() != match[1].decode():
        return None
    return body.decode(), match[1].decode()
