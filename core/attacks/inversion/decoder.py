"""Inversion by decoder: a network writes the text behind an embedding, and keywords are looked up in what it wrote."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from core.access import SentenceEmbeddings
from core.adversaries.keyword_classifiers import SAME_KIND
from core.datasets import Dataset
from core.encoders.own_embeddings import OwnEmbeddings
from core.games.inference.contract import (
    Answer,
    Briefing,
    InferenceAttack,
    Played,
    keywords,
    telling_words,
)
from core.keys import key_of
from core.networks import recurrent_decoder
from core.networks.recurrent_decoder import Training, Vocabulary
from core.result import Column, Schema, Tables, table
from core.runtime.context import Arrays, RunContext, content_key
from core.runtime.seeding import generator
from core.spec import parameter
from core.text.contents import Documents
from core.text.secrets import Keyword, Secret

_STAGES = 5
_LEFT_OUT = 0.1
_MOST_WRITTEN = 20


class Decoder(InferenceAttack):
    """Inference of keywords from the output of a decoder (Pan et al. 2020, appendix F).

    A recurrent layer (LSTM) starts in a linear map of an embedding, and is trained by teacher forcing to write the
    embedded text, on texts of the victims' own kind (white box):

        state_0 = A f(text) + b;   word_t = argmax softmax(W LSTM(word_{t-1}, state_{t-1})).

    It then writes a text for each victim greedily; a keyword counts as present when it occurs there. Where the paper
    is silent, or we deviate:

    - *Direction.* The paper's layer is bidirectional: its backward half reads the very word it is to write, so training
      loss falls to almost 0 and free writing fails. ``bidirectional`` does so too; the default reads forwards only.
    - *Vocabulary.* Words of the auxiliary texts in lower case instead of the encoder's tokens; rare ones are unknown.
    - *Length.* Texts are cut after ``length`` words; later keywords cannot be found.
    """

    title: ClassVar[str] = "Inversion by decoder"
    question: ClassVar[str] = "Can a network write down the text behind an embedding well enough to find a word in it?"
    claim: ClassVar[str] = (
        "Given the embedding of a text, a network writes a text, and the adversary looks for a keyword in it"
    )
    threat: ClassVar[str] = SAME_KIND
    fewest_texts: ClassVar[int] = 10
    tables: ClassVar[dict[str, Schema]] = {
        "decoding": {
            "epochs": Column("int32", "Epochs trained so far."),
            "loss": Column("float64", "Mean loss of a word in that epoch, in nats."),
            "left_out_loss": Column("float64", "Mean loss of a word after it on the held-out texts, in nats."),
        },
        "decoded": {
            "victim": Column("int32", "Number of the victim; the first 20 only."),
            "row": Column("int32", "Row of the victim's text in the dataset."),
            "words": Column("str", "What the decoder wrote; the true text is not kept."),
        },
    }
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            "dataset": {"part": "wikipedia_excerpt"},
            "model": {"part": "encoder", "max_tokens": 64},
            "game": {"shadow_share": 0.5, "victims": 100},
            "attack": {"keywords": ["war", "world", "music"], "length": 30, "epochs": 8},
        },
        "paper": {
            "dataset": {"part": "cms_procedures"},
            "model": {"part": "encoder", "source": "bert", "pooling": "last"},
            "attack": {"bidirectional": True, "epochs": 5},
        },
    }

    keywords: tuple[Annotated[str, Field(min_length=1, max_length=60)], ...] = parameter(
        (), "Words to look for; those that the dataset proposes when none are given.", max_length=60
    )
    epochs: int = parameter(20, "Epochs on the auxiliary texts.", unit="epochs", ge=1, le=1000)
    length: int = parameter(60, "Texts are cut after this many words.", unit="words", ge=2, le=1000)
    bidirectional: bool = parameter(
        False, "Let a second half of the layer read backwards, as in the paper; it then sees the word to be written."
    )
    hidden: int = parameter(128, "Units of the recurrent layer.", unit="units", ge=2, le=4096, advanced=True)
    minimum_count: int = parameter(
        3, "Rarer words are unknown to the decoder.", unit="occurrences", ge=1, le=10_000, advanced=True
    )
    vocabulary: int = parameter(
        2000, "Most words that the decoder can write.", unit="words", ge=1, le=300_000, advanced=True
    )
    batch: int = parameter(32, "Texts in a batch.", unit="texts", ge=1, le=8192, advanced=True)
    learning_rate: float = parameter(3e-3, "Adam's step size.", gt=0, le=1, advanced=True)

    def secrets(self, dataset: Dataset, documents: Documents) -> tuple[Secret, ...]:
        """Return the keywords given, or those that the dataset proposes."""
        return keywords(self.keywords, dataset)

    def alternatives(self, documents: Documents, fewest: int) -> Iterator[dict[str, Any]]:
        """Yield keywords that the texts have."""
        for words in telling_words(documents.texts, self.keywords, fewest):
            yield {"attack.keywords": words}

    def infer(self, briefing: Briefing, access: SentenceEmbeddings, context: RunContext) -> Iterator[Answer]:
        """Train the decoder, write each victim's text at several stages, and look for the keywords."""
        training = self._training(briefing, access)
        for epochs, arrays in training.stages(context):
            texts = [training.words.text(numbers) for numbers in arrays["written"]]
            for number, secret in enumerate(briefing.secrets):
                present = np.array([Keyword(secret.name).read(text) for text in texts], dtype=np.float32)
                probabilities = np.stack([1 - present, present], axis=1)
                yield Answer(self.part_name(), number, probabilities, epochs, final=epochs == self.epochs)

    def explain(self, played: Played, context: RunContext) -> Tables:
        """Return the loss in training, and the texts written for the first victims."""
        training = self._training(played.briefing, played.access)
        losses: list[dict[str, Any]] = []
        written: list[dict[str, Any]] = []
        for _, arrays in training.stages(context):
            pairs = zip(arrays["loss"], arrays["left_out_loss"], strict=True)
            losses += [
                {"epochs": epoch, "loss": loss, "left_out_loss": left_out}
                for epoch, (loss, left_out) in enumerate(pairs, start=len(losses) + 1)
            ]
            written = [
                {"victim": victim, "row": played.truth.rows[victim], "words": training.words.text(numbers)}
                for victim, numbers in enumerate(arrays["written"][: min(_MOST_WRITTEN, len(played.truth.rows))])
            ]
        return {"decoding": table(self.tables["decoding"], losses), "decoded": table(self.tables["decoded"], written)}

    def _training(self, briefing: Briefing, access: SentenceEmbeddings) -> "_Training":
        auxiliary = briefing.teaching
        self.check_held(len(auxiliary))
        order = generator(briefing.seed, "own texts").permutation(len(auxiliary))
        texts = [auxiliary[row] for row in order]
        taught = len(texts) - round(_LEFT_OUT * len(texts))
        words = Vocabulary.of(texts[:taught], self.minimum_count, self.vocabulary)
        known = access.known(texts, defended=briefing.defended)
        course = Training(
            vectors=known.vectors,
            numbers=words.numbers(texts, self.length),
            taught=taught,
            vocabulary=len(words),
            hidden=self.hidden,
            bidirectional=self.bidirectional,
            batch=self.batch,
            learning_rate=self.learning_rate,
            seed=briefing.seed,
        )
        return _Training(self, course, words, access.victims, known)


@dataclass(frozen=True)
class _Training:
    """The training of a decoder, and the victims it writes for.

    Attributes:
        attack: The parameters.
        course: What it learns from, and how.
        words: What it can write.
        victims: (victims, dimension) embeddings to write from.
        known: Embeddings of the texts it learns from, with fresh noise for each epoch.
    """

    attack: Decoder
    course: Training
    words: Vocabulary
    victims: NDArray[np.float32]
    known: OwnEmbeddings

    def key(self) -> str:
        """Key of all that determines the written texts."""
        contents = self.known.key + content_key(self.course.numbers, self.victims)
        return key_of({"decoder": 1, "attack": self.attack.identity(), "contents": contents, "seed": self.course.seed})

    @property
    def ends(self) -> tuple[int, ...]:
        """Epochs after which the victims' texts are written."""
        stages = min(_STAGES, self.attack.epochs)
        return tuple(round(self.attack.epochs * stage / stages) for stage in range(1, stages + 1))

    def stages(self, context: RunContext) -> Iterator[tuple[int, Arrays]]:
        """Yield epochs, the losses since the last stage, and the texts written then; train what is missing."""
        key, begin = self.key(), 0
        start: dict[str, NDArray[Any]] = {}
        for end in self.ends:
            title = f"Training the decoder, epochs {begin + 1} to {end} of {self.attack.epochs}"
            shared = {"training": self, "begin": begin, "start": start}
            for _, arrays in context.train(title, key, _train, [end], shared):
                yield end, arrays
                start = {name: array for name, array in arrays.items() if "." in name}
            begin = end


def _train(item: int, training: _Training, begin: int, start: Arrays) -> Arrays:
    """Continue the training up to an epoch, and write every victim's text."""
    decoder = recurrent_decoder.Decoder(training.course, start or None)
    losses, left_out = [], []
    for epoch in range(begin, item):
        rng = generator(training.course.seed, "noise", epoch)
        losses.append(decoder.train_epoch(epoch, training.known.drawn(slice(None), rng)))
        left_out.append(decoder.held_out_loss())
    arrays: dict[str, NDArray[Any]] = {
        "loss": np.array(losses, dtype=np.float64),
        "left_out_loss": np.array(left_out, dtype=np.float64),
        "written": decoder.write(training.victims),
    }
    return arrays if item == training.attack.epochs else {**arrays, **decoder.state()}
