"""How a folder of sentence-transformers makes one vector of a text: its modules, read as data."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from core.encoders.folders import digest_of
from core.encoders.safety import json_list, json_object
from core.errors import ModelRefused

if TYPE_CHECKING:
    from core.encoders.network import Pooling

MODULES = "modules.json"
_SETTINGS = "sentence_bert_config.json"
_PROMPTS = "config_sentence_transformers.json"
_MOST_TOKENS = 8192
_OLDER: Mapping[str, str] = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_lasttoken": "lasttoken",
}
"""How versions of the library before 5.2 say which hidden state is taken."""
_POOLINGS: Mapping[str, "Pooling"] = {"cls": "first", "mean": "mean", "lasttoken": "last"}


@dataclass(frozen=True)
class Reading:
    """How an encoder's owner makes one vector of a text.

    Attributes:
        folder: Where the network and its tokeniser lie.
        pooling: Which hidden state becomes the vector.
        unit: Whether vectors are scaled to length one.
        tokens: Most tokens of a text; the network's own limit may be lower.
        prompt: What stands before each text.
        lower: Whether texts are written in lower case first.
    """

    folder: Path
    pooling: "Pooling" = "mean"
    unit: bool = False
    tokens: int = _MOST_TOKENS
    prompt: str = ""
    lower: bool = False

    def identity(self) -> dict[str, Any]:
        """Return all that determines vectors, wherever the folder lies.

        Raises:
            ModelRefused: Something there is no file, or too large.
        """
        return {**asdict(self), "folder": digest_of(self.folder)}

    def described(self) -> str:
        """Return what is done to a text, in words.

        >>> Reading(Path(), "first", unit=True).described()
        'the first token’s hidden state, scaled to length one'
        """
        state = {"first": "the first token’s hidden state", "last": "the last token’s hidden state"}
        words = [state.get(self.pooling, "the mean of the hidden states")]
        words += ["scaled to length one"] * self.unit
        words += [f"texts behind the prompt {self.prompt!r}"] * bool(self.prompt)
        return ", ".join(words)


def reading(folder: Path) -> Reading:
    """Return how texts are read by a folder; without modules, by the mean of the hidden states.

    Raises:
        ModelRefused: A module is not one that is understood, or its settings cannot be read.
    """
    if not (folder / MODULES).is_file():
        return Reading(folder)
    modules = [_module(folder, module) for module in json_list(folder / MODULES)]
    kinds = [kind for kind, _ in modules]
    if kinds not in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"]):
        raise ModelRefused(
            f"{folder / MODULES} must name a Transformer, a Pooling and, if vectors are scaled, a Normalize, in this "
            f"order: others are not read. It names {', '.join(kinds) or 'none'}. Put the texts to it yourself: python "
            "-m core audit ask embeddings."
        )
    network, pooling = (place for _, place in modules[:2])
    settings = _optional(network / _SETTINGS)
    prompt = _prompt(folder)
    config = json_object(pooling / "config.json")
    if prompt and config.get("include_prompt") is False:
        raise ModelRefused(
            f"{folder} leaves its prompt {prompt!r} out of the mean (include_prompt), which is not read. Save it "
            "without a default prompt."
        )
    tokens = settings.get("max_seq_length")
    return Reading(
        folder=network,
        pooling=_pooling(pooling, config),
        unit=len(kinds) == 3,
        tokens=min(tokens, _MOST_TOKENS) if isinstance(tokens, int) and tokens > 0 else _MOST_TOKENS,
        prompt=prompt,
        lower=settings.get("do_lower_case") is True,
    )


def _module(folder: Path, module: Any) -> tuple[str, Path]:
    """Return the kind of a module, and its folder, which lies inside that of the encoder."""
    if not isinstance(module, dict) or not all(isinstance(module.get(name), str) for name in ("type", "path")):
        raise ModelRefused(f"{folder / MODULES} must name type and path of each module.")
    path = PurePosixPath(module["path"])
    if path.is_absolute() or ".." in path.parts:
        raise ModelRefused(f"{folder / MODULES} names {module['path']!r}, which lies outside the folder.")
    return module["type"].rpartition(".")[2], folder / path


def _pooling(place: Path, config: Mapping[str, Any]) -> "Pooling":
    named = config.get("pooling_mode")
    older = [name for name, value in config.items() if name.startswith("pooling_mode_") and value is True]
    modes = [str(named)] if named is not None else [_OLDER.get(name, name) for name in older]
    if len(modes) != 1 or modes[0] not in _POOLINGS:
        raise ModelRefused(
            f"{place / 'config.json'} must name one pooling of {', '.join(_POOLINGS)}. It names "
            f"{', '.join(modes) or 'none'}."
        )
    return _POOLINGS[modes[0]]


def _prompt(folder: Path) -> str:
    """Return the prompt before each text, empty where none is the default."""
    config = _optional(folder / _PROMPTS)
    name, prompts = config.get("default_prompt_name"), config.get("prompts")
    if name is None:
        return ""
    prompt = prompts.get(name) if isinstance(prompts, dict) else None
    if not isinstance(prompt, str):
        raise ModelRefused(f"{folder / _PROMPTS} names the default prompt {str(name)[:60]!r}, but does not hold it.")
    return prompt


def _optional(path: Path) -> Mapping[str, Any]:
    return json_object(path) if path.is_file() else {}
