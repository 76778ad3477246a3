"""The most tokens of a text that a model reads."""

from typing import Any

from core.errors import ModelRefused


def longest(tokenizer: Any, config: Any) -> int:
    """Return the most tokens that a model has positions for, and its makers meant it for.

    Where rotary frequencies depend on the longest text of a batch (longrope), it is the length up to which they are the
    same: what is said of a text must not depend on others.

    Raises:
        ModelRefused: The configuration or the tokeniser says no number of at least one token.
    """
    positions = next(
        (
            limit
            for name in ("max_position_embeddings", "n_positions")
            if isinstance(limit := getattr(config, name, None), int) and limit > 0
        ),
        1 << 20,
    )
    meant = tokenizer.model_max_length
    try:
        positions = min([positions, *_unchanged(getattr(config, "rope_parameters", None))])
        # RoBERTa and its like count positions from after the padding token's number.
        if config.model_type in ("roberta", "xlm-roberta", "camembert", "mpnet"):
            positions -= config.pad_token_id + 1
        most = int(min(positions, meant))
    except (KeyError, TypeError, ValueError):
        most = 0
    if most < 1:
        raise ModelRefused(
            f"A text must be allowed at least one token. The model has {str(positions)[:20]} positions, and "
            f"'model_max_length' of its tokeniser is {str(meant)[:20]!r}."
        )
    return most


def _unchanged(rotary: Any) -> list[int]:
    """Return the lengths beyond which rotary frequencies change, of all layers or of each kind."""
    kinds = [rotary, *rotary.values()] if isinstance(rotary, dict) else []
    return [
        kind["original_max_position_embeddings"]
        for kind in kinds
        if isinstance(kind, dict) and kind.get("rope_type") == "longrope"
    ]
