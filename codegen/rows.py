"""Facts to rows: what the tables of one specification hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import names
from .rules import Columns, Definitions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .specs.facts import Facts

KindKey = tuple[str, str]
KindColumns = tuple[str, bool | None, tuple[str, ...] | None]


@dataclass(frozen=True)
class Rows:
    """The rows of one specification, without eras."""

    types: dict[str, dict[str, Columns]]
    """Type name -> field -> columns."""
    kinds: dict[KindKey, KindColumns]
    """(apiVersion, kind) -> type name, whether it is namespaced, the patch types it takes."""
    prefixes: dict[str, str]
    """What precedes the last dot of a definition's name -> module."""


def rows_of(facts: Facts, prefixes: Iterable[str] = ()) -> Rows:
    """The rows that a specification gives. Further `prefixes` are named with its own, so that names are shared."""
    own = {names.split(definition)[0] for definition in facts.definitions}
    module_of = names.modules({*own, *prefixes})
    made = Definitions(facts, module_of)
    kinds: dict[KindKey, KindColumns] = {
        (kind.api_version, kind.kind): (
            made.type_name(definition),
            facts.namespaced.get(kind),
            facts.patch_types.get(kind),
        )
        for kind, definition in facts.kinds.items()
    }
    return Rows(made.types, kinds, {prefix: module_of[prefix] for prefix in own})
