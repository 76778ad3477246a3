"""What is said of a dataset that is too small for a game follows from the numbers of the game."""

from core.games.membership import fit


def test_two_halves_take_what_is_not_of_targets_that_are_in() -> None:
    said = fit.halves(documents=100, surely_in=0, for_targets=0, available=150)
    assert "takes 100 from each of two disjoint halves" in said
    assert said.endswith("With these, 200 documents are needed. The dataset has 150.")
    said = fit.halves(documents=100, surely_in=30, for_targets=40, available=90)
    assert "30 of them of targets that are in, takes 70 others from each" in said
    assert said.endswith("With these and 40 for the targets, 180 documents are needed. The dataset has 90.")


def test_what_does_not_fit_is_said_with_what_there_is() -> None:
    assert "holds 12 documents" in fit.half_too_small(12, 30) and "set of 30 does" in fit.half_too_small(12, 30)
    assert "holds 1,500 documents" in fit.half_too_small(1500, 2000)
    assert "fill 60 documents, more than the training set of 50" in fit.overfilled(60, 50)
    assert "fill 1,060 documents, more than the training set of 1,000" in fit.overfilled(1060, 1000)


def test_random_documents_are_proposed_for_the_reason_that_holds() -> None:
    few = fit.instead_of_owners(fit.Plan(3, (1,), 40), "")
    assert "With real owners, 3 targets fit at most" in few and fit.INCONCLUSIVE in few
    unnamed = fit.instead_of_owners(None, "author")
    assert unnamed.startswith("Set 'owner_column' to 'author'") and "or choose emulated users" in unnamed
    assert fit.instead_of_owners(None, "") == "Choose emulated users instead."
