"""How many sentences a second are translated: batched with a cache, one by one without, and by transformers' Marian."""

import json
import time
from collections.abc import Callable
from functools import partial

import numpy as np
import torch
from transformers import MarianConfig, MarianMTModel

from core.networks.beam_search import limits, search
from core.networks.transformer import Shape, Transformer
from core.networks.translation import initial, restored, with_ends
from core.text.subwords import BOUNDARY, PADDING

SHAPE = Shape(3000, 3000, tied=True, layers=2, dimension=128, heads=4, feed_forward=512, dropout=(0.1, 0.1))
PIECES = 12
BATCH = 64
ALONE = 4
ROUNDS = 7


def run() -> None:
    """Let all translate sentences of one length into as many tokens, in turns, and print one line of JSON."""
    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    sentences = with_ends([rng.integers(BOUNDARY + 1, SHAPE.sources, PIECES) for _ in range(BATCH)])
    tokens = int(limits(sentences).max())
    ours = restored(SHAPE, initial(SHAPE, 0)).eval().requires_grad_(requires_grad=False)
    with torch.no_grad():
        ours.output.bias[BOUNDARY] = -1e4  # so that no translation ends before its limit
    racers: dict[str, tuple[int, Callable[[], torch.Tensor]]] = {
        "batched_with_cache": (BATCH, lambda: search(ours, sentences, 1)[0]),
        "one_by_one_without_cache": (ALONE, partial(without_cache, ours, sentences[:ALONE], tokens)),
        "marian_generate": (BATCH, partial(generate, marian(), sentences, tokens)),
    }
    seconds: dict[str, list[float]] = {name: [] for name in racers}
    translations: dict[str, torch.Tensor] = {}
    for number in range(ROUNDS + 1):
        for name, (_, translate) in racers.items():
            start = time.perf_counter()
            translations[name] = translate()
            if number:  # the first round warms up
                seconds[name].append(time.perf_counter() - start)
    lengths = {name: int((batch != PADDING).sum(dim=1).unique()) for name, batch in translations.items()}
    if set(lengths.values()) != {tokens}:
        raise SystemExit(f"Translations have {lengths} tokens, and should all have {tokens}.")
    if not torch.equal(translations["batched_with_cache"][:ALONE], translations["one_by_one_without_cache"]):
        raise SystemExit("With and without a cache, translations are not the same.")
    each = {name: np.array(seconds[name]) / racers[name][0] for name in racers}
    batched = each["batched_with_cache"]
    line = {
        "name": "translation",
        "ratio": round(float(np.median(each["one_by_one_without_cache"] / batched)), 1),
        "compared": (
            f"seconds to translate a sentence of {PIECES} pieces greedily into {tokens} tokens, one thread: one by one "
            f"without a cache over batches of {BATCH} with one; {SHAPE.layers} and {SHAPE.layers} layers of "
            f"{SHAPE.dimension} units, {SHAPE.targets} pieces, untrained"
        ),
        "figures": {
            **{f"{name}_sentences_per_second": round(float(1 / np.median(each[name])), 1) for name in racers},
            "marian_generate_over_ours": round(float(np.median(each["marian_generate"] / batched)), 2),
        },
    }
    print(json.dumps(line))


def without_cache(network: Transformer, sentences: torch.Tensor, tokens: int) -> torch.Tensor:
    """Translate each sentence alone, reading it and all that was written again for each token."""
    translated = []
    with torch.inference_mode():
        for sentence in sentences:
            written = [BOUNDARY]
            for _ in range(tokens):
                scores = network.output(network(sentence[None], torch.tensor([written]))[0, -1])
                scores[PADDING] = -torch.inf
                written.append(int(scores.argmax()))
            translated.append(torch.tensor(written[1:]))
    return torch.stack(translated)


def marian() -> MarianMTModel:
    """Return an untrained network of the same size by transformers."""
    config = MarianConfig(
        vocab_size=SHAPE.targets,
        d_model=SHAPE.dimension,
        encoder_layers=SHAPE.layers,
        decoder_layers=SHAPE.layers,
        encoder_attention_heads=SHAPE.heads,
        decoder_attention_heads=SHAPE.heads,
        encoder_ffn_dim=SHAPE.feed_forward,
        decoder_ffn_dim=SHAPE.feed_forward,
        activation_function="relu",
        max_position_embeddings=256,
        scale_embedding=True,
        pad_token_id=PADDING,
        eos_token_id=BOUNDARY,
        decoder_start_token_id=BOUNDARY,
        forced_eos_token_id=None,
    )
    torch.manual_seed(0)
    return MarianMTModel(config).eval()


def generate(network: MarianMTModel, sentences: torch.Tensor, tokens: int) -> torch.Tensor:
    """Translate greedily into so many tokens."""
    translated: torch.Tensor = network.generate(
        sentences,
        attention_mask=torch.ones_like(sentences),
        do_sample=False,
        num_beams=1,
        min_new_tokens=tokens,
        max_new_tokens=tokens,
    )
    return translated[:, 1:]


if __name__ == "__main__":
    run()
