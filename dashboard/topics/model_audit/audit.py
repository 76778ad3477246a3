"""An audit of a model on its page: one that comes with Telltale, a visitor's own, or one of the command line."""

import streamlit as st

from core.experiment import Experiment
from core.games.audit import Audit
from core.report import private
from core.result import Result
from core.runtime.store import Store
from dashboard.kit import address, choices, evidence, glossary, links, running, stored_results
from dashboard.kit.forms import settings_in_words
from dashboard.kit.inputs import linked_result
from dashboard.topics.model_audit import answers, inputs, sections

ATTACKS = {"word_pair_audit": "Word vectors", "language_model_audit": "Language model"}
"""The attacks of this page whose audits come with Telltale, and what they are on."""
_CAPTIONS = {
    "word_pair_audit": "Shown below is an audit that comes with Telltale: gensim’s word vectors of 1,000 passages of "
    "an encyclopedia, 400 others known to be out.",
    "language_model_audit": "Shown below is an audit that comes with Telltale: a small GPT-2, fine-tuned on 1,000 "
    "passages of an encyclopedia, 400 others known to be out.",
}
_OWN_CAPTION = "Shown below is the audit of your own model."
_STORED_CAPTION = "Shown below is an audit that is stored here."
_ABSENT = "The audit that comes with Telltale is not on this machine."
_SHOWN = "view.shown"
_COMMAND = "python -m core audit model FOLDER --documents documents.csv --base FOLDER_OF_THE_BASE"
_ANSWERS = (
    "A model behind a service is audited by its answers: give your documents, download the questions, put them to the "
    "model, and come back with what it answered. The address of this page keeps your place. The command line does the "
    "same, and prints the link that shows its result here."
)
_ASK = """python -m core audit ask classifier --documents documents.csv --set label_column=topic -o questions.jsonl
python -m core audit answer questions.jsonl answers.jsonl"""
_BACK = "Back to the audit that comes with Telltale"
_LANGUAGE_MODELS = (
    "A language model, a sentence encoder or a translator is a folder, which is not uploaded. For safety, pages accept "
    "no server paths; the same holds for classifier files. Audit it by the command line where it lies. The command "
    "prints the link that shows its result here."
)


def show() -> None:
    """Draw the form for a visitor's own model, then the audit that the address names."""
    above, is_own = st.container(), inputs.is_own()
    begun = any(name in st.query_params for name in inputs.QUERY_NAMES.values())
    with st.expander("Audit your own word vectors", icon=":material/upload_file:", expanded=begun, key="audit.own"):
        audit = inputs.form()
        _offer_run(audit)
        if is_own:
            names = tuple(inputs.QUERY_NAMES.values())
            st.button(_BACK, on_click=address.forget, args=(names,), key="audit.back")
    with st.expander(
        "Audit your own language model, encoder, translator or classifier",
        icon=":material/terminal:",
        key="audit.folder",
    ):
        st.markdown(_LANGUAGE_MODELS, help=glossary.explained(_LANGUAGE_MODELS))
        st.code(_COMMAND, language="shell")
    asking = answers.QUERY_NAMES["asked"] in st.query_params
    with st.expander("Audit a model by its answers", icon=":material/quiz:", expanded=asking, key="audit.answers"):
        st.markdown(_ANSWERS, help=glossary.explained(_ANSWERS))
        answered = answers.form()
        if not is_own:
            _offer_run(answered)
        if answers.is_answered():
            names = tuple(answers.QUERY_NAMES.values())
            st.button(_BACK, on_click=address.forget, args=(names,), key="audit.unasked")
        st.code(_ASK, language="shell")
    if is_own:
        _own_audit(above, audit)
    elif answers.is_answered():
        _own_audit(above, answered)
    elif key := st.query_params.get(linked_result.RESULT, ""):
        _stored_audit(above, key)
    else:
        _shipped_audit(above)


def _shipped_audit(above: st.delta_generator.DeltaGenerator) -> None:
    """Draw the audit of the kind of model that is chosen, at first that of the address; they come with Telltale."""
    linked = address.experiment()
    named = linked.get("attack", "")
    with above:
        attack = choices.few("Kind of model", ATTACKS, _SHOWN, default=named if named in ATTACKS else None)
    if attack != named:
        linked = {}
        address.show(linked)
    shipped = links.read(linked, attack, Store()).experiment
    result = stored_results.readable(shipped.key)
    if result is None:
        st.info(_ABSENT)
        return
    tested = shipped.as_dict()["game"]["targets"]
    caption = f"{_CAPTIONS[attack]} {tested} of each, drawn at random, are tested."
    _draw(above, shipped, result, caption)


def _stored_audit(above: st.delta_generator.DeltaGenerator, key: str) -> None:
    """Draw a stored audit by its key, which the command line prints."""
    stored = linked_result.stored(key)
    linked_result.leave_button()
    if stored is None or not isinstance(stored[0].game, Audit):
        linked_result.tell_absent(key)
        return
    audit, result = stored
    # Whoever has the link sees figures, but no path of the server, and no name.
    _draw(above, Experiment.parse(private.public(audit)), result, _STORED_CAPTION, key)


def _offer_run(audit: Experiment | None) -> None:
    """Draw the run of the visitor's own audit, or the button that starts it, while it has no result."""
    if audit is not None and stored_results.readable(audit.key) is None:
        running.panel(audit, announced=True)


def _own_audit(above: st.delta_generator.DeltaGenerator, audit: Experiment | None) -> None:
    """Draw the audit of the visitor's own model, once it has a result."""
    if audit is not None and (result := stored_results.readable(audit.key)) is not None:
        _draw(above, audit, result, _OWN_CAPTION)


def _draw(
    above: st.delta_generator.DeltaGenerator, audit: Experiment, result: Result, caption: str, key: str = ""
) -> None:
    """Draw a result; a key says that its experiment is shown without what its user brought."""
    with above:
        st.caption(caption)
        sections.answer(result)
    sections.findings(result)
    sections.exposed(result, audit.attack.part_name(), named=not key)
    if not key:
        sections.owners(audit, result)
    sections.limits(result)
    threat_model = f"Threat model: {audit.attack.assumed} {settings_in_words.of(audit)}"
    st.caption(threat_model, help=glossary.explained(threat_model))
    evidence.button([key or audit.key], "report-model-audit")
