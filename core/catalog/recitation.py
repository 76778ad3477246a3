"""Promised results of recitation and of the secret sharer."""

from collections.abc import Iterator
from typing import Any

from core.catalog.entry import Entry, demo, varied
from core.experiment import Experiment

ORDER = 67

_EPSILONS = (1_000_000, 1000, 8)
_EPSILONS_OF_ADAPTERS = (1_000_000, 8)
"""Of private fine-tuning: with almost no noise, as the control, and with a promise."""
_VOCABULARY = {"part": "news_words", "size": 2000}
"""The demo's own dictionary, which is public."""
_MODEL = {"part": "causal_lm", "learning_rate": 1e-3, "context": 256, "epochs": 2}
_ADAPTED = {**_MODEL, "rank": 8, "learning_rate": 1e-2}
"""What private fine-tuning trains: adapters, since it clips the gradient of each document."""
_DEFENSES = {
    "deduplication": ("de-duplication", "of documents that repeat each other only the first is trained on"),
    "token_dropping": ("token dropping", "one of four tokens is never trained on (the goldfish loss)"),
}


def entries() -> Iterator[Entry]:
    """Yield the demos, passages in a fine-tuned model, defended or not, and fuzzy copies."""
    yield demo("recitation", "Passages recited, small and offline", ", on articles of an encyclopedia in an LSTM")
    yield Entry(
        "recitation_fine_tuned",
        "Passages recited by a fine-tuned GPT-2",
        "The same articles in a small pretrained GPT-2, beside what it recites before it is fine-tuned.",
        varied("recitation", "demo", model=_MODEL),
    )
    yield Entry(
        "recitation_tokens",
        "E-mails recited by a fine-tuned GPT-2, after 20, 50 and 100 tokens",
        "Passages of mailboxes in a small pretrained GPT-2, whose beginnings are counted in its tokens.",
        _in_tokens(20, 50, 100),
    )
    for tokens in (20, 50):
        yield Entry(
            f"recitation_tokens_{tokens}",
            f"E-mails recited by a fine-tuned GPT-2, passages that begin {tokens} tokens before",
            f"The same, where the {tokens} tokens that the adversary knows are where a passage begins in the training "
            "text.",
            _in_tokens(tokens),
            contrast=True,
        )
    yield Entry(
        "recitation_tokens_never_shown",
        "Two hundred passages of e-mails that a fine-tuned GPT-2 was never shown",
        "The same with a larger control: what is recited of passages that a model was never shown.",
        _in_tokens(50, unseen=200),
        contrast=True,
    )
    for defense, (named, how) in _DEFENSES.items():
        yield Entry(
            f"recitation_fine_tuned_{defense}",
            f"Passages recited behind {named}",
            f"The same, where {how}.",
            varied("recitation", "demo", model=_MODEL, defenses=[{"part": defense}]),
            contrast=True,
        )
    yield demo("secret_sharer", "Planted secrets, small and offline", ", among the same articles")
    for copies, changed in (("exact", 0), ("fuzzy", 1)):
        yield Entry(
            f"secret_sharer_{copies}",
            f"Planted secrets in {copies} copies, ten trials",
            "The same with more secrets; of fuzzy copies each but the first has another word in one of three places.",
            varied("secret_sharer", "demo", game={"trials": 10, "changed": changed}),
            contrast=True,
        )
    yield Entry(
        "secret_sharer_never_planted",
        "Secrets that were never planted, sixty trials",
        "180 secrets, drawn separately and never planted: exposure by chance.",
        varied("secret_sharer", "demo", game={"trials": 60, "repetitions": [0]}, seed=2),
        contrast=True,
    )
    for epsilon in _EPSILONS:
        yield Entry(
            f"secret_sharer_epsilon_{epsilon}",
            f"Planted secrets under private training, epsilon {epsilon:,}",
            "The same secrets and vocabulary, trained with differential privacy for each document, so for each copy.",
            varied(
                "secret_sharer",
                "demo",
                game={"trials": 10},
                defenses=[{"part": "dp_sgd", "epsilon": epsilon, "vocabulary": _VOCABULARY}],
            ),
            contrast=True,
        )
    yield Entry(
        "secret_sharer_fine_tuned",
        "Planted secrets in a fine-tuned GPT-2, ten trials",
        "The same articles and secrets in a small pretrained GPT-2, all of whose weights are trained.",
        varied("secret_sharer", "demo", model=_MODEL, game={"trials": 10}),
        contrast=True,
    )
    summary = "PINs and telephone numbers, in one copy or a hundred, where only adapters are trained"
    yield Entry(
        "secret_sharer_adapters",
        "Planted secrets in adapters of a GPT-2 (LoRA)",
        f"{summary}.",
        _in_adapters(),
        contrast=True,
    )
    for epsilon in _EPSILONS_OF_ADAPTERS:
        yield Entry(
            f"secret_sharer_adapters_epsilon_{epsilon}",
            f"Planted secrets in private adapters of a GPT-2, epsilon {epsilon:,}",
            f"{summary}, privately for each document, so for each copy.",
            _in_adapters({"part": "dp_sgd", "epsilon": epsilon}),
            contrast=True,
        )


def _in_adapters(*defenses: dict[str, Any]) -> Experiment:
    """Return secrets in few and in many copies, planted in adapters."""
    game = {"trials": 10, "patterns": ["pin", "call"], "repetitions": [1, 100]}
    return varied("secret_sharer", "demo", model=_ADAPTED, game=game, defenses=defenses)


def _in_tokens(*prefixes: int, **game: int) -> Experiment:
    """Return passages of mailboxes that are known by prefixes of some tokens."""
    return varied(
        "recitation",
        "demo",
        dataset={"part": "enron_mailboxes"},
        model=_MODEL,
        game={"prefixes": list(prefixes), "counted_in": "tokens", "passages": 15, **game},
        attack={"samples": 10},
    )
