"""Different encoders are recognised by their embeddings; equal ones come out at chance."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from core.attacks.encoder_fingerprint import EncoderFingerprint, labels
from core.errors import Incompatible, InvalidSpec
from core.experiment import Experiment
from core.games.fingerprint import Fingerprint, maps
from core.models.encoder import Encoder
from core.runtime.context import RunContext
from core.runtime.progress import Progress
from core.runtime.seeding import generator
from core.runtime.store import Store
from tests.stand_ins import Sentences, WordBag, context


class Several(Encoder):
    """Noise about a centre of its own for each pooling; the sources differ in dimension only."""

    title: ClassVar[str] = "several"
    apart: ClassVar[float] = 3.0

    def encode(self, texts: Sequence[str], context: RunContext, whose: str = "texts") -> NDArray[np.float32]:
        size = 12 if self.source == "small_bert" else 7
        center = self.apart * generator(0, "centre", self.pooling).normal(size=size)
        noise = [generator(0, self.pooling, text).normal(size=size) for text in texts]
        return np.array(noise, np.float32).reshape(len(texts), size) + center.astype(np.float32)


class Alike(Several):
    """The same noise whatever the pooling."""

    apart: ClassVar[float] = 0.0


def play(
    store: Store, model: Any, defenses: Any = (), dataset: Any = None, ran: RunContext | None = None, **attack: Any
) -> Any:
    settings = {"external": Sentences(count=120, stream=1), "epochs": 30, **attack}
    return Fingerprint(victims=150).play(
        dataset or Sentences(count=400), model, defenses, EncoderFingerprint(**settings), 1, ran or context(store)
    )


def test_encoders_of_one_dimension_are_told_apart_by_a_classifier(store: Store) -> None:
    estimates, tables = play(store, Several())
    accuracy = estimates["accuracy"]
    assert accuracy.chance == pytest.approx(1 / 3)
    assert accuracy.low > 0.9
    assert estimates["accuracy_12"].value == accuracy.value
    assert estimates["accuracy_by_dimension"].value == pytest.approx(1 / 3)
    assert estimates["queries"].value == 3 * 120
    confusion = tables["confusion"]
    assert confusion["victims"].sum() == 150
    assert (confusion.groupby("truth")["share"].sum().round(6) == 1).all()


def test_encoders_that_are_alike_are_not_told_apart(store: Store) -> None:
    accuracy = play(store, Alike())[0]["accuracy"]
    assert accuracy.low <= 1 / 3 <= accuracy.high


def test_another_dimension_gives_an_encoder_away_without_any_classifier(store: Store) -> None:
    ran = context(store)
    estimates, tables = play(store, Alike(), candidates=("minilm",), ran=ran)
    assert estimates["accuracy"].value == 1
    assert estimates["accuracy_by_dimension"].value == 1
    assert len(maps.draw(ran.kept["map"], Progress())) == 0
    assert set(tables["encoders"]["dimension"]) == {7, 12}


def test_dimension_first_then_a_classifier(store: Store) -> None:
    estimates, tables = play(store, Several(), candidates=("@first", "minilm", "minilm@last"))
    assert estimates["accuracy"].low > 0.9
    assert estimates["accuracy_by_dimension"].value == pytest.approx(0.5)
    assert {"accuracy_7", "accuracy_12"} <= set(estimates)
    confusion = tables["confusion"]
    long = confusion["truth"].str.startswith("small") & confusion["guess"].str.startswith("minilm")
    assert confusion[long]["victims"].sum() == 0


def test_maps_lay_out_embeddings_and_hidden_layer(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    reported: list[tuple[str, int]] = []
    monkeypatch.setattr(Progress, "stage", lambda _, name, total=0, done=0: reported.append((name, total)))
    monkeypatch.setattr(Progress, "advance", lambda _, items=1: reported.append(("item", items)))
    ran = context(store)
    assert "map" not in play(store, Several(), ran=ran)[1]
    assert not [name for name, _ in reported if "maps" in name], "a run lays out nothing"
    drawn = maps.draw(ran.kept["map"], Progress())
    assert reported[-5:] == [("Laying out maps of the embeddings", 4), *[("item", 1)] * 4], "each map is counted"
    assert set(drawn["layer"]) == {"embedding", "hidden"}
    assert set(drawn["method"]) == {"pca", "umap"}
    assert (drawn.groupby(["layer", "method"]).size() == 150).all()
    assert np.isfinite(drawn[["x", "y"]].to_numpy()).all()
    centres = drawn.query("layer == 'hidden' and method == 'pca'").groupby("encoder")[["x", "y"]]
    assert centres.std().to_numpy().mean() < centres.mean().std().to_numpy().mean()


def test_candidates_are_the_model_with_another_source_or_pooling() -> None:
    candidates = EncoderFingerprint(candidates=("@last", "minilm", "minilm@first")).encoders(Encoder(max_tokens=32))
    assert [(one.source, one.pooling, one.max_tokens) for one in candidates] == [
        ("small_bert", "mean", 32),
        ("small_bert", "last", 32),
        ("minilm", "mean", 32),
        ("minilm", "first", 32),
    ]
    assert labels(candidates)[-1] == "minilm, first"
    assert labels([Encoder(), Encoder(source="minilm")]) == ("small_bert", "minilm")


def test_the_files_of_the_candidates_are_part_of_the_key() -> None:
    assert "files" not in EncoderFingerprint().identity()
    assert set(EncoderFingerprint(candidates=("minilm@last", "gpt2")).identity()["files"]) == {"gpt2", "minilm"}


def test_the_same_encoder_twice_is_refused(store: Store) -> None:
    with pytest.raises(Incompatible, match="must differ"):
        play(store, Several(), candidates=("@mean",))


@pytest.mark.parametrize(
    ("candidate", "says"), [("minlm", "Did you mean 'minilm'"), ("@median", "'pooling' parameter of encoder")]
)
def test_an_unknown_source_or_pooling_is_refused(candidate: str, says: str) -> None:
    with pytest.raises(InvalidSpec, match=says) as caught:
        EncoderFingerprint.parse({"candidates": [candidate]})
    assert caught.value.field.startswith("candidates")


def test_the_victims_own_texts_are_refused_as_external(store: Store) -> None:
    with pytest.raises(Incompatible, match="must be others than the victims'"):
        play(store, Several(), external=Sentences(count=400))


def test_what_does_not_fit_is_refused(store: Store) -> None:
    with pytest.raises(Incompatible, match="no other sources"):
        play(store, WordBag())
    with pytest.raises(InvalidSpec, match="without defenses"):
        Experiment.preset("encoder_fingerprint", "demo", defenses=["rounding"])
    with pytest.raises(Incompatible, match="3 different texts"):
        play(store, Several(), dataset=Sentences(count=3, stream=2))


def test_the_presets_name_encoders_that_are_known() -> None:
    experiment = Experiment.preset("encoder_fingerprint", "paper")
    assert len(experiment.attack.encoders(experiment.model)) == 7
