"""The command audit: what it says of vectors follows from what they are."""

import json
from pathlib import Path

import numpy as np
import pytest

from core.__main__ import main
from core.adversaries import encoder_fit
from core.adversaries.encoder_fit import Fit
from core.commands import vector_report
from core.encoders.records import DEFAULT, RECORDS
from core.models.encoder import Encoder
from core.runtime.context import RunContext
from core.runtime.store import Store
from core.statistics.unit_length import scaled
from core.statistics.vector_checks import check
from core.text.vectors import Vectors
from tests.encoders.tiny import tiny
from tests.held_networks import saved

TEXTS = tuple(
    f"{who} {what} the {thing}" for who in ("anna", "ben") for what in ("saw", "lost", "took") for thing in "abcd"
)


def sample(values: np.ndarray, texts: tuple[str, ...] = TEXTS) -> Vectors:
    return Vectors(values, np.arange(len(values)), len(values), 0, "float32, test", texts)


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> RunContext:
    return RunContext(store=Store(tmp_path_factory.mktemp("store")))


@pytest.fixture(scope="module")
def minilm(context: RunContext) -> np.ndarray:
    return Encoder(source="minilm", length="unit").encode(TEXTS, context)


def said(values: np.ndarray, context: RunContext, encoder: str = "minilm", texts: tuple[str, ...] = TEXTS) -> str:
    return vector_report.encoder(encoder_fit.fit(sample(values, texts), encoder, 50, 0, context))


def test_a_real_encoder_is_recognised_whatever_was_done_to_its_vectors(minilm: np.ndarray, context: RunContext) -> None:
    name = "all-MiniLM-L6-v2, mean of the hidden states"
    assert said(minilm, context) == f"Encoder: these vectors are {name}: cosine 1.000 on 24 of 24 texts."
    assert f"are {name}: cosine 0.998" in said(np.round(minilm * 127), context)
    turned = said(minilm[::-1].copy(), context)
    assert "in another order than the vectors: 24 of 24 texts" in turned
    assert "such as the text of row 1 in row 24; for 0 the one in their own" in turned
    signs = said(np.sign(minilm), context)
    assert f"{name}, changed by what was done" in signs and "0 of 24 at 0.99" in signs


def test_texts_that_are_partly_out_of_order_are_said_and_refused(minilm: np.ndarray, context: RunContext) -> None:
    fit = encoder_fit.fit(sample(minilm[[*range(1, 9), 0, *range(9, 24)]]), "minilm", 50, 0, context)
    assert (fit.nearest, fit.elsewhere, fit.text_row, fit.vector_row) == (15, 9, 1, 9)
    assert fit.shuffled and fit.recognised
    exchanged = [*range(20, 24), *range(4, 20), *range(4)]
    signs = encoder_fit.fit(sample(np.sign(minilm)[exchanged]), "minilm", 50, 0, context)
    assert signs.same == 0 and signs.nearest == 16 and signs.shuffled, "found behind a storage format, too"
    fit = encoder_fit.fit(sample(minilm[[1, 0, *range(2, 24)]]), "minilm", 50, 0, context)
    assert not fit.shuffled, "a pair of twenty-four: said, and read"
    warned = (
        "Less is read than could be: 2 of 24 texts have their vector in another row, such as the text of row 1 in row 2"
    )
    assert warned in vector_report.encoder(fit)
    half = encoder_fit.fit(sample(minilm[[*range(1, 12), 0, *range(12, 24)]]), "minilm", 50, 0, context)
    assert half.shuffled and half.recognised and half.elsewhere == half.nearest == 12


def test_the_documentation_shows_what_is_printed() -> None:
    values = scaled(np.random.default_rng(0).normal(size=(2000, 384)).astype(np.float32))
    vectors = Vectors(values, np.arange(2000), 2000, 0, "float32, NumPy file", ("a text",) * 2000)
    fit = Fit("minilm", RECORDS["minilm"].title, "mean", 50, 50, 50, 0, 1.0, 2000, 2000)
    printed = "\n".join(vector_report.sentences("reviews.npy", vectors, "", check([values]), [fit]))
    assert f"```text\n{printed}\n```" in (Path(__file__).parents[2] / "docs/vectors.md").read_text("utf-8")


def test_another_encoder_is_told_apart(minilm: np.ndarray, context: RunContext) -> None:
    noise = scaled(np.random.default_rng(0).normal(size=minilm.shape).astype(np.float32))
    assert said(noise, context).startswith("Encoder: not all-MiniLM-L6-v2: cosine")
    assert "another number of dimensions" in said(minilm, context, DEFAULT)


def test_checks_count_each_kind_of_row() -> None:
    values = np.eye(6, dtype=np.float32)
    values[1], values[2, 0], values[3] = 0, np.nan, values[0]
    counts = check([values[:3], values[3:]])
    assert (counts.checked, counts.dimension, counts.zero, counts.not_finite, counts.repeated) == (6, 6, 1, 1, 1)
    assert counts.normalised
    assert not check([2 * values]).normalised
    assert check([np.zeros((2, 3), np.float32)]).unit == 0


def test_the_command_says_it_plainly_and_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tiny(tmp_path / "encoder"))
    values = Encoder(source=folder).encode(TEXTS, RunContext(store=Store()))
    values[3, 1] = np.nan
    np.save(tmp_path / "x.npy", values)
    (tmp_path / "x.csv").write_text("\n".join(["body", *TEXTS[:5], '""', *TEXTS[6:]]))
    arguments = ["audit", "vectors", str(tmp_path / "x.npy"), "--texts", str(tmp_path / "x.csv")]
    assert main([*arguments, "--set", "text_column=body", "--encoder", folder]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"x.npy: 24 vectors of {values.shape[1]} dimensions (float32, NumPy file); all checked."
    assert "not finite: 1. Vectors of zeros: 0." in lines[2]
    assert lines[3] == "Vectors that are not finite are left out of every sample; of this one row 4, counted from 1."
    assert "Without a text: 1 of 23 vectors in the sample." in lines
    assert lines[-1].endswith("cosine 1.000 on 22 of 22 texts.")
    assert main([*arguments, "--set", "text_column=body", "--encoder", folder, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["vectors"], report["left_out"], report["checks"]["not_finite"]) == (24, 1, 1)
    assert report["said"] == lines
    assert not any(text in json.dumps(report) for text in TEXTS), "no text is shown"


def test_a_store_made_by_an_own_folder_is_recognised_as_its_owner_made_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from sentence_transformers import SentenceTransformer

    prompt = {"prompts": {"passage": "bal fos "}, "default_prompt_name": "passage"}
    folder = str(saved(tmp_path, "cls", True, ["Tanh"], **prompt))
    np.save(tmp_path / "x.npy", SentenceTransformer(folder, device="cpu").encode(list(TEXTS)))
    (tmp_path / "x.csv").write_text("\n".join(["text", *TEXTS]))
    given = ["audit", "vectors", str(tmp_path / "x.npy"), "--texts", str(tmp_path / "x.csv"), "--encoder", folder]
    assert main(given) == 0
    made = "the first token’s hidden state, a dense layer, scaled to length one, texts behind the prompt 'bal fos '"
    assert f"Encoder: these vectors are {folder}, {made}: cosine 1.000 on 24 of 24" in capsys.readouterr().out


def test_without_texts_it_says_which_encoders_have_as_many_dimensions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.save(tmp_path / "x.npy", np.eye(384, dtype=np.float32))
    assert main(["audit", "vectors", str(tmp_path / "x.npy")]) == 0
    assert "no encoder was compared" in (out := capsys.readouterr().out)
    assert "Of 384 dimensions: all-MiniLM-L6-v2" in out
    assert main(["audit", "vectors", str(tmp_path / "x.npy"), "--set", "sample"]) == 1
    assert "NAME=VALUE" in capsys.readouterr().err


def test_no_encoder_is_named_by_ties_or_chance_or_alike_texts(minilm: np.ndarray, context: RunContext) -> None:
    alike = np.tile(minilm[:1], (len(minilm), 1))
    assert said(alike, context).startswith("Encoder: not all-MiniLM-L6-v2")
    assert "cannot be told: there are 2 different texts" in said(minilm[:2], context, texts=TEXTS[:2])
    same = np.random.default_rng(0).normal(size=minilm.shape).astype(np.float32)
    assert "cannot be told" in said(same, context, texts=("one text",) * len(same))
    others = tuple(f"{text} again yesterday evening" for text in TEXTS[::-1])
    assert "another order" not in said(minilm, context, texts=others)


@pytest.mark.parametrize(
    "length, says",
    [
        (np.ones(40), "All have length one, so cosine"),
        (np.full(40, 5.0), "All have length 5, so cosine"),
        (np.linspace(0.991, 1.009, 40), "rank differently"),
        (np.zeros(40), "No vector has a length"),
        (np.repeat([0.0, 1.0], 20), "All others than those of zeros or not finite have length one"),
    ],
)
def test_lengths_are_said_as_they_are(length: np.ndarray, says: str) -> None:
    values = scaled(np.random.default_rng(0).normal(size=(40, 16)).astype(np.float32)) * length[:, None]
    lines = vector_report.sentences("x", sample(values.astype(np.float32), ()), "", check([values.astype("f4")]), [])
    assert says in lines[1]


def test_a_name_of_no_encoder_is_refused_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save(tmp_path / "x.npy", np.eye(24, 384, dtype=np.float32))
    (tmp_path / "x.csv").write_text("\n".join(["text", *TEXTS]))
    given = ["audit", "vectors", str(tmp_path / "x.npy"), "--texts", str(tmp_path / "x.csv"), "--encoder", "minilmm"]
    assert main(given) == 1
    assert "Did you mean 'minilm'" in capsys.readouterr().err
