"""The recorded calls and the recorded conversation, with their files filled in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from codegen.documents.yaml_text import documents
from tests.conftest import ROOT

HERE = Path(__file__).parent
LONG = "a" * 5000


def read(name: str) -> dict[str, Any]:
    """A file of this folder."""
    (found,) = documents((HERE / name).read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def texts_of(data: dict[str, Any]) -> dict[str, str]:
    """The contents of the files that a data file names."""
    return {name: (ROOT / path).read_text(encoding="utf-8") for name, path in data["files"].items()}


def filled(arguments: dict[str, Any], texts: dict[str, str]) -> dict[str, Any]:
    """The arguments with the contents of files."""
    return {name: _filled(value, texts) for name, value in arguments.items()}


def _filled(value: Any, texts: dict[str, str]) -> Any:
    if not isinstance(value, str):
        return value
    return texts[value[1:]] if value[:1] == "$" else value.replace("$long", LONG)


def differences(expected: Any, found: Any, at: str = "") -> list[str]:
    """The places where a result lacks an expected part. A list has to have as many elements as expected."""
    if isinstance(expected, dict) and isinstance(found, dict):
        return [one for name in expected for one in differences(expected[name], found.get(name), f"{at}.{name}")]
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        pairs = zip(expected, found, strict=True)
        return [one for number, pair in enumerate(pairs) for one in differences(*pair, f"{at}[{number}]")]
    return [] if expected == found else [f"{at}: {found!r} and not {expected!r}"]


def value_at(found: Any, path: str) -> Any:
    """The value at a path of names and positions."""
    for step in path.split("."):
        found = found[int(step)] if isinstance(found, list) else found[step]
    return found


CALLS = read("cases.yaml")
CONVERSATION = read("conversation.yaml")
