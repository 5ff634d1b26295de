"""CEL expressions in the rules of a definition, and the answer of each release's API server to a dry run.

`python -m tests.conformance.releases.expressions` asks the server of `$KUBECONFIG` and keeps its answers.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from ..ownership.real.server import Server, ServerUnavailable
from . import storage

HERE = Path(__file__).parent
RECORDED = HERE / "expressions.json.gz"
_TEXT: Any = {"type": "string", "maxLength": 20}
_SPEC: Any = {
    "type": "object",
    "properties": {
        "s": _TEXT,
        "n": {"type": "integer"},
        "d": {"type": "number"},
        "i64": {"type": "integer", "format": "int64"},
        "l": {"type": "array", "maxItems": 5, "items": _TEXT},
        "ls": {"type": "array", "maxItems": 5, "items": _TEXT, "x-kubernetes-list-type": "set"},
        "li": {"type": "array", "maxItems": 5, "items": {"type": "integer"}},
        "lm": {
            "type": "array",
            "maxItems": 5,
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["k"],
            "items": {"type": "object", "required": ["k"], "properties": {"k": _TEXT, "v": _TEXT}},
        },
        "m": {"type": "object", "maxProperties": 5, "additionalProperties": _TEXT},
        "t": {"type": "string", "format": "date-time"},
        "da": {"type": "string", "format": "date"},
        "du": {"type": "string", "format": "duration"},
        "b": {"type": "string", "format": "byte", "maxLength": 20},
        "io": {"x-kubernetes-int-or-string": True, "maxLength": 20},
        "f": {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": _TEXT}}}},
    },
}


def expressions() -> list[str]:
    """All expressions: one for each function, macro, operator and error."""
    return (HERE / "expressions.txt").read_text(encoding="utf-8").splitlines()


def definition(rule: str) -> Any:
    """A definition with one rule."""
    spec = {**_SPEC, "x-kubernetes-validations": [{"rule": rule}]}
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    names = {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": names,
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema}],
        },
    }


def recorded() -> dict[str, dict[str, str]]:
    """The messages of the servers by release and expression. An empty one means that the rule is accepted."""
    return storage.read(RECORDED)


def main() -> int:
    """Ask the server about every expression."""
    try:
        server = Server()
    except ServerUnavailable as error:
        print(error)
        return 2
    found = recorded()
    answers: dict[str, str] = {}
    for one in expressions():
        path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
        answer = server.ask("POST", path, definition(one), dryRun="All")
        answers[one] = "" if answer.done else answer.body.get("message", "")
    found[server.release] = answers
    storage.write(RECORDED, found)
    print(f"{server.release}: {len(answers)} answers, {sum(map(bool, answers.values()))} errors")
    return 0


if __name__ == "__main__":
    sys.exit(main())
