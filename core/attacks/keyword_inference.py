"""Keyword inference: whether a text has a word, predicted from its embedding."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import StringConstraints

from core.access import SentenceEmbeddings
from core.adversaries import decision_boundary
from core.adversaries.keyword_classifiers import KeywordTask, dann, examples, plain
from core.adversaries.word_substitution import absent_keywords
from core.datasets import Dataset
from core.errors import Incompatible
from core.games.inference.contract import (
    Answer,
    Briefing,
    InferenceAttack,
    Played,
    Practice,
    keywords,
    telling_words,
)
from core.keys import key_of
from core.networks.perceptron import Perceptron
from core.result import Schema, Tables
from core.runtime.context import Arrays, RunContext
from core.runtime.seeding import generator
from core.spec import Holds, parameter
from core.text.contents import Documents
from core.text.secrets import Keyword, Secret

Classifier = Literal["svm", "mlp", "dann", "lda", "best"]

_CLASSIFIERS: tuple[Classifier, ...] = ("svm", "mlp", "dann", "lda")
_RIVALS: tuple[Classifier, ...] = ("svm", "mlp", "dann")
_CHOSEN_AMONG: tuple[Classifier, ...] = ("lda", "mlp")
_ABSENT = 0.4999
"""Probability reported instead of 0.5: an undecided classifier answers absent."""


class KeywordInference(InferenceAttack):
    """Inference of single words from embeddings (Pan et al. 2020, section VI).

    For each keyword the adversary makes texts with and without it (`core.adversaries.word_substitution`), has the
    public encoder embed them, and trains a classifier: a linear SVM, a perceptron of 80 sigmoid units, or, in the black
    box, a domain-adversarial network (DANN) of 25 units, which also sees the victims' embeddings. White box: source
    texts of the victims' kind; black box: public ones of another kind. Where the paper is silent or disagrees:

    - *Noise* of a known defense is drawn afresh in each batch (perceptron, DANN), several times (SVM), or added to the
      covariance (LDA, ours). *Best* (ours) is LDA or perceptron, by accuracy on a held-out fifth of the source texts.
    - *External texts.* The paper replaces salad in 2,000 reviews; too few public ones have it, so ``anchor`` is pizza.
    - *Stopping.* The best of 50 epochs, as in the paper, takes the truth; the answer here is the last epoch.
    - *Absent keywords* (Table III). ``absent`` asks for words that no text has, which counts false alarms only.
    - *Label shift.* Half of the training texts and few victims have the keyword, so a DANN predicts it too often. Where
      it aligns with the victims who are ``asked`` about the keyword, the balanced test set, half of both have it.
    """

    title: ClassVar[str] = "Keyword inference"
    question: ClassVar[str] = "Does the text behind this embedding have a given keyword?"
    claim: ClassVar[str] = "Given the embedding of a text, the adversary tells whether the text has a keyword"
    threat: ClassVar[str] = (
        "The adversary has the embeddings of texts, and may query the same public encoder with any text. It "
        "also holds texts of the same kind, which the paper calls a white box, or only public texts of another kind, "
        "which it calls a black box."
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
    fewest_texts: ClassVar[int] = 2
    tables: ClassVar[dict[str, Schema]] = decision_boundary.SCHEMAS

    keywords: tuple[Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60)], ...] = (
        parameter((), "Words to look for; those that the dataset proposes when none are given.", max_length=60)
    )
    knowledge: Literal["white_box", "black_box"] = parameter(
        "white_box", "The adversary holds texts of the victims' kind, or only public texts of another kind."
    )
    classifier: Classifier = parameter(
        "svm",
        "Classifier: a linear SVM, a perceptron, (black box) a DANN, linear discriminant analysis (LDA), or the better "
        "of LDA and perceptron on texts of the adversary’s own.",
    )
    rivals: bool = parameter(True, "Also train the other classifiers.", advanced=True)
    external: Annotated[Dataset | None, Holds(Documents)] = parameter(
        None, "Public source texts of the black-box adversary.", label="External texts"
    )
    texts: int = parameter(
        2000,
        "Most source texts, auxiliary or external.",
        label="Source texts",
        unit="texts",
        ge=10,
        le=100_000,
        advanced=True,
    )
    aligned: int = parameter(
        100_000,
        "Most victims whose embeddings the DANN is trained on.",
        label="Victims the DANN sees",
        unit="victims",
        ge=2,
        le=100_000,
        advanced=True,
    )
    alignment: Literal["all", "asked"] = parameter(
        "all",
        "The DANN aligns with all victims, or with those asked about the keyword, half of which have it.",
        label="Victims the DANN aligns with",
        advanced=True,
        implied="all",
    )
    absent: int = parameter(
        0,
        "Number of random words to ask for instead, from the external texts, that no text of the dataset has.",
        label="Words no text has",
        unit="words",
        ge=0,
        le=60,
        advanced=True,
    )
    anchor: str = parameter(
        "",
        "Use external texts with this word, and put the keyword in its place; any text and word when empty.",
        max_length=60,
        advanced=True,
    )
    substitutions: int = parameter(1, "Pairs of texts made of each text.", unit="pairs", ge=1, le=100, advanced=True)
    dimension: int = parameter(25, "Hidden units of the DANN.", unit="units", ge=1, le=1024, advanced=True)
    epochs: int = parameter(50, "Epochs of the DANN.", unit="epochs", ge=1, le=1000, advanced=True)
    strength: float = parameter(1.0, "Weight of the DANN’s reversed gradient (lambda).", ge=0, le=100, advanced=True)

    def secrets(self, dataset: Dataset, documents: Documents) -> tuple[Secret, ...]:
        """Return the keywords given, or those that the dataset proposes."""
        if self.knowledge == "black_box" and self.external == dataset:
            raise Incompatible(
                f"External texts must be others than the victims'. Both are {dataset.part_name()}; "
                "choose another dataset for 'external', or knowledge='white_box'."
            )
        return self._absent(documents) if self.absent else keywords(self.keywords, dataset)

    def check_briefing(self, briefing: Briefing) -> None:
        """Check that there are enough source texts; raise `Incompatible` where there are not."""
        self.check_held(len(briefing.split(self._sources(briefing))[0]))

    def alternatives(self, documents: Documents, fewest: int) -> Iterator[dict[str, Any]]:
        """Yield keywords that the texts have, then also the white box, for lack of external texts."""
        word_changes = {"attack.absent": 0} if self.absent else {}
        for knowledge_changes in ({}, {"attack.knowledge": "white_box"}) if self.knowledge == "black_box" else ({},):
            for words in telling_words(documents.texts, self.keywords, fewest):
                yield {**word_changes, **knowledge_changes, "attack.keywords": words}

    @property
    def candidates(self) -> tuple[InferenceAttack, ...]:
        """The attacks among which the adversary chooses: this one, or one for each classifier."""
        if self.classifier != "best":
            return (self,)
        return tuple(self.replace(classifier=classifier, rivals=False) for classifier in _CHOSEN_AMONG)

    def practice(self, briefing: Briefing) -> Practice:
        """Return texts with and without each keyword, made from the source texts that are kept back."""
        names = [secret.name for secret in briefing.secrets]
        sources = briefing.split(self._sources(briefing))[1]
        labelled = examples(sources, names, 1, briefing.seed, self._anchor)
        answers = np.zeros((len(names), len(labelled.texts)), np.int64)
        counted = np.zeros(answers.shape, np.bool_)
        for keyword, (rows, present) in enumerate(zip(labelled.rows, labelled.answers, strict=True)):
            answers[keyword, rows], counted[keyword, rows] = present, True
        return Practice(labelled.texts, answers, counted)

    @property
    def balanced(self) -> bool:
        """Whether victims are balanced; with absent words none has the keyword."""
        return not self.absent

    def infer(self, briefing: Briefing, access: SentenceEmbeddings, context: RunContext) -> Iterator[Answer]:
        """Make texts with and without each keyword, embed them, train the classifiers, and predict every victim."""
        task, items = self.task(briefing, access), self._items(len(briefing.secrets))
        for item, arrays in self._trained("Training a classifier for each keyword", task, items, context):
            secret, classifier = _keyword_and_classifier(item)
            variant = self.part_name() if classifier == self.classifier else classifier
            probabilities = arrays["present"].astype(np.float32)
            stages = np.where(probabilities == 0.5, np.float32(_ABSENT), probabilities)
            for number, (present, epochs) in enumerate(zip(stages, arrays["epochs"], strict=True), start=1):
                answers = np.stack([1 - present, present], axis=1)
                yield Answer(variant, secret, answers, int(epochs), final=number == len(stages))

    def explain(self, played: Played, context: RunContext) -> Tables:
        """Return the decision boundary of each keyword's perceptron among the adversary's texts and the victims'."""
        briefing, victims, truth = played.briefing, played.access.victims, played.truth
        task = self.task(briefing, played.access)
        drawn = {}
        for secret, network in self.trained("mlp", task, context):
            counted = np.flatnonzero(truth.counted[secret])
            known, answers = task.training_set(secret)
            drawn[secret] = decision_boundary.draw(
                network,
                briefing.secrets[secret].name,
                (known.vectors, answers),
                (victims[counted], truth.answers[secret, counted], truth.rows[counted]),
                generator(briefing.seed, "boundary", secret),
            )
        return decision_boundary.joined([drawn[secret] for secret in sorted(drawn)])

    def task(self, briefing: Briefing, access: SentenceEmbeddings) -> KeywordTask:
        """Make the texts that train the classifiers, and have them embedded."""
        names, sources = [secret.name for secret in briefing.secrets], briefing.split(self._sources(briefing))[0]
        self.check_held(len(sources))
        labelled = examples(sources, names, self.substitutions, briefing.seed, self._anchor)
        known = access.known(labelled.texts, defended=briefing.defended)
        asked = briefing.asked if self.alignment == "asked" else None
        return KeywordTask(labelled, known, access.victims, briefing.seed, access.released, asked)

    def trained(
        self, classifier: Classifier, task: KeywordTask, context: RunContext
    ) -> Iterator[tuple[int, Perceptron]]:
        """Yield each keyword's finished classifier of one kind, in any order."""
        items = self._items(len(task.examples.rows), (classifier,))
        for item, arrays in self._trained("Loading the classifiers", task, items, context):
            yield _keyword_and_classifier(item)[0], Perceptron.from_arrays(arrays)

    def _trained(
        self, stage: str, task: KeywordTask, items: Sequence[int], context: RunContext
    ) -> Iterator[tuple[int, Arrays]]:
        fields = {name: getattr(self, name) for name in ("aligned", "dimension", "epochs", "strength")}
        key = key_of({"keyword classifiers": 2, **fields, "contents": task.contents, "seed": task.seed})
        return context.train(stage, key, _train, items, {"task": task, "attack": self})

    def _items(self, keywords: int, only: Sequence[Classifier] = ()) -> list[int]:
        """Return the numbers of the trainings, those of the attack's own classifier first."""
        offered = [name for name in _RIVALS if name != "dann" or self.knowledge == "black_box"]
        chosen = [self.classifier, *(other for other in offered if other != self.classifier)]
        return [
            keyword * len(_CLASSIFIERS) + _CLASSIFIERS.index(classifier)
            for classifier in only or (chosen if self.rivals else chosen[:1])
            for keyword in range(keywords)
        ]

    def _absent(self, documents: Documents) -> tuple[Keyword, ...]:
        """Draw words of the external texts that no text of the dataset has, the same for every seed."""
        if self.keywords:
            raise Incompatible("Give keywords or a number of absent words, not both.")
        return absent_keywords(documents.texts, self._external(), self.absent)

    @property
    def _anchor(self) -> str:
        return self.anchor if self.knowledge == "black_box" else ""

    def _external(self) -> tuple[str, ...]:
        if self.external is None:
            needs = "The black-box adversary needs" if self.knowledge == "black_box" else "Absent words are drawn from"
            raise Incompatible(f"{needs} external texts: choose a dataset for 'external'.")
        return tuple(self.external.load().texts)

    def _sources(self, briefing: Briefing) -> Sequence[str]:
        texts = briefing.texts if self.knowledge == "white_box" else self._public()
        chosen = generator(briefing.seed, "external").permutation(len(texts))[: self.texts]
        return [texts[row] for row in sorted(chosen.tolist())]

    def _public(self) -> Sequence[str]:
        texts = self._external()
        if self.anchor:
            anchor = Keyword(self.anchor)
            texts = tuple(text for text in texts if anchor.read(text))
        if len(texts) < 2:
            condition = f" with the word {self.anchor!r}" if self.anchor else ""
            advice = "Choose a more frequent one, or leave 'anchor' empty." if self.anchor else "Choose other texts."
            raise Incompatible(f"The external texts must be at least 2. They are {len(texts)}{condition}. {advice}")
        return texts


def _keyword_and_classifier(item: int) -> tuple[int, Classifier]:
    """Return the keyword and the classifier of a training."""
    keyword, classifier = divmod(item, len(_CLASSIFIERS))
    return keyword, _CLASSIFIERS[classifier]


def _train(item: int, task: KeywordTask, attack: KeywordInference) -> Arrays:
    """Train one classifier; return its probability for each victim, stage by stage, and its weights."""
    keyword, classifier = _keyword_and_classifier(item)
    if classifier == "dann":
        networks, epochs = dann(task, keyword, attack.aligned, attack.dimension, attack.epochs, attack.strength)
    else:
        networks, epochs = plain(classifier, task, keyword)
    present = np.array([network.probabilities(task.victims)[:, 1] for network in networks], dtype=np.float16)
    return {"present": present, "epochs": epochs, **networks[-1].as_arrays()}
