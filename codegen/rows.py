"""The rows of one specification, made from its facts."""

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
    """(apiVersion, kind) -> type name, namespaced, accepted patch types."""
    prefixes: dict[str, str]
    """The part of a definition's name before the last dot -> module."""


def rows_of(facts: Facts, prefixes: Iterable[str] = ()) -> Rows:
    """The rows of a specification. Modules are named together with the `prefixes` of other releases, so all share
    names.
    """
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
