"""Inversion: the set of words of a text, recovered from its embedding."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, field_validator

from core.access import EncoderInternals, SentenceEmbeddings
from core.defenses import training_options
from core.errors import Incompatible
from core.games import Game, Setup
from core.games.attack import Attack
from core.games.embedding_defenses import (
    FEWEST_VICTIMS,
    Release,
    UtilityMeasure,
    encoding,
    practice,
    utility_measure,
)
from core.games.inversion import score as scoring
from core.games.inversion.contract import Answer, Auxiliary, InversionAdversary, InversionAttack
from core.games.inversion.further import Further, Report
from core.games.inversion.tables import SCHEMAS
from core.games.kinds_of_adversary import AdversaryKind, by_variant
from core.games.segments import Drawn, Segments, other_splits
from core.games.standards import OF_EMBEDDINGS, Standard
from core.games.stored_vectors import UNCHECKED, beside, eligible, growth, may_be_moved, queries_of, require_match
from core.keys import key_of
from core.result import Outcome, Schema
from core.runtime.seeding import generator
from core.spec import parameter
from core.targets.model import Model
from core.targets.sentence_encoder import SentenceModel, TrainedSentenceModel
from core.targets.trained_target import TrainedTarget, utility_estimates
from core.text import word_sets
from core.text.contents import Documents
from core.text.secrets import words_to_hide
from core.text.segments import Segmentation, segmented
from core.text.vectors import Vectors

_READ = 2
"""Draws of an adversary's own texts that it reads for the choice."""
_CHOICE_VERSION = 2
"""From version 2 on, an adversary learns again from all its texts once it has chosen how to prepare."""

_Setup = Setup[Documents | Vectors, SentenceModel, InversionAttack]


class Inversion(Game):
    """An adversary predicts the words of each text from its embedding (Song and Raghunathan 2020, section 3).

    The game splits the texts between adversary and holder, draws victims among the holder's, embeds them, applies the
    defenses, and releases the embeddings only. The adversary predicts a set of words for each victim. The game compares
    it with the true set: precision and recall of each victim, averaged over the victims, and their harmonic mean, F1.
    Words that none of the adversary's texts has count as missed.

    - *Auxiliary texts of the same domain* are the adversary's share of the texts. Those of another dataset make the
      attack cross-domain; texts that a victim has too are removed from them.
    - *Frequency baseline.* The same most frequent words for every text, which needs no embedding. Their number is
      chosen, like an attack's threshold, on the adversary's texts.
    - *Stored vectors.* Where the dataset holds vectors with their texts, those of the victims are released as they are
      stored; nothing is embedded for them. An adversary that knows the encoder embeds its own texts by it; one that
      does not (``unknown_encoder``) has the stored vectors of these. A known encoder must give at least half of up to
      50 texts an embedding to which their own vector is the nearest; otherwise the game refuses.
    - *Content words.* All figures are repeated for content words alone: most of what a frequent word adds could be
      guessed.

    With a defense, the *naive* adversary prepares on plain embeddings. The *adaptive* one, the headline, prepares on
    ones that it defends itself, with fresh noise in each epoch where a defense draws noise. Where a defense acts at
    release, it prepares in the naive way too, and reads with what has the better F1 on texts of its own, left out and
    defended alike (`core.games.embedding_defenses.Release`); an attack that may not query the encoder cannot. It then
    learns again from all its texts, so that the choice costs it none.
    Intervals resample the victims. One lies above chance only where the same answers, dealt to other victims, never
    reach the figure (`core.games.inversion.permutation`).
    """

    title: ClassVar[str] = "inversion of embeddings"
    attack_kind: ClassVar[type[Attack]] = InversionAttack
    standards: ClassVar[tuple[Standard, ...]] = OF_EMBEDDINGS
    model_kind: ClassVar[type[Model]] = SentenceModel
    tables: ClassVar[dict[str, Schema]] = SCHEMAS

    pieces: Segmentation = parameter(
        "sentences", "Embed whole texts, or cut them into sentences of at least four words first."
    )
    shadow_share: float = parameter(
        0.5,
        "Share of the texts that the adversary holds, where it has texts of the victims’ domain.",
        gt=0,
        le=0.9,
        advanced=True,
    )
    victims: int = parameter(1000, "Most victims.", unit="victims", ge=FEWEST_VICTIMS, le=100_000)
    utility: UtilityMeasure = utility_measure(implied="quick")
    near_copies: Literal["kept", "left out"] = parameter(
        "kept", "Whether texts that are nearly another one are left out, on both sides.", advanced=True, implied="kept"
    )
    sensitive: bool = parameter(
        False,
        "Report how many names, numbers and e-mail addresses are read, beside all words.",
        label="Names, numbers, addresses",
        advanced=True,
        implied=False,
    )
    examples: int = parameter(
        scoring.MOST_EXAMPLES,
        "Victims whose likeliest words, with those that are right, are kept in the result; 0 where a result must not "
        "hold what single texts say.",
        unit="victims",
        ge=0,
        le=scoring.MOST_EXAMPLES,
        advanced=True,
        implied=scoring.MOST_EXAMPLES,
    )

    report: Report = parameter(
        "words",
        "Whether also whole texts that are read back and numbers by their length are reported: by exact match, BLEU, "
        "ROUGE-L and cosine ('texts'), or by the first two with the order of the ten nearest ('full').",
        advanced=True,
        implied="words",
    )
    keywords: tuple[Annotated[str, Field(min_length=1, max_length=60)], ...] = parameter(
        (), "Words of your choice, whose recall is reported apart.", max_length=60, advanced=True, implied=()
    )

    @field_validator("keywords")
    @classmethod
    def _have_words(cls, keywords: tuple[str, ...]) -> tuple[str, ...]:
        if blank := next((keyword for keyword in keywords if not word_sets.has_words(keyword)), ""):
            raise ValueError(f"each keyword must have a letter or a digit; {blank!r} has none")
        return keywords

    def identity(self) -> dict[str, Any]:
        """Return what determines the key; results from before there were these choices keep theirs."""
        fields = super().identity()
        return {**fields, "each_keyword": True} if self.keywords else fields

    def versions(self, attack: InversionAttack, model: SentenceModel, *, released: bool) -> dict[str, int]:
        """Return the version of the choice behind a defense; an unknown encoder's own version covers it."""
        return {"choice_version": _CHOICE_VERSION} if released and attack.practises and model.known else {}

    def _play(self, setup: _Setup) -> Outcome:
        model, defenses, attack, seed, context = setup.model, setup.defenses, setup.attack, setup.seed, setup.context
        documents, stored = self._texts(setup)
        if stored and model.known:
            embedded, encode = eligible(documents, growth(setup.contents)), encoding(model, context, "stored texts")
            setup.once(f"match {self.pieces}", lambda: require_match(stored, embedded, encode, seed))
        auxiliary_key = attack.auxiliary and attack.auxiliary.key
        split = key_of([self.pieces, self.shadow_share, self.near_copies, self.victims, attack.texts, auxiliary_key])
        segments, drawn, auxiliary_texts = setup.once(f"split {split}", lambda: self._split(setup, documents))
        numbers = np.sort(drawn.now)
        victims, first = ([segments.texts[number] for number in some] for some in (numbers, np.sort(drawn.first)))
        truth = word_sets.all_of(tuple(victims))

        # Where a store has grown, its defenses stay as they were set up.
        hidden = words_to_hide(word_sets.all_of(tuple(first))) if defenses else ()
        release = Release(model, defenses, first, hidden, seed, context, stored)
        opened = attack.access() is EncoderInternals
        known: dict[tuple[str, ...], NDArray[np.float32]] = setup.once("embeddings of the adversary's texts", dict)
        access = release.access(victims, opened=opened, auxiliary=auxiliary_texts, known=known)
        auxiliary = Auxiliary(auxiliary_texts, defended=bool(defenses), seed=release.adversary_seed)
        chooses = release.defended and attack.practises
        taught, left_out = auxiliary.kept_back() if chooses else (auxiliary, ())
        yours = release.embed([attack.text], "your release") if model.known else access.victims[:0]

        @cache
        def played(defended: bool) -> tuple[tuple[InversionAdversary, Answer], float]:
            success = float("nan")
            if chooses:
                tried = attack.prepare(replace(taught, defended=defended), access, context)
                success = _own_f1(tried, access, left_out, auxiliary.seed)
                access.add_queries(-len(auxiliary.texts))  # these are counted below: texts are embedded once
            adversary = attack.prepare(replace(auxiliary, defended=defended), access, context)
            context.progress.stage("Reading the victims' embeddings")
            return (adversary, adversary.read(access.victims)), success

        def read(_: AdversaryKind, defended: bool) -> tuple[tuple[InversionAdversary, Answer], float]:
            # One that cannot embed texts of its own has no choice: the vectors that it has leaked behind the defenses.
            return played(defended if attack.practises else bool(defenses))

        answers, queries = release.attacked(access, read)
        rows, sentences = segments.positions[numbers].T
        counted = word_sets.all_of(auxiliary_texts)
        scorer = scoring.Scorer(truth, rows, sentences, counted, attack.part_name(), seed, self.examples)
        for variant, (_, answer) in by_variant(answers, attack.part_name()).items():
            scorer.add(variant, answer)
        adversary, answer = answers["adaptive"]
        answer_yours = adversary.read(yours)
        tables = {**adversary.explain(), "yours": scorer.sentence(attack.text, answer_yours)}
        if "texts" in attack.tables:
            tables["texts"] = scorer.texts(answer, answer_yours)
        again = encoding(model, context, "the texts that were read") if model.known else None
        further = Further(self.report, self.sensitive, self.keywords)
        estimates = {
            **scorer.estimates(),
            "queries": queries,
            **further.estimates(victims, access.victims, answer, scorer.frequent, again, seed),
        }
        if may_be_moved(setup.dataset.as_dict(), model.as_dict()):
            f1 = estimates["f1"]
            estimates["f1"] = f1.model_copy(update={"help": f"{f1.help} {UNCHECKED}"})
        if isinstance(model, TrainedSentenceModel):
            utilities = model.utilities(training_options(defenses), context)
            estimates |= utility_estimates([TrainedTarget(access, utilities)])
        utility = release.victims_utility(
            documents, rows, victims, self.utility, ranked=self.report == "full", queries=queries_of(setup.contents)
        )
        return {**estimates, **utility}, {**tables, **scorer.tables()}

    def workload(self, attack: InversionAttack, documents: int) -> int:
        """Return the victims and the texts that the adversary learns from."""
        return min(documents, self.victims + attack.texts)

    def check_contents(self, setup: _Setup) -> None:
        """Check that there are enough victims, and enough texts for the adversary to learn from.

        Raises:
            Incompatible: They are too few.
        """
        auxiliary = Auxiliary(self._split(setup, self._texts(setup)[0])[2], defended=False, seed=0)
        if setup.defenses and setup.attack.practises:
            auxiliary, _ = auxiliary.kept_back()
        setup.attack.check_held(len(auxiliary.texts))

    def alternatives(self, setup: _Setup) -> Iterator[dict[str, Any]]:
        """Yield other splits of the texts, and then texts of the victims' domain for the adversary."""
        yield from other_splits(self.pieces, self.shadow_share)
        if setup.attack.auxiliary is not None:
            for changes in other_splits(self.pieces, self.shadow_share):
                yield {**changes, "attack.auxiliary": None}

    def _texts(self, setup: _Setup) -> tuple[Documents, dict[str, NDArray[np.float32]]]:
        """Return the texts, and the stored vector of each; none where the game embeds them itself.

        Raises:
            Incompatible: The adversary has no texts or no way to learn from them.
        """
        attack = setup.attack
        if attack.auxiliary == setup.dataset:
            raise Incompatible(
                f"Auxiliary texts must be others than the victims'. Both are {setup.dataset.part_name()}; leave "
                "'auxiliary' empty for texts of the same domain."
            )
        documents, stored = setup.once(f"beside {self.pieces}", lambda: beside(setup.contents, self.pieces))
        if stored and setup.model.known and not attack.practises:
            raise Incompatible(
                f"{attack.part_name()} cannot query the encoder, and has stored vectors only. Set 'model' to "
                f"'unknown_encoder'. Got {setup.model.part_name()!r} instead."
            )
        return documents, stored

    def _split(self, setup: _Setup, documents: Documents) -> tuple[Segments, Drawn, tuple[str, ...]]:
        """Return the segments, the victims, and the texts that the adversary learns from.

        Raises:
            Incompatible: Too few can be victims.
        """
        segments = Segments.split(documents, self.pieces, self.shadow_share, setup.seed, growth(setup.contents))
        if self.near_copies == "left out":
            segments = segments.without_near_copies()
        eligible = segments.only(word_sets.has_words)
        if len(eligible.holder) < FEWEST_VICTIMS:
            raise Incompatible(
                f"{len(eligible.holder)} of {len(segments.holder)} texts of the holder have a word. At least "
                f"{FEWEST_VICTIMS} victims are needed."
            )
        drawn = eligible.drawn(self.victims)
        victims = [segments.texts[number] for number in {*drawn.first.tolist(), *drawn.now.tolist()}]
        return segments, drawn, self._auxiliary_texts(setup.attack, segments, victims)

    def _auxiliary_texts(self, attack: InversionAttack, segments: Segments, victims: Sequence[str]) -> tuple[str, ...]:
        """Draw the adversary's texts, no victim's among them."""
        texts = segments.auxiliary
        if attack.auxiliary is not None:
            victim_sets = set(map(word_sets.word_set, victims))
            other_segments, _ = segmented(attack.auxiliary.load(), self.pieces)
            texts = [text for text in other_segments if word_sets.word_set(text) not in victim_sets]
        return tuple(texts[row] for row in np.sort(segments.rng.permutation(len(texts))[: attack.texts]))


def _own_f1(adversary: InversionAdversary, access: SentenceEmbeddings, texts: Sequence[str], seed: int) -> float:
    """Return the F1 of an adversary on texts of its own that it has defended itself."""
    defended = practice(access, texts, generator(seed, "practice"), _READ)
    answer = adversary.read(defended)
    sets = [word_sets.word_set(text) for text in texts]
    present = np.tile(word_sets.presence(sets, answer.words).toarray() > 0, (len(defended) // len(texts), 1))
    sizes = np.tile(word_sets.sizes(sets), len(defended) // len(texts))
    precision, recall = (values[sizes > 0].mean() for values in word_sets.overlap(answer.predicted, present, sizes))
    return word_sets.f1(float(precision), float(recall))
