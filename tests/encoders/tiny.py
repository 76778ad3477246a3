"""Tiny random encoders in folders, as people bring them."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from core.encoders.recipes import Recipe, network, tokeniser

TEXTS = [
    f"the {noun} of {city} saw {number} birds"
    for noun in ("cat", "dog", "cow")
    for city in ("york", "bath", "rome")
    for number in range(10)
]


def tiny(folder: Path, architecture: Any = "bert") -> Path:
    """Write a random encoder of 16 dimensions and return its folder."""
    for part in _parts(architecture):
        part.save_pretrained(folder)
    return folder


@cache
def _parts(architecture: Any) -> tuple[Any, Any]:
    """Return the encoder and its tokeniser, made once."""
    recipe = Recipe("tiny", architecture, steps=0, width=16, layers=2, vocabulary=400)
    tokenizer = tokeniser(recipe, TEXTS)
    return network(recipe, tokenizer).base_model, tokenizer


def edited(path: Path, **fields: object) -> None:
    """Write fields of a configuration anew."""
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))
