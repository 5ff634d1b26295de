"""The settings of a repository: `[tool.kubemerge]` in pyproject.toml, or kubemerge.toml. Unknown keys are errors."""

from __future__ import annotations

import os
import re
import sys
from difflib import get_close_matches
from fnmatch import fnmatchcase
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from codegen.credentials import without_credentials
from codegen.trees import leads_out, read_regular
from engine import MergeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LARGEST = 2**20
"""Maximum bytes of a settings file."""
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
"""The beginning of an address or of a package; a single letter is a Windows drive."""
OWN, SHARED, TABLE = "kubemerge.toml", "pyproject.toml", "kubemerge"


class BadSettings(MergeError):
    """An invalid settings file. The message names the error and the fix."""


class Settings(NamedTuple):
    """The settings in a file; others have their defaults."""

    release: str | None = None
    """A release, or a range such as "1.24..1.31"."""
    schemas: tuple[str, ...] = ()
    """More specifications, as for --schema; paths are relative to the file."""
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    policies: tuple[str, ...] = ()
    """Admission policies, as for --policies; paths are relative to the file."""
    severity: str | None = None
    exclude: tuple[str, ...] = ()
    """Patterns of excluded files, relative to the settings file."""
    per_path: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Patterns of files, each with the codes that are suppressed there."""
    baseline: str | None = None
    untracked: bool = False
    """Whether files that git does not track are read too."""
    folder: str = "."
    """The folder of the file, to which patterns and paths are relative."""


_TEXT, _TEXTS, _FLAG, _RULES = "text", "a list of strings", "true or false", "a table of patterns with lists of codes"
KEYS = {
    "release": _TEXT,
    "schemas": _TEXTS,
    "select": _TEXTS,
    "ignore": _TEXTS,
    "policies": _TEXTS,
    "severity": _TEXT,
    "exclude": _TEXTS,
    "per-path-ignores": _RULES,
    "baseline": _TEXT,
    "untracked": _FLAG,
}
"""Every key, and its type of value."""
_FIELDS = {"per-path-ignores": "per_path"}


def find(start: str = ".") -> str | None:
    """The settings file for a folder: the nearest one in its parents, up to the top of the repository."""
    folder = Path(start).resolve()
    for one in (folder, *folder.parents):
        if (one / OWN).is_file():
            return str(one / OWN)
        shared = one / SHARED
        if shared.is_file() and TABLE in _parsed(shared).get("tool", {}):
            return str(shared)
        if (one / ".git").exists():
            break
    return None


def read(file: str) -> Settings:
    """The settings of a file."""
    path = Path(file)
    found = _parsed(path)
    table = found.get("tool", {}).get(TABLE, {}) if path.name == SHARED else found
    if not isinstance(table, dict):
        raise BadSettings(f"{file}: tool.{TABLE} is not a table. Write [tool.{TABLE}]")
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in KEYS:
            raise BadSettings(f"{file}: unknown key {key!r}. {_meant(key)}")
        values[_FIELDS.get(key, key)] = _checked(file, key, value)
    settings = Settings(**values, folder=os.path.dirname(file) or ".")  # noqa: PTH120
    if settings.severity not in (None, "info", "warning", "error"):
        raise BadSettings(f"{file}: severity is {settings.severity!r}. Use info, warning or error")
    return settings


_OPTIONS = {"schemas": "--schema"}
"""The options of settings with another name."""


def inside(settings: Settings, key: str, path: str, *, addresses: bool = False) -> str:
    """A path of the settings, relative to their file, that stays in the folder of the file and is no pipe or device.

    Settings come with a repository, which may be untrusted: they must not reach files outside of it.
    """
    if _ADDRESS.match(path):
        if addresses:
            return path
        advice = "Use --allow-remote-schemas to fetch it" if key == "schemas" else "Write a path"
        raise BadSettings(f"{key} in the settings is an address, {without_credentials(path)}. {advice}")
    if "\0" in path:
        raise BadSettings(f"{key} in the settings is not a path: {path!a}. Remove the NUL character")
    place = os.path.normpath(os.path.join(settings.folder, path))  # noqa: PTH118
    for one in chain((place,), _below(place)):  # the place first: nothing outside is walked
        if leads_out(one, settings.folder):
            option = _OPTIONS.get(key, f"--{key}")
            raise BadSettings(
                f"{key} in the settings leads out of the settings folder: {one}. Pass it as {option} instead"
            )
        if os.path.exists(one) and not (os.path.isfile(one) or os.path.isdir(one)):  # noqa: PTH110, PTH112, PTH113
            raise BadSettings(f"{key} in the settings: {one} is not a regular file. Use a file or a folder")
    return place


def _below(folder: str) -> Iterator[str]:
    """All files and folders in a folder; nothing for a file."""
    for at, folders, files in os.walk(folder):
        yield from (os.path.join(at, name) for name in (*folders, *files))  # noqa: PTH118


def _meant(key: str) -> str:
    near = get_close_matches(key, KEYS, n=1)
    return f"Did you mean {near[0]}?" if near else f"Known keys: {', '.join(KEYS)}"


def _checked(file: str, key: str, value: Any) -> Any:
    """The value, converted to its type in the settings."""
    wanted = KEYS[key]
    if wanted == _TEXT and isinstance(value, str):
        return value
    if wanted == _FLAG and isinstance(value, bool):
        return value
    if wanted == _TEXTS and _is_texts(value):
        return tuple(value)
    if wanted == _RULES and isinstance(value, dict) and all(map(_is_texts, value.values())):
        return tuple((pattern, tuple(codes)) for pattern, codes in value.items())
    raise BadSettings(f"{file}: {key} must be {wanted}")


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _parsed(path: Path) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib  # novm
    else:
        import tomli as tomllib  # novm
    try:
        if leads_out(str(path), os.path.dirname(path) or "."):  # noqa: PTH120
            raise BadSettings(f"{path}: the link leads out of its folder. Pass the file itself as --config")
        found: dict[str, Any] = tomllib.loads(read_regular(str(path), LARGEST).decode())
    except OSError as error:
        raise BadSettings(f"{path}: {error.strerror or error}. Use a readable file") from None
    except (ValueError, RecursionError) as error:  # from invalid TOML or UTF-8, or from endless numbers and lists
        raise BadSettings(f"{path}: invalid TOML: {error}") from None
    return found


class Patterns:
    """Patterns of files, relative to a folder: globs of files, or of folders with all their contents.

    The real path of a folder is resolved once, and not again for each file and pattern.
    """

    def __init__(self, folder: str, patterns: Iterable[str]) -> None:
        self._bare = [(one, one.removeprefix("./").rstrip("/")) for one in patterns]
        self._top = os.path.realpath(folder) if self._bare else folder
        self._folders: dict[str, str] = {}
        self._known: dict[str, list[str]] = {}

    def meaning(self, source: str) -> list[str]:
        """The patterns that match a file."""
        if not self._bare:
            return []
        if source not in self._known:
            path = self._path(source)
            self._known[source] = [pattern for pattern, bare in self._bare if _means(bare, path)]
        return self._known[source]

    def _path(self, source: str) -> str:
        """The path of a file, relative to the folder of the patterns."""
        if os.path.islink(source):  # noqa: PTH114 - called for each of many files
            real = os.path.realpath(source)
        else:
            folder, name = os.path.split(source)
            if folder not in self._folders:
                self._folders[folder] = os.path.realpath(folder)
            real = os.path.normpath(os.path.join(self._folders[folder], name))  # noqa: PTH118
        return os.path.relpath(real, self._top).replace(os.sep, "/")


def _means(bare: str, path: str) -> bool:
    if fnmatchcase(path, bare) or fnmatchcase(path, f"{bare}/*"):
        return True
    return "/" not in bare and any(fnmatchcase(part, bare) for part in path.split("/"))
