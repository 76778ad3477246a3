"""Causal language models by id on the hub, by folder, or by the name of one that comes with the code."""

from pathlib import Path

from core.encoders.folders import digest_of, is_hub_id, locate
from core.errors import ModelRefused, ModelUnavailable

_HERE = Path(__file__).parent


def obtained(source: str, revision: str = "", bundled: str = "") -> Path:
    """Return the folder of a model, downloaded first where it comes from the hub.

    Args:
        source: Path of a folder, or an id on the hub.
        revision: Commit on the hub; empty for main.
        bundled: The folder beside this file that is meant instead; empty for none.

    Raises:
        ModelUnavailable: It is neither on this machine nor reachable.
        ModelRefused: The hub has it in no safe format.
    """
    from core.encoders.hub import obtain

    return _HERE / bundled if bundled else obtain(source, revision)


def content(source: str, revision: str = "", bundled: str = "") -> str:
    """Return what identifies a model wherever it lies: the digest of its files, or else its revision on the hub.

    Arguments are those of `obtained`. It is empty where none is named, and ``"none"`` where loading it would fail.
    """
    if not source.strip():
        return ""
    folder = _HERE / bundled if bundled else locate(source, revision)
    try:
        if folder is not None:
            return digest_of(folder)
    except (ModelRefused, ModelUnavailable, OSError):
        return "none"  # loading it raises the error
    return f"{source}@{revision or 'main'}" if is_hub_id(source) else "none"
