"""Changes of the API server to an object's metadata, like `rest.BeforeCreate` and `rest.BeforeUpdate` of upstream."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from engine.errors import brief
from engine.paths import render
from engine.serverside.fields.reset_fields import restore_reset_fields
from engine.values.go_json import decode, encode
from engine.values.guard import require_depth
from engine.values.plain import kind_name

from .eras import minor_of
from .errors import BadRequest, Conflict, Invalid, UnknownReason, storage_error
from .generations import with_generation
from .kinds.builtin_kinds import facts_of, key_in_store
from .problems import GO_SYNTAX_UNTIL, Printed, Problem, forbidden, immutable, invalid
from .registry.strategy import keeps_status

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.paths import Steps
    from engine.serverside.fields.trees import Tree

    from .protocol import Object, Resource

SUFFIX = "bcdfghjklmnpqrstvwxz2456789"
"""Characters of generated names: no vowels, and none that look alike."""
FIELD_TYPES = {
    "name": str,
    "generateName": str,
    "namespace": str,
    "uid": str,
    "resourceVersion": str,
    "labels": dict,
    "annotations": dict,
    "finalizers": list,
}
TYPE_NAMES: dict[type, str] = {str: "a string", dict: "a map", list: "a list"}
DELETION_FIELDS = ("deletionTimestamp", "deletionGracePeriodSeconds")
"""Fields that only a deletion sets. A request with another value is rejected."""
SERVER_SET = ("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation", "selfLink")
"""Fields that only the server sets. Values in a request are ignored."""
_JSON_MAY_OVERFLOW = sys.version_info[:2] == (3, 13)
"""Whether encoding a deep object can overflow a small stack: C code of Python 3.13 may recurse 10,000 times."""


def random_uid() -> str:
    """A new uid: a random UUID. The module `uuid` takes several times as long to make one."""
    made = bytearray(os.urandom(16))
    made[6], made[8] = made[6] & 0x0F | 0x40, made[8] & 0x3F | 0x80  # the version and the variant
    text = made.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


@dataclass(frozen=True)
class Origins:
    """Sources of times and uids. Tests and documentation pass their own."""

    clock: Callable[[], datetime] = lambda: datetime.now(timezone.utc)
    uid: Callable[[], str] = random_uid
    suffix: Callable[[], str] = lambda: "".join(SUFFIX[byte % len(SUFFIX)] for byte in os.urandom(5))

    def now(self) -> str:
        """The current time in the API's format."""
        now = self.clock()
        now = now if now.tzinfo is timezone.utc else now.astimezone(timezone.utc)
        return now.isoformat(timespec="seconds")[:19] + "Z"


def copy_as_json(content: Any) -> Object:
    """Return a copy of the object as JSON, as a server receives it."""
    if not isinstance(content, dict):
        raise BadRequest(f"an object is a map, not {kind_name(content)}. Pass apiVersion, kind and metadata")
    if _JSON_MAY_OVERFLOW:
        require_depth(content)
    found: Object = decode(encode(content))
    for field in ("apiVersion", "kind"):
        if not found.get(field) or not isinstance(found[field], str):
            raise BadRequest(f"{field}: an object requires it as a string. Add it")
    found["metadata"] = check_types(found.get("metadata"))
    return found


def missing_version(minor: int) -> Problem:
    """The problem of an update without resourceVersion. Until 1.33, Go printed the number as hexadecimal."""
    zero = Printed("0x0") if minor <= GO_SYNTAX_UNTIL else 0
    return invalid("metadata.resourceVersion", zero, "must be specified for an update")


def check_types(metadata: Any) -> Object:
    """Return the metadata without nulls and empty values. Reject a field of a wrong type that a cluster uses."""
    if metadata is None:
        return {}
    if not isinstance(metadata, dict):
        raise _wrong_field_type((), dict, metadata)
    for field, shape in FIELD_TYPES.items():
        value = metadata.get(field)
        if value is not None and not isinstance(value, shape):
            raise _wrong_field_type((field,), shape, value)
    return {key: value for key, value in metadata.items() if value not in (None, {}, [])}


def check_values(metadata: Object) -> None:
    """Reject wrong labels, annotations and times, in an object whose types are not checked otherwise."""
    for field in ("labels", "annotations"):
        for key, value in metadata.get(field, {}).items():
            if not isinstance(value, str):
                raise _wrong_field_type((field, key), str, value)
    for field in ("creationTimestamp", "deletionTimestamp"):
        value = metadata.get(field)
        if value is not None and not _is_time(value):
            raise BadRequest(f"metadata.{field}: must be a time such as 2026-01-31T12:00:00Z, not {brief(value)}")


def _is_time(value: Any) -> bool:
    from .decoding.go_times import as_time  # its patterns take long to compile, and new objects have no times

    return as_time(value) is not None


def _wrong_field_type(at: Steps, shape: type, value: Any) -> BadRequest:
    quote = "; quote it" if shape is str and not isinstance(value, (dict, list)) else ""
    where = render(("metadata", *at))
    return BadRequest(f"{where}: must be {TYPE_NAMES[shape]}, not {kind_name(value)}{quote}")


def prepare_create(content: Object, resource: Resource, release: str, origins: Origins) -> Object:
    """Return a new object with server-set fields. Its name and namespace are already set."""
    metadata = {
        key: value for key, value in content["metadata"].items() if key not in SERVER_SET or key == "generation"
    }
    metadata |= {"uid": origins.uid(), "creationTimestamp": origins.now()}
    content = {**content, "metadata": with_generation(metadata, resource, release)}
    return without_status(content, resource, minor_of(release))


def without_status(content: Object, resource: Resource, minor: int) -> Object:
    """Return the object without its status, which only a controller may write."""
    if not resource.has_status or (resource.built_in and keeps_status(resource.api_version, resource.kind, minor)):
        return content
    return {key: value for key, value in content.items() if key != "status"}


def as_active_namespace(content: Object) -> Object:
    """Return a new Namespace as it is stored: active, with the default finalizer."""
    return {**content, "spec": content.get("spec") or {"finalizers": ["kubernetes"]}, "status": {"phase": "Active"}}


def prepare_update(
    wanted: Object,
    live: Object,
    resource: Resource,
    subresource: str | None,
    *,
    dry_run: bool = False,
    guarded: bool = True,
) -> Object:
    """Return the object after an update of the live one. Only the store drops a selfLink, so a dry run shows it.

    Another uid is a conflict of a `guarded` update. Else it is a problem, found by `update_problems`.
    """
    metadata, current = check_types(wanted.get("metadata")), live["metadata"]
    asked = metadata if guarded else {**metadata, "uid": None}
    require_same_object(asked, current, resource, dry_run=dry_run)
    kept = (*(field for field in SERVER_SET if field not in DELETION_FIELDS), "resourceVersion", "name", "namespace")
    link = {"selfLink": metadata["selfLink"]} if dry_run and metadata.get("selfLink") else {}
    metadata = {key: value for key, value in metadata.items() if key not in kept}
    metadata |= {key: current[key] for key in kept if key in current} | link
    result = {**wanted, "metadata": metadata}
    return with_field("status", live, result) if resource.has_status and subresource is None else result


KEPT_BY_SERVER = ("creationTimestamp", "generation", "selfLink")
"""Metadata that mutating admission cannot change."""


def after_mutation(content: Object, before: Object, resource: Resource) -> Object:
    """Return an updated object after mutating admission. `before` is the object before it. Reject changes to
    immutable metadata.
    """
    given, old = check_types(content.get("metadata")), before["metadata"]
    if given.get("namespace") != old.get("namespace"):
        raise BadRequest("the namespace of the provided object does not match the namespace sent on the request")
    if given.get("resourceVersion") != old.get("resourceVersion"):
        raise Conflict(resource.called, str(old.get("name")))
    changed = [one for one in ("name", "uid", "deletionTimestamp") if given.get(one) != old.get(one)]
    if changed:
        problems = [immutable(f"metadata.{one}", given.get(one, "")) for one in changed]
        raise Invalid.of(resource.title, str(given.get("name", "")), problems)
    rest = {name: value for name, value in given.items() if name not in KEPT_BY_SERVER}
    return {**content, "metadata": {**rest, **{name: old[name] for name in KEPT_BY_SERVER if name in old}}}


REPEATED_UNTIL = 36
"""The last minor release that repeats the causes of the second check of an object's metadata."""


def update_problems(
    wanted: Object, live: Object, reset: Tree, resource: Resource, subresource: str | None, minor: int
) -> list[Problem]:
    """The problems of an update that changes the uid or deletion fields, or adds finalizers after deletion.

    A server checks the metadata of most kinds twice, and repeats the causes.
    """
    once = (subresource or "") in facts_of(resource.group, resource.kind).checked_once or minor > REPEATED_UNTIL
    return _update_problems(wanted, live, reset) * (1 if resource.built_in and once else 2)


def _update_problems(wanted: Object, live: Object, reset: Tree) -> list[Problem]:
    metadata, current = check_types(wanted.get("metadata")), live["metadata"]
    left = restore_reset_fields({"metadata": metadata}, {"metadata": current}, reset)["metadata"] if reset else metadata
    there = frozenset(current.get("finalizers") or ())
    added = [one for one in left.get("finalizers") or () if one not in there] if "deletionTimestamp" in current else []
    why = "no new finalizers can be added if the object is being deleted, found new finalizers"
    found = [forbidden("metadata.finalizers", f"{why} {_as_go(added)}")] if added else []
    if metadata.get("uid") not in (None, "", current.get("uid")):
        found.append(immutable("metadata.uid", metadata["uid"]))
    found += [
        immutable(f"metadata.{one}", left[one])
        for one in DELETION_FIELDS
        if one in left and left[one] != current.get(one)
    ]
    return found


def with_deletion_fields(content: Object, live: Object) -> Object:
    """Return the object with the deletion fields of the live one, which a request without them does not remove."""
    marks = {field: live["metadata"][field] for field in DELETION_FIELDS if field in live["metadata"]}
    rest = {field: value for field, value in content["metadata"].items() if field not in DELETION_FIELDS}
    return {**content, "metadata": {**rest, **marks}}


def prepare_status_update(content: Object, live: Object, resource: Resource, reset: Tree) -> Object:
    """Return the object after a write to its status, with the fields that such a write resets. Neither has
    managedFields.
    """
    if resource.built_in:
        return restore_reset_fields(
            content, live, {field: inner for field, inner in reset.items() if field != "f:status"}
        )
    return with_field("status", content, live)


def require_same_object(
    metadata: Object, current: Object, resource: Resource, part: str = "", *, dry_run: bool = False
) -> None:
    """Reject a request for an object with another uid or resourceVersion than the live one.

    `part` is the subresource, if the server names it.
    """
    sent_uid = metadata.get("uid") or current["uid"]
    if sent_uid != current["uid"]:
        plural, dot, group = resource.called.partition(".")
        called = f"{plural}/{part}{dot}{group}" if part else resource.called
        raise Conflict(called, current["name"], uid_mismatch(sent_uid, current, resource, dry_run=dry_run))
    if requested_version(metadata) not in (None, current["resourceVersion"]):
        raise Conflict(resource.called, current["name"])


def check_service(metadata: Object, current: Object) -> None:
    """Reject a PUT of a Service without resourceVersion, or with another uid, as servers until 1.22 do. They check the
    metadata twice.
    """
    problems = []
    if not metadata.get("resourceVersion"):
        problems.append(invalid("metadata.resourceVersion", "", "must be specified for an update"))
    if metadata.get("uid") not in (None, "", current["uid"]):
        problems.append(immutable("metadata.uid", metadata["uid"]))
    if problems:
        raise Invalid.of("Service", current["name"], problems * 2)


def uid_mismatch(asked: str, current: Object, resource: Resource, *, dry_run: bool) -> str:
    """The text of the conflict if the uid belongs to an object that was deleted and created again.

    `current` is the metadata of the object. A dry run does not reach the store, which adds its prefix to the key.
    """
    key = key_in_store(resource, current.get("namespace"), current["name"])
    why = f"Precondition failed: UID in precondition: {asked}, UID in object meta: {current.get('uid', '')}"
    return storage_error("invalid object", 4, key if dry_run else f"/registry{key}", why)


_MOST_DIGITS = 19
"""The number of digits that always fits into 64 bits. No cluster counts higher."""


def requested_version(metadata: Object) -> str | None:
    """The resourceVersion that a request requires. None if it is missing or 0, which mean any."""
    version = str(metadata.get("resourceVersion") or "0")
    problem = "" if version.isascii() and version.isdecimal() else "invalid syntax"
    if not problem and len(version.lstrip("0")) > _MOST_DIGITS:
        problem = "value out of range"
    if problem:
        said = f'strconv.ParseUint: parsing "{version}": {problem}'
        raise UnknownReason(said, advice="a resourceVersion is a number")
    return None if not version.strip("0") else version


def is_version(text: str | None) -> bool:
    """Whether a resourceVersion identifies one state of an object. 0 and other texts do not."""
    return text is not None and text.isascii() and text.isdecimal() and bool(text.strip("0"))


def with_field(field: str, source: Object, target: Object) -> Object:
    """Return the target with this field of the source, or without it."""
    result = {key: value for key, value in target.items() if key != field}
    if field in source:
        result[field] = source[field]
    return result


def _as_go(words: list[str]) -> str:
    return f"[]string{{{', '.join(json.dumps(word) for word in sorted(words))}}}"
