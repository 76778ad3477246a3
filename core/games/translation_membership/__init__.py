"""Membership of sentence pairs in the training data of translators: Alice trains them, Bob asks, Carol keeps score."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from core.access import Access
from core.datasets import Dataset
from core.defenses import DataDefense, Defense
from core.errors import Incompatible
from core.games import Game
from core.games.attack import Attack
from core.games.translation_membership import score as scoring
from core.games.translation_membership.contract import Briefing, Observed, Shadow, TranslationAttack, Use
from core.result import Estimate, Schema
from core.runtime.context import Arrays, RunContext, content_key
from core.runtime.seeding import generator
from core.spec import key_of, parameter
from core.targets.model import Model
from core.targets.trained_target import Epoch, TrainedTarget, utility_estimates
from core.targets.training_job import TranslationJob
from core.targets.translator import TranslationModel
from core.text.bitext import Bitext, Subcorpus
from core.text.corpus import words_of

if TYPE_CHECKING:
    import pandas as pd

_OF_ASKED = "asked."
_FEWEST = 10
_WATERMARK_WORDS = 8


class TranslationMembership(Game):
    """Alice, Bob and Carol (Hisamoto et al. 2020, sections 2 and 4, Figures 2 to 4).

    Carol, which is this game, draws from each subcorpus that Alice has as many in-probes as out-probes. Alice trains on
    everything but the out-probes. There are two of her, or more: each couple has each other's in-probes as out-probes,
    so that every probe is a member for one and none for the other, and no guess from the texts alone can be right more
    often than not. The paper has one.

    Bob has the shared subcorpora without any probe of Alice's; a private one is Alice's alone, foreign ones nobody's.
    For each split of his he draws two sets of probes, and trains two translators, each on all he has but one of the
    sets. The paper leaves all ten sets out of all his training data but one, which small data do not allow. He is given
    the pairs in question in a random order, and what the service says of them. Of Alice's translators he sees nothing
    else, and of the secret nothing.

    Alice is attacked after some of her passes too, by shadows that are as they were after so many, or as they ended.

    Foreign pairs are out for all. Watermarks are pairs of random words, which Bob could have put where Alice would find
    them: half of them train one of a couple, half the other, each as often as there are copies.

    Intervals draw couples and probes again. With one couple they say nothing of other models of Alice's.
    """

    title: ClassVar[str] = "membership of sentence pairs"
    tables: ClassVar[dict[str, Schema]] = scoring.SCHEMAS

    couples: int = parameter(
        1,
        "Couples of target models; of each couple, one is trained on what the other is asked about as an outsider.",
        unit="couples",
        ge=1,
        le=50,
    )
    probes: int = parameter(
        500,
        "In-probes, and out-probes, of each subcorpus; a quarter of it each at most.",
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
        "In-probes, and out-probes, of each shared subcorpus in a split, as far as there are so many.",
        unit="pairs",
        ge=_FEWEST,
        le=50_000,
    )
    validation: int = parameter(
        300,
        "Pairs by which training is judged, of everybody; they train nothing.",
        unit="pairs",
        ge=_FEWEST,
        le=10_000,
    )
    watermarks: int = parameter(
        0, "Watermarks that a target model is trained on; as many others are out-probes.", unit="pairs", ge=0, le=1000
    )
    copies: int = parameter(
        1,
        "How often each of its watermarks stands in its training data.",
        label="Copies of a watermark",
        unit="copies",
        ge=1,
        le=1000,
    )

    course: tuple[Annotated[int, Field(ge=0, le=500)], ...] = parameter(
        (0, 1, 2, 3, 5, 8, 10, 15, 20, 30, 50, 100),
        "Passes after which the translators are attacked too, besides the last; 0 for before any.",
        label="Attacked after",
        unit="passes",
        max_length=16,
        advanced=True,
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
            Incompatible: The parts do not fit this game, or there are too few pairs.
        """
        if not isinstance(attack, TranslationAttack) or not isinstance(model, TranslationModel):
            raise Incompatible(f"{attack.part_name()} on {model.part_name()} is not a game of translations.")
        context.progress.stage(f"Reading {dataset.title}")
        carol = self.divide(dataset.load(), seed)
        identity = {"dataset": dataset.identity(), "seed": seed}
        job = TranslationJob(
            carol.bitext,
            self._defended(carol.bitext, carol.training, defenses, seed),
            carol.validation,
            {**identity, "holder": "trainer"},
            seed,
            defenses,
            tuple(sorted(set(self.course))),
        )
        scorer = scoring.Scorer(carol, seed)
        alices = _trained(model, job, context, partial(scorer.trained, "target"))
        own = carol.bitext.select(np.concatenate([carol.own, carol.validation]))
        shadowed = replace(
            job,
            bitext=own,
            selections=self._defended(own, carol.shadow_training, defenses, seed),
            validation=len(carol.own) + np.arange(len(carol.validation)),
            identity={**identity, "holder": "adversary"},
        )
        bobs = _trained(attack.shadow_model or model, shadowed, context, partial(scorer.trained, "shadow"))
        scorer.usefulness = utility_estimates(alices, seed)
        asked = carol.bitext.select(carol.asked)
        probes = [own.select(np.concatenate(carol.splits[number // 2])) for number in range(len(bobs))]
        moments = _moments(alices, bobs)
        asks = [_placed(alices, moment) for moment in moments]
        compares = [_placed(bobs, moment) for moment in (*moments[:-1], inf)]
        identity |= {
            "attack": attack.identity(),
            "model": model.identity(),
            "asked": content_key(carol.asked),
            "trained": content_key(*carol.training, *job.selections, *shadowed.selections),
            "defenses": [defense.identity() for defense in defenses],
        }
        shared = {"attack": attack, "asked": asked, "seed": seed}
        answers = _asked(
            context,
            "Asking the target models",
            {**identity, "of": "targets"},
            _ask_target,
            shared,
            asks,
            lambda number, passes: {"access": alices[number].snapshots[passes]},
        )
        compared = _asked(
            context,
            "Asking the shadow models",
            {**identity, "of": "shadows"},
            _ask_shadow,
            shared,
            compares,
            lambda number, passes: {"access": bobs[number].snapshots[passes], "probes": probes[number]},
        )
        context.progress.stage("Deciding and scoring", total=len(moments))
        outcomes = []
        for arrays, shadows in zip(answers, compared, strict=True):
            seen = [Observed.from_arrays(one) for one in arrays]
            brief = self._brief(carol, own, shadows, seed)
            adversary = attack.prepare(brief)
            outcomes.append(scoring.Outcome(scorer, adversary, seen, [adversary.judge(one) for one in seen], brief))
            context.progress.advance()
        for passes, outcome in zip(moments, outcomes, strict=True):
            outcome.follow(passes)
        queries = float(np.mean([one["queries"] for one in answers[-1]])) / len(carol.asked)
        what = "Sentences that a target model translates, or of which it scores a translation, for one decision."
        return {**outcomes[-1].estimates(), "queries": Estimate.queries(queries, what)}, outcomes[-1].tables()

    def divide(self, bitext: Bitext, seed: int) -> scoring.Split:
        """Draw who gets which pairs: the secret.

        Raises:
            Incompatible: A subcorpus is too small, or none is shared.
        """
        marked = self.marked(bitext, seed)
        rng = generator(seed, "secret")
        rows = {place: rng.permutation(np.flatnonzero(marked.corpus == place)) for place in range(len(marked.corpora))}
        shared = [place for place in rows if marked.corpora[place].role == "shared"]
        if not shared:
            raise Incompatible("The adversary needs pairs of its own. Of this dataset no subcorpus is shared.")
        judging = -(-self.validation // len(shared))
        held: list[NDArray[np.int64]] = []
        for place in shared:
            held.append(rows[place][:judging])
            rows[place] = rows[place][judging:]
        sets: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
        kept: dict[int, NDArray[np.int64]] = {}
        foreign: list[NDArray[np.int64]] = []
        for place, corpus in enumerate(marked.corpora):
            if corpus.role == "foreign":
                foreign.append(rows[place][: self.probes])
                continue
            count = self.watermarks if corpus.name == scoring.WATERMARKS else min(self.probes, len(rows[place]) // 4)
            if count < _FEWEST and corpus.name != scoring.WATERMARKS:
                raise Incompatible(
                    f"A subcorpus needs at least {4 * _FEWEST} pairs besides those that training is judged by. "
                    f"{corpus.title} has {len(rows[place])}. Take more of it."
                )
            sets.append((rows[place][:count], rows[place][count : 2 * count]))
            kept[place] = rows[place][2 * count :]
        probes = np.concatenate([np.concatenate(pair) for pair in sets])
        member = np.concatenate([self._halves(pair, seed, number) for number, pair in enumerate(sets)], axis=1)
        asked = np.concatenate([probes, *foreign])
        member = np.pad(member, ((0, 0), (0, len(asked) - len(probes))))
        order = generator(seed, "order").permutation(len(asked))
        rest = np.concatenate(list(kept.values()))
        copies = np.where(_is_watermark(marked)[probes], self.copies, 1)
        training = [
            np.sort(np.concatenate([rest, np.repeat(probes[own], copies[own])])) for own in member[:, : len(probes)]
        ]
        own = np.sort(np.concatenate([kept[place] for place in shared]))
        return scoring.Split(
            bitext=marked,
            asked=asked[order],
            member=member[:, order],
            couple=np.repeat(np.arange(self.couples), 2),
            validation=np.sort(np.concatenate(held)),
            training=tuple(training),
            own=own,
            splits=self._splits(marked.corpus[own], seed),
        )

    def _halves(self, pair: tuple[NDArray[np.int64], NDArray[np.int64]], seed: int, number: int) -> NDArray[np.bool_]:
        """Draw which half of the probes of a subcorpus each target model is trained on, (models, probes)."""
        rng = generator(seed, "halves", number)
        half = np.arange(2 * len(pair[0])) < len(pair[0])
        first = np.stack([rng.permutation(half) for _ in range(self.couples)])
        return np.stack([first, ~first], axis=1).reshape(-1, len(half))

    def _splits(self, corpus: NDArray[np.int64], seed: int) -> tuple[tuple[NDArray[np.int64], NDArray[np.int64]], ...]:
        """Draw the two sets of probes of each split of the adversary's, as rows of its own pairs; none is in two.

        Raises:
            Incompatible: There are too few of a subcorpus.
        """
        rng = generator(seed, "splits")
        sets: list[list[NDArray[np.int64]]] = [[] for _ in range(2 * self.splits)]
        for place in np.unique(corpus):
            rows = rng.permutation(np.flatnonzero(corpus == place))
            count = min(self.shadow_probes, len(rows) // len(sets))
            if count < 1:
                raise Incompatible(
                    f"{len(rows)} pairs of a shared subcorpus are left for {len(sets)} sets of probes of the "
                    f"adversary’s. Take more pairs, or at most {len(rows) // 2} splits."
                )
            for number, own in enumerate(sets):
                own.append(rows[number * count : (number + 1) * count])
        joined = [np.sort(np.concatenate(own)) for own in sets]
        return tuple((joined[2 * number], joined[2 * number + 1]) for number in range(self.splits))

    def marked(self, bitext: Bitext, seed: int) -> Bitext:
        """Return the pairs, and behind them watermarks: sentences of words drawn at random, each with another."""
        if not self.watermarks:
            return bitext
        rng = generator(seed, "watermarks")
        sides = []
        for side in (bitext.sources, bitext.targets):
            words = np.array(sorted({word for text in side for word in words_of(text)}))
            drawn = rng.choice(words, (2 * self.watermarks, _WATERMARK_WORDS))
            sides.append((*side, *(" ".join(row) for row in drawn.tolist())))
        corpus = np.append(bitext.corpus, np.full(2 * self.watermarks, len(bitext.corpora)))
        corpora = (*bitext.corpora, Subcorpus(scoring.WATERMARKS, "Watermarks", "private"))
        return Bitext(sides[0], sides[1], corpora, corpus)

    @staticmethod
    def _defended(
        bitext: Bitext, selections: Sequence[NDArray[np.int64]], defenses: Sequence[Defense], seed: int
    ) -> list[NDArray[np.int64]]:
        """Return what is trained on of each selection once defenses have chosen, subcorpus by subcorpus."""
        chosen = []
        for number, rows in enumerate(selections):
            for defense in defenses:
                if isinstance(defense, DataDefense):
                    rng = generator(seed, "defense", number)
                    parts = [rows[bitext.corpus[rows] == place].tolist() for place in np.unique(bitext.corpus[rows])]
                    rows = np.sort(np.concatenate([np.array(defense.on_data(part, rng), np.int64) for part in parts]))
            chosen.append(rows)
        return chosen

    def _brief(self, carol: scoring.Split, own: Bitext, seen: Sequence[Arrays], seed: int) -> Briefing:
        """Return what the adversary is given, with the labels of its own probes alone."""
        shadows = []
        for number, arrays in enumerate(seen):
            split, side = divmod(number, 2)
            sets = carol.splits[split]
            use: Use = "test" if split == self.splits - 1 else "validation" if split == self.splits - 2 else "train"
            member = np.repeat([side == 0, side == 1], [len(sets[0]), len(sets[1])])
            compared = {name.removeprefix(_OF_ASKED): one for name, one in arrays.items() if name.startswith(_OF_ASKED)}
            shadows.append(Shadow(split, use, np.concatenate(sets), member, Observed.from_arrays(arrays), compared))
        return Briefing(own, tuple(shadows), carol.bitext.select(carol.asked), seed)


def _moments(alices: Sequence[TrainedTarget], bobs: Sequence[TrainedTarget]) -> list[int]:
    """Return after how many passes target models are attacked: whenever some were kept of all, and at the end."""
    begun = max(min(release.snapshots) for release in (*alices, *bobs))
    kept = {passes for release in alices for passes in release.snapshots}
    return sorted({passes for passes in kept if passes >= begun} | {max(kept)})


def _placed(releases: Sequence[TrainedTarget], moment: float) -> list[tuple[int, int]]:
    """Return the number of each translator, and of its passes by then; one whose training has ended stays as it is."""
    return [
        (number, max(kept for kept in release.snapshots if kept <= moment)) for number, release in enumerate(releases)
    ]


def _asked(
    context: RunContext,
    stage: str,
    identity: Mapping[str, Any],
    function: Callable[..., Arrays],
    shared: Mapping[str, Any],
    asks: Sequence[Sequence[tuple[int, int]]],
    own: Callable[[int, int], Mapping[str, Any]],
) -> list[list[Arrays]]:
    """Return what is seen of each translator, by number and passes, each asked once ever."""
    different = sorted({ask for moment in asks for ask in moment})
    key = key_of({**identity, "asks": different})
    arguments = {item: own(*ask) for item, ask in enumerate(different)}
    found = dict(context.train(stage, key, function, arguments, shared, arguments))
    return [[found[different.index(ask)] for ask in moment] for moment in asks]


def _ask_target(item: int, attack: TranslationAttack, asked: Bitext, seed: int, access: Access) -> Arrays:
    """Return what a target model makes of the pairs in question, and how often it was asked."""
    before = access.queries
    observed = attack.observe(asked, access, generator(seed, "asked"))
    return {**observed.as_arrays(), "queries": np.array(access.queries - before)}


def _ask_shadow(
    item: int, attack: TranslationAttack, asked: Bitext, seed: int, access: Access, probes: Bitext
) -> Arrays:
    """Return what a shadow model makes of its own probes, and of the pairs in question."""
    observed = attack.observe(probes, access, generator(seed, "probes", item))
    return {**observed.as_arrays(), **{_OF_ASKED + name: own for name, own in attack.compare(asked, access).items()}}


def _trained(
    model: TranslationModel,
    job: TranslationJob,
    context: RunContext,
    told: Callable[[Sequence[Sequence[Epoch]]], scoring.Rows],
) -> list[TrainedTarget]:
    """Train translators under a key that says which pairs each learns from; show how it goes."""
    identity = {
        **job.identity,
        "model": model.identity(),
        "kept": list(job.snapshot_epochs),
        "pairs": content_key(job.validation, *job.selections),
        "defenses": [defense.identity() for defense in job.defenses],
    }
    releases = model.train_targets(
        replace(job, identity=identity), context, lambda passes: context.progress.partial(told(passes))
    )
    told([release.epochs for release in releases])
    return releases


def _is_watermark(bitext: Bitext) -> NDArray[np.bool_]:
    names = np.array([corpus.name for corpus in bitext.corpora])
    return np.asarray(names[bitext.corpus] == scoring.WATERMARKS)
