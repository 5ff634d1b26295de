"""Keys and values from literals, files, folders and env files, for ConfigMaps and Secrets."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from ...apiserver.validation.values import formats
from .parts import BadOptions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SPACE = " \t\n\v\f\r\x85\xa0"
_NAME = re.compile(r"[-._a-zA-Z][-._a-zA-Z0-9]*")
_NO_NAME = (
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not "
    "start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is "
    "'[-._a-zA-Z][-._a-zA-Z0-9]*')"
)


def wrong_key(key: str) -> list[str]:
    """Problems with a key of a ConfigMap or a Secret."""
    return list(formats.config_key(key))


def wrong_variable(name: str) -> list[str]:
    """Problems with the name of an environment variable, in kubectl's words."""
    return [*([] if _NAME.fullmatch(name) else [_NO_NAME]), *formats.dots(name)]


def literals(texts: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """`key=value` for each."""
    for text in texts:
        key, equals, value = text.partition("=")
        if not key or not equals:
            raise BadOptions(f"invalid literal source {text}, expected key=value")
        yield key, value.encode()


def files(texts: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """`path`, `key=path`, or a folder, whose files are keys by their names."""
    for text in texts:
        key, path = _source(text)
        if _is_folder(path):
            if "=" in text:
                raise BadOptions("cannot give a key name for a directory path")
            for one in sorted(os.listdir(path)):  # noqa: PTH208 - a name is needed, and nothing else
                file = Path(path) / one
                if file.is_file() and not file.is_symlink():
                    yield one, content(str(file))
        else:
            yield key, content(path)


def _source(text: str) -> tuple[str, str]:
    count = text.count("=")
    if count > 1:
        raise BadOptions("key names or file paths cannot contain '='")
    key, equals, path = text.partition("=")
    if equals and not key:
        raise BadOptions(f"key name for file path {path} missing")
    if equals and not path:
        raise BadOptions(f"file path for key name {key} missing")
    return (key, path) if equals else (os.path.basename(text), text)  # noqa: PTH119 - "a/" has no name


def _is_folder(path: str) -> bool:
    try:
        return os.path.isdir(path) if os.stat(path) else False  # noqa: PTH112, PTH116
    except OSError as error:
        raise BadOptions(f"error reading {path}: {_reason(error)}") from None


def content(path: str) -> bytes:
    """The bytes of a file."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise BadOptions(f"open {path}: {_reason(error)}") from None


def _reason(error: OSError) -> str:
    return str(error.strerror or error).lower()


def env_files(paths: Sequence[str], called: str) -> Iterator[tuple[str, bytes]]:
    """The lines `KEY=value` of these files; a name alone takes its value from the environment."""
    for path in paths:
        if _is_folder(path):
            raise BadOptions(f"env {called} file cannot be a directory")
        lines = content(path).removeprefix(b"\xef\xbb\xbf").split(b"\n")
        for number, line in enumerate(lines, start=1):
            try:
                text = line.removesuffix(b"\r").decode().lstrip(_SPACE)
            except UnicodeDecodeError:
                numbers = " ".join(map(str, line))
                raise BadOptions(f"env file {path} contains invalid utf8 bytes at line {number}: [{numbers}]") from None
            if text and not text.startswith("#"):
                yield _variable(text)


def _variable(text: str) -> tuple[str, bytes]:
    key, equals, value = text.partition("=")
    problems = wrong_variable(key)
    if problems:
        raise BadOptions(f'"{key}" is not a valid key name: {";".join(problems)}')
    return key, (value if equals else os.environ.get(key, "")).encode()
