"""A fine-tuned language model: it learns its documents, resumes after being killed, and gives words their chances."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pytest
import torch

from core.access import language_models
from core.access.language_models import (
    Continuations,
    GivesLosses,
    NextWords,
    TextProbabilities,
    TopProbabilities,
    WholeNetwork,
    WordProbabilities,
)
from core.attacks.recitation import Recitation as RecitationAttack
from core.datasets import Card, Dataset
from core.datasets.wikipedia_excerpt import WikipediaExcerpt
from core.defenses.dp_sgd import DpSgd
from core.encoders.base_models import BUNDLED, content
from core.encoders.causal import CausalNetwork
from core.encoders.folders import CONFIG, WEIGHTS
from core.errors import InvalidSpec, ModelRefused
from core.experiment import Experiment, run
from core.games.recitation import Recitation
from core.models.causal_lm import CausalLm
from core.models.encoder import Encoder
from core.runtime.context import RunContext
from core.runtime.store import Store
from core.targets.trained_target import TrainedTarget
from core.targets.training_job import TrainingJob
from core.text.contents import Documents
from core.text.corpus import Corpus
from tests.language_models import causal, documents
from tests.models.test_language_models import Killed, KilledAt
from tests.stand_ins import CARD, context

if TYPE_CHECKING:
    from core.networks.private_steps import PrivateSteps

TEXTS = documents(["in"] * 40)["text"].tolist()
TRAINED: dict[str, Any] = {"epochs": 4, "batch": 2, "learning_rate": 1e-2, "context": 64}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return causal(tmp_path_factory.mktemp("base") / "model", vocabulary=330)


@pytest.fixture(scope="module")
def job() -> TrainingJob:
    return TrainingJob(Corpus.encode(TEXTS), [np.arange(20), np.arange(20, 40)], {"test": 1}, seed=3)


def trained(model: CausalLm, job: TrainingJob, store: Store, **fields: Any) -> tuple[list[TrainedTarget], RunContext]:
    where = context(store, **fields)
    return model.train_targets(replace(job, identity={**job.identity, "model": model.identity()}), where), where


def losses(targets: list[TrainedTarget], job: TrainingJob) -> list[list[float]]:
    """Return the mean loss of each document by each model."""
    read = []
    for target in targets:
        assert isinstance(target.access, TextProbabilities)
        read.append([float(row.mean()) for row in target.access.losses(job.corpus.texts())])
    return read


@pytest.mark.parametrize("rank", [0, 2], ids=["all weights", "adapters"])
def test_it_learns_its_own_documents(rank: int, base: Path, job: TrainingJob, shared_store: Store) -> None:
    model = CausalLm.parse({**TRAINED, "base": str(base), "rank": rank})
    targets, where = trained(model, job, shared_store)
    assert where.trainings == 2 * 4, "two models, four epochs"
    one, other = (np.array(read) for read in losses(targets, job))
    gains = np.concatenate([(other - one)[:20], (one - other)[20:]])
    assert gains.mean() > 4 * gains.std() / np.sqrt(len(gains)), "each is likelier to the model that was trained on it"
    for target in targets:
        train, test = (target.utilities[f"perplexity_{name}"] for name in ("train", "test"))
        assert train.value < test.value
        assert train.value < (test.chance or 0)


@pytest.mark.parametrize("rank", [0, 2], ids=["all weights", "adapters"])
def test_shadow_models_learn_their_own_documents(rank: int, base: Path, job: TrainingJob, shared_store: Store) -> None:
    model = CausalLm.parse({**TRAINED, "base": str(base), "rank": rank})
    shadow_job = replace(job, access=TextProbabilities, identity={**job.identity, "model": model.identity()})
    one, other = (
        np.array([float(row.mean()) for row in access.losses(job.corpus.texts())])
        for access in model.train_own(shadow_job, context(shared_store), "Training")
        if isinstance(access, TextProbabilities | GivesLosses)
    )
    gains = np.concatenate([(other - one)[:20], (one - other)[20:]])
    assert gains.mean() > 4 * gains.std() / np.sqrt(len(gains)), "each is likelier to the model that was trained on it"


@pytest.mark.parametrize("rank", [0, 2], ids=["all weights", "adapters"])
def test_without_an_epoch_it_is_the_base(rank: int, base: Path, job: TrainingJob, store: Store) -> None:
    model = CausalLm.parse({**TRAINED, "base": str(base), "rank": rank, "epochs": 0})
    targets, where = trained(model, job, store)
    assert where.trainings == 0
    shadow_job = replace(job, access=TextProbabilities)
    shadows = model.train_own(shadow_job, where, "Nothing to train")
    untouched = model._base().losses(job.corpus.texts())
    for access in (*(target.access for target in targets), *shadows):
        assert isinstance(access, TextProbabilities | GivesLosses)
        assert all(
            (one == other).all() for one, other in zip(access.losses(job.corpus.texts()), untouched, strict=True)
        )


def test_only_adapters_are_stored_where_only_they_are_trained(base: Path, job: TrainingJob, store: Store) -> None:
    sizes = []
    for rank in (0, 1):
        model = CausalLm.parse({**TRAINED, "epochs": 1, "base": str(base), "rank": rank})
        before = set((store.root / "parts").glob("*/*.npz"))
        trained(model, job, store)
        sizes.append(sum(file.stat().st_size for file in {*(store.root / "parts").glob("*/*.npz")} - before))
    assert sizes[1] < sizes[0] / 3


def test_a_killed_training_resumes_and_ends_the_same(
    base: Path, job: TrainingJob, store: Store, shared_store: Store
) -> None:
    model, job = CausalLm.parse({**TRAINED, "base": str(base), "rank": 2}), replace(job, selections=job.selections[:1])
    whole, _ = trained(model, job, shared_store)
    with pytest.raises(Killed):
        trained(model, job, store, progress=KilledAt("Fine-tuning the target models, epoch 4"))
    again, where = trained(model, job, store)
    assert where.trainings == 1, "three epochs were stored"
    assert losses(again, job) == losses(whole, job)


def test_the_probability_of_a_word_is_the_product_over_its_tokens(
    base: Path, job: TrainingJob, shared_store: Store
) -> None:
    model = CausalLm.parse({**TRAINED, "base": str(base)})
    (target, _), _ = trained(model, replace(job, access=WordProbabilities), shared_store)
    access = target.access
    assert isinstance(access, WordProbabilities)
    words = job.corpus.texts()[0]
    (by_word,), (standings,) = access.losses([words]), access.standings([words])
    assert access.queries == 2
    assert by_word.shape == (len(words),)
    network = access._model._network.holding(access._model._state)  # type: ignore[attr-defined]
    ((tokens, _),) = network.tokens([" ".join(words)], 64)
    by_token, of_token = network.losses([tokens])[0], network.standings([tokens])[0]
    assert len(tokens) > len(words), "some words are several tokens"
    assert np.isclose(by_word.sum(), by_token.sum())
    assert np.isclose((standings[:, 2] ** 2).sum(), (of_token[:, 2] ** 2).sum())


def test_who_sees_the_likeliest_tokens_and_who_has_the_weights_know_what_these_tell(
    base: Path, job: TrainingJob, shared_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = CausalLm.parse({**TRAINED, "base": str(base)})
    whole = trained(model, replace(job, access=WholeNetwork), shared_store)[0][0].access
    assert isinstance(whole, WholeNetwork)
    texts = job.corpus.texts()[:3]
    everything, by_rank = whole.losses(texts), {}
    for top in (1, 10**6):
        monkeypatch.setattr(language_models, "TOP", top)
        by_rank[top] = TopProbabilities(whole._model).losses(texts)  # type: ignore[arg-type]
    assert all(np.allclose(*rows) for rows in zip(by_rank[10**6], everything, strict=True))
    assert all((rows[0] <= rows[1] + 1e-5).all() for rows in zip(by_rank[1], everything, strict=True))
    assert np.concatenate(by_rank[1]).sum() < np.concatenate(everything).sum() - 1
    norms = whole.gradient_norms([*texts, []])
    assert np.isnan(norms[3]) and (norms[:3] > 0).all()
    network = whole._model._network.holding(whole._model._state)  # type: ignore[attr-defined]
    ((tokens, _),) = network.tokens([" ".join(texts[0])], 64)
    assert not any(weight.requires_grad for weight in network.model.parameters()), "as they were before"
    network.model.requires_grad_(True)
    inputs, after = (
        torch.from_numpy(row).to(network.device)
        for row in (np.array([[network.begins, *tokens[:-1]]]), tokens[:, None])
    )
    network.model(inputs, labels=None).logits[0].log_softmax(1).gather(1, after).mean().backward()
    squares = [float(weight.grad.square().sum()) for weight in network.model.parameters() if weight.grad is not None]
    network.model.requires_grad_(False)
    assert norms[0] == pytest.approx(sum(squares) ** 0.5, rel=1e-4)


def test_who_asks_for_losses_and_standings_has_each_document_cut_and_read_once_with_the_same_bits(
    base: Path, job: TrainingJob, shared_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = CausalLm.parse({**TRAINED, "base": str(base)})
    plain, _ = trained(model, job, shared_store)
    whole, _ = trained(model, replace(job, access=WordProbabilities), shared_store)
    texts = [words[:-1] for words in job.corpus.texts()]  # which no model has read yet
    cut: list[int] = []
    read: list[int] = []
    tokens_of_words, read_batch = CausalNetwork.tokens_of_words, CausalNetwork._read_batch

    def cutting(self: CausalNetwork, documents: Any, limit: int) -> Any:
        cut.append(len(documents))
        return tokens_of_words(self, documents, limit)

    def reading(self: CausalNetwork, documents: Any, measure: Any, batch: Any) -> Any:
        read.append(len(batch[0]))
        return read_batch(self, documents, measure, batch)

    monkeypatch.setattr(CausalNetwork, "tokens_of_words", cutting)
    monkeypatch.setattr(CausalNetwork, "_read_batch", reading)
    for one, other in zip(plain, whole, strict=True):
        assert isinstance(one.access, TextProbabilities)
        assert isinstance(other.access, WordProbabilities)
        losses, same = one.access.losses(texts), other.access.losses(texts)
        assert [row.tobytes() for row in losses] == [row.tobytes() for row in same]
        standings = other.access.standings(texts)
        assert [row[:, 0].tobytes() for row in standings] == [row.tobytes() for row in losses]
    assert sum(cut) == 2 * len(texts), "once for each pair of models, which share their network"
    assert sum(read) == 4 * len(texts), "once by each of four models"


BY_HEART: dict[str, Any] = {**TRAINED, "epochs": 3, "batch": 4}


@pytest.mark.exhaustive
def test_a_model_that_learnt_its_documents_by_heart_recites_them_and_its_base_does_not(
    base: Path, store: Store
) -> None:
    """The next test shows that such a model completes its documents, `tests/games/recitation` how a game counts it.

    How often it is drawn to recite them, with and without a defense, `tests/defenses/test_language_models.py` shows.
    """
    by_heart = {**BY_HEART, "base": str(base)}
    game = Recitation(prefixes=(4,), continuation=3, copies=(30,), passages=6, documents=20, plays=1)
    attack = RecitationAttack(samples=2, top_k=2)
    estimates, tables = game.play(Rows(), CausalLm.parse(by_heart), (), attack, 5, context(store))
    assert estimates["accuracy"].value > 0.8
    assert estimates["accuracy"].above_chance()
    assert (estimates["untrained"].value, estimates["control"].value) == (0, 0)
    assert estimates["untrained"].decisions == 6
    assert tables["passages"].groupby("copies")["log10_rate"].mean().diff().iloc[-1] > 2


def test_a_model_suggests_the_next_words_of_documents_that_it_learnt_by_heart(base: Path, store: Store) -> None:
    job = TrainingJob(Corpus.encode(TEXTS[:24]), [np.repeat(np.arange(4), 30)], {"next": 1}, seed=3, access=NextWords)
    (target,), _ = trained(CausalLm.parse({**BY_HEART, "base": str(base)}), job, store)
    keyboard, texts = target.access, job.corpus.texts()
    assert isinstance(keyboard, NextWords) and not isinstance(keyboard, Continuations)
    assert keyboard.knows(["anything"]).all()
    positions = [np.arange(4, len(words)) for words in texts]
    suggestions = keyboard.query(texts, positions)
    right = [
        np.mean([words[position] == word for position, word in zip(of_text.tolist(), answers, strict=True)])
        for words, of_text, answers in zip(texts, positions, suggestions, strict=True)
    ]
    assert np.mean(right[:4]) > 0.8, "documents that it learnt"
    assert np.mean(right[4:]) < 0.3, "others"
    assert keyboard.queries == sum(map(len, positions))


class Rows(Dataset):
    """Documents of ours as a dataset."""

    title: ClassVar[str] = "rows"
    card: ClassVar[Card] = CARD

    def load(self) -> Documents:
        return Documents(tuple(documents(["in"] * 60)["text"]))


def test_words_that_are_cut_off_have_no_probability(base: Path) -> None:
    network = CausalNetwork(base, "cpu")
    words = Corpus.encode(TEXTS).texts()[0]
    ((all_tokens, numbers),) = network.tokens_of_words([words], 64)
    assert numbers.tolist() == sorted(numbers.tolist())
    assert set(numbers.tolist()) == set(range(len(words)))
    for limit in range(8, len(all_tokens)):
        ((tokens, kept),) = network.tokens_of_words([words], limit)
        assert len(tokens) <= limit
        assert tokens.tolist() == all_tokens[: len(tokens)].tolist()
        assert np.bincount(kept).tolist() == np.bincount(numbers)[: kept.max() + 1].tolist(), "only whole words"


def test_a_base_is_known_by_its_content(base: Path, tmp_path: Path) -> None:
    copy = tmp_path / "elsewhere"
    shutil.copytree(base, copy)
    model = CausalLm(base=str(base))
    assert model.identity() == CausalLm(base=str(copy)).identity()
    other = causal(tmp_path / "other", vocabulary=400)
    assert model.identity() != CausalLm(base=str(other)).identity()
    assert CausalLm().identity()["base"] not in ("none", "")


def test_the_key_of_a_base_at_a_commit_stays_when_it_is_downloaded(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.encoders.folders.hub_cache", lambda: tmp_path)
    commit = 40 * "a"
    models = [
        CausalLm(base="someone/something", revision=commit),
        CausalLm(base="someone/something"),
        Encoder(source="someone/something", revision=commit),
    ]
    before = [model.identity() for model in models]
    repository = tmp_path / "models--someone--something"
    shutil.copytree(base, repository / "snapshots" / commit)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(commit)
    pinned, moving, encoder = (model.identity() for model in models)
    assert (pinned, encoder) == (before[0], before[2])
    assert moving["base"] == content(str(base)) != before[1]["base"], "nobody knew what main stood for"
    assert pinned != CausalLm(base="someone/something", revision=40 * "b").identity()


@pytest.mark.parametrize("name", BUNDLED)
def test_what_comes_with_the_code_is_what_is_on_record(name: str) -> None:
    assert content("any", bundled=name) == BUNDLED[name]


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda base: (base / "tokenizer.json").unlink(), "no tokeniser"),
        (lambda base: (base / WEIGHTS).rename(base / "pytorch_model.bin"), "pickle only"),
        (lambda base: configured(base, n_layer=2), "do not fit its configuration"),
        (lambda base: configured(base, architectures=["GPT2Model"]), "must hold a causal language model"),
        (lambda base: configured(base, model_type="no_such"), "no architecture 'no_such'"),
    ],
)
def test_a_base_that_cannot_be_read_is_refused_before_anything_is_read_or_trained(
    spoil: Callable[[Path], None],
    says: str,
    base: Path,
    tmp_path: Path,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spoilt = Path(shutil.copytree(base, tmp_path / "spoilt"))
    spoil(spoilt)
    monkeypatch.setattr("core.encoders.trial.attempt", lambda *_: None)  # a process takes seconds
    monkeypatch.setattr(WikipediaExcerpt, "load", lambda dataset: pytest.fail("documents are read first"))
    experiment = Experiment.preset("secret_sharer", "demo", model={"part": "causal_lm", "base": str(spoilt)})
    with pytest.raises(ModelRefused, match=says):
        run(experiment, RunContext(store=store))


def configured(folder: Path, **changes: Any) -> None:
    config = json.loads((folder / CONFIG).read_text())
    (folder / CONFIG).write_text(json.dumps(config | changes))


def test_private_training_is_that_of_adapters(
    base: Path, job: TrainingJob, shared_store: Store, private_steps: list["PrivateSteps"]
) -> None:
    defense = DpSgd(epsilon=1e6)
    spec = {"model": {"part": "causal_lm"}, "defenses": [defense.as_dict()], "attack": {"every_word": False}}
    with pytest.raises(InvalidSpec, match="must be at least 1 in private training") as caught:
        Experiment.preset("loss_membership", "demo", **spec)
    assert caught.value.field == "model.rank"
    Experiment.preset("loss_membership", "demo", **{**spec, "model": {"part": "causal_lm", "rank": 8}})
    with pytest.raises(InvalidSpec, match="'epochs' parameter of causal_lm must be at least 1 in private training"):
        Experiment.preset("loss_membership", "demo", **{**spec, "model": {"part": "causal_lm", "rank": 8, "epochs": 0}})
    private = {**spec, "model": {"part": "causal_lm", "rank": 8}, "dataset": {"part": "wikitext2"}}
    with pytest.raises(InvalidSpec, match="small_lm was trained on wikitext2"):
        Experiment.preset("loss_membership", "demo", **private)
    model = CausalLm.parse({**TRAINED, "base": str(base), "rank": 4, "epochs": 1})
    defended = replace(job, selections=job.selections[:1], defenses=[DpSgd(epsilon=50)], identity={"epsilon": 50})
    targets, _ = trained(model, defended, shared_store)
    assert targets[0].utilities["epsilon"].value == 50
    assert np.isfinite(losses(targets, job)).all()
    assert [steps.norm for steps in private_steps] == [DpSgd().norm]
    assert private_steps[0].noise > 0.2


@pytest.mark.exhaustive
def test_the_noise_of_private_training_keeps_it_from_learning(
    base: Path, job: TrainingJob, shared_store: Store
) -> None:
    """The test above trains privately; `tests/networks/language/test_private_fine_tuning.py` tests steps and noise."""
    model = CausalLm.parse({**TRAINED, "base": str(base), "rank": 4, "epochs": 4})
    job = replace(job, selections=job.selections[:1])
    plain, _ = trained(model.replace(epochs=1, learning_rate=1e-9), job, shared_store)
    gains = []
    for epsilon in (0.5, 1e6):
        defended = replace(job, defenses=[DpSgd(epsilon=epsilon)], identity={"epsilon": epsilon})
        targets, _ = trained(model, defended, shared_store)
        assert targets[0].utilities["epsilon"].value == epsilon
        gains.append(np.mean(losses(plain, job)[0][:20]) - np.mean(losses(targets, job)[0][:20]))
    assert gains[1] > 0.1, "almost no noise: it learns"
    assert gains[0] < gains[1] / 2, "noise keeps it from learning"
