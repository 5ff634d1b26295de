"""The operations of a resource's paths, the same for OpenAPI v2 and v3."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...kinds.builtin_kinds import NAMESPACE, facts_of
from .custom import names_in
from .definitions import DELETE_OPTIONS, META, PATCH, STATUS, definitions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ...protocol import Object
    from ..discovery.served import ServedResource, ServedResources


class Operation(NamedTuple):
    """One method of one path."""

    path: str
    method: str
    action: str
    """The value of x-kubernetes-action, if any."""
    row: ServedResource | None
    answer: str
    """The definition of the response."""
    body: str = ""
    """The definition of the body, if it has one."""
    query: tuple[str, ...] = ()
    codes: tuple[int, ...] = (200,)


TYPES = {
    "allowWatchBookmarks": "boolean",
    "continue": "string",
    "dryRun": "string",
    "fieldManager": "string",
    "fieldSelector": "string",
    "fieldValidation": "string",
    "force": "boolean",
    "gracePeriodSeconds": "integer",
    "labelSelector": "string",
    "limit": "integer",
    "name": "string",
    "namespace": "string",
    "orphanDependents": "boolean",
    "pretty": "string",
    "propagationPolicy": "string",
    "resourceVersion": "string",
    "resourceVersionMatch": "string",
    "sendInitialEvents": "boolean",
    "timeoutSeconds": "integer",
    "watch": "boolean",
}
"""The parameters and their types. `name` and `namespace` are in the path, the others in the query."""
IN_PATH = ("name", "namespace")
_SINCE = {"fieldValidation": 23, "resourceVersionMatch": 19, "sendInitialEvents": 27}
"""The first minor release of parameters that were added later."""

_SELECT = ("fieldSelector", "labelSelector")
_LIST = (
    "allowWatchBookmarks",
    "continue",
    *_SELECT,
    "limit",
    "resourceVersion",
    "resourceVersionMatch",
    "sendInitialEvents",
    "timeoutSeconds",
    "watch",
)
_DELETE = ("dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy")
_DELETE_MANY = tuple(sorted({*_DELETE, *_LIST} - {"allowWatchBookmarks", "watch"}))
_WRITE = ("dryRun", "fieldManager", "fieldValidation")

PATCH_TYPES = (
    "application/apply-patch+yaml",
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
)
_INFO = "io.k8s.apimachinery.pkg.version.Info"
WATCH_EVENT = f"{META}.WatchEvent"


def patch_types(row: ServedResource) -> tuple[str, ...]:
    """Return the media types of patches to a resource."""
    return PATCH_TYPES if row.built_in else PATCH_TYPES[:-1]


def path_items(
    found: Iterable[Operation],
    minor: int,
    write: Callable[[Operation, list[str]], Object],
    parameter: Callable[[str], Object],
) -> Iterator[tuple[str, Object]]:
    """Yield the path items of operations. Parameters of all operations on a path are written once.

    `write` writes an operation with its other parameters.
    """
    grouped: dict[str, list[Operation]] = {}
    for one in found:
        grouped.setdefault(one.path, []).append(one)
    for path, listed in grouped.items():
        parameters = [_parameters(one, minor) for one in listed]
        shared = sorted(set(parameters[0]).intersection(*parameters[1:]))
        item: Object = {
            one.method: write(one, [name for name in own if name not in shared])
            for one, own in zip(listed, parameters, strict=True)
        }
        if shared:
            item["parameters"] = [parameter(name) for name in shared]
        yield path, item


def _parameters(operation: Operation, minor: int) -> list[str]:
    """The parameters of an operation and its path in a release, sorted."""
    in_path = [name for name in IN_PATH if f"{{{name}}}" in operation.path]
    query = [name for name in operation.query if _SINCE.get(name, 0) <= minor]
    return sorted([*query, *in_path, *(["pretty"] if operation.row else [])])


def listings(served: ServedResources) -> dict[str, bool]:
    """Return the paths that list built-in groups, versions and resources (`api`, `apis/apps`, `apis/apps/v1`), and
    whether each is of a version.
    """
    groups = {row.group for row in served.rows if row.built_in}
    found = dict.fromkeys(("api", "apis", "version"), False)
    for group in groups:
        base = f"apis/{group}" if group else "api"
        found |= {base: False, **{f"{base}/{version}": True for version in served.versions[group]}}
    return found


def listing(path: str, *, of_version: bool) -> Operation:
    """Return the operation of a path that lists groups, versions or resources."""
    kind = {"api": "APIVersions", "apis": "APIGroupList"}.get(path, "APIResourceList" if of_version else "APIGroup")
    return Operation(f"/{path}/", "get", "", None, _INFO if path == "version" else f"{META}.{kind}")


_LISTINGS = {
    f"{META}.APIVersions": "get available API versions",
    f"{META}.APIGroupList": "get available API versions",
    f"{META}.APIGroup": "get information of a group",
    f"{META}.APIResourceList": "get available resources",
    _INFO: "get the version information for this server",
}
_VERBS = {
    "get": "read{} the specified {}",
    "put": "replace{} the specified {}",
    "patch": "partially update{} the specified {}",
    "post": "create{}{article}{}",
    "delete": "delete{}{article}{}",
    "deletecollection": "delete collection of{} {}",
}


def description_of(operation: Operation) -> str:
    """Return the description of an operation, in the words of servers."""
    row = operation.row
    if row is None:
        return _LISTINGS[operation.answer]
    kind = row.object_kind or row.kind
    if operation.action == "list":
        return f"list {'or watch ' if row.built_in and 'watch' in row.verbs else ''}objects of kind {kind}"
    plural = kind.endswith("s") and not kind.endswith("ss")
    article = " " if plural else " an " if kind[0].lower() in "aeiou" else " a "
    part = f" {row.subresource} of" if row.subresource else ""
    return _VERBS[operation.action].format(part, kind, article=article)


def operations(served: ServedResources, row: ServedResource) -> Iterator[Operation]:
    """Yield every operation on the paths of a resource or subresource."""
    names = _Names(served, row)
    base = f"/apis/{row.group}/{row.version}" if row.group else f"/api/{row.version}"
    inside = f"{base}/namespaces/{{namespace}}" if row.namespaced else base
    many, one = f"{inside}/{row.resource}", f"{inside}/{row.resource}/{{name}}"
    if row.subresource:
        yield from _object(f"{one}/{row.subresource}", row, names)
        if "create" in row.verbs:
            yield _create(f"{one}/{row.subresource}", row, names, ("dryRun", "fieldManager", "fieldValidation"))
        return
    if "list" in row.verbs:
        for path in dict.fromkeys((f"{base}/{row.name}", many)):
            yield Operation(path, "get", "list", row, names.many, query=_LIST)
    if "create" in row.verbs:
        yield _create(many, row, names, _WRITE)
    if "deletecollection" in row.verbs:
        body = DELETE_OPTIONS if row.built_in else ""
        yield Operation(many, "delete", "deletecollection", row, STATUS, body, _DELETE_MANY)
    yield from _object(one, row, names)


def _create(path: str, row: ServedResource, names: _Names, query: tuple[str, ...]) -> Operation:
    return Operation(path, "post", "post", row, names.one, names.one, query, (200, 201, 202))


def _object(path: str, row: ServedResource, names: _Names) -> Iterator[Operation]:
    if "get" in row.verbs:
        yield Operation(path, "get", "get", row, names.one, query=() if row.built_in else ("resourceVersion",))
    if "update" in row.verbs:
        yield Operation(path, "put", "put", row, names.one, names.one, _WRITE, (200, 201))
    if "delete" in row.verbs:
        facts = facts_of(row.group, row.kind)
        # Servers also return a Namespace, but do not document it.
        returns_object = facts.answers_deleted and (row.group, row.kind) != NAMESPACE
        returns_object &= names.minor >= facts.answers_deleted_since
        answer = names.one if returns_object else STATUS
        yield Operation(path, "delete", "delete", row, answer, DELETE_OPTIONS, _DELETE, (200, 202))
    if "patch" in row.verbs:
        codes = (200, 201) if row.built_in else (200,)  # although an apply creates custom resources, too
        yield Operation(path, "patch", "patch", row, names.one, PATCH, (*_WRITE, "force"), codes)


class _Names:
    def __init__(self, served: ServedResources, row: ServedResource) -> None:
        self.minor = served.minor
        group, _, version = (row.answers or row.api_version).rpartition("/")
        if row.built_in or row.answers:
            known = definitions(served.minor)
            self.one = known.of_kind(group, version, row.kind) or ""
            self.many = known.of_kind(group, version, f"{row.kind}List") or ""
        else:
            self.one, self.many = names_in(served, row)
