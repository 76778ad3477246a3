"""Trains the readers as their attacks prepare, and measures them as stored on held-out sentences."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from core.access import EncoderInternals
from core.adversaries.keyword_classifiers import examples, svm
from core.adversaries.linear_map import LinearMap
from core.adversaries.word_classifier import WordClassifier
from core.attacks.inversion import multiset_inversion, sparse_inversion
from core.datasets import Dataset
from core.errors import StoreError
from core.games.inversion.contract import Answer, Auxiliary, InversionAdversary
from core.games.inversion.score import Scorer
from core.networks.perceptron import moments
from core.readers import files, recipe
from core.readers.encoder import SmallBert
from core.readers.files import Card, Measured
from core.readers.reading import SEPARATOR, Reader, Readers
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.text import word_sets
from core.text.bitext import Bitext
from core.text.segments import segmented

Weights = dict[str, NDArray[Any]]

_THRESHOLD_SHARE = 0.1
"""Share of the adversary's sentences on which the keyword classifiers' threshold is set."""
_CONTRACTED = re.compile(r"\b(\w+n)['’]t\b")
"""What is left of "doesn't" and the like, which is no keyword."""
_HALVED = ("weight", "first.weight", "words.weight", "last.weight", "cell.weight_ih", "cell.weight_hh")
"""Weights that are kept in half precision."""


@dataclass(frozen=True)
class Sentences:
    """The sentences of the readers' making, by title of their dataset.

    Attributes:
        taught: Those the adversary holds.
        held_out: Those the readers are measured on; none is among the others.
    """

    taught: Mapping[str, tuple[str, ...]]
    held_out: Mapping[str, tuple[str, ...]]

    @property
    def auxiliary(self) -> tuple[str, ...]:
        """All that the adversary holds."""
        return tuple(text for texts in self.taught.values() for text in texts)


def train(context: RunContext) -> tuple[Weights, Card]:
    """Train and measure every reader.

    Raises:
        DataUnavailable: A dataset is neither on this machine nor reachable.
    """
    sentences = drawn()
    empty = np.empty((0, 0), np.float32)

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        return recipe.ENCODER.encode(texts, context)

    access = EncoderInternals(empty, encode, encode, recipe.ENCODER.open_encoder(context))
    auxiliary = Auxiliary(sentences.auxiliary, defended=False, seed=recipe.SEED)
    weights: Weights = {}
    for attack in recipe.INVERSIONS:
        parts = weights_of(attack.prepare(auxiliary, access, context))
        weights |= {f"{attack.part_name()}/{name}": array for name, array in parts.items()}
    parts = _keyword_classifiers(sentences.auxiliary, access, context)
    weights |= {f"{recipe.INFERENCE.part_name()}/{name}": array for name, array in parts.items()}
    context.progress.stage("Measuring the readers")
    return weights, _card(Readers.of(weights, SmallBert(recipe.MAX_TOKENS)), sentences)


def check() -> list[str]:
    """Return what is wrong with the readers that come with the code; nothing is trained, and no dataset is read."""
    try:
        files.weights()
        made_by = files.card().key
    except StoreError as error:
        return [str(error)]
    if made_by == recipe.key():
        return []
    return [f"The readers were made by recipe {made_by}, and the code now says {recipe.key()}: python -m core readers"]


def drawn() -> Sentences:
    """Draw different sentences of each dataset."""
    taught: dict[str, tuple[str, ...]] = {}
    held_out: dict[str, tuple[str, ...]] = {}
    known: set[frozenset[str]] = set()
    for dataset in recipe.TEXTS:
        texts = _texts(dataset)
        drawn: list[str] = []
        for row in generator(recipe.SEED, "readers", dataset.part_name()).permutation(len(texts)).tolist():
            words = word_sets.word_set(texts[row])
            if words and words not in known:
                known.add(words)
                drawn.append(texts[row])
        taught[dataset.title] = tuple(drawn[: recipe.TAUGHT])
        held_out[dataset.title] = tuple(drawn[recipe.TAUGHT : recipe.TAUGHT + recipe.HELD_OUT])
    return Sentences(taught, held_out)


def _texts(dataset: Dataset) -> list[str]:
    """Return the sentences of a dataset; of bitext the English side."""
    contents = dataset.load()
    if isinstance(contents, Bitext):
        return [text for text in contents.targets if len(text.split()) > 3]
    return segmented(contents, "sentences")[0]


def weights_of(adversary: InversionAdversary) -> Weights:
    """Return what `core.readers.reading` needs of a trained adversary."""
    match adversary:
        case WordClassifier(words, state):
            names = ("center", "scale", "threshold")
            return {**_linear(state), **{name: state[name] for name in names}, "words": _spelt(words)}
        case multiset_inversion.Policy(words, state, (weight, bias), sizes, steps):
            policy = {
                name.removeprefix("weight."): array for name, array in state.items() if name.startswith("weight.")
            }
            return {
                **{name: _halved(name, array) for name, array in policy.items()},
                "weight": weight.astype(np.float16),
                "bias": bias,
                **{"center": sizes.center, "scale": sizes.scale},
                **{"sizes.weight": sizes.weights, "sizes.bias": sizes.bias},
                **{"steps": np.array(steps), "threshold": state["threshold"], "words": _spelt(words)},
            }
        case sparse_inversion.Decomposer(words, _, back, iterations, _, penalty, threshold):
            numbers = {"penalty": penalty, "threshold": threshold, "iterations": iterations}
            return {
                **_map(back),
                **{name: np.array(number) for name, number in numbers.items()},
                "words": _spelt(words),
            }
    raise TypeError(f"no reader is kept of {type(adversary).__name__}")


def _keyword_classifiers(sentences: Sequence[str], access: EncoderInternals, context: RunContext) -> Weights:
    """Train a classifier for each keyword; set one threshold for all on sentences that do not teach.

    Half of a classifier's training texts have the keyword, few sentences do. So its margin is corrected for how rare
    the keyword is among the adversary's sentences (Saerens et al. 2002), and the threshold has the best F1 on a tenth
    of them.
    """
    sets = list(map(word_sets.word_set, sentences))
    counts = word_sets.frequencies(sets)
    stems = {stem for text in sentences for stem in _CONTRACTED.findall(text.casefold())}
    keywords = [word for word in counts if word_sets.is_content(word) and word not in stems][: recipe.KEYWORDS]
    order = generator(recipe.SEED, "readers", "keywords").permutation(len(sets))
    left_out, source = np.split(order, [round(_THRESHOLD_SHARE * len(sets))])
    texts = [sentences[row] for row in source[: recipe.INFERENCE.texts]]
    labelled = examples(texts, keywords, recipe.INFERENCE.substitutions, recipe.SEED)
    known = access.known(labelled.texts)
    center, scale = moments(known.vectors)
    rows: list[NDArray[np.float32]] = []
    biases: list[float] = []
    context.progress.stage("Training the classifiers of keywords", total=len(keywords))
    for number, keyword in enumerate(keywords):
        rng = generator(recipe.SEED, recipe.INFERENCE.classifier, number)
        trained = svm(known.select(labelled.rows[number]), labelled.answers[number], rng)
        ((pair, offset),) = trained.layers
        row, bias = pair[:, 1], float(offset[1])
        share = counts[keyword] / len(sets)
        rows.append(np.asarray(row / trained.scale * scale, np.float32))
        biases.append(bias + float(row @ ((center - trained.center) / trained.scale)) + np.log(share / (1 - share)))
        context.progress.advance()
    parts = {
        "weight": np.stack(rows),
        "bias": np.array(biases, np.float32),
        **{"center": center, "scale": scale, "threshold": np.array(0.0), "words": _spelt(keywords)},
    }
    reader = Readers.of({f"k/{name}": array for name, array in parts.items()}, SmallBert(1)).methods["k"]
    present_sets = [frozenset(sets[row] & reader.vocabulary) for row in left_out]
    having = np.flatnonzero([bool(words) for words in present_sets])
    vectors = access.query([sentences[left_out[row]] for row in having])
    present = [present_sets[row] for row in having]
    best = word_sets.best_threshold(
        reader.scores(vectors), word_sets.presence(present, keywords).toarray() > 0, word_sets.sizes(present)
    )
    return {**parts, "threshold": np.array(best[0])}


def _card(readers: Readers, sentences: Sentences) -> Card:
    """Measure the readers, as they are stored, on the held-out sentences."""
    vectors = {
        dataset: np.stack(list(map(readers.encoder.encode, texts))) for dataset, texts in sentences.held_out.items()
    }
    return Card(
        key=recipe.key(),
        datasets=tuple(sentences.held_out),
        sentences=len(sentences.auxiliary),
        max_tokens=recipe.MAX_TOKENS,
        measured={
            method: {
                dataset: _measured(reader, vectors[dataset], texts, sentences.taught[dataset], method)
                for dataset, texts in sentences.held_out.items()
            }
            for method, reader in readers.methods.items()
        },
    )


def _measured(
    reader: Reader, vectors: NDArray[np.float32], held_out: Sequence[str], taught: Sequence[str], method: str
) -> Measured:
    """Return a reader's F1 on held-out sentences of a dataset, and chance by the word frequencies of that dataset.

    Where keywords are inferred, only these count as words.
    """
    only = reader.vocabulary if method == recipe.INFERENCE.part_name() else None
    truth, known = (
        [word_sets.word_set(text) if only is None else word_sets.word_set(text) & only for text in texts]
        for texts in (held_out, taught)
    )
    having = np.flatnonzero([bool(words) for words in truth])
    scores = reader.scores(vectors[having])
    victims = [truth[row] for row in having]
    scorer = Scorer(victims, having, np.zeros_like(having), known, "reader", recipe.SEED)
    scorer.add("reader", Answer(reader.words, scores, scores > reader.threshold))
    figure = scorer.estimates()["f1"]
    return Measured(figure.value, figure.low, figure.high, cast(float, figure.chance), len(having), len(reader.words))


def _linear(state: Mapping[str, NDArray[Any]]) -> Weights:
    return {"weight": state["weight.0.weight"].astype(np.float16), "bias": state["weight.0.bias"]}


def _map(linear: LinearMap) -> Weights:
    return {"weight": linear.weights.T, "bias": linear.bias, "center": linear.center, "scale": linear.scale}


def _halved(name: str, array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(np.float16) if name in _HALVED else array


def _spelt(words: Sequence[str]) -> NDArray[np.uint8]:
    return np.frombuffer(SEPARATOR.join(words).encode(), np.uint8)
