"""Membership of single examples, parts of documents, in the training data of a model."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.datasets import Dataset
from core.defenses import Defense
from core.errors import Incompatible
from core.games import Game
from core.games.attack import Attack
from core.games.example_membership import score as scoring
from core.games.example_membership.contract import COURSE, ExampleAttack, Revealed
from core.result import Estimate, Schema
from core.runtime.context import RunContext, content_key
from core.runtime.seeding import generator
from core.spec import parameter
from core.statistics.likelihood_ratio import RULES, Rule, Shadows
from core.targets.model import Model, TextModel
from core.targets.trained_target import TrainedTarget, utility_estimates
from core.targets.training_job import TrainingJob
from core.text.contents import Documents
from core.text.corpus import Corpus
from core.text.segments import segmented

if TYPE_CHECKING:
    import pandas as pd

_FEWEST = 20


class ExampleMembership(Game):
    """Every target is in turn the one under attack, and the others are the shadow models (Carlini et al. 2022).

    The documents, or where the attack asks about people their owners, are divided in two halves at random, as often as
    there are couples of models; each half trains one model. An example is a part of a document and a member of the
    models that were trained on that document, which is one of each couple. So half of all decisions are about members,
    whatever the example, and no guess from the texts alone can be right more often than not.

    The adversary who attacks a model is given the statistics of all examples from it, and from all other couples with
    what those were trained on. The other half of its own couple is kept from it, for what that was trained on the
    target was not; without this, the number of shadows with an example would give the secret away.

    Examples are drawn group by group, as many of each. Intervals resample couples of models and documents, since
    decisions that share one are not independent.
    """

    title: ClassVar[str] = "membership of parts of documents"
    tables: ClassVar[dict[str, Schema]] = scoring.SCHEMAS

    couples: int = parameter(
        8,
        "Couples of models; of each couple, one is trained on half of the documents, the other on the other half.",
        unit="couples",
        ge=4,
        le=200,
    )
    examples: int = parameter(200, "Most examples of each group.", unit="examples", ge=5, le=10_000)

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
            Incompatible: The parts do not fit this game, or too few examples can be asked about.
        """
        if not isinstance(attack, ExampleAttack) or not isinstance(model, TextModel):
            raise Incompatible(f"{attack.part_name()} on {model.part_name()} is not a game of examples.")
        context.progress.stage(f"Reading {dataset.title}")
        everything: Documents = dataset.load()
        about = attack.about(everything, generator(seed, "about"))
        documents = everything.select(about.tolist())
        owner = np.unique(attack.owner(documents), return_inverse=True)[1]
        trained = self.draw(owner.max(initial=-1) + 1, seed)[:, owner]
        releases = self._releases(dataset, documents, about, trained, model, attack, seed, context)
        accesses = [release.access for release in releases]
        context.progress.stage("Drawing examples")
        told = self._told(owner, attack, seed)
        examples = attack.examples(documents, ~told, accesses, self.examples, generator(seed, "examples"))
        if len(examples.rows) < _FEWEST:
            raise Incompatible(
                f"{len(examples.rows)} examples can be asked of every model. At least {_FEWEST} are needed: take a "
                "larger dataset, or a model that ignores fewer words."
            )
        known = documents.select(np.flatnonzero(told).tolist())

        def observed(models: Sequence[Access]) -> dict[str, NDArray[np.float64]]:
            """Return each statistic, (models, examples)."""
            found = [
                attack.observe(examples, access, Revealed(known, bits[told]))
                for access, bits in zip(models, trained, strict=True)
            ]
            return {name: np.stack([one[name] for one in found]) for name in found[0]}

        before = sum(access.queries for access in accesses)
        statistics = observed(accesses)
        queries = (sum(access.queries for access in accesses) - before) / (len(accesses) * len(examples.rows))
        member = trained[:, examples.rows]
        drawn = replace(examples, rows=about[examples.rows])
        scorer = scoring.Scorer(drawn, owner[examples.rows], member, self.couple, seed)
        context.progress.stage("Deciding and scoring", total=len(statistics) * len(RULES))
        for name, statistic in statistics.items():
            for rule, decide in RULES.items():
                scorer.add(name, rule, statistic, self.judged(decide, statistic, member, examples.group))
                context.progress.advance()
        alone = np.tile(examples.rarity, (len(member), 1))
        scorer.add(
            scoring.MODEL_FREE,
            "one_threshold",
            alone,
            self.judged(RULES["one_threshold"], alone, member, examples.group),
        )
        tables = scorer.tables()
        if COURSE.keys() <= attack.tables.keys():
            context.progress.stage("Asking what the models were before", total=len(releases[0].course))
            for passes in sorted(releases[0].course):
                for name, statistic in observed([release.course[passes] for release in releases]).items():
                    for rule, decide in RULES.items():
                        scorer.follow(passes, name, rule, self.judged(decide, statistic, member, examples.group))
                context.progress.advance()
            tables |= scorer.course()
        what = f"{accesses[0].queried} asked of a model for one decision, on average; shadow models are asked the same."
        return {
            **scorer.estimates(),
            **utility_estimates(releases, seed),
            "queries": Estimate.queries(queries, what),
        }, tables

    @property
    def couple(self) -> NDArray[np.int64]:
        """Return the number of the couple of each model, (models,)."""
        return np.repeat(np.arange(self.couples), 2)

    def draw(self, documents: int, seed: int) -> NDArray[np.bool_]:
        """Draw what each model is trained on, (models, documents): the secret.

        Raises:
            Incompatible: There are too few documents to divide.
        """
        if documents < 4:
            raise Incompatible(f"Documents are divided between models. At least 4 are needed; there are {documents}.")
        rng = generator(seed, "secret")
        half = np.arange(documents) < documents // 2
        first = np.stack([rng.permutation(half) for _ in range(self.couples)])
        # Which of a couple has the larger half of an odd number is a coin too.
        first ^= rng.random((self.couples, 1)) < 0.5
        return np.stack([first, ~first], axis=1).reshape(-1, documents)

    def judged(
        self, rule: Rule, statistic: NDArray[np.float64], member: NDArray[np.bool_], group: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the score of each example for each model as the target, (models, examples).

        A rule is given nothing of the target's couple but what the target itself gives for each example.
        """
        score = np.empty_like(statistic)
        for target, couple in enumerate(self.couple):
            others = self.couple != couple
            shadows = Shadows(statistic[others], member[others], self.couple[others], group)
            score[target] = rule(statistic[target], shadows)
        return score

    def _told(self, owner: NDArray[np.int64], attack: ExampleAttack, seed: int) -> NDArray[np.bool_]:
        """Draw the documents of which the adversary is told what models were trained on, (documents,)."""
        several = int(owner.max()) + 1
        rows = generator(seed, "revealed").permutation(several)[: round(attack.revealed_share() * several)]
        return np.isin(owner, rows)

    def _releases(
        self,
        dataset: Dataset,
        documents: Documents,
        about: NDArray[np.int64],
        trained: NDArray[np.bool_],
        model: TextModel,
        attack: ExampleAttack,
        seed: int,
        context: RunContext,
    ) -> list[TrainedTarget]:
        identity = {
            "trained half": 1,
            "dataset": dataset.identity(),
            "model": model.identity(),
            "documents": content_key(about, trained),
            "access": attack.access().__name__,
            "seed": seed,
        }
        texts, places = segmented(documents, model.pieces)
        corpus = Corpus.encode(texts, model.vocabulary())
        selections = [np.flatnonzero(row[places[:, 0]]) for row in trained]
        job = TrainingJob(corpus, selections, identity, seed, access=attack.access(), places=places)
        return model.release(job, context)
