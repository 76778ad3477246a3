"""Texts of the victims, by row of the dataset or by victim; only where the dataset is on this machine."""

from collections.abc import Mapping

import pandas as pd

from core.datasets import Dataset
from core.experiment import Experiment
from core.games.inversion import Inversion
from core.games.reassembly import Reassembly
from core.games.stored_vectors import beside
from core.text.contents import PatternField, Patterns
from core.text.segments import Segmentation, segmented
from core.text.vectors import Vectors
from dashboard.kit.figures.tables import records
from dashboard.kit.texts import excerpts
from dashboard.kit.texts.remembered import read_if_here, remembered

ABSENT = excerpts.absent("The victims’ texts")


def of(experiment: Experiment, guesses: pd.DataFrame) -> Mapping[int, str]:
    """Return the texts of the victims of an experiment by their row; none where the dataset is not here."""
    return _read(experiment, guesses)[0]


def around(experiment: Experiment, guesses: pd.DataFrame, word: str) -> Mapping[int, str]:
    """Return what stands around a word in the texts of the victims, by their row; none where the dataset is absent."""
    texts = of(experiment, guesses)
    return _around(texts, experiment.key, word) if texts else {}


def segments(experiment: Experiment, guesses: pd.DataFrame) -> tuple[PatternField, ...]:
    """Return the positions of the secrets in each text; none where the dataset is absent or has no fixed pattern."""
    return _read(experiment, guesses)[1]


def pieces(experiment: Experiment, words: pd.DataFrame) -> Mapping[int, str]:
    """Return the piece of text behind each victim's embedding; none where the dataset is not here.

    Args:
        experiment: Of a game that embeds texts whole or sentence by sentence.
        words: The words recovered for each victim, with its row and sentence.
    """
    game = experiment.game
    if not isinstance(game, Inversion | Reassembly):
        return {}
    dataset, cut = experiment.dataset, game.pieces
    return read_if_here(dataset, lambda: _cut(dataset, cut, words, experiment.key)) or {}


def _read(experiment: Experiment, guesses: pd.DataFrame) -> tuple[Mapping[int, str], tuple[PatternField, ...]]:
    dataset = experiment.dataset
    return read_if_here(dataset, lambda: _loaded(dataset, guesses, experiment.key)) or ({}, ())


@remembered("Reading the victims’ texts")
def _loaded(_dataset: Dataset, _guesses: pd.DataFrame, key: str) -> tuple[Mapping[int, str], tuple[PatternField, ...]]:
    """Return texts and segments of an experiment's victims, by its key: the dataset is read once for all visits."""
    documents = _dataset.load()
    rows = sorted({int(row) for row in _guesses["row"]})
    texts = {row: documents.texts[row] for row in rows if row < len(documents)}
    return texts, documents.segments if isinstance(documents, Patterns) else ()


@remembered("Reading the victims’ texts")
def _around(_texts: Mapping[int, str], key: str, word: str) -> Mapping[int, str]:
    """Return the excerpts, by the experiment's key and the word: they are cut once for all visits."""
    return {row: excerpts.around(text, word) for row, text in _texts.items()}


@remembered("Reading the victims’ texts")
def _cut(_dataset: Dataset, _pieces: Segmentation, _words: pd.DataFrame, key: str) -> Mapping[int, str]:
    """Return the piece of every victim of an experiment, by its key: the dataset is read once for all visits."""
    contents = _dataset.load()
    documents = beside(contents, _pieces)[0] if isinstance(contents, Vectors) else contents
    victims = {int(row.victim): (int(row.row), int(row.sentence)) for row in records(_words.drop_duplicates("victim"))}
    rows = sorted({row for row, _ in victims.values() if row < len(documents)})
    texts, positions = segmented(documents.select(rows), _pieces)  # the others would only be cut in vain
    pieces = {(rows[row], int(sentence)): text for text, (row, sentence) in zip(texts, positions, strict=True)}
    return {victim: pieces[position] for victim, position in victims.items() if position in pieces}
