"""Reports about the fields that managers took: as rows, JSON and SARIF."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..output.addresses import SITE
from ..output.sarif import fingerprint, location, log
from .taken_fields import UNCHANGED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .taken_fields import TakenField

RULE = "field-not-allowed"
HEAD = ("OBJECT", "FIELD", "VERB", "TAKEN FROM", "VALUE")
NOT_ALLOWED = "NOT ALLOWED"
_ADVICE = {
    True: "Do not send the field, because its value is the same.",
    False: "Do not write the field, or allow it.",
}


def rows(fields: Sequence[TakenField]) -> list[tuple[str, ...]]:
    """A table of the fields of one manager. The last column marks those that it may not own."""
    return [(*HEAD, ""), *map(_row, fields)]


def _row(field: TakenField) -> tuple[str, ...]:
    others = ", ".join(field.taken_from)
    return field.object, field.path, field.write.verb, others, field.value, "" if field.allowed else NOT_ALLOWED


def facts(fields: Sequence[TakenField]) -> list[dict[str, Any]]:
    """Each field as data for programs."""
    return [
        {
            "manager": field.write.manager,
            "group": field.write.group,
            "resource": field.write.resource,
            "subresource": field.write.subresource,
            "namespace": field.write.namespace,
            "name": field.write.name,
            "path": field.path,
            "verb": field.write.verb,
            "takenFrom": list(field.taken_from),
            "value": field.value,
            "allowed": field.allowed,
            "line": field.number + 1,
        }
        for field in fields
    ]


def sarif(fields: Sequence[TakenField], uri: str) -> str:
    """A SARIF log with a result for each field that its manager may not own, at the line of the write."""
    rule = {
        "id": RULE,
        "name": "FieldNotAllowed",
        "shortDescription": {"text": "A field manager took a field that it may not own."},
        "help": {"text": "Do not write the field, or allow it. The next apply of its owner fails with a conflict."},
        "helpUri": f"{SITE}how-to/test-ownership.html",
        "defaultConfiguration": {"level": "error"},
    }
    return log([rule], [_result(field, uri) for field in fields if not field.allowed])


def _result(field: TakenField, uri: str) -> dict[str, Any]:
    manager, object_ = field.write.manager, field.object
    advice = _ADVICE[field.value == UNCHANGED]
    place = {
        "physicalLocation": location(uri, field.number + 1),
        "logicalLocations": [{"fullyQualifiedName": f"{object_} {field.path}"}],
    }
    return {
        "ruleId": RULE,
        "ruleIndex": 0,
        "level": "error",
        "message": {"text": f"{manager} may not own this field. {field.text}. {advice}"},
        "locations": [place],
        "partialFingerprints": fingerprint(RULE, manager, object_, field.path),
    }
