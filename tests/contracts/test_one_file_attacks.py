"""A further attack on fingerprints, reassembly or extraction is one file among the attacks, and nothing else."""

from pathlib import Path
from typing import Any

import pytest

from core import drawings, registry
from core.errors import UnknownPart
from core.experiment import Experiment, run
from core.result import Result
from core.runtime.store import Store
from tests.attack_files import Install, attack_files
from tests.attacks.test_encoder_fingerprint import Several
from tests.attacks.test_semantic_reassembly import MANY
from tests.stand_ins import Sentences, WordBag, context

NEAREST_CENTER = '''
"""Nearest centre: the candidate encoder whose mean embedding is nearest."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from core.access import SentenceEmbeddings
from core.datasets import Dataset
from core.games.fingerprint.contract import Answer, Briefing, FingerprintAttack
from core.models.encoder import Encoder
from core.runtime.context import RunContext
from core.spec import parameter
from core.targets.model import Model


class NearestCenter(FingerprintAttack):
    """Compare an embedding with the mean of each candidate's embeddings of external texts."""

    title: ClassVar[str] = "Nearest centre"
    question: ClassVar[str] = "Which encoder made this embedding?"
    threat: ClassVar[str] = "The adversary queries each candidate encoder with texts of another kind."
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    external: Dataset = parameter(..., "Texts of another kind than the victims'.")

    def encoders(self, model: Model) -> tuple[Encoder, ...]:
        assert isinstance(model, Encoder)
        return model, model.replace(pooling="last")

    def auxiliary(self) -> Dataset:
        return self.external

    def identify(self, briefing: Briefing, candidates: Sequence[SentenceEmbeddings], context: RunContext) -> Answer:
        texts = self.external.load().texts
        centers = np.stack([access.query(texts).mean(axis=0) for access in candidates])
        distances = np.linalg.norm(np.stack(briefing.victims)[:, None] - centers, axis=2)
        odds = np.exp(-distances)
        return Answer((odds / odds.sum(axis=1, keepdims=True)).astype(np.float32), {})
'''

MEAN_DIRECTION = '''
"""Mean direction: a word is likely where an embedding resembles those of texts with the word."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from core.access import SentenceEmbeddings
from core.games.reassembly.contract import Answer, Briefing, ReassemblyAttack
from core.runtime.context import RunContext
from core.spec import parameter
from core.text import word_sets


class MeanDirection(ReassemblyAttack):
    """Project embeddings on the difference between the mean embeddings of texts with and without a word."""

    title: ClassVar[str] = "Mean direction"
    question: ClassVar[str] = "Which words does the text behind this embedding have?"
    threat: ClassVar[str] = "The adversary holds texts of the same kind and queries the public encoder."
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    candidates: int = parameter(20, "Number of candidate words.", unit="words", ge=2, le=1000)

    def choose(self, texts: Sequence[str]) -> tuple[str, ...]:
        return tuple(word_sets.frequencies(map(word_sets.word_set, texts)))[: self.candidates]

    def rate(self, briefing: Briefing, access: SentenceEmbeddings, context: RunContext) -> Answer:
        embeddings = access.query(briefing.texts, defended=briefing.defended)
        sets = [word_sets.word_set(text) for text in briefing.texts]
        present = word_sets.presence(sets, briefing.words).toarray() > 0
        directions = [embeddings[has].mean(axis=0) - embeddings[~has].mean(axis=0) for has in present.T]
        return Answer((access.victims @ np.stack(directions).T).astype(np.float32))
'''

SMALLEST_LOSS = '''
"""Smallest loss: the secret with the smallest loss of all."""

from collections.abc import Mapping
from itertools import product
from typing import Any, ClassVar

import numpy as np
import torch

from core.access import NetworkInternals
from core.games.canaries.contract import Answer, Briefing, MaskedCanary
from core.games.extraction.contract import ExtractionAttack


class SmallestLoss(ExtractionAttack):
    """Query the loss with every secret."""

    title: ClassVar[str] = "Smallest loss"
    question: ClassVar[str] = "Can a secret be read out of a network?"
    threat: ClassVar[str] = "The adversary holds the network."
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    @property
    def method(self) -> str:
        return "smallest_loss"

    def extract(self, briefing: Briefing, access: NetworkInternals) -> list[Answer]:
        return [self._answer(canary, access) for canary in briefing.canaries]

    def _answer(self, canary: MaskedCanary, access: NetworkInternals) -> Answer:
        candidates = canary.pattern.candidates
        secrets = np.array(list(product(range(len(candidates)), repeat=canary.unknown)))
        texts = [(*canary.beginning, *(candidates[word] for word in secret)) for secret in secrets]
        inputs = torch.stack([access.describe(words) for words in texts])
        with torch.no_grad():
            losses = access.losses(inputs[None], [canary.pattern.intent], [canary.slots])[0].numpy()
        best = int(losses.argmin())
        return Answer(
            guesses={self.method: secrets[best]},
            losses={self.method: float(losses[best])},
            scored=secrets,
            scores=losses.astype(np.float32),
        )
'''


def _played(store: Store, **parts: Any) -> Result:
    return run(Experiment.parse(parts), context(store))[0]


def test_an_attack_on_fingerprints(install: Install, store: Store) -> None:
    install("nearest_center", NEAREST_CENTER)
    experiment = Experiment.parse(
        {
            "attack": {"part": "nearest_center", "external": Sentences(count=60, stream=1)},
            "dataset": Sentences(count=120),
            "model": Several(),
            "game": {"victims": 60},
        }
    )
    result, _ = run(experiment, context(store))
    assert result.estimates["accuracy"].above_chance()
    assert result.estimates["queries"].value == 2 * 60
    drawings.draw(experiment, context(store))
    drawn = drawings.load(store, experiment.key, "map", experiment.drawings["map"])
    assert drawn is not None and drawn.empty, "there is no hidden layer to lay out"


def test_an_attack_on_reassembly(install: Install, store: Store) -> None:
    install("mean_direction", MEAN_DIRECTION)
    result = _played(
        store,
        attack="mean_direction",
        dataset=Sentences(count=300, share=0, words=MANY),
        model=WordBag(dimension=160),
        game={"shadow_share": 0.5, "victims": 60},
    )
    assert result.estimates["recall_at_10"].above_chance()
    assert set(result.tables["rankings"]["variant"]) == {"mean_direction", "frequency", "random"}


def test_an_attack_on_extraction(install: Install, store: Store) -> None:
    install("smallest_loss", SMALLEST_LOSS)
    result = _played(
        store,
        attack="smallest_loss",
        dataset={"part": "assistant_requests", "utterances": 200},
        model={"part": "bilstm_crf", "vectors": "random", "dimension": 16, "hidden": 16, "epochs": 3},
        game={"patterns": ["pin"], "length": 2, "repetitions": [500], "trials": 1},
    )
    (canary,) = result.tables["canaries"].to_dict("records")
    (guess,) = result.tables["guesses"].to_dict("records")
    assert (guess["method"], guess["wrong"] == 0) == ("smallest_loss", canary["rank"] == 1)
    assert result.estimates["queries"].value == 100


def test_a_file_that_is_gone_is_no_attack(tmp_path: Path) -> None:
    with attack_files(tmp_path / "gone") as install:
        install("mean_direction", MEAN_DIRECTION)
        assert "mean_direction" in registry.names("attack")
    with pytest.raises(UnknownPart, match="mean_direction"):
        registry.part("attack", "mean_direction")
