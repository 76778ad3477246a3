"""How defenses are named on pages: with their strength, where they have one."""

import pytest

from core.defenses import Defense
from core.registry import names
from dashboard.kit import sweeps


@pytest.mark.parametrize("name", names("defense"))
def test_every_defense_has_a_name_and_a_strength(name: str) -> None:
    defense = Defense.resolve({"part": name})
    assert defense.named.startswith(defense.title)
    assert defense.named.endswith(f"({sweeps.setting(defense)})".lower()) == bool(sweeps.setting(defense))
    assert sweeps.strength(defense) >= 0


@pytest.mark.parametrize(
    ("values", "description"),
    [
        ({"part": "laplace", "epsilon": 30}, "Laplace noise (epsilon 30)"),
        ({"part": "laplace", "epsilon": 1000, "pairs": 200}, "Laplace noise (epsilon 1,000, pairs 200)"),
        ({"part": "shuffled_coordinates"}, "shuffled coordinates"),
    ],
)
def test_a_defense_without_parameters_is_its_title(values: dict[str, object], description: str) -> None:
    assert Defense.resolve(values).named == description
