"""Secrets of texts, inferred from nothing but their embeddings."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.datasets import Dataset
from core.defenses import Defense
from core.errors import Incompatible
from core.games import Game
from core.games.attack import Attack
from core.games.embedding_defenses import ASKED, protection, released, served
from core.games.inference import score as scoring
from core.games.inference.contract import Briefing, InferenceAttack, Truth
from core.result import Estimate, Schema
from core.runtime.context import RunContext
from core.runtime.seeding import generator
from core.spec import parameter
from core.targets import downstream_accuracy
from core.targets.model import Model
from core.targets.sentence_encoder import SentenceModel
from core.text.contents import Documents, Patterns
from core.text.secrets import Secret
from core.text.split import split_texts

if TYPE_CHECKING:
    import pandas as pd

_FEWEST = 5


class Inference(Game):
    """The attack pipeline of Pan et al. 2020, section IV, as a game.

    The game draws the victims, embeds their texts, applies the defenses and hands over embeddings only. The adversary
    may query the encoder, holds whatever its knowledge allows, and names each secret of each victim; the game keeps
    the truth. Two texts with the same words are one, so that no text is both a victim's and the adversary's.

    - *Texts that follow a public rule* (`core.text.contents.Patterns`): all are victims; the adversary has the rule.
    - *Other texts*: a share, ``shadow_share``, goes to an adversary that knows the distribution, the rest to the
      victims. Where the attack asks for balanced victims, every text with the keyword is a victim, and as many
      without it are drawn at random (section VI-C); else the victims are drawn at random.

    With a defense the game is played twice, by a *naive* adversary who trains on plain embeddings, and by an
    *adaptive* one who defends its own embeddings alike before it trains; the headline is the adaptive one's. A
    defense is set up by the holder of the texts, on the victims' side of the texts.
    The utility is what remains of the task that the embeddings serve (`core.targets.downstream_accuracy`), where the
    texts have labels.
    """

    title: ClassVar[str] = "inference of secrets from embeddings"
    tables: ClassVar[dict[str, Schema]] = scoring.SCHEMAS

    shadow_share: float = parameter(
        1 / 11, "Share of the texts that an adversary who knows their distribution holds.", gt=0, le=0.9, advanced=True
    )
    victims: int = parameter(
        1000, "Most victims asked about for one secret and answer.", unit="victims", ge=_FEWEST, le=100_000
    )

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
        if not isinstance(attack, InferenceAttack) or not isinstance(model, SentenceModel):
            raise Incompatible(f"{attack.part_name()} on {model.part_name()} is not a game of inference.")
        context.progress.stage(f"Reading {dataset.title}")
        everything: Documents = dataset.load()
        rows = attack.about(everything, generator(seed, "about"))
        documents = everything.select(rows.tolist()) if len(rows) < len(everything) else everything
        secrets = attack.secrets(dataset, documents)
        deal = self.deal(documents, secrets, attack.balanced, seed)

        encode = served(model, defenses, context)
        holdings = [documents.texts[row] for row in deal.holder]
        protect = protection(defenses, holdings, secrets, encode, seed)
        truth = replace(deal.truth, rows=rows[deal.truth.rows])
        access = released(deal.truth.texts, model, defenses, protect, seed, context)
        pattern = isinstance(documents, Patterns)
        scorer = scoring.Scorer(
            secrets,
            truth,
            documents.whole if isinstance(documents, Patterns) else (),
            uniform=pattern and dataset.card.synthetic,
            answer=attack.part_name(),
            seed=seed,
        )
        briefing = Briefing(
            secrets=secrets,
            held=() if pattern else tuple(documents.texts[row] for row in deal.adversary),
            generate=documents.generate if isinstance(documents, Patterns) else None,
            protected=bool(defenses),
            seed=int(generator(seed, "adversary").integers(2**62)),
        )
        for inference in attack.infer(briefing, access, context):
            scorer.add(inference, "adaptive")
            context.progress.partial(scorer.rows)
        asked = access.queries
        if defenses:
            for inference in attack.infer(replace(briefing, protected=False), access, context):
                scorer.add(inference, "naive")
                context.progress.partial(scorer.rows)
        tables = {**scorer.tables(), **attack.explain(briefing, access, truth, scorer.answer(), context)}
        estimates = scorer.estimates()
        estimates["queries"] = Estimate.queries(asked, ASKED)
        useful = documents.select(deal.holder.tolist())
        if len(set(useful.labels) - {""}) > 1:
            context.progress.stage("Measuring what the embeddings are still good for")
            shown = protect(encode(useful.texts), generator(seed, "service's release"))
            if (
                usefulness := downstream_accuracy.measure(shown, useful.labels, generator(seed, "utility"))
            ) is not None:
                estimates["utility"] = usefulness
        return estimates, tables

    def deal(self, documents: Documents, secrets: Sequence[Secret], balanced: bool, seed: int) -> "Split":
        """Draw the victims, and divide the other texts.

        Raises:
            Incompatible: There are too few texts with some answer.
        """
        rng = generator(seed, "deal")
        order = rng.permutation(len(documents))
        if isinstance(documents, Patterns):
            holder, adversary = np.sort(order[: self.victims]), order[:0]
        else:
            adversary, holder = split_texts(documents.texts, order, self.shadow_share)
        if not len(holder):
            raise Incompatible(f"The dataset has {len(documents)} texts, which leaves none for victims.")
        answers = np.array(
            [[secret.read(documents.texts[row]) for row in holder] for secret in secrets], dtype=np.int64
        )
        asked = np.zeros(answers.shape, dtype=np.bool_)
        if balanced:
            asked = np.array([self._balanced(secret, row, rng) for secret, row in zip(secrets, answers, strict=True)])
        else:
            asked[:, rng.permutation(len(holder))[: self.victims]] = True
        drawn = np.flatnonzero(asked.any(axis=0))
        truth = Truth(
            texts=tuple(documents.texts[row] for row in holder[drawn]),
            rows=holder[drawn],
            answers=answers[:, drawn],
            asked=asked[:, drawn],
        )
        return Split(truth, holder, adversary)

    def _balanced(self, secret: Secret, answers: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.bool_]:
        sides = [np.flatnonzero(answers == value) for value in range(len(secret.values))]
        fewest = min(self.victims, *(len(side) for side in sides))
        if fewest < _FEWEST:
            often = "less" if len(sides[-1]) > len(sides[0]) else "more"
            counts = ", ".join(f"{len(side)} {value}" for value, side in zip(secret.values, sides, strict=True))
            raise Incompatible(
                f"The secret {secret.name!r} needs at least {_FEWEST} victims with each answer. Got {counts} instead. "
                f"Ask for a word that occurs {often} often."
            )
        asked = np.zeros(len(answers), dtype=np.bool_)
        for side in sides:
            asked[rng.choice(side, fewest, replace=False)] = True
        return asked


@dataclass(frozen=True)
class Split:
    """Who has which texts of the dataset.

    Attributes:
        truth: The victims and their secrets.
        holder: Rows of all texts on the victims' side.
        adversary: Rows of the texts that the adversary may hold.
    """

    truth: Truth
    holder: NDArray[np.int64]
    adversary: NDArray[np.int64]
