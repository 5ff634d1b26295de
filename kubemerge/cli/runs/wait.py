"""The conditions of `wait`, and polling of objects."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import MergeError
from engine.values.go_json import encode

from ...apiserver.unchecked import as_list, get_path
from ...cluster import NotFound, Reference

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...cluster import Cluster, Object

PAUSE = 0.2
"""Seconds between two polls of an object."""
ENDED = "timed out waiting for the condition"
NOTHING_NAMED = (
    "error: You must provide one or more resources by argument or filename.\n"
    "Example resource specifications include:\n"
    "   '-f rsrc.yaml'\n"
    "   '--filename=rsrc.json'\n"
    "   '<resource> <name>'\n"
    "   '<resource>'"
)


class NotMet(MergeError):
    """A condition that is not met, or not supported."""


class Condition(NamedTuple):
    """A condition: the object is gone, exists, or passes a check."""

    word: str
    check: Callable[[Object], bool]

    @property
    def of_deletion(self) -> bool:
        """Whether it is fulfilled once the object is gone."""
        return self.word == "delete"


def conditions(texts: Sequence[str]) -> list[Condition]:
    """The conditions that `--for` names."""
    if not texts:
        raise NotMet("unrecognized condition: []")
    return [_condition(text) for text in texts]


def _condition(text: str) -> Condition:
    if text.lower() in ("delete", "create"):
        return Condition(text.lower(), lambda _: text.lower() == "create")
    if text.startswith("condition="):
        name, equals, value = text.removeprefix("condition=").partition("=")
        return Condition("condition", lambda one: _has_condition(one, name, value if equals else "true"))
    if text.startswith("jsonpath="):
        return Condition("jsonpath", _at_path(text.removeprefix("jsonpath=")))
    raise NotMet(f'unrecognized condition: "{text}"')


def _has_condition(one: Object, name: str, value: str) -> bool:
    for condition in as_list(get_path(one, "status.conditions")):
        if str(condition.get("type")).casefold() != name.casefold():
            continue
        generation = one["metadata"].get("generation")
        observed = condition.get("observedGeneration", get_path(one, "status.observedGeneration"))
        if isinstance(generation, int) and isinstance(observed, int) and observed < generation:
            return False
        return str(condition.get("status")).casefold() == value.casefold()
    return False


_FORM = (
    "jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3 or "
    "--for=jsonpath='{.status.readyReplicas}'"
)


def _at_path(text: str) -> Callable[[Object], bool]:
    from ...apiserver.printers.jsonpath import path

    first, *more = [part.replace("\0", "==") for part in text.replace("==", "\0").split("=")]
    if len(more) > 1:
        raise NotMet(_FORM)
    if not first:
        raise NotMet("jsonpath expression cannot be empty")
    if not re.fullmatch(r"\{\.?[^{}]+\}|\.?[^{}]+", first):
        forms = "'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'"
        raise NotMet(f"unexpected path string, expected a {forms}")
    value = more[0].strip("'\"") if more else ""
    if more and not value:
        form = "--for=jsonpath='{.status.readyReplicas}'=3"
        raise NotMet(f"jsonpath wait has to have a value after equal sign, like {form}")
    values = path(first)
    return lambda one: _is_there(values(one), value)


def _is_there(values: Sequence[Any], wanted: str) -> bool:
    if not values:
        return False
    if len(values) > 1:
        raise NotMet("given jsonpath expression matches more than one value")
    if not wanted:
        return True
    if isinstance(values[0], (dict, list)):
        raise NotMet("jsonpath leads to a nested object or list which is not supported")
    text = values[0] if isinstance(values[0], str) else encode(values[0])
    return text.strip() == wanted.strip()


def wait_for(cluster: Cluster, live: Object, condition: Condition, until: float | None) -> Object:
    """The object that meets the condition, or its last state before it was gone. `until` None checks only once."""
    resource = cluster.resource(live["apiVersion"], live["kind"])
    called = f"{resource.plural}/{live['metadata']['name']}"
    while True:
        try:
            live = cluster.get(Reference.of(live))
        except NotFound:
            if condition.of_deletion:
                return live
            raise
        if condition.check(live):
            return live
        if until is None:
            raise NotMet(f"condition not met for {called}")
        if time.monotonic() >= until:
            raise NotMet(f"{ENDED} on {called}")
        time.sleep(PAUSE)
