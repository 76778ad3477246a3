"""Trains the small encoders of our own; run with ``python -m core.encoders.pretraining NAME`` or ``--all``."""

import argparse
import json
import math
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.datasets import Dataset
from core.encoders.checkpoints import keep, resume
from core.encoders.folders import digests_of, locate, summed
from core.encoders.objectives import Tokens, causal, contrast, masked, permuted
from core.encoders.recipes import RECIPES, Recipe, network, recipe_of, tokeniser
from core.errors import TelltaleError
from core.keys import key_of
from core.runtime.folders import home, writing

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedTokenizerFast

DATA = ("wikitext2", "wiki_split", "common_words")
WHOLE_WORDS = 2500
"""Common words that a tokeniser should not cut, even where the training texts are about other things."""
_REPEATED = 60
"""Times each of them is shown to the tokeniser, which is about as often as its rarest token occurs."""
TRAINED_TOKENS = 96
"""Longer texts are cut in training."""
_CHECKPOINT_EVERY = 100
_WARM_UP = 50
_SENTENCE_END = re.compile(r"(?<= [.!?]) (?=\S)")


def neighbours() -> list[tuple[str, str]]:
    """Return pairs of neighbouring sentences: WikiText-2's in turn, then WikiSplit's.

    Raises:
        DataUnavailable: They are neither on disk nor reachable.
        DataCorrupt: The bytes found are not the pinned ones.
    """
    pairs = []
    for text in Dataset.by_name("wikitext2")().load().texts:
        sentences = _SENTENCE_END.split(text)
        pairs += list(zip(sentences[::2], sentences[1::2], strict=False))
    split = Dataset.by_name("wiki_split")().load()
    for text in split.texts:
        first, second = text.split("\n")
        pairs.append((first, second))
    return pairs


def common_words() -> list[str]:
    """Return common English words, the most frequent first.

    Raises:
        DataUnavailable: They are neither on disk nor reachable.
        DataCorrupt: The bytes found are not the pinned ones.
    """
    words: tuple[str, ...] = Dataset.by_name("common_words")().load().words
    return list(words[:WHOLE_WORDS])


def pretrain(recipe: Recipe, pairs: list[tuple[str, str]], words: list[str], out: Path) -> Path:
    """Train a small encoder with one thread and write it as a folder that any loader of such folders reads.

    A run that was killed goes on from its last checkpoint and ends with the same bytes.

    Args:
        recipe: What to train.
        pairs: Neighbouring texts.
        words: Words that the tokeniser keeps whole.
        out: Folder to write, replacing what is there.

    Returns:
        The folder.

    Raises:
        StoreFull: No space is left.
        StoreReadOnly: The folder cannot be written.
    """
    import torch

    tokenizer = tokeniser(recipe, [text for pair in pairs for text in pair] + [" ".join(words)] * _REPEATED)
    model = network(recipe, tokenizer)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        loss = _train(recipe, model, tokenizer, pairs, out.with_name(f".{out.name}.checkpoint"))
    finally:
        torch.set_num_threads(threads)
    with writing(out.parent):
        out.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=out.parent, prefix=".") as name:
            fresh = Path(name) / out.name
            body: Any = model.base_model
            body.to(torch.float16).save_pretrained(fresh)
            tokenizer.save_pretrained(fresh)
            card = _card(recipe, len(pairs), loss, digests_of(fresh))
            (fresh / "card.json").write_text(json.dumps(card, indent=1) + "\n")
            for path in fresh.iterdir():
                path.chmod(0o644)
            shutil.rmtree(out, ignore_errors=True)
            fresh.rename(out)
        out.with_name(f".{out.name}.checkpoint").unlink(missing_ok=True)
    return out


def _train(
    recipe: Recipe, model: Any, tokenizer: "PreTrainedTokenizerFast", pairs: list[tuple[str, str]], checkpoint: Path
) -> float | None:
    """Take the recipe's steps; return the mean loss of the last hundred, or None when there are no steps."""
    import torch
    from tqdm import trange

    if not recipe.steps:
        return None
    encoded = [
        tokenizer([pair[side] for pair in pairs], truncation=True, max_length=TRAINED_TOKENS)["input_ids"]
        for side in (0, 1)
    ]
    optimiser = torch.optim.AdamW(model.parameters(), lr=recipe.rate, betas=(0.9, 0.98), weight_decay=0.01)
    of = key_of([repr(recipe), pairs])
    losses = resume(checkpoint, of, model, optimiser)
    start = len(losses)
    lengths = np.array([len(one) + len(other) for one, other in zip(*encoded, strict=True)])
    model.train()
    with trange(start, recipe.steps, initial=start, total=recipe.steps, desc=recipe.name, file=sys.stderr) as bar:
        for step in bar:
            chosen = _batch(recipe, lengths, step)
            batch = _padded(tokenizer, [encoded[side][pair] for side in (0, 1) for pair in chosen])
            for group in optimiser.param_groups:
                group["lr"] = recipe.rate * _schedule(step, recipe.steps)
            optimiser.zero_grad(set_to_none=True)
            loss = _loss(recipe, model, tokenizer, batch, np.random.default_rng([recipe.seed, 2, step]))
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            losses.append(loss.item())
            bar.set_postfix(loss=f"{np.mean(losses[-100:]):.3f}", refresh=False)
            if (step + 1) % _CHECKPOINT_EVERY == 0:
                keep(checkpoint, of, model, optimiser, losses)
    return round(float(np.mean(losses[-100:])), 4)


def _loss(
    recipe: Recipe, model: Any, tokenizer: "PreTrainedTokenizerFast", batch: Tokens, rng: np.random.Generator
) -> "torch.Tensor":
    if recipe.architecture == "bert":
        loss, hidden = masked(model, batch, tokenizer.mask_token_id, rng)
    elif recipe.architecture == "gpt2":
        loss, hidden = causal(model, batch)
    else:
        loss, hidden = permuted(model, batch, rng)
    return loss + recipe.contrast * contrast(hidden, batch.present) if recipe.contrast else loss


def _batch(recipe: Recipe, lengths: NDArray[np.int64], step: int) -> list[int]:
    """Return the pairs of a step's batch: every pair has its turn in an epoch, beside others of like length."""
    per_epoch = max(len(lengths) // recipe.pairs, 1)
    epoch, batch = divmod(step, per_epoch)
    rng = np.random.default_rng([recipe.seed, 1, epoch])
    order = np.argsort(lengths * rng.uniform(0.8, 1.25, len(lengths)), kind="stable")
    drawn = rng.permutation(len(order))[: per_epoch * recipe.pairs]
    batches = np.array_split(order[np.sort(drawn)], per_epoch)
    chosen: list[int] = batches[rng.permutation(per_epoch)[batch]].tolist()
    return chosen


def _padded(tokenizer: "PreTrainedTokenizerFast", texts: list[list[int]]) -> Tokens:
    pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id
    length = max(map(len, texts))
    ids = np.full((len(texts), length), pad, np.int64)
    present = np.zeros(ids.shape, bool)
    for row, text in enumerate(texts):
        columns = slice(length - len(text), None) if tokenizer.padding_side == "left" else slice(len(text))
        ids[row, columns] = text
        present[row, columns] = True
    frame = [token for token in (tokenizer.cls_token_id, tokenizer.sep_token_id) if token is not None]
    return Tokens(ids, present, ~present | np.isin(ids, frame))


def _schedule(step: int, steps: int) -> float:
    """Return the share of the learning rate: up in a line, then down along a cosine."""
    return min((step + 1) / _WARM_UP, 0.5 * (1 + math.cos(math.pi * step / steps)))


def _card(recipe: Recipe, pairs: int, loss: float | None, files: dict[str, str]) -> dict[str, Any]:
    import torch
    import transformers

    return {
        "name": recipe.name,
        "command": f"python -m core.encoders.pretraining {recipe.name}",
        "data": {name: Dataset.by_name(name)().key for name in DATA},
        "pairs": pairs,
        "architecture": recipe.architecture,
        "steps": recipe.steps,
        "pairs_per_step": recipe.pairs,
        "seed": recipe.seed,
        "loss": loss,
        "digest": summed(files),
        "files": files,
        "torch": torch.__version__.partition("+")[0],
        "transformers": transformers.__version__,
    }


def _is_there(name: str, out: Path | None) -> bool:
    return (out / name / "card.json").is_file() if out else locate(name) is not None


def main(arguments: list[str] | None = None) -> int:
    """Train the encoders that the command line names; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m core.encoders.pretraining", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(RECIPES))
    parser.add_argument("--all", action="store_true", help="every encoder that is not there yet")
    parser.add_argument(
        "--out", type=Path, default=None, help="folder to put them in; TELLTALE_HOME/encoders if unsaid"
    )
    chosen = parser.parse_args(arguments)
    out = chosen.out or home() / "encoders"
    try:
        names = chosen.names or [name for name in RECIPES if chosen.all and not _is_there(name, chosen.out)]
        recipes = [recipe_of(name) for name in names]
        pairs, words = (neighbours(), common_words()) if recipes else ([], [])
        for recipe in recipes:
            sys.stderr.write(f"{pretrain(recipe, pairs, words, out / recipe.name)}\n")
    except TelltaleError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    if not names and not chosen.all:
        parser.print_usage(sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
