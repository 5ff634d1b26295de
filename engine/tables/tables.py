"""The merge tables of one Kubernetes release, or of the specification of a cluster or CRD.

Tables are data from `generated/` or from `codegen.read`. A type becomes `Rule` objects on first use. Tables are
immutable, so any number of threads can share them.
"""

from __future__ import annotations

from .. import aliases
from ..errors import TablesError, UnknownDefinition, UnknownKind
from .schema import Schema
from .types import TableData, Types, is_valid_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Tables:
    """The merge rules of every kind of one release or document. Immutable; get one from `engine.load`."""

    def __init__(
        self,
        data: TableData,
        minor: int | None = None,
        *,
        below: Types | aliases.Callable[[], Types] | None = None,
        kinds: aliases.Mapping[tuple[str, str], tuple[tuple[aliases.Any, ...], Types]] | None = None,
        patch: int | None = None,
    ) -> None:
        self._types = Types(data, minor, below, patch)
        own = {(row[0], row[1]): (row, self._types) for row in data.kinds if is_valid_in(row, minor, at=2)}
        self._kinds = {**(kinds or {}), **own}

    def __repr__(self) -> str:
        return f"<Tables of {self.patch_release or 'a specification'}, {len(self._kinds)} kinds>"

    @property
    def release(self) -> str | None:
        """The release, as "1.37"; None for the tables of one document."""
        types = self._types.of_release
        return None if types is None else f"1.{types.minor}"

    @property
    def patch_release(self) -> str | None:
        """The release, as "1.36.2" if it is a patch release whose merge algorithms are not those of the newest one."""
        return self._types.patch_release

    def kinds(self) -> list[tuple[str, str]]:
        """Every (apiVersion, kind) in the tables, sorted."""
        return sorted(self._kinds)

    def __contains__(self, kind: object) -> bool:
        return isinstance(kind, tuple) and all(isinstance(part, str) for part in kind) and kind in self._kinds

    def schema(self, api_version: str, kind: str) -> Schema:
        """The merge rules of a kind."""
        found = self._kinds.get((api_version, kind)) if isinstance(api_version, str) and isinstance(kind, str) else None
        if found is None:
            raise self._unknown_kind(api_version, kind)
        row, types = found
        namespaced, patch_types = (*row[5:], None, None)[:2]
        return Schema(types, types[row[4]], (api_version, kind), namespaced, patch_types, self.release)

    def definition(self, name: str) -> Schema:
        """The merge rules of any type, by its definition name in the specification."""
        for types in self._layers():
            prefix, _, rest = name.rpartition(".") if isinstance(name, str) else ("", "", "")
            module = types.data.prefixes.get(prefix)
            found = types.own(f"{module}.{rest}") if module else None
            if found:
                return Schema(types, found, None, None, None, self.release)
        raise UnknownDefinition(name, release=self.release, near=self._near_definitions(name))

    def definitions(self) -> list[str]:
        """Every name that `definition` accepts, sorted: kinds and their nested types."""
        names = set()
        for types in self._layers():
            for prefix, module in types.data.prefixes.items():
                for rest, rows in types.data.types_of(module).items():
                    if "." not in rest and any(is_valid_in(row, types.minor) for row in rows):
                        names.add(f"{prefix}.{rest}" if prefix else rest)
        return sorted(names)

    def overlay(self, other: Tables) -> Tables:
        """New tables with the kinds of both. If both have a kind, `other` takes precedence.

        Each kind keeps the types that it came with. Types that those lack (ObjectMeta, for a custom resource) come from
        these tables.
        """
        if not isinstance(other, Tables):
            raise TablesError(f"overlay() requires tables, as returned by codegen.read(), not {type(other).__name__}")
        return _overlay(self, reversed(list(other._layers())))

    def _layers(self) -> aliases.Iterator[Types]:
        return self._types.layers()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tables) and self._types == other._types

    def __hash__(self) -> int:
        return hash(self._types)

    def __reduce__(self) -> tuple[Any, ...]:
        return restore_tables, (self._types,)

    def __copy__(self) -> Tables:
        return self

    def __deepcopy__(self, _memo: object) -> Tables:
        return self

    def _unknown_kind(self, api_version: str, kind: str) -> UnknownKind:
        served = sorted(
            minor
            for types in self._layers()
            for row in types.data.kinds
            if (row[0], row[1]) == (api_version, kind)
            for minor in types.data.releases
            if is_valid_in(row, minor, at=2)
        )
        meant = (kind, api_version)  # swapped arguments
        same = [meant] if meant in self else [key for key in self.kinds() if key[1] == kind]
        near = same or self._near_kinds(api_version, kind)
        return UnknownKind(
            api_version, kind, release=self.release, near=near, served_in=[f"1.{minor}" for minor in served]
        )

    def _near_kinds(self, api_version: object, kind: object) -> list[tuple[str, str]]:
        from difflib import get_close_matches  # only needed for an error

        if not (isinstance(api_version, str) and isinstance(kind, str)):
            return []
        lists = kind.lower().endswith("list")
        spelled = {f"{name} {api}": (api, name) for api, name in self.kinds() if lists or not name.endswith("List")}
        folded = {text.lower(): key for text, key in spelled.items()}
        close = get_close_matches(f"{kind} {api_version}".lower(), folded, n=3, cutoff=0.75)
        return [folded[text] for text in close]

    def _near_definitions(self, name: str) -> list[str]:
        from difflib import get_close_matches  # only needed for an error

        return get_close_matches(name, self.definitions(), n=3, cutoff=0.85) if isinstance(name, str) else []


def restore_tables(types: Types) -> Tables:
    lowest, *above = reversed(list(types.layers()))
    origin = lowest.data.origin
    below = lowest._below
    if origin is None:
        tables = Tables(lowest.data, lowest.minor, below=below, patch=lowest.patch)
    else:
        tables = origin.tables(lowest.minor, lowest.patch)
    return _overlay(tables, above)


def _overlay(tables: Tables, layers: aliases.Iterable[Types]) -> Tables:
    for types in layers:
        tables = Tables(types.data, types.minor, below=tables._types, kinds=tables._kinds, patch=types.patch)
    return tables
