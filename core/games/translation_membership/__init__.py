"""Membership of sentence pairs in the training data of translators."""

from collections.abc import Mapping
from functools import partial
from itertools import chain
from math import inf
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from core.errors import Incompatible
from core.games import Game, Setup
from core.games.attack import Attack
from core.games.standards import OF_MEMBERSHIP, Standard
from core.games.translation_membership import group_counts, shadows
from core.games.translation_membership import score as scoring
from core.games.translation_membership.contract import Observed, TranslationAttack
from core.games.translation_membership.queries import Queries, attacked_epochs, train
from core.games.translation_membership.score.answers import Answers
from core.games.translation_membership.score.course import HOLDERS
from core.games.translation_membership.split import (
    WATERMARKS,
    Halves,
    Split,
    defended,
    draw_members,
    draw_shadow_probes,
    is_watermark,
)
from core.games.translation_membership.watermarks import WORDS, planted, with_fuzzy_copies
from core.result import Estimate, Outcome, Schema, Tables
from core.runtime.context import content_key
from core.runtime.seeding import generator
from core.spec import parameter
from core.targets.model import Model
from core.targets.trained_target import utility_estimates
from core.targets.training_job import TranslationJob
from core.targets.translator import TranslationModel
from core.text.bitext import Bitext

_FEWEST = 10


class TranslationMembership(Game):
    """The game of Alice, Bob and Carol (Hisamoto et al. 2020, sections 2 and 4, Figures 2 to 4).

    Carol, the game, draws as many in-probes as out-probes from each subcorpus that Alice, the trainer, has. Alice
    trains on everything but the out-probes. The paper has one Alice; here models come in couples, each with the other's
    in-probes as out-probes. Every probe is a member for one of them, so that a guess from the texts alone is right in
    half of all cases.

    Bob, the adversary, has the shared subcorpora without Alice's probes. Private subcorpora are Alice's alone, foreign
    ones nobody's, so that foreign pairs are non-members for all. In each of his splits Bob draws two sets of probes and
    trains two shadow models, each on all he has but one of the sets. The paper leaves all ten sets out of all training
    data but one, which small data do not allow. Bob receives the pairs in question in a random order and what the
    service gives for them. Alice is attacked after some of her epochs too, by shadow models at the same epoch, or at
    their last.

    Watermarks are pairs of random words that Bob could have planted: of each couple, one model is trained on half of
    them, the other on the other half, each as often as there are copies. All copies but the first can be fuzzy (Shilov
    et al. 2024).

    Intervals resample couples and probes. With one couple they say nothing of other target models.
    """

    version: ClassVar[int] = 2
    title: ClassVar[str] = "membership of sentence pairs"
    attack_kind: ClassVar[type[Attack]] = TranslationAttack
    standards: ClassVar[tuple[Standard, ...]] = OF_MEMBERSHIP
    low_rates: ClassVar[tuple[str, ...]] = ("tpr_at_1pct_fpr",)
    model_kind: ClassVar[type[Model]] = TranslationModel
    tables: ClassVar[dict[str, Schema]] = scoring.SCHEMAS

    couples: int = parameter(
        1,
        "Couples of target models; the in-probes of one of a couple are the out-probes of the other.",
        unit="couples",
        ge=1,
        le=50,
    )
    probes: int = parameter(
        500,
        "In-probes, and out-probes, of each subcorpus; each at most a quarter of it.",
        unit="pairs",
        ge=_FEWEST,
        le=50_000,
    )
    splits: int = parameter(
        5,
        "Splits of the adversary’s own data, each with two shadow models; the last is for testing, the one before "
        "for choosing.",
        unit="splits",
        ge=3,
        le=50,
    )
    shadow_probes: int = parameter(
        200,
        "In-probes, and out-probes, of each shared subcorpus in a split; fewer where it is small.",
        unit="pairs",
        ge=_FEWEST,
        le=50_000,
    )
    validation: int = parameter(
        300,
        "Pairs on which the training of all models is validated; no model is trained on them.",
        unit="pairs",
        ge=_FEWEST,
        le=10_000,
    )
    watermarks: int = parameter(
        0, "Watermarks that a target model is trained on; as many others are out-probes.", unit="pairs", ge=0, le=1000
    )
    copies: int = parameter(
        1,
        "Occurrences of each watermark in the training data of its model.",
        label="Copies of a watermark",
        unit="copies",
        ge=1,
        le=1000,
    )
    changed: int = parameter(
        0,
        "Words of each side that are others in each copy of a watermark but the first: fuzzy copies.",
        label="Changed words",
        unit="words",
        ge=0,
        le=WORDS - 1,
        implied=0,
    )

    course: tuple[Annotated[int, Field(ge=0, le=500)], ...] = parameter(
        (0, 1, 2, 3, 5, 8, 10, 15, 20, 30, 50, 100),
        "Epochs after which the translators are attacked, besides the last; 0 for before training.",
        label="Attacked after",
        unit="epochs",
        max_length=16,
        advanced=True,
    )

    def _play(self, setup: Setup[Bitext, TranslationModel, TranslationAttack]) -> Outcome:
        model, attack, seed, context = setup.model, setup.attack, setup.seed, setup.context
        split = self.draw_split(setup.contents, seed)
        identity = {"dataset": setup.dataset.identity(), "seed": seed}
        if self.changed:
            identity["changed"] = self.changed
        job = TranslationJob(
            split.bitext,
            defended(split.bitext, split.training, setup.defenses, seed),
            split.validation,
            {**identity, "holder": "trainer"},
            seed,
            setup.defenses,
            tuple(sorted(set(self.course))),
        )
        scorer = scoring.Scorer()
        targets = train(model, job, context, partial(scorer.course.trained, "target"))
        adversary_pairs = split.bitext.select(np.concatenate([split.adversary_rows, split.validation]))
        shadow_jobs = [
            shadows.training_job(job, split, adversary_pairs, known, seed)
            for known in attack.preparations(setup.defenses)
        ]
        trained = [
            train(attack.shadow_model or model, shadow_job, context, partial(scorer.course.trained, holder))
            for holder, shadow_job in zip(HOLDERS, shadow_jobs, strict=False)
        ]
        identity |= {
            "attack": attack.identity(),
            "model": model.identity(),
            "asked": content_key(split.pair_rows),
            "defenses": [defense.identity() for defense in setup.defenses],
        }
        queries = [
            Queries(
                attack,
                split.pairs,
                split.outside,
                seed,
                {**identity, "trained": content_key(*split.training, *job.selections, *shadow_job.selections)},
                context,
            )
            for shadow_job in shadow_jobs
        ]
        epochs = attacked_epochs(targets, list(chain.from_iterable(trained)))
        of_targets = queries[0].of_targets(targets, epochs)
        probes = [adversary_pairs.select(np.concatenate(halves)) for halves in split.splits for _ in halves]
        of_shadows = [
            asked.of_shadows(of_kind, (*epochs[:-1], inf), probes)
            for asked, of_kind in zip(queries, trained, strict=True)
        ]
        context.progress.stage("Deciding and scoring", total=len(epochs))
        for epoch, by_targets, *by_shadows in zip(epochs, of_targets, *of_shadows, strict=True):
            briefing = shadows.briefed(split, adversary_pairs, by_shadows, seed)
            observed = [Observed.from_arrays(arrays) for arrays in by_targets]
            scorer.add(epoch, Answers(split, seed, attack.prepare(briefing), observed, briefing))
            context.progress.advance()
        per_decision = float(np.mean([arrays["queries"] for arrays in of_targets[-1]])) / len(split.pair_rows)
        text = "Sentences that a target model translates, or of which it scores a translation, for one decision."
        return {
            **scorer.estimates(),
            **utility_estimates(targets),
            "queries": Estimate.queries(per_decision, text),
        }, scorer.tables()

    def counted(self, estimates: Mapping[str, Estimate], tables: Tables) -> dict[str, Estimate]:
        """Return the estimates; those about groups of pairs count groups."""
        return group_counts.counted(estimates, tables["groups"])

    def check_contents(self, setup: Setup[Bitext, TranslationModel, TranslationAttack]) -> None:
        """Check that there are enough pairs.

        Raises:
            Incompatible: A subcorpus is too small, or none is shared.
        """
        self.draw_split(setup.contents, setup.seed)

    def draw_split(self, bitext: Bitext, seed: int) -> Split:
        """Draw who gets which pairs: the secret.

        Raises:
            Incompatible: A subcorpus is too small, or none is shared.
        """
        marked = planted(bitext, self.watermarks, seed)
        corpora = list(enumerate(marked.corpora))
        rng = generator(seed, "secret")
        rows = {number: rng.permutation(np.flatnonzero(marked.corpus == number)) for number, _ in corpora}
        shared = [number for number, corpus in corpora if corpus.role == "shared"]
        if not shared:
            raise Incompatible("The adversary needs pairs of its own. Of this dataset no subcorpus is shared.")
        per_corpus = -(-self.validation // len(shared))
        validation = [rows[number][:per_corpus] for number in shared]
        rows |= {number: rows[number][per_corpus:] for number in shared}
        probes: list[Halves] = []
        remaining: dict[int, NDArray[np.int64]] = {}
        foreign: list[NDArray[np.int64]] = []
        for number, corpus in corpora:
            if corpus.role == "foreign":
                foreign.append(rows[number][: self.probes])
                continue
            count = self.watermarks if corpus.name == WATERMARKS else min(self.probes, len(rows[number]) // 4)
            if count < _FEWEST and corpus.name != WATERMARKS:
                raise Incompatible(
                    f"A subcorpus needs at least {4 * _FEWEST} pairs besides those for validation. "
                    f"{corpus.title} has {len(rows[number])}. Take more of it."
                )
            probes.append((rows[number][:count], rows[number][count : 2 * count]))
            remaining[number] = rows[number][2 * count :]
        balanced = np.concatenate([np.concatenate(halves) for halves in probes])
        member = np.concatenate(
            [
                draw_members(2 * len(first), self.couples, generator(seed, "halves", number))
                for number, (first, _) in enumerate(probes)
            ],
            axis=1,
        )
        watermark = is_watermark(marked)[balanced]
        copies = np.where(watermark & (not self.changed), self.copies, 1)
        trained = [np.concatenate([*remaining.values(), np.repeat(balanced[bits], copies[bits])]) for bits in member]
        if self.changed and self.watermarks:
            marked, fuzzy = with_fuzzy_copies(marked, self.copies - 1, self.changed, seed)
            planted_in = [fuzzy[balanced[bits & watermark] - len(bitext)] for bits in member]
            trained = [np.append(rows, more) for rows, more in zip(trained, planted_in, strict=True)]
        pair_rows = np.concatenate([balanced, *foreign])
        member = np.pad(member, ((0, 0), (0, len(pair_rows) - len(balanced))))
        order = generator(seed, "order").permutation(len(pair_rows))
        adversary_rows = np.sort(np.concatenate([remaining[number] for number in shared]))
        return Split(
            bitext=marked,
            pair_rows=pair_rows[order],
            member=member[:, order],
            couple=np.repeat(np.arange(self.couples), 2),
            validation=np.sort(np.concatenate(validation)),
            training=tuple(map(np.sort, trained)),
            adversary_rows=adversary_rows,
            splits=draw_shadow_probes(marked.corpus[adversary_rows], self.splits, self.shadow_probes, seed),
        )
