"""An encoder of sentences trained on which sentence follows which."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.access import Access, EncoderInternals, SentenceEmbeddings, TextEmbeddings
from core.datasets import Dataset
from core.defenses import TrainingOptions
from core.errors import Incompatible
from core.runtime.context import Arrays, RunContext, content_key
from core.runtime.epochs import train_by_epochs
from core.runtime.seeding import generator
from core.spec import Holds, key_of, parameter
from core.statistics import intervals
from core.targets.model import TextModel
from core.targets.sentence_encoder import TrainedSentenceModel
from core.targets.trained_target import TrainedTarget, Utility
from core.targets.training_job import TrainingJob
from core.text.contents import Documents
from core.text.corpus import Corpus, words_of
from core.text.segments import Segmentation, neighbours, segmented
from core.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    import torch

    from core.networks.dual_encoder import DualEncoder as Network
    from core.networks.dual_encoder import Shape

_COURSE = (1, 2, 5, 10, 20, 50)
"""Passes after which a model is kept, besides its last."""
_FEWEST = 20
_LEFT_OUT = 10
"""Of how many documents one does not teach an encoder that learns from texts of its own."""
_TOLD = 2000
"""Words that an adversary in training tells, the most frequent."""
_CANDIDATES = 100
_ASKED = 1000
"""Pairs that are asked about for a quality, at most."""


class DualEncoder(TextModel, TrainedSentenceModel):
    """A dual encoder: one network reads both sentences of a pair, and their vectors are to be alike.

    Song and Raghunathan 2020, section 6.1, train an LSTM (d = 1,200, one pass, learning rate 0.0005) and a Transformer
    of three layers (d = 600, five passes) on 40 million sentences of books, with the 800 other sentences of a batch as
    negative samples. These are the same two on what a laptop can train: a batch of 128 pairs gives 127 negative samples
    in either direction, the Transformer's layers are normalised first and need no warm-up, and its vector is the mean
    over the words; the LSTM's is its state after the last word.

    After three passes over sentences of Wikipedia (256 numbers a vector; `python -m core precompute --only
    "inversion_multilabel_*"`), the LSTM finds the next of 100 sentences in 6.5 % (95 % interval 5.1 to 8.0), and the
    Transformer in 9.3 % (7.6 to 11.2), in documents that did not teach them; guessing gives 1 %.

    The vocabulary is that of all documents of an experiment, whoever trains on them, as a public tokenizer's would be:
    one from a model's own documents would tell, without any training, which words those had.
    """

    title: ClassVar[str] = "dual encoder"
    provides: ClassVar[frozenset[type[Access]]] = frozenset({TextEmbeddings, SentenceEmbeddings, EncoderInternals})
    pieces: ClassVar[Segmentation] = "sentences"

    body: Literal["lstm", "transformer"] = parameter(
        "lstm", "What reads a sentence: an LSTM, or a Transformer of three layers.", label="Network"
    )
    epochs: int = parameter(10, "Passes over the pairs of sentences.", unit="passes", ge=1, le=200)
    dimension: int = parameter(128, "Length of a sentence’s vector.", ge=4, le=2048)
    word_dimension: int = parameter(64, "Length of a word’s vector.", ge=4, le=1024)
    minimum_count: int = parameter(
        2,
        "Words that all documents together have less often are read as one unknown word.",
        unit="occurrences",
        ge=1,
        le=10_000,
    )
    length: int = parameter(32, "Words of a sentence that are read at most.", unit="words", ge=2, le=512)
    batch: int = parameter(128, "Pairs of a training step.", unit="pairs", ge=2, le=4096, advanced=True)
    learning_rate: float = parameter(1e-3, "Adam’s step size.", gt=0, le=1, advanced=True)
    scale: float = parameter(20.0, "What cosines are multiplied with before the softmax.", gt=0, le=1000, advanced=True)
    texts: Annotated[Dataset | None, Holds(Documents)] = parameter(
        None,
        "Documents that it learns from when texts are read back from its embeddings. Where its own training is what is "
        "attacked, it learns from the experiment’s documents instead.",
        label="Learns from",
    )

    def release(self, job: TrainingJob, context: RunContext) -> list[TrainedTarget]:
        """Train encoders, each on its share of the documents, which may be asked for the embedding of any text.

        Raises:
            Incompatible: It is not told which sentences follow each other.
        """
        if job.places is None:
            raise Incompatible(f"{self.part_name()} learns from sentences in their order, not from whole documents.")
        study = Study.of(self, job.corpus, job.places, job.selections, job.identity, job.seed)
        trained = study.train(context)
        context.progress.stage("Measuring what the encoders learnt", total=len(trained))
        releases = []
        for number in sorted(trained):
            course = {
                passes: TextEmbeddings(study.reader(state).encode)
                for passes, state in study.course(number, trained[number]).items()
            }
            reader = study.reader(trained[number])
            releases.append(TrainedTarget(TextEmbeddings(reader.encode), study.qualities(number, reader), course))
            context.progress.advance()
        return releases

    def learnt(self, asked: TrainingOptions, context: RunContext) -> "Reader":
        """Return the encoder that learns from ``texts``, trained once ever.

        Raises:
            Incompatible: There are none, they have too few sentences that follow each other, or something is asked
                that this training cannot do.
        """
        study = _own(self, asked)
        return study.reader(study.train(context)[0])

    def qualities(self, asked: TrainingOptions, context: RunContext) -> Mapping[str, Utility]:
        """Return how often it finds the neighbour of a sentence, in the texts that taught it and in others."""
        return _own(self, asked).qualities(0, self.learnt(asked, context))


@dataclass(frozen=True)
class Study:
    """What encoders learn from.

    Attributes:
        model: How.
        vocabulary: What all of them know.
        sentences: Tokens of each sentence of the documents.
        first: (pairs,) numbers of the sentences that the next one follows.
        taught: For each encoder, the numbers among those that teach it.
        identity: All that determines the encoders, plain values.
        seed: Source of all randomness.
        adversary: Weight of an adversary that reads words back, which they are trained against; None for none.
    """

    model: DualEncoder
    vocabulary: Vocabulary
    sentences: Sequence[NDArray[np.int64]]
    first: NDArray[np.int64]
    taught: Sequence[NDArray[np.int64]]
    identity: Mapping[str, Any]
    seed: int
    adversary: float | None = None

    @classmethod
    def of(
        cls,
        model: DualEncoder,
        corpus: Corpus,
        places: NDArray[np.int64],
        selections: Sequence[NDArray[np.int64]],
        identity: Mapping[str, Any],
        seed: int,
    ) -> "Study":
        """Return what each encoder learns from its selection of sentences.

        Raises:
            Incompatible: One of them has no two sentences that follow each other.
        """
        vocabulary = Vocabulary.of(corpus, model.minimum_count)
        first = neighbours(places)
        taught = [first[np.isin(first, rows)] for rows in selections]
        if (fewest := min(map(len, taught))) < _FEWEST:
            raise Incompatible(
                f"{model.part_name()} learns from at least {_FEWEST} pairs of sentences that follow each other. There "
                f"are {fewest}: take a larger dataset, or one with texts of several sentences."
            )
        return cls(model, vocabulary, vocabulary.encode(corpus), first, taught, identity, seed)

    @property
    def shape(self) -> "Shape":
        """What the networks are made of."""
        from core.networks.dual_encoder import Shape

        model = self.model
        told = 0 if self.adversary is None else min(_TOLD, len(self.vocabulary.words))
        return Shape(model.body, len(self.vocabulary), model.word_dimension, model.dimension, model.length, told)

    def train(self, context: RunContext) -> dict[int, Arrays]:
        """Return the state of each encoder after its last pass, and of what it was before."""
        shared = {"study": self}
        stage, items = "Training the encoders", range(len(self.taught))
        return train_by_epochs(context, stage, self.identity, _train_pass, items, self.model.epochs, shared)

    def start(self, number: int) -> Arrays:
        """Return the state of an encoder before training."""
        from core.networks.dual_encoder import initial

        seed = int(generator(self.seed, "encoder", number).integers(2**31))
        return initial(self.shape, seed, [self.sentences[row] for row in self.taught[number]])

    def course(self, number: int, trained: Arrays) -> dict[int, Arrays]:
        """Return what an encoder was by number of passes, from before the first to after the last."""
        before = {0: self.start(number)}
        for passes in _COURSE:
            if own := {
                name.removeprefix(f"after.{passes}."): array.astype(np.float32)
                for name, array in trained.items()
                if name.startswith(f"after.{passes}.")
            }:
                before[passes] = own
        return {**before, self.model.epochs: trained}

    def reader(self, state: Arrays) -> "Reader":
        """Return an encoder of a state."""
        return Reader(self.vocabulary, self.shape, state)

    def qualities(self, number: int, reader: "Reader") -> dict[str, Utility]:
        """Return how often an encoder finds the neighbour of a sentence among those of others."""
        kinds = {
            "train": ("pairs it was trained on", self.taught[number]),
            "test": ("pairs of other documents", np.setdiff1d(self.first, self.taught[number])),
        }
        rng = generator(self.seed, "neighbours", number)
        found = {}
        for name, (says, rows) in kinds.items():
            asked = rng.permutation(rows)[:_ASKED]
            parts = np.array_split(asked, max(len(asked) // _CANDIDATES, 1))
            right = [np.argmax(self._products(reader, part), axis=1) == np.arange(len(part)) for part in parts]
            value, low, high = self._share(np.concatenate(right), name, number)
            found[f"neighbours_{name}"] = Utility(
                value,
                "share of sentences",
                f"How often an encoder finds, among {len(parts[0])} sentences, the one that follows; {says}.",
                len(parts) / max(len(asked), 1),
                (low, high),
                len(asked),
            )
        return found

    def _share(self, right: NDArray[np.bool_], name: str, number: int) -> tuple[float, float, float]:
        """Return the share that is right and its interval over the sentences asked about; NaN where none was."""
        if not len(right):
            return float("nan"), float("nan"), float("nan")
        rng = generator(self.seed, "neighbours", number, name)
        return intervals.mean_share(right[None].astype(np.float64), np.ones((1, len(right))), rng)

    def _products(self, reader: "Reader", rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the cosines of sentences and the ones that follow them, each with each, (sentences, sentences)."""
        one, other = (reader.read([self.sentences[row + side] for row in rows]) for side in (0, 1))
        return np.asarray(_directions(one) @ _directions(other).T)


@dataclass(frozen=True)
class Reader:
    """A trained encoder in use.

    Attributes:
        vocabulary: The words it knows.
        shape: What its network is made of.
        state: The network's weights.
    """

    vocabulary: Vocabulary
    shape: "Shape"
    state: Arrays

    @property
    def identity(self) -> dict[str, Any]:
        """All that determines what it gives."""
        arrays = content_key(*(self.state[name] for name in sorted(self.state)))
        return {"dual encoder": arrays, "words": content_key(np.array(self.vocabulary.words)), **asdict(self.shape)}

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the embeddings of texts, (texts, dimension)."""
        return self.read([self.vocabulary.tokens(words_of(text)) for text in texts])

    def read(self, sentences: Sequence[NDArray[np.int64]]) -> NDArray[np.float32]:
        """Return the embeddings of sentences given by their tokens, (sentences, dimension)."""
        from core.networks.dual_encoder import embed

        return embed(self._network, sentences)

    def word_vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the vector of each word, (words, word_dimension); the unknown word's for one it does not know."""
        return np.asarray(self.state["weight.embedding.weight"][self.vocabulary.tokens(words)], np.float32)

    def embed(self, inputs: "torch.Tensor", lengths: "torch.Tensor") -> "torch.Tensor":
        """Return the embeddings of texts, (texts, dimension), with a gradient for what is read in place of words.

        Args:
            inputs: (texts, places, word_dimension) what is read.
            lengths: (texts,) int64, how many places each text has, at least one; others are not looked at.
        """
        import torch

        return self._network.read(inputs, torch.arange(inputs.shape[1]) < lengths[:, None])

    @cached_property
    def _network(self) -> "Network":
        from core.networks.dual_encoder import restored

        return restored(self.shape, self.state).eval().requires_grad_(requires_grad=False)


def _own(model: DualEncoder, asked: TrainingOptions) -> Study:
    """Return how an encoder learns from the texts that its own parameters name."""
    if asked != TrainingOptions(adversary=asked.adversary):
        raise Incompatible(f"Of what defenses ask of training, {model.part_name()} can do an adversary only.")
    if model.texts is None:
        raise Incompatible(f"{model.part_name()} has nothing to learn from. Choose documents for its 'texts'.")
    identity = {"dual encoder": 1, "model": model.identity(), "adversary": asked.adversary}
    return replace(_read(model, model.texts, key_of(identity)), identity=identity, adversary=asked.adversary)


@lru_cache(maxsize=2)
def _read(model: DualEncoder, texts: Dataset, key: str) -> Study:
    """Read the texts, once for all that have the same key; a tenth of them does not teach."""
    sentences, places = segmented(texts.load(), model.pieces)
    taught = np.flatnonzero(places[:, 0] % _LEFT_OUT)
    return Study.of(model, Corpus.encode(sentences, model.vocabulary()), places, [taught], {}, 0)


def _directions(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12))


def _train_pass(item: int, study: Study, before: Arrays, number: int) -> Arrays:
    """Train one encoder for one pass; return what the next pass needs, or after the last what its use needs."""
    from core.networks.dual_encoder import train_pass
    from core.networks.states import finished

    model, first = study.model, study.taught[item]
    after = train_pass(
        study.shape,
        before or study.start(item),
        study.sentences,
        np.stack([first, first + 1], axis=1),
        batch=model.batch,
        learning_rate=model.learning_rate,
        scale=model.scale,
        strength=study.adversary or 0.0,
        rng=generator(study.seed, "encoder", item, number),
    )
    kept = {name: array for name, array in before.items() if name.startswith("after.")}
    if number + 1 == model.epochs:
        return {**kept, **finished(after)}
    if number + 1 in _COURSE:
        # Half as many bits keep what it was: nothing is trained on from there.
        kept |= {f"after.{number + 1}.{name}": array.astype(np.float16) for name, array in finished(after).items()}
    return {**kept, **after}
