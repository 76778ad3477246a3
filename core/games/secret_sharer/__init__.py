"""The secret sharer: secrets planted in the training text of language models, and read out by their probabilities."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from core.access.language_models import TextProbabilities
from core.errors import Incompatible
from core.games import Setup
from core.games.attack import Attack
from core.games.canaries.contract import Briefing, MaskedCanary
from core.games.canaries.exposure import CanaryResult
from core.games.canaries.game import CanaryGame, changed_words
from core.games.canaries.score import Scorer
from core.games.canaries.secrets import DrawnSecrets, canaries, fuzzy
from core.games.canaries.tables import SCHEMAS
from core.games.secret_sharer.contract import SecretSharerAttack
from core.games.standards import OF_EXTRACTION, Standard
from core.result import Estimate, Outcome, Schema
from core.runtime.seeding import generator
from core.spec import parameter
from core.targets.language_model import LanguageModel
from core.targets.model import Model
from core.targets.trained_target import utility_estimates
from core.targets.training_job import TrainingJob
from core.text.canary import PATTERNS
from core.text.contents import Documents
from core.text.corpus import Corpus

_FEWEST = 4
_TABLES = ("cells", "exposures", "canaries", "guesses")

_Setup = Setup[Documents, LanguageModel, SecretSharerAttack]


class SecretSharer(CanaryGame):
    """A secret of each pattern stands in the training text of a language model several times, and is read out again.

    The patterns are those of the game about requests, so that both can be compared. In each trial the game draws a
    secret for each pattern, all words equally likely. For each number of repetitions it trains a model on the documents
    with that many copies of the trial's canaries, each a document of its own. The adversary knows everything about a
    canary but the secret, and asks for the probability of texts. A decoy for each canary, which no model is shown, is
    the null. All models know the canaries' words, whatever they are trained on.

    Intervals resample trials, so that canaries of one model stay together.

    Source: Carlini et al. 2019, sections 3 and 4; for patterns and repetitions Parikh et al. 2022, section 4.2.
    """

    title: ClassVar[str] = "extraction of secrets from a language model"
    attack_kind: ClassVar[type[Attack]] = SecretSharerAttack
    standards: ClassVar[tuple[Standard, ...]] = OF_EXTRACTION
    model_kind: ClassVar[type[Model]] = LanguageModel
    tables: ClassVar[dict[str, Schema]] = {name: SCHEMAS[name] for name in _TABLES}

    documents: int = parameter(
        1000, "Documents in the training text besides, at most.", unit="documents", ge=20, le=1_000_000
    )
    changed: int = changed_words()

    def _play(self, setup: _Setup) -> Outcome:
        attack, seed, context = setup.attack, setup.seed, setup.context
        self.check_contents(setup)
        secrets = self.draw(seed)
        cells = [(trial, repetitions) for repetitions in self.repetitions for trial in range(self.trials)]
        targets = setup.model.train_targets(self._job(setup, secrets, cells), context)
        context.progress.stage("Reading out the secrets", total=len(targets))
        results, queries = [], 0
        for number, ((trial, repetitions), target) in enumerate(zip(cells, targets, strict=True)):
            access = target.access
            if not isinstance(access, TextProbabilities):
                raise TypeError("a model that is asked for the probabilities of texts must give them")
            masked = self.masked(secrets[trial].truths)
            before = access.queries
            answers = attack.extract(Briefing(masked, generator(seed, "adversary", number)), access)
            queries += access.queries - before
            drawn = zip(masked, answers, secrets[trial].truths, secrets[trial].decoys, strict=True)
            for canary, answer, *words in drawn:
                if attack.method not in answer.guesses:
                    raise attack.unanswered("a guess of each secret", answer.guesses)
                truth, decoy = (secret[self.known :] for secret in words)
                losses = _losses(canary, (truth, decoy), access)
                results.append(CanaryResult(number, trial, repetitions, canary, answer, truth, decoy, losses))
            context.progress.advance()
        scorer = Scorer(results, attack.method, recorded_trials=0)
        tables = scorer.tables(())
        per_secret = Estimate.queries(
            queries / len(results), "Texts whose probability the adversary asked of a model for each secret."
        )
        estimates = {**scorer.estimates(), **utility_estimates(targets), "queries": per_secret}
        return estimates, {name: tables[name] for name in self.tables}

    def check_contents(self, setup: _Setup) -> None:
        """Check that there are documents to train on, and that each canary fits the model's context.

        Raises:
            Incompatible: There are too few, or one does not.
        """
        if (count := len(setup.contents)) < 4:
            raise Incompatible(f"At least 4 documents are needed to train a language model; there are {count}.")
        longest = max(len(PATTERNS[name].prefix) for name in self.patterns) + self.length
        window, needed = setup.model.window(), setup.model.context_for(longest)
        if needed > window:
            raise Incompatible(
                f"A canary has up to {longest} words, which the model's context must hold. Got a context of "
                f"{window} instead; {needed} would do.",
                {"model.context": needed},
            )

    def plan(self) -> str:
        """Return which secrets are planted how often as a sentence."""
        times = ", ".join(map(str, self.repetitions))
        return (
            f"{self.trials} trials, each with {len(self.patterns)} secrets of {self.length} words that stand in the "
            f"training text {times} times, a model for each."
        )

    def _job(self, setup: _Setup, secrets: Sequence[DrawnSecrets], cells: Sequence[tuple[int, int]]) -> TrainingJob:
        contents, patterns = setup.contents, [PATTERNS[name] for name in self.patterns]
        # As many documents again are not trained on: they measure how well the models do.
        rows = generator(setup.seed, "documents").permutation(len(contents))[: 2 * self.documents]
        texts = contents.corpus(rows, setup.model.vocabulary()).texts()
        trained_on = np.arange(min(self.documents, len(rows) // 2))
        texts += [list(canary) for drawn in secrets for canary in canaries(self.patterns, drawn.truths).words]
        selections = []
        for number, (trial, repetitions) in enumerate(cells):
            exact = len(rows) + trial * len(patterns) + np.arange(len(patterns))
            if not self.changed:
                selections.append(np.concatenate([trained_on, np.repeat(exact, repetitions)]))
                continue
            rng, first = generator(setup.seed, "fuzzy copies", number), len(texts)
            for pattern, secret in zip(patterns, secrets[trial].truths, strict=True):
                texts += map(list, fuzzy(pattern, secret, self.changed, max(repetitions - 1, 0), rng))
            shown = exact if repetitions else exact[:0]
            selections.append(np.concatenate([trained_on, shown, np.arange(first, len(texts))]))
        identity = {
            "secret sharer": 1,
            "dataset": setup.dataset.identity(),
            "model": setup.model.identity(),
            "defenses": [defense.identity() for defense in setup.defenses],
            "game": {name: value for name, value in self.identity().items() if name != "known"},
            "seed": setup.seed,
        }
        return TrainingJob(
            Corpus.of(texts),
            selections,
            identity,
            setup.seed,
            defenses=setup.defenses,
            access=TextProbabilities,
            words=tuple(word for pattern in patterns for word in (*pattern.prefix, *pattern.candidates)),
        )


def _losses(
    canary: MaskedCanary, secrets: Sequence[NDArray[np.int64]], access: TextProbabilities
) -> tuple[float, float]:
    """Return a model's loss of the unknown words of the truth and of the decoy, in nats."""
    texts = [(*canary.beginning, *canary.pattern.spelt(secret)) for secret in secrets]
    truth, decoy = (float(losses[-canary.unknown :].sum()) for losses in access.losses(texts))
    return truth, decoy
