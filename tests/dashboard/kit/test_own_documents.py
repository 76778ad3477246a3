"""Own documents: once uploaded, the page names the file and says how much is read of it."""

import gzip
from pathlib import Path

import pandas as pd
import pytest
from streamlit import config
from streamlit.testing.v1 import AppTest

from core.corpora import columns
from core.corpora.source import ENDINGS
from core.datasets import Dataset
from core.datasets.documents import Documents
from core.datasets.translations.parallel_text import ParallelText
from core.errors import Incompatible, InvalidDocuments, InvalidSpec
from core.games.membership import Membership
from core.runtime.store import Store
from dashboard.kit.forms import own_documents, upload_limit
from dashboard.kit.inputs import kept_uploads, upload_rate, uploads
from tests.dashboard.kept_results import words

pytestmark = pytest.mark.usefixtures("without_sections")

PLACES = [
    first + last for first in ("bel", "dor", "gar", "kal", "lin", "mor") for last in ("ba", "de", "mi", "to", "vu")
]
ROWS = "".join(f"meeting in {place} about gas prices,user {number % 4}\n" for number, place in enumerate(PLACES))
TABLE = f"text,owner\n{ROWS},user 9\n".encode()


def uploaded(files: dict[str, bytes]) -> str:
    store = Store()
    return uploads.locate(store, uploads.save(store, list(files.items())), "dataset.source")


def summary(dataset: Dataset) -> str:
    return own_documents.summary(dataset, dataset.key)


def test_documents_owners_and_classes_are_counted_of_all_rows(home: Path) -> None:
    source = uploaded({"my mail.csv": TABLE})
    read = "30 of 31 rows read as documents"
    assert summary(Documents(source=source)) == f"{read}, no owners given."
    assert summary(Documents(source=source, owner_column="owner")) == f"{read}, 4 owners."
    both = Documents(source=source, owner_column="owner", label_column="owner")
    assert summary(both) == f"{read}, 4 owners, 4 classes."
    assert own_documents.title(both) == "Your own documents: my_mail.csv"


def test_text_files_are_called_by_their_number(home: Path) -> None:
    texts = {f"{number}.txt": f"words from {PLACES[number]}".encode() if number else b"" for number in range(25)}
    dataset = Documents(source=uploaded(texts))
    assert own_documents.title(dataset) == "Your own documents: 25 text files"
    assert summary(dataset) == "24 of 25 files read as documents, no owners given."
    with pytest.raises(InvalidDocuments, match=r"^alone\.txt holds 1 document"):
        summary(Documents(source=uploaded({"alone.txt": b"some words"})))


def test_sentence_pairs_are_counted(home: Path) -> None:
    rows = "".join(f"the sea is {n} deep\tdas meer ist {n} tief\n" for n in range(30))
    dataset = ParallelText(source=uploaded({"pairs.tsv": f"source\ttarget\n{rows}".encode()}))
    assert summary(dataset) == "30 of 30 rows read as sentence pairs, 1 subcorpus."


def test_the_page_names_the_file_and_no_preset(app: AppTest, home: Path) -> None:
    app.switch_page("views/word_pairs.py")
    app.query_params["preset"] = "demo"
    app.run()
    preset = "form/word_pairs/preset"
    assert app.main.segmented_control(key=preset).value == "demo"
    app.sidebar.selectbox(key="word_pairs/dataset").set_value("documents").run()
    assert app.main.segmented_control(key=preset).value == "changed"
    app.sidebar.file_uploader[0].set_value([("my mail.csv", TABLE, "text/csv")]).run()
    assert not app.exception
    assert app.main.segmented_control(key=preset).value == "changed"
    assert "Your own documents: my_mail.csv" in words(app)
    below = [caption.value.replace("\\", "") for caption in app.sidebar.caption]
    assert "my_mail.csv: 30 of 31 rows read as documents, 4 owners." in below
    owners = app.sidebar.selectbox(key="word_pairs/dataset.owner_column")
    assert (owners.options, owners.value) == (["none", "text", "owner"], "owner")
    assert app.query_params["game.users"] == "owners", "owners that are named are attacked"
    assert "4 owners. 8 targets of 20 documents of one owner each." in words(app).replace("\\", "")
    owners.set_value("").run()
    assert "game.users" not in app.query_params
    below = [caption.value.replace("\\", "") for caption in app.sidebar.caption]
    assert "my_mail.csv: 30 of 31 rows read as documents, no owners given." in below, "a choice is kept"
    assert "dataset.owner_column" not in app.query_params
    kept = "my_mail.csv is still read, and stays here until you delete it on the page Runs."
    assert kept not in below
    app.sidebar.file_uploader[0].set_value([]).run()
    assert kept in [caption.value.replace("\\", "") for caption in app.sidebar.caption], "the form lost it, nobody else"


@pytest.mark.parametrize("owner", ["User", "author", "from", "sender", "name"])
def test_a_column_of_owners_is_offered_and_chosen(app: AppTest, home: Path, owner: str) -> None:
    app.switch_page("views/word_pairs.py")
    app.query_params.update({"preset": "demo", "dataset": "documents"})
    app.run()
    table = f"body;{owner}\n" + "".join(
        f"meeting in {place} about gas;who {number % 4}\n" for number, place in enumerate(PLACES)
    )
    app.main.file_uploader[0].set_value([("mail.csv", table.encode(), "text/csv")]).run()
    below = [caption.value.replace("\\", "") for caption in app.main.caption]
    assert "mail.csv: 30 of 30 rows read as documents, 4 owners." in below
    chosen = {box.key: box.value for box in app.main.selectbox}
    assert chosen["word_pairs/dataset.text_column"] == "body"
    assert chosen["word_pairs/dataset.owner_column"] == owner
    assert app.query_params["dataset.owner_column"] == owner, "the link names it"


def test_near_copies_are_left_out_by_one_click_where_they_are_counted(app: AppTest, home: Path) -> None:
    app.switch_page("views/word_pairs.py")
    app.query_params.update({"preset": "demo", "dataset": "documents"})
    app.run()
    forwards = "".join(f"as said {row}\n" for row in ROWS.splitlines()[:3])
    app.main.file_uploader[0].set_value([("mail.csv", TABLE + forwards.encode(), "text/csv")]).run()
    offer = "word_pairs/dataset.near_copies/offer"
    assert app.main.button(key=offer).label == "Leave 3 near copies out"
    assert "may hide what leaks" in words(app) and "near_copies" not in words(app), "the button alone says what to do"
    app.sidebar.number_input(key="word_pairs/seed").set_value(77)
    app.main.button(key=offer).click().run()
    assert app.query_params["seed"] == "77", "what was typed before is kept"
    assert not app.exception and not [button for button in app.main.button if button.key == offer]
    below = [caption.value.replace("\\", "") for caption in app.main.caption]
    assert "mail.csv: 30 of 34 rows read as documents, 3 near copies of a longer one left out, 4 owners." in below
    assert app.query_params["dataset.near_copies"] == "left out", "the link says it"
    app.main.file_uploader[0].set_value([("mail.csv", TABLE, "text/csv")]).run()
    assert not [button for button in app.main.button if button.key == offer], "there is none to leave out"


def test_too_few_documents_are_told_before_a_run_with_what_fits(app: AppTest, home: Path) -> None:
    app.switch_page("views/word_pairs.py")
    app.query_params.update({"preset": "demo", "game.bogus": "3"})
    app.run()
    assert "Part of this link cannot be read" in app.main.warning[0].value
    app.sidebar.selectbox(key="word_pairs/dataset").set_value("documents").run()
    table = "text\n" + "".join(f"meeting {number} is about the price of gas\n" for number in range(400))
    app.sidebar.file_uploader[0].set_value([("mail.csv", table.encode(), "text/csv")]).run()
    warning = " ".join(warning.value for warning in app.main.warning).replace("\\", "")
    assert "The dataset has 400. The nearest training set that fits is 140, with 6 targets of each size." in warning
    assert warning.count("under “Rules of the game”") == 1
    assert app.main.button(key="run.start").disabled
    fit = app.main.button(key="run.fit")
    assert fit.label == "Use settings that fit these documents"
    app.sidebar.number_input(key="word_pairs/seed").set_value(77)
    fit.click().run()
    assert not app.main.warning and not app.main.button(key="run.start").disabled
    assert app.query_params["seed"] == "77", "what was typed before is kept"
    assert (app.query_params["game.documents"], app.query_params["game.targets"]) == ("140", "6")


def test_keywords_that_own_documents_lack_are_replaced_by_one_click(app: AppTest, home: Path) -> None:
    app.switch_page("views/keyword_inference.py")
    app.query_params.update({"preset": "demo", "dataset": "documents"})
    app.run()
    words_of_one = ("garden", "river", "window")
    rows = "".join(f"a note about the {words_of_one[number % 3]} {number}\n" for number in range(90))
    app.main.file_uploader[0].set_value([("notes.csv", f"text\n{rows}".encode(), "text/csv")]).run()
    assert "'war' stands in none of the" in app.main.warning[0].value and "under “Attack”" in app.main.warning[0].value
    assert not any("Takes about" in caption.value for caption in app.main.caption), "nothing can run yet"
    app.main.button(key="run.fit").click().run()
    assert not app.exception and not app.main.warning
    assert set(app.query_params["attack.keywords"].split(",")) <= set(words_of_one)
    assert not app.main.button(key="run.start").disabled
    assert any("Takes about" in caption.value for caption in app.main.caption)


def test_a_column_of_owners_that_is_not_named_is_named_before_emulated_users(tmp_path: Path) -> None:
    file = tmp_path / "mail.csv"
    file.write_text("text,Author\n" + "".join(f"meeting {number},user {number % 9}\n" for number in range(600)))
    rules = Membership(users="owners", targets=8, target_sizes=(20,), documents=1000)
    with pytest.raises(Incompatible, match=r"1,000 from each of two .* 2,000 documents are needed") as refused:
        rules.draw_split(Documents(source=str(file)).load(), 0)
    message = str(refused.value)
    assert "has 600. Set 'owner_column' to 'Author'" in message
    assert message.index("Author") < message.index("emulated users")
    with pytest.raises(Incompatible, match="training set that fits") as refused:
        rules.draw_split(Documents(source=str(file), owner_column="Author").load(), 0)
    assert "Author" not in str(refused.value)


def test_files_of_one_name_are_all_read(app: AppTest, home: Path) -> None:
    app.switch_page("views/word_pairs.py")
    app.query_params["dataset"] = "documents"
    app.run()
    files = [("mail.txt", f"some words of {place}".encode(), "text/plain") for place in PLACES[:25]]
    app.main.file_uploader[0].set_value(files).run()
    assert not app.exception
    below = [caption.value.replace("\\", "") for caption in app.main.caption]
    assert "25 text files: 25 of 25 files read as documents, no owners given." in below


def test_lines_of_json_are_offered_and_read(app: AppTest, home: Path) -> None:
    app.switch_page("views/word_pairs.py")
    app.query_params["dataset"] = "documents"
    app.run()
    field = app.main.file_uploader[0]
    assert {".csv", ".tsv", ".jsonl", ".parquet", ".gz", ".txt"} == set(field.proto.type)
    lines = "".join(f'{{"text": "in {place} about gas", "who": {number % 4}}}\n' for number, place in enumerate(PLACES))
    field.set_value([("mail.jsonl", lines.encode(), "application/jsonl")]).run()
    assert not app.exception
    below = [caption.value.replace("\\", "") for caption in app.main.caption]
    assert "mail.jsonl: 30 of 30 rows read as documents, no owners given." in below
    assert app.main.selectbox(key="word_pairs/dataset.owner_column").options == ["none", "text", "who"]


def test_a_file_added_by_mistake_is_not_in_the_way_of_the_next(app: AppTest, home: Path) -> None:
    app.switch_page("views/word_pairs.py")
    app.query_params["dataset"] = "documents"
    app.run()
    wrong = [("empty.csv", b"", "text/csv"), ("picture.csv", b"\x89PNG\0", "text/csv")]
    app.main.file_uploader[0].set_value(wrong).run()
    assert "NUL bytes" in app.main.error[0].value
    packed = ("mail.csv.gz", gzip.compress(TABLE), "application/gzip")
    app.main.file_uploader[0].set_value([*wrong, packed]).run()
    assert not app.exception and not app.main.error
    below = [caption.value.replace("\\", "") for caption in app.main.caption]
    assert "Of 3 files, mail.csv.gz is read: one table at a time." in below
    assert "mail.csv.gz: 30 of 31 rows read as documents, 4 owners." in below, "its columns are found, too"


def test_only_kinds_of_files_that_a_dataset_reads_are_offered(app: AppTest, home: Path) -> None:
    assert {f".{kind}" for kind in uploads.TYPES["documents"]} == {*map(_last, ENDINGS), ".txt"}
    app.switch_page("views/translation_overlap.py")
    app.query_params["dataset"] = "parallel_text"
    app.run()
    [field] = app.main.file_uploader
    assert field.label == "Your translations"
    assert set(field.proto.type) == {".csv", ".tsv"}


def test_own_requests_are_read_on_the_page_of_canaries(app: AppTest, home: Path) -> None:
    app.switch_page("views/canary_extraction.py")
    app.query_params["dataset"] = "own_requests"
    app.run()
    [field] = app.main.file_uploader
    assert field.label == "Your requests" and set(field.proto.type) == {".jsonl", ".txt"}
    tagged = [f"# intent: play\nplay O\nartist B-artist\n{number} I-artist\n" for number in range(60)]
    field.set_value([("requests.txt", "\n".join(tagged).encode(), "text/plain")]).run()
    assert not app.exception and not app.main.error
    read = "60 requests: 48 for train, 6 for validation, 6 for test; 1 intent, 1 kind of slots."
    assert any(read in caption.value.replace("\\", "") for caption in app.main.caption)


@pytest.mark.parametrize(
    "name, content, names",
    [
        ("a.csv", "\ufeffAuthor,body,body\nx,y,z\n", ("Author",)),
        ("a.tsv", "text\tsome, more\n", ("text", "some, more")),
        ("a.csv", "Größe;text".encode("cp1252"), ("Größe", "text")),
        ("a.jsonl", '{"text": "x", "who": 3}\n{', ("text", "who")),
        ("a.jsonl", "[1, 2]\n", ()),
        ("a.parquet", "no table", ()),
        ("a.txt", "text,owner\n", ()),
        ("a.csv", '"never closed', ()),
        ("a.csv", "text,who\n".encode("utf-16"), ()),
        ("a.jsonl", r'{"\ud800": "x", "a\u0000": "x", "t\u00e4xt": "x", "\ud83d\ude00": "x"}', ("täxt", "😀")),
    ],
)
def test_columns_are_read_of_a_first_row(
    tmp_path: Path, name: str, content: str | bytes, names: tuple[str, ...]
) -> None:
    file = tmp_path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert columns.of(file) == names


def test_a_column_spelled_as_expected_is_proposed_before_others() -> None:
    assert columns.proposed(["Text", "text", "Author", "author", "Body"]) == {
        "text_column": "text",
        "owner_column": "author",
    }
    assert columns.proposed(["body", "TEXT"]) == {"text_column": "TEXT"}
    assert columns.marking(["Is_Member", "membership", "Member"]) == "Member"


def test_columns_of_parquet_are_offered(tmp_path: Path) -> None:
    pd.DataFrame({"mail": ["hello"], "from": ["x"]}).to_parquet(tmp_path / "a.parquet")
    assert columns.of(tmp_path / "a.parquet") == ("mail", "from")


def _last(ending: str) -> str:
    return f".{ending.rpartition('.')[2]}"


def test_what_cannot_be_read_is_refused_before_a_run(app: AppTest, home: Path) -> None:
    app.switch_page("views/word_pairs.py")
    app.query_params["dataset"] = "documents"
    app.run()
    app.main.file_uploader[0].set_value([("mail.csv", b"one,two\nhello,you\n", "text/csv")]).run()
    assert not app.exception
    (error_text,) = [error.value for error in app.main.error]
    assert (
        error_text.startswith("mail\\.csv has no column “text”\\. There are one and two\\.")
        and "text\\_column" in error_text
    )
    assert not app.main.warning, "it is said once"
    assert "run.start" not in [button.key for button in app.main.button]


def test_the_limit_of_an_upload_is_declared_once(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dashboard.server import preparing

    assert "70 MB together" not in upload_limit.rule()
    monkeypatch.setenv(uploads.VARIABLE, "70")
    before = config.get_option("server.maxUploadSize")
    try:
        preparing.limit_uploads()
        assert config.get_option("server.maxUploadSize") == uploads.megabytes() == 70
        assert "70 MB together" in upload_limit.rule()
    finally:
        config.set_option("server.maxUploadSize", before)


@pytest.mark.parametrize(
    "variable", [kept_uploads.OF_ONE, kept_uploads.FOR_DAYS, upload_rate.A_MINUTE, upload_limit.OF_ALL]
)
def test_a_server_with_a_wrong_limit_does_not_start(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from dashboard.server import preparing

    monkeypatch.setenv(variable, "few")
    with pytest.raises(InvalidSpec, match=f"{variable} must be a whole number"):
        preparing.limit_uploads()


def test_all_sessions_may_hold_what_one_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(upload_limit.OF_ALL, "300")
    assert upload_limit.of_all() == 300
    monkeypatch.setenv(uploads.VARIABLE, "400")
    assert upload_limit.of_all() == 400
