"""The last-applied annotation of `kubectl apply`, byte for byte as kubectl writes it."""

from __future__ import annotations

from .. import aliases
from ..directives import ANNOTATION
from ..errors import BadAnnotation, BadText, NotAnObject
from ..tables.behaviour import NEWEST, READS_NO_NULL_ANNOTATIONS
from ..values.go_json import decode, encode
from ..values.guard import canonical, run
from ..values.plain import is_stable_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..tables.behaviour import Behaviour
    from ..values.plain import Object

LARGEST = 262_144
"""The maximum size of all annotations of an object in bytes; the API server rejects more."""


class SentConfig:
    """A config as `kubectl apply` sends it, read, encoded and copied once.

    plain      the config without the annotation; the next last applied config
    text       the annotation: `plain` as JSON on one line, and a newline
    annotated  the config with the annotation
    dropped    true if kubectl drops all annotations of the config, because one is neither a string nor null; until
               kubectl 1.32 null has the same effect
    """

    __slots__ = ("annotated", "dropped", "plain", "text")

    def __init__(self, config: Object, behaviour: Behaviour = NEWEST) -> None:
        metadata = config.get("metadata", {})
        if type(metadata) is not dict:
            raise NotAnObject("metadata of the config", metadata).within("metadata")
        found = annotations_of(config)
        readable = (str,) if READS_NO_NULL_ANNOTATIONS in behaviour else (str, type(None))
        self.dropped = any(type(value) not in readable for value in found.values())
        # kubectl reads null as an empty string.
        others = {} if self.dropped else {key: value or "" for key, value in found.items() if key != ANNOTATION}
        bare = {**config, "metadata": {**metadata, "annotations": others}}
        stays = is_stable_json((bare,))
        text = encode(bare if stays else canonical(bare))  # in which -0.0 is written as -0, which reads back as 0
        self.plain: Object = bare if stays else decode(text)
        self.text = text + "\n"
        metadata = self.plain["metadata"]
        annotations = {**metadata["annotations"], ANNOTATION: self.text}
        self.annotated: Object = {**self.plain, "metadata": {**metadata, "annotations": annotations}}


def last_applied_text(config: aliases.Document) -> str:
    """The annotation text that kubectl stores for a config: JSON on one line, without itself, and a newline."""
    if config is None:
        raise NotAnObject("config", config)
    return run(lambda config: SentConfig(config).text, config=config)


def with_last_applied(config: Object) -> Object:
    """The config with the annotation that records it."""
    return SentConfig(config).annotated


def read_last_applied(live: Object, sent: SentConfig | None = None) -> Object | None:
    """The last applied config from the live object's annotation; None if there is no annotation.

    The text is not parsed if `sent`, the config of this apply, has the same annotation.
    """
    text = annotations_of(live).get(ANNOTATION)
    if text is None:
        return None
    return parse_last_applied(text) if sent is None or sent.text != text else sent.plain


def parse_last_applied(text: object) -> Object:
    """The document in the annotation. As in kubectl, an empty annotation is an empty document."""
    if text == "":
        return {}
    if not isinstance(text, str):
        raise BadAnnotation(ANNOTATION, f"is a {type(text).__name__}, not text")
    try:
        document = decode(text)
    except BadText as error:
        raise BadAnnotation(ANNOTATION, f"does not hold JSON ({error.reason})") from None
    if document is None:
        return {}
    if type(document) is not dict:
        raise BadAnnotation(ANNOTATION, "holds JSON that is not an object")
    return document


def annotations_of(document: Object) -> Object:
    """The annotations of an object; empty if missing or not a map."""
    metadata = document.get("metadata")
    found = metadata.get("annotations") if type(metadata) is dict else None
    return found if type(found) is dict else {}


def without_last_applied(document: Object) -> Object:
    """An object or patch without the last-applied annotation; a patch with nothing else becomes empty."""
    found = annotations_of(document)
    if ANNOTATION not in found:
        return document
    left = {key: value for key, value in found.items() if key != ANNOTATION}
    metadata = {key: value for key, value in document["metadata"].items() if key != "annotations"}
    metadata |= {"annotations": left} if left else {}
    rest = {key: value for key, value in document.items() if key != "metadata"}
    return {**rest, **({"metadata": metadata} if metadata else {})}


def as_sent(document: Object) -> Object:
    """The document after a JSON round trip, which turns 1.0 into 1."""
    if is_stable_json((document,)):
        return document
    sent: Object = decode(encode(canonical(document)))
    return sent
