"""What an audit of a vector store runs: attacks on the stored vectors themselves."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from core.audits.profiles import PROFILES, Profile
from core.datasets import Dataset
from core.datasets.embeddings import Embeddings
from core.defenses import EmbeddingDefense
from core.encoders.folders import locate, weights_of
from core.encoders.records import DEFAULT, RECORDS
from core.experiment import Experiment
from core.games.inversion import Inversion
from core.games.stored_vectors import may_be_moved
from core.models.encoder import Encoder
from core.models.unknown_encoder import UnknownEncoder
from core.result import Estimate
from core.statistics.vector_checks import Checks
from core.targets.sentence_encoder import SentenceModel
from core.text.vectors import Vectors

_BEST = "minilm"
FRONTIER = "frontier"
"""Name of the steps behind storage formats and defenses."""
SECRETS = {"owner": "owner_column", "label": "label_column"}
"""What an adversary infers about the text behind a vector, and the parameter that names its column."""
_FORMATS: tuple[tuple[str, dict[str, Any], bool], ...] = (
    ("float16", {"part": "quantisation", "bits": 16}, True),
    ("int8", {"part": "quantisation", "bits": 8}, True),
    ("binary", {"part": "quantisation", "bits": 1}, True),
    ("first quarter of the dimensions", {"part": "fewer_dimensions", "kept": "first"}, True),
    ("PCA to a quarter", {"part": "fewer_dimensions", "kept": "principal"}, True),
    ("random projection to a quarter", {"part": "fewer_dimensions", "kept": "random"}, False),
    ("Gaussian noise 0.5", {"part": "gaussian", "scale": 0.5}, False),
    ("Gaussian noise 1", {"part": "gaussian", "scale": 1.0}, True),
    ("Gaussian noise 2", {"part": "gaussian", "scale": 2.0}, False),
    ("secret rotation", {"part": "rotation"}, True),
    ("Laplace noise, epsilon 1,000", {"part": "laplace", "epsilon": 1000.0, "pairs": 200}, False),
    ("Laplace noise, epsilon 300", {"part": "laplace", "epsilon": 300.0, "pairs": 200}, False),
    ("secret order of the coordinates", {"part": "shuffled_coordinates"}, False),
)
"""Storage formats and defenses: their name, the defense, and whether a quick audit tries them."""


@dataclass(frozen=True)
class Step:
    """One experiment of an audit.

    Attributes:
        name: What it is about: ``words``, ``pairs``, ``suspects``, ``texts`` for whole ones, ``owner`` or ``label``, or
            ``frontier`` for a storage format or defense.
        title: What the adversary has, as the beginning of a sentence; of a storage format or defense, its name.
        experiment: The experiment.
        pairs: Texts with their vectors, as many as leak at most, as the title has it; empty where none do.
        compared: Whether other steps of the audit know the encoder, and compare texts and vectors by it.
    """

    name: str
    title: str
    experiment: Experiment
    pairs: str = ""
    compared: bool = False

    def played(self, figures: Mapping[str, Estimate]) -> str:
        """Return the title after the run, with the number of leaked pairs that were used: of a small store, fewer.

        Args:
            figures: The estimates, whose queries count the texts whose vectors the adversary was given.
        """
        if not self.pairs or "queries" not in figures:
            return self.title
        return self.title.replace(self.pairs, f"{round(figures['queries'].value):,} texts")

    @property
    def knows_encoder(self) -> bool:
        """Whether the encoder is known."""
        return not isinstance(self.experiment.model, UnknownEncoder)

    @property
    def unchecked(self) -> bool:
        """Whether it cannot be checked that texts and vectors are in one order."""
        plain = self.experiment.dataset.as_dict(), self.experiment.model.as_dict()
        return not self.compared and may_be_moved(*plain)

    @property
    def keyed(self) -> bool:
        """Whether a defense has a key: another adversary plays against it, one that has pairs."""
        return any(isinstance(defense, EmbeddingDefense) and defense.keyed for defense in self.experiment.defenses)


def steps(
    dataset: Dataset, encoder: Encoder | None, profile: Profile, local: str, keywords: Sequence[str] = ()
) -> tuple[Step, ...]:
    """Return the experiments of an audit, in the order in which they are run.

    Args:
        dataset: The store; or texts, which the games then embed by the encoder.
        encoder: The encoder that made the vectors; None where it is unknown.
        profile: How much is tried.
        local: The encoder that an adversary runs who does not know the one of the store.
        keywords: Words of the user's choice, whose recall is reported.
    """
    attacks = tuple(_in_full(step, keywords) for step in _steps(dataset, encoder, profile, local))
    # Laplace noise is set up by embedding texts.
    formats = [stored for stored in _FORMATS if encoder is not None or stored[1]["part"] != "laplace"]
    each = (*attacks, *_further(dataset, encoder, profile), *_frontier(attacks, profile, formats))
    return tuple(replace(step, compared=encoder is not None) for step in each)


def as_attacked(dataset: Embeddings, checks: Checks) -> tuple[Embeddings, Literal["unit", "raw"]]:
    """Return a store as an adversary reads it, and whether its own embeddings have length one, as all vectors have."""
    if checks.alike and not checks.normalised:
        dataset = dataset.replace(length="one")
    return dataset, "unit" if checks.alike or checks.normalised else "raw"


def keywords_in(text: str) -> list[str]:
    """Return the keywords that a person wrote with commas between them.

    >>> keywords_in("pizza, great service,")
    ['pizza', 'great service']
    """
    return [word.strip() for word in text.split(",") if word.strip()]


def own_encoder(source: str = "") -> str:
    """Return the encoder of an adversary that does not know that of the store: the best other one on this machine.

    Args:
        source: The encoder that made the vectors; empty where it is unknown.
    """
    return _BEST if source != _BEST and locate(_BEST) is not None else DEFAULT


def same_network(source: str, other: str) -> bool:
    """Tell whether two encoders are one network: by their names, or by their weights where both are on this machine."""
    if source == other:
        return True
    first, second = locate(source), locate(other)
    return first is not None and second is not None and bool(weights_of(first) & weights_of(second))


def profile_of(experiment: Experiment) -> Profile | None:
    """Return the profile of the audit of a user's vectors that has an experiment as a step; None where it is none."""
    dataset, model = experiment.dataset, experiment.model
    if not isinstance(dataset, Embeddings) or not isinstance(model, Encoder | UnknownEncoder):
        return None
    keywords = getattr(experiment.game, "keywords", ())
    local = getattr(experiment.attack, "local", own_encoder(model.source if isinstance(model, Encoder) else ""))
    for profile in PROFILES.values():
        for encoder in (model, None) if isinstance(model, Encoder) else (None, Encoder(length="unit")):
            if any(step.experiment == experiment for step in steps(dataset, encoder, profile, local, keywords)):
                return profile
    return None


def _steps(dataset: Dataset, encoder: Encoder | None, profile: Profile, local: str) -> Iterator[Step]:
    pairs = f"up to {profile.pairs:,} texts"
    if encoder is not None:
        title = "An adversary that knows the encoder and holds texts of the same kind"
        yield Step("words", title, words(dataset, encoder, profile, profile.texts))
    stranger = UnknownEncoder() if dataset.holds is Vectors or encoder is None else encoder
    same = " (the same encoder, as it happens)" if encoder is not None and same_network(encoder.source, local) else ""
    few = {"part": "few_shot_inversion", "pairs": profile.pairs, "local": local}
    yield Step(
        "pairs",
        f"An adversary that is not told the encoder, but has {pairs} with their vectors and runs "
        f"{_title(local)}{same},",
        _experiment(dataset, stranger, profile, {**few, "texts": profile.texts}),
        pairs,
    )
    if encoder is None:
        alone = words(dataset, stranger, profile, profile.pairs)
        title = f"An adversary that has {pairs} with their vectors, and no encoder of its own,"
        yield Step("words", title, alone, pairs)
        return
    ranking = {"pieces": "texts", "candidates": profile.candidates, "victims": profile.candidates // 2}
    suspects = {
        "attack": {"part": "candidate_ranking", "texts": profile.candidates},
        "dataset": dataset,
        "model": encoder,
        "game": ranking,
    }
    yield Step("suspects", "An adversary that knows the encoder and suspects some texts", Experiment.parse(suspects))


def _title(encoder: str) -> str:
    return RECORDS[encoder].title if encoder in RECORDS else encoder


def _in_full(step: Step, keywords: Sequence[str]) -> Step:
    """Return a step that reports all that is known, not words alone."""
    experiment = step.experiment
    if not isinstance(experiment.game, Inversion):
        return step
    game = experiment.game.replace(report="full", keywords=keywords)
    return replace(step, experiment=experiment.replace(game=game))


def _further(dataset: Dataset, encoder: Encoder | None, profile: Profile) -> Iterator[Step]:
    """Yield what only an adversary that knows the encoder is asked for: whole texts, and whose or what they are."""
    if encoder is None:
        return
    if profile.search is not None:
        attack = {"part": "corrective_inversion", "texts": profile.texts, "apart": True, **profile.search}
        search = _experiment(dataset, encoder, profile, attack)
        game = search.game.replace(victims=profile.searched, utility="quick", sensitive=False, report="full")
        yield Step("texts", "An adversary that searches for texts with the same embedding", search.replace(game=game))
    for secret, column in SECRETS.items():
        if getattr(dataset, column, ""):
            asked = {
                "attack": {"part": "attribute_inference", "inferred": secret, "fewer": True, "texts": 100, "mapped": 0},
                "dataset": dataset,
                "model": encoder,
                "game": {"shadow_share": 0.5, "victims": profile.victims},
            }
            title = f"An adversary that knows the encoder and some texts of each {secret}"
            yield Step(secret, title, Experiment.parse(asked))


def _frontier(
    attacks: Sequence[Step], profile: Profile, formats: Sequence[tuple[str, dict[str, Any], bool]]
) -> Iterator[Step]:
    """Yield the attack on words behind each storage format and defense; behind a secret, the one that has pairs."""
    by_name = {step.name: step.experiment for step in attacks}
    for title, defense, is_quick in formats:
        if is_quick or not profile.quick:
            step = Step(FRONTIER, title, by_name["words"].replace(defenses=[defense]))
            behind_key = by_name["pairs"].replace(defenses=[defense])
            yield replace(step, experiment=behind_key) if step.keyed else step


def words(dataset: Dataset, model: SentenceModel, profile: Profile, texts: int) -> Experiment:
    """Return the attack of an adversary that learns from some texts to predict words."""
    small = {"batch": 32} if texts < 1000 else {}
    return _experiment(dataset, model, profile, {"part": "multilabel_inversion", "texts": texts, **small})


def _experiment(dataset: Dataset, model: SentenceModel, profile: Profile, attack: dict[str, object]) -> Experiment:
    game = {"pieces": "texts", "victims": profile.victims, "near_copies": "left out", "sensitive": True}
    taught = {"vocabulary": profile.vocabulary, "epochs": profile.epochs}
    return Experiment.parse(
        {
            "attack": {**attack, **taught},
            "dataset": dataset,
            "model": model,
            "game": {**game, "utility": "tuned"},
        }
    )
