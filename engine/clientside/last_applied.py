"""The annotation in which `kubectl apply` keeps what it applied last, to the byte as kubectl writes it."""

from __future__ import annotations

from ..directives import ANNOTATION
from ..errors import BadAnnotation, BadText, NotAnObject
from ..values.go_json import decode, encode
from ..values.guard import run
from ..values.plain import INT64, copied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from ..values.plain import Object

LARGEST = 262_144
"""Bytes that all annotations of an object may have together; the API server refuses more."""


def last_applied_text(config: Object) -> str:
    """What kubectl keeps of a config: JSON in one line, without the annotation itself, with a newline at the end."""
    if not isinstance(config, dict):
        raise NotAnObject("config", config)
    return run(lambda config: _text(as_sent(_with_annotations(config, _others(config)))), config=config)


def annotated(config: Object) -> Object:
    """The config as it is sent, with the annotation that says what it is."""
    plain = as_sent(_with_annotations(config, _others(config)))
    return _with_annotations(plain, {**annotations_of(plain), ANNOTATION: _text(plain)})


def read_last_applied(live: Object, wanted: Object | None = None) -> Object | None:
    """What was applied last, as the live object's annotation says; None where it has none.

    Where the annotated config that is `wanted` now says the same, it is known without reading.
    """
    text = annotations_of(live).get(ANNOTATION)
    if text is None:
        return None
    if wanted is None or annotations_of(wanted).get(ANNOTATION) != text:
        return parse_last_applied(text)
    return _with_annotations(wanted, _others(wanted))


def parse_last_applied(text: object) -> Object:
    """The document in the annotation. An empty annotation stands for an empty document, as it does to kubectl."""
    if text == "":
        return {}
    if not isinstance(text, str):
        raise BadAnnotation(ANNOTATION, f"is no text but a {type(text).__name__}")
    try:
        document = decode(text)
    except BadText as error:
        raise BadAnnotation(ANNOTATION, f"does not hold JSON ({error.reason})") from None
    if document is None:
        return {}
    if type(document) is not dict:
        raise BadAnnotation(ANNOTATION, "holds JSON that is no object")
    return document


def annotations_of(document: Object) -> Object:
    """The annotations of an object; empty where there are none, or where they are no map."""
    metadata = document.get("metadata")
    found = metadata.get("annotations") if type(metadata) is dict else None
    return found if type(found) is dict else {}


def drops_annotations(config: Object) -> bool:
    """Whether kubectl drops all annotations of a config: it reads none where one is neither text nor null."""
    return any(value is not None and type(value) is not str for value in annotations_of(config).values())


def as_sent(document: Object) -> Object:
    """The document as it is after it was JSON text on the way to the server: 1.0 is 1 then."""
    if _stays_as_text((document,)):
        return document
    sent: Object = decode(encode(copied(document)))
    return sent


def _stays_as_text(values: Iterable[Any]) -> bool:
    """Whether values are JSON, and come to the same by being written down and read; floats may not."""
    for value in values:
        kind = type(value)
        if kind is str or kind is bool or value is None:
            continue
        if kind is dict:
            for key in value:
                if type(key) is not str:
                    return False
            if not _stays_as_text(value.values()):
                return False
        elif kind is list:
            if not _stays_as_text(value):
                return False
        elif kind is not int or abs(value) >= INT64:
            return False
    return True


def _others(config: Object) -> Object:
    """The annotations besides ours, as kubectl reads them: null is an empty text to it."""
    if drops_annotations(config):
        return {}
    return {key: value or "" for key, value in annotations_of(config).items() if key != ANNOTATION}


def _with_annotations(config: Object, found: Object) -> Object:
    metadata = config.get("metadata", {})
    if type(metadata) is not dict:
        raise NotAnObject("metadata of the config", metadata).within("metadata")
    return {**config, "metadata": {**metadata, "annotations": found}}


def _text(document: Any) -> str:
    return encode(document) + "\n"
