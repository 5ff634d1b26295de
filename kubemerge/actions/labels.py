"""Changes of labels and annotations, in command-line syntax: `app=web`, and `app-` to remove."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine import MergeError

from ..apiserver.validation import names
from .requests import pinned
from .serverside.managers import ANNOTATE, LABEL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..cluster import Object

LABELS, ANNOTATIONS = "labels", "annotations"
MANAGERS = {LABELS: LABEL, ANNOTATIONS: ANNOTATE}
SINGULAR = {LABELS: "label", ANNOTATIONS: "annotation"}


class BadChange(MergeError):
    """A change that cannot be read, or must not be made."""


@dataclass(frozen=True)
class LabelChange:
    """Labels or annotations to set and to remove."""

    field: str
    put: dict[str, str]
    gone: tuple[str, ...]

    def patch(self, version: str | None = None) -> Object:
        """The JSON merge patch that makes the change."""
        return pinned({"metadata": {self.field: {**self.put, **dict.fromkeys(self.gone)}}}, version)

    def overwrites(self, live: Object) -> Iterator[str]:
        """The labels that the change would overwrite, in kubectl's words."""
        now = found(live, self.field)
        for key, value in self.put.items():
            if now.get(key, value) != value:
                yield f"'{key}' already has a value ({now[key]})"

    def missing(self, live: Object) -> list[str]:
        """The keys to remove that the object does not have."""
        return [key for key in self.gone if key not in found(live, self.field)]


def found(live: Object, field: str) -> dict[str, Any]:
    """The labels or annotations of an object."""
    return live["metadata"].get(field) or {}


def split(words: Sequence[str], field: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words that name objects, and the changes after them."""
    at = next((at for at, word in enumerate(words) if _is_change(word)), len(words))
    late = [word for word in words[at:] if not _is_change(word)]
    if late:
        raise BadChange(f"all resources must be specified before {SINGULAR[field]} changes: {late[0]}")
    return tuple(words[:at]), tuple(words[at:])


def _is_change(word: str) -> bool:
    return ("=" in word and word[0] != "=") or (word.endswith("-") and word != "-")


def read(changes: Sequence[str], field: str) -> LabelChange:
    """The change typed on the command line. An invalid one raises BadChange."""
    put: dict[str, str] = {}
    gone: list[str] = []
    for word in changes:
        key, equals, value = word.partition("=")
        if equals:
            put[key] = value
        else:
            gone.append(word[:-1])
        _check(field, key if equals else word[:-1], value)
    both = [key for key in gone if key in put]
    if both and field == LABELS:
        raise BadChange("can not both modify and remove a label in the same command")
    if both:
        raise BadChange(
            f"can not both modify and remove the following annotation(s) in the same command: {', '.join(both)}"
        )
    return LabelChange(field, put, tuple(gone))


def _check(field: str, key: str, value: str) -> None:
    name = SINGULAR[field]
    if field == LABELS and "=" in value:
        raise BadChange(f"invalid {name} spec: {key}={value}")
    if field == LABELS:
        _refuse(f'invalid {name} value: "{key}={value}"', names.label_value(value))
    else:
        _refuse(f"invalid {name} key {key!r}", names.key(key.lower()))


def _refuse(what: str, problems: Iterator[str]) -> None:
    text = "; ".join(problems)
    if text:
        raise BadChange(f"{what}: {text}")


def word_for(change: LabelChange, before: Object) -> str:
    """The word that kubectl prints for the change of an object in this state."""
    if change.field == ANNOTATIONS:
        return "annotated"
    now = found(before, change.field)
    added = any(now.get(key) != value for key, value in change.put.items())
    removed = any(key in now for key in change.gone)
    return _WORDS[added, removed]


_WORDS = {(False, False): "not labeled", (True, False): "labeled", (False, True): "unlabeled", (True, True): "modified"}
