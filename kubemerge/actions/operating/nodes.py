"""Changes of Nodes: their taints, and whether they take new Pods."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ...apiserver.unchecked import as_list, get_path
from ..generators.parts import BadOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...cluster import Object

_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_NAME = re.compile(r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]")
_NO_NAME = (
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
    "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
)
_NO_VALUE = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)


class BadTaint(BadOptions):
    """A word that is not a taint."""


class Taint(NamedTuple):
    """A taint as it is typed: `key=value:NoSchedule`."""

    key: str
    value: str
    effect: str

    @property
    def content(self) -> Object:
        """The same as a Node holds it."""
        return {"key": self.key, **({"value": self.value} if self.value else {}), "effect": self.effect}

    @property
    def called(self) -> str:
        """The same in messages."""
        value = f"={self.value}" if self.value else ""
        return f"{self.key}{value}:{self.effect}" if self.effect else f"{self.key}{value}"


class Taints(NamedTuple):
    """The taints that are added, and those that are removed."""

    added: Sequence[Taint]
    removed: Sequence[Taint]


def split(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words that name Nodes, and those that are taints."""
    at = next((at for at, word in enumerate(words) if _is_taint(word)), len(words))
    late = next((word for word in words[at:] if not _is_taint(word)), None)
    if late is not None:
        raise BadOptions(f"all resources must be specified before taint changes: {late}")
    return tuple(words[:at]), tuple(words[at:])


def _is_taint(word: str) -> bool:
    return "=" in word or ":" in word or word.endswith("-")


def read(words: Sequence[str]) -> Taints:
    """The taints in words; one that ends in a dash is removed."""
    added: list[Taint] = []
    removed: list[Taint] = []
    for word in words:
        taint = _taint(word.removesuffix("-"))
        if word.endswith("-"):
            removed.append(taint)
            continue
        if not taint.effect:
            raise BadTaint(f"invalid taint spec: {word}")
        if any((one.key, one.effect) == (taint.key, taint.effect) for one in added):
            shown = f"{{{taint.key} {taint.value} {taint.effect} <nil>}}"
            raise BadTaint(f"duplicated taints with the same key and effect: {shown}")
        added.append(taint)
    return Taints(added, removed)


def _taint(text: str) -> Taint:
    pair, colon, effect = text.partition(":")
    if colon and (":" in effect or effect not in _EFFECTS):
        if ":" in effect:
            raise BadTaint(f"invalid taint spec: {text}")
        raise BadTaint(f"invalid taint effect: {effect}, unsupported taint effect")
    if pair.count("=") > 1:
        raise BadTaint(f"invalid taint spec: {text}")
    key, _, value = pair.partition("=") if colon else (pair, "", "")
    if value and not _NAME.fullmatch(value):
        raise BadTaint(f"invalid taint spec: {text}, {_NO_VALUE}")
    if not _NAME.fullmatch(key.rpartition("/")[2]):
        raise BadTaint(f"invalid taint spec: {text}, {_NO_NAME}")
    return Taint(key, value, effect)


def check(wanted: Taints) -> None:
    """Refuse to add and to remove the same."""
    both = [
        f"{gone.key}={gone.effect}"
        for new in wanted.added
        for gone in wanted.removed
        if new.key == gone.key and gone.effect in ("", new.effect)
    ]
    if both:
        listed = ", ".join(both)
        raise BadOptions(f"can not both modify and remove the following taint(s) in the same command: {listed}")


def tainted(live: Object, wanted: Taints, *, overwrite: bool) -> tuple[Object, str]:
    """The Node with other taints, and what kubectl says of that."""
    now = as_list(get_path(live, "spec.taints"))
    new = {(one.key, one.effect): one.content for one in wanted.added}
    there = [one.key for one in wanted.added if any(_key(old) == (one.key, one.effect) for old in now)]
    if there and not overwrite:
        name = live["metadata"]["name"]
        raise BadOptions(
            f"node {name} already has {','.join(there)} taint(s) with same effect(s) and --overwrite is false"
        )
    after = [*new.values(), *(old for old in now if _key(old) not in new)]
    added, removed = len(after) != len(now), False
    for gone in wanted.removed:
        rest = [one for one in after if not _is_meant(one, gone)]
        removed = len(rest) != len(after)
        if not removed:
            raise BadOptions(f'taint "{gone.called}" not found')
        after = rest
    spec = {key: value for key, value in (live.get("spec") or {}).items() if key != "taints"}
    whole = {**live, "spec": {**spec, **({"taints": after} if after else {})}}
    return whole, "modified" if (added and removed) or overwrite else "tainted" if added else "untainted"


def _key(taint: Object) -> tuple[str, str]:
    return taint.get("key", ""), taint.get("effect", "")


def _is_meant(taint: Object, gone: Taint) -> bool:
    return taint.get("key") == gone.key and gone.effect in ("", taint.get("effect"))


def cordoned(live: Object, *, wanted: bool) -> Object | None:
    """The Node that takes no new Pods, or does so again; None if that is so already."""
    spec = live.get("spec") or {}
    if bool(spec.get("unschedulable")) == wanted:
        return None
    rest = {key: value for key, value in spec.items() if key != "unschedulable"}
    return {**live, "spec": {**rest, **({"unschedulable": True} if wanted else {})}}
