"""A perceptron's decision boundary in the plane of its hidden layer, among known texts and among victims."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.networks.perceptron import Perceptron
from core.result import Column, Schema, Tables, table

_POINTS = 200
_GRID = 30
_MARGIN = 0.08
_DECIMALS = 3

SCHEMAS: dict[str, Schema] = {
    "boundary_points": {
        "keyword": Column("str", "What is asked."),
        "panel": Column("str", "'known' for the adversary's own texts, 'victims' for the texts under attack."),
        "x": Column("float32", "First principal component of the perceptron's hidden layer."),
        "y": Column("float32", "Second principal component."),
        "present": Column("bool", "Whether the text has the keyword."),
        "row": Column("int32", "Row of a victim's text in the dataset; -1 for the adversary's own."),
    },
    "boundary_grid": {
        "keyword": Column("str", "What is asked."),
        "x": Column("float32", "First principal component."),
        "y": Column("float32", "Second principal component."),
        "probability": Column("float32", "How likely the perceptron thinks the keyword at this place of the plane."),
    },
}

Drawn = dict[str, dict[str, Any]]


def draw(
    network: Perceptron,
    keyword: str,
    known: tuple[NDArray[np.float32], NDArray[np.int64]],
    victims: tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.int64]],
    rng: np.random.Generator,
) -> Drawn:
    """Return points and grid of one keyword (Pan et al. 2020, Figure 4).

    Both panels share one plane: the first two principal components of the hidden layer over the drawn texts, equally
    many known ones and victims. At the points of the grid the other components have their mean.

    Args:
        network: The classifier.
        keyword: The keyword.
        known: (texts, dimension) embeddings of the adversary's texts, and (texts,) whether each has the keyword.
        victims: The same of the victims, and their rows in the dataset.
        rng: Draws the texts of the panels.
    """
    panels = {"known": (*known, np.full(len(known[0]), -1)), "victims": victims}
    count = min(_POINTS, len(known[0]), len(victims[0]))
    drawn = {name: rng.choice(len(panel[0]), count, replace=False) for name, panel in panels.items()}
    hidden = {name: network.hidden(panels[name][0][chosen]) for name, chosen in drawn.items()}
    center, directions = _plane(np.concatenate(list(hidden.values())))
    points: dict[str, list[Any]] = {name: [] for name in SCHEMAS["boundary_points"]}
    for name, chosen in drawn.items():
        coordinates = (hidden[name] - center) @ directions.T
        points["keyword"] += [keyword] * len(chosen)
        points["panel"] += [name] * len(chosen)
        points["x"] += coordinates[:, 0].tolist()
        points["y"] += coordinates[:, 1].tolist()
        points["present"] += (panels[name][1][chosen] == 1).tolist()
        points["row"] += panels[name][2][chosen].tolist()
    axes = [_axis(np.array(points[name])) for name in ("x", "y")]
    x, y = (side.ravel() for side in np.meshgrid(*axes))
    probability = network.decide((center + np.stack([x, y], axis=1) @ directions).astype(np.float32))[:, 1]
    probability = probability.round(_DECIMALS)  # finer shades are indistinguishable, and do not compress
    grid = {"keyword": [keyword] * len(x), "x": x.tolist(), "y": y.tolist(), "probability": probability.tolist()}
    return {"boundary_points": points, "boundary_grid": grid}


def joined(drawn: Sequence[Drawn]) -> Tables:
    """Return the tables of several keywords."""
    return {
        name: table(schema, {column: [value for rows in drawn for value in rows[name][column]] for column in schema})
        for name, schema in SCHEMAS.items()
    }


def _plane(hidden: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean, (units,), and the first two principal directions, (2, units), each with a fixed sign."""
    center = hidden.mean(axis=0, dtype=np.float64)
    directions = np.linalg.svd(hidden - center, full_matrices=False)[2][:2]
    largest = np.abs(directions).argmax(axis=1)
    return center, directions * np.sign(directions[np.arange(2), largest])[:, None]


def _axis(values: NDArray[np.float64]) -> NDArray[np.float64]:
    low, high = values.min(), values.max()
    margin = max(_MARGIN * (high - low), 1e-3)
    return np.linspace(low - margin, high + margin, _GRID)
