"""Reassembly: candidate words ranked by how likely they stand in the text behind an embedding."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.datasets import Dataset
from core.errors import Incompatible
from core.games import Game, Setup
from core.games.attack import Attack
from core.games.embedding_defenses import FEWEST_VICTIMS, Release, practice
from core.games.kinds_of_adversary import AdversaryKind, both_estimates, by_variant
from core.games.reassembly import score as scoring
from core.games.reassembly.contract import Answer, Briefing, ReassemblyAttack
from core.games.segments import Segments, other_splits
from core.games.standards import OF_EMBEDDINGS, Standard
from core.result import Outcome, Schema
from core.runtime.seeding import generator
from core.spec import parameter
from core.targets.model import Model
from core.targets.sentence_encoder import SentenceModel
from core.text.contents import Documents
from core.text.secrets import Keyword
from core.text.segments import Segmentation
from core.text.split import kept_back

_KEPT_SHARE = 0.2
"""Share of the adversary's texts that it keeps back to choose between two ways to prepare."""

_Setup = Setup[Documents, SentenceModel, ReassemblyAttack]


class Reassembly(Game):
    """A ranking of candidate words for each text, scored against the words of the text.

    The game gives a share of the texts to the adversary, which chooses candidates from them, and draws victims among
    the others. Victims have at least one candidate: without any, neither recall nor average precision is defined. The
    game embeds the victims' texts, releases the embeddings only, and keeps which candidates stand where.

    Recall at 10 is the headline: precision at 10 cannot reach 1 where a text has fewer than ten candidates. The
    baseline is one ranking for all texts, by the candidates' frequency in the adversary's texts, which needs no
    embedding. Intervals resample the victims.

    With a defense, the *naive* adversary trains on plain embeddings. The *adaptive* one, the headline, trains on ones
    that it defends itself. Where a defense acts at release, it trains in the naive way too, and answers with what has
    the better recall on texts of its own, left out and defended alike (`core.games.embedding_defenses.Release`).

    Source: Pan et al. 2020, appendix E, which shows five texts and no score.
    """

    title: ClassVar[str] = "reassembly of texts from embeddings"
    attack_kind: ClassVar[type[Attack]] = ReassemblyAttack
    standards: ClassVar[tuple[Standard, ...]] = OF_EMBEDDINGS
    model_kind: ClassVar[type[Model]] = SentenceModel
    tables: ClassVar[dict[str, Schema]] = scoring.SCHEMAS

    pieces: Segmentation = parameter(
        "texts", "Embed whole texts, or cut them into sentences of at least four words first."
    )
    shadow_share: float = parameter(1 / 11, "Share of the texts that the adversary holds.", gt=0, le=0.9, advanced=True)
    victims: int = parameter(1000, "Most victims.", unit="victims", ge=FEWEST_VICTIMS, le=100_000)

    def _play(self, setup: _Setup) -> Outcome:
        attack, defenses, seed = setup.attack, setup.defenses, setup.seed
        segments, words, present, eligible = self._split(setup)
        shares = np.zeros(len(words))
        if segments.auxiliary:
            shares = scoring.presence(segments.auxiliary, words).mean(axis=0)
        holder_texts = [segments.texts[number] for number in segments.holder]
        numbers = np.sort(replace(segments, holder=segments.holder[eligible]).drawn(self.victims).now)

        # The holder does not know the candidates: it hides those that it would choose from its own texts.
        guessed = map(Keyword, attack.choose(holder_texts)) if defenses else ()
        release = Release(setup.model, defenses, holder_texts, tuple(guessed), seed, setup.context)
        access = release.access([segments.texts[number] for number in numbers])
        taught, left_out = _useful_kept_back(segments.auxiliary, words, release)
        briefing = Briefing(words, shares, taught, defended=bool(defenses), seed=release.adversary_seed)
        wider, left_out_present = access, scoring.presence(left_out, words) if left_out else present[:0]
        if left_out:
            wider = access.beside(practice(access, left_out, generator(briefing.seed, "practice")))

        def rate(_: AdversaryKind, defended: bool) -> tuple[Answer, float]:
            ratings = attack.rate(replace(briefing, defended=defended), wider, setup.context).probabilities
            access.queries = wider.queries
            success = scoring.recall(ratings[len(access.victims) :], left_out_present)
            return Answer(ratings[: len(access.victims)]), success

        answers, queries = release.attacked(access, rate)
        rows, sentences = segments.positions[numbers].T
        scorer = scoring.Scorer(words, shares, present[np.isin(segments.holder, numbers)], rows, sentences, seed)
        estimates = both_estimates(answers, queries, scorer.estimates)
        return estimates, scorer.tables(by_variant(answers, attack.part_name()))

    def keeps_back(self, dataset: Dataset, model: Model, attack: Attack) -> bool:
        """Tell that the adversary does."""
        return True

    def check_contents(self, setup: _Setup) -> None:
        """Check that the adversary has texts to learn from, and that enough others have a candidate.

        Raises:
            Incompatible: They are too few.
        """
        auxiliary = self._split(setup)[0].auxiliary
        left_out = round(_KEPT_SHARE * len(auxiliary)) if setup.defenses else 0
        setup.attack.check_held(len(auxiliary) - left_out)

    def alternatives(self, setup: _Setup) -> Iterator[dict[str, Any]]:
        """Yield other splits, first with the chosen words, then with those that the attack would rather take."""
        for changes in ({}, *setup.attack.alternatives()):
            for split in other_splits(self.pieces, self.shadow_share):
                yield {**split, **changes}

    def _split(self, setup: _Setup) -> tuple[Segments, tuple[str, ...], NDArray[np.bool_], NDArray[np.int64]]:
        """Return the segments, the candidates, which holder's segment has which candidate, and which segments have any.

        Raises:
            Incompatible: Too few segments have a candidate.
        """
        segments = Segments.split(setup.contents, self.pieces, self.shadow_share, setup.seed)
        words = setup.attack.choose(segments.auxiliary)
        present = scoring.presence([segments.texts[number] for number in segments.holder], words)
        eligible = np.flatnonzero(present.any(axis=1)) if len(present) else np.empty(0, np.int64)
        if len(eligible) < FEWEST_VICTIMS:
            raise Incompatible(
                f"{len(eligible)} of {len(segments.holder)} texts have one of the {len(words)} candidates. At least "
                f"{FEWEST_VICTIMS} are needed: ask for words that occur more often."
            )
        return segments, words, present, eligible


def _useful_kept_back(
    texts: Sequence[str], words: Sequence[str], release: Release
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the texts that the adversary learns from, and a fifth with a candidate, kept back to choose by."""
    if not release.defended or not texts:
        return tuple(texts), ()
    count = round(_KEPT_SHARE * len(texts))
    taught, left_out = kept_back(texts, count, generator(release.adversary_seed, "kept back"))
    useful = np.asarray(scoring.presence(left_out, words).any(axis=1)).tolist() if left_out else []
    return taught, tuple(text for text, has_any in zip(left_out, useful, strict=True) if has_any)
