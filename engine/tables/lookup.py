"""Schema lookup for functions that accept tables in place of a schema."""

from __future__ import annotations

from ..errors import NotAnObject, NotASchema, SnakeCase, WrongKind
from .schema import Schema
from .tables import Tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def schema_for(given: Schema | Tables | None, **documents: Any) -> Schema | None:
    """The schema by which documents merge; None if unknown, as for custom resources.

    Tables return the schema of the first document that has apiVersion and kind. A kind that the tables lack has no
    schema if it can be a custom resource, for which kubectl needs none. Otherwise UnknownKind is raised, since kubectl
    has no rules for such a kind either.
    """
    if given is None or type(given) is Schema:
        return given
    if not isinstance(given, Tables):
        if isinstance(given, Schema):
            return given
        raise NotASchema(given)
    key = _key_of(documents)
    if key not in given:
        from .served import may_be_unlisted

        if may_be_unlisted(key, given):
            return None
    return given.schema(*key)


def _key_of(documents: dict[str, Any]) -> tuple[str, str]:
    from ..values.client_objects import is_snake_case, unwrap

    said: list[tuple[Any, Any]] = []
    for name, document in documents.items():
        found = {} if document is None else unwrap(document)
        if not isinstance(found, dict):
            raise NotAnObject(name.replace("_", " "), document)
        if is_snake_case(found):
            raise SnakeCase(name.replace("_", " "))
        api_version, kind = found.get("apiVersion"), found.get("kind")
        if isinstance(api_version, str) and isinstance(kind, str):
            return api_version, kind
        said.append((api_version, kind))
    raise WrongKind(next(iter(documents)).replace("_", " "), *said[0], None)
