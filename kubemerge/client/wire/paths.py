"""API paths and query parameters of requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ...apiserver.errors import BadRequest

if TYPE_CHECKING:
    from ...apiserver.protocol import Resource

Query = list[tuple[str, str]]


def path_of(resource: Resource, namespace: str | None, name: str | None = None, part: str | None = None) -> str:
    """Return the path of an object or of its subresource. Without a name, that of the collection."""
    begin = f"/apis/{resource.group}/{resource.version}" if resource.group else f"/api/{resource.version}"
    inside = f"/namespaces/{_segment(namespace)}" if resource.namespaced and namespace else ""
    ending = "".join(f"/{_segment(one)}" for one in (name, part) if one is not None)
    return f"{begin}{inside}/{resource.plural}{ending}"


def _segment(name: str) -> str:
    """A name as part of a path. One that would change the path is rejected with kubectl's message."""
    if not name:
        raise BadRequest("resource name may not be empty")
    problems = [f"may not be '{name}'"] if name in (".", "..") else []
    problems += [f"may not contain '{sign}'" for sign in "/%" if sign in name]
    if problems:
        raise BadRequest(f'invalid resource name "{name}": [{", ".join(problems)}]')
    return quote(name, safe="")


def of_write(manager: str, *, dry_run: bool, field_validation: str | None, force: bool | None = None) -> Query:
    """Return the query of a write request."""
    found: Query = [("dryRun", "All")] if dry_run else []
    found.append(("fieldManager", manager))
    if field_validation is not None:
        found.append(("fieldValidation", field_validation))
    if force is not None:
        found.append(("force", "true" if force else "false"))
    return found


def of_list(selector: str, fields: str) -> list[tuple[str, str]]:
    """Return the query of a list or a watch."""
    return [(name, value) for name, value in (("labelSelector", selector), ("fieldSelector", fields)) if value]


def of_delete(
    *, uid: str | None, resource_version: str | None, propagation: str | None, grace_period: int | None, dry_run: bool
) -> dict[str, Any]:
    """Return the body of a DELETE request."""
    wanted = {"uid": uid, "resourceVersion": resource_version}
    preconditions = {name: value for name, value in wanted.items() if value is not None}
    options = {
        "gracePeriodSeconds": grace_period,
        "preconditions": preconditions or None,
        "propagationPolicy": propagation,
        "dryRun": ["All"] if dry_run else None,
    }
    given = {name: value for name, value in options.items() if value is not None}
    return {"kind": "DeleteOptions", "apiVersion": "v1", **given}
