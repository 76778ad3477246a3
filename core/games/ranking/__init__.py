"""Ranking: suspected texts compared with the vectors of a store."""

from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

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
from core.games.kinds_of_adversary import AdversaryKind, both_estimates, by_variant
from core.games.ranking import score as scoring
from core.games.ranking.contract import Answer, Briefing, RankingAttack
from core.games.segments import Segments, other_splits
from core.games.standards import OF_STORES, Standard
from core.games.stored_vectors import beside, eligible, growth, require_match
from core.result import Outcome, Schema
from core.runtime.seeding import generator
from core.spec import parameter
from core.targets.model import Model
from core.targets.sentence_encoder import SentenceModel
from core.text import word_sets
from core.text.contents import Documents
from core.text.secrets import words_to_hide
from core.text.segments import Segmentation
from core.text.vectors import Vectors

_PRACTISED = 500
"""Most candidates on which the adversary simulates the defense to choose a comparison."""
_DRAWS = 2
"""Draws of each."""

_Setup = Setup[Documents | Vectors, SentenceModel, RankingAttack]


class Ranking(Game):
    """An adversary with a list of suspected texts, and the vectors of a store.

    The game leaves near copies out (`core.text.near_copies`), so that no decoy is nearly a victim's text. It gives a
    share of the texts to the adversary, none of which is stored, and draws candidates among the others. Some of the
    candidates are stored: they are the victims. The adversary gets their vectors, after the defenses and without their
    texts, and all candidates in a random order.

    - *Which text is behind a vector?* The adversary ranks the candidates for each vector; all but one are decoys. The
      headline is how often the right one is first, the accuracy; beside it stands the mean reciprocal rank. For shorter
      lists both are expected values over the decoys drawn.
    - *Is a text in the store?* The adversary scores each candidate; the victims are members. Its threshold comes from
      texts of its own, which are no candidates.

    Where the dataset holds vectors with their texts, those of the victims are released as they are stored. The
    encoder must give at least half of up to 50 texts an embedding to which their own vector is the nearest.

    With a defense, the *naive* adversary compares plain embeddings of its candidates. The *adaptive* one, the headline,
    compares what the defense makes of them. Where a defense acts at release, it takes the better way on candidates that
    it defends itself, whether stored or not (`core.games.embedding_defenses.Release`).

    Of a store that has grown, the suspected texts are those that were there before.

    Intervals resample victims and candidates; there is one store.
    """

    title: ClassVar[str] = "ranking of suspected texts"
    version: ClassVar[int] = 2
    attack_kind: ClassVar[type[Attack]] = RankingAttack
    standards: ClassVar[tuple[Standard, ...]] = OF_STORES
    low_rates: ClassVar[tuple[str, ...]] = ("tpr_at_1pct_fpr",)
    model_kind: ClassVar[type[Model]] = SentenceModel
    tables: ClassVar[dict[str, Schema]] = scoring.SCHEMAS

    pieces: Segmentation = parameter(
        "sentences", "Embed whole texts, or cut them into sentences of at least four words first."
    )
    shadow_share: float = parameter(
        0.5, "Share of the texts that the adversary holds, none of them stored.", gt=0, le=0.9, advanced=True
    )
    victims: int = parameter(
        500, "Most stored texts; no more than half of the candidates.", unit="victims", ge=FEWEST_VICTIMS, le=5000
    )
    candidates: int = parameter(
        1000, "Most suspected texts, stored or not.", unit="candidates", ge=2 * FEWEST_VICTIMS, le=10_000
    )
    utility: UtilityMeasure = utility_measure()

    def _play(self, setup: _Setup) -> Outcome:
        attack, defenses, seed, context = setup.attack, setup.defenses, setup.seed, setup.context
        documents, stored = setup.once(f"beside {self.pieces}", lambda: beside(setup.contents, self.pieces))
        grown = growth(setup.contents)
        if stored:
            embedded, encode = eligible(documents, grown), encoding(setup.model, context, "stored texts")
            setup.once(f"match {self.pieces}", lambda: require_match(stored, embedded, encode, seed))
        segments = Segments.split(documents, self.pieces, self.shadow_share, seed, grown)
        outside, numbers, stored_positions = self._split(segments, seed)
        victims = [segments.texts[number] for number in numbers[stored_positions]]
        candidates = tuple(segments.texts[number] for number in numbers)

        hidden = words_to_hide(map(word_sets.word_set, victims)) if defenses else ()
        release = Release(setup.model, defenses, victims, hidden, seed, context, stored)
        access = release.access(victims)
        briefing = Briefing(candidates, outside, defended=bool(defenses), seed=release.adversary_seed)
        practised = candidates[:_PRACTISED] if release.defended else ()
        # A copy, as it costs no query: the adversary has embedded all candidates anyway.
        rng = generator(briefing.seed, "practice")
        practice_vectors = practice(copy(access), practised, rng, _DRAWS) if practised else access.victims[:0]

        def compare(_: AdversaryKind, defended: bool) -> tuple[Answer, float]:
            adversary = attack.prepare(replace(briefing, defended=defended), access, context)
            context.progress.stage("Comparing the candidates with the stored vectors")
            success = float("nan")
            if practised:
                success = _success(adversary.compare(practice_vectors).similarity, len(practised), briefing.seed)
            return adversary.compare(access.victims), success

        answers, queries = release.attacked(access, compare)
        member = np.isin(np.arange(len(candidates)), stored_positions)
        rows, sentences = segments.positions[numbers[stored_positions]].T
        scorer = scoring.Scorer(stored_positions, member, rows, sentences, seed)
        estimates = both_estimates(answers, queries, scorer.estimates)
        utility = release.victims_utility(documents, rows, victims, self.utility)
        return {**estimates, **utility}, scorer.tables(by_variant(answers, attack.part_name()))

    def check_contents(self, setup: _Setup) -> None:
        """Check that there are enough candidates, and enough texts of the adversary's for its threshold.

        Raises:
            Incompatible: They are too few.
        """
        documents, _ = beside(setup.contents, self.pieces)
        grown = growth(setup.contents)
        segments = Segments.split(documents, self.pieces, self.shadow_share, setup.seed, grown)
        outside, *_ = self._split(segments, setup.seed)
        setup.attack.check_held(len(outside))

    def alternatives(self, setup: _Setup) -> Iterator[dict[str, Any]]:
        """Yield other splits of the texts."""
        yield from other_splits(self.pieces, self.shadow_share)

    def _split(self, segments: Segments, seed: int) -> tuple[tuple[str, ...], NDArray[np.int64], NDArray[np.int64]]:
        """Return the adversary's texts, the numbers of the candidates, and the positions of the stored ones among them.

        Raises:
            Incompatible: The texts are too few.
        """
        segments = segments.without_near_copies()
        numbers = segments.drawn(self.candidates).first
        count = min(self.victims, len(numbers) // 2)
        if count < FEWEST_VICTIMS:
            raise Incompatible(
                f"{len(segments.holder)} texts of the holder are left without near copies. At least "
                f"{2 * FEWEST_VICTIMS} candidates are needed."
            )
        return tuple(segments.auxiliary), numbers, generator(seed, "stored").permutation(len(numbers))[:count]


def _success(similarity: NDArray[np.float64], practised: int, seed: int) -> float:
    """Return the mean reciprocal rank of candidates that the adversary has defended itself.

    Args:
        similarity: (draws · practised, candidates) of the first candidates, draw below draw.
        practised: How many these are.
        seed: Source of the order of equals.
    """
    true_candidates = np.arange(len(similarity)) % practised
    return float((1 / scoring.ranks(similarity, true_candidates, generator(seed, "ties"))).mean())
