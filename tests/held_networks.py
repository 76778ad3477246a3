"""Tiny sentence encoders and translators in folders, as people bring them, and documents some were trained on."""

import json
import warnings
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from core.encoders.objectives import contrast
from core.encoders.recipes import Recipe, tokeniser
from tests.games.audit.marked import VOCABULARY

MARKS = ["in", "out", "in", "out", ""] * 32
_WIDTH = 32


def passages(marks: Sequence[str] = MARKS, seed: int = 0) -> pd.DataFrame:
    """Return documents of two sentences of random words."""
    rng = np.random.default_rng(seed)
    texts = [
        " ".join(" ".join(rng.choice(VOCABULARY, 6)).capitalize() + "." for _ in range(2)) for _ in range(len(marks))
    ]
    return pd.DataFrame({"text": texts, "member": marks})


def translations(marks: Sequence[str] = MARKS, seed: int = 1) -> pd.DataFrame:
    """Return sentences of random words, each with as many other random words as its translation."""
    rng = np.random.default_rng(seed)
    sides = {side: [" ".join(rng.choice(VOCABULARY, 6)) for _ in marks] for side in ("text", "german")}
    return pd.DataFrame({**sides, "member": marks})


def encoder(folder: Path) -> Path:
    """Write a random BERT with a tokeniser of our words; return its folder."""
    import torch
    from transformers import BertConfig, BertModel

    words = tokeniser(Recipe("tiny", "bert", steps=0, width=_WIDTH, layers=1, vocabulary=400), [" ".join(VOCABULARY)])
    torch.manual_seed(0)
    plain: dict[str, Any] = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    size = {"hidden_size": _WIDTH, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": _WIDTH}
    BertModel(BertConfig(vocab_size=len(words), max_position_embeddings=64, **size, **plain)).save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def saved(folder: Path, pooling: str = "mean", unit: bool = False, dense: Sequence[str] = (), **settings: Any) -> Path:
    """Write a random encoder as sentence-transformers does; return its folder.

    Args:
        folder: Where it is written.
        pooling: What the library calls the pooling.
        unit: Whether vectors are scaled to length one.
        dense: Activation of each dense layer of eight numbers, as torch calls it.
        settings: Further arguments of the library's model.
    """
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Dense, Normalize, Pooling, Transformer

    torch.manual_seed(2)
    sizes = pairwise([_WIDTH, *[8 for _ in dense]])
    layers = [
        Dense(*size, activation_function=getattr(torch.nn, name)()) for size, name in zip(sizes, dense, strict=True)
    ]
    network = Transformer(str(encoder(folder / "plain")))
    modules = [network, Pooling(_WIDTH, pooling_mode=pooling), *layers, *([Normalize()] * unit)]
    SentenceTransformer(modules=modules, device="cpu", **settings).save(str(folder / "saved"))
    return folder / "saved"


def brought_together(base: Path, pairs: Sequence[tuple[str, str]], folder: Path, epochs: int = 12) -> Path:
    """Write the encoder once the texts of each pair are brought together, by the mean of the hidden states."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    words, model = AutoTokenizer.from_pretrained(base), AutoModel.from_pretrained(base)
    torch.manual_seed(1)
    optimiser, rng = torch.optim.Adam(model.parameters(), lr=3e-3), np.random.default_rng(1)
    for _ in range(epochs):
        order = rng.permutation(len(pairs))
        for start in range(0, len(order), 16):
            chosen = [pairs[row] for row in order[start : start + 16]]
            read = words([first for first, _ in chosen] + [second for _, second in chosen], padding=True)
            mask = np.array(read["attention_mask"])
            hidden = model(torch.tensor(read["input_ids"]), attention_mask=torch.tensor(mask)).last_hidden_state
            optimiser.zero_grad()
            contrast(hidden, mask > 0).backward()
            optimiser.step()
    model.save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def translator(folder: Path) -> Path:
    """Write a random model that turns a text into a text, with a tokeniser of whole words; return its folder."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

    special = ["<pad>", "</s>", "<unk>"]
    whole = Tokenizer(
        models.WordLevel({word: row for row, word in enumerate([*special, *VOCABULARY])}, unk_token="<unk>")
    )
    whole.pre_tokenizer = pre_tokenizers.Whitespace()
    whole.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    words = PreTrainedTokenizerFast(
        tokenizer_object=whole, pad_token="<pad>", eos_token="</s>", unk_token="<unk>", model_max_length=64
    )
    torch.manual_seed(0)
    ends: dict[str, Any] = {"pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0}
    ends |= {"vocab_size": len(words), "d_model": _WIDTH}
    model = T5ForConditionalGeneration(
        T5Config(d_kv=16, d_ff=2 * _WIDTH, num_layers=1, num_heads=2, dropout_rate=0.0, **ends)
    )
    model.save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def marian(folder: Path, separate: bool = False) -> Path:
    """Write a random Marian model with its own tokeniser, by SentencePiece; return its folder.

    Args:
        folder: Where it is written.
        separate: Whether the two languages have vocabularies of their own.
    """
    import torch
    from sentencepiece import SentencePieceProcessor, SentencePieceTrainer
    from transformers import MarianConfig, MarianMTModel, MarianTokenizer

    folder.mkdir()
    files = {"source_spm": "source.spm", "target_spm": "target.spm", "vocab": "vocab.json"}
    files |= {"target_vocab_file": "target_vocab.json"} if separate else {}
    paths = {name: str(folder / file) for name, file in files.items()}
    pieces: list[list[str]] = []
    for side, words in (("source", VOCABULARY[::2]), ("target", VOCABULARY[1::2])):
        with (folder / f"{side}.spm").open("wb") as written:
            how: dict[str, Any] = {"model_writer": written, "vocab_size": 45, "minloglevel": 2}
            SentencePieceTrainer.train(sentence_iterator=iter([" ".join(words)] * 2), **how)
        read = SentencePieceProcessor(model_file=paths[f"{side}_spm"])
        pieces.append([read.id_to_piece(number) for number in range(read.get_piece_size())])
    sides = pieces if separate else [[*pieces[0], *pieces[1]]]
    vocabularies = [list(dict.fromkeys(["</s>", "<unk>", *of_side, "<pad>"])) for of_side in sides]
    for file, vocabulary in zip(("vocab.json", "target_vocab.json"), vocabularies, strict=False):
        (folder / file).write_text(json.dumps({piece: row for row, piece in enumerate(vocabulary)}))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Recommended: pip install sacremoses")
        tokenizer = MarianTokenizer(**paths, separate_vocabs=separate, model_max_length=64)
    size: dict[str, Any] = {"d_model": _WIDTH, "max_position_embeddings": 64, "dropout": 0.0}
    for side in ("encoder", "decoder"):
        size |= {f"{side}_layers": 1, f"{side}_ffn_dim": 2 * _WIDTH, f"{side}_attention_heads": 2}
    first, last = vocabularies[0], vocabularies[-1]
    ends = {"eos_token_id": 0, "forced_eos_token_id": 0, "pad_token_id": first.index("<pad>")}
    ends |= {"decoder_start_token_id": last.index("<pad>"), "decoder_vocab_size": len(last)}
    shared = {"share_encoder_decoder_embeddings": not separate, "tie_word_embeddings": not separate}
    torch.manual_seed(0)
    MarianMTModel(MarianConfig(vocab_size=len(first), **size, **ends, **shared)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def taught(base: Path, pairs: Sequence[tuple[str, str]], folder: Path, epochs: int = 40) -> Path:
    """Write the model once it is trained to turn the first text of each pair into the second."""
    import torch
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    words, model = AutoTokenizer.from_pretrained(base), AutoModelForSeq2SeqLM.from_pretrained(base)
    torch.manual_seed(1)
    optimiser, rng = torch.optim.Adam(model.parameters(), lr=5e-3), np.random.default_rng(1)
    sides = (
        words([pair[0] for pair in pairs], padding=True),
        words(text_target=[pair[1] for pair in pairs], padding=True),
    )
    sources, targets = (torch.tensor(side["input_ids"]) for side in sides)
    present = torch.tensor(sides[0]["attention_mask"])
    targets[torch.tensor(sides[1]["attention_mask"]) == 0] = -100
    for _ in range(epochs):
        order = torch.from_numpy(rng.permutation(len(pairs)))
        for chosen in order.split(16):
            optimiser.zero_grad()
            read = {"input_ids": sources[chosen], "attention_mask": present[chosen]}
            model(**read, labels=targets[chosen]).loss.backward()
            optimiser.step()
    model.save_pretrained(folder)
    words.save_pretrained(folder)
    return folder
