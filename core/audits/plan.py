"""What an audit of a vector store runs: attacks on the stored vectors themselves."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from core.audits.profiles import Profile
from core.datasets import Dataset
from core.datasets.embeddings import Embeddings
from core.encoders.folders import locate
from core.encoders.records import DEFAULT, RECORDS
from core.experiment import Experiment
from core.models.encoder import Encoder
from core.models.unknown_encoder import UnknownEncoder
from core.statistics.vector_checks import Checks
from core.targets.sentence_encoder import SentenceModel
from core.text.vectors import Vectors

_BEST = "minilm"


@dataclass(frozen=True)
class Step:
    """One experiment of an audit.

    Attributes:
        name: What it is about: ``words``, ``pairs`` or ``suspects``.
        title: What the adversary has, as the beginning of a sentence.
        experiment: The experiment.
    """

    name: str
    title: str
    experiment: Experiment


def steps(dataset: Dataset, encoder: Encoder | None, profile: Profile, local: str) -> tuple[Step, ...]:
    """Return the experiments of an audit, in the order in which they are run.

    Args:
        dataset: The store; or texts, which the games then embed by the encoder.
        encoder: The encoder that made the vectors; None where it is unknown.
        profile: How much is tried.
        local: The encoder that an adversary runs who does not know the one of the store.
    """
    return tuple(_steps(dataset, encoder, profile, local))


def as_attacked(dataset: Embeddings, checks: Checks) -> tuple[Embeddings, Literal["unit", "raw"]]:
    """Return a store as an adversary takes it, and the length of its own embeddings: one, where all have one length."""
    if checks.alike and not checks.normalised:
        dataset = dataset.replace(length="one")
    return dataset, "unit" if checks.alike or checks.normalised else "raw"


def own_encoder() -> str:
    """Return the encoder of an adversary that does not know the one of the store: the best that is on this machine."""
    return _BEST if locate(_BEST) is not None else DEFAULT


def _steps(dataset: Dataset, encoder: Encoder | None, profile: Profile, local: str) -> Iterator[Step]:
    k = f"{profile.pairs:,}"
    if encoder is not None:
        yield Step("words", "An adversary that knows the encoder", words(dataset, encoder, profile, profile.texts))
    stranger = UnknownEncoder() if dataset.holds is Vectors or encoder is None else encoder
    few = {"part": "few_shot_inversion", "pairs": profile.pairs, "local": local}
    yield Step(
        "pairs",
        f"An adversary that is not told the encoder, but has {k} texts with their vectors and runs {_title(local)},",
        _experiment(dataset, stranger, profile, {**few, "texts": profile.texts}),
    )
    if encoder is None:
        alone = words(dataset, stranger, profile, profile.pairs)
        yield Step("words", f"An adversary that has {k} texts with their vectors, and no encoder of its own,", alone)
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


def words(dataset: Dataset, model: SentenceModel, profile: Profile, texts: int) -> Experiment:
    """Return the attack by which an adversary names words, who learns from some texts."""
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
