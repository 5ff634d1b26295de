"""Fields of a tool's own manifest, with errors that name the place and the fix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from engine import MergeError

if TYPE_CHECKING:
    from collections.abc import Iterable

    Object = dict[str, Any]

Value = TypeVar("Value")
_NAMES = {dict: "a mapping", list: "a list", str: "text", bool: "true or false"}


class BadSettings(MergeError):
    """A manifest of a tool that cannot be used. The message names the place and the fix."""


class Section:
    """A mapping in a tool's manifest, with its path for errors."""

    def __init__(self, content: Any, path: str, document: str) -> None:
        self.path, self._document = path, document
        self.content: Object = self._checked(content, dict, path) or {}

    def get(self, field: str, kind: type[Value]) -> Value | None:
        """The value of a field; None if it is missing or null."""
        return self._checked(self.content.get(field), kind, self._path(field))

    def text(self, field: str) -> str:
        """The text of a field; empty if it is missing."""
        return self.get(field, str) or ""

    def texts(self, field: str) -> tuple[str, ...]:
        """The texts in a list."""
        found = self.get(field, list) or []
        return tuple([self._in_list(one, str, f"{self._path(field)}[{at}]") for at, one in enumerate(found)])

    def section(self, field: str) -> Section:
        """The mapping in a field; an empty one if it is missing."""
        return Section(self.content.get(field), self._path(field), self._document)

    def sections(self, field: str) -> list[Section]:
        """The mappings in a list."""
        found = self.get(field, list) or []
        places = [f"{self._path(field)}[{at}]" for at in range(len(found))]
        mappings = [self._in_list(one, dict, place) for one, place in zip(found, places, strict=True)]
        return [Section(one, place, self._document) for one, place in zip(mappings, places, strict=True)]

    def labels(self, field: str) -> dict[str, str]:
        """A mapping of texts."""
        section = self.section(field)
        return {key: section._in_list(value, str, section._path(key)) for key, value in section.content.items()}

    def fail(self, field: str, problem: str) -> BadSettings:
        """An error about a field."""
        return BadSettings(f"{self._path(field)} of the {self._document} {problem}")

    def _path(self, field: str) -> str:
        return f"{self.path}.{field}" if self.path else field

    def _checked(self, value: Any, kind: type[Value], path: str) -> Value | None:
        return value if value is None else self._in_list(value, kind, path)

    def _in_list(self, value: Any, kind: type[Value], path: str) -> Value:
        if type(value) is not kind:
            where = f"{path} of the {self._document}" if path else f"the {self._document}"
            raise BadSettings(f"{where} is not {_NAMES[kind]}. Write {_NAMES[kind]} there.")
        return value


def settings_of(documents: Iterable[Object], group: str, kind: str) -> Object | None:
    """The only manifest of a kind among the tool's own objects; None without one."""
    found = [
        one for one in documents if one.get("kind") == kind and str(one.get("apiVersion")).rpartition("/")[0] == group
    ]
    if len(found) > 1:
        names = ", ".join(str((one.get("metadata") or {}).get("name")) for one in found)
        raise BadSettings(f"there are {len(found)} manifests of kind {kind}: {names}. Pass one of them.")
    return found[0] if found else None
