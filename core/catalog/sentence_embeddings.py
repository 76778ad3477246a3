"""What a sentence embedding gives away: the case studies of Pan et al. 2020, and what defenses cost."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from core.catalog.entry import Entry
from core.experiment import Experiment

_ENCODERS = {"minilm": "MiniLM", "small_bert": "a small BERT"}
_CORPORA = {"skytrax": "airline reviews", "mtsamples": "medical descriptions"}
_KNOWLEDGE = {"white_box": "white box", "black_box": "black box"}


def entries() -> Iterator[Entry]:
    """Yield the promised results of the attacks on sentence embeddings."""
    for source, encoder in _ENCODERS.items():
        yield Entry(
            f"citizens_{source}",
            f"A date of birth from the embedding of a citizen number, {encoder}",
            "Year, month and day of a birth, read from nothing but the embedding of an 18-digit number (Table II).",
            _experiment(
                "pattern_reconstruction",
                model={"source": source},
                attack={"samples": 50_000, "steps": 30_000, "hidden": "wide"},
            ),
        )
    for (corpus, texts), (knowledge, known) in product(_CORPORA.items(), _KNOWLEDGE.items()):
        yield Entry(
            f"keywords_{corpus}_{knowledge}",
            f"Keywords in {texts}, {known}",
            f"Whether a word stands in {texts}, told from their embeddings (Figure 6).",
            _keywords(corpus, knowledge),
        )


def _keywords(corpus: str, knowledge: str) -> Experiment:
    """Return the inference of a dataset's keywords from MiniLM's embeddings.

    The collections at hand are a sixth of the paper's; half of their texts, not an eleventh, is about what the paper's
    white-box adversary holds.
    """
    return _experiment("keyword_inference", dataset=corpus, game={"shadow_share": 0.5}, attack={"knowledge": knowledge})


def _experiment(name: str, /, **changes: Any) -> Experiment:
    """Return an attack's paper preset with some fields of its parts changed."""
    preset = Experiment.preset(name, "paper").as_dict()
    for field, value in changes.items():
        preset[field] = {**preset[field], **value} if isinstance(value, dict) else value
    return Experiment.parse(preset)
