"""Tables on a page have readable headings; each says its name in the files, and no heading stands for two columns."""

import json

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.registry import parts
from dashboard.kit import headings

STORED = sorted({name for part in parts("game") for schema in part.tables.values() for name in schema})  # type: ignore[attr-defined]


def test_no_stored_column_is_shown_by_its_name_in_the_code() -> None:
    shown = {name: headings.heading(name) for name in STORED}
    assert len(shown) > 100
    assert not [name for name, text in shown.items() if "_" in text or not (text[0].isupper() or text[0].isdigit())]


def test_no_two_columns_of_a_table_have_one_heading() -> None:
    for part in parts("game"):
        for table, schema in part.tables.items():  # type: ignore[attr-defined]
            assert len({headings.heading(name) for name in schema}) == len(schema), table


def test_the_table_behind_a_figure_has_headings_and_its_files_the_names() -> None:
    def script() -> None:
        import pandas as pd

        from dashboard.kit import panels
        from dashboard.kit.figures import theme

        blank = theme.blank("AUC", "").figure()
        numbers = pd.DataFrame({"variant": ["x"], "members": [20], "auc_low": [0.5]})
        panels.figure(blank, numbers, "scores", "It is so.", title="Scores")

    app = AppTest.from_function(script)
    app.session_state["scores.data"] = True
    app.run()
    assert not app.exception
    [table] = app.main.dataframe
    assert list(table.value.columns) == ["variant", "members", "auc_low"]
    assert list(table.proto.column_order) == ["variant", "auc_low", "members"], "a phone shows what was measured first"
    column = json.loads(table.proto.columns)["auc_low"]
    assert column["label"] == "AUC: 95% interval, from" and "`auc_low`" in column["help"]


def test_cells_say_in_words_what_the_code_names_and_files_keep_the_names() -> None:
    def script() -> None:
        import pandas as pd

        from dashboard.kit import panels

        rules = {
            "rule": ["naive_bayes", "mlp"],
            "knowledge": ["white_box", "white_box"],
            "strength": ["rounding_2", "0.1"],
        }
        panels.table(
            pd.DataFrame({**rules, "encoder": ["bert, mean", "small_gpt2"], "auc": [0.5, 1.0]}), "rules", title="Rules"
        )

    app = AppTest.from_function(script).run()
    assert not app.exception
    [table] = app.main.dataframe
    assert table.value.to_dict("list") == {
        "rule": ["Naive Bayes", "MLP"],
        "knowledge": ["White box", "White box"],
        "strength": ["Rounding 2", "0.1"],
        "encoder": ["BERT large, uncased, mean", "Small GPT-2"],
        "auc": [0.5, 1.0],
    }
    [csv] = [button for button in app.main.download_button if "CSV" in button.label]
    assert csv.label == "Table as CSV: Rules"


def test_a_cell_is_read_out_as_it_is_seen_and_files_keep_every_digit() -> None:
    def script() -> None:
        import numpy as np
        import pandas as pd
        import streamlit as st

        from dashboard.kit import panels

        exact = np.array([0.8374629, -1 / 3, 0.0, 3.71e-5], dtype=np.float32)
        frame = pd.DataFrame({"loss": exact, "f1": [0.8374629, 1.0, np.nan, 0.5], "victims": [1, 2, 3, 4]})
        shares = {"f1": st.column_config.NumberColumn(format="percent")}
        panels.table(frame, "cells", column_config=shares)
        st.session_state["csv"] = panels.tables.csv(frame).decode()

    app = AppTest.from_function(script).run()
    assert not app.exception
    [table] = app.main.dataframe
    assert table.value["loss"].tolist() == [0.8375, -0.3333, 0.0, 4e-05], "what Streamlit draws of a number"
    assert table.value["f1"].fillna(-1).tolist() == [83.7, 100.0, -1, 50.0]
    column = json.loads(table.proto.columns)["f1"]
    assert (column["label"], column["type_config"]["format"]) == ("F1 (%)", "%g%%")
    assert table.value["victims"].tolist() == [1, 2, 3, 4]
    assert "0.8374629" in app.session_state["csv"]


@pytest.mark.parametrize("column", ["word", "Word", "owner", "label", "corpus", "keyword", "first", "name"])
def test_words_and_names_that_somebody_gave_stay_as_they_are(column: str) -> None:
    given = pd.DataFrame({column: ["john_smith", "mlp"], "text": ["snake_case", "bert"]})
    assert headings.in_words(given) is given


def test_words_of_a_text_are_no_names_of_the_code() -> None:
    suggested = pd.DataFrame({"suggested": ["bert", "f1", "bayes", "the"], "none": [None, None, None, None]})
    assert headings.in_words(suggested) is suggested
    assert list(headings.in_words(pd.DataFrame({"method": ["pca", "umap", None]}))["method"])[:2] == ["PCA", "UMAP"]


def test_what_a_page_says_of_a_column_goes_before() -> None:
    columns = headings.configured(pd.DataFrame({"here": [1], "auc": [2]}).columns, {"here": {"width": "large"}})
    assert columns["here"]["label"] == "Here" and columns["here"]["width"] == "large"
    assert columns["auc"]["label"].startswith("AUC")


def test_a_share_near_none_or_all_is_not_rounded_to_it() -> None:
    assert [headings._percent(share) for share in (0.8374, 0.9997, 0.00008, 1.0, 0.0)] == [83.7, 99.97, 0.008, 100, 0]
