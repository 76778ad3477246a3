"""Whether an encoder's files are those that were published, and those that a key was made of."""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from core.encoders.folders import content_of, digests_of, pinned, summed
from core.errors import ModelRefused

CARD = "card.json"
"""What our own training writes beside an encoder: among other things the SHA-256 of each of its files."""

_LONGEST_CARD = 1_000_000
_SHA256 = re.compile(r"[0-9a-f]{64}")


def vouched(source: str, folder: Path) -> str:
    """Return the digest of a folder, none of whose files differs from the digests that its publisher gave.

    The source is what it was located by: the name of a record, an id on the hub, or its path.
    What comes with the code or in a package has its digest on record; our own training leaves a card beside the files;
    the hub's cache names each large file by its SHA-256. No digest is known for any other folder.

    Raises:
        ModelRefused: A file is not what it should be; the message says which, and what it should be.
    """
    digests = digests_of(folder)
    promised = _promises(folder)
    for name in sorted(promised.keys() - digests.keys()):
        raise ModelRefused(f"{folder} lacks {name}, which its {CARD} lists. {_REPAIR}")
    for name, digest in sorted(digests.items()):
        if promised.get(name, digest) != digest:
            raise ModelRefused(
                f"{folder / name} is damaged, or was replaced: its SHA-256 is {digest}, and should be "
                f"{promised[name]}. {_REPAIR}"
            )
    digest = summed(digests)
    if (expected := pinned(source, folder)) and digest != expected:
        raise ModelRefused(
            f"The files of the encoder {source!r} in {folder} ({', '.join(sorted(digests))}) are not those on record: "
            f"their digest is {digest}, and should be {expected}. {_REPAIR}"
        )
    return digest


def check_read(folder: Path, read: Mapping[str, str], known: Mapping[str, str]) -> None:
    """Refuse files that are not, in the moment they are loaded, those that a key was made of.

    Args:
        folder: Where they lie.
        read: SHA-256 of what was read, by the name of the file.
        known: SHA-256 of what a key was made of.

    Raises:
        ModelRefused: One is another; the message says which file differs from what.
    """
    for name in sorted(read.keys() | known.keys()):
        if read.get(name) != known.get(name):
            raise ModelRefused(
                f"{folder / name} is damaged: what was read has the SHA-256 {read.get(name, 'of no file')}, and when "
                f"it was last written it was {known.get(name, 'no file')}. Restore the file; if the change was meant, "
                "give it a new time (touch), and ask again."
            )


_REPAIR = "Restore the file, or fetch or train the encoder again."


def _promises(folder: Path) -> dict[str, str]:
    """Return the published SHA-256 of files, by name."""
    promised = {}
    with suppress(OSError, ValueError, RecursionError, ModelRefused):
        card = json.loads(content_of(folder / CARD, _LONGEST_CARD))
        files = card.get("files") if isinstance(card, dict) else None
        if isinstance(files, dict):
            promised = {str(name): str(digest) for name, digest in files.items()}
    for name in digests_of(folder):
        # A link to the hub's store of files, where the large ones are called after their content.
        target = (folder / name).resolve()
        if target.parent.name == "blobs" and _SHA256.fullmatch(target.name):
            promised[name] = target.name
    return promised
