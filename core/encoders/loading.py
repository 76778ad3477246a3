"""Loads a model from a folder: of each file the very bytes that were checked, and no code of the folder's own."""

import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import file_digest, sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from core.encoders.folders import CONFIG, MODULES, content_of, largest, read_files
from core.encoders.integrity import check_read
from core.encoders.safety import check, check_own_code, configuration, weights
from core.errors import ModelRefused, TelltaleError
from core.runtime import memory

_CAUSAL = ("ForCausalLM", "LMHeadModel")
"""How the names of causal language models end in transformers."""
_TRANSLATING = ("ForConditionalGeneration", "MTModel")
"""How the names of models that turn a text into a text end in transformers."""
_SENTENCEPIECE = ("source.spm", "spiece.model", "sentencepiece.bpe.model")
"""What transformers reads with another package, unless a tokenizer.json says the same."""
Kind = Literal["encoder", "causal", "translator"]
"""What a folder holds: an encoder, a causal language model, or one that turns a text into a text."""


def load(folder: Path, known: Mapping[str, str] | None = None) -> tuple[Any, Any]:
    """Return tokeniser and model of an encoder, in full precision.

    The library is given copies in a folder of their own, and the weights as bytes: so it finds nothing else there, and
    what it reads is what was checked, whatever becomes of the files meanwhile.

    Args:
        folder: Where its files lie.
        known: SHA-256 that each file must have, by name; None for any.

    Raises:
        ModelRefused: The folder holds no encoder that can be loaded safely, or another one.
    """
    tokenizer, model = _loaded(folder, known, _body)
    if model.config.is_encoder_decoder:
        raise ModelRefused(
            f"{folder} holds {model.config.model_type!r}, which turns a text into a text, not into one vector."
        )
    return tokenizer, model


def load_causal(folder: Path, known: Mapping[str, str] | None = None) -> tuple[Any, Any]:
    """Return tokeniser and model of a causal language model, its head included, as `load` does.

    Raises:
        ModelRefused: The folder holds no causal language model that can be loaded safely, or another one.
    """
    check_causal(folder)
    tokenizer, model = _loaded(folder, known, _causal)
    _compute_gelu_at_once(model)
    return tokenizer, model


def load_translator(folder: Path, known: Mapping[str, str] | None = None) -> tuple[Any, Any]:
    """Return tokeniser and model of one that turns a text into a text, its head included, as `load` does.

    Raises:
        ModelRefused: The folder holds no such model that can be loaded safely, or another one.
    """
    check_own_code(folder, check(folder))
    return _loaded(folder, known, _translating)


def kind_of(folder: Path) -> Kind:
    """Return what a folder holds by its configuration; nothing is loaded.

    Raises:
        ModelRefused: It holds no configuration, or one that cannot be read safely.
    """
    if (folder / MODULES).is_file():
        return "encoder"
    config = configuration(folder)
    named = config.get("architectures")
    names = [str(name) for name in named] if isinstance(named, list) else []
    if any(name.endswith(_CAUSAL) for name in names):
        return "causal"
    if config.get("is_encoder_decoder") is True or any(name.endswith(_TRANSLATING) for name in names):
        return "translator"
    return "encoder"


def check_causal(folder: Path) -> dict[str, Any]:
    """Return the configuration of a folder that holds a causal language model; nothing is loaded.

    Raises:
        ModelRefused: It holds something else, or what it holds cannot be read safely.
    """
    config = check(folder)
    check_own_code(folder, config)
    named = config.get("architectures")
    if not isinstance(named, list) or not any(str(name).endswith(_CAUSAL) for name in named):
        raise ModelRefused(
            f"{folder} must hold a causal language model, such as GPT2LMHeadModel or LlamaForCausalLM. Its {CONFIG} "
            f"names {', '.join(map(str, named)) if isinstance(named, list) else 'no architecture'}. An encoder is read "
            "by attacks on embeddings, such as python -m core run multilabel_inversion --set model.source=FOLDER."
        )
    return config


def _loaded(folder: Path, known: Mapping[str, str] | None, class_of: Callable[[Path, Any], Any]) -> tuple[Any, Any]:
    """Return tokeniser and model of the class that is chosen for a configuration."""
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
                tokenizer = _tokenizer(folder, private)
            with refusing(f"The model in {folder} cannot be loaded"):
                model, report = _model(folder, private, contents, class_of)
    # The pooler comes after the hidden states, and many folders lack it.
    missing = sorted(name for name in report["missing_keys"] if not name.startswith("pooler."))
    if missing or report["mismatched_keys"]:
        raise ModelRefused(
            f"The weights in {folder} do not fit its configuration: "
            f"{len(missing) + len(report['mismatched_keys'])} are missing or of another shape"
            f"{f', the first is {missing[0]}' if missing else ''}."
        )
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
    """Return the contents of the files with weights, and copy the others."""
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


def _tokenizer(folder: Path, private: Path) -> Any:
    """Return the tokeniser of a folder, read from copies of its files."""
    from transformers import AutoTokenizer

    pieces = (
        [] if (private / "tokenizer.json").exists() else [name for name in _SENTENCEPIECE if (private / name).exists()]
    )
    if pieces and find_spec("sentencepiece") is None:
        raise ModelRefused(
            f"The tokeniser in {folder} ({pieces[0]}) needs a package that is not installed: pip install sentencepiece."
        )
    return AutoTokenizer.from_pretrained(private, local_files_only=True, trust_remote_code=False)


def _model(folder: Path, private: Path, contents: list[bytes], class_of: Callable[[Path, Any], Any]) -> tuple[Any, Any]:
    import torch
    from safetensors.torch import load as tensors_of
    from transformers import AutoConfig

    config = AutoConfig.from_pretrained(private, local_files_only=True, trust_remote_code=False)
    model = class_of(folder, config)
    state = {name: tensor for content in contents for name, tensor in tensors_of(content).items()}
    loaded: tuple[Any, Any] = model.from_pretrained(
        None, config=config, state_dict=state, dtype=torch.float32, output_loading_info=True
    )
    return loaded


def _body(folder: Path, config: Any) -> Any:
    """Return the class of a model without a head."""
    from transformers import MODEL_MAPPING

    model: Any = MODEL_MAPPING[type(config)]
    if isinstance(model, tuple):
        return next((one for one in model if one.__name__ in (config.architectures or ())), model[0])
    return model


def _causal(folder: Path, config: Any) -> Any:
    """Return the class of a model that predicts each token from those before it."""
    from transformers import MODEL_FOR_CAUSAL_LM_MAPPING

    known: dict[Any, Any] = MODEL_FOR_CAUSAL_LM_MAPPING
    model = known[type(config)] if type(config) in known else None  # noqa: SIM401 - its get() wants a default
    named = config.architectures or ()
    if model is None or model.__name__ not in named or config.is_encoder_decoder:
        raise ModelRefused(
            f"{folder} holds {', '.join(named)}, which this version of transformers does not know as a causal language "
            "model."
        )
    return model


def _compute_gelu_at_once(model: Any) -> None:
    """Let one operation compute the activation of GPT-2 and its like, for which transformers takes eight."""
    from transformers.activations import GELUTanh, NewGELUActivation

    for module in list(model.modules()):
        for name, part in module.named_children():
            if isinstance(part, NewGELUActivation):
                setattr(module, name, GELUTanh())


def _translating(folder: Path, config: Any) -> Any:
    """Return the class of a model that turns a text into a text."""
    from transformers import MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING

    known: dict[Any, Any] = MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING
    if type(config) not in known or not config.is_encoder_decoder:
        raise ModelRefused(
            f"{folder} holds {', '.join(config.architectures or ())}, which this version of transformers does not know "
            "as a model that turns a text into a text, such as MarianMTModel or T5ForConditionalGeneration."
        )
    return known[type(config)]


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the library from drawing bars and reports on standard error."""
    from transformers.utils import logging

    verbosity = logging.get_verbosity()
    bars = logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            # Nothing that is read here goes through it.
            warnings.filterwarnings("ignore", message="Recommended: pip install sacremoses")
            yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
