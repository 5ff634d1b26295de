"""Rows of the table of defaults: conditions and values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ..eras import minor_of
from ..unchecked import get_path

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..unchecked import Object

ABSENT: tuple[Any, ...] = (None, "")
"""The values that count as unset. The server decodes null as absent, and most strings have no valid empty value."""
NIL: tuple[Any, ...] = (None,)
"""The unset value of a pointer. An empty text is a value there, and validation rejects it."""
NO_ITEMS: tuple[Any, ...] = (None, [])
"""The unset values of a list whose length is checked. In other lists, an empty one is a value."""

ZERO: tuple[Any, ...] = (None, "", 0)
EMPTY: tuple[Any, ...] = (None, "", {})


class Removed:
    """The value of a row that removes a field."""

    def __repr__(self) -> str:
        return "taken out"


REMOVED = Removed()


class When(NamedTuple):
    """A condition on the object that has the field, which holds if it returns anything true, and its description."""

    words: str
    holds: Callable[[Object], object]


class Computed(NamedTuple):
    """A default computed from other fields of the same object, and its description."""

    words: str
    of: Callable[[Object], Any]
    is_shared: bool = False
    """Whether both fields have one map, as in Go, so that an admission plugin that changes one changes both."""


class Default(NamedTuple):
    """One row: the value is applied if the field is unset and the condition holds.

    `unset` lists the values that count as unset. None replaces any value.
    """

    field: str
    value: Any
    when: When | None = None
    since: str = "1.7"
    until: str = ""
    unset: tuple[Any, ...] | None = ABSENT

    def in_release(self, minor: int) -> bool:
        """Whether release 1.<minor> has this default."""
        return minor_of(self.since) <= minor <= minor_of(self.until)


class Group(NamedTuple):
    """The rows of one upstream function, for the types that it is called on."""

    types: tuple[str, ...]
    source: str
    rows: tuple[Default, ...]


class TypePosition(NamedTuple):
    """The position of a type in another. `?` after a part continues only if it exists, `[]` continues with every
    element.
    """

    path: str
    type: str
    when: When | None = None


def equals(path: str, *values: str) -> When:
    """The field has one of these values."""
    return When(f"{path} is {' or '.join(values)}", lambda owner: get_path(owner, path) in values)


def given(path: str) -> When:
    """The field is set."""
    return When(f"{path} is set", lambda owner: get_path(owner, path) not in EMPTY)


def absent(path: str) -> When:
    """The field is not set."""
    return When(f"{path} is not set", lambda owner: get_path(owner, path) in ABSENT)


def both(*conditions: When) -> When:
    """All of the conditions hold."""
    words = " and ".join(condition.words for condition in conditions)
    return When(words, lambda owner: all(condition.holds(owner) for condition in conditions))


def same_as(path: str) -> Computed:
    """The value of another field."""
    return Computed(f"the value of {path}", lambda owner: get_path(owner, path))


def pull_policy(field: str) -> Computed:
    """Always for the tag latest and for no tag, else IfNotPresent."""
    words = f"Always if the tag of {field} is latest or missing, else IfNotPresent"
    return Computed(words, lambda owner: "Always" if tag(owner.get(field)) == "latest" else "IfNotPresent")


_PART = r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*"
_HOST_PART = r"[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?"
_HOST = rf"(?:{_HOST_PART}(?:\.{_HOST_PART})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?"
_IMAGE = re.compile(
    rf"(?P<name>(?:{_HOST}/)?{_PART}(?:/{_PART})*)(?::(?P<tag>\w[\w.-]{{0,127}}))?"
    r"(?:@(?P<digest>sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128}))?",
    re.ASCII,
)
LONGEST_PATH = 255
_IDENTIFIER = re.compile(r"[0-9a-f]{64}")


def tag(image: Any) -> str:
    """Return the tag of an image reference. latest if it has neither tag nor digest, "" if it is invalid."""
    match = _IMAGE.fullmatch(image) if isinstance(image, str) else None
    if match is None or _IDENTIFIER.fullmatch(image) or len(_path(match["name"])) > LONGEST_PATH:
        return ""
    return match["tag"] or ("" if match["digest"] else "latest")


def _path(name: str) -> str:
    """The path of an image in its registry, as a server completes it: `library/nginx` for `nginx`."""
    first, _, rest = name.partition("/")
    has_host = rest and (set(".:") & set(first) or first == "localhost" or first != first.lower())
    path = rest if has_host else name
    return path if "/" in path or (has_host and first not in ("docker.io", "index.docker.io")) else f"library/{path}"


def _without_source(volume: Object) -> bool:
    return all(value is None for key, value in volume.items() if key != "name")


def _all_limits(resources: Object) -> Object:
    requests = resources.get("requests")
    return {**resources["limits"], **(requests if isinstance(requests, dict) else {})}


BALANCED = equals("spec.type", "LoadBalancer")
NO_SOURCE = When("the volume has no source", _without_source)
LIMITS = When("limits are set", lambda resources: isinstance(resources.get("limits"), dict) and resources["limits"])
REQUESTS = Computed("the limits, for resources without a request", _all_limits)
SELECTING = Computed(
    "the template's labels", lambda owner: {"matchLabels": get_path(owner, "spec.template.metadata.labels")}
)
