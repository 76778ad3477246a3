"""The plane of a perceptron's hidden layer: its points, its grid, and what the perceptron says there."""

import numpy as np
import pytest
from sklearn.decomposition import PCA

from core.adversaries import decision_boundary
from core.adversaries.decision_boundary import Drawn, joined
from core.networks.perceptron import Perceptron


@pytest.fixture
def network() -> Perceptron:
    rng = np.random.default_rng(0)
    shapes = ((6, 10), (10, 2))
    layers = tuple((rng.normal(size=shape).astype(np.float32), np.zeros(shape[1], np.float32)) for shape in shapes)
    return Perceptron(np.zeros(6, np.float32), np.ones(6, np.float32), layers)


def drawn(network: Perceptron, known: int = 300, victims: int = 50, spread: float = 1.0, seed: int = 0) -> Drawn:
    rng = np.random.default_rng(1)
    inputs = (spread * rng.normal(size=(known + victims, 6))).astype(np.float32)
    truth = rng.integers(2, size=known + victims)
    rows = np.arange(victims) * 3
    return decision_boundary.draw(
        network,
        "knee",
        (inputs[:known], truth[:known]),
        (inputs[known:], truth[known:], rows),
        np.random.default_rng(seed),
    )


def test_as_many_known_texts_as_victims_are_shown(network: Perceptron) -> None:
    points = joined([drawn(network)])["boundary_points"]
    assert points["panel"].value_counts().to_dict() == {"known": 50, "victims": 50}
    assert (points.query("panel == 'known'")["row"] == -1).all()
    assert sorted(points.query("panel == 'victims'")["row"]) == [3 * number for number in range(50)]
    crowded = joined([drawn(network, 900, 900)])["boundary_points"]
    assert crowded["panel"].value_counts().to_dict() == {"known": 200, "victims": 200}


def test_each_victim_keeps_its_own_truth(network: Perceptron) -> None:
    rng = np.random.default_rng(1)
    rng.normal(size=(350, 6))
    truth = rng.integers(2, size=350)[300:]
    points = joined([drawn(network)])["boundary_points"].query("panel == 'victims'")
    assert points["present"].tolist() == [truth[row // 3] == 1 for row in points["row"]]


def test_the_plane_is_that_of_the_principal_components(network: Perceptron) -> None:
    """An independent PCA of the same 100 hidden states finds the same coordinates, up to their signs."""
    points = drawn(network, known=50)["boundary_points"]
    rng = np.random.default_rng(1)
    inputs = rng.normal(size=(100, 6)).astype(np.float32)
    order = np.random.default_rng(0)
    chosen = [order.choice(50, 50, replace=False), order.choice(50, 50, replace=False) + 50]
    hidden = network.hidden(inputs[np.concatenate(chosen)])
    components = PCA(n_components=2, svd_solver="full").fit_transform(hidden)
    np.testing.assert_allclose(np.abs([points["x"], points["y"]]).T, np.abs(components), atol=1e-4)
    assert np.std(points["x"]) >= np.std(points["y"])


def test_the_grid_covers_the_points(network: Perceptron) -> None:
    tables = joined([drawn(network)])
    points, grid = tables["boundary_points"], tables["boundary_grid"]
    assert len(grid) == 900
    assert grid["probability"].between(0, 1).all()
    for axis in ("x", "y"):
        assert grid[axis].min() < points[axis].min()
        assert grid[axis].max() > points[axis].max()
    assert grid["probability"].max() > 0.5 > grid["probability"].min(), "the boundary runs through the plane"


def test_with_two_hidden_units_the_grid_is_what_the_perceptron_says() -> None:
    """The plane is then the whole hidden layer, so that the probability at a point is that of its text."""
    rng = np.random.default_rng(0)
    layers = tuple((rng.normal(size=(2, 2)).astype(np.float32), rng.normal(size=2).astype(np.float32)) for _ in "ab")
    network = Perceptron(np.zeros(2, np.float32), np.ones(2, np.float32), layers)
    inputs = rng.normal(size=(200, 2)).astype(np.float32)
    truth = rng.integers(2, size=200)
    made = decision_boundary.draw(network, "knee", (inputs, truth), (inputs, truth, np.arange(200)), rng)
    tables = joined([made])
    points, grid = tables["boundary_points"].query("panel == 'victims'"), tables["boundary_grid"]
    probabilities = network.probabilities(inputs)[:, 1]
    for point in points.head(20).itertuples():
        near = grid.loc[((grid["x"] - point.x) ** 2 + (grid["y"] - point.y) ** 2).idxmin(), "probability"]
        assert near == pytest.approx(probabilities[point.row], abs=0.05)


def test_embeddings_that_say_nothing_are_drawn_too(network: Perceptron) -> None:
    tables = joined([drawn(network, spread=0.0)])
    for table in tables.values():
        assert np.isfinite(table.select_dtypes("number")).all().all()


def test_tables_of_several_keywords_are_joined(network: Perceptron) -> None:
    tables = joined([drawn(network), drawn(network, seed=1)])
    assert len(tables["boundary_grid"]) == 1800
    assert drawn(network) == drawn(network)
    for name, schema in decision_boundary.SCHEMAS.items():
        assert list(tables[name].columns) == list(schema)
