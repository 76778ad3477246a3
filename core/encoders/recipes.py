"""How the small encoders of our own are built: an architecture, its usual tokeniser, and how long it is trained."""

import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from core.errors import InvalidSpec, suggestion

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from transformers import PreTrainedModel, PreTrainedTokenizerFast

Architecture = Literal["bert", "gpt2", "xlnet"]

LONGEST = 256
"""Tokens that a small encoder has positions for."""

_ALPHABET = 160
"""Different characters that WordPiece knows; rarer ones are unknown to it."""

_SPECIAL: dict[Architecture, dict[str, str]] = {
    "bert": {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"},
    "gpt2": {"eos": "<|endoftext|>", "bos": "<|endoftext|>", "unk": "<|endoftext|>"},
    "xlnet": {"pad": "<pad>", "unk": "<unk>", "cls": "<cls>", "sep": "<sep>", "mask": "<mask>"},
}


@dataclass(frozen=True)
class Recipe:
    """All that determines a small encoder besides its training texts.

    Attributes:
        name: Name of the encoder and of its folder.
        architecture: Whose layers and objective it has: BERT predicts masked tokens (Devlin et al. 2019), GPT-2 the
            next token (Radford et al. 2019), XLNet tokens in a random order (Yang et al. 2019).
        steps: Steps of the optimiser; 0 leaves the random weights.
        contrast: Weight of the second objective, to tell a text's neighbour from the other texts of the batch by the
            mean of its hidden states (van den Oord et al. 2018); 0 for none.
        width: Dimension of the hidden states.
        layers: Transformer blocks, of four attention heads each.
        vocabulary: Tokens.
        pairs: Pairs of neighbouring texts in a batch.
        rate: Highest learning rate.
        seed: Source of all randomness.
    """

    name: str
    architecture: Architecture
    steps: int
    contrast: float = 0.0
    width: int = 128
    layers: int = 3
    vocabulary: int = 7168
    pairs: int = 48
    rate: float = 2e-3
    seed: int = 1


RECIPES = {
    recipe.name: recipe
    for recipe in (
        Recipe("small_bert", "bert", steps=800, contrast=0.5),
        Recipe("small_gpt2", "gpt2", steps=800),
        Recipe("small_xlnet", "xlnet", steps=800),
        Recipe("untrained_bert", "bert", steps=0),
        Recipe("untrained_gpt2", "gpt2", steps=0),
        Recipe("untrained_xlnet", "xlnet", steps=0),
    )
}


def recipe_of(name: str) -> Recipe:
    """Return the recipe of a small encoder.

    Raises:
        InvalidSpec: There is none of that name.
    """
    if name not in RECIPES:
        raise InvalidSpec(f"No small encoder is named {name!r}.{suggestion(name, RECIPES)}", "name")
    return RECIPES[name]


def tokeniser(recipe: Recipe, texts: Sequence[str]) -> "PreTrainedTokenizerFast":
    """Train the tokeniser that the architecture is known for, byte-level BPE for GPT-2 and WordPiece for BERT.

    XLNet's own, Unigram, comes out otherwise each time it is trained, so ours cuts as BERT does, and puts the special
    tokens at the end as XLNet does. Every letter and digit of ASCII is a token; WordPiece cuts numbers into digits.
    """
    from transformers import PreTrainedTokenizerFast

    special = _SPECIAL[recipe.architecture]
    names = list(dict.fromkeys(special.values()))
    if recipe.architecture == "gpt2":
        backend = _byte_pairs(recipe, texts, names)
    else:
        cls, sep = special["cls"], special["sep"]
        frame = f"$A {sep} {cls}" if recipe.architecture == "xlnet" else f"{cls} $A {sep}"
        backend = _framed(_word_pieces(recipe, texts, names, special["unk"]), frame, [cls, sep])
    return PreTrainedTokenizerFast(
        tokenizer_object=backend,
        model_max_length=LONGEST,
        padding_side="left" if recipe.architecture == "xlnet" else "right",
        # None of them learns to tell a first text from a second.
        model_input_names=["input_ids", "attention_mask"],
        **{f"{role}_token": token for role, token in special.items()},
    )


def network(recipe: Recipe, tokenizer: "PreTrainedTokenizerFast") -> "PreTrainedModel":
    """Return the architecture with the head of its objective, its weights drawn with the recipe's seed."""
    import torch
    from transformers import (
        BertConfig,
        BertForMaskedLM,
        GPT2Config,
        GPT2LMHeadModel,
        XLNetConfig,
        XLNetLMHeadModel,
    )

    width, layers, size = recipe.width, recipe.layers, len(tokenizer)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(recipe.seed)
        match recipe.architecture:
            case "bert":
                return BertForMaskedLM(
                    BertConfig(
                        vocab_size=size,
                        hidden_size=width,
                        num_hidden_layers=layers,
                        num_attention_heads=4,
                        intermediate_size=4 * width,
                        max_position_embeddings=LONGEST,
                        type_vocab_size=1,
                        hidden_dropout_prob=0.0,
                        attention_probs_dropout_prob=0.0,
                        pad_token_id=tokenizer.pad_token_id,
                    )
                )
            case "gpt2":
                end = tokenizer.eos_token_id
                return GPT2LMHeadModel(
                    GPT2Config(
                        vocab_size=size,
                        n_embd=width,
                        n_layer=layers,
                        n_head=4,
                        n_positions=LONGEST,
                        bos_token_id=end,
                        eos_token_id=end,
                        resid_pdrop=0.0,
                        embd_pdrop=0.0,
                        attn_pdrop=0.0,
                    )
                )
            case "xlnet":
                return XLNetLMHeadModel(
                    XLNetConfig(
                        vocab_size=size,
                        d_model=width,
                        n_layer=layers,
                        n_head=4,
                        d_inner=4 * width,
                        dropout=0.0,
                        pad_token_id=tokenizer.pad_token_id,
                    )
                )


def _word_pieces(recipe: Recipe, texts: Sequence[str], special: list[str], unknown: str) -> "Tokenizer":
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

    backend = Tokenizer(models.WordPiece(unk_token=unknown))
    backend.normalizer = normalizers.BertNormalizer(lowercase=True)
    steps: list[Any] = [pre_tokenizers.BertPreTokenizer(), pre_tokenizers.Digits(individual_digits=True)]
    backend.pre_tokenizer = pre_tokenizers.Sequence(steps)
    backend.decoder = decoders.WordPiece()
    # The trainer numbers signs in no fixed order, and settles ties by their numbers; so they are numbered for it.
    counts = Counter(backend.normalizer.normalize_str(" ".join(texts)))
    common = sorted(set(counts) - set(string.whitespace), key=lambda sign: (-counts[sign], sign))[:_ALPHABET]
    alphabet = sorted({*common, *string.ascii_lowercase, *string.digits})
    trainer = trainers.WordPieceTrainer(
        vocab_size=recipe.vocabulary,
        special_tokens=[*special, *alphabet, *(f"##{sign}" for sign in alphabet)],
        limit_alphabet=len(alphabet),
        initial_alphabet=alphabet,
        show_progress=False,
    )
    backend.train_from_iterator(texts, trainer)
    plain = Tokenizer(models.WordPiece(backend.get_vocab(), unk_token=unknown))
    plain.normalizer, plain.pre_tokenizer, plain.decoder = backend.normalizer, backend.pre_tokenizer, backend.decoder
    return plain


def _byte_pairs(recipe: Recipe, texts: Sequence[str], special: list[str]) -> "Tokenizer":
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    backend.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=recipe.vocabulary,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    backend.train_from_iterator(texts, trainer)
    return backend


def _framed(backend: "Tokenizer", frame: str, tokens: list[str]) -> "Tokenizer":
    """Put the special tokens of the architecture around every text."""
    from tokenizers import processors

    backend.post_processor = processors.TemplateProcessing(
        single=frame, special_tokens=[(token, backend.token_to_id(token)) for token in tokens]
    )
    return backend
