"""Causal language models by id on the hub, by folder, or by the name of one that comes with the code."""

from pathlib import Path

from core.encoders.folders import commit, digest_of, is_hub_id, locate
from core.errors import ModelRefused, ModelUnavailable

SMALL_LM_DATA = ("wikitext2", "wiki_split")
"""Datasets that the small language model was trained on (`core.networks.language.small_lm`)."""
_HERE = Path(__file__).parent

BUNDLED = {
    "small_lm": "c97d1d338f28d192333cf00b32ba41f9cf0799065fab0f77a9f760324ed15a4a",
    "example_lm/base": "d9f5b65b0162c3111671226962e9b5f9f7b91a348ebd3b97430060df2c867a31",
    "example_lm/tuned": "d906d1e430fb86c5be72c5fcea44a003891e595d5295df3cae64ba0919c54944",
}
"""Digest of each language model that comes with the code, by its folder beside this file."""


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

    A full commit on the hub identifies it before and after it is downloaded. Of ``main`` or a tag nobody knows before
    the download what it stands for, so that this changes with it.

    Arguments are those of `obtained`. It is empty where none is named, and ``"none"`` where loading it would fail.
    """
    if not source.strip():
        return ""
    if not bundled and commit(source, revision):
        return f"{source}@{revision}"
    folder = _HERE / bundled if bundled else locate(source, revision)
    try:
        if folder is not None:
            return digest_of(folder)
    except (ModelRefused, ModelUnavailable, OSError):
        return "none"  # loading it raises the error
    return f"{source}@{revision or 'main'}" if is_hub_id(source) else "none"
