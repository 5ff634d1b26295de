"""Steps from a create request to the object to store, like `rest.BeforeCreate` of upstream, with or without a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import metadata, plugins
from .admission import admit
from .decoding.decoder import Empties, decode_object
from .duplicate_owners import PATCHED, SENT, without_duplicates
from .identity import DEFAULT_NAMESPACE
from .kinds.builtin_kinds import DEFINITION, JOB, NAMESPACE, facts_of
from .managed_fields import split_managed_fields, with_managed_fields
from .plugins.jobs import with_labels_of_template
from .resources import check_definition
from .unchecked import as_map

if TYPE_CHECKING:
    from collections.abc import Callable

    from .metadata import Origins
    from .plugins.context import AdmissionContext
    from .protocol import Object, Resource
    from .resources import Kinds

    Decode = Callable[[Object, Resource, Kinds, Empties], Object]

READ_ANEW: dict[tuple[str, str], Callable[[Object], Object]] = {
    NAMESPACE: metadata.as_active_namespace,
    JOB: with_labels_of_template,
}
"""The changes to a valid new object when a server reads it."""


def with_name_and_namespace(
    content: Object, resource: Resource, origins: Origins, generate: Callable[[str], str]
) -> Object:
    """Return the object with its namespace and name. `generate` makes a name from generateName."""
    given = content["metadata"]
    at = {"namespace": given.get("namespace") or DEFAULT_NAMESPACE} if resource.namespaced else {}
    rest = {field: value for field, value in given.items() if field != "namespace"}
    if not given.get("name"):
        prefix = given.get("generateName")
        names = facts_of(resource.group, resource.kind).names_objects
        rest["name"] = generate(prefix) if prefix else origins.uid() if names else ""  # rejected later
    return {**content, "metadata": {**rest, **at}}


def as_decoded(content: Object, resource: Resource, kinds: Kinds) -> Object:
    """Return the object of a request as a server decodes it, with default values."""
    from .decoding import type_errors  # only audit logs need it here
    from .policies.patches import as_admitted, printed_status
    from .registry.core import with_name_as_label

    type_errors.check(content, resource, kinds)
    content = as_admitted(content, resource, kinds)
    if not resource.built_in:
        return content
    status = printed_status(resource, kinds)
    if "status" not in content and status is not None:
        content = {**content, "status": status}
    if (resource.group, resource.kind) == NAMESPACE:
        content = {**with_name_as_label(content), "status": {"phase": "Active", **as_map(content["status"])}}
    return content


def _unchanged(content: Object) -> Object:
    return content


def new_object(
    content: Object,
    resource: Resource,
    kinds: Kinds,
    origins: Origins,
    context: AdmissionContext,
    *,
    record: Callable[[Object], Object] = lambda content: content,
    allocate: Callable[[Object], Object] = lambda content: content,
    applied: bool = False,
    checks: bool = True,
    decode: Decode = decode_object,
) -> tuple[Object, Object]:
    """Return the object to store, and the decoded object of the request. Raise a ClusterError to reject it.

    `record` adds managedFields, and `allocate` adds values that the cluster allocates, such as a clusterIP. `applied`
    is True for a server-side apply. Without `checks`, values are not validated. `decode` may check types, too.
    """
    group_kind = (resource.group, resource.kind)
    content = without_duplicates(content, kinds.minor, context.warn, PATCHED if applied else SENT)
    sent, entries = split_managed_fields(content)
    decoded = decode(sent, resource, kinds, Empties.SENT)
    read = content = metadata.prepare_create(decoded, resource, kinds.release, origins)

    def record_and_allocate(full: Object) -> Object:
        nonlocal read
        read = full
        whole = record(with_managed_fields(plugins.read(full, *group_kind, context), entries))
        admitted = plugins.admit(whole, *group_kind, context)
        if context.policies is not None and admitted is not whole:
            read = split_managed_fields(admitted)[0]
        return allocate(admitted)

    content = admit(
        *(content, None, resource, kinds, record_and_allocate),
        applied=applied,
        checks=checks,
        earlier_problems=plugins.problems_of_new(content, *group_kind, context) if checks else (),
        warn=context.warn,
        sent=sent,
    )
    if checks and group_kind == DEFINITION:
        check_definition(content, resource, kinds.release)
    stored = READ_ANEW.get(group_kind, _unchanged)(content)
    if checks:
        plugins.validate(stored, *group_kind, context)
    return stored, read
