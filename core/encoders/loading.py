"""Loads an encoder from a folder: of each file the very bytes that were checked, and no code of the folder's own."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

from core.encoders.folders import content_of, largest, read_files
from core.encoders.integrity import check_read
from core.encoders.safety import check, configuration, weights
from core.errors import ModelRefused, TelltaleError
from core.runtime import memory


def load(folder: Path, known: Mapping[str, str] | None = None) -> tuple[Any, Any]:
    """Return tokeniser and model, in full precision.

    The library is given copies in a folder of their own, and the weights as bytes: so it finds nothing else there, and
    what it reads is what was checked, whatever becomes of the files meanwhile.

    Args:
        folder: Where its files lie.
        known: SHA-256 that each file must have, by name; None for any.

    Raises:
        ModelRefused: The folder holds no encoder that can be loaded safely, or another one.
    """
    from transformers import CONFIG_MAPPING

    with tempfile.TemporaryDirectory(prefix="telltale-", ignore_cleanup_errors=True) as name:
        private = Path(name)
        contents = _read(folder, private, known)
        check(folder)
        kind = _configuration(folder, private)["model_type"]
        if kind not in CONFIG_MAPPING:
            raise ModelRefused(f"{folder}: this version of transformers has no architecture {kind!r}.")
        with _quiet():
            with refusing(f"The tokeniser in {folder} cannot be loaded"):
                tokenizer = _tokenizer(private)
            with refusing(f"The model in {folder} cannot be loaded"):
                model, report = _model(private, contents)
    # The pooler comes after the hidden states, and many folders lack it.
    missing = sorted(name for name in report["missing_keys"] if not name.startswith("pooler."))
    if missing or report["mismatched_keys"]:
        raise ModelRefused(
            f"The weights in {folder} do not fit its configuration: "
            f"{len(missing) + len(report['mismatched_keys'])} are missing or of another shape"
            f"{f', the first is {missing[0]}' if missing else ''}."
        )
    if model.config.is_encoder_decoder:
        raise ModelRefused(f"{folder} holds {kind!r}, which turns a text into a text, not into one vector.")
    if len(tokenizer) > (size := model.get_input_embeddings().num_embeddings):
        raise ModelRefused(f"The tokeniser in {folder} knows {len(tokenizer):,} tokens, its model {size:,}.")
    return tokenizer, model


@contextmanager
def refusing(failure: str) -> Iterator[None]:
    """Turn whatever a library raises into one error: broken files lead to any, the panics of Rust included.

    Args:
        failure: What did not work, to begin the message.

    Raises:
        ModelRefused: Something was raised.
        OutOfMemory: The process met its memory limit.
    """
    try:
        with memory.reported():
            yield
    except (TelltaleError, KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        line = str(error).strip().partition("\n")[0][:300]
        raise ModelRefused(f"{failure}: {line or type(error).__name__}") from error


def _read(folder: Path, private: Path, known: Mapping[str, str] | None) -> list[bytes]:
    """Return the contents of the files with weights, and copy the others.

    Raises:
        ModelRefused: They are not those that are known, or cannot be read.
    """
    files = read_files(folder)
    used = weights(folder)
    contents, digests = [], {}
    try:
        for path in files:
            if path.suffix == ".safetensors" and path not in used:
                with path.open("rb") as file:
                    digests[path.name] = file_digest(file, "sha256").hexdigest()
                continue
            content = content_of(path, largest(path))
            digests[path.name] = sha256(content).hexdigest()
            if path in used:
                contents.append(content)
            else:
                (private / path.name).write_bytes(content)
    except OSError as error:
        raise ModelRefused(f"{folder} cannot be read: {error}.") from None
    if known is not None:
        check_read(folder, digests, known)
    return contents


def _configuration(folder: Path, private: Path) -> dict[str, Any]:
    try:
        return configuration(private)
    except ModelRefused as error:
        raise ModelRefused(str(error).replace(str(private), str(folder))) from None


def _tokenizer(private: Path) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(private, local_files_only=True, trust_remote_code=False)


def _model(private: Path, contents: list[bytes]) -> tuple[Any, Any]:
    import torch
    from safetensors.torch import load as tensors_of
    from transformers import MODEL_MAPPING, AutoConfig

    config = AutoConfig.from_pretrained(private, local_files_only=True, trust_remote_code=False)
    model: Any = MODEL_MAPPING[type(config)]
    if isinstance(model, tuple):
        model = next((one for one in model if one.__name__ in (config.architectures or ())), model[0])
    state = {name: tensor for content in contents for name, tensor in tensors_of(content).items()}
    loaded: tuple[Any, Any] = model.from_pretrained(
        None, config=config, state_dict=state, dtype=torch.float32, output_loading_info=True
    )
    return loaded


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the library from drawing bars and reports on standard error."""
    from transformers.utils import logging

    verbosity = logging.get_verbosity()
    bars = logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
