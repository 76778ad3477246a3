"""Multi-label inversion: a classifier tells of each word of a vocabulary whether it stands behind an embedding."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core import bags
from core.access import SentenceEmbeddings
from core.inversion import Auxiliary, Examined, InversionAttack, Inverter, measured
from core.lab import Arrays, Lab, content_key
from core.passes import train_by_passes
from core.result import Column, Schema, table
from core.seeding import generator
from core.spec import parameter

if TYPE_CHECKING:
    import pandas as pd

_LEFT_OUT = 0.1


class MultilabelInversion(InversionAttack):
    """Black-box inversion as multi-label classification, MLC (Song and Raghunathan 2020, section 3).

    The adversary has the public encoder embed texts of its own, and trains one network that tells of each word of a
    vocabulary, independently of the others, whether it stands in the text behind an embedding:

        loss = - sum over words w of  y_w log p_w + (1 - y_w) log(1 - p_w).

    Words whose probability exceeds a threshold are named. Where what we hold of the paper is silent, or another choice
    was made:

    - *Network.* By default one linear layer; ``hidden`` puts rectified units before it.
    - *Inputs.* Each number of an embedding is given zero mean and unit variance over the adversary's texts.
    - *Start.* The network begins at the share of the adversary's texts that have each word.
    - *Threshold.* The one with the best F1 on a tenth of the adversary's own texts, which do not teach; no victim is
      looked at for it.

    On restaurant reviews behind MiniLM (the ``paper`` preset), F1 is 0.737 (95 % interval 0.725 to 0.749), and 0.726
    for content words, where naming frequent words gives 0.201 and 0.096; who learns from Wikipedia instead reaches
    0.330 and 0.223. Behind Laplace noise, an adversary who adapts reaches 0.738, 0.603, 0.350 and 0.194 at epsilon
    10,000, 1,000, 300 and 100, while a linear classifier's accuracy at naming a review's class, 0.884 without noise,
    goes to 0.884, 0.836, 0.716 and 0.552 (0.572 by guessing); behind rounding to one decimal and to none, 0.733 and
    0.436, for 0.888 and 0.792. Sentences of Wikipedia behind the two encoders that are trained here are read with an F1
    of 0.379 (LSTM) and 0.482 (Transformer), where frequent words give 0.270 (`python -m core precompute --only
    "inversion_*"`).
    """

    title: ClassVar[str] = "Inversion by classification"
    question: ClassVar[str] = "Which words stand in the text behind this embedding?"
    threat: ClassVar[str] = (
        "The adversary has the embeddings of texts, holds other texts, and may ask the same public encoder to embed "
        "any text. It never sees a victim’s text."
    )
    findings: ClassVar[dict[str, Schema]] = {
        "learning": {
            "epochs": Column("int32", "Passes of training by then."),
            "loss": Column("float64", "Mean loss a text during that pass, summed over the words, in nats."),
            "left_out_f1": Column("float64", "F1 after it on the adversary's texts that do not teach."),
        },
    }
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            "dataset": {"part": "wikipedia_excerpt"},
            "model": {"part": "encoder", "max_tokens": 64},
            "game": {"shadow_share": 0.5, "victims": 300},
            "attack": {
                "texts": 4000, "vocabulary": 1500, "epochs": 15,
                "text": "The second world war began when the army of Germany marched into Poland.",
            },
        },
        "paper": {
            "dataset": {"part": "yelp"},
            "model": {"part": "encoder", "source": "minilm"},
            "game": {"shadow_share": 0.5},
        },
    }  # fmt: skip

    hidden: int = parameter(
        0, "Rectified units between embedding and words; 0 for none.", label="Hidden units", unit="units", ge=0,
        le=16_384,
    )  # fmt: skip
    epochs: int = parameter(30, "Passes over the adversary’s texts.", unit="passes", ge=1, le=1000)
    batch: int = parameter(256, "Texts in a batch.", unit="texts", ge=1, le=8192, advanced=True)
    learning_rate: float = parameter(
        3e-3, "Adam’s step size at the start; falls to zero along a half cosine.", gt=0, le=1, advanced=True
    )

    def prepare(self, auxiliary: Auxiliary, access: SentenceEmbeddings, lab: Lab) -> Inverter:
        """Train pass by pass; choose the threshold after each, on texts that do not teach."""
        lesson = _Lesson(self, self.examine(auxiliary, access, _LEFT_OUT, len(auxiliary.texts)), auxiliary.seed)

        def heard(number: int, state: Mapping[int, Arrays]) -> None:
            lab.progress.partial(measured(state[0]))

        stage = "Teaching the classifier of words"
        state = train_by_passes(lab, stage, lesson.identity, _learn, [0], self.epochs, {"lesson": lesson}, heard)
        return _Classifier(lesson.own.words, state[0])


@dataclass(frozen=True)
class _Lesson:
    """What the classifier learns from.

    Attributes:
        attack: How.
        own: The adversary's texts.
        seed: Source of all randomness.
    """

    attack: MultilabelInversion
    own: Examined
    seed: int

    @property
    def identity(self) -> dict[str, Any]:
        """All that determines what is learnt."""
        taught = {name: getattr(self.attack, name) for name in ("hidden", "epochs", "batch", "learning_rate")}
        own = self.own
        contents = content_key(own.vectors, own.present.indptr, own.present.indices, own.sizes)
        return {"multi-label inversion": 1, **taught, "contents": contents, "seed": self.seed}


@dataclass(frozen=True)
class _Classifier(Inverter):
    """A trained classifier of words.

    Attributes:
        words: What it can name.
        state: Its weights, its threshold, and how it learnt.
    """

    words: tuple[str, ...]
    state: Arrays

    def read(self, embeddings: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Name the words above the threshold."""
        from core.networks import multilabel

        told = multilabel.probabilities(self.state, embeddings)
        return told, told > self.state["threshold"]

    def explain(self) -> "dict[str, pd.DataFrame]":
        """Return how it learnt."""
        return {"learning": table(MultilabelInversion.findings["learning"], measured(self.state))}


def _learn(item: int, lesson: _Lesson, before: Arrays, number: int) -> Arrays:
    """Train for one pass; return what the next pass needs, or after the last what reading needs."""
    from core.networks import multilabel
    from core.networks.states import finished

    attack, own = lesson.attack, lesson.own
    course = multilabel.Course(attack.hidden, attack.epochs, attack.batch, attack.learning_rate)
    vectors, present = own.vectors[: own.taught], own.present[: own.taught]
    seed = int(generator(lesson.seed, "start").integers(2**31))
    start = before or multilabel.initial(vectors, present, attack.hidden, seed)
    after = multilabel.train_pass(start, vectors, present, course, number, generator(lesson.seed, "pass", number))
    left_out, there, sizes = own.left_out
    threshold, f1 = bags.best_threshold(multilabel.probabilities(after, left_out), there, sizes)
    history = {
        name: np.append(before[name] if before else [], value)
        for name, value in (("loss", after["loss"]), ("left_out_f1", f1))
    }
    kept = finished(after) if number + 1 == attack.epochs else after
    return {**kept, "center": after["center"], "scale": after["scale"], "threshold": np.array(threshold), **history}
