"""Promised results of inversion (Song and Raghunathan 2020, section 6.2)."""

from collections.abc import Iterator
from typing import Any

from core.catalog import seeds
from core.catalog.entry import Entry, as_stored, defended, demo, varied
from core.experiment import Experiment
from core.registry import part

ORDER = 90

_METHODS = {
    "multilabel_inversion": "by a classifier of words, black box",
    "multiset_inversion": "word by word, black box",
    "corrective_inversion": "by text search, black box",
    "generative_inversion": "by generation, black box",
    "relaxed_inversion": "by relaxation, white box",
    "sparse_inversion": "by sparse coding, with the encoder’s word vectors",
}
_COPYING = "nearest_inversion"
"""The baseline: no cross-domain entry, since texts of another kind have little to copy."""
_FEW_PAIRS = "few_shot_inversion"
_SEARCH = "relaxed_inversion"
"""This attack learns no map from texts, so the domain of its auxiliary texts hardly matters: no cross-domain entry."""
_WRITING = "generative_inversion"
"""This one reads fewer victims, whose whole texts it writes; its decoder takes too long for a cross-domain entry."""
_CROSSING = {"part": "wikitext2"}
_LIGHTER = {"corrective_inversion": {"made_up": 20_000}}
_FEWER = {"corrective_inversion": {"victims": 300}}
"""Keeps the cross-domain run within half an hour: sentences of Wikipedia are long, and each candidate is embedded."""
_REPEATED = ("multilabel_inversion", "sparse_inversion")
"""Methods whose demo is repeated with other seeds: those that take seconds."""
_REPEATED_WHOLE = ("multilabel_inversion", "sparse_inversion")
"""Methods whose whole run is repeated with other seeds."""
_TRAINED_METHODS = ("multilabel_inversion", "sparse_inversion", "relaxed_inversion", "multiset_inversion")
_LSTM: dict[str, Any] = {
    "part": "dual_encoder",
    "texts": {"part": "wiki_split"},
    "epochs": 3,
    "body": "lstm",
    "dimension": 256,
    "word_dimension": 256,
}
_TRANSFORMER = {**_LSTM, "body": "transformer"}
"""Encoders trained by the run, as in the paper's Table 1."""
_DEFENDED = "multilabel_inversion"
_ADVERSARIES = (0.01, 0.1, 1, 10)
"""Strengths of the adversary in adversarial training."""
_BLURRED: dict[str, tuple[str, tuple[float, ...]]] = {
    "laplace": ("epsilon", (1000, 300, 100, 30)),
    "rounding": ("decimals", (2, 1)),
}
"""Strengths of the defenses at release, on embeddings of length one, whose coordinates are about 0.05."""


def entries() -> Iterator[Entry]:
    """Yield the promised results of inversion."""
    for attack, how in _METHODS.items():
        method = attack.removesuffix("_inversion")
        shown = Entry(
            f"inversion_{method}",
            f"Sentences of restaurant reviews inverted {how}",
            "The words of a sentence of a review, inferred from MiniLM by an adversary with others (same domain).",
            Experiment.preset(attack, "paper"),
        )
        yield from seeds.over(shown) if attack in _REPEATED_WHOLE else (shown,)
        if attack in (_SEARCH, _WRITING):
            continue
        yield Entry(
            f"inversion_{method}_crossing",
            f"Sentences of restaurant reviews inverted {how}, learnt from Wikipedia",
            "The same sentences, inferred by an adversary with sentences of Wikipedia only (cross domain).",
            varied(attack, attack={"auxiliary": _CROSSING, **_LIGHTER.get(attack, {})}, game=_FEWER.get(attack, {})),
        )
    yield Entry(
        "inversion_nearest",
        "Sentences of restaurant reviews inverted by copying the nearest own text",
        "A baseline: the words of the adversary’s own sentence whose MiniLM embedding is the nearest (same domain).",
        Experiment.preset(_COPYING, "paper"),
    )
    yield Entry(
        "inversion_nearest_whole",
        "Sentences of restaurant reviews read by copying the nearest own text, whole texts",
        "The baseline of inversion by generation: the same victims, and the same texts of the adversary.",
        varied(_COPYING, game=Experiment.preset(_WRITING, "paper").as_dict()["game"]),
        contrast=True,
    )
    yield from _trained_here()
    yield from _defended()
    for attack in (*_METHODS, _FEW_PAIRS, _COPYING):
        small = demo(attack, f"{part('attack', attack).title}, small and offline", ", with the encoder that ships")
        yield from seeds.over(small) if attack in _REPEATED else (small,)


def _trained_here() -> Iterator[Entry]:
    """Yield the results on encoders trained by the run."""
    for body, model, encoder in (("lstm", _LSTM, "LSTM"), ("transformer", _TRANSFORMER, "Transformer")):
        for attack in _TRAINED_METHODS:
            yield Entry(
                f"inversion_{attack.removesuffix('_inversion')}_{body}",
                f"Wikipedia sentences inverted, {encoder}, {_METHODS[attack]}",
                "The words of a sentence, inferred from the embedding of a dual encoder, as in the paper's Table 1.",
                varied(attack, dataset=_CROSSING, model=model),
            )
        yield Entry(
            f"inversion_multiset_{body}_plain",
            f"Wikipedia sentences inverted, {encoder}, word by word from the frequencies, black box",
            "The paper's policy alone, from the frequency of each word; after six epochs it still learns.",
            varied("multiset_inversion", dataset=_CROSSING, model=model, attack={"start": "log_odds"}),
            contrast=True,
        )


def _defended() -> Iterator[Entry]:
    """Yield the results behind defenses, by an adaptive adversary."""
    title = part("defense", "adversarial_training").title
    for strength in _ADVERSARIES:
        yield Entry(
            f"inversion_adversarial_training_{strength:g}",
            f"Wikipedia sentences inverted, LSTM, {title}, strength {strength:g}",
            "Words recovered from the embedding, and its utility, when the encoder is trained to hide words.",
            varied(
                _DEFENDED,
                dataset=_CROSSING,
                model=_LSTM,
                defenses=[{"part": "adversarial_training", "strength": strength}],
            ),
            contrast=True,
        )
    stored = as_stored(Experiment.preset(_DEFENDED, "paper"))
    yield Entry(
        "inversion_no_defense",
        "Sentences of restaurant reviews inverted, no defense, embeddings of length one",
        "The baseline of the defenses at release: the same attack on undefended embeddings.",
        stored,
        contrast=True,
    )
    for name, field, value, experiment in defended(stored, _BLURRED):
        yield Entry(
            f"inversion_{name}_{value:g}",
            f"Sentences of restaurant reviews inverted behind {part('defense', name).title}, {field} {value:g}",
            "Words recovered from the embedding, and its utility, after it was changed at release.",
            experiment,
            contrast=True,
        )
