"""Behind every defense at release, the adversary that knows it is at least as strong as the one that does not."""

from dataclasses import dataclass, replace
from types import GeneratorType
from typing import Any

import numpy as np
import pytest

from core import catalog
from core.access import SentenceEmbeddings
from core.attacks.candidate_ranking import CandidateRanking
from core.attacks.inversion.multilabel_inversion import MultilabelInversion
from core.attacks.keyword_inference import KeywordInference
from core.attacks.pattern_reconstruction import PatternReconstruction
from core.attacks.semantic_reassembly import SemanticReassembly
from core.defenses import EmbeddingDefense
from core.defenses.adversarial_mapping import AdversarialMapping
from core.experiment import Experiment, run
from core.games.inference import Inference, Split
from core.games.inversion import Inversion
from core.games.ranking import Ranking
from core.games.reassembly import Reassembly
from core.registry import part, parts
from core.result import Result, headline
from core.runtime.seeding import generator
from core.runtime.store import Store
from dashboard.kit.membership.figures.curve import final
from tests.defenses import planted
from tests.stand_ins import Codes, PositionCode, Sentences, WordBag, context

STRENGTHS: dict[str, tuple[dict[str, Any], ...]] = {
    "laplace": ({"epsilon": 30}, {"epsilon": 8}),
    "gaussian": ({"scale": 2},),
}
"""Settings of each, of the first a weak and a strong one; a new defense that draws noise needs one here."""
RANDOM = [part("defense", name).parse(setting) for name, settings in STRENGTHS.items() for setting in settings]
ROUNDING = part("defense", "rounding").parse({"decimals": 1})
"""A defense without noise, where a choice must be made as well."""
KEYWORDS = {"dataset": Sentences(count=300), "model": WordBag(dimension=32)}
GAMES: dict[str, tuple[dict[str, Any], str]] = {
    **{
        name: (
            {
                "attack": KeywordInference(keywords=("london", "balan", "cemer"), rivals=False, classifier=name),
                "game": Inference(shadow_share=0.5, victims=100),
                **KEYWORDS,
            },
            "accuracy",
        )
        for name in ("best", "lda", "mlp", "svm")
    },
    "pattern": (
        {
            "attack": PatternReconstruction(samples=600, steps=150, batch=64, learning_rate=0.03, hidden="wide"),
            "dataset": Codes(labelled=False),
            "model": PositionCode(),
            "game": Inference(victims=100),
        },
        "accuracy",
    ),
    "inversion": (
        {
            "attack": MultilabelInversion(epochs=10, vocabulary=30),
            "game": Inversion(pieces="texts", victims=100),
            **KEYWORDS,
        },
        "f1",
    ),
    "reassembly": (
        {"attack": SemanticReassembly(candidates=10), "game": Reassembly(shadow_share=0.5, victims=100), **KEYWORDS},
        "recall_at_10",
    ),
    "ranking": (
        {"attack": CandidateRanking(), "game": Ranking(pieces="texts", victims=80, candidates=160), **KEYWORDS},
        "accuracy",
    ),
}


def test_every_defense_that_draws_noise_is_tried() -> None:
    held = planted.holdings(planted.texts(24, 1))
    kinds = [cls for cls in parts("defense") if issubclass(cls, EmbeddingDefense)]
    defenses = [AdversarialMapping(rounds=2) if cls is AdversarialMapping else cls() for cls in kinds]
    assert {one.part_name() for one in defenses if one.mechanism(held, generator(0)).random} == set(STRENGTHS)


@pytest.mark.parametrize(
    ("game", "defense"),
    [
        pytest.param(
            *(game, defense),
            id=f"{game}-{defense.part_name()}-{list(defense.as_dict().values())[1]:g}",
            marks=() if number % len(RANDOM) == position and game not in ("mlp", "svm") else pytest.mark.exhaustive,
        )
        for number, game in enumerate(GAMES)
        for position, defense in enumerate(RANDOM)
    ],
)
def test_the_adaptive_adversary_is_at_least_the_naive_one(
    game: str, defense: EmbeddingDefense, shared_store: Store
) -> None:
    """Each game is played behind one of the defenses: the choice between the two adversaries is the same behind all.

    Games about keywords share their store, since they train the same perceptrons. Perceptron and support vectors are
    among the best of three, and alone play when all tests are asked for.
    """
    changes, headline = GAMES[game]
    estimates = run(Experiment.parse({**changes, "defenses": [defense]}), context(shared_store))[0].estimates
    adaptive, naive = estimates[headline], estimates[f"{headline}_naive"]
    assert adaptive.high >= naive.value and adaptive.value >= naive.low
    if headline != "recall_at_10":
        assert adaptive.value >= naive.value - 0.02, "but for the chance of its choice"


def test_the_choice_knows_no_truth(store: Store, shared_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    experiment = Experiment.parse({**GAMES["best"][0], "defenses": [RANDOM[0]]})
    first = run(experiment, context(shared_store))[0].tables["guesses"]
    split = Inference.split

    def permuted(self: Inference, *args: Any) -> Split:
        drawn = split(self, *args)
        return replace(drawn, truth=replace(drawn.truth, answers=drawn.truth.answers[:, ::-1]))

    monkeypatch.setattr(Inference, "split", permuted)
    second = run(experiment, context(store))[0].tables["guesses"]
    assert first["guess"].equals(second["guess"]) and first["probability"].equals(second["probability"])
    assert not first["truth"].equals(second["truth"])


def test_a_linear_discriminant_that_adds_the_known_noise_beats_one_draw_of_it(shared_store: Store) -> None:
    changes, _ = GAMES["lda"]
    estimates = run(Experiment.parse({**changes, "defenses": [RANDOM[0]]}), context(shared_store))[0].estimates
    assert estimates["accuracy"].value > 0.6
    assert np.isfinite(estimates["retrieval_recall_at_10"].value)


def _untaught(answers: Any) -> Any:
    """Return a way to play that knows nothing once the adversary defends its own embeddings."""

    def played(self: Any, briefing: Any, *rest: Any) -> Any:
        answered = answers(self, briefing, *rest)
        if isinstance(answered, GeneratorType):
            if not briefing.defended:
                return answered
            return (replace(answer, probabilities=np.full_like(answer.probabilities, 0.5)) for answer in answered)
        return _Silent(answered) if briefing.defended else answered

    return played


@dataclass(frozen=True)
class _Silent:
    """A prepared adversary that names no word, or finds all as likely."""

    prepared: Any

    @property
    def probabilities(self) -> Any:
        return np.zeros_like(self.prepared.probabilities)

    def explain(self) -> Any:
        return self.prepared.explain()

    def read(self, embeddings: Any) -> Any:
        answer = self.prepared.read(embeddings)
        return replace(answer, predicted=np.zeros_like(answer.predicted))


@pytest.mark.parametrize(
    ("game", "attack", "method"),
    [
        ("lda", KeywordInference, "infer"),
        ("inversion", MultilabelInversion, "prepare"),
        ("reassembly", SemanticReassembly, "rate"),
    ],
)
def test_where_defended_embeddings_teach_nothing_it_answers_as_the_naive_one_though_nothing_is_drawn(
    game: str, attack: Any, method: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attack, method, _untaught(getattr(attack, method)))
    changes, headline = GAMES[game]
    estimates = run(Experiment.parse({**changes, "defenses": [ROUNDING]}), context(store))[0].estimates
    assert estimates[headline].value == estimates[f"{headline}_naive"].value > 0.2


def test_in_every_stored_sweep_the_adaptive_adversary_is_at_least_the_naive_one() -> None:
    compared = 0
    for entry in catalog.entries():
        if not entry.experiment.defenses or not issubclass(entry.experiment.attack.needs, SentenceEmbeddings):
            continue
        result = Result.load(Store(), entry.key, tables=False)
        assert result is not None
        measure = "accuracy" if "accuracy" in result.estimates else "f1"
        adaptive, naive = result.estimates[measure], result.estimates[f"{measure}_naive"]
        assert adaptive.high >= naive.value, entry.name
        compared += 1
    assert compared == 97


def test_in_every_stored_sweep_of_word_pairs_one_who_knows_the_defense_is_at_least_the_naive_one() -> None:
    """The adaptive adversary averages over both preparations; that is so at each size of a target."""
    twins: dict[str, dict[bool, Result]] = {}
    for entry in catalog.entries_of("word_pairs"):
        if entry.experiment.defenses and (result := Result.load(Store(), entry.key)) is not None:
            plain = entry.experiment.attack.replace(adaptive=True, averaged=False, calibrated=False)
            twin = entry.experiment.replace(attack=plain)
            twins.setdefault(twin.key, {})[entry.values["attack"]["adaptive"]] = result
    compared = 0
    for results in twins.values():
        curves = (results[adaptive].tables["curve"] for adaptive in (True, False))
        knows, ignores = (final(curve, "word_pairs").set_index("size") for curve in curves)
        for measure, high in (("accuracy", "high"), ("auc", "auc_high")):
            assert (knows[high] >= ignores[measure]).all(), measure
            compared += len(ignores)
    assert compared == 7 * 3 * 2


TWINS = (
    "messages_epsilon_8",
    "messages_token_dropping",
    "messages_dropout",
    "likelihood_ratio_adapters_epsilon_8",
    "users_in_adapters_epsilon_128_document",
    "users_in_adapters_epsilon_128_owner",
    "users_in_adapters_epsilon_8_owner",
    "translations_subsampled",
)
"""Settings of language models and translators that both adversaries play."""


@pytest.mark.parametrize("name", TWINS)
def test_behind_each_stored_defense_of_training_one_who_knows_it_is_at_least_the_naive_one(name: str) -> None:
    adaptive, naive = (entry for each in (name, f"{name}_unaware") for entry in catalog.matching(each))
    attack = adaptive.experiment.attack.replace(adaptive=False)
    assert naive.experiment == adaptive.experiment.replace(attack=attack), "nothing else differs"
    results = [Result.load(Store(), entry.key, tables=False) for entry in (adaptive, naive)]
    knows, ignores = (result.estimates for result in results if result is not None)
    for accuracy in headline(knows).values():
        for measure in (accuracy, accuracy.replace("accuracy", "auc")):
            assert knows[measure].high >= ignores[measure].value, measure


def test_every_naive_twin_is_compared() -> None:
    entries = (*catalog.entries_of("likelihood_ratio"), *catalog.entries_of("translation_overlap"))
    naive = {entry.name for entry in entries if not entry.values["attack"]["adaptive"]}
    assert naive == {f"{name}_unaware" for name in TWINS}
