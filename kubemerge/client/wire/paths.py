"""Where the API has an object or a collection, and the words of a request beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ...apiserver.errors import BadRequest

if TYPE_CHECKING:
    from ...apiserver.protocol import Resource

Query = list[tuple[str, str]]


def path_of(resource: Resource, namespace: str | None, name: str | None = None, part: str | None = None) -> str:
    """The path of an object or of one of its parts, or without a name, of all objects."""
    begin = f"/apis/{resource.group}/{resource.version}" if resource.group else f"/api/{resource.version}"
    inside = f"/namespaces/{_segment(namespace)}" if resource.namespaced and namespace else ""
    ending = "".join(f"/{_segment(one)}" for one in (name, part) if one is not None)
    return f"{begin}{inside}/{resource.plural}{ending}"


def _segment(name: str) -> str:
    """A name as part of a path; what would lead elsewhere is refused in the words of kubectl."""
    if not name:
        raise BadRequest("resource name may not be empty")
    problems = [f"may not be '{name}'"] if name in (".", "..") else []
    problems += [f"may not contain '{sign}'" for sign in "/%" if sign in name]
    if problems:
        raise BadRequest(f'invalid resource name "{name}": [{", ".join(problems)}]')
    return quote(name, safe="")


def of_write(manager: str, *, dry_run: bool, field_validation: str | None, force: bool | None = None) -> Query:
    """The query of a request that writes."""
    found: Query = [("dryRun", "All")] if dry_run else []
    found.append(("fieldManager", manager))
    if field_validation is not None:
        found.append(("fieldValidation", field_validation))
    if force is not None:
        found.append(("force", "true" if force else "false"))
    return found


def of_list(selector: str, fields: str) -> list[tuple[str, str]]:
    """The query of a list or a watch."""
    return [(name, value) for name, value in (("labelSelector", selector), ("fieldSelector", fields)) if value]


def of_delete(
    *, uid: str | None, resource_version: str | None, propagation: str | None, grace_period: int | None, dry_run: bool
) -> dict[str, Any]:
    """The body of a request that deletes."""
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
