"""Pickles, in which a program may hide: refused, with the lines that save the same vectors as data."""

import re
from collections.abc import Container
from pathlib import Path
from typing import NoReturn

from core.errors import InvalidVectors
from core.sources.word_vectors import counts

NAME = ""  # none that is read

_PICKLE = re.compile(rb"\x80[\x00-\x05]")
_ENDINGS = (".pkl", ".pickle", ".joblib", ".pt", ".pth", ".model", ".kv", ".dill")
_GENSIM = re.compile(rb"gensim\.models\.[a-z_.0-9]+\W{1,8}([A-Za-z0-9]+)", re.DOTALL)
_OF_WORDS = ("Word2Vec", "FastText", "Doc2Vec")


def recognises(path: Path, head: bytes) -> bool:
    """Tell by the first bytes of a pickle or of an archive that may hold one, or by the name of a binary file."""
    if _PICKLE.match(head) or (head.startswith(b"PK") and b".pkl" in head):
        return True
    return path.suffix.lower() in _ENDINGS and b"\0" in head[:4096] and counts.of(head) is None


def read(path: Path, wanted: Container[str] | None, words: Path | None) -> NoReturn:
    """Refuse the file.

    Raises:
        InvalidVectors: Always.
    """
    with path.open("rb") as file:
        match = _GENSIM.search(file.read(65_536))
    refused = f"{path.name} holds a pickle, and to load a pickle runs whatever it names. No pickle is ever loaded here."
    as_data = f"{path.stem}.{'w2v' if path.suffix == '.bin' else 'bin'}"
    if match is None and path.suffix.lower() not in (".model", ".kv"):
        raise InvalidVectors(
            f"{refused} Where it was made, save the matrix by numpy.save(…) or as safetensors, and the words as a text "
            "file, one a line."
        )
    kind = match[1].decode() if match else ("KeyedVectors" if path.suffix.lower() == ".kv" else "Word2Vec")
    kind = kind if kind in (*_OF_WORDS, "KeyedVectors", "FastTextKeyedVectors") else "KeyedVectors"
    module = "fasttext" if kind == "FastTextKeyedVectors" else ""
    origin = f"gensim.models.{module}" if module else "gensim.models"
    saved = f"{kind}.load({path.name!r}){'.wv' if kind in _OF_WORDS else ''}"
    raise InvalidVectors(
        f"{refused} Where it was made, these two lines save it as data:",
        (f"from {origin} import {kind}", f"{saved}.save_word2vec_format({as_data!r}, binary=True)"),
    )
