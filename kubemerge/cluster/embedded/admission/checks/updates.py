"""What the API does not allow to change in an existing object."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from engine.values.plain import copied
from engine.values.quantities import amount
from engine.values.unchecked import a_map, found, maps

from .....kinds.facts import facts_of
from ....refusals import forbidden, immutable, invalid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.values.unchecked import Object

LOOSE = ("apps/v1beta1", "extensions/v1beta1")
"""The versions in which a selector may change."""

SCHEDULING = ("affinity", "nodeSelector", "tolerations", "schedulingGates")
"""What may change in the template of a job as long as it is suspended."""

POD_FIELDS = (
    "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
    "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),"
    "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"
)
CLAIM_FIELDS = (
    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims"
)


def fields(content: Object, before: Object) -> Iterator[str]:
    """Any kind: the fields that must stay as they are."""
    api_version, kind = str(content.get("apiVersion")), str(content.get("kind"))
    if api_version in LOOSE and kind != "StatefulSet":
        return
    for path in facts_of(api_version.rpartition("/")[0], kind).immutable:
        value = found(content, path)
        if value != found(before, path):
            yield immutable(path, value)


def job(content: Object, before: Object) -> Iterator[str]:
    """A job: its template, and how many completions it needs."""
    spec, former = a_map(content.get("spec")), a_map(before.get("spec"))
    completions = spec.get("completions")
    if completions != former.get("completions"):
        if spec.get("completionMode") != "Indexed":
            yield immutable("spec.completions", completions)
        elif completions != spec.get("parallelism"):
            yield invalid("spec.completions", completions, "can only be modified in tandem with spec.parallelism")
    suspended = former.get("suspend") is True
    if _template(spec, suspended=suspended) != _template(former, suspended=suspended):
        yield immutable("spec.template", spec.get("template"))


def _template(spec: Object, *, suspended: bool) -> Object:
    """What may not change in the template of a job."""
    template: Object = copied(a_map(spec.get("template")))
    for field in SCHEDULING if suspended else ():
        a_map(template.get("spec")).pop(field, None)
    for field in ("labels", "annotations") if suspended else ():
        a_map(template.get("metadata")).pop(field, None)
    return template


def pod(content: Object, before: Object) -> Iterator[str]:
    """A pod: hardly anything but its images."""
    spec, former = a_map(content.get("spec")), a_map(before.get("spec"))
    for field in ("containers", "initContainers"):
        if len(list(maps(spec, field))) != len(list(maps(former, field))):
            yield forbidden(f"spec.{field}", "pod updates may not add or remove containers")
            return
    if _fixed(spec) != _fixed(former):
        yield forbidden("spec", POD_FIELDS)


def _fixed(spec: Object) -> Object:
    """What may not change in a pod."""
    fixed: Object = copied(spec)
    for field in ("activeDeadlineSeconds", "tolerations", "schedulingGates"):
        fixed.pop(field, None)
    for field in ("containers", "initContainers"):
        for _, container in maps(fixed, field):
            container.pop("image", None)
    return fixed


def claim(content: Object, before: Object) -> Iterator[str]:
    """A claim of a volume: only a bound one may change, and only what it asks for."""
    bound = found(content, "status.phase") == "Bound"
    spec, former = (copied(a_map(side.get("spec"))) for side in (content, before))
    for side in (spec, former):
        if bound:
            side.pop("volumeAttributesClassName", None)
            _without_size(side)
        for given_later in ("volumeName", "storageClassName"):
            if not former.get(given_later):
                side.pop(given_later, None)
    if spec != former:
        yield forbidden("spec", CLAIM_FIELDS)
    asked, asked_before = (_size(side, "spec.resources.requests.storage") for side in (content, before))
    if asked < asked_before and asked <= _size(before, "status.capacity.storage"):
        yield forbidden("spec.resources.requests.storage", "field can not be less than status.capacity")


def _without_size(spec: Object) -> None:
    """Remove the size that a claim asks for, and maps that are empty then."""
    resources = a_map(spec.get("resources"))
    requests = a_map(resources.get("requests"))
    requests.pop("storage", None)
    if not requests:
        resources.pop("requests", None)


def _size(owner: Object, path: str) -> Decimal:
    """The quantity at a path; zero if there is none."""
    return amount(found(owner, path)) or Decimal(0)


def service(content: Object, before: Object) -> Iterator[str]:
    """A service: its cluster IP."""
    spec, former = a_map(content.get("spec")), a_map(before.get("spec"))
    address, given = _address(spec), _address(former)
    if not given or address == given or "ExternalName" in (spec.get("type"), former.get("type")):
        return
    if address:
        yield invalid("spec.clusterIPs[0]", [address], "may not change once set")
    else:
        yield invalid("spec.clusterIPs[0]", None, "primary clusterIP can not be unset")


def _address(spec: Object) -> Any:
    addresses = spec.get("clusterIPs")
    return spec.get("clusterIP") or (addresses[0] if isinstance(addresses, list) and addresses else None)
