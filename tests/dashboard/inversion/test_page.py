"""The page of inversion reads one's own sentence back first, then a victim, and then says how good that is."""

import re
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from core import catalog
from core.experiment import Experiment
from core.registry import part
from core.result import Result, table
from core.runtime.store import Store
from core.statistics.wording import percent
from dashboard.kit import panels, stored_results, tabs
from dashboard.kit.texts import victim_texts
from dashboard.topics.inversion import learning, paper
from tests.dashboard.inversion.samples import ATTACK, TEXT
from tests.dashboard.inversion.samples import inversion as made
from tests.dashboard.kept_results import Open, everything, everywhere, in_tab, words
from tests.dashboard.samples import validated

NAMES = (
    *("by classifier", "word by word", "by text search", "by generation"),
    *("by sparse coding", "by relaxation", "by nearest text"),
)


def test_the_sentence_comes_first_with_what_was_read_back_marked(open_result: Open) -> None:
    result = made(recall=1.0)
    app = open_result(result, unfolded=True)
    seen = everything(app)
    page_text = seen.said
    assert seen.headers == [
        "Type a sentence",
        "The result’s sentence",
        "Over all victims",
        "Methods compared",
        "One victim",
        "Training of the adversary",
        "Comparison with the paper",
    ]
    assert ":orange-background[:orange[**the**]] waiter" in page_text and "nicer." in page_text
    assert "Of 11 different words," in page_text and "2 named words are not in the text." in page_text
    assert "✗ Named, not in the text:" in page_text and "○ Missed:" in page_text
    assert "“Your sentence” in the settings" in page_text
    assert re.search(r"F1 of this one text is \d+%\. Over .* victims it is .*; chance, which names the most", page_text)
    assert seen.figures.keys() >= {"learning", "rarity", "readings-all", "readings-content", "victim", "yours"}


def test_a_sentence_is_called_the_visitors_only_where_one_was_typed(open_result: Open) -> None:
    demo = Experiment.preset(ATTACK, "demo").attack.text
    for text, heading in ((demo, "The result’s sentence"), ("My own.", "Your sentence")):
        app = open_result(made(text=text))
        assert app.main.header[1].value == heading


def test_another_victim_is_read_back_beside_its_text(open_result: Open) -> None:
    app = open_result(made(recall=0.8), tab=tabs.HOW)
    assert victim_texts.ABSENT not in words(app)
    app.main.selectbox(key="view.victim").set_value(5).run()
    assert not app.exception
    assert words(app).count(":orange-background[:orange[**") > 5


def test_without_the_dataset_no_text_of_a_victim_is_shown(open_result: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TELLTALE_DATA", raising=False)
    app = open_result(made(dataset="yelp", source="minilm"))
    assert "pizza" in words(app), "one's own sentence is shown all the same"
    page_text = words(in_tab(app, tabs.HOW))
    assert victim_texts.ABSENT in page_text
    assert "known only with the text" in page_text.split("○ Missed:")[-1]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("text", ["", " ", "!?", "the", "*a* [link](http://example.com) www.example.com a@b.example"])
def test_odd_sentences_are_shown_as_they_are(open_result: Open, text: str) -> None:
    app = open_result(made(text=text, victims=6))
    page_text = words(app)
    raw = "".join(str(element.value) for element in app.main.markdown)
    assert ("The text is empty." in page_text) == (not text.strip())
    in_tab(app, tabs.HOW)
    assert "One victim" in [header.value for header in app.main.header]
    assert "](http://" not in raw and "www.e" not in raw.replace("\\", "") and "a@b" not in raw


def test_a_defense_brings_two_adversaries_and_is_drawn_with_its_cost(open_result: Open) -> None:
    bare, defended = made(), made(defended=True)
    app = open_result(defended, bare, defended)
    assert "The naive adversary, who ignores the defense, reaches" in words(app)
    assert "F1 of words, naive adversary" in [metric.label for metric in app.main.metric]
    page_text = words(in_tab(app, tabs.DEFENSES))
    assert "Under defenses" in [header.value for header in app.main.header]
    assert "The stronger of both adversaries" in page_text and "chance" in page_text
    links = [link.proto for link in app.main.get("page_link")]
    assert any("view.task=Inversion" in link.query_string for link in links)
    assert "In 2 results" in words(in_tab(app, tabs.PAPER)), "that which is shown, and the undefended"


def test_without_a_defended_result_there_is_no_tab_of_defenses(open_result: Open) -> None:
    assert tabs.DEFENSES not in [tab.label for tab in open_result(made(), made()).tabs]


def test_the_paper_beside_has_no_defended_result(open_result: Open) -> None:
    bare, defended = made(), made(defended=True)
    assert "In 2 results" not in words(open_result(bare, bare, defended, tab=tabs.PAPER))


def test_an_attack_that_does_not_learn_by_passes_shows_no_learning(open_result: Open) -> None:
    seen = everything(open_result(made(passes=0), unfolded=True))
    assert "Training of the adversary" not in seen.headers
    assert seen.figures.keys() >= {"rarity", "readings-all", "readings-content", "victim", "yours"}


def test_without_victims_there_is_none_to_choose(open_result: Open) -> None:
    result = made()
    schemas = Experiment.parse(result.experiment).game.tables
    for name in ("words", "readings", "rarity"):
        result.tables[name] = table(schemas[name], [])
    app = open_result(result, unfolded=True)
    assert "No victim has such a word." in words(app) and "No victim has a word." in words(app)
    assert "One victim" not in [header.value for header in in_tab(app, tabs.HOW).main.header]


def test_promised_results_stand_beside_the_paper(open_result: Open) -> None:
    shown, other = made(), made(source="minilm", dataset="yelp", recall=0.8, auxiliary={"part": "wikitext2"})
    missing = Experiment.parse(made(seed=12).experiment)
    app = open_result(shown, shown, other, missing, tab=tabs.PAPER)
    page_text = words(app)
    assert "In 2 results here, F1 is between" in page_text and "all-MiniLM-L6-v2, Restaurant reviews" in page_text
    assert "other encoders and another corpus" in page_text
    app.session_state["folded/Precision, recall and F1 as a table"] = True
    app.run()
    listed = next(frame.value for frame in app.main.dataframe if "target" in frame.value)
    assert listed["access"].tolist() == ["black box"] * 2 + ["white box"] * 8
    assert listed["method"].tolist()[:2] == [
        "Inversion by classifier, same domain",
        "Inversion by classifier, learnt from WikiText-2",
    ]


def test_without_promised_results_the_paper_is_described_in_words(open_result: Open) -> None:
    page_text = words(open_result(made(), tab=tabs.PAPER))
    assert "None of our results is computed yet. The paper’s white-box attacks reach" in page_text
    assert "F1 here, and in the paper’s Table 1" not in page_text


def test_a_run_is_drawn_while_it_goes_on() -> None:
    result = made()
    rows = result.tables["learning"].to_dict("records")
    draw = partial(learning.live, experiment=Experiment.parse(result.experiment))
    assert len(validated(draw(rows)).data[0].x) == 4
    assert len(validated(draw([*rows[:2], rows[1]])).data[0].x) == 2
    assert draw(rows[:1]).to_json() and draw([]).to_json()


def test_the_samples_are_of_this_attack() -> None:
    assert Experiment.parse(made().experiment).attack.part_name() == ATTACK
    assert made().experiment["attack"]["text"] == TEXT


def test_kept_results_about_the_same_victims_stand_beside_it(open_result: Open) -> None:
    other, elsewhere = made(recall=0.9, vocabulary=3000), made(seed=4712)
    page_text = everywhere(open_result(made(recall=0.2), other, elsewhere, unfolded=True))
    assert page_text.count("text: classifier,") == page_text.count("; classifier,") == 2, "sentence and victim"
    assert "; by C" not in page_text, "another seed draws other victims"


@pytest.fixture
def demo(app: AppTest, home: object) -> AppTest:
    """The page of the demo of the method that comes first, not yet drawn."""
    app.switch_page("views/inversion.py")
    app.query_params["preset"] = "demo"
    return app


def test_the_methods_are_compared_on_the_same_texts(demo: AppTest) -> None:
    stored = {
        entry.experiment.attack.title: stored_results.estimates(entry.key)["f1"]
        for entry in catalog.entries()
        if entry.experiment.attack.game == "inversion"
        and entry.name.startswith("demo_")
        and entry.experiment.model.length == "raw"
        and entry.experiment.seed == 1
    }
    demo.session_state["folded/What each method needs"] = True
    demo.run()
    listed = next(frame.value for frame in demo.main.dataframe if "own texts" in frame.value)
    assert len(listed) == len(stored) == len(NAMES)
    assert listed["F1"].tolist() == [percent(stored[f"Inversion {name}"].value) for name in NAMES]
    assert listed["victims"].tolist() == [stored[f"Inversion {name}"].n for name in NAMES]
    assert listed["chance"].str.endswith("%").all() and listed["95% interval"].str.fullmatch(r"\d+–\d+%").all()
    assert listed["access"].tolist() == [*["black box"] * 4, *["white box"] * 2, "black box"]
    assert listed["method"].tolist()[0] == "Classifier (shown above)"
    assert "recovers most: F1" in words(demo)


def test_another_method_opens_on_the_same_texts_and_is_remembered(demo: AppTest) -> None:
    demo.run()
    for method in ("relaxed_inversion", "corrective_inversion", "few_shot_inversion", "decoder", "sparse_inversion"):
        demo.main.segmented_control(key="inversion/method").set_value(method).run()
        assert not demo.exception
        assert demo.query_params["attack"] == method
        assert demo.query_params["dataset"] == "wikipedia_excerpt"
        assert demo.main.title[0].value == part("attack", method).title
        assert "Run" not in [button.label for button in demo.main.button], "it is computed already"
    # An empty address opens the method that was last chosen.
    demo.switch_page("views/overview.py").run()
    demo.query_params.clear()
    demo.switch_page("views/inversion.py").run()
    assert demo.main.title[0].value == "Inversion by sparse coding"


def test_an_unknown_method_in_the_address_is_named(app: AppTest, home: object) -> None:
    app.switch_page("views/inversion.py")
    app.query_params["attack"] = "sparse_inversoin"
    app.run()
    assert not app.exception
    assert "sparse" in app.main.warning[0].value and app.main.title[0].value == "Inversion by classifier"


def test_methods_without_a_result_for_these_texts_are_named(open_result: Open) -> None:
    page_text = words(open_result(made()))
    assert "Without a stored result for these texts: Inversion word by word" in page_text
    assert "It is the only method with a stored result for these texts." in page_text


def test_a_search_shows_how_it_settled(open_result: Open) -> None:
    kept = Result.load(Store(), Experiment.preset("relaxed_inversion", "demo").key)
    assert kept is not None
    app = open_result(kept, tab=tabs.HOW, unfolded=True)
    page_text = words(app)
    assert "Convergence of the search" in [header.value for header in app.main.header]
    assert "squared distance between mixture and embedding" in page_text and "positions, with an F1" in page_text


def test_guesses_are_shown_beside_what_was_meant_and_what_they_add(open_result: Open) -> None:
    kept = Result.load(Store(), Experiment.preset("corrective_inversion", "demo").key)
    assert kept is not None
    seen = everything(open_result(kept, unfolded=True))
    page_text = seen.said
    assert "Gain by text search" in seen.headers and "Training of the adversary" in seen.headers
    assert page_text.count("The closest text that the adversary found") == 2, "for one's own sentence and for a victim"
    texts = kept.tables["texts"].set_index("victim")["words"]
    assert texts[-1].split()[0] in page_text
    assert "of the classifier" in page_text


def test_whole_texts_and_the_training_of_the_decoder_are_shown(open_result: Open) -> None:
    kept = Result.load(Store(), Experiment.preset("generative_inversion", "demo").key)
    assert kept is not None
    app = open_result(kept)
    app.session_state["folded/Names, numbers and addresses"] = True
    app.run()
    shown = {metric.label: metric.value for metric in app.main.metric}
    whole = {"Read word for word": "exact_match", "BLEU": "bleu", "ROUGE-L": "rouge_l"}
    assert all(shown[label] == panels.value(kept.estimates[name]) for label, name in whole.items())
    assert {"Cosine with the text read", "Names read", "Numbers read"} <= set(shown)
    in_tab(app, tabs.HOW)
    assert {"Training of the decoder", "Gain by text search"} <= {header.value for header in app.main.header}
    assert "nats per subword" in words(app) and "also trained on generated texts" not in words(app)


def test_each_result_beside_the_paper_has_a_label_of_its_own() -> None:
    rows = [(our.about, our.how, our.access) for our in paper._ours(Experiment.preset(ATTACK, "demo"))]
    assert len(rows) == len(set(rows)) >= len(NAMES)
