"""Compare objects and printed lines, without values that each server draws."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING, Any

from tests.apiserver.ours import DISABLED

from ..ownership.compare import places
from ..ownership.real.side_by_side import EMPTY_IS_NULL, EMPTY_IS_NULL_UNTIL, _object
from ..ownership.real.words import masked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

Object = dict[str, Any]
Words = dict[str, list[str]]
"""The printed lines by the object's name: its result, the warnings before it, and its errors."""
RESULT = re.compile(r"^\S+/(t\d+) (?:created|configured|unchanged|serverside-applied)")
VALIDATES_UNTIL = 24
"""The last minor release whose kubectl validates configs itself, and does not say that it was patching."""
FOLDER = re.compile(r'"/[^"]*/configs/')
VALIDATING = "error validating data: "
PATCHING = re.compile(r'error when patching "[^"]*": ')
OTHER_PODS_UNTIL = 36
"""The last minor release whose differences of Pods are others: until 1.33 Go values, and then those of older types."""
POD_DIFF = re.compile(r"(?s)(?<=previously negative\))\n.*")
OWN_WARNING = ": warning: an annotation of the config is not a string"
"""A warning of kubemerge. kubectl drops the annotations without one."""
NAME = re.compile(r"\b(t\d{4,})\b")
START = re.compile(r"^(Error from server|The |error:|Unable|Resource:|for: |Warning: )")


def words(output: str, minor: int) -> Words:
    """The printed lines of every object, as far as they are compared for a release."""
    found: Words = {}
    waiting: list[str] = []
    for line in _lines(DISABLED.sub("", output), minor):
        if line.startswith("hint: ") or OWN_WARNING in line:
            continue
        result = RESULT.match(line)
        if result:
            found.setdefault(result[1], []).extend([*waiting, line])
            waiting = []
        elif (named := NAME.findall(line)) and not line.startswith("Warning: "):
            for name in named if VALIDATING in line else named[:1]:
                found.setdefault(name, []).append(line)
        else:
            waiting.append(line)
    return {**found, "": waiting} if waiting else found


def _lines(output: str, minor: int) -> Iterable[str]:
    """The lines of the output. An error of several lines is one."""
    lines: list[str] = []
    for line in output.splitlines():
        starts = START.match(line) or RESULT.match(line)
        is_error = bool(lines) and not RESULT.match(lines[-1]) and not lines[-1].startswith("Warning: ")
        if lines and is_error and (not starts or line.startswith(("Resource:", "for: "))):
            lines[-1] += f"\n{line}"
        else:
            lines.append(line)
    lines = [FOLDER.sub('"', masked(line)) for line in lines]
    if minor <= VALIDATES_UNTIL:
        lines = [PATCHING.sub("", line) for line in lines]
    return [POD_DIFF.sub("", line) for line in lines] if minor <= OTHER_PODS_UNTIL else lines


def written(configs: Iterable[Object], folder: Path) -> Path:
    """A folder with one file for each config."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for config in configs:
        (folder / f"{config['metadata']['name']}.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


def comparable(content: Object | None) -> Any:
    """An object without what each server draws."""
    return None if content is None else _object(content)


def _in_one_group(lines: list[str]) -> list[str]:
    return [MOVED.sub(" ", line) for line in lines]


def _empty_as_null(lines: list[str]) -> list[str]:
    return [EMPTY.sub("null", line) for line in lines]


EMPTY = re.compile(r"\{\}|\[\]|(?<=map\[string\]string)\(nil\)")
MOVED = re.compile(r"(?<=[a-z])\.(?:extensions|networking\.k8s\.io|policy|apps) (?=\"t\d+\" is invalid)")
LISTED: dict[str, tuple[str, Callable[[list[str], list[str]], bool]]] = {
    "an empty map or list in a text": (
        "a server shows it where ours shows null",
        lambda ours, theirs: _empty_as_null(ours) == _empty_as_null(theirs),
    ),
    "the group of a kind that was in the group extensions": (
        "a server names the group whose Go package is initialized first, which depends on its compiler",
        lambda ours, theirs: _in_one_group(ours) == _in_one_group(theirs),
    ),
}
"""The known differences of the words of an apply, by name: the reason, and a predicate."""


def differing(ours: Object, theirs: Object, minor: int) -> list[str]:
    """The differences between both results of a triple, which have the words and the objects of both applies.

    A server of 1.20 that a later Go compiles takes an empty text in a custom resource for null, and rejects it. Such
    triples are not compared, and neither are those that kubectl validates.
    """
    found: list[str] = []
    if VALIDATING in str(theirs["words"]):
        return found
    if minor <= EMPTY_IS_NULL_UNTIL and EMPTY_IS_NULL in str(theirs["words"]):
        return found
    for number in (0, 1):
        objects = [side["objects"][number] for side in (ours, theirs)]
        found += [f"object {number + 1}: {one}" for one in _differences(*objects)]
        own, real = (side["words"][number] for side in (ours, theirs))
        if own != real and not any(is_about(own, real) for _, is_about in LISTED.values()):
            found.append(f"words {number + 1}: ours {own}\n    theirs {real}")
    return found


def _differences(ours: Any, theirs: Any) -> list[str]:
    if ours is None or theirs is None:
        return [] if ours is theirs else [f"stored: ours {ours is not None}, theirs {theirs is not None}"]
    return places(ours, theirs)
