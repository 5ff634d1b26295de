"""The types of one release or document: table rows, which become `Type` objects on first use."""

from __future__ import annotations

from ..errors import TablesError
from ..values.immutable import require_readable
from ..version import __version__
from .behaviour import NEWEST, behaviour_of
from .rules import Rule, Type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any, Protocol, TypeAlias, TypeVar

    from .behaviour import Behaviour

    Made = TypeVar("Made")

    RuleRow: TypeAlias = tuple[Any, ...]
    """(field, first, last, *columns of Rule): the row is valid from minor `first` to minor `last`."""
    KindRow: TypeAlias = tuple[Any, ...]
    """(apiVersion, kind, first, last, type, namespaced, patch types)."""

    class Origin(Protocol):
        """A source of loaded tables, with a name by which another process can load them too."""

        def data(self) -> TableData:
            """The data of all releases."""

        def types_at(self, minor: int | None, patch: int | None = None) -> Types:
            """The types of one release."""

        def tables(self, minor: int | None, patch: int | None = None) -> Any:
            """The tables of one release."""


class TableData:
    """Table data: the columns of an index, and a function from a module's name to its types.

    `origin` is the source of loaded data. A pickle contains its name instead of the data.
    """

    __slots__ = ("kinds", "modules", "origin", "prefixes", "releases", "types_of")

    def __init__(
        self,
        kinds: Sequence[KindRow],
        prefixes: Mapping[str, str],
        types_of: Callable[[str], Mapping[str, Sequence[RuleRow]]],
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
    types: Mapping[str, Mapping[str, Sequence[RuleRow]]],
    releases: Mapping[int, tuple[str, str]] | None = None,
) -> TableData:
    """The data of tables in memory."""
    return TableData(kinds, prefixes, lambda module: types.get(module, {}), releases)


def is_valid_in(row: RuleRow, minor: int | None, at: int = 1) -> bool:
    """True if a row is valid in this minor. The range of minors starts at column `at`. All rows are valid for None."""
    if minor is None:
        return True
    first, last = row[at], row[at + 1]
    return (first is None or first <= minor) and (last is None or minor <= last)


class Types(dict[str, Type]):
    """The types of one layer of tables by name, made on first use. A missing type comes from the layer below.

    `patch` is the patch release, or None for the newest one of the minor.
    """

    def __init__(
        self,
        data: TableData,
        minor: int | None,
        below: Types | Callable[[], Types] | None,
        patch: int | None = None,
    ) -> None:
        super().__init__()
        self.data, self.minor, self.patch, self._below = data, minor, patch, below
        self._layer_below = below if isinstance(below, Types) else None
        self._release_below = None if self._layer_below is None else self._layer_below.of_release
        self._made: dict[Any, Any] = {}

    @property
    def behaviour(self) -> Behaviour:
        """The differences of the release's merge algorithms from the newest ones; see `behaviour`."""
        return self.once("behaviour", self._behaviour)

    def _behaviour(self) -> Behaviour:
        found = self.of_release
        return NEWEST if found is None else behaviour_of(found.minor, found.patch)

    @property
    def of_release(self) -> Types | None:
        """The uppermost layer that belongs to a release."""
        return self._release_below if self.minor is None else self

    @property
    def patch_release(self) -> str | None:
        """The release as "1.37", or as "1.36.2" if its merge algorithms are not those of the newest patch release."""
        found = self.of_release
        return None if found is None else f"1.{found.minor}{'' if found.patch is None else f'.{found.patch}'}"

    def once(self, name: Any, make: Callable[..., Made], *given: Any) -> Made:
        """A value that is made once for these types under a name, and then shared."""
        found: Made | None = self._made.get(name)
        # If two threads make it, one wins.
        return self._made.setdefault(name, make(*given)) if found is None else found

    def __missing__(self, name: str) -> Type:
        passed: list[Types] = []
        types = self
        made = self._own(name)
        while made is None:
            passed.append(types)
            below = types._below() if callable(types._below) else types._below
            if below is None:
                raise TablesError(f"the tables lack the type {name!r}. Generate them again")
            types = below
            made = types.get(name) or types._own(name)
        made = types.setdefault(name, made)
        for above in passed:  # the next search from any of these layers ends there
            above.setdefault(name, made)
        return self.setdefault(name, made)

    def layers(self) -> Iterator[Types]:
        """These types and those below them, from the top."""
        types: Types | None = self
        while types is not None:
            yield types
            types = types._layer_below

    def kind_rows(self, kind: str) -> Iterator[tuple[Types, KindRow]]:
        """The rows of a kind, each with its layer, from the top."""
        types: Types | None = self
        while types is not None:
            for row in types.data.kinds:
                if row[1] == kind:
                    yield types, row
            types = types._layer_below

    def _facts(self) -> list[Any]:
        facts: list[Any] = []
        bottom: Any = None
        for types in self.layers():
            facts.append((types.data, types.minor, types.patch))
            bottom = types._below
        return [*facts, bottom if callable(bottom) else None]

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is type(self) and self._facts() == other._facts())

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:  # type: ignore[override]  # the types in it are made on demand, and are not compared
        return hash((self.data, self.minor, self.patch))

    def __reduce__(self) -> tuple[Any, ...]:
        return restore_types, (__version__, *reversed(self._facts()))

    def __copy__(self) -> Types:
        return self

    def __deepcopy__(self, _memo: object) -> Types:
        return self

    def own(self, name: str) -> Type | None:
        """The type, if this layer itself describes it."""
        return self[name] if self._rows(name) else None

    def is_custom(self, name: str) -> bool:  # noqa: ARG002 - see `MergingLists`
        """True for a type of a custom resource whose lists merge by its own schema; never for kubectl."""
        return False

    def struct(self, rule: Rule | None) -> Type | None:
        """The type of a value with this rule, if it has fields; else None."""
        if rule is None or rule.kind != "map" or rule.free_keys or rule.of is None:
            return None
        return self[rule.of]

    def _rows(self, name: str) -> list[RuleRow]:
        module, _, rest = name.partition(".")
        if module not in self.data.modules:
            return []
        return [row for row in self.data.types_of(module).get(rest, ()) if is_valid_in(row, self.minor)]

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


def restore_types(
    version: str,
    bottom: Callable[[], Types] | None,
    lowest: tuple[TableData, int | None, int | None],
    *above: tuple[TableData, int | None, int | None],
) -> Types:
    """Restore the types of these layers from a pickle, lowest first."""
    require_readable(version)
    data, minor, patch = lowest
    types = Types(data, minor, bottom, patch) if data.origin is None else data.origin.types_at(minor, patch)
    for data, minor, patch in above:
        types = Types(data, minor, types, patch)
    return types
