"""Texts read back, as sets of words, from nothing but their embeddings."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from core.access import EncoderInternals
from core.datasets import Dataset
from core.defenses import Defense, training_options
from core.errors import Incompatible
from core.games import Game
from core.games.attack import Attack
from core.games.embedding_defenses import ASKED, protection, released, served
from core.games.inversion import score as scoring
from core.games.inversion.contract import Auxiliary, InversionAttack
from core.result import Estimate, Schema
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.spec import parameter
from core.targets import downstream_accuracy
from core.targets.model import Model
from core.targets.sentence_encoder import SentenceModel, TrainedSentenceModel
from core.targets.trained_target import TrainedTarget, utility_estimates
from core.text import word_sets
from core.text.contents import Documents
from core.text.secrets import Keyword
from core.text.segments import Segmentation, segmented
from core.text.split import split_texts

if TYPE_CHECKING:
    import pandas as pd

_FEWEST = 5
_HIDDEN = 50
"""Words that the holder of the texts asks its defenses to hide, where they hide words."""


class Inversion(Game):
    """An adversary names the words of each text from its embedding (Song and Raghunathan 2020, section 3).

    The game divides the texts between adversary and holder, draws victims among the holder's, embeds them, applies the
    defenses, and hands over embeddings only. The adversary names any number of words of each victim; the game compares
    them with the set of words that stand there: precision and recall of each victim, averaged over the victims, and
    their harmonic mean, F1. Words that the adversary could not name, because none of its texts has them, count as
    missed.

    - *Auxiliary texts of the same domain* are the adversary's share of the texts. With texts of another dataset, the
      attack crosses domains; texts that a victim has too are taken out of them.
    - *Baseline.* Naming the same most frequent words for every text needs no embedding. How many are named is chosen,
      as an attack's threshold, on the adversary's own texts.
    - *Content words.* All figures are given once more for words that say something by themselves, because most of what
      a frequent word adds to them anyone could guess.

    With a defense, the adversary that defends its own embeddings alike, and so adapts, is the headline; the *naive* one
    prepares on plain embeddings. Victims are resampled for the intervals.
    """

    title: ClassVar[str] = "inversion of embeddings"
    tables: ClassVar[dict[str, Schema]] = scoring.SCHEMAS

    pieces: Segmentation = parameter(
        "sentences", "Embed whole texts, or cut them into sentences of at least four words first."
    )
    shadow_share: float = parameter(
        0.5,
        "Share of the texts that the adversary holds, where it has some of the victims’ kind.",
        gt=0,
        le=0.9,
        advanced=True,
    )
    victims: int = parameter(1000, "Most victims.", unit="victims", ge=_FEWEST, le=100_000)

    def play(
        self,
        dataset: Dataset,
        model: Model,
        defenses: tuple[Defense, ...],
        attack: Attack,
        seed: int,
        context: RunContext,
    ) -> "tuple[dict[str, Estimate], dict[str, pd.DataFrame]]":
        """Play the game.

        Raises:
            Incompatible: The parts do not fit this game, or the texts are too few.
        """
        if not isinstance(attack, InversionAttack) or not isinstance(model, SentenceModel):
            raise Incompatible(f"{attack.part_name()} on {model.part_name()} is not a game of inversion.")
        if attack.auxiliary == dataset:
            raise Incompatible(
                f"Auxiliary texts must be others than the victims'. Both are {dataset.part_name()}; leave 'auxiliary' "
                "empty for texts of the same domain."
            )
        context.progress.stage(f"Reading {dataset.title}")
        documents: Documents = dataset.load()
        texts, places = segmented(documents, self.pieces)
        rng = generator(seed, "deal")
        own, holder = split_texts(texts, rng.permutation(len(texts)), self.shadow_share)
        able = np.array([row for row in holder if word_sets.word_set(texts[row])], np.int64)
        if len(able) < _FEWEST:
            raise Incompatible(
                f"{len(able)} of {len(holder)} texts of the holder have a word. At least {_FEWEST} victims are needed."
            )
        rows = np.sort(rng.permutation(able)[: self.victims])
        victims = [texts[row] for row in rows]
        truth = tuple(map(word_sets.word_set, victims))
        held = [texts[row] for row in own]
        auxiliary = Auxiliary(
            self._known(attack, held, victims, rng),
            protected=bool(defenses),
            seed=int(generator(seed, "adversary").integers(2**62)),
        )

        encode = served(model, defenses, context)
        guessed = tuple(map(Keyword, list(word_sets.frequencies(truth))[:_HIDDEN])) if defenses else ()
        protect = protection(defenses, victims, guessed, encode, seed)
        opened = attack.access() is EncoderInternals
        access = released(victims, model, defenses, protect, seed, context, opened=opened)
        inverter = attack.prepare(auxiliary, access, context)
        scorer = scoring.Scorer(
            truth,
            places[rows, 0],
            places[rows, 1],
            tuple(map(word_sets.word_set, auxiliary.texts)),
            attack.part_name(),
            seed,
        )
        yours = protect(encode([attack.text]), generator(seed, "your release"))
        context.progress.stage("Reading the victims back")
        read = inverter.read(access.victims)
        scorer.add(attack.part_name(), read)
        asked = access.queries
        read_yours = inverter.read(yours)
        tables = {**inverter.explain(), "yours": scorer.sentence(attack.text, read_yours)}
        if read.texts:
            tables["texts"] = scorer.texts(read, read_yours)
        if defenses:
            naive = attack.prepare(replace(auxiliary, protected=False), access, context)
            scorer.add("naive", naive.read(access.victims))
        estimates = scorer.estimates()
        estimates["queries"] = Estimate.queries(asked, ASKED)
        if isinstance(model, TrainedSentenceModel):
            estimates |= utility_estimates(
                [TrainedTarget(access, model.utilities(training_options(defenses), context))], seed
            )
        labels = [documents.labels[row] for row in places[rows, 0]] if documents.labels else []
        if len(set(labels) - {""}) > 1:
            context.progress.stage("Measuring what the embeddings are still good for")
            if (useful := downstream_accuracy.measure(access.victims, labels, generator(seed, "utility"))) is not None:
                estimates["utility"] = useful
        return estimates, {**tables, **scorer.tables()}

    def _known(
        self, attack: InversionAttack, held: Sequence[str], victims: Sequence[str], rng: np.random.Generator
    ) -> tuple[str, ...]:
        """Return the adversary's texts, no victim's among them."""
        if attack.auxiliary is None:
            texts = list(held)
        else:
            others, _ = segmented(attack.auxiliary.load(), self.pieces)
            own = {word_sets.word_set(text) for text in victims}
            texts = [text for text in others if word_sets.word_set(text) not in own]
        return tuple(texts[row] for row in np.sort(rng.permutation(len(texts))[: attack.texts]))
