"""Finding the tables: the package of all releases that comes with the engine, or one that was generated."""

from __future__ import annotations

from importlib import import_module

from ..errors import TablesError, UnknownRelease, said
from .tables import Tables
from .types import TableData

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

    from .types import Row, Types

BUILT_IN = "generated"

_loaded: dict[tuple[str, int | None], Tables] = {}
"""Tables never change, so everybody who asks for the same ones may share them."""


def releases(package: str = BUILT_IN) -> tuple[str, ...]:
    """The Kubernetes releases that there are tables for, oldest first."""
    return tuple(f"1.{minor}" for minor in sorted(_index(package).RELEASES))


def load(release: str | None = None, *, package: str = BUILT_IN) -> Tables:
    """The tables of one Kubernetes release, by default the newest.

    `package` names tables that `kubemerge generate --spec ... --out ...` wrote; those of one cluster or CRD have
    no releases and are loaded without one.
    """
    index = _index(package)
    minor = _minor(release, tuple(index.RELEASES), releases(package))
    found = _loaded.get((package, minor))
    if found is None:
        data = TableData(index.KINDS, dict(index.PREFIXES), _Modules(package).types, index.RELEASES)
        below = None if package == BUILT_IN else newest_types
        found = _loaded.setdefault((package, minor), Tables(data, minor, below=below))
    return found


def newest_types() -> Types:
    """The types of the newest release, for what a specification of custom resources leaves to the built-ins."""
    return load()._types


def _index(package: str) -> ModuleType:
    try:
        index = import_module(f"{package}.index")
        if not all(hasattr(index, name) for name in ("RELEASES", "PREFIXES", "KINDS")):
            raise ImportError("its index is no index of tables")
        return index
    except (ImportError, ValueError, TypeError, SyntaxError, RecursionError) as error:
        raise TablesError(
            f"no merge tables in the package {said(package)} ({error}); "
            "`kubemerge generate` writes them, and the package must be importable"
        ) from None


def _minor(release: str | None, minors: Sequence[int], known: Sequence[str]) -> int | None:
    if release is None:
        return max(minors, default=None)
    asked = release if isinstance(release, str) else said(release)
    major, _, rest = asked.removeprefix("v").partition(".")
    text = rest.partition(".")[0]
    if major != "1" or not (text.isascii() and text.isdigit()) or len(text) > 4 or int(text) not in minors:
        raise UnknownRelease(asked, known)
    return int(text)


class _Modules:
    """The modules of one package of tables, imported when one of their types is first touched."""

    def __init__(self, package: str) -> None:
        self.package = package

    def types(self, module: str) -> Mapping[str, Sequence[Row]]:
        name = f"{self.package}.{module}"
        try:
            found: Mapping[str, Sequence[Row]] = import_module(name).TYPES
        except (ImportError, AttributeError, SyntaxError) as error:
            raise TablesError(f"the module {name} of the merge tables is missing or broken: {error}") from None
        return found
