"""How a folder of sentence-transformers makes one vector of a text: its modules, read as data."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.encoders.dense import check_dense, dense, of_vectors
from core.encoders.folders import CONFIG, MODULES, digest_of
from core.encoders.loading import refusing
from core.encoders.safety import json_list, json_object
from core.errors import ModelRefused
from core.statistics.unit_length import SHORTEST, scaled

if TYPE_CHECKING:
    import torch

    from core.encoders.network import Pooling

_SETTINGS = "sentence_bert_config.json"
_PROMPTS = "config_sentence_transformers.json"
_MOST_TOKENS = 8192
_OLDER: Mapping[str, str] = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
"""How versions of the library before 5.2 say what is taken of the hidden states."""
_POOLINGS: Mapping[str, "Pooling"] = {
    "cls": "first",
    "mean": "mean",
    "max": "max",
    "mean_sqrt_len_tokens": "root mean",
    "weightedmean": "weighted mean",
    "lasttoken": "last",
}
POOLED: Mapping[str, str] = {
    "first": "the first token’s hidden state",
    "last": "the last token’s hidden state",
    "mean": "the mean of the hidden states",
    "max": "the largest value of the hidden states in each dimension",
    "root mean": "the sum of the hidden states over the root of their number",
    "weighted mean": "the mean of the hidden states, later ones weighted more",
}
"""What becomes the vector, in words."""
_OF_NETWORK: Mapping[str, tuple[Any, ...]] = {
    "transformer_task": ("feature-extraction",),
    "modality_config": ({"text": {"method": "forward", "method_output_name": "last_hidden_state"}},),
    "module_output_name": ("token_embeddings",),
    "unpad_inputs": (True, False),
}
"""What settings of the network may say beside length and lower case."""
_OF_ALL = frozenset({"__version__", "prompts", "default_prompt_name", "similarity_fn_name", "truncate_dim"})
"""What settings of the whole folder may say."""


@dataclass(frozen=True)
class Reading:
    """How an encoder's owner makes one vector of a text.

    Attributes:
        folder: Where the network and its tokeniser lie.
        pooling: What becomes the vector of the hidden states.
        unit: Whether vectors are scaled to length one.
        tokens: Most tokens of a text; the network's own limit may be lower.
        prompt: What stands before each text.
        lower: Whether texts are written in lower case first.
        dense: Where the dense layers lie that a vector goes through before it is scaled.
        kept: How many of the numbers of a vector are kept in the end; 0 for all.
    """

    folder: Path
    pooling: "Pooling" = "mean"
    unit: bool = False
    tokens: int = _MOST_TOKENS
    prompt: str = ""
    lower: bool = False
    dense: tuple[Path, ...] = ()
    kept: int = 0

    def identity(self) -> dict[str, Any]:
        """Return all that determines vectors, wherever the folder lies.

        Raises:
            ModelRefused: Something there is no file, or too large.
        """
        layers = [digest_of(layer) for layer in self.dense]
        fields = {**asdict(self), "folder": digest_of(self.folder), "dense": layers}
        return {name: value for name, value in fields.items() if value or name not in ("dense", "kept")}

    def read(self, texts: Sequence[str]) -> list[str]:
        """Return texts as the network reads them."""
        read = [self.prompt + text for text in texts]
        return [text.lower() for text in read] if self.lower else read

    def finished(self, pooled: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the vectors that are made of pooled hidden states, (texts, dimension).

        Raises:
            ModelRefused: A dense layer does not fit.
        """
        vectors = pooled
        if self.dense:
            import torch  # only here, for it takes more than a second

            vectors = self.through(torch.from_numpy(pooled)).numpy()
        vectors = scaled(vectors) if self.unit else vectors
        return vectors[:, : self.kept] if self.kept else vectors

    def finished_tensors(self, pooled: "torch.Tensor") -> "torch.Tensor":
        """Return the same with a gradient for the hidden states; errors are those of `finished`."""
        vectors = self.through(pooled)
        vectors = vectors / vectors.norm(dim=1, keepdim=True).clamp_min(SHORTEST) if self.unit else vectors
        return vectors[:, : self.kept] if self.kept else vectors

    def through(self, vectors: "torch.Tensor") -> "torch.Tensor":
        """Return what the dense layers make of vectors; errors are those of `finished`."""
        for folder in self.dense:
            with refusing(f"The dense layer in {folder} does not run"):
                vectors = dense(folder, digest_of(folder))(vectors)
        return vectors

    def described(self) -> str:
        """Return what is done to a text, in words.

        >>> Reading(Path(), "first", unit=True).described()
        'the first token’s hidden state, scaled to length one'
        """
        layers = {0: [], 1: ["a dense layer"]}.get(len(self.dense), [f"{len(self.dense)} dense layers"])
        words = [POOLED[self.pooling], *layers]
        words += ["scaled to length one"] * self.unit
        words += [f"cut to {self.kept:,} numbers"] * bool(self.kept)
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
    behind = kinds[2:-1] if kinds[2:] and kinds[-1] == "Normalize" else kinds[2:]
    if kinds[:2] != ["Transformer", "Pooling"] or set(behind) - {"Dense"}:
        raise ModelRefused(
            f"{folder / MODULES} must name a Transformer, a Pooling, any Dense layers and, if vectors are scaled, a "
            f"Normalize, in this order: others are not read. It names {', '.join(kinds) or 'none'}. Put the texts to "
            "it yourself: python -m core audit ask embeddings."
        )
    (_, network), (_, pooling), *others = modules
    layers = tuple(path for kind, path in others if kind == "Dense")
    for layer in layers:
        check_dense(layer)
    if scaling := [path for kind, path in others if kind == "Normalize"]:
        of_vectors(scaling[0] / CONFIG, _optional(scaling[0] / CONFIG))
    settings, whole = _settings(network), _whole(folder)
    prompt = _prompt(folder / _PROMPTS, whole)
    config = json_object(pooling / CONFIG)
    if prompt and config.get("include_prompt") is False:
        raise ModelRefused(
            f"{folder} leaves its prompt {prompt!r} out of the mean (include_prompt), which is not read. Save it "
            "without a default prompt."
        )
    tokens, kept = settings.get("max_seq_length"), whole.get("truncate_dim")
    return Reading(
        folder=network,
        pooling=_pooling(pooling, config),
        unit=bool(scaling),
        tokens=min(tokens, _MOST_TOKENS) if isinstance(tokens, int) and tokens > 0 else _MOST_TOKENS,
        prompt=prompt,
        lower=settings.get("do_lower_case") is True,
        dense=layers,
        kept=kept if isinstance(kept, int) and kept > 0 else 0,
    )


def _module(folder: Path, module: Any) -> tuple[str, Path]:
    """Return the kind of a module, and its folder, which lies inside that of the encoder."""
    if not isinstance(module, dict) or not all(isinstance(module.get(name), str) for name in ("type", "path")):
        raise ModelRefused(f"{folder / MODULES} must name type and path of each module.")
    path = PurePosixPath(module["path"])
    if path.is_absolute() or ".." in path.parts:
        raise ModelRefused(f"{folder / MODULES} names {module['path']!r}, which lies outside the folder.")
    return module["type"].rpartition(".")[2], folder / path


def _pooling(folder: Path, config: Mapping[str, Any]) -> "Pooling":
    named = config.get("pooling_mode")
    older = [name for name, value in config.items() if name.startswith("pooling_mode_") and value is True]
    modes = [str(named)] if named is not None else [_OLDER.get(name, name) for name in older]
    if len(modes) != 1 or modes[0] not in _POOLINGS:
        raise ModelRefused(
            f"{folder / 'config.json'} must name one pooling of {', '.join(_POOLINGS)}. It names "
            f"{', '.join(modes) or 'none'}."
        )
    return _POOLINGS[modes[0]]


def _settings(network: Path) -> Mapping[str, Any]:
    """Return what the settings of the network say."""
    path = network / _SETTINGS
    settings = _optional(path)
    for name, value in settings.items():
        if name not in ("max_seq_length", "do_lower_case") and value and value not in _OF_NETWORK.get(name, ()):
            raise ModelRefused(f"{path} says {name}: {str(value)[:60]}, which is not understood.")
    return settings


def _whole(folder: Path) -> Mapping[str, Any]:
    """Return what the settings of the whole folder say."""
    path = folder / _PROMPTS
    settings = _optional(path)
    for name, value in settings.items():
        if value and name not in _OF_ALL and (name, value) != ("model_type", "SentenceTransformer"):
            raise ModelRefused(f"{path} says {name}: {str(value)[:60]}, which is not understood.")
    return settings


def _prompt(path: Path, settings: Mapping[str, Any]) -> str:
    """Return the prompt before each text, empty where none is the default."""
    name, prompts = settings.get("default_prompt_name"), settings.get("prompts")
    if name is None:
        return ""
    prompt = prompts.get(name) if isinstance(prompts, dict) else None
    if not isinstance(prompt, str):
        raise ModelRefused(f"{path} names the default prompt {str(name)[:60]!r}, but does not hold it.")
    return prompt


def _optional(path: Path) -> Mapping[str, Any]:
    return json_object(path) if path.is_file() else {}
