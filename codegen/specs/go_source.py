"""Struct types, named types and constants in Go source files, with the validation tags in their comments.

The Go source of Kubernetes is formatted by gofmt, so declarations are recognized by their lines. Only facts are kept:
names, types and tags; no other text of a comment.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

BUILTIN = frozenset(("bool", "byte", "rune", "string", "float32", "float64")) | {
    f"{sign}int{size}" for sign in ("", "u") for size in ("", 8, 16, 32, 64)
}
DEFAULT = "+default="
"""The tag of a default value. It is no rule, but it determines the meaning of `optional`."""
_IGNORED = re.compile(r"\+k8s:(?:[a-z]+-gen|prerelease-lifecycle|openapi|protobuf|deprecated|validation-gen)")
_TAG = re.compile(r"\+k8s:[a-zA-Z]")
_REMARK = re.compile(r"\s+(?://|#)\s.*")
_IMPORT = re.compile(r'\s*(?:import\s+)?(?:(\w+)\s+)?"([\w./-]+)"')
_STRUCT = re.compile(r"type (\w+) struct \{")
_NAMED = re.compile(r"type (\w+) =? ?([\w.\[\]*]+)$")
_FIELD = re.compile(r'\t(?:(\w+)\s+)?([\w.\[\]*]+)\s+`.*?json:"([^",]*)(,[^"]*)?".*`')
_VALUE = r'(?:"((?:[^"\\]|\\.)*)"|([A-Za-z][\w.]*))'
_CONSTANT = re.compile(rf"\s*(?:const\s+)?(\w+)\s+(\w+)\s*=\s*{_VALUE}")
_CONVERTED = re.compile(rf"\s*(?:const\s+)?(\w+)\s*=\s*(\w+)\({_VALUE}\)")


@dataclass
class GoField:
    """One field of a struct: its JSON name (empty for an embedded struct), its Go type, and its tags."""

    name: str
    type: str
    tags: list[str]


@dataclass
class GoPackage:
    path: str
    structs: dict[str, list[GoField]] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)
    """Named types that are not structs, with their underlying types."""
    tags: dict[str, list[str]] = field(default_factory=dict)
    """The tags of types."""
    constants: dict[str, list[str]] = field(default_factory=dict)
    """By type, the names of its constants."""
    values: dict[str, str] = field(default_factory=dict)
    """The text of each string constant, or, after `=`, the name of the constant that it refers to."""

    def read(self, text: str) -> None:
        """Add the declarations of a file."""
        lines = text.splitlines()
        imports = dict(_imports(lines))
        owner = ""
        comments: list[str] = []
        earlier: list[str] = []
        for line in lines:
            stripped = line.strip()
            if stripped.startswith("//"):
                comments += _tags(stripped)
                continue
            if not stripped:
                earlier, comments = comments, []
                continue
            if owner:
                owner = self._in_struct(owner, line, comments, imports)
            else:
                owner = self._declared(line, earlier + comments, imports)
            earlier, comments = [], []

    def _declared(self, line: str, tags: list[str], imports: dict[str, str]) -> str:
        """Add a declaration outside structs; return the name of the struct that begins here, if any."""
        if found := _STRUCT.match(line):
            self.structs[found[1]] = []
            self.tags[found[1]] = tags
            return "" if line.rstrip().endswith("}") else found[1]
        if found := _NAMED.match(line):
            self.named[found[1]] = self._resolved(found[2], imports)
            self.tags[found[1]] = tags
        elif found := _CONVERTED.match(line) or _CONSTANT.match(line):
            self.constants.setdefault(found[2], []).append(found[1])
            self.values[found[1]] = found[3] if found[3] is not None else f"={self._resolved(found[4], imports)}"
        return ""

    def _in_struct(self, owner: str, line: str, tags: list[str], imports: dict[str, str]) -> str:
        if line.startswith("}"):
            return ""
        found = _FIELD.match(line)
        if found and found[3] != "-":
            type_ = self._resolved(found[2], imports)
            self.structs[owner].append(GoField(found[3], type_, tags))
        return owner

    def _resolved(self, type_: str, imports: dict[str, str]) -> str:
        """A type as `[]*PACKAGE.NAME`, with the whole path of the package."""

        def whole(name: re.Match[str]) -> str:
            if name[1]:
                return f"{imports.get(name[1], name[1])}.{name[2]}"
            return name[2] if name[2] in BUILTIN or name[2] == "map" else f"{self.path}.{name[2]}"

        return re.sub(r"(?:(\w+)\.)?(\w+)", whole, type_)


def _tags(comment: str) -> Iterator[str]:
    text = comment[2:].strip()
    if not comment.startswith("// +"):
        return
    if text.startswith(DEFAULT):
        yield text
    elif _TAG.match(text) and not _IGNORED.match(text):
        yield _REMARK.sub("", text.removeprefix("+k8s:"))


def _imports(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    inside = False
    for line in lines:
        if line.startswith("import ("):
            inside = True
        elif inside and line.startswith(")"):
            inside = False
        elif (inside or line.startswith("import ")) and (found := _IMPORT.match(line)):
            yield found[1] or found[2].rpartition("/")[2], found[2]
