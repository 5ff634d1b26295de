"""Lists of custom resources that server-side apply cannot merge, found in their definitions."""

from __future__ import annotations

from ..findings import INFO
from ..rule import BOTH, LintRule, Problem
from ..values import fields, items
from ..wording import listing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ..context import LintContext

LIST_TYPE = "x-kubernetes-list-type"
LIKELY = ("name", "id", "key", "type", "port", "path", "host")
"""Fields that usually identify an element."""
DEEPEST = 60


def without_keys(context: LintContext) -> Iterator[Problem]:
    """Lists of objects in the schemas of a definition, for which no keys are declared."""
    if context.config.get("kind") != "CustomResourceDefinition":
        return
    spec = fields(context.config.get("spec"))
    for number, version in enumerate(items(spec.get("versions"))):
        schema = fields(fields(fields(version).get("schema")).get("openAPIV3Schema"))
        found = list(_lists(schema, "", 0))
        if not found:
            continue
        lists = "This list of objects has" if len(found) == 1 else f"These {len(found)} lists of objects have"
        message = f"{lists} no {LIST_TYPE}: {listing(path for path, _ in found)}."
        where = ("spec", "versions", number, "schema", "openAPIV3Schema")
        yield Problem(where, message, next((_advice(path, key) for path, key in found if key), ""))


def _advice(path: str, key: str) -> str:
    keys = f"x-kubernetes-list-map-keys: [{key}]"
    return f"Add `x-kubernetes-list-type: map` and `{keys}` to {path}, before the CRD is in use."


def _lists(schema: Any, path: str, depth: int) -> Iterator[tuple[str, str]]:
    """The paths of lists of objects without a list type, each with the field that probably identifies an element."""
    if depth > DEEPEST or type(schema) is not dict:
        return
    inner = fields(schema.get("items"))
    properties = fields(inner.get("properties"))
    if properties and LIST_TYPE not in schema:
        required = items(inner.get("required"))
        yield path, next((name for name in LIKELY if name in properties and name in required), "")
    for name, value in fields(schema.get("properties")).items():
        yield from _lists(value, f"{path}.{name}" if path else str(name), depth + 1)
    yield from _lists(schema.get("additionalProperties"), f"{path}.*", depth + 1)
    yield from _lists(schema.get("items"), f"{path}[]", depth + 1)


LIST_WITHOUT_KEYS = LintRule(
    "KM036",
    "list-without-keys",
    INFO,
    meaning="The CRD has lists of objects without `x-kubernetes-list-type`, so every apply replaces them as a whole.",
    advice="Declare `x-kubernetes-list-type` for each list: `map` with keys, or `atomic` if one manager writes it.",
    explanation="""
        Without `x-kubernetes-list-type`, a list is atomic: one manager owns all of it, and an apply removes the
        elements of others. An operator and a user cannot both have elements in it. Add the keys before the first
        release of the CRD. If they are added later, the elements of stored objects have no owner until the next apply,
        and an element that this apply leaves out remains. """,
    example="""
        # kind: apiextensions.k8s.io/v1 CustomResourceDefinition
        # config
        spec:
          versions:
          - name: v1
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  ports:
                    type: array
                    items: {type: object, required: [name], properties: {name: {type: string}}}
        ---
        # result
        spec:
          versions:
          - name: v1
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  ports:
                    type: array
                    items: {type: object, required: [name], properties: {name: {type: string}}}
        """,
    about=BOTH,
    check=without_keys,
)

RULES = (LIST_WITHOUT_KEYS,)
