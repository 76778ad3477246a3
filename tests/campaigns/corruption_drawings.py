"""Damages a drawing of a result, or what it is drawn from, and has it drawn again."""

import random
import shutil

from core.drawings import draw
from core.experiment import Experiment, run
from core.runtime.context import RunContext
from core.runtime.engine import Engine
from core.runtime.store import MANIFEST, Store
from tests.campaigns.damage import damaged


def drawing(rng: random.Random, experiment: Experiment, store: Store) -> str:
    """Damage a file of the word map, or with the map what it is drawn from."""
    context, of = RunContext(store=store, engine=Engine(workers=1)), experiment.key
    key = experiment.drawings["word_map"].key("word_map", of)
    if not store.has_arrays(of, key):  # an attempt before this one damaged it
        store.delete(of)
        run(experiment, context)
    draw(experiment, context)
    whole, folder, kept = store.get_drawing(of, key), store.drawing_folders(of, key)[1], store.root / "parts" / of
    path = rng.choice([kept / f"{key}.npz", *sorted(folder.iterdir())])
    path.write_bytes(damaged(content := path.read_bytes(), rng))
    if path.parent == kept:
        shutil.rmtree(folder)
        draw(experiment, context)
        assert store.get_drawing(of, key) is None, "it was drawn from something damaged"
        return "set aside and missing"
    if (stored := store.get_drawing(of, key)) is not None:  # a manifest may say the same in other bytes
        assert path.name == MANIFEST and stored == whole, "a damaged drawing was believed"
        path.write_bytes(content)
        return "says the same"
    draw(experiment, context)
    assert store.get_drawing(of, key) == whole, "another drawing"
    return "set aside and drawn again"
