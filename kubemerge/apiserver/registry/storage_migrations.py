"""StorageVersionMigration, which rewrites all objects of a resource in its storage version."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..problems import Problem, immutable, invalid, required
from ..unchecked import as_map, as_text, get_path, has_condition, maps
from ..validation import names
from ..validation.values.conditions import conditions
from ..validation.values.formats import FIELD_IS_IMMUTABLE, dns_1035_label
from .record import KindRecord, after_create_check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

GROUP = "storagemigration.k8s.io"
ENDS = {"Succeeded": "Success", "Failed": "Failed"}
"""The terminal conditions of a migration, as messages name them."""
ORDER = ("type", "status", "observedGeneration", "lastTransitionTime", "reason", "message")
"""The fields of a condition as a server prints them."""


def migration(content: Object) -> Iterator[Problem]:
    """Validate a StorageVersionMigration."""
    of = as_map(get_path(content, "spec.resource"))
    resource, group = as_text(of.get("resource")), as_text(of.get("group"))
    if not resource:
        yield required("spec.resource.resource", "resource is required to be set")
    elif whys := list(dns_1035_label(resource)):
        yield invalid("spec.resource.resource", resource, ",".join(whys))
    if group and (whys := list(names.subdomain(group))):
        yield invalid("spec.resource.group", group, ",".join(whys))


def changed_migration(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of a StorageVersionMigration. Its resource is immutable."""
    now, then = (as_map(get_path(side, "spec.resource")) for side in (content, before))
    shown = {field: as_text(now.get(field)) for field in ("group", "resource")}
    if any(shown[field] != as_text(then.get(field)) for field in shown):
        yield immutable("spec", {"Resource": shown})


def status(content: Object, before: Object) -> Iterator[Problem]:
    """Validate the status of a StorageVersionMigration."""
    version, former = (as_text(get_path(side, "status.resourceVersion")) for side in (content, before))
    at = "status.resourceVersion"
    if version and not re.fullmatch("[1-9][0-9]*", version):
        yield invalid(at, version, _no_version(version))
    yield from conditions(content, before)
    if former and version != former:
        yield invalid(at, version, FIELD_IS_IMMUTABLE)
    listed = (one for _, one in maps(as_map(content.get("status")), "conditions"))
    shown = [{field: one[field] for field in ORDER if field in one} for one in listed]
    if all(has_condition(content, type_) for type_ in ENDS):
        yield invalid("status.conditions", shown, "Both success and failed conditions cannot be true at the same time")
    for type_, called in ENDS.items():
        if has_condition(before, type_) and not has_condition(content, type_):
            why = f"{called} condition cannot be set to false once it is true"
            yield invalid("status.conditions", shown, why)


def _no_version(version: str) -> str:
    said = "resource version is not well formed"
    return f"{said}: {version}"


RECORDS = (
    KindRecord(
        group=GROUP,
        kind="StorageVersionMigration",
        versions=(f"{GROUP}/v1", f"{GROUP}/v1beta1"),
        named_again=True,
        check=migration,
        check_update=after_create_check(migration, changed_migration),
        check_status=status,
    ),
)
