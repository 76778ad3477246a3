"""What a sentence embedding gives away: the case studies of Pan et al. 2020, and what defenses cost."""

from collections.abc import Iterator
from typing import Any

from core.catalog.entry import Entry
from core.experiment import Experiment
from core.registry import part

_CORPORA = {"skytrax": "airline reviews", "mtsamples": "medical descriptions"}
_DEMOS = ("pattern_reconstruction", "keyword_inference", "semantic_reassembly", "encoder_fingerprint", "decoder")
_STRENGTHS: dict[str, tuple[str, tuple[float, ...]]] = {
    "rounding": ("decimals", (3, 2, 1, 0)),
    "laplace": ("epsilon", (1000, 300, 100, 30, 10, 1)),
    "adversarial_mapping": ("distortion", (100, 30, 10, 3, 1)),
    "subspace_projection": ("share", (0.01, 0.05, 0.1, 0.25, 0.5, 0.9)),
}


def entries() -> Iterator[Entry]:
    """Yield the promised results of the attacks on sentence embeddings."""
    yield Entry(
        "citizens_minilm",
        "A date of birth from the embedding of a citizen number, MiniLM",
        "Year, month and day of a birth, read from nothing but the embedding of an 18-digit number (Table II).",
        _experiment("pattern_reconstruction", attack={"samples": 50_000, "steps": 30_000, "hidden": "wide"}),
    )
    for corpus, texts in _CORPORA.items():
        yield Entry(
            f"keywords_{corpus}_white_box",
            f"Keywords in {texts}, white box",
            f"Whether a word stands in {texts}, told from their embeddings (Figure 6).",
            _keywords(corpus),
        )
    for name, (strength, values) in _STRENGTHS.items():
        for value in values:
            defense = {"part": name, strength: value}
            yield Entry(
                f"defense_medical_{name}_{value:g}",
                f"{part('defense', name).title.capitalize()}, {strength} {value:g}, medical descriptions",
                "What a defense of this strength costs, and what the adversary still reads (Figure 7).",
                _keywords("mtsamples").replace(defenses=[defense]),
            )
    for attack in _DEMOS:
        yield Entry(
            f"demo_{attack}",
            f"{part('attack', attack).title}, small and offline",
            "The small experiment that anyone can run live, with the encoder that comes with the code.",
            Experiment.preset(attack, "demo"),
        )


def _keywords(corpus: str) -> Experiment:
    """Return the white-box inference of a dataset's keywords from MiniLM's embeddings.

    The collections at hand are a sixth of the paper's; half of their texts, not an eleventh, is about what the paper's
    white-box adversary holds.
    """
    return _experiment("keyword_inference", dataset=corpus, game={"shadow_share": 0.5})


def _experiment(name: str, /, **changes: Any) -> Experiment:
    """Return an attack's paper preset with some fields of its parts changed."""
    preset = Experiment.preset(name, "paper").as_dict()
    for field, value in changes.items():
        preset[field] = {**preset[field], **value} if isinstance(value, dict) else value
    return Experiment.parse(preset)
