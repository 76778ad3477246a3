"""Inference of secrets of texts from their embeddings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.datasets import Dataset
from core.errors import Incompatible
from core.games import Game, Setup
from core.games.attack import Attack
from core.games.embedding_defenses import FEWEST_VICTIMS, Release, UtilityMeasure, encoding, utility_measure
from core.games.inference import score as scoring
from core.games.inference.choice import Choice
from core.games.inference.contract import Answer, Briefing, InferenceAttack, Played, Truth
from core.games.inference.tables import SCHEMAS
from core.games.kinds_of_adversary import AdversaryKind
from core.games.segments import SHARES
from core.games.standards import OF_EMBEDDINGS, Standard
from core.games.stored_vectors import beside, growth, require_match
from core.result import Outcome, Schema
from core.runtime.seeding import generator
from core.spec import parameter
from core.targets.model import Model
from core.targets.sentence_encoder import SentenceModel
from core.text.contents import Documents, Patterns
from core.text.secrets import Keyword, Secret
from core.text.split import split_texts
from core.text.vectors import Vectors

_Setup = Setup[Documents | Vectors, SentenceModel, InferenceAttack]


class Inference(Game):
    """The attack pipeline of Pan et al. 2020, section IV, as a game.

    The game draws victims, embeds their texts, applies the defenses and releases the embeddings only. The adversary
    queries the public encoder, holds what its knowledge allows, and infers each secret of each victim. Two texts with
    the same words count as one, so that no text is both a victim's and the adversary's.

    - *Texts that follow a public rule* (`core.text.contents.Patterns`): all are victims; the adversary has the rule.
    - *Other texts*: a share, ``shadow_share``, goes to an adversary that knows the distribution, the rest to the
      holder. An attack that asks for balanced victims gets every text with the keyword, and as many without it
      (section VI-C); any other gets victims drawn at random.

    *Chance* is the most frequent answer, or a uniform guess where the rule makes all equally likely. Real texts that
    follow a rule have frequencies that the rule does not tell: an adversary that guesses does not reach the most
    frequent answer. With ``chance="dealt"`` chance is what its own answers get when they are dealt to other victims
    (`core.statistics.mismatched`), whether they fit their own better is tested in pairs, and the most frequent answer
    is a reference.

    *Stored vectors.* Where the dataset holds vectors with their texts, those of the victims are released as they are
    stored. The encoder must give at least half of up to 50 texts an embedding to which their own vector is the nearest.

    With a defense, the *naive* adversary trains on plain embeddings. The *adaptive* one, the headline, trains on ones
    that it defends itself, with fresh noise in each batch where a defense draws noise. It prepares in the naive way
    too, and answers with what does better on texts of its own, left out and defended alike
    (`core.games.embedding_defenses.Release`). The utility is the downstream accuracy on the defended embeddings
    (`core.targets.downstream_accuracy`), where the texts have labels, and the recall of a search in them
    (`core.targets.retrieval`).
    """

    title: ClassVar[str] = "inference of secrets from embeddings"
    attack_kind: ClassVar[type[Attack]] = InferenceAttack
    standards: ClassVar[tuple[Standard, ...]] = OF_EMBEDDINGS
    model_kind: ClassVar[type[Model]] = SentenceModel
    tables: ClassVar[dict[str, Schema]] = SCHEMAS

    shadow_share: float = parameter(
        1 / 11, "Share of the texts held by an adversary that knows their distribution.", gt=0, le=0.9, advanced=True
    )
    victims: int = parameter(
        1000, "Most victims for one secret and value.", unit="victims", ge=FEWEST_VICTIMS, le=100_000
    )

    utility: UtilityMeasure = utility_measure(implied="quick")

    chance: Literal["frequent", "dealt"] = parameter(
        "frequent",
        "What guessing gives: the most frequent answer, or, where the adversary cannot know that one, its own answers "
        "dealt to other victims.",
        advanced=True,
        implied="frequent",
    )

    def _play(self, setup: _Setup) -> Outcome:
        dataset, attack, seed, context = setup.dataset, setup.attack, setup.seed, setup.context
        rows, documents, stored = _about(setup)
        if stored:
            require_match(stored, documents.texts, encoding(setup.model, context, "stored texts"), seed)
        secrets = attack.secrets(dataset, documents)
        split = self.split(documents, secrets, attack.balanced, seed)
        truth = replace(split.truth, rows=rows[split.truth.rows], clusters=attack.clusters(split.truth))
        if self.chance == "dealt" and truth.clusters is not None:
            raise Incompatible(
                f"{attack.part_name()} resamples clusters of victims, which answers dealt to others do not. "
                "Choose chance='frequent'."
            )
        patterns = documents if isinstance(documents, Patterns) else None

        texts = [documents.texts[row] for row in split.holder]
        release = Release(setup.model, setup.defenses, texts, secrets, seed, context, stored)
        access = release.access(truth.texts)
        scorer = scoring.Scorer(
            secrets,
            truth,
            patterns.whole if patterns else (),
            uniform=patterns is not None and dataset.card.synthetic,
            dealt=self.chance == "dealt",
            variant=attack.part_name(),
            seed=seed,
        )
        briefing = Briefing(
            secrets=secrets,
            texts=() if patterns else tuple(documents.texts[row] for row in split.adversary),
            generate=patterns.generate if patterns else None,
            defended=bool(setup.defenses),
            seed=release.adversary_seed,
            asked=truth.counted,
        )

        def on_answer(adversary: AdversaryKind, answer: Answer) -> None:
            scorer.add(answer, adversary)
            context.progress.partial(scorer.rows)

        choice = Choice(attack, briefing, access, context, release.defended, on_answer)
        chosen, queries = release.attacked(access, choice.infer)
        if choice.several:
            for kind, prepared in chosen.items():
                for answer in prepared.answers:
                    on_answer(kind, answer)
        best = chosen["adaptive"]
        played = Played(best.briefing, best.access, truth, scorer.answer())
        tables = {**scorer.tables(), **best.attack.explain(played, context)}
        labels = documents.select(split.holder.tolist()).labels
        utility = release.utility(labels, texts, "service's release", tuned=self.utility == "tuned")
        return {**scorer.estimates(), "queries": queries, **utility}, tables

    def keeps_back(self, dataset: Dataset, model: Model, attack: Attack) -> bool:
        """Tell whether the adversary has texts, not a rule, and without a defense nothing to choose."""
        alone = isinstance(attack, InferenceAttack) and len(attack.candidates) == 1
        return alone and dataset.holds is not Patterns

    def check_contents(self, setup: _Setup) -> None:
        """Check that the texts are what the attack is about, tell the secrets apart, and leave the adversary some.

        Raises:
            Incompatible: They are too few, their owners are, or a secret is too rare or too common.
        """
        attack, (_, documents, _) = setup.attack, _about(setup)
        secrets = attack.secrets(setup.dataset, documents)
        split = self.split(documents, secrets, attack.balanced, setup.seed)
        if not isinstance(documents, Patterns):
            texts = tuple(documents.texts[row] for row in split.adversary)
            practises = bool(setup.defenses) or len(attack.candidates) > 1
            attack.check_briefing(Briefing(secrets, texts, None, False, setup.seed, practises))

    def alternatives(self, setup: _Setup) -> Iterator[dict[str, Any]]:
        """Yield what the attack would rather ask of these texts, each with other shares of them for the adversary."""
        documents = _about(setup)[1]
        for changes in ({}, *setup.attack.alternatives(documents, FEWEST_VICTIMS)):
            yield dict(changes)
            for share in SHARES:
                yield {**changes, "game.shadow_share": share}

    def split(self, documents: Documents, secrets: Sequence[Secret], balanced: bool, seed: int) -> "Split":
        """Draw the victims, and split the other texts between adversary and holder.

        Raises:
            Incompatible: There are too few texts with some value of a secret.
        """
        rng = generator(seed, "deal")
        order = rng.permutation(len(documents))
        if isinstance(documents, Patterns):
            holder, adversary = np.sort(order[: self.victims]), order[:0]
        else:
            adversary, holder = split_texts(documents.texts, order, self.shadow_share)
        if not len(holder):
            raise Incompatible(f"The dataset has {len(documents)} texts, which leaves none for victims.")
        values = np.array([[secret.read(documents.texts[row]) for row in holder] for secret in secrets], dtype=np.int64)
        counted = np.zeros(values.shape, dtype=np.bool_)
        if balanced:
            counted = np.array([self._balanced(secret, row, rng) for secret, row in zip(secrets, values, strict=True)])
        else:
            counted[:, rng.permutation(len(holder))[: self.victims]] = True
        drawn = np.flatnonzero(counted.any(axis=0))
        truth = Truth(
            texts=tuple(documents.texts[row] for row in holder[drawn]),
            rows=holder[drawn],
            answers=values[:, drawn],
            counted=counted[:, drawn],
        )
        return Split(truth, holder, adversary)

    def _balanced(self, secret: Secret, values: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.bool_]:
        """Return which texts become victims for a secret: equally many of each value."""
        sides = [np.flatnonzero(values == value) for value in range(len(secret.values))]
        fewest = min(self.victims, *(len(side) for side in sides))
        if fewest < FEWEST_VICTIMS:
            raise Incompatible(_too_rare(secret, [len(side) for side in sides]))
        counted = np.zeros(len(values), dtype=np.bool_)
        for side in sides:
            counted[rng.choice(side, fewest, replace=False)] = True
        return counted


def _too_rare(secret: Secret, counts: Sequence[int]) -> str:
    """Return why a secret cannot be asked for: too few of the texts have one of its values."""
    if not isinstance(secret, Keyword):
        each = ", ".join(f"{count:,} {value}" for value, count in zip(secret.values, counts, strict=True))
        return f"The secret {secret.name!r} needs at least {FEWEST_VICTIMS} texts with each answer. Got {each} instead."
    absent, present = counts
    stands = f"{present:,}" if present else "none"
    rule = f"At least {FEWEST_VICTIMS} texts with it and {FEWEST_VICTIMS} without it are needed."
    often = "less" if present > absent else "more"
    where = f"stands in {stands} of the {absent + present:,} texts that can be attacked"
    return f"{secret.name!r} {where}. {rule} Choose keywords that occur {often} often."


def _about(setup: _Setup) -> tuple[NDArray[np.int64], Documents, dict[str, NDArray[np.float32]]]:
    """Return the rows of the texts that the attack is about, these texts, and the stored vector of each, if any.

    Of a store that has grown, these are texts that were there before: the adversary stays the same.

    Raises:
        Incompatible: They are too few.
    """
    everything, stored = beside(setup.contents, "texts")
    if grown := growth(setup.contents):
        everything = everything.select(range(grown.earlier))
    rows = setup.attack.about(everything, generator(setup.seed, "about"))
    documents = everything.select(rows.tolist()) if len(rows) < len(everything) else everything
    return rows, documents, {text: stored[text] for text in documents.texts} if stored else {}


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
