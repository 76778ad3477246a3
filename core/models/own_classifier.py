"""A classifier of texts that the user holds in a file without a pickle: skops or ONNX."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, ClassVar

from core.access import Access
from core.access.answers import ClassLabels, ClassProbabilities
from core.errors import InvalidDocuments
from core.sources import classifiers, user_files
from core.sources.answers.forms import Kind
from core.spec import parameter, path_parameter
from core.targets.answered_model import AskedModel, refuse_uniform
from core.targets.class_answers import class_access, class_access_again


class OwnClassifier(AskedModel):
    """A fitted pipeline from texts to classes, as skops writes it or as an ONNX graph.

    Of skops only what it trusts is rebuilt, and nothing is unpickled; a graph is run by onnxruntime. Both are asked as
    anybody who may query the classifier would ask it. One that returns only the class is asked in two rounds.
    """

    title: ClassVar[str] = "Your own classifier"
    provides: ClassVar[frozenset[type[Access]]] = frozenset({ClassLabels, ClassProbabilities})
    answering: ClassVar[Kind] = "classifier"

    source: str = path_parameter("", "Path of a .skops or .onnx file, where Telltale runs.")
    classes: tuple[str, ...] = parameter(
        (),
        "Names of the classes in the order of the probabilities, where an ONNX file does not name them.",
        max_length=10_000,
    )

    def identity(self) -> dict[str, Any]:
        """Return what determines the key: the settings and the content of the file, wherever it lies."""
        return user_files.by_content(super().identity(), lambda: user_files.content_of([self.path()]))

    def path(self) -> Path:
        """Return the file of the classifier.

        Raises:
            InvalidDocuments: There is none.
        """
        if not self.source.strip():
            raise InvalidDocuments("No classifier is given. Set 'source' to the .skops or .onnx file.")
        path = user_files.located(self.source)
        if not path.is_file():
            raise InvalidDocuments(f"{path.name} is a folder. Name the .skops or .onnx file.")
        return path

    def opened(self, texts: Sequence[str], classes: Sequence[str], known: Collection[str] = ()) -> Access:
        """Return access to what the classifier says of texts; see `AskedModel`."""
        path = self.path()
        answers = classifiers.answers(path, texts, self.classes)
        refuse_uniform(path.name, answers)
        packed = dict(zip(texts, answers, strict=True))
        return class_access(path.name, packed, classes, labels=isinstance(answers[0], str))

    def asked_again(self, access: Access) -> bool:
        """Tell whether it returns only the class."""
        return not isinstance(access, ClassProbabilities)

    def opened_again(self, texts: Sequence[str], again: Sequence[str], known: Collection[str] = ()) -> Access:
        """Return access to what the classifier says in both rounds; see `AskedModel`."""
        asked = [*texts, *again]
        answers = classifiers.answers(self.path(), asked, self.classes)
        return class_access_again({text: str(name) for text, name in zip(asked, answers, strict=True)})
