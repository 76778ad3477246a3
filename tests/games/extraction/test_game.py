"""Extraction: a memorised secret is found, one never trained on is not, and the adversary is not told it."""

from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from core.access import NetworkInternals
from core.attacks.canary_extraction import CanaryExtraction
from core.errors import Incompatible, InvalidSpec
from core.experiment import Experiment, run
from core.games import extraction
from core.games.canaries.contract import Answer, Briefing, MaskedCanary
from core.games.canaries.secrets import DrawnSecrets
from core.games.extraction import Extraction
from core.models.bilstm_crf import BilstmCrf, RequestTrainingJob
from core.result import Result
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.progress import Progress
from core.runtime.store import Store
from core.text.canary import PATTERNS

DATASET = {"part": "assistant_requests", "utterances": 300}
MODEL = {"part": "bilstm_crf", "dimension": 16, "hidden": 16, "layers": 1, "epochs": 3, "learning_rate": 1e-2}
ATTACK = {"part": "canary_extraction", "schedule": "annealed", "coordinate_descent": True, "restarts": 4, "steps": 60}
BRIEF = {"restarts": 2, "steps": 4}
"""Fields of the attack where its success does not matter."""
FEW = {"utterances": 200}
"""Field of the dataset where what a network learns does not matter."""


def experiment(**changes: Any) -> Experiment:
    values: dict[str, Any] = {
        "dataset": {**DATASET, **changes.pop("dataset", {})},
        "model": {**MODEL, **changes.pop("model", {})},
        "attack": {**ATTACK, **changes.pop("attack", {})},
        "game": {"patterns": ["pin"], "repetitions": [300], "trials": 1, **changes.pop("game", {})},
        **changes,
    }
    return Experiment.parse(values)


def play(store: Store, **changes: Any) -> Result:
    return run(experiment(**changes), RunContext(store=store, engine=Engine(workers=1)))[0]


def test_guesses_by_no_method_of_the_attack_are_refused_with_the_one_that_counts() -> None:
    attack = Mock(method="smallest_loss", extract=lambda *_: [Mock(guesses={"random": np.zeros(4, np.int64)})])
    with pytest.raises(
        Incompatible, match=r"own method 'smallest_loss': others are baselines\. Got guesses by 'random'"
    ):
        extraction._attack(0, Mock(), attack, Mock(), 1, {}, ())


def test_what_was_learnt_by_heart_is_read_without_a_mistake(store: Store) -> None:
    model = {"epochs": 5, "hidden": 24, "learning_rate": 2e-2}
    result = play(store, game={"repetitions": [300]}, model=model)
    assert result.estimates["accuracy"].value == 1
    assert result.estimates["hamming_distance_per_token"].value == 0
    assert result.estimates["accuracy_exhaustive"].value == 1
    assert result.tables["canaries"]["rank"].tolist() == [1]
    assert result.tables["canaries"]["control_rank"].min() > 10
    assert result.estimates["intent_accuracy"].value > 0.35, "and of eight intents the network names more than one"


def test_a_network_that_never_learnt_it_gives_nothing_away(store: Store) -> None:
    result = play(
        store,
        dataset=FEW,
        game={"patterns": ["pin", "color", "call"], "repetitions": [0], "trials": 2},
        model={"epochs": 1, "vectors": "random", "batch": 128},
        attack=BRIEF,
    )
    for name in ("", "_paper", "_exhaustive", "_continuous"):
        wrong = result.estimates[f"hamming_distance_per_token{name}"]
        assert wrong.value > 0.75 and wrong.high >= wrong.chance - 0.1
        assert result.estimates[f"accuracy{name}"].value == 0
    exposure, control = result.estimates["exposure"], result.estimates["exposure_control"]
    assert exposure.chance == control.chance == pytest.approx(1.44, abs=0.01)
    assert abs(exposure.value - exposure.chance) < 1.5 and abs(control.value - control.chance) < 1.5


def test_the_adversary_is_told_nothing_of_the_secret(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its guess on a given network does not change when the game has drawn, and would score, another secret."""
    masked: list[tuple[MaskedCanary, ...]] = []
    answered: list[list[Answer]] = []
    extract = CanaryExtraction.extract

    def overheard(self: CanaryExtraction, briefing: Briefing, access: NetworkInternals) -> list[Answer]:
        masked.append(briefing.canaries)
        answered.append(extract(self, briefing, access))
        return answered[-1]

    monkeypatch.setattr(CanaryExtraction, "extract", overheard)
    brief = {**ONE_EPOCH, "game": {"repetitions": [0], "length": 3}}
    play(store, **brief)
    draw = Extraction.draw

    def redrawn(self: Extraction, seed: int) -> list[DrawnSecrets]:
        return draw(self, seed + 1)

    monkeypatch.setattr(Extraction, "draw", redrawn)
    play(Store(root=store.root / "other", shipped=store.shipped), **brief)
    assert masked[0] == masked[1] == (MaskedCanary(PATTERNS["pin"], (), 3),)
    (first,), (second,) = answered
    assert {name: guess.tolist() for name, guess in first.guesses.items()} == {
        name: guess.tolist() for name, guess in second.guesses.items()
    }


def test_a_known_area_code_is_given_and_not_asked_for(store: Store) -> None:
    result = play(store, game={"patterns": ["call"], "length": 6, "known": 3, "repetitions": [1000]})
    (row,) = result.tables["canaries"].to_dict("records")
    drawn = Extraction(patterns=("call",), length=6, known=3, trials=1).draw(1)[0].truths[0]
    digits = [PATTERNS["call"].candidates[word] for word in drawn]
    assert row["beginning"].split() == ["call", *digits[:3]] and row["truth"].split() == digits[3:]
    assert result.estimates["accuracy"].value == 1 and result.estimates["accuracy"].chance == pytest.approx(1e-3)


def test_the_same_experiment_gives_the_same_bytes_wherever_it_was_killed(store: Store, tmp_path: Any) -> None:
    class Killed(Progress):
        def __init__(self, stage: str) -> None:
            self.last = stage

        def stage(self, name: str, total: int = 0, done: int = 0) -> None:
            if name.startswith(self.last):
                raise KeyboardInterrupt

    small = experiment(
        dataset=FEW,
        game={"repetitions": [5, 20], "length": 3},
        model={"vectors": "random", "epochs": 2, "batch": 128},
        attack=BRIEF,
    )
    expected = run(small, RunContext(store=store, engine=Engine(workers=1)))[0]
    other = Store(root=tmp_path / "other", shipped=store.shipped)
    for stage in ("Training the target models, epoch 2", "Attacking"):
        with pytest.raises(KeyboardInterrupt):
            run(small, RunContext(store=other, engine=Engine(workers=1), progress=Killed(stage)))
    last = RunContext(store=other, engine=Engine(workers=1))
    resumed = run(small, last)[0]
    assert last.trainings == 2, "the attacks were left, and no pass"
    kept = [store.get_files(small.key), other.get_files(small.key)]
    assert all(files is not None for files in kept)
    for name in kept[0]:
        assert name in ("provenance.json",) or kept[0][name] == kept[1][name], name
    assert resumed.estimates == expected.estimates


ONE_EPOCH: dict[str, Any] = {
    "dataset": FEW,
    "game": {"repetitions": [10], "length": 3},
    "model": {"vectors": "random", "epochs": 1, "batch": 128},
    "attack": BRIEF,
}


@pytest.fixture(scope="module")
def plain(shared_store: Store) -> Result:
    """The attack without a defense."""
    return play(shared_store, **ONE_EPOCH)


@pytest.mark.parametrize(
    "defense",
    [
        {"part": "dropout", "inputs": 0.5},
        {"part": "character_embeddings"},
        pytest.param({"part": "dp_sgd", "epsilon": 50, "delta": 1e-3}, marks=pytest.mark.exhaustive),
    ],
    ids=lambda defense: defense["part"],
)
def test_every_defense_is_trained_with_and_attacked(store: Store, plain: Result, defense: dict[str, Any]) -> None:
    """Early stopping is tested below, private training in `tests/models/test_bilstm_crf.py`."""
    defended = play(store, defenses=[defense], **ONE_EPOCH)
    (loss,), (other,) = (result.tables["training"]["train_loss"] for result in (plain, defended))
    assert loss != other
    assert 1 <= defended.tables["canaries"]["rank"].iloc[0] <= 1000


def test_stopping_early_keeps_the_weights_of_the_smallest_validation_loss(store: Store) -> None:
    model = {"vectors": "random", "learning_rate": 0.2}
    changes: dict[str, Any] = {"game": {"repetitions": [1], "length": 3}, "model": model, "attack": BRIEF}
    stopped = play(
        store,
        defenses=[{"part": "early_stopping", "patience": 1}],
        **{**changes, "model": {**model, "epochs": 30}},
    )
    losses = stopped.tables["training"]["validation_loss"].to_numpy()
    assert losses.argmin() == len(losses) - 2, "one pass without a smaller loss, and no more"
    assert len(losses) < 30
    whole = play(store, **{**changes, "model": {**model, "epochs": int(losses.argmin()) + 1}})
    assert stopped.estimates["slot_f1"] == whole.estimates["slot_f1"], "the weights are those of a pass earlier"
    assert stopped.tables["canaries"]["loss"].tolist() == whole.tables["canaries"]["loss"].tolist()


def test_what_does_not_fit_is_refused(store: Store) -> None:
    with pytest.raises(InvalidSpec, match="at most 3 can be known"):
        experiment(game={"known": 4})
    with pytest.raises(InvalidSpec, match=r"must name each value once\. Got pin, pin instead; pin would do"):
        experiment(game={"patterns": ["pin", "pin"]})
    for secret in ("47", "47111", "red red red red", "4a11"):
        with pytest.raises(InvalidSpec, match=f"must be 4 digits. Got '{secret}' instead; '4711' would do"):
            experiment(game={"secret": secret})
    with pytest.raises(Incompatible, match="fastText may not learn from the requests"):
        play(store, defenses=[{"part": "dp_sgd", "delta": 1e-3}])
    with pytest.raises(InvalidSpec, match="patterns"):
        experiment(game={"patterns": ["pin", "swift"]})
    with pytest.raises(InvalidSpec, match="reads Utterances"):
        Experiment.parse({**experiment().as_dict(), "dataset": "lee_news"})


def job(store: Store, monkeypatch: pytest.MonkeyPatch, **game: Any) -> RequestTrainingJob:
    """Return what networks would be trained on."""
    jobs: list[RequestTrainingJob] = []

    def handed(self: BilstmCrf, given: RequestTrainingJob, context: RunContext) -> None:
        jobs.append(given)
        raise KeyboardInterrupt

    monkeypatch.setattr(BilstmCrf, "train", handed)
    with pytest.raises(KeyboardInterrupt):
        play(store, game=game, model={"vectors": "random"})
    return jobs[0]


def test_of_fuzzy_copies_one_is_exact_and_only_they_change_what_networks_are(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game: dict[str, Any] = {"patterns": ["pin", "color"], "repetitions": [0, 1, 31], "trials": 2}
    exact, fuzzy, other = (job(store, monkeypatch, **game, changed=changed) for changed in (0, 2, 3))
    assert not exact.fuzzy and "changed" not in exact.identity
    assert fuzzy.identity == {**exact.identity, "changed": 2} != other.identity
    vocabulary = fuzzy.blueprint.request_vocabulary
    assert vocabulary == exact.blueprint.request_vocabulary
    encoded = {subset: vocabulary.encode(fuzzy.utterances.of(subset)) for subset in ("train", "validation")}
    for changed, given in ((0, exact), (2, fuzzy), (3, other)):
        for network, counts in enumerate([(0, 0)] * 2 + [(1, 0)] * 2 + [(28, 3)] * 2):
            secrets = vocabulary.encode(given.canaries[network])
            for subset, data, count in zip(encoded, given.with_canaries(network, encoded), counts, strict=True):
                copies = data.select(np.arange(len(encoded[subset]), len(data)))
                assert len(copies) == 2 * count
                for pattern in range(2):
                    words, tags = secrets.alike(np.array([pattern]))
                    rows = np.flatnonzero(copies.intents == secrets.intents[pattern])
                    assert len(rows) == count
                    if count:
                        copied, labels = copies.alike(rows)
                        differing = np.sort((copied != words).sum(axis=1))
                        whole = count if not changed else subset == "train"
                        assert differing.tolist() == [0] * whole + [changed] * (count - whole)
                        assert (labels == tags).all() and (copied > 0).all(), "all words are known"
                        assert (copied[:, :-4] == words[:, :-4]).all(), "what is public stays"


def test_secrets_are_drawn_anew_in_each_trial_and_decoys_differ_from_them() -> None:
    drawn, again = (Extraction(trials=50).draw(3) for _ in range(2))
    for one, other in zip(drawn, again, strict=True):
        for mine, theirs in zip(one.truths + one.decoys, other.truths + other.decoys, strict=True):
            assert np.array_equal(mine, theirs)
        for truth, decoy in zip(one.truths, one.decoys, strict=True):
            assert not np.array_equal(truth, decoy)
    digits = np.array([one.truths[0] for one in drawn])
    assert digits.shape == (50, 4) and set(digits.ravel()) == set(range(10))


@pytest.mark.parametrize(
    ("secret", "patterns", "read"),
    [
        ("4711", ("pin", "color"), {"pin": "4711"}),
        ("0 0 0 7", ("pin", "call"), {"pin": "0007", "call": "0007"}),
        ("Red blue pink red", ("color",), {"color": ["red", "blue", "pink", "red"]}),
    ],
)
def test_a_secret_of_ones_own_is_that_of_the_first_trial(secret: str, patterns: Any, read: Any) -> None:
    given_first, drawn = (Extraction(patterns=patterns, trials=2, secret=given).draw(1) for given in (secret, ""))
    for at, name in enumerate(patterns):
        words = [PATTERNS[name].candidates[word] for word in given_first[0].truths[at]]
        assert (
            words == list(read[name])
            if name in read
            else np.array_equal(given_first[0].truths[at], drawn[0].truths[at])
        )
        assert not np.array_equal(given_first[0].truths[at], given_first[0].decoys[at])
        assert np.array_equal(given_first[1].truths[at], drawn[1].truths[at])
