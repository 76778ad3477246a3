"""Pattern reconstruction: the segments of a text of known format, predicted from its embedding."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.access import SentenceEmbeddings
from core.datasets import Dataset
from core.encoders.own_embeddings import OwnEmbeddings
from core.errors import Incompatible
from core.games.inference.contract import Answer, Briefing, InferenceAttack, Played
from core.keys import key_of
from core.networks.perceptron import Draw, Perceptron, Training, train
from core.result import Column, Schema, Tables, table
from core.runtime.context import Arrays, RunContext, content_key
from core.runtime.seeding import generator
from core.spec import parameter
from core.text.contents import Documents, Patterns
from core.text.secrets import Secret

_HIDDEN = {"year": 400, "month": 25, "day": 200}
_WIDE = 400
_STAGES = 5
_LIKELIEST = 5
_MOST_VICTIMS = 200


class PatternReconstruction(InferenceAttack):
    """Reconstruction of segments from embeddings (Pan et al. 2020, section V).

    The adversary knows the rule that the texts follow, generates texts by it, has the public encoder embed them, and
    trains one classifier a segment:

        value = argmax g_segment(f(text)).

    Where the paper is silent or its numbers disagree:

    - *Hidden units.* 400, 25 and 200 for year, month and day (section V-C, ``hidden="paper"``), or 400 for all.
    - *Positions.* ``separate``, the default, trains one network a position, which is easier to learn; ``shared``, the
      paper's way for genomes, one for all positions, on the embedding and the sinusoidal encoding of the position: 400
      and 100 units with batch normalisation (appendix B says 200).
    - *Training texts.* Not stated. ``samples`` texts are embedded once, and batches drawn with replacement; an
      adversary that knows a defense draws its noise afresh in each batch.
    - *Whole.* The date is right when its three parts are; dates are ranked by the product of the parts' probabilities.
    """

    title: ClassVar[str] = "Pattern reconstruction"
    question: ClassVar[str] = "Which values stand at the known places of the text behind this embedding?"
    claim: ClassVar[str] = (
        "Given the embedding of a text in a fixed format, the adversary names the value at each known place"
    )
    threat: ClassVar[str] = (
        "The adversary has the embeddings of texts whose format it knows, and may query the same public encoder with "
        "any text. It never sees a victim’s text."
    )
    reads: ClassVar[type] = Patterns
    tables: ClassVar[dict[str, Schema]] = {
        "likeliest": {
            "victim": Column("int32", "Number of the victim; the first 200 only."),
            "secret": Column("str", "Which segment."),
            "place": Column("int32", "1 for the likeliest answer."),
            "value": Column("str", "The answer."),
            "probability": Column("float32", "How likely the adversary thinks it."),
        }
    }
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            "dataset": {"part": "citizen_ids", "victims": 500},
            "model": {"part": "encoder"},
            "game": {"victims": 500},
            "attack": {"samples": 8000, "steps": 3000, "hidden": "wide"},
        },
        "paper": {"dataset": {"part": "citizen_ids"}, "model": {"part": "encoder", "source": "minilm"}},
    }

    samples: int = parameter(
        50_000,
        "Texts that the adversary generates and has embedded.",
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
        "separate", "One classifier a segment, or one for all with the position as input.", advanced=True
    )

    @property
    def balanced(self) -> bool:
        """No balancing: victims are drawn as the rule generates them."""
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
        """Embed texts generated by the rule, train the classifiers, and predict every victim."""
        if briefing.generate is None:
            raise Incompatible(f"{self.part_name()} needs the rule that the texts follow.")
        texts = briefing.generate(self.samples, generator(briefing.seed, "own texts"))
        task = _Task(
            attack=self,
            known=access.known(texts, defended=briefing.defended),
            answers=np.array([[secret.read(text) for text in texts] for secret in briefing.secrets], dtype=np.int64),
            names=tuple(secret.name for secret in briefing.secrets),
            values=tuple(len(secret.values) for secret in briefing.secrets),
            victims=access.victims,
            seed=briefing.seed,
        )
        items = range(len(briefing.secrets) if self.positions == "separate" else 1)
        for item, arrays in context.train(
            "Training a classifier for each secret", task.key(), _train, items, {"task": task}
        ):
            for index, secret in enumerate(task.segments(item)):
                # Stages within the same epoch are one point of the curve, the last of them.
                stages = {max(1, step * self.batch // self.samples): at for at, step in enumerate(task.stages)}
                for epochs, stage in stages.items():
                    probabilities = arrays["probabilities"][index, stage].astype(np.float32)
                    final = stage == len(task.stages) - 1
                    yield Answer(self.part_name(), secret, probabilities, epochs, final=final)

    def explain(self, played: Played, context: RunContext) -> Tables:
        """Return the likeliest values of each segment for the first victims."""
        columns = self.tables["likeliest"]
        rows = [
            dict(zip(columns, (victim, secret.name, rank, secret.values[value], probabilities[value]), strict=True))
            for inferred in played.answers
            for secret in [played.briefing.secrets[inferred.secret]]
            for victim, probabilities in enumerate(inferred.probabilities[:_MOST_VICTIMS])
            for rank, value in enumerate(np.argsort(-probabilities, kind="stable")[:_LIKELIEST], start=1)
        ]
        return {"likeliest": table(columns, rows)}


@dataclass(frozen=True)
class _Task:
    """What the classifiers are trained on, and the victims they predict.

    Attributes:
        attack: The parameters.
        known: Embeddings of the generated texts.
        answers: (segments, samples) the values in those texts.
        names: Name of each segment.
        values: Number of values of each segment.
        victims: (victims, dimension) embeddings to predict from.
        seed: Source of all randomness.
    """

    attack: PatternReconstruction
    known: OwnEmbeddings
    answers: NDArray[np.int64]
    names: tuple[str, ...]
    values: tuple[int, ...]
    victims: NDArray[np.float32]
    seed: int

    def key(self) -> str:
        """Key of all that determines the predictions."""
        contents = self.known.key + content_key(self.answers, self.victims)
        return key_of({"readers": 1, "attack": self.attack.identity(), "contents": contents, "seed": self.seed})

    def segments(self, item: int) -> range:
        """Return the segments that a classifier predicts."""
        return range(len(self.names)) if self.attack.positions == "shared" else range(item, item + 1)

    @property
    def stages(self) -> tuple[int, ...]:
        """Steps after which the victims are predicted: doublings, and the end."""
        return tuple(sorted({max(1, self.attack.steps // 2**halvings) for halvings in range(_STAGES)}))

    def training(self, item: int) -> Training:
        """Return how a classifier is trained."""
        attack, shared = self.attack, self.attack.positions == "shared"
        units = _HIDDEN.get(self.names[item], _WIDE) if attack.hidden == "paper" else _WIDE
        return Training(
            hidden=(_WIDE, 100) if shared else (units,),
            steps=attack.steps,
            batch=attack.batch,
            learning_rate=attack.learning_rate,
            batch_norm=shared,
        )

    def draw(self, item: int) -> Draw:
        """Return the batches of a classifier; a shared one is given a random position with each text."""
        if self.attack.positions == "separate":
            return self.known.batches(self.answers[item])
        codes = positions(len(self.names), self.known.plain.shape[1])

        def draw(rng: np.random.Generator, size: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
            rows, segments = rng.integers(len(self.known), size=size), rng.integers(len(codes), size=size)
            return np.hstack([self.known.drawn(rows, rng), codes[segments]]), self.answers[segments, rows]

        return draw

    def inputs(self, embeddings: NDArray[np.float32], segment: int) -> NDArray[np.float32]:
        """Return the inputs of a classifier for one segment."""
        if self.attack.positions == "separate":
            return embeddings
        code = positions(len(self.names), embeddings.shape[1])[segment]
        return np.hstack([embeddings, np.broadcast_to(code, embeddings.shape)])


def positions(count: int, dimension: int) -> NDArray[np.float32]:
    """Return sinusoidal encodings, (count, dimension), of positions 1 to count (Pan et al. 2020, appendix B)."""
    position, coordinate = np.arange(1, count + 1)[:, None], np.arange(dimension)[None, :]
    angle = position / 10_000 ** (coordinate / dimension)
    return np.where(coordinate % 2 == 0, np.sin(angle), np.cos(angle)).astype(np.float32)


def _train(item: int, task: _Task) -> Arrays:
    """Train one classifier; return its predictions for the victims at every stage, and its weights."""
    rng = generator(task.seed, "classifier", item)
    draw = task.draw(item)
    sample, _ = draw(generator(task.seed, "scale", item), min(4096, 8 * len(task.known)))
    probabilities: list[list[NDArray[np.float32]]] = [[] for _ in task.segments(item)]
    network: Perceptron | None = None
    for network in train(draw, sample, task.values[item], task.training(item), rng, task.stages):
        for index, segment in enumerate(task.segments(item)):
            probabilities[index].append(network.probabilities(task.inputs(task.victims, segment)))
    weights = {} if network is None else network.as_arrays()
    return {"probabilities": np.array(probabilities, dtype=np.float16), **weights}
