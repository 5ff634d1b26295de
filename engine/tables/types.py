"""The types of one release or document: rows of tables, which become `Type` objects on first use."""

from __future__ import annotations

from ..errors import TablesError
from ..values.immutable import require_readable
from ..version import __version__
from .rules import Rule, Type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any, Protocol, TypeAlias, TypeVar

    Made = TypeVar("Made")

    Row: TypeAlias = tuple[Any, ...]
    """(field, first, last, *columns of Rule): the row is valid from minor `first` to minor `last`."""
    KindRow: TypeAlias = tuple[Any, ...]
    """(apiVersion, kind, first, last, type, namespaced, patch types)."""

    class Origin(Protocol):
        """Where loaded tables come from, by a name that another process can load them by, too."""

        def data(self) -> TableData:
            """The data of all releases."""

        def types_at(self, minor: int | None) -> Types:
            """The types of one release."""

        def tables(self, minor: int | None) -> Any:
            """The tables of one release."""


class TableData:
    """The data of tables: the columns of an index, and a function from a module's name to its types.

    `origin` is where data that was loaded can be loaded again; a pickle has its name in place of the data.
    """

    __slots__ = ("kinds", "modules", "origin", "prefixes", "releases", "types_of")

    def __init__(
        self,
        kinds: Sequence[KindRow],
        prefixes: Mapping[str, str],
        types_of: Callable[[str], Mapping[str, Sequence[Row]]],
        releases: Mapping[int, tuple[str, str]] | None = None,
        origin: Origin | None = None,
    ) -> None:
        self.kinds = kinds
        self.prefixes = prefixes
        self.modules = frozenset(prefixes.values())
        self.types_of = types_of
        self.releases = releases or {}
        self.origin = origin

    def _content(self) -> tuple[Any, ...]:
        types = {module: dict(self.types_of(module)) for module in sorted(self.modules)}
        return list(self.kinds), dict(self.prefixes), types, dict(self.releases)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TableData) or self.origin != other.origin:
            return False
        return self is other or self.origin is not None or self._content() == other._content()

    def __hash__(self) -> int:
        return hash((self.origin, len(self.kinds), self.modules))

    def __reduce__(self) -> tuple[Any, ...]:
        return (data_of, self._content()) if self.origin is None else (self.origin.data, ())


def data_of(
    kinds: Sequence[KindRow],
    prefixes: Mapping[str, str],
    types: Mapping[str, Mapping[str, Sequence[Row]]],
    releases: Mapping[int, tuple[str, str]] | None = None,
) -> TableData:
    """The data of tables that are held in memory."""
    return TableData(kinds, prefixes, lambda module: types.get(module, {}), releases)


def holds(row: Row, minor: int | None, at: int = 1) -> bool:
    """Whether a row, whose era starts at column `at`, is valid in this minor; all are if it is None."""
    if minor is None:
        return True
    first, last = row[at], row[at + 1]
    return (first is None or first <= minor) and (last is None or minor <= last)


class Types(dict[str, Type]):
    """The types of one layer of tables by name, made on first use; a missing one comes from the layer below."""

    def __init__(self, data: TableData, minor: int | None, below: Types | Callable[[], Types] | None) -> None:
        super().__init__()
        self.data, self.minor, self._below = data, minor, below
        self._made: dict[Any, Any] = {}

    def once(self, name: Any, make: Callable[..., Made], *given: Any) -> Made:
        """A value that is made once for these types under a name, and then shared."""
        found: Made | None = self._made.get(name)
        # Of two threads that both make it, one wins.
        return self._made.setdefault(name, make(*given)) if found is None else found

    def __missing__(self, name: str) -> Type:
        made = self._own(name)
        if made is None:
            below = self._below() if callable(self._below) else self._below
            if below is None:
                raise TablesError(f"the tables lack the type {name!r}. Generate them again")
            made = below[name]
        return self.setdefault(name, made)

    def layers(self) -> Iterator[Types]:
        """These types and those below them, from the top."""
        types: Types | None = self
        while types is not None:
            yield types
            types = types._below if isinstance(types._below, Types) else None

    def _facts(self) -> list[Any]:
        facts: list[Any] = []
        bottom: Any = None
        for types in self.layers():
            facts.append((types.data, types.minor))
            bottom = types._below
        return [*facts, bottom if callable(bottom) else None]

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is type(self) and self._facts() == other._facts())

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:  # type: ignore[override]  # the types in it are made on demand, and are not compared
        return hash((self.data, self.minor))

    def __reduce__(self) -> tuple[Any, ...]:
        return stacked, (__version__, *reversed(self._facts()))

    def __copy__(self) -> Types:
        return self

    def __deepcopy__(self, _memo: object) -> Types:
        return self

    def own(self, name: str) -> Type | None:
        """The type, if this layer itself describes it."""
        return self[name] if self._rows(name) else None

    def is_custom(self, name: str) -> bool:  # noqa: ARG002 - see `MergingLists`
        """Whether a type is of a custom resource whose lists merge by its own schema; not for kubectl."""
        return False

    def struct(self, rule: Rule | None) -> Type | None:
        """The type of a value with this rule, if it has fields; else None."""
        if rule is None or rule.kind != "map" or rule.free_keys or rule.of is None:
            return None
        return self[rule.of]

    def _rows(self, name: str) -> list[Row]:
        module, _, rest = name.partition(".")
        if module not in self.data.modules:
            return []
        return [row for row in self.data.types_of(module).get(rest, ()) if holds(row, self.minor)]

    def _own(self, name: str) -> Type | None:
        rows = self._rows(name)
        if not rows:
            return None
        columns = {row[0]: row[3:] for row in rows}
        itself = columns.pop("", ("map",))
        if columns:
            # The row of the type itself does not repeat its name.
            itself = (itself[0], name, *itself[2:])
        return Type(name, Rule(*itself), {field: Rule(*row) for field, row in columns.items()})


def stacked(
    version: str, bottom: Callable[[], Types] | None, lowest: tuple[TableData, int | None], *above: Any
) -> Types:
    """The types of these layers, from the lowest one up; made again from a pickle."""
    require_readable(version)
    data, minor = lowest
    types = Types(data, minor, bottom) if data.origin is None else data.origin.types_at(minor)
    for data, minor in above:
        types = Types(data, minor, types)
    return types
