"""What a folder must hold before a library is let near it: safe weights, a configuration and a tokeniser."""

import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from core.encoders.folders import CONFIG, INDEX, TOKENISER_SETTINGS, WEIGHTS, content_of, read_files
from core.errors import ModelRefused

_T = TypeVar("_T")
_PICKLED = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
_LONGEST_HEADER = 20_000_000
_LONGEST_CONFIG = 10_000_000
_VOCABULARIES = ("tokenizer.json", "vocab.txt", "vocab.json", "spiece.model", "sentencepiece.bpe.model")
_WIDTHS = ("hidden_size", "d_model", "n_embd", "emb_dim", "dim")

_BOUNDS = {
    "layers": (1_000, re.compile(r"(n|num)_(\w+_)?(layers?|blocks|groups)|\w+_layers")),
    "heads": (1_000, re.compile(r"(n|num)_(\w+_)?heads?|\w+_heads")),
    "experts": (1_000, re.compile(r"(n|num)_(\w+_)?experts\w*")),
    "width": (
        100_000,
        re.compile(r"(\w+_)?(hidden|intermediate|embedding|projection)_(size|dim)|d_\w+|n_embd|n_inner|(\w+_)?dim"),
    ),
    "vocabulary": (2_000_000, re.compile(r"(\w+_)?vocab_size|n_words|n_langs")),
    "positions": (20_000_000, re.compile(r"n_positions|n_ctx|max_(\w+_)?(positions?|position_embeddings|length)")),
}
"""How large the numbers of a configuration may be, by what they count: several times those of any encoder there is."""

CONVERSION = (
    "Only safetensors are read, because a pickle can run any program. Where you trust the file, convert it once, in a "
    "place where nothing can be lost: model = transformers.AutoModel.from_pretrained(FOLDER), or AutoModelForCausalLM "
    "for a language model, then model.save_pretrained(FOLDER)"
)

_MERGING = (
    "Merge the two where peft is installed, and name the merged folder: peft.AutoPeftModelForCausalLM.from_pretrained("
    "ADAPTER).merge_and_unload().save_pretrained(MERGED); its tokeniser goes into the same folder"
)


def check(folder: Path) -> dict[str, Any]:
    """Return the configuration of a folder that holds all an encoder needs and nothing that could run.

    Raises:
        ModelRefused: It does not; the message says what is wrong.
    """
    read_files(folder)
    config = configuration(folder)
    for path in weights(folder):
        _check_weights(path)
    if not any((folder / name).is_file() for name in _VOCABULARIES):
        settings = f" {TOKENISER_SETTINGS} alone is none." if (folder / TOKENISER_SETTINGS).is_file() else ""
        raise ModelRefused(
            f"{folder} holds no tokeniser.{settings} It must hold one of: {', '.join(_VOCABULARIES)}; where the model "
            "was trained, tokenizer.save_pretrained(FOLDER) writes it."
        )
    return config


def check_own_code(folder: Path, config: Mapping[str, Any]) -> None:
    """Refuse a folder whose model or tokeniser is to be run by code of its own.

    Raises:
        ModelRefused: It names such code, which would read texts otherwise than what is loaded in its place.
    """
    settings = folder / TOKENISER_SETTINGS
    for path, fields in ((folder / CONFIG, config), (settings, json_object(settings) if settings.is_file() else {})):
        if fields.get("auto_map"):
            raise ModelRefused(
                f"{path} names code of its own under 'auto_map', which is never run. If transformers has the same "
                "architecture, load and save the model once with its class, without trust_remote_code, and name the "
                "new folder."
            )


def width(config: Mapping[str, Any]) -> int:
    """Return the length of the hidden states, or 0 where the configuration does not say."""
    size = next((config[name] for name in _WIDTHS if isinstance(config.get(name), int)), 0)
    return int(size)


def configuration(folder: Path) -> dict[str, Any]:
    """Return the configuration of a folder, none of whose numbers lets a library build for ever.

    Raises:
        ModelRefused: It is missing, as in an adapter's folder, names no architecture, or a number is too large.
    """
    if (folder / "adapter_config.json").exists():
        raise ModelRefused(f"{folder} holds an adapter for another model. {_MERGING}")
    config = json_object(folder / CONFIG)
    if not isinstance(config.get("model_type"), str):
        raise ModelRefused(f"{folder / CONFIG} must name the architecture under 'model_type', as transformers does.")
    _check_numbers(folder / CONFIG, config)
    return config


def _check_numbers(path: Path, config: Mapping[str, Any]) -> None:
    for name, value in config.items():
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, dict):
                _check_numbers(path, inner)
            elif isinstance(inner, int | float):
                _check_number(path, name, inner)


def _check_number(path: Path, name: str, value: float) -> None:
    for unit, (most, pattern) in _BOUNDS.items():
        if pattern.fullmatch(name) and not value <= most:
            raise ModelRefused(
                f"{path}: {name!r}, which counts {unit}, must be at most {most:,}. It is {str(value)[:40]}."
            )


def weights(folder: Path) -> list[Path]:
    """Return the files that hold the weights.

    Raises:
        ModelRefused: There are none, or none that can be read safely.
    """
    if (folder / WEIGHTS).is_file():
        return [folder / WEIGHTS]
    if (folder / INDEX).is_file():
        file_of_weight = json_object(folder / INDEX).get("weight_map")
        names = set(file_of_weight.values()) if isinstance(file_of_weight, dict) else set()
        if not names or any(not isinstance(name, str) or Path(name).name != name for name in names):
            raise ModelRefused(f"{folder / INDEX} must map weights to files of the same folder.")
        if missing := sorted(name for name in names if not (folder / name).is_file()):
            raise ModelRefused(f"{folder} lacks {missing[0]}, which {INDEX} names.")
        return [folder / name for name in sorted(names)]
    if pickled := sorted(path.name for pattern in _PICKLED for path in folder.glob(pattern)):
        raise ModelRefused(f"{folder} holds its weights as a pickle only ({pickled[0]}). {CONVERSION}")
    raise ModelRefused(f"{folder} holds no weights. They must be in {WEIGHTS}, or in files that {INDEX} names.")


def parameters_of(folder: Path) -> int:
    """Return how many numbers the files with the weights hold.

    Raises:
        ModelRefused: There are none, or none that can be read safely.
    """
    from safetensors import SafetensorError, safe_open

    total = 0
    for path in weights(folder):
        _check_weights(path)
        try:
            with safe_open(path, "numpy") as tensors:
                total += sum(math.prod(tensors.get_slice(name).get_shape()) for name in tensors.keys())  # noqa: SIM118
        except SafetensorError:
            raise _unreadable(path) from None
    return total


def _check_weights(path: Path) -> None:
    """Refuse a file that is no safetensors, whatever it is called, or that was cut short."""
    size = path.stat().st_size
    with path.open("rb") as file:
        start = file.read(8)
        length = int.from_bytes(start, "little")
        has_header = len(start) == 8 and 2 <= length <= min(size - 8, _LONGEST_HEADER)
        # The length of a header may begin as a pickle does.
        if start.startswith((b"PK\x03\x04", b"\x80")) and not (has_header and file.peek(1).startswith(b"{")):
            raise ModelRefused(f"{path} is a pickle under a false name. {CONVERSION}")
        if not has_header:
            raise ModelRefused(f"{path} is no safetensors file, or was cut short. Fetch it again.")
        header = file.read(length)
    try:
        tensors = json.loads(header)
        ends = [entry["data_offsets"][1] for name, entry in tensors.items() if name != "__metadata__"]
        complete = max(ends, default=0) == size - 8 - length
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        raise _unreadable(path) from None
    if not complete:
        raise ModelRefused(f"{path} was cut short: it does not hold the weights it lists. Fetch it again.")


def _unreadable(path: Path) -> ModelRefused:
    return ModelRefused(f"{path} is no safetensors file: its header cannot be read.")


def json_object(path: Path) -> dict[str, Any]:
    """Return the object that a small file of JSON holds.

    Raises:
        ModelRefused: There is no such file, or it holds something else.
    """
    return _json(path, dict, "object")


def json_list(path: Path) -> list[Any]:
    """Return the list that a small file of JSON holds; errors are those of `json_object`."""
    return _json(path, list, "list")


def _json(path: Path, expected: type[_T], called: str) -> _T:
    try:
        content = json.loads(content_of(path, _LONGEST_CONFIG))
    except FileNotFoundError:
        kind = "of a model as save_pretrained of transformers writes it: config.json, model.safetensors, a tokeniser"
        raise ModelRefused(f"{path.parent} lacks {path.name}. It must be a folder {kind}.") from None
    except OSError as error:
        raise ModelRefused(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError):
        raise ModelRefused(f"{path} is no JSON.") from None
    if not isinstance(content, expected):
        raise ModelRefused(f"{path} must be a JSON {called}.")
    return content
