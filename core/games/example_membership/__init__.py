"""Membership of single examples, parts of documents, in the training data of a model."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.errors import Incompatible
from core.games import Game, Setup
from core.games.attack import Attack
from core.games.example_membership import score as scoring
from core.games.example_membership.contract import COURSE, ExampleAttack, Examples, Population, Revealed
from core.games.standards import OF_MEMBERSHIP, Standard
from core.result import Estimate, Outcome, Schema
from core.runtime.context import content_key
from core.runtime.seeding import generator
from core.spec import parameter
from core.statistics.likelihood_ratio import RULES, Rule, ShadowStatistics
from core.statistics.measures import LOW_RATES
from core.statistics.wording.variants import BLIND
from core.targets.model import Model, TextModel
from core.targets.trained_target import utility_estimates
from core.targets.training_job import TrainingJob
from core.text.contents import Documents
from core.text.corpus import Corpus
from core.text.segments import segmented

_FEWEST = 20

_Setup = Setup[Documents, TextModel, ExampleAttack]


class ExampleMembership(Game):
    """Each target model is attacked in turn, with the others as its shadow models (Carlini et al. 2022).

    The documents, or where the attack is about people their owners, are divided into two halves at random, once for
    each couple of models; each half trains one of the couple. An example is a part of a document, and a member of the
    models trained on that document: one of each couple. So half of all decisions are about members, whatever the
    example, and a guess from the texts alone is right in half of them.

    The adversary receives the target's statistics of all examples, and the statistics and membership of all other
    couples. The other model of the target's couple is withheld, being trained on what the target was not; otherwise the
    number of shadow models with an example would give the secret away.

    Groups have equally many examples. Intervals leave out couples of models and documents in turn, since decisions
    that share one are not independent.
    """

    version: ClassVar[int] = 5
    title: ClassVar[str] = "membership of parts of documents"
    attack_kind: ClassVar[type[Attack]] = ExampleAttack
    standards: ClassVar[tuple[Standard, ...]] = OF_MEMBERSHIP
    low_rates: ClassVar[tuple[str, ...]] = tuple(LOW_RATES)
    model_kind: ClassVar[type[Model]] = TextModel
    tables: ClassVar[dict[str, Schema]] = scoring.SCHEMAS

    couples: int = parameter(
        8,
        "Couples of models; one is trained on a random half of the documents, the other on the other half.",
        unit="couples",
        ge=4,
        le=200,
    )
    examples: int = parameter(200, "Examples of each group, at most.", unit="examples", ge=5, le=10_000)

    def _play(self, setup: _Setup) -> Outcome:
        attack, seed, context = setup.attack, setup.seed, setup.context
        about, documents, owner = self._about(setup)
        trained_on = self.draw(owner.max(initial=-1) + 1, seed)[:, owner]
        targets = setup.model.train_targets(self._job(setup, documents, about, trained_on), context)
        accesses = [target.access for target in targets]
        context.progress.stage("Drawing examples")
        revealed = self._revealed(owner, attack, seed)
        population = Population(documents, ~revealed, accesses, self.examples)
        examples = _enough(attack.examples(population, generator(seed, "examples")))
        revealed_documents = documents.select(np.flatnonzero(revealed).tolist())

        def observe(stage: str, models: Sequence[Access]) -> dict[str, NDArray[np.float64]]:
            """Return each statistic, (models, examples)."""
            by_model = []
            context.progress.stage(stage, total=len(models))
            for access, bits in zip(models, trained_on, strict=True):
                by_model.append(attack.observe(examples, access, Revealed(revealed_documents, bits[revealed])))
                context.progress.advance()
            return {name: np.stack([statistics[name] for statistics in by_model]) for name in by_model[0]}

        before = sum(access.queries for access in accesses)
        statistics = observe("Querying the models", accesses)
        queries = (sum(access.queries for access in accesses) - before) / (len(accesses) * len(examples.rows))
        member = trained_on[:, examples.rows]
        drawn = replace(examples, rows=about[examples.rows])
        scorer = scoring.Scorer(drawn, owner[examples.rows], member, self.couple, seed)
        context.progress.stage("Deciding and scoring", total=3 * len(statistics) * len(RULES) + 1)
        for name, statistic in statistics.items():
            for rule, decide in RULES.items():
                scorer.add(name, rule, statistic, self.judge(decide, statistic, member, examples.group))
                context.progress.advance()
        rarity = np.tile(examples.rarity, (len(member), 1))
        by_rarity = self.judge(RULES["one_threshold"], rarity, member, examples.group)
        scorer.add(BLIND, "one_threshold", rarity, by_rarity)
        context.progress.advance()
        tables = scorer.tables(context.progress.advance)
        if COURSE.keys() <= attack.tables.keys():
            for epoch in sorted(targets[0].snapshots):
                stage = f"Querying the models after epoch {epoch}"
                for name, statistic in observe(stage, [target.snapshots[epoch] for target in targets]).items():
                    for rule, decide in RULES.items():
                        scorer.follow(epoch, name, rule, self.judge(decide, statistic, member, examples.group))
            tables |= scorer.course()
        text = f"{accesses[0].queried} queries to a model for one decision, on average; shadow models get as many."
        return {
            **scorer.estimates(),
            **utility_estimates(targets),
            "queries": Estimate.queries(queries, text),
        }, tables

    def workload(self, attack: ExampleAttack, documents: int) -> int:
        """Return the documents of all couples of models together."""
        return self.couples * documents

    def check_contents(self, setup: _Setup) -> None:
        """Check that the documents are what the attack is about, and have examples for models that know every word.

        Raises:
            Incompatible: They are too few, or their owners or examples are.
        """
        _, documents, owner = self._about(setup)
        self.draw(owner.max(initial=-1) + 1, setup.seed)
        eligible = ~self._revealed(owner, setup.attack, setup.seed)
        population = Population(documents, eligible, (), self.examples)
        _enough(setup.attack.examples(population, generator(setup.seed, "examples")))

    def _about(self, setup: _Setup) -> tuple[NDArray[np.int64], Documents, NDArray[np.int64]]:
        """Return the rows of the documents that the attack is about, these, and the number of the owner of each."""
        about = setup.attack.about(setup.contents, generator(setup.seed, "about"))
        documents = setup.contents.select(about.tolist())
        return about, documents, np.unique(setup.attack.owner(documents), return_inverse=True)[1]

    @property
    def couple(self) -> NDArray[np.int64]:
        """Return the number of the couple of each model, (models,)."""
        return np.repeat(np.arange(self.couples), 2)

    def draw(self, documents: int, seed: int) -> NDArray[np.bool_]:
        """Draw the documents that each model is trained on, (models, documents): the secret.

        Raises:
            Incompatible: There are too few documents to divide.
        """
        if documents < 4:
            raise Incompatible(f"Documents are divided between models. At least 4 are needed; there are {documents}.")
        rng = generator(seed, "secret")
        half = np.arange(documents) < documents // 2
        first = np.stack([rng.permutation(half) for _ in range(self.couples)])
        # A coin gives the larger half of an odd number to one of a couple.
        first ^= rng.random((self.couples, 1)) < 0.5
        return np.stack([first, ~first], axis=1).reshape(-1, documents)

    def judge(
        self, rule: Rule, statistic: NDArray[np.float64], member: NDArray[np.bool_], group: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Score each example for each model as the target, (models, examples).

        Of the target's couple a rule receives the target's statistic only.
        """
        score = np.empty_like(statistic)
        for target, couple in enumerate(self.couple):
            other_couples = self.couple != couple
            shadows = ShadowStatistics(
                statistic[other_couples], member[other_couples], self.couple[other_couples], group
            )
            score[target] = rule(statistic[target], shadows)
        return score

    def _revealed(self, owner: NDArray[np.int64], attack: ExampleAttack, seed: int) -> NDArray[np.bool_]:
        """Draw the documents whose membership is revealed to the adversary, (documents,)."""
        owners = int(owner.max()) + 1
        drawn = generator(seed, "revealed").permutation(owners)[: round(attack.revealed_share() * owners)]
        return np.isin(owner, drawn)

    def _job(
        self, setup: _Setup, documents: Documents, about: NDArray[np.int64], trained_on: NDArray[np.bool_]
    ) -> TrainingJob:
        model, access = setup.model, setup.attack.access()
        identity = {
            "trained half": 1,
            "dataset": setup.dataset.identity(),
            "model": model.identity(),
            "documents": content_key(about, trained_on),
            "access": access.__name__,
            "seed": setup.seed,
        }
        texts, positions = segmented(documents, model.pieces)
        corpus = Corpus.encode(texts, model.vocabulary())
        selections = [np.flatnonzero(row[positions[:, 0]]) for row in trained_on]
        return TrainingJob(corpus, selections, identity, setup.seed, access=access, positions=positions)


def _enough(examples: Examples) -> Examples:
    """Return examples if they are enough.

    Raises:
        Incompatible: They are too few.
    """
    if len(examples.rows) < _FEWEST:
        raise Incompatible(
            f"{len(examples.rows)} examples can be queried from every model. At least {_FEWEST} are needed: take a "
            "larger dataset, or a model that ignores fewer words."
        )
    return examples
