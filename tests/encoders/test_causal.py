"""Causal language models in folders: known losses, what is cut off, and what is never let in."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from core.encoders.causal import CausalNetwork, opened
from core.encoders.folders import WEIGHTS
from core.encoders.loading import check_causal
from core.encoders.safety import parameters_of
from core.errors import ModelRefused
from tests.encoders.tiny import edited, tiny
from tests.games.audit.marked import VOCABULARY
from tests.language_models import SCALED, causal

TEXTS = ["balan cemer dinis", "", "Fopok", "gulan hamer banis cepok dilan fomer gunis hapok balan", "cemer balan"]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return causal(tmp_path_factory.mktemp("sound") / "model")


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "model"))


@pytest.mark.parametrize("architecture", ["gpt2", "llama", "gpt_neox"])
def test_losses_are_those_that_the_model_gives_one_text_at_a_time(architecture: str, tmp_path: Path) -> None:
    network = CausalNetwork(causal(tmp_path / "model", architecture), "cpu")
    documents = [tokens for tokens, _ in network.tokens(TEXTS, 64)]
    losses, standings = network.losses(documents), network.standings(documents)
    for tokens, measured, standing in zip(documents, losses, standings, strict=True):
        assert len(measured) == len(tokens) == len(standing)
        if not len(tokens):
            continue
        read = torch.tensor([[network.begins, *tokens.tolist()]])
        with torch.inference_mode():
            logs = network.model(read).logits[0, :-1].log_softmax(dim=1)
        np.testing.assert_allclose(measured, -logs[range(len(tokens)), tokens].numpy(), rtol=1e-4)
        mean = (logs.exp() * logs).sum(dim=1)
        spread = ((logs.exp() * (logs - mean[:, None]) ** 2).sum(dim=1)).sqrt()
        np.testing.assert_allclose(standing, np.stack([measured, mean, spread], axis=1), rtol=2e-3, atol=1e-3)


@pytest.mark.parametrize("architecture", ["dynamic", "longrope"])
def test_a_text_is_read_by_the_same_rotary_frequencies_in_any_company(architecture: str, tmp_path: Path) -> None:
    folder = causal(tmp_path / "model", architecture)
    network, rng = CausalNetwork(folder, "cpu"), np.random.default_rng(0)
    texts = [" ".join(rng.choice(VOCABULARY, words)) for words in (10, 60, 2 * SCALED, 3)]
    cut = [*network.tokens(texts, 64), *network.tokens(texts, SCALED)]
    assert [was_cut for _, was_cut in cut] == 2 * [False, True, True, False], "longer ones are cut, and that is counted"
    together = network.losses([tokens for tokens, _ in cut])
    for (tokens, _), measured in zip(cut, together, strict=True):
        alone = CausalNetwork(folder, "cpu")
        read = np.array([[alone.begins, *tokens[:-1].tolist()]])  # not padded
        with torch.inference_mode():
            logs = alone.scores(read)[0].log_softmax(dim=1)
        np.testing.assert_allclose(measured, -logs[range(len(tokens)), tokens].numpy(), rtol=1e-4)
        assert network.losses([tokens])[0].tobytes() == measured.tobytes()


def test_neither_order_nor_company_changes_a_bit(sound: Path) -> None:
    network = CausalNetwork(sound, "cpu")
    documents = [tokens for tokens, _ in network.tokens(TEXTS * 30, 64)]
    every = network.losses(documents)
    assert network.losses(documents[3:4])[0].tobytes() == every[3].tobytes()
    assert [row.tobytes() for row in network.losses(documents[::-1])] == [row.tobytes() for row in every[::-1]]


@pytest.mark.parametrize("threads", [1, 3])
def test_neither_threads_nor_the_cache_change_a_bit(threads: int, sound: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network = CausalNetwork(sound, "cpu")
    documents = [tokens for tokens, _ in network.tokens(TEXTS * 30, 64)]
    before = torch.get_num_threads()
    every = network.losses(documents), network.standings(documents)
    monkeypatch.setattr("core.encoders.causal._IN_CACHE", 5 * network.vocabulary)
    torch.set_num_threads(threads)
    try:
        again = network.losses(documents), network.standings(documents)
    finally:
        torch.set_num_threads(before)
    for read, other in zip(every, again, strict=True):
        assert [row.tobytes() for row in read] == [row.tobytes() for row in other]


def test_words_are_cut_together_as_each_document_alone(sound: Path) -> None:
    network = CausalNetwork(sound, "cpu")
    documents = [text.split() for text in TEXTS]
    alone = [cut for words in documents for cut in network.tokens_of_words([words], 9)]
    for one, other in zip(network.tokens_of_words(documents, 9), alone, strict=True):
        assert [part.tolist() for part in one] == [part.tolist() for part in other]
    assert network.tokens_of_words([], 9) == []


def test_what_is_longer_is_cut_at_the_limit_or_at_the_models_own(sound: Path) -> None:
    network = CausalNetwork(sound, "cpu")
    long = "balan cemer " * 60
    (short, kept), (cut, was_cut) = network.tokens(["balan", long], 10)
    assert (len(short), kept, len(cut), was_cut) == (len(network.tokens(["balan"], 99)[0][0]), False, 10, True)
    ((most, _),) = network.tokens([long], 1000)
    assert len(most) == network.longest == 64
    assert len(network.losses([most])[0]) == 64


@pytest.mark.parametrize("limit", [[1.0], 0, "many"])
def test_a_tokeniser_that_says_no_number_of_tokens_is_refused(folder: Path, limit: object) -> None:
    edited(folder / "tokenizer_config.json", model_max_length=limit)
    with pytest.raises(ModelRefused, match="'model_max_length' of its tokeniser is"):
        CausalNetwork(folder, "cpu")


def test_it_counts_the_parameters_without_loading_them(sound: Path) -> None:
    assert parameters_of(sound) == sum(part.numel() for part in CausalNetwork(sound, "cpu").model.parameters())


def pickled(folder: Path) -> None:
    (folder / WEIGHTS).unlink()
    torch.save({}, folder / "pytorch_model.bin")


def adapter(folder: Path) -> None:
    (folder / "config.json").unlink()
    (folder / WEIGHTS).rename(folder / "adapter_model.safetensors")
    (folder / "adapter_config.json").write_text("{}")


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (pickled, "pickle only .*AutoModelForCausalLM.*save_pretrained"),
        (lambda folder: edited(folder / "config.json", auto_map={"AutoModel": "own.Own"}), "auto_map.*never run"),
        (lambda folder: edited(folder / "tokenizer_config.json", auto_map={"AutoTokenizer": "o.O"}), "never run"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "no tokeniser"),
        (lambda folder: edited(folder / "config.json", n_layer=10**7), "'n_layer'.*at most 1,000"),
        (
            lambda folder: edited(folder / "config.json", architectures=["T5Model"]),
            "names T5Model.*multilabel_inversion",
        ),
        (lambda folder: edited(folder / "config.json", architectures=None), "names no architecture"),
        (adapter, "adapter for another model.*merge_and_unload"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_loaded(
    folder: Path, spoil: Callable[[Path], object], says: str
) -> None:
    spoil(folder)
    with pytest.raises(ModelRefused, match=says):
        check_causal(folder)


def test_an_encoder_is_refused_with_the_command_that_reads_it(tmp_path: Path) -> None:
    with pytest.raises(ModelRefused, match=r"names BertModel\. An encoder is read by .*multilabel_inversion"):
        check_causal(tiny(tmp_path / "bert"))


def test_a_model_that_looks_ahead_is_refused(tmp_path: Path) -> None:
    from transformers import BertConfig, BertLMHeadModel

    folder = tiny(tmp_path / "bert")
    config = BertConfig.from_pretrained(folder)
    BertLMHeadModel(config).save_pretrained(folder)
    with pytest.raises(ModelRefused, match="depends on later tokens"):
        CausalNetwork(folder, "cpu")


def test_weights_of_another_architecture_do_not_fit(folder: Path) -> None:
    edited(folder / "config.json", n_layer=2)
    with pytest.raises(ModelRefused, match="do not fit"):
        CausalNetwork(folder, "cpu")


def test_probabilities_that_are_no_numbers_are_refused(sound: Path) -> None:
    network = CausalNetwork(sound, "cpu")
    network.model.transformer.ln_f.weight.data.fill_(float("nan"))
    with pytest.raises(ModelRefused, match="no finite numbers"):
        network.losses([np.arange(5)])


def test_weights_that_are_no_numbers_are_refused_as_such(folder: Path) -> None:
    """Not as a model that sees later tokens."""
    from transformers import GPT2LMHeadModel

    model = GPT2LMHeadModel.from_pretrained(folder)
    model.transformer.ln_f.weight.data.fill_(float("nan"))
    model.save_pretrained(folder)
    with pytest.raises(ModelRefused, match="no finite numbers"):
        CausalNetwork(folder, "cpu")


@pytest.mark.usefixtures("with_trial")
def test_a_strange_folder_is_tried_in_a_process_of_its_own(sound: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []

    class Done:
        returncode = 3
        stdout = b"It is a trap."

    monkeypatch.setattr("subprocess.run", lambda command, **_: commands.append(command) or Done())
    with pytest.raises(ModelRefused, match=r"It is a trap\."):
        opened(sound, "cpu")
    assert commands[0][-2:] == [str(sound), "causal"]
