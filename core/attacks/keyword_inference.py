"""Keyword inference: whether a text has a word, told from its embedding."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import StringConstraints

from core.access import SentenceEmbeddings
from core.adversaries import decision_boundary
from core.adversaries.keyword_classifiers import BATCH, LEARNING_RATE, examples, mlp, svm
from core.adversaries.word_substitution import vocabulary
from core.datasets import Dataset
from core.errors import Incompatible
from core.games.inference.contract import Answer, Briefing, InferenceAttack, Truth, keywords
from core.networks import domain_adversarial
from core.networks.perceptron import Perceptron
from core.result import Schema
from core.runtime.context import Arrays, RunContext, content_key
from core.runtime.seeding import generator
from core.spec import Holds, key_of, parameter
from core.text.contents import Documents
from core.text.secrets import Keyword, Secret

if TYPE_CHECKING:
    import pandas as pd

Classifier = Literal["svm", "mlp", "dann"]

_CLASSIFIERS: tuple[Classifier, ...] = ("svm", "mlp", "dann")
_HARDLY = 0.4999


class KeywordInference(InferenceAttack):
    """Inference of single words from embeddings (Pan et al. 2020, section VI).

    For each keyword the adversary makes texts with and without it by the word substitution trick
    (`core.adversaries.word_substitution`), has the public encoder embed them, and trains a classifier. In the *white
    box* the texts to start from are of the victims' own kind; in the *black box* they are public ones of another kind,
    and all the adversary has of the victims is their embeddings. Classifiers: a linear SVM, a perceptron of 80 sigmoid
    units, and for the black box a domain-adversarial network (DANN) of 25 units, whose hidden layer is made not to tell
    the two kinds of text apart; it sees the victims' embeddings, never their words.

    Where the paper is silent or its numbers disagree:

    - *Substitutions.* One pair of texts a text in the paper. Where there are few texts, several pairs of each
      (``substitutions``) stand in for more of them.
    - *External texts.* 2,000 restaurant reviews that name a salad, in place of which the keyword is put (``anchor``).
      The public part of the collection names a salad in 935 sentences and a pizza in 2,056; so it is pizza here. A
      corpus without such texts has a random word replaced.
    - *When to stop.* The accuracy of the domain-adversarial network moves with every epoch. The paper reports mean and
      best of 50; the best is known only to who knows the truth. The answer here is the last epoch; mean and best are in
      the table ``curve``.
    - *Absent keywords.* Table III asks for five random words that no text has, and counts how often the attack says so
      (``absent``). Nothing leaks there: who always says absent is always right. It shows how rarely the attack raises
      a false alarm, and only beside the balanced figures.
    - *Anchor.* The word in whose place a keyword is put is replaced in the texts without the keyword too, by random
      words; left there, it is what the classifiers learn (black box, MiniLM, perceptron: 0.64 and 0.55, not 0.88).
    - *Label shift.* The DANN is made not to tell the victims from the adversary's texts. Half of the latter have the
      keyword, of the victims few do, so that it calls far too many present: accuracy 0.77 and 0.73 where a perceptron
      reaches 0.88 on both, although it ranks nearly as well. The paper does not say which victims its DANN sees. If
      they are each keyword's balanced test set, that is what an adversary cannot know.
    - *SVM.* Its penalty is not stated; scikit-learn's default on standardised embeddings is used, with the logistic
      function of the margin as probability.
    """

    title: ClassVar[str] = "Keyword inference"
    question: ClassVar[str] = "Does the text behind this embedding name London, or a knee?"
    threat: ClassVar[str] = (
        "The adversary has the embeddings of texts, and may ask the same public encoder to embed any text. In the "
        "white box it also holds texts of the same kind; in the black box, public texts of another kind only."
    )
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "demo": {
            "dataset": {"part": "wikipedia_excerpt"},
            "model": {"part": "encoder"},
            "game": {"shadow_share": 0.15, "victims": 60},
            "attack": {"keywords": ["war", "world", "music"], "rivals": False},
        },
        "paper": {
            "dataset": {"part": "skytrax"},
            "model": {"part": "encoder", "source": "minilm"},
            "attack": {"external": {"part": "yelp"}, "anchor": "pizza"},
        },
    }
    tables: ClassVar[dict[str, Schema]] = decision_boundary.SCHEMAS

    keywords: tuple[Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60)], ...] = (
        parameter((), "Words to look for; those the dataset proposes when none are given.", max_length=60)
    )
    knowledge: Literal["white_box", "black_box"] = parameter(
        "white_box", "The adversary holds texts of the victims' kind, or only public texts of another kind."
    )
    classifier: Classifier = parameter("svm", "What decides: a linear SVM, a perceptron, or (black box) a DANN.")
    rivals: bool = parameter(True, "Also show what the other classifiers reach.", advanced=True)
    external: Annotated[Dataset | None, Holds(Documents)] = parameter(
        None, "Public texts the black-box adversary starts from.", label="External texts"
    )
    texts: int = parameter(
        2000,
        "Most texts, its own or the external ones, that the adversary starts from.",
        label="Texts started from",
        unit="texts",
        ge=10,
        le=100_000,
        advanced=True,
    )
    aligned: int = parameter(
        100_000,
        "Most victims whose embeddings the DANN is trained to take for its own texts'.",
        label="Victims the DANN sees",
        unit="victims",
        ge=2,
        le=100_000,
        advanced=True,
    )
    absent: int = parameter(
        0,
        "Ask for this many random words instead, of the external texts, that no text of the dataset has.",
        label="Words no text has",
        unit="words",
        ge=0,
        le=60,
        advanced=True,
    )
    anchor: str = parameter(
        "",
        "Use external texts with this word, and put the keyword in its place; any texts and words when empty.",
        max_length=60,
        advanced=True,
    )
    substitutions: int = parameter(1, "Pairs of texts made of each text.", unit="pairs", ge=1, le=100, advanced=True)
    dimension: int = parameter(25, "Hidden units of the DANN.", unit="units", ge=1, le=1024, advanced=True)
    epochs: int = parameter(50, "Passes of the DANN over its texts.", unit="passes", ge=1, le=1000, advanced=True)
    strength: float = parameter(
        1.0, "Weight of the reversed gradient in the DANN (lambda).", ge=0, le=100, advanced=True
    )

    def secrets(self, dataset: Dataset, documents: Documents) -> tuple[Secret, ...]:
        """Return the keywords asked for, or those the dataset proposes."""
        if self.knowledge == "black_box" and self.external == dataset:
            raise Incompatible(
                f"External texts must be others than the victims'. Both are {dataset.part_name()}; "
                "choose another dataset for 'external', or knowledge='white_box'."
            )
        return self._absent(dataset, documents) if self.absent else keywords(self.keywords, dataset)

    @property
    def balanced(self) -> bool:
        """No victim has a word that no text has."""
        return not self.absent

    def infer(self, briefing: Briefing, access: SentenceEmbeddings, context: RunContext) -> Iterator[Answer]:
        """Make texts with and without each keyword, embed them, train the classifiers, and read every victim."""
        lesson = self.lesson(briefing, access)
        for item, arrays in context.train(
            "Training a classifier for each keyword", lesson.key(), _read, lesson.items(), {"lesson": lesson}
        ):
            secret, classifier = lesson.asks(item)
            variant = self.part_name() if classifier == self.classifier else classifier
            last = len(arrays["present"]) - 1
            # Who cannot tell at all says absent, as a classifier does at a margin of 0.
            told = arrays["present"].astype(np.float32)
            stages = np.where(told == 0.5, np.float32(_HARDLY), told)
            for place, present in enumerate(stages):
                answers = np.stack([1 - present, present], axis=1)
                yield Answer(variant, secret, answers, int(arrays["epochs"][place]), final=place == last)

    def explain(
        self,
        briefing: Briefing,
        access: SentenceEmbeddings,
        truth: Truth,
        answer: Sequence[Answer],
        context: RunContext,
    ) -> "dict[str, pd.DataFrame]":
        """Return the decision boundary of each keyword's perceptron among the adversary's texts and the victims'."""
        lesson = self.lesson(briefing, access)
        found = {}
        for secret, network in lesson.trained("mlp", context):
            asked = np.flatnonzero(truth.asked[secret])
            found[secret] = decision_boundary.draw(
                network,
                briefing.secrets[secret].name,
                (lesson.known[lesson.rows[secret]], lesson.answers[secret]),
                (access.victims[asked], truth.answers[secret, asked], truth.rows[asked]),
                generator(briefing.seed, "boundary", secret),
            )
        return decision_boundary.joined([found[secret] for secret in sorted(found)])

    def lesson(self, briefing: Briefing, access: SentenceEmbeddings) -> "Lesson":
        """Make the texts that teach the classifiers, and have them embedded."""
        anchor = self.anchor if self.knowledge == "black_box" else ""
        names = [secret.name for secret in briefing.secrets]
        if self.knowledge == "white_box" and not briefing.held:
            raise Incompatible("The white-box adversary holds no texts. Raise the share of texts it holds.")
        made = examples(self._start(briefing), names, self.substitutions, briefing.seed, anchor)
        return Lesson(
            attack=self,
            known=access.query(made.texts, protected=briefing.protected),
            rows=made.rows,
            answers=made.answers,
            victims=access.victims,
            seed=briefing.seed,
        )

    def _absent(self, dataset: Dataset, documents: Documents) -> tuple[Keyword, ...]:
        """Draw words of the external texts that no text of the dataset has; whatever the seed, the same ones."""
        if self.keywords:
            raise Incompatible("Give keywords or a number of absent words, not both.")
        there = set(vocabulary(documents.texts))
        words = [word for word in vocabulary(self._external()) if word.isalpha() and word not in there]
        while len(words) >= self.absent:
            drawn = generator(0, "absent").choice(len(words), self.absent, replace=False)
            found = tuple(Keyword(words[place]) for place in sorted(drawn.tolist()))
            # Keywords are read in either case, which for a few letters, as the Turkish ones, goes further than here.
            strays = {keyword.name for keyword in found if any(map(keyword.read, documents.texts))}
            if not strays:
                return found
            words = [word for word in words if word not in strays]
        raise Incompatible(
            f"The external texts must have {self.absent} words that {dataset.part_name()} lacks. They have "
            f"{len(words)}; ask for fewer."
        )

    def _external(self) -> tuple[str, ...]:
        if self.external is None:
            needs = "The black-box adversary needs" if self.knowledge == "black_box" else "Absent words are drawn from"
            raise Incompatible(f"{needs} external texts: choose a dataset for 'external'.")
        texts: tuple[str, ...] = self.external.load().texts
        return texts

    def _start(self, briefing: Briefing) -> Sequence[str]:
        texts = briefing.held if self.knowledge == "white_box" else self._public()
        chosen = generator(briefing.seed, "external").permutation(len(texts))[: self.texts]
        return [texts[row] for row in sorted(chosen.tolist())]

    def _public(self) -> Sequence[str]:
        texts = self._external()
        if self.anchor:
            held = Keyword(self.anchor)
            texts = tuple(text for text in texts if held.read(text))
        if len(texts) < 2:
            named = f" with the word {self.anchor!r}" if self.anchor else ""
            advice = "Choose a more frequent one, or leave 'anchor' empty." if self.anchor else "Choose other texts."
            raise Incompatible(f"The external texts must be at least 2. They are {len(texts)}{named}. {advice}")
        return texts


@dataclass(frozen=True)
class Lesson:
    """What the classifiers learn from, and whom they read.

    Attributes:
        attack: How they learn.
        known: (texts, dimension) embeddings of the texts the adversary made.
        rows: For each keyword, rows of ``known`` that teach it.
        answers: For each keyword, whether it stands in those texts.
        victims: (victims, dimension) embeddings to read.
        seed: Source of all randomness.
    """

    attack: KeywordInference
    known: NDArray[np.float32]
    rows: tuple[NDArray[np.int64], ...]
    answers: tuple[NDArray[np.int64], ...]
    victims: NDArray[np.float32]
    seed: int

    def key(self) -> str:
        """Key of everything that determines what is read."""
        attack = self.attack
        taught = {name: getattr(attack, name) for name in ("aligned", "dimension", "epochs", "strength")}
        contents = content_key(self.known, self.victims, *self.rows, *self.answers)
        return key_of({"keyword classifiers": 1, **taught, "contents": contents, "seed": self.seed})

    @property
    def aligned(self) -> NDArray[np.float32]:
        """The victims' embeddings that a domain-adversarial network sees."""
        order = generator(self.seed, "aligned").permutation(len(self.victims))
        return self.victims[np.sort(order[: self.attack.aligned])]

    def items(self, only: Sequence[Classifier] = ()) -> list[int]:
        """Return the numbers of the trainings, those of the attack's own classifier first."""
        offered = [name for name in _CLASSIFIERS if name != "dann" or self.attack.knowledge == "black_box"]
        chosen = [self.attack.classifier, *(other for other in offered if other != self.attack.classifier)]
        return [
            secret * len(_CLASSIFIERS) + _CLASSIFIERS.index(classifier)
            for classifier in only or (chosen if self.attack.rivals else chosen[:1])
            for secret in range(len(self.rows))
        ]

    def asks(self, item: int) -> tuple[int, Classifier]:
        """Return the keyword and the classifier of a training."""
        secret, classifier = divmod(item, len(_CLASSIFIERS))
        return secret, _CLASSIFIERS[classifier]

    def trained(self, classifier: Classifier, context: RunContext) -> Iterator[tuple[int, Perceptron]]:
        """Yield each keyword's finished classifier of one kind, in any order."""
        items = self.items((classifier,))
        for item, arrays in context.train("Reading the classifiers", self.key(), _read, items, {"lesson": self}):
            yield self.asks(item)[0], Perceptron.from_arrays(arrays)


def _read(item: int, lesson: Lesson) -> Arrays:
    """Train one classifier; return how likely it thinks the keyword in each victim, stage by stage, and itself."""
    secret, classifier = lesson.asks(item)
    rng = generator(lesson.seed, classifier, secret)
    inputs, truth = lesson.known[lesson.rows[secret]], lesson.answers[secret]
    if classifier == "svm":
        networks, epochs = [svm(inputs, truth, rng)], np.zeros(1, np.int32)
    elif classifier == "mlp":
        networks, epochs = mlp(inputs, truth, rng)
    else:
        attack = lesson.attack
        networks = list(
            domain_adversarial.train(
                inputs,
                truth,
                lesson.aligned,
                width=attack.dimension,
                epochs=attack.epochs,
                strength=attack.strength,
                batch=BATCH,
                learning_rate=LEARNING_RATE,
                rng=rng,
            )
        )
        epochs = np.arange(1, len(networks) + 1, dtype=np.int32)
    present = np.array([network.probabilities(lesson.victims)[:, 1] for network in networks], dtype=np.float16)
    return {"present": present, "epochs": epochs, **networks[-1].as_arrays()}
