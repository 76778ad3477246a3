"""What a sentence of one's own gives away is said from its table."""

import pandas as pd

from dashboard.kit import own_text


def words(*rows: tuple[str, float, bool]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["word", "probability", "present"])


def test_predicted_keywords_and_those_in_the_sentence_are_said() -> None:
    sentence = own_text.sentence(words(("pizza", 0.9, True), ("steak", 0.7, False), ("beer", 0.1, True)))
    assert sentence == (
        "The adversary predicts pizza and steak. In the sentence: pizza and beer, of which it predicted 1."
    )


def test_no_predicted_keyword_and_none_in_the_sentence_are_said_too() -> None:
    sentence = own_text.sentence(words(("pizza", 0.4, False), ("steak", 0.2, False)))
    assert sentence == (
        "The adversary predicts none of the keywords; the most likely is pizza with 40%. No keyword is in the sentence."
    )
