"""Promised results on sentence embeddings (the case studies and defenses of Pan et al. 2020)."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from core.catalog import seeds
from core.catalog.entry import Entry, as_stored, defended, demo, varied
from core.encoders.recipes import RECIPES
from core.encoders.records import RECORDS
from core.experiment import Experiment
from core.registry import part

ORDER = 80

_MINILM = "minilm"
_ENCODERS = (_MINILM, *RECIPES)
_UNTRAINED = tuple(recipe.name for recipe in RECIPES.values() if not recipe.steps)
_TRAINED = tuple(name for name in _ENCODERS if name not in _UNTRAINED)
_DEMOS = ("pattern_reconstruction", "keyword_inference", "semantic_reassembly", "encoder_fingerprint", "decoder")
_CORPORA = {
    "skytrax": ("airline", "airline reviews"),
    "mtsamples": ("medical", "medical descriptions"),
    "cms_procedures": ("procedures", "medical procedures"),
}
_DEFENDED = ("skytrax", "mtsamples")
_ABLATED = "mtsamples"
_BOXES = {"white_box": "with texts of the same kind", "black_box": "with public texts only"}
"""What the adversary holds, in words."""
_POOLINGS = ("mean", "last")
"""What most encoders are asked for today, and what the paper takes."""
_NUMBERS_BY_LAST = ("minilm", "small_bert", "small_gpt2")
"""Encoders of which dates of birth are read from the last token: one with a special token there, and one without."""
_SCALES = {"raw": ("", ""), "unit": ("_unit", " of length one")}
_REPEATED, _REPEATED_DEMOS = ("skytrax", "white_box"), ("keyword_inference", "encoder_fingerprint")
"""What is repeated with other seeds: what takes less than half a minute."""
_STRENGTHS: dict[str, tuple[str, tuple[float, ...]]] = {
    "rounding": ("decimals", (3, 2, 1)),
    "laplace": ("epsilon", (1000, 300, 100, 30, 10, 1)),
    "adversarial_mapping": ("distortion", (100, 30, 10, 3, 1)),
    "subspace_projection": ("share", (0.01, 0.05, 0.1, 0.25, 0.5, 0.9, 0.99)),
}
"""Strengths on embeddings of length one, whose coordinates are about 0.05: no decimal would release a constant."""
_ABLATIONS: tuple[tuple[str, str, str, str, tuple[int, ...]], ...] = (
    ("white_box", "mlp", "texts", "texts of the victims' kind (Figure 6c)", (10, 30, 100, 300, 600)),
    ("black_box", "mlp", "texts", "external texts (Figure 6d)", (100, 200, 500, 1000)),
    ("black_box", "dann", "dimension", "units of the DANN's hidden layer (Figure 6g)", (2, 5, 10, 25, 50, 100)),
    ("black_box", "dann", "aligned", "victims that the DANN sees (Figure 6h)", (10, 30, 100, 300)),
)
_ALIGNMENTS = (
    ("skytrax", "all", "all victims"),
    ("skytrax", "asked", "the balanced test set"),
    ("mtsamples", "asked", "the balanced test set"),
)
"""What a DANN aligns with; with all victims of the ablated corpus it does among the ablations."""
_ALIGNED = {
    "all": "The DANN aligns with all victims, few of whom have its keyword.",
    "asked": "The DANN aligns with the victims asked about its keyword; half of them have it (Algorithm 1).",
}


def entries() -> Iterator[Entry]:
    """Yield the promised results on sentence embeddings."""
    yield from _patterns()
    yield from _inference()
    yield from _last_tokens()
    yield from _further()
    yield from _sensitivities()
    yield from _defenses()
    for attack in _DEMOS:
        small = demo(attack, f"{part('attack', attack).title}, small and offline", ", with the encoder that ships")
        yield from seeds.over(small) if attack in _REPEATED_DEMOS else (small,)


def _patterns() -> Iterator[Entry]:
    for encoder in _ENCODERS:
        yield Entry(
            f"citizens_{encoder}",
            f"A date of birth from the embedding of a citizen number, {RECORDS[encoder].title}",
            "Year, month and day of birth, inferred from the embedding of an 18-digit number (Table II).",
            _citizens(encoder),
            contrast=encoder in _UNTRAINED,
        )
    for encoder in _TRAINED:
        yield Entry(
            f"genome_{encoder}",
            f"A genome from its embedding, {RECORDS[encoder].title}",
            "The nucleotide at each of 20 positions, inferred from the embedding of the string (Figure 3).",
            _genome(encoder),
        )


def _inference() -> Iterator[Entry]:
    for corpus, (_, texts) in _CORPORA.items():
        for box, auxiliary in _BOXES.items():
            shown = Entry(
                f"keywords_{corpus}_{box}",
                f"Keywords in {texts}, {auxiliary}",
                f"Whether {texts} contain a word, inferred from their embeddings (Figure 6).",
                _keywords(corpus, box),
            )
            yield from seeds.over(shown) if (corpus, box) == _REPEATED else (shown,)
    for corpus in _DEFENDED:
        task, texts = _CORPORA[corpus]
        for encoder in RECIPES:
            yield Entry(
                f"keywords_{corpus}_white_box_{encoder}",
                f"Keywords in {texts}, {_BOXES['white_box']}, {RECORDS[encoder].title}",
                f"Whether {texts} contain a word, inferred from embeddings of another encoder (Figure 6).",
                _keywords(corpus, "white_box", encoder),
                contrast=encoder in _UNTRAINED,
            )
        yield Entry(
            f"absent_{task}",
            f"Words that no text contains, {texts}",
            "How often the adversary is right that a word is absent, with public texts only (Table III).",
            _keywords(corpus, "black_box", attack={"absent": 5}),
            contrast=True,
        )
    yield from _ablations()


def _ablations() -> Iterator[Entry]:
    """Yield keyword inference with one quantity changed, and with a DANN that is told which victims are queried."""
    for corpus, alignment, how in _ALIGNMENTS:
        _, texts = _CORPORA[corpus]
        yield Entry(
            f"keywords_{corpus}_black_box_{alignment}",
            f"Keywords in {texts}, {_BOXES['black_box']}, DANN aligned with {how}",
            _ALIGNED[alignment],
            _keywords(corpus, "black_box", attack={"classifier": "dann", "rivals": False, "alignment": alignment}),
            contrast=True,
        )
    task, texts = _CORPORA[_ABLATED]
    for box, classifier, field, unit, values in _ABLATIONS:
        for value in values:
            yield Entry(
                f"ablation_{task}_{box}_{field}_{value}",
                f"Keywords in {texts}: {value:,} {unit}",
                f"The effect of the number of {unit} on the attack on {texts}.",
                _keywords(_ABLATED, box, attack={"classifier": classifier, "rivals": False, field: value}),
                contrast=True,
            )


def _last_tokens() -> Iterator[Entry]:
    """Yield what is read from the last token's hidden state, as the paper embeds, beside that from the mean."""
    _, texts = _CORPORA[_ABLATED]
    for encoder in _TRAINED:
        yield Entry(
            f"keywords_{_ABLATED}_white_box_{encoder}_last",
            f"Keywords in {texts}, {_BOXES['white_box']}, {RECORDS[encoder].title}, last token",
            f"Whether {texts} contain a word, inferred from the hidden state of their last token (section III-A).",
            _by_last_token(_keywords(_ABLATED, "white_box", encoder)),
            contrast=True,
        )
    for encoder in _NUMBERS_BY_LAST:
        yield Entry(
            f"citizens_{encoder}_last",
            f"A date of birth from the embedding of a citizen number, {RECORDS[encoder].title}, last token",
            "Year, month and day of birth, inferred from the last token’s hidden state (section III-A).",
            _by_last_token(_citizens(encoder)),
            contrast=True,
        )


def _further() -> Iterator[Entry]:
    for corpus in _DEFENDED:
        _, texts = _CORPORA[corpus]
        yield Entry(
            f"reassembly_{corpus}",
            f"Topic words of {texts}",
            "The ten of fifty words that an adversary ranks first for an embedding (Table V).",
            varied("semantic_reassembly", dataset=corpus, model={"source": _MINILM, "pooling": "mean"}),
        )
        for name, backwards in (("", False), ("_bidirectional", True)):
            yield Entry(
                f"decoder_{corpus}{name}",
                f"A decoder on {texts}" + (", bidirectional as the paper’s" if backwards else ""),
                "A network generates the text of an embedding; the bidirectional one sees the text itself (Figure 10).",
                varied(
                    "decoder",
                    dataset=corpus,
                    model={"source": _MINILM, "pooling": "mean"},
                    game={"shadow_share": 0.5},
                    attack={"bidirectional": backwards, "epochs": 40},
                ),
                contrast=backwards,
            )
    yield Entry(
        "fingerprint_encoders",
        "Which encoder made this embedding?",
        "Three poolings of MiniLM and six small encoders, identified from single embeddings (Figure 9).",
        varied(
            "encoder_fingerprint",
            dataset="mtsamples",
            model={"source": _MINILM, "pooling": "mean"},
            attack={"candidates": ["@first", "@last", *(f"{name}@mean" for name in RECIPES)]},
        ),
    )


def _sensitivities() -> Iterator[Entry]:
    """Yield how far one word moves the embeddings of each trained encoder, by both poolings and at both lengths."""
    candidates = ["@last", *(f"{name}@{pooling}" for name in _TRAINED if name in RECIPES for pooling in _POOLINGS)]
    for length, (suffix, scale) in _SCALES.items():
        yield Entry(
            f"sensitivity_encoders{suffix}",
            f"How far does one word move an embedding{scale}?",
            "The largest l1 distance of 10,000 pairs of texts one word apart, by encoder and pooling (Table IV).",
            varied(
                "encoder_fingerprint",
                dataset="cms_procedures",
                model={"source": _MINILM, "pooling": "mean", "length": length},
                game={"pairs": 10_000, "mapped": 5},
                attack={"candidates": candidates},
            ),
            contrast=True,
        )


def _defenses() -> Iterator[Entry]:
    attack = {"rivals": False, "classifier": "best"}
    tasks = {_CORPORA[corpus]: as_stored(_keywords(corpus, "white_box", attack=attack)) for corpus in _DEFENDED}
    genome = as_stored(_genome(_MINILM, steps=10_000))
    # The rule that the adversary knows does not tell how frequent the letters of real sequences are.
    tasks["genome", "genomes"] = genome.replace(game=genome.game.replace(chance="dealt"))
    for (task, texts), experiment in tasks.items():
        yield Entry(
            f"defense_{task}_none",
            f"No defense, {texts}",
            "The baseline of the defenses: the same attack, trained as long, on undefended embeddings.",
            experiment,
            contrast=True,
        )
        for name, field, value, behind in defended(experiment, _STRENGTHS):
            if task == "genome" and name == "subspace_projection":
                continue  # it removes the directions in which keywords vary
            yield Entry(
                f"defense_{task}_{name}_{value:g}",
                f"{part('defense', name).title.capitalize()}, {field} {value:g}, {texts}",
                "The utility and the leak of embeddings under a defense of this strength (Figure 7).",
                behind,
                contrast=True,
            )


def _by_last_token(experiment: Experiment) -> Experiment:
    """Return an experiment on what the paper takes for an embedding."""
    return experiment.replace(model=experiment.model.replace(pooling="last"))


def _citizens(encoder: str) -> Experiment:
    """Return the reconstruction of citizen numbers with the paper's wider classifiers."""
    return varied(
        "pattern_reconstruction",
        model={"source": encoder},
        attack={"samples": 50_000, "steps": 30_000, "hidden": "wide"},
    )


def _genome(encoder: str, steps: int = 30_000) -> Experiment:
    """Return the reconstruction of genomes with the paper's one classifier for all positions."""
    return varied(
        "pattern_reconstruction",
        dataset="splice",
        model={"source": encoder},
        game={"victims": 2000},
        attack={"samples": 20_000, "steps": steps, "positions": "shared"},
    )


def _keywords(
    corpus: str, box: str, encoder: str = _MINILM, attack: Mapping[str, Any] = MappingProxyType({})
) -> Experiment:
    """Return the inference of a dataset's keywords.

    The reviews and descriptions are at most a sixth of the paper's, so the white-box adversary gets half of them, not
    an eleventh, to have about as many texts. There are too few procedures to reach that number.
    """
    return varied(
        "keyword_inference",
        dataset=corpus,
        model={"source": encoder},
        game={"shadow_share": 0.5} if corpus in _DEFENDED else {},
        attack={"knowledge": box, "classifier": "mlp", **attack},
    )
