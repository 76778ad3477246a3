"""The words of texts, ranked from nothing but their embeddings."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.datasets import Dataset
from core.defenses import Defense, Mechanism
from core.errors import Incompatible
from core.games import Game
from core.games.attack import Attack
from core.games.embedding_defenses import ASKED, protection, released, served
from core.games.reassembly import score as scoring
from core.games.reassembly.contract import ReassemblyAttack
from core.result import Estimate, Schema
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.spec import parameter
from core.targets.model import Model
from core.targets.sentence_encoder import SentenceModel
from core.text.contents import Documents
from core.text.secrets import Keyword
from core.text.segments import Segmentation, segmented
from core.text.split import split_texts

if TYPE_CHECKING:
    import pandas as pd

_FEWEST = 5


class Reassembly(Game):
    """A ranking of candidate words for each text, scored against the words that stand there.

    The game gives a share of the texts to the adversary, who chooses candidates from them, and draws victims among the
    others. Only texts that have at least one candidate are victims: of the others no word can be found, and neither
    recall nor average precision means anything. The game embeds the victims' texts, hands over embeddings only, and
    keeps which candidates stand where.

    Recall at 10 is the headline: precision at 10 cannot reach 1 where a text has fewer than ten candidates. The level
    to beat is one ranking for all texts, by the candidates' frequency in the adversary's texts, which needs no
    embedding. Victims are resampled for the intervals.

    With a defense, the adversary who defends its own embeddings alike, and so adapts, is the headline; the *naive* one
    trains on plain embeddings.

    Source: Pan et al. 2020, appendix E, which shows five texts and no score.
    """

    title: ClassVar[str] = "reassembly of texts from embeddings"
    tables: ClassVar[dict[str, Schema]] = scoring.SCHEMAS

    pieces: Segmentation = parameter(
        "texts", "Embed whole texts, or cut them into sentences of at least four words first."
    )
    shadow_share: float = parameter(1 / 11, "Share of the texts that the adversary holds.", gt=0, le=0.9, advanced=True)
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
            Incompatible: The parts do not fit this game, or too few texts have a candidate.
        """
        if not isinstance(attack, ReassemblyAttack) or not isinstance(model, SentenceModel):
            raise Incompatible(f"{attack.part_name()} on {model.part_name()} is not a game of reassembly.")
        context.progress.stage(f"Reading {dataset.title}")
        documents: Documents = dataset.load()
        texts, places = segmented(documents, self.pieces)
        rng = generator(seed, "deal")
        own, holder = split_texts(texts, rng.permutation(len(texts)), self.shadow_share)
        held = [texts[row] for row in own]
        words = attack.choose(held)
        shares = scoring.presence(held, words).mean(axis=0) if held else np.zeros(len(words))
        present = scoring.presence([texts[row] for row in holder], words)
        able = np.flatnonzero(present.any(axis=1))
        if len(able) < _FEWEST:
            raise Incompatible(
                f"{len(able)} of {len(holder)} texts have one of the {len(words)} candidates. At least {_FEWEST} are "
                "needed: ask for words that occur more often."
            )
        drawn = np.sort(rng.permutation(able)[: self.victims])
        rows = holder[drawn]
        scorer = scoring.Scorer(words, shares, present[drawn], places[rows, 0], places[rows, 1], seed)

        encode = served(model, defenses, context)
        protect = self._protection(defenses, attack, [texts[row] for row in holder], encode, seed)
        access = released([texts[row] for row in rows], model, defenses, protect, seed, context)
        secret = int(generator(seed, "adversary").integers(2**62))
        told = attack.rate(words, shares, held, access, context, secret, protected=bool(defenses))
        estimates = scorer.estimates(told)
        estimates["queries"] = Estimate.queries(access.queries, ASKED)
        rankings = {attack.part_name(): told}
        if defenses:
            rankings["naive"] = attack.rate(words, shares, held, access, context, secret, protected=False)
            naive = scorer.estimates(rankings["naive"])
            estimates |= {f"{name}_naive": estimate for name, estimate in naive.items()}
        return estimates, scorer.tables(rankings)

    def _protection(
        self,
        defenses: tuple[Defense, ...],
        attack: ReassemblyAttack,
        texts: Sequence[str],
        encode: Callable[[Sequence[str]], NDArray[np.float32]],
        seed: int,
    ) -> Mechanism:
        """Return what the holder of the texts does to embeddings; it hides the words it would guess are looked for."""
        secrets = tuple(Keyword(word) for word in attack.choose(texts)) if defenses else ()
        return protection(defenses, texts, secrets, encode, seed)
