"""Pattern reconstruction: the parts of a text that follows a known rule, read back from its embedding."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.access import SentenceEmbeddings
from core.datasets import Dataset
from core.errors import Incompatible
from core.games.inference.contract import Answer, Briefing, InferenceAttack, Truth
from core.networks.perceptron import Draw, Perceptron, Training, batches, train
from core.result import Column, Schema, table
from core.runtime.context import Arrays, RunContext, content_key
from core.runtime.seeding import generator
from core.spec import key_of, parameter
from core.text.contents import Documents, Patterns
from core.text.secrets import Secret

if TYPE_CHECKING:
    import pandas as pd

_HIDDEN = {"year": 400, "month": 25, "day": 200}
_WIDE = 400
_STAGES = 5
_LIKELIEST = 5
_SHOWN = 200


class PatternReconstruction(InferenceAttack):
    """Reconstruction of segments from embeddings (Pan et al. 2020, section V).

    The adversary knows the rule that the texts follow, draws texts of its own by it, has the public encoder embed
    them, and trains one classifier a segment that reads the segment's value from an embedding:

        value = argmax g_segment(f(text)).

    Where the paper is silent or its numbers disagree:

    - *Hidden units.* Section V-C gives year, month and day 400, 25 and 200 sigmoid units. ``hidden="paper"`` takes
      them; ``"wide"`` gives every segment 400.
    - *Many positions.* For genomes one network serves all positions; it is given the embedding and the sinusoidal
      encoding of the position asked about, both of d numbers (``positions="shared"``). The text says 400 and 100 units
      with batch normalisation, appendix B 200 units; the text's are taken.
      ``positions="separate"`` trains one network a position as for citizens, which is easier to learn.
    - *Training texts.* The paper trains on batches of 128 for 100,000 iterations and does not say how many texts it
      embeds; ``samples`` of them are embedded once here, and batches drawn from those with replacement.
    - *Whole.* The date is right when its three parts are; five dates are ranked by the product of their parts'
      probabilities.
    - *Encoders.* It takes no large model to keep a number: the whole date is right from MiniLM's mean in 0.56 of the
      cases (the paper's BERT: 0.22), from the small BERT that comes with the code in 0.46, from an untrained GPT-2 in
      0.997 and from the same after training on text in 0.08, from an untrained XLNet, whose notion of place is learnt,
      in 0.001 (`python -m core precompute --only "citizens_*"`). It seems that random weights keep every digit and its
      place, and that training keeps what text needs; that is not shown here.
    """

    title: ClassVar[str] = "Pattern reconstruction"
    question: ClassVar[str] = "Which date of birth, which nucleotide stood in the text behind this embedding?"
    threat: ClassVar[str] = (
        "The adversary has the embeddings of texts whose format it knows, and may ask the same public encoder to embed "
        "any text. It never sees a text of a victim."
    )
    reads: ClassVar[type] = Patterns
    tables: ClassVar[dict[str, Schema]] = {
        "likeliest": {
            "victim": Column("int32", "Number of the victim; the first 200 only."),
            "secret": Column("str", "Which segment."),
            "place": Column("int32", "1 for the likeliest answer."),
            "value": Column("str", "The answer."),
            "probability": Column("float32", "How likely the adversary thinks it."),
        },
    }
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            "dataset": {"part": "citizen_ids", "victims": 500},
            "model": {"part": "encoder"},
            "game": {"victims": 500},
            "attack": {"samples": 8000, "steps": 3000, "hidden": "wide"},
        },
        "paper": {
            "dataset": {"part": "citizen_ids"},
            "model": {"part": "encoder", "source": "minilm"},
        },
    }

    samples: int = parameter(
        50_000,
        "Texts of its own that the adversary has embedded.",
        label="Training texts",
        unit="texts",
        ge=100,
        le=1_000_000,
    )
    steps: int = parameter(100_000, "Batches each classifier is trained on.", unit="batches", ge=10, le=1_000_000)
    batch: int = parameter(128, "Texts in a batch.", unit="texts", ge=2, le=8192, advanced=True)
    learning_rate: float = parameter(
        1e-3, "Adam's step size at the start; falls to zero along a half cosine.", gt=0, le=1, advanced=True
    )
    hidden: Literal["paper", "wide"] = parameter(
        "paper", "Units of the hidden layer: the paper's for each segment, or 400 for all."
    )
    positions: Literal["separate", "shared"] = parameter(
        "separate", "One classifier a segment, or one for all that is told which segment is meant.", advanced=True
    )

    @property
    def balanced(self) -> bool:
        """The victims are what the rule gives; no answer of theirs is preferred."""
        return False

    def secrets(self, dataset: Dataset, documents: Documents) -> tuple[Secret, ...]:
        """Return the segments of the texts."""
        if not isinstance(documents, Patterns):
            raise Incompatible(f"{self.part_name()} needs texts that follow a rule. {dataset.part_name()} has none.")
        if self.positions == "shared" and len({segment.values for segment in documents.segments}) > 1:
            raise Incompatible(
                "One classifier for all segments needs segments with the same values. "
                f"Those of {dataset.part_name()} differ; choose positions='separate'."
            )
        return documents.segments

    def infer(self, briefing: Briefing, access: SentenceEmbeddings, context: RunContext) -> Iterator[Answer]:
        """Embed texts drawn by the rule, train the classifiers, and read every victim."""
        if briefing.generate is None:
            raise Incompatible(f"{self.part_name()} needs the rule that the texts follow.")
        own = briefing.generate(self.samples, generator(briefing.seed, "own texts"))
        lesson = _Lesson(
            attack=self,
            known=access.query(own, protected=briefing.protected),
            answers=np.array([[secret.read(text) for text in own] for secret in briefing.secrets], dtype=np.int64),
            names=tuple(secret.name for secret in briefing.secrets),
            values=tuple(len(secret.values) for secret in briefing.secrets),
            victims=access.victims,
            seed=briefing.seed,
        )
        items = range(len(briefing.secrets) if self.positions == "separate" else 1)
        for item, arrays in context.train(
            "Training a classifier for each secret", lesson.key(), _read, items, {"lesson": lesson}
        ):
            for place, secret in enumerate(lesson.reads(item)):
                # Stages within the same pass are one point of the curve, the last of them.
                stages = {max(1, step * self.batch // self.samples): at for at, step in enumerate(lesson.stages)}
                for epochs, stage in stages.items():
                    told = arrays["probabilities"][place, stage].astype(np.float32)
                    yield Answer(self.part_name(), secret, told, epochs, final=stage == len(lesson.stages) - 1)

    def explain(
        self,
        briefing: Briefing,
        access: SentenceEmbeddings,
        truth: Truth,
        answer: Sequence[Answer],
        context: RunContext,
    ) -> "dict[str, pd.DataFrame]":
        """Return the likeliest values of each segment for the first victims."""
        rows = []
        for inference in answer:
            secret = briefing.secrets[inference.secret]
            for victim, told in enumerate(inference.probabilities[:_SHOWN]):
                for place, value in enumerate(np.argsort(-told, kind="stable")[:_LIKELIEST], start=1):
                    rows.append(
                        {
                            "victim": victim,
                            "secret": secret.name,
                            "place": place,
                            "value": secret.values[value],
                            "probability": told[value],
                        }
                    )
        return {"likeliest": table(self.tables["likeliest"], rows)}


@dataclass(frozen=True)
class _Lesson:
    """What the classifiers learn from, and whom they read.

    Attributes:
        attack: How they learn.
        known: (samples, dimension) embeddings of the adversary's own texts.
        answers: (segments, samples) the values in those texts.
        names: Name of each segment.
        values: Number of values of each segment.
        victims: (victims, dimension) embeddings to read.
        seed: Source of all randomness.
    """

    attack: PatternReconstruction
    known: NDArray[np.float32]
    answers: NDArray[np.int64]
    names: tuple[str, ...]
    values: tuple[int, ...]
    victims: NDArray[np.float32]
    seed: int

    def key(self) -> str:
        """Key of everything that determines what is read."""
        contents = content_key(self.known, self.answers, self.victims)
        return key_of({"readers": 1, "attack": self.attack.identity(), "contents": contents, "seed": self.seed})

    def reads(self, item: int) -> range:
        """Return the segments that a classifier reads."""
        return range(len(self.names)) if self.attack.positions == "shared" else range(item, item + 1)

    @property
    def stages(self) -> tuple[int, ...]:
        """Steps after which the victims are read: doublings, and the end."""
        return tuple(sorted({max(1, self.attack.steps // 2**halvings) for halvings in range(_STAGES)}))

    def training(self, item: int) -> Training:
        """Return how a classifier is trained."""
        attack = self.attack
        shared = attack.positions == "shared"
        units = _HIDDEN.get(self.names[item], _WIDE) if attack.hidden == "paper" else _WIDE
        return Training(
            hidden=(_WIDE, 100) if shared else (units,),
            steps=attack.steps,
            batch=attack.batch,
            learning_rate=attack.learning_rate,
            batch_norm=shared,
        )

    def draw(self, item: int) -> Draw:
        """Return the batches of a classifier; a shared one is told a random position with each text."""
        if self.attack.positions == "separate":
            return batches(self.known, self.answers[item])
        where = positions(len(self.names), self.known.shape[1])

        def draw(rng: np.random.Generator, size: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
            rows, asked = rng.integers(len(self.known), size=size), rng.integers(len(where), size=size)
            return np.hstack([self.known[rows], where[asked]]), self.answers[asked, rows]

        return draw

    def inputs(self, embeddings: NDArray[np.float32], segment: int) -> NDArray[np.float32]:
        """Return what a classifier is given to read one segment."""
        if self.attack.positions == "separate":
            return embeddings
        where = positions(len(self.names), embeddings.shape[1])[segment]
        return np.hstack([embeddings, np.broadcast_to(where, embeddings.shape)])


def positions(count: int, dimension: int) -> NDArray[np.float32]:
    """Return sinusoidal encodings, (count, dimension), of positions 1 to count (Pan et al. 2020, appendix B)."""
    place, coordinate = np.arange(1, count + 1)[:, None], np.arange(dimension)[None, :]
    angle = place / 10_000 ** (coordinate / dimension)
    return np.where(coordinate % 2 == 0, np.sin(angle), np.cos(angle)).astype(np.float32)


def _read(item: int, lesson: _Lesson) -> Arrays:
    """Train one classifier, and read the victims at every stage; keep the finished one's weights too."""
    rng = generator(lesson.seed, "classifier", item)
    draw = lesson.draw(item)
    sample, _ = draw(generator(lesson.seed, "scale", item), min(4096, 8 * len(lesson.known)))
    told: list[list[NDArray[np.float32]]] = [[] for _ in lesson.reads(item)]
    network: Perceptron | None = None
    for network in train(draw, sample, lesson.values[item], lesson.training(item), rng, lesson.stages):
        for place, segment in enumerate(lesson.reads(item)):
            told[place].append(network.probabilities(lesson.inputs(lesson.victims, segment)))
    weights = {} if network is None else network.as_arrays()
    return {"probabilities": np.array(told, dtype=np.float16), **weights}
