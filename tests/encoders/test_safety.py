"""What a folder must hold, and what is never let in."""

import json
import pickle
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from core.attacks.keyword_inference import KeywordInference
from core.encoders.folders import INDEX, WEIGHTS, digest_of
from core.encoders.hub import obtain
from core.encoders.network import Network
from core.encoders.safety import check, parameters_of, width
from core.errors import ModelRefused, ModelUnavailable
from core.experiment import Experiment, run
from core.games.inference import Inference
from core.models.encoder import Encoder
from core.runtime.store import Store
from tests.encoders.tiny import edited, tiny
from tests.stand_ins import Sentences, context

NO_TOKENISER = (
    "holds no tokeniser. tokenizer_config.json alone is none. It must hold one of: tokenizer.json, vocab.txt, "
    "vocab.json, spiece.model, sentencepiece.bpe.model; where"
)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny(tmp_path_factory.mktemp("sound") / "model")


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "model"))


@dataclass
class Bomb:
    """Leaves a mark where it is unpickled."""

    mark: Path

    def __reduce__(self) -> tuple[Callable[..., object], tuple[Path]]:
        return Path.touch, (self.mark,)


def test_a_sound_folder_passes(folder: Path) -> None:
    assert width(check(folder)) == 16


def test_a_pickle_is_refused_with_the_way_out(folder: Path) -> None:
    (folder / WEIGHTS).unlink()
    torch.save({}, folder / "pytorch_model.bin")
    with pytest.raises(ModelRefused, match=r"pytorch_model\.bin.*save_pretrained"):
        check(folder)


def test_weights_whose_length_of_header_begins_as_a_pickle_does_are_read(folder: Path) -> None:
    tensors = load_file(folder / WEIGHTS)
    lengths = (
        (save_file(tensors, folder / WEIGHTS, {"format": "pt", "note": "-" * more}), more) for more in range(256)
    )
    next(more for _, more in lengths if (folder / WEIGHTS).read_bytes().startswith(b"\x80"))
    assert width(check(folder)) == 16


@pytest.mark.parametrize("zipped", [True, False])
def test_a_pickle_in_disguise_is_refused(folder: Path, zipped: bool) -> None:
    if zipped:
        torch.save({"weight": torch.zeros(3)}, folder / WEIGHTS)
    else:
        (folder / WEIGHTS).write_bytes(pickle.dumps(Bomb(folder / "sprung")))
    with pytest.raises(ModelRefused, match="pickle under a false name"):
        Network(folder, "cpu")
    assert not (folder / "sprung").exists()


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda folder: (folder / WEIGHTS).write_bytes(b""), "cut short"),
        (lambda folder: (folder / WEIGHTS).write_bytes((folder / WEIGHTS).read_bytes()[:-7]), "cut short"),
        (lambda folder: (folder / WEIGHTS).write_bytes((9).to_bytes(8, "little") + b'{"a": [1]' + b"x"), "header"),
        (lambda folder: (folder / WEIGHTS).unlink(), "holds no weights"),
        (lambda folder: (folder / "config.json").unlink(), "lacks config.json. It must be a folder of a model"),
        (lambda folder: (folder / "config.json").write_text("[]"), "JSON object"),
        (lambda folder: (folder / "config.json").write_text("{"), "no JSON"),
        (lambda folder: (folder / "config.json").write_text("{}"), "model_type"),
        (lambda folder: (folder / "config.json").write_text('{"model_type": "borges"}'), "no architecture 'borges'"),
        (lambda folder: (folder / "tokenizer.json").unlink(), NO_TOKENISER),
        (lambda folder: (folder / "tokenizer.json").write_text("{}"), "tokeniser in .* cannot be loaded"),
        (lambda folder: (folder / "adapter_config.json").write_text("{}"), "adapter"),
    ],
)
def test_what_is_wrong_is_said(folder: Path, spoil: Callable[[Path], object], message: str) -> None:
    spoil(folder)
    with pytest.raises(ModelRefused, match=message):
        Network(folder, "cpu")


def test_an_index_names_files_of_its_own_folder(folder: Path) -> None:
    (folder / WEIGHTS).rename(folder.parent / "outside.safetensors")
    (folder / INDEX).write_text(json.dumps({"weight_map": {"a": "../outside.safetensors"}}))
    with pytest.raises(ModelRefused, match="same folder"):
        check(folder)


def test_weights_without_a_kind_are_refused_before_they_are_counted(folder: Path) -> None:
    content = (folder / WEIGHTS).read_bytes()
    (folder / WEIGHTS).write_bytes(content.replace(b'"dtype"', b'"dtypo"', 1))
    with pytest.raises(ModelRefused, match="its header cannot be read"):
        parameters_of(folder)


def test_weights_that_do_not_fit_are_refused_rather_than_drawn_at_random(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "num_hidden_layers": 3}))
    with pytest.raises(ModelRefused, match="do not fit"):
        Network(folder, "cpu")


@pytest.mark.parametrize("name", ["pytorch_model.bin", "optimizer.pt", "training_args.bin", "model.ckpt", "state.pkl"])
def test_a_pickle_beside_the_weights_is_left_alone(folder: Path, name: str) -> None:
    before, plain = digest_of(folder), embedded(folder)
    (folder / name).write_bytes(pickle.dumps(Bomb(folder / "sprung")))
    assert digest_of(folder) == before
    assert embedded(folder) == plain
    assert not (folder / "sprung").exists()


@pytest.mark.parametrize("architecture", ["trap", "bert"], ids=["of its own", "a known one"])
def test_code_of_the_folder_is_never_run(folder: Path, architecture: str) -> None:
    """A folder with an architecture of its own is refused; one that only offers other code is read without it."""
    plain = embedded(folder)
    for name in ("modeling_trap", "configuration_trap", "tokenization_trap"):
        (folder / f"{name}.py").write_text(f"open({str(folder / 'sprung')!r}, 'w')")
    edited(
        folder / "config.json",
        model_type=architecture,
        trust_remote_code=True,
        auto_map={
            "AutoConfig": "configuration_trap.Trap",
            "AutoModel": "modeling_trap.Trap",
        },
    )
    edited(folder / "tokenizer_config.json", auto_map={"AutoTokenizer": ["tokenization_trap.Trap", None]})
    if architecture == "trap":
        with pytest.raises(ModelRefused, match="no architecture 'trap'"):
            Network(folder, "cpu")
    else:
        assert embedded(folder) == plain
    assert not (folder / "sprung").exists()


def embedded(folder: Path) -> bytes:
    ((_, vectors),) = Network(folder, "cpu").embed(["the cat of york"], 64, "mean")
    return vectors.tobytes()


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda folder: (folder / WEIGHTS).write_bytes(b"\x80\x04"), "pickle under a false name"),
        (lambda folder: (folder / WEIGHTS).write_bytes((folder / WEIGHTS).read_bytes()[:900]), "cut short"),
        (lambda folder: (folder / WEIGHTS).unlink(), "holds no weights"),
        (lambda folder: (folder / "config.json").unlink(), "lacks config.json"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "holds no tokeniser"),
        (lambda folder: shutil.rmtree(folder), "No folder .* is on this machine"),
    ],
)
def test_an_experiment_on_a_spoiled_folder_says_so_and_leaves_nothing(
    folder: Path, spoil: Callable[[Path], object], message: str, store: Store
) -> None:
    experiment = Experiment(
        attack=KeywordInference(rivals=False),
        dataset=Sentences(count=40, share=0.5),
        model=Encoder(source=str(folder)),
        game=Inference(shadow_share=0.5),
    )
    spoil(folder)
    with pytest.raises((ModelRefused, ModelUnavailable), match=message) as caught:
        run(experiment, context(store))
    assert str(folder) in str(caught.value)
    assert store.results() == []


def test_a_folder_that_is_not_there_is_said() -> None:
    with pytest.raises(ModelUnavailable, match="No folder"):
        obtain("./nowhere")


def test_an_unreachable_hub_is_reported_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(time, "sleep", lambda _: pytest.fail("it waits before it tries again"))
    with pytest.raises(ModelUnavailable, match="hub cannot be reached"):
        obtain("nobody/nothing")
