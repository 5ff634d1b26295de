"""Values of a wrong type, and fields that a kind does not have."""

from __future__ import annotations

import json
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from engine.linter import RULES as OF_APPLY
from engine.linter import LintRule
from engine.tables.patch_schema import fold
from engine.values.plain import kind_name

from ....apiserver.decoding import go_types, type_search
from ....apiserver.eras import minor_of
from ....apiserver.problem_paths import value_at
from ....apiserver.registry import feature_gates
from ....output.secrets import is_secret
from ..record import SERVER, Fix, GateProblem, GateRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Schema
    from engine.paths import Steps

    from ....apiserver.decoding.type_mismatch import TypeMismatch
    from ..server import Judged

WANTED = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "int-or-string": "an integer or a string",
    "quantity": "a quantity, such as 100m or 2Gi",
}


def no_text(steps: Steps, value: Any, written: str) -> GateProblem:
    """The problem of a name that is not a string, and its fix: quotes around its text."""
    text = json.dumps(written, ensure_ascii=False)
    message = f"The value must be a string, not {kind_name(value)}."
    return GateProblem(steps, message, f"Write {text}.", Fix(steps, False, text))


def wrong_types(judged: Judged) -> Iterator[GateProblem]:
    """Values that a server cannot read."""
    hidden = is_secret(judged.content)
    for one in judged.mismatches:
        wanted = _wanted(one)
        text = _written_right(one)
        message = f"The value must be {wanted}, not {_given(one)}."
        if text is None:
            yield GateProblem(one.at, message, BASE64_ADVICE if wanted == TEXTS[go_types.BYTES] else "")
        else:
            advice = "Add quotes." if text.startswith('"') else "Remove the quotes."
            shown = f"Write {text}." if not hidden else advice
            yield GateProblem(one.at, message, shown, Fix(one.at, False, text))


TEXTS = {
    go_types.TIME: "a time, such as 2024-01-31T12:00:00Z",
    go_types.MICRO_TIME: "a time, such as 2024-01-31T12:00:00.000000Z",
    go_types.BYTES: "base64",
}
"""Requirements for a string, by its type in Go."""
BASE64_ADVICE = "Encode the value in base64. In a Secret, stringData takes plain text."


def _wanted(one: TypeMismatch) -> str:
    """The values that the field takes."""
    if one.rule.kind != "primitive":
        return "a list" if one.rule.kind == "list" else "a mapping"
    if isinstance(one.value, str) and one.go in TEXTS:
        return TEXTS[one.go]
    if isinstance(one.value, (int, float)) and one.rule.of in type_search.WHOLE and not one.value % 1:
        least, end = go_types.RANGES.get(one.go) or go_types.RANGES["int32"]
        return f"an integer from {least} to {end - 1}"
    return WANTED.get(str(one.rule.of), "another value")


def _given(one: TypeMismatch) -> str:
    """The kind of the value, or the value itself if it has the right type, but no valid form."""
    is_text = isinstance(one.value, str) and one.go in TEXTS
    is_number = (
        isinstance(one.value, (int, float)) and one.rule.of in type_search.WHOLE and one.value not in (True, False)
    )
    is_quantity = isinstance(one.value, str) and one.rule.of == "quantity"
    if is_quantity or (is_text and one.go != go_types.BYTES):
        return repr(one.value)
    return "plain text" if is_text else str(one.value) if is_number else kind_name(one.value)


def _written_right(one: TypeMismatch) -> str | None:
    """The intended value if it is certain, as YAML: text in quotes, or a number or a boolean without."""
    value, of = one.value, one.rule.of
    if one.rule.kind != "primitive" or isinstance(value, (dict, list)):
        return None
    if of == "string" and isinstance(value, (bool, int)):
        return json.dumps(json.dumps(value))
    if of == "integer" and isinstance(value, str) and _is_whole(value):
        return value
    return value if of == "boolean" and value in ("true", "false") else None


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdecimal() and (text == "0" or not text.startswith("0")) and len(text) < 10


WRONG_TYPE = LintRule(
    "KM101",
    "wrong-type",
    "error",
    meaning="The value has the wrong type for its field, so the API server cannot decode the object.",
    advice="Write a value of the field's type.",
    explanation="""
        YAML reads `replicas: "3"` as a string, and `debug: true` in a ConfigMap as a boolean. The API server decodes an
        object into types, and rejects the whole object if one value does not match. If the intended value is
        unambiguous, `--fix` adds or removes the quotes.
        """,
    example="""
        # kind: v1 ConfigMap
        # config
        data: {debug: true}
        """,
    about=SERVER,
)


def unknown_fields(judged: Judged) -> Iterator[GateProblem]:
    """Fields that a server rejects or drops, and the probable intended fields."""
    for steps in judged.unknown:
        name = str(steps[-1])
        meant = _meant(judged.schema, steps, judged.content)
        message = f"Kubernetes {judged.release} has no field {name!r} here, so the API server rejects the object."
        if meant is None:
            yield GateProblem(steps, message)
        else:
            yield GateProblem(steps, message, f"Write {meant!r}.", Fix(steps, True, meant))


def _meant(schema: Schema | None, steps: Steps, content: Any) -> str | None:
    """The only field that may be intended; None if the object already has it."""
    known = _fields_at(schema, steps[:-1]) if schema is not None else []
    name, beside = str(steps[-1]), value_at(content, steps[:-1])
    exact = [one for one in known if fold(one) == fold(name)]
    near = exact or get_close_matches(name, known, n=2, cutoff=0.8)
    return near[0] if len(near) == 1 and near[0] not in (beside or ()) else None


def _fields_at(schema: Schema, steps: Steps) -> list[str]:
    """The fields of the type at a place."""
    rule = schema.type.rule
    for step in steps:
        if rule.kind == "list" or rule.free_keys:
            rule = schema.inside(rule)[0]
        else:
            found = schema.field(rule, str(step))
            if found is None:
                return []
            rule = found
    holder = schema.struct(rule)
    return list(holder.fields) if holder is not None else []


def disabled_fields(judged: Judged) -> Iterator[GateProblem]:
    """Fields that a server drops without a word, because their feature gate is off."""
    for steps, gate in judged.disabled:
        since = feature_gates.on_since(gate, minor_of(judged.release))
        other = f"upgrade to 1.{since}, where the gate is on" if since else "turn on the gate"
        message = f"The feature gate {gate} is off by default, so the API server drops the field."
        yield GateProblem(steps, message, f"Remove the field, or {other}.")


DISABLED = LintRule(
    "KM112",
    "disabled-field",
    "warning",
    meaning="The feature gate of the field is off by default, so the API server drops the field.",
    advice="Remove the field, or turn on the feature gate.",
    explanation="""
        The schema of a release may have a field that its API server does not store yet. The server then drops the field
        without an error or a warning. After an upgrade, the field may take effect. The gates of each release come from
        the source of Kubernetes.
        """,
    example="""
        # kind: v1 Pod
        # release: 1.29
        # config
        spec: {hostUsers: false, containers: [{name: web, image: web:1}]}
        """,
    about=SERVER,
)

RULES = (
    GateRule(WRONG_TYPE, wrong_types),
    GateRule(OF_APPLY["KM015"], unknown_fields),
    GateRule(DISABLED, disabled_fields),
)
