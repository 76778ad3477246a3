"""Recitation: a language model, trained on passages and their copies, continues the beginnings of the passages."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from core.access.language_models import ContinuationRates, Continuations
from core.errors import Incompatible
from core.games import Game, Setup
from core.games.attack import Attack
from core.games.recitation import score as scoring
from core.games.recitation.contract import Answer, Briefing, RecitationAttack
from core.games.recitation.passages import Passages, draw
from core.games.recitation.score import Recited
from core.games.recitation.tables import SCHEMAS
from core.games.standards import OF_EXTRACTION, Standard
from core.result import Estimate, Outcome, Schema
from core.runtime.seeding import generator
from core.spec import parameter
from core.targets.language_model import LanguageModel
from core.targets.model import Model
from core.targets.trained_target import utility_estimates
from core.targets.training_job import TrainingJob
from core.text.contents import Documents
from core.text.corpus import Corpus

_SHORT = 5
"""Recited words that are proposed where documents are short."""

_FEWEST = 4
"""Passages of each number of copies."""
_BACKGROUND = 2
"""Other documents to train on."""

_Setup = Setup[Documents, LanguageModel, RecitationAttack]


class Recitation(Game):
    """A language model is trained on copies of passages, and continues the beginnings of the passages.

    The game draws a passage from each of several documents. For each model it draws anew which passages stand in the
    training text how often, equally many each, and which are never shown: the control. What a model recites of the
    control, it knows from the language or from the other texts; that is chance. All models are trained on the same
    other documents besides, once each. A model that was pretrained also goes on before it is trained here.

    Lengths of prefixes in tokens are of whole words, as many as fit; where the model reads words, a token is a word.
    What is recited is the same for every length of the prefix. Where the words to be recited stand in another document,
    too, they are a common phrase, which is counted apart and belongs to no other figure. Intervals resample passages,
    each from a document of its own.

    Sources: Carlini et al. 2023, section 3, for prefixes and copies; Hayes et al. 2024, definition 2, for (n, p)-
    discoverable extraction: a passage that n draws give at least once with a probability of p or more.
    """

    title: ClassVar[str] = "recitation of training text"
    attack_kind: ClassVar[type[Attack]] = RecitationAttack
    standards: ClassVar[tuple[Standard, ...]] = OF_EXTRACTION
    model_kind: ClassVar[type[Model]] = LanguageModel
    tables: ClassVar[dict[str, Schema]] = SCHEMAS

    prefixes: tuple[Annotated[int, Field(ge=1, le=1000)], ...] = parameter(
        (5, 10, 20),
        "Words, or tokens, before a passage that the adversary knows.",
        unit="words or tokens",
        min_length=1,
        max_length=6,
        each_once=True,
    )
    counted_in: Literal["words", "tokens"] = parameter(
        "words",
        "Unit of the prefix length: words, or tokens of the model (cut at whole words).",
        label="Prefixes in",
        advanced=True,
        implied="words",
    )
    continuation: int = parameter(
        10, "Words that are to be recited.", label="Recited words", unit="words", ge=2, le=200
    )
    copies: tuple[Annotated[int, Field(ge=1, le=1000)], ...] = parameter(
        (1, 2, 5, 20, 100),
        "How often a passage stands in the training text; others are never shown.",
        unit="times",
        min_length=1,
        max_length=8,
        each_once=True,
    )
    passages: int = parameter(
        40,
        "Passages for each number of copies, and as many that are never shown.",
        unit="passages",
        ge=_FEWEST,
        le=5000,
    )
    unseen: int = parameter(
        0,
        "Passages that are never shown (the control), where it is not as many as for each number of copies (0).",
        label="Never shown",
        unit="passages",
        ge=0,
        le=5000,
        advanced=True,
        implied=0,
    )
    documents: int = parameter(
        1000, "Other documents in the training text, at most.", unit="documents", ge=20, le=1_000_000
    )
    plays: int = parameter(
        3, "Models; each draws anew how often it is shown which passage.", label="Models", unit="models", ge=1, le=100
    )

    def _play(self, setup: _Setup) -> Outcome:
        attack, seed, context = setup.attack, setup.seed, setup.context
        self._check_context(setup.model)
        context.progress.stage("Drawing passages")
        passages = self.drawn(setup.contents, setup.model, seed)
        copies = self.draw(seed)
        targets = setup.model.train_targets(self._job(setup, passages, copies), context)
        context.progress.stage("Letting the models recite", total=len(targets))
        recited, queries = [], 0
        for number, target in enumerate(targets):
            rates = target.access
            if not isinstance(rates, ContinuationRates):
                raise TypeError("a model that is asked for the rates of continuations must give them")
            access = rates.for_adversary()
            prefixes = {length: passages.prefixes(length, max(self.prefixes)) for length in sorted(self.prefixes)}
            briefing = Briefing(prefixes, self.continuation, generator(seed, "adversary", number))
            answer = attack.recite(briefing, access)
            self._check_answer(attack, briefing, answer)
            queries += access.queries
            truths = passages.truths(briefing.longest)
            logs = rates.log_rates(prefixes[briefing.longest], truths, attack.sampling)
            before = target.snapshots.get(0)
            known = None
            if isinstance(before, Continuations):
                known = before.continued(prefixes[briefing.longest], self.continuation)
            recited.append(Recited(copies[number], answer, logs, known))
            context.progress.advance()
        scorer = scoring.Scorer(passages, max(self.prefixes), recited, seed, setup.dataset.card.offline)
        per_passage = queries / (len(targets) * len(passages.rows))
        return {
            **scorer.estimates(),
            **utility_estimates(targets),
            "queries": Estimate.queries(
                per_passage, "Continuations that the adversary asked of a model for each passage."
            ),
        }, scorer.tables()

    def check_contents(self, setup: _Setup) -> None:
        """Check that there are enough long documents.

        Raises:
            Incompatible: There are not, or the prefixes are longer than the model's context.
        """
        self._check_context(setup.model)
        self.drawn(setup.contents, setup.model, setup.seed)

    def alternatives(self, setup: _Setup) -> Iterator[dict[str, Any]]:
        """Yield fewer passages shown fewer times, then shorter ones, then both."""
        short = {"game.prefixes": [min(self.prefixes)], "game.continuation": min(self.continuation, _SHORT)}
        fewer = {
            "game.passages": _FEWEST,
            "game.copies": [min(self.copies), max(self.copies)][: len(self.copies)],
            **({"game.unseen": 0} if self.unseen else {}),
        }
        yield fewer
        yield short
        yield {**short, **fewer}

    def drawn(self, contents: Documents, model: LanguageModel, seed: int) -> Passages:
        """Draw the passages and the other documents.

        Raises:
            Incompatible: There are too few documents that are long enough; the message says what would fit.
        """
        dictionary = model.vocabulary()
        unseen = self.unseen or self.passages
        lengths = max(self.prefixes), self.continuation
        # As many other documents again are not trained on: they measure how well the models do.
        wanted = len(self.copies) * self.passages + unseen, 2 * self.documents

        def read(rows: NDArray[np.int64]) -> Corpus:
            return contents.corpus(rows, dictionary)

        passages = draw(read, len(contents), wanted, lengths, generator(seed, "passages"))
        count, background = len(passages.rows), len(passages.background)
        if count < wanted[0] or background < _BACKGROUND:
            raise self._refused(count, background, wanted[0])
        if self.counted_in == "words":
            return passages
        return passages.in_tokens(model.token_counts(passages.words), self.prefixes, self.continuation)

    def _refused(self, count: int, background: int, wanted: int) -> Incompatible:
        """Return the error of too few passages or other documents, with as many passages as fit."""
        left = min(count, count + background - _BACKGROUND)
        fits = (left - self.unseen) // (len(self.copies) + (not self.unseen))
        if fits >= _FEWEST:
            advice, changes = f"{fits} passages for each number of copies would fit.", {"game.passages": fits}
        else:
            fewest = len(self.copies) * _FEWEST + (self.unseen or _FEWEST)
            advice, changes = (
                f"{len(self.copies)} numbers of copies need at least {fewest + _BACKGROUND} documents in all. "
                "Fewer numbers of copies need fewer, shorter prefixes and fewer words to be recited shorter ones.",
                {},
            )
        return Incompatible(
            f"A passage takes a document of at least {max(self.prefixes) + self.continuation} words, the last "
            f"{self.continuation} of them in the dictionary, if the model has one. {wanted:,} are needed, and "
            f"{_BACKGROUND} other documents to train on; there are {count:,} and {background:,}. {advice}",
            changes,
        )

    def draw(self, seed: int) -> NDArray[np.int64]:
        """Draw how often each model is shown each passage, (plays, passages); 0 for the control: the secret."""
        rng = generator(seed, "copies")
        copies = np.repeat([0, *self.copies], [self.unseen or self.passages] + [self.passages] * len(self.copies))
        return np.stack([rng.permutation(copies) for _ in range(self.plays)])

    def plan(self) -> str:
        """Return which models are to recite what, as a sentence."""
        times = ", ".join(map(str, self.copies))
        return (
            f"{self.passages} passages with {times} copies in the training text, and {self.unseen or 'as many'} with "
            f"none (control); {self.plays} models. Of each, {self.continuation} words after "
            f"{', '.join(map(str, self.prefixes))} known {'ones' if self.counted_in == 'words' else 'tokens'} are "
            "asked for."
        )

    def _job(self, setup: _Setup, passages: Passages, copies: NDArray[np.int64]) -> TrainingJob:
        planted, background = len(passages.words), len(passages.background)
        trained_on = planted + np.arange(min(self.documents, background // 2))
        identity = {
            "recitation": 1,
            "dataset": setup.dataset.identity(),
            "model": setup.model.identity(),
            "defenses": [defense.identity() for defense in setup.defenses],
            "game": self.identity(),
            "seed": setup.seed,
        }
        return TrainingJob(
            Corpus.of([*passages.words, *passages.background]),
            [np.concatenate([np.repeat(np.arange(planted), times), trained_on]) for times in copies],
            identity,
            setup.seed,
            defenses=setup.defenses,
            access=ContinuationRates,
        )

    def _check_context(self, model: LanguageModel) -> None:
        longest = max(self.prefixes)
        needed = (
            model.context_for(longest + 1)
            if self.counted_in == "words"
            else longest + model.context_for(self.continuation)
        )
        if needed > model.window():
            more = "one more" if self.counted_in == "words" else f"the {self.continuation} words to be recited"
            raise Incompatible(
                f"The longest prefix has {longest} {self.counted_in}, and the model's context must hold {more}. Got a "
                f"context of {model.window()} instead; {needed} would do.",
                {"model.context": needed},
            )

    def _check_answer(self, attack: RecitationAttack, briefing: Briefing, answer: Answer) -> None:
        """Check that there is a continuation of each prefix of each length."""
        count = len(briefing.prefixes[briefing.longest])
        continuations: list[Sequence[Any]] = [*answer.likeliest.values(), answer.drawn]
        if set(answer.likeliest) != set(briefing.prefixes) or any(len(part) != count for part in continuations):
            raise Incompatible(
                f"{attack.part_name()} must continue each of {count} prefixes of {sorted(briefing.prefixes)} "
                f"{self.counted_in}. Got {[len(part) for part in continuations]} continuations of "
                f"{sorted(answer.likeliest)} instead."
            )
