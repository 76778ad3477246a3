"""Fetches a model from the Hugging Face hub: its safetensors, configuration and tokeniser, and nothing else."""

import os
from pathlib import Path

from core.encoders.folders import FILES, hub_cache, is_hub_id, locate, located
from core.encoders.records import RECORDS
from core.encoders.safety import CONVERSION
from core.errors import ModelRefused, ModelUnavailable

_TIMEOUT = 8.0
"""Seconds after which a hub that does not answer counts as out of reach."""


def obtain(source: str, revision: str = "") -> Path:
    """Return the folder of a model, downloading it when it comes from the hub and is not on this machine.

    Args:
        source: Name of a record, id on the hub, or path of a folder.
        revision: Commit, tag or branch on the hub; empty for the record's own, or ``main``.

    Raises:
        ModelUnavailable: It is neither on this machine nor reachable.
        ModelRefused: The hub has it in no safe format.
    """
    record = RECORDS.get(source)
    hub = record.hub if record else source if is_hub_id(source) else ""
    if not hub or (record and record.unavailable) or locate(source, revision):
        return located(source, revision)
    return _download(source, hub, revision or (record.revision if record else "main"))


def _download(source: str, hub: str, revision: str) -> Path:
    # The library reads its settings once, when it is imported.
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    from huggingface_hub import HfApi, snapshot_download
    from huggingface_hub.errors import RepositoryNotFoundError, RevisionNotFoundError

    try:
        info = HfApi().model_info(hub, revision=revision, timeout=_TIMEOUT)
        names = [file.rfilename for file in info.siblings or ()]
        if not any(name.endswith(".safetensors") and "/" not in name for name in names):
            raise ModelRefused(f"{hub} on the hub holds no safetensors at revision {revision!r}. {CONVERSION}")
        folder = snapshot_download(
            hub, revision=revision, allow_patterns=list(FILES), cache_dir=hub_cache(), etag_timeout=_TIMEOUT
        )
    except RevisionNotFoundError:
        raise ModelUnavailable(f"{hub} has no revision {revision!r} on the hub.") from None
    except RepositoryNotFoundError:
        raise ModelUnavailable(f"The hub has no model {hub!r}, or shows it to its members only.") from None
    except ModelRefused:
        raise
    # Each version of the library fails in other ways when there is no network.
    except Exception as error:
        raise ModelUnavailable(
            f"The model {source!r} is not on this machine, and the hub cannot be reached ({type(error).__name__}). "
            f"Fetch {hub} where there is a network and name the folder, or choose a model that is here."
        ) from None
    return Path(folder)
