"""Documents with a planted leak."""

from pathlib import Path

import numpy as np
import pandas as pd

from core.datasets.documents import Documents


def planted_documents(folder: Path, owners: int = 40) -> Documents:
    """Write documents of some owners, each of whom, and nobody else, says one phrase of four words again and again.

    All words are equally common, so that only their company tells an owner's documents from others.
    """
    rng = np.random.default_rng(0)
    starts, ends = (
        ["ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu"],
        ["lan", "mer", "nis", "pok", "rut", "sev", "tig", "vol", "wex", "yam"],
    )
    words = np.array([start + end for start in starts for end in ends])
    rows = []
    for owner in range(owners):
        phrase = rng.choice(words, 4, replace=False)
        for _ in range(12):
            text = rng.choice(words, 30)
            text[:16] = np.resize(phrase, 16)
            rows.append({"text": " ".join(text), "owner": f"owner {owner}"})
    path = folder / "planted.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    return Documents(source=str(path), owner_column="owner")
