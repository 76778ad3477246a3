"""Decoder: a network writes the text behind an embedding, and the keyword is looked for in what it wrote."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from core.access import SentenceEmbeddings
from core.datasets import Dataset
from core.errors import Incompatible
from core.games.inference.contract import Answer, Briefing, InferenceAttack, Truth, keywords
from core.networks import recurrent_decoder
from core.networks.recurrent_decoder import Training, Vocabulary
from core.result import Column, Schema, table
from core.runtime.context import Arrays, RunContext, content_key
from core.runtime.seeding import generator
from core.spec import key_of, parameter
from core.text.contents import Documents
from core.text.secrets import Keyword, Secret

if TYPE_CHECKING:
    import pandas as pd

_STAGES = 5
_LEFT_OUT = 0.1
_FEWEST = 10
_SHOWN = 20


class Decoder(InferenceAttack):
    """Inference of keywords from what a decoder writes (Pan et al. 2020, appendix F).

    A recurrent layer (LSTM) is given an embedding as its first state and taught to write the text behind it, each word
    given the true ones before it (teacher forcing), on texts of the victims' own kind (white box):

        state_0 = A f(text) + b;   word_t = argmax softmax(W LSTM(word_{t-1}, state_{t-1})).

    Then it writes a text for each victim, always the likeliest next word, and a keyword counts as present when it
    stands there. The paper's decoders write the same word again and again, and do no better than chance.

    Where the paper is silent, or another choice was made:

    - *Direction.* The paper's layer is bidirectional. Its backward half reads the very word it is to write, which is
      why the loss falls to almost 0 in training, and why the decoder is lost when it has to write on its own.
      ``bidirectional`` does as the paper; by default the layer reads forwards only, as a decoder must. It matters: from
      MiniLM's embeddings of airline reviews and medical descriptions the keyword is told in 0.81 and 0.73 of the cases,
      with the paper's layer in 0.64 and 0.53 (`python -m core precompute --only "decoder_*"`). So a decoder does give
      words away, and fewer than a classifier.
    - *State.* The linear map sets both the hidden and the cell state.
    - *Vocabulary.* The paper takes the tokens of the encoder. Here it is the words, in lower case, that occur at least
      ``minimum_count`` times in the adversary's texts, the ``vocabulary`` most frequent; all others are one unknown
      word, which is never written.
    - *Length.* Texts are cut after ``length`` words; a keyword behind that cannot be found.
    - *Sizes.* Units, batch and learning rate are not stated.
    - *Loss.* A tenth of the adversary's texts does not teach; the loss on them shows what is learnt beyond the others.
    """

    title: ClassVar[str] = "Decoder"
    question: ClassVar[str] = "Can a network write down the text behind an embedding well enough to find a word in it?"
    threat: ClassVar[str] = (
        "The adversary has the embeddings of texts, holds texts of the same kind, and may ask the same public encoder "
        "to embed any text."
    )
    tables: ClassVar[dict[str, Schema]] = {
        "decoding": {
            "epochs": Column("int32", "Passes of training by then."),
            "loss": Column("float64", "Mean loss a word during that pass, in nats."),
            "left_out_loss": Column("float64", "Mean loss a word after it on the texts that do not teach, in nats."),
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
        (), "Words to look for; those the dataset proposes when none are given.", max_length=60
    )
    epochs: int = parameter(20, "Passes over the adversary's texts.", unit="passes", ge=1, le=1000)
    length: int = parameter(60, "Texts are cut after this many words.", unit="words", ge=2, le=1000)
    bidirectional: bool = parameter(
        False, "Let a second half of the layer read backwards, as the paper does; it then sees what it is to write."
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
        """Return the keywords asked for, or those the dataset proposes."""
        return keywords(self.keywords, dataset)

    def infer(self, briefing: Briefing, access: SentenceEmbeddings, context: RunContext) -> Iterator[Answer]:
        """Teach the decoder, let it write each victim's text at several stages, and look for the keywords."""
        lesson = self._lesson(briefing, access)
        for epochs, arrays in lesson.stages(context):
            texts = [lesson.words.text(numbers) for numbers in arrays["written"]]
            for number, secret in enumerate(briefing.secrets):
                present = np.array([Keyword(secret.name).read(text) for text in texts], dtype=np.float32)
                told = np.stack([1 - present, present], axis=1)
                yield Answer(self.part_name(), number, told, epochs, final=epochs == self.epochs)

    def explain(
        self,
        briefing: Briefing,
        access: SentenceEmbeddings,
        truth: Truth,
        answer: Sequence[Answer],
        context: RunContext,
    ) -> "dict[str, pd.DataFrame]":
        """Return the loss in training, and what was written for the first victims."""
        lesson = self._lesson(briefing, access)
        losses: list[dict[str, Any]] = []
        written: list[dict[str, Any]] = []
        for _, arrays in lesson.stages(context):
            pairs = zip(arrays["loss"], arrays["left_out_loss"], strict=True)
            losses += [
                {"epochs": epoch, "loss": loss, "left_out_loss": left_out}
                for epoch, (loss, left_out) in enumerate(pairs, start=len(losses) + 1)
            ]
            written = [
                {"victim": victim, "row": truth.rows[victim], "words": lesson.words.text(numbers)}
                for victim, numbers in enumerate(arrays["written"][:_SHOWN])
            ]
        return {
            "decoding": table(self.tables["decoding"], losses),
            "decoded": table(self.tables["decoded"], written),
        }

    def _lesson(self, briefing: Briefing, access: SentenceEmbeddings) -> "_Lesson":
        if len(briefing.held) < _FEWEST:
            raise Incompatible(
                f"{self.part_name()} learns from texts of the victims' kind, at least {_FEWEST} of them. The adversary "
                f"holds {len(briefing.held)}; raise the share of texts it holds."
            )
        order = generator(briefing.seed, "own texts").permutation(len(briefing.held))
        own = [briefing.held[row] for row in order]
        taught = len(own) - round(_LEFT_OUT * len(own))
        words = Vocabulary.of(own[:taught], self.minimum_count, self.vocabulary)
        course = Training(
            vectors=access.query(own, protected=briefing.protected),
            numbers=words.numbers(own, self.length),
            taught=taught,
            vocabulary=len(words),
            hidden=self.hidden,
            bidirectional=self.bidirectional,
            batch=self.batch,
            learning_rate=self.learning_rate,
            seed=briefing.seed,
        )
        return _Lesson(self, course, words, access.victims)


@dataclass(frozen=True)
class _Lesson:
    """What the decoder learns from, and for whom it writes.

    Attributes:
        attack: For how long.
        course: What it learns from, and how.
        words: What it can write.
        victims: (victims, dimension) embeddings to write from.
    """

    attack: Decoder
    course: Training
    words: Vocabulary
    victims: NDArray[np.float32]

    def key(self) -> str:
        """Key of everything that determines what is written."""
        contents = content_key(self.course.vectors, self.course.numbers, self.victims)
        return key_of({"decoder": 1, "attack": self.attack.identity(), "contents": contents, "seed": self.course.seed})

    @property
    def ends(self) -> tuple[int, ...]:
        """Epochs after which the victims' texts are written."""
        stages = min(_STAGES, self.attack.epochs)
        return tuple(round(self.attack.epochs * stage / stages) for stage in range(1, stages + 1))

    def stages(self, context: RunContext) -> Iterator[tuple[int, Arrays]]:
        """Yield epochs, and losses since the last stage and what was written by then, training what is missing."""
        key, begin = self.key(), 0
        start: dict[str, NDArray[Any]] = {}
        for end in self.ends:
            title = f"Training the decoder, passes {begin + 1} to {end} of {self.attack.epochs}"
            shared = {"lesson": self, "begin": begin, "start": start}
            for _, arrays in context.train(title, key, _study, [end], shared):
                yield end, arrays
                start = {name: array for name, array in arrays.items() if "." in name}
            begin = end


def _study(item: int, lesson: _Lesson, begin: int, start: Arrays) -> Arrays:
    """Go on with the training up to an epoch, and write every victim's text."""
    decoder = recurrent_decoder.Decoder(lesson.course, start or None)
    losses, left_out = [], []
    for epoch in range(begin, item):
        losses.append(decoder.train_epoch(epoch))
        left_out.append(decoder.held_out_loss())
    found: dict[str, NDArray[Any]] = {
        "loss": np.array(losses, dtype=np.float64),
        "left_out_loss": np.array(left_out, dtype=np.float64),
        "written": decoder.write(lesson.victims),
    }
    return found if item == lesson.attack.epochs else {**found, **decoder.state()}
