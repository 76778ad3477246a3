"""Tiny causal language models in folders, as people bring them, and documents that some of them were trained on."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from core.encoders.causal import CausalNetwork
from core.encoders.recipes import Recipe, tokeniser
from core.networks.language.fine_tuning import FineTuning, fine_tune
from tests.games.audit.marked import VOCABULARY

TRAINED = FineTuning(epochs=6, batch=8, learning_rate=3e-3, decay="linear", tokens=64)
"""How models are fine-tuned on the documents that are in."""
SCALED = 21
"""Tokens beyond which rotary frequencies depend on the longest text of a batch; no length that texts are padded to."""


def documents(marks: Sequence[str], owners: int = 0, seed: int = 0) -> pd.DataFrame:
    """Return documents of some words in a random order, with a capital now and then.

    Args:
        marks: The mark of each document.
        owners: Number of owners, each with as many documents in a row; 0 for none.
        seed: Source of the words.
    """
    rng = np.random.default_rng(seed)
    rows = []
    for number, mark in enumerate(marks):
        words = [str(word) for word in rng.choice(VOCABULARY, 14)]
        text = " ".join(word.capitalize() if rng.random() < 0.2 else word for word in words)
        owner = {"owner": f"owner {number * owners // len(marks)}"} if owners else {}
        rows.append({"text": text, "member": mark, **owner})
    return pd.DataFrame(rows)


def causal(folder: Path, architecture: str = "gpt2", vocabulary: int = 500) -> Path:
    """Write a random language model of an architecture with a tokeniser of our words; return its folder.

    Args:
        folder: Where to.
        architecture: A kind of model, or of rotary frequencies.
        vocabulary: Most tokens.
    """
    import torch
    import transformers as hf

    width, text = 24, " ".join(VOCABULARY)
    words = tokeniser(Recipe("tiny", "gpt2", steps=0, width=width, layers=1, vocabulary=vocabulary), [text])
    special = {"bos_token_id": words.eos_token_id, "eos_token_id": words.eos_token_id, "vocab_size": len(words)}
    common: dict[str, Any] = {"hidden_size": width, "num_hidden_layers": 1, "num_attention_heads": 2, **special}
    common |= {"intermediate_size": 2 * width, "max_position_embeddings": 64}
    torch.manual_seed(0)
    match architecture:
        case "llama":
            model: Any = hf.LlamaForCausalLM(hf.LlamaConfig(**common, num_key_value_heads=1))
        case "dynamic":
            scaled = {"rope_type": "dynamic", "factor": 4.0, "rope_theta": 100.0}
            model = hf.LlamaForCausalLM(
                hf.LlamaConfig(**common | {"max_position_embeddings": SCALED}, rope_parameters=scaled)
            )
        case "longrope":
            factors = {"short_factor": [1.0] * (width // 4), "long_factor": [9.0] * (width // 4)}
            scaled = {"rope_type": "longrope", "rope_theta": 100.0} | factors
            common |= {"original_max_position_embeddings": SCALED, "pad_token_id": 0, "initializer_range": 0.5}
            model = hf.Phi3ForCausalLM(hf.Phi3Config(**common, rope_parameters=scaled))
        case "gpt_neox":
            model = hf.GPTNeoXForCausalLM(hf.GPTNeoXConfig(**common))
        case _:
            plain = {"resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0, "n_positions": 64}
            model = hf.GPT2LMHeadModel(hf.GPT2Config(n_embd=width, n_layer=1, n_head=2, **special, **plain))
    model.save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def tuned(base: Path, texts: Sequence[str], folder: Path, how: FineTuning = TRAINED) -> Path:
    """Write the base once it is fine-tuned on texts."""
    network = CausalNetwork(base, "cpu")
    fine_tune(network, texts, how, np.random.default_rng(1))
    network.model.save_pretrained(folder)
    network._tokenizer.save_pretrained(folder)
    return folder
