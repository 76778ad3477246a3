"""Maps of embeddings by author: each chosen victim lies where its embedding does, with its own names."""

import numpy as np

from core.adversaries.author_map import SCHEMA, draw, kept
from core.runtime.progress import Progress


def test_victims_on_a_line_lie_in_its_order_with_their_names() -> None:
    on_axis = np.array([5, 1, 4, 2, 3, 0])
    victims = np.zeros((6, 3), np.float32)
    victims[:, 1] = on_axis
    authors, guesses, names = on_axis % 2, on_axis % 3, ("ann", "Zoë", "cy")
    for most, shown in ((6, 6), (600, 6), (5, 5)):
        drawn = draw(kept(victims, 10 * on_axis, names, authors, guesses, most, seed=7), Progress())
        assert list(drawn) == list(SCHEMA) and drawn["method"].tolist() == ["pca"] * shown + ["umap"] * shown
        on_line = drawn[drawn["method"] == "pca"].sort_values("row")
        steps, rows = np.diff(on_line["x"]), np.diff(on_line["row"]) / 10
        assert np.allclose(steps, rows) or np.allclose(steps, -rows), "PCA keeps distances, and not which side is up"
        for frame in (on_line, drawn[drawn["method"] == "umap"]):
            assert frame["author"].tolist() == [names[row // 10 % 2] for row in frame["row"]]
            assert frame["guess"].tolist() == [names[row // 10 % 3] for row in frame["row"]]
    assert draw(kept(victims, 10 * on_axis, names, authors, guesses, 0, seed=7), Progress()).empty
