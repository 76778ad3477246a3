"""Membership of single examples, parts of documents, in the training data of a model."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.attacks import Attack, ExampleAttack
from core.calibration import RULES, Rule, Shadows
from core.corpus import Corpus
from core.datasets import Dataset, Documents
from core.defenses import Defense
from core.errors import Incompatible
from core.games import Game
from core.lab import Lab, content_key
from core.models import Model, TextModel
from core.release import Lessons, Release
from core.result import Estimate, Schema
from core.scoring import example_membership as scoring
from core.seeding import generator
from core.spec import parameter

if TYPE_CHECKING:
    import pandas as pd

_FEWEST = 20


class ExampleMembership(Game):
    """Every target is in turn the one under attack, and the others are the shadow models (Carlini et al. 2022).

    The documents are divided in two halves at random, as often as there are couples of models; each half trains one
    model. An example is a part of a document and a member of the models that were trained on that document, which is
    one of each couple. So half of all decisions are about members, whatever the example, and no guess from the texts
    alone can be right more often than not.

    The adversary who attacks a model is given the statistics of all examples from it, and from all other couples with
    what those were trained on. The other half of its own couple is kept from it, for what that was trained on the
    target was not; without this, the number of shadows with an example would give the secret away.

    Examples are drawn group by group, as many of each. Intervals resample couples of models and documents, since
    decisions that share one are not independent.
    """

    title: ClassVar[str] = "membership of parts of documents"
    findings: ClassVar[dict[str, Schema]] = scoring.SCHEMAS

    couples: int = parameter(
        8, "Couples of models; of each couple, one is trained on half of the documents, the other on the other half.",
        unit="couples", ge=4, le=200,
    )  # fmt: skip
    examples: int = parameter(200, "Most examples of each group.", unit="examples", ge=5, le=10_000)

    def play(
        self, dataset: Dataset, model: Model, defenses: tuple[Defense, ...], attack: Attack, seed: int, lab: Lab
    ) -> "tuple[dict[str, Estimate], dict[str, pd.DataFrame]]":
        """Play the game.

        Raises:
            Incompatible: The parts do not fit this game, or too few examples can be asked about.
        """
        if not isinstance(attack, ExampleAttack) or not isinstance(model, TextModel):
            raise Incompatible(f"{attack.part_name()} on {model.part_name()} is not a game of examples.")
        lab.progress.stage(f"Reading {dataset.title}")
        documents: Documents = dataset.load()
        trained = self.draw(len(documents), seed)
        accesses = [release.access for release in self._releases(dataset, documents, trained, model, attack, seed, lab)]
        lab.progress.stage("Drawing examples")
        examples = attack.examples(documents, accesses, self.examples, generator(seed, "examples"))
        if len(examples.rows) < _FEWEST:
            raise Incompatible(
                f"{len(examples.rows)} examples can be asked of every model. At least {_FEWEST} are needed: take a "
                "larger dataset, or a model that ignores fewer words."
            )
        before = sum(access.queries for access in accesses)
        observed = [attack.observe(examples, access) for access in accesses]
        queries = (sum(access.queries for access in accesses) - before) / (len(accesses) * len(examples.rows))
        member = trained[:, examples.rows]
        sheet = scoring.Sheet(examples, member, self.couple, seed)
        statistics = {name: np.stack([one[name] for one in observed]) for name in observed[0]}
        lab.progress.stage("Deciding and scoring", total=len(statistics) * len(RULES))
        for name, statistic in statistics.items():
            for rule, decide in RULES.items():
                sheet.add(name, rule, statistic, self.judged(decide, statistic, member, examples.group))
                lab.progress.advance()
        alone = np.tile(examples.rarity, (len(member), 1))
        sheet.add(scoring.MODEL_FREE, "one_threshold", alone,
                  self.judged(RULES["one_threshold"], alone, member, examples.group))  # fmt: skip
        estimates = sheet.estimates()
        what = f"{accesses[0].asked} asked of a model for one decision, on average; shadow models are asked the same."
        estimates["queries"] = Estimate.queries(queries, what)
        return estimates, sheet.tables()

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

    def _releases(
        self, dataset: Dataset, documents: Documents, trained: NDArray[np.bool_], model: TextModel,
        attack: ExampleAttack, seed: int, lab: Lab,
    ) -> list[Release]:  # fmt: skip
        identity = {
            "trained half": 1,
            "dataset": dataset.identity(),
            "model": model.identity(),
            "documents": content_key(trained),
            "access": attack.access().__name__,
            "seed": seed,
        }
        corpus = Corpus.encode(documents.texts, model.vocabulary())
        selections = [np.flatnonzero(row) for row in trained]
        return model.release(Lessons(corpus, selections, identity, seed, access=attack.access()), lab)
