"""Loading of tables: the built-in tables of all releases, or a generated package."""

from __future__ import annotations

from importlib import import_module

from ..errors import TablesError, UnknownRelease, brief
from ..values.immutable import Immutable
from .behaviour import behaviour_of
from .tables import Tables
from .types import TableData

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

    from .types import RuleRow, Types

BUILT_IN = "generated"

_loaded: dict[tuple[str, int | None, int | None], Tables] = {}
"""Tables are immutable, so all callers share them."""


def releases(package: str = BUILT_IN) -> tuple[str, ...]:
    """The Kubernetes releases that have tables, oldest first."""
    return tuple(f"1.{minor}" for minor in sorted(_index(package).RELEASES))


def load(release: str | None = None, *, package: str = BUILT_IN) -> Tables:
    """The tables of one Kubernetes release, by default the newest.

    A release is `1.31` or `v1.31`, or the version of a cluster: `v1.31.4`, `1.31.4-gke.100`. A patch release has the
    merge rules of its minor release, and its own merge algorithms. Without a patch, they are those of the newest patch.
    `package` names a package written by `kubemerge generate --spec ... --out ...`. A package made from one cluster or
    CRD has no releases; load it without one.
    """
    minor = _minor(release, tuple(_index(package).RELEASES), releases(package))
    return _Package(package).tables(minor, _patch(release, minor))


def newest_types() -> Types:
    """The types of the newest release, for built-in types that the specification of a custom resource refers to."""
    return load()._types


def _index(package: str) -> ModuleType:
    try:
        index = import_module(f"{package}.index")
        if not all(hasattr(index, name) for name in ("RELEASES", "PREFIXES", "KINDS")):
            raise ImportError("its index is not an index of tables")
        return index
    except (ImportError, ValueError, TypeError, SyntaxError, RecursionError) as error:
        raise TablesError(
            f"no merge tables in the package {brief(package)} ({error}). `kubemerge generate` writes "
            "them, and the package must be importable"
        ) from None


def _minor(release: str | None, minors: Sequence[int], known: Sequence[str]) -> int | None:
    if release is None:
        return max(minors, default=None)
    asked = release if isinstance(release, str) else brief(release)
    minor = minor_of(asked)
    if minor not in minors:
        raise UnknownRelease(asked, known)
    return minor


def _patch(release: str | None, minor: int | None) -> int | None:
    """The patch of a release; None for one with the behaviour of the newest, so that both share their tables."""
    patch = None if release is None or minor is None else patch_of(release)
    return None if patch is None or behaviour_of(minor, patch) == behaviour_of(minor) else patch


def patch_of(release: str) -> int | None:
    """The patch of a release in any spelling that `minor_of` accepts; None if it names none."""
    words = release.split(".")
    digits = "" if len(words) < 3 else words[2].partition("-")[0].partition("+")[0]
    return int(digits) if digits.isdecimal() else None


def minor_of(release: str) -> int | None:
    """The minor of a release in any common spelling, else None.

    Spellings are `1.31` or `v1.31`, the version of a cluster (`v1.31.4`, `1.31.4-gke.100`, `v1.31.4+k3s1`), or its
    minor as some cloud providers print it (`1.31+`).
    """
    major, _, minor = release.removeprefix("v").partition(".")
    if major == "1" and not minor.isdecimal():
        import re  # a plain release needs no regular expression

        word = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
        found = re.fullmatch(rf"([0-9]+)(?:\+|\.[0-9]+(?:-{word})?(?:\+{word})?)", minor)
        minor = found[1] if found else ""
    plain = major == "1" and minor.isascii() and 0 < len(minor) <= 4 and minor == minor.lstrip("0")
    return int(minor) if plain else None


class _Package(Immutable):
    """One package of tables; each of its modules is imported when one of its types is first used."""

    __slots__ = ("package",)

    package: str

    def __init__(self, package: str) -> None:
        self._fill(package)

    def data(self) -> TableData:
        index = _index(self.package)
        return TableData(index.KINDS, dict(index.PREFIXES), self.types, index.RELEASES, self)

    def types_at(self, minor: int | None, patch: int | None = None) -> Types:
        return self.tables(minor, patch)._types

    def tables(self, minor: int | None, patch: int | None = None) -> Tables:
        found = _loaded.get((self.package, minor, patch))
        if found is None:
            data = self.data()
            if minor is not None and minor not in data.releases:
                raise UnknownRelease(f"1.{minor}", releases(self.package))
            below = None if self.package == BUILT_IN else newest_types
            made = Tables(data, minor, below=below, patch=patch)
            found = _loaded.setdefault((self.package, minor, patch), made)
        return found

    def types(self, module: str) -> Mapping[str, Sequence[RuleRow]]:
        name = f"{self.package}.{module}"
        try:
            found: Mapping[str, Sequence[RuleRow]] = import_module(name).TYPES
        except (ImportError, AttributeError, SyntaxError) as error:
            raise TablesError(f"the module {name} of the merge tables is missing or broken: {error}") from None
        return found
