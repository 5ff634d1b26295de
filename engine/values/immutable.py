"""Records, which can be compared and pickled; immutable ones may also be shared by threads, and be keys."""

from __future__ import annotations

from ..errors import NewerPickle
from ..version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn, TypeVar

    Kind = TypeVar("Kind", bound="Immutable")
    Other = TypeVar("Other", bound="Record")

_put = object.__setattr__


class Immutable:
    """A record with the fields in `__slots__`. Two records of one class are equal if their facts are."""

    __slots__: tuple[str, ...] = ()

    def _fill(self, *values: Any) -> None:
        """Set all fields, in the order of `__slots__`; only for `__init__`."""
        for name, value in zip(self.__slots__, values, strict=True):
            _put(self, name, value)

    def _facts(self) -> tuple[Any, ...]:
        """The values that equality and the hash depend on."""
        return tuple([getattr(self, name) for name in self.__slots__])

    def __repr__(self) -> str:
        said = [f"{name}={getattr(self, name)!r}" for name in self.__slots__]
        return f"{type(self).__name__}({', '.join(said)})"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} is immutable. {name!r} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} is immutable. {name!r} cannot be removed")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash(self._facts())

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (type(self), [getattr(self, name) for name in self.__slots__])


class Record:
    """A record with the fields in `__slots__`, which may hold dicts. Two of one class are equal if their facts are."""

    __slots__: tuple[str, ...] = ()

    def _facts(self) -> dict[str, Any]:
        """The values of all fields."""
        return {name: getattr(self, name) for kind in type(self).__mro__ for name in getattr(kind, "__slots__", ())}

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._facts() == other._facts()

    __hash__ = None  # type: ignore[assignment]  # its values may be dicts

    def __reduce__(self) -> tuple[Any, ...]:
        return filled, (type(self), self._facts())


def filled(kind: type[Other], facts: dict[str, Any]) -> Other:
    """A record made again from its pickled or copied facts."""
    made = object.__new__(kind)
    for name, value in facts.items():
        setattr(made, name, value)
    return made


def restored(kind: type[Kind], values: list[Any]) -> Kind:
    """A record made again from its pickled or copied values."""
    made = object.__new__(kind)
    made._fill(*values)
    return made


def require_readable(version: str) -> None:
    """Refuse a pickle of a newer version, which may mean something else; an older one can be read."""
    if _numbers(version) > _numbers(__version__):
        raise NewerPickle(version, __version__)


def _numbers(version: str) -> list[int]:
    return [int(part) if part.isdigit() else 0 for part in version.split(".")]
