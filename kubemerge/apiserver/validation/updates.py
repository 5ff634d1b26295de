"""Forbidden updates of existing objects."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from engine.values.plain import copied
from engine.values.quantities import amount

from ..eras import Era
from ..kinds.builtin_kinds import facts_of
from ..problems import Problem, forbidden, immutable, invalid, invalid_map, named, required
from ..unchecked import as_list, as_map, as_number, get_path, maps
from .claims import disabled_class, removed_class
from .eras import (
    APPLIED_CLASS,
    APPLIED_CLASS_BEFORE,
    CLAIM_SIZE,
    CLAIM_SIZE_BEFORE,
    DIRECTED_TEMPLATE,
    FIXED_TEMPLATE,
    RESOURCED_TEMPLATE,
    SHRUNK_COMPLETIONS,
    SHRUNK_COMPLETIONS_BEFORE,
)
from .pod_spec.containers import image_without_spaces
from .pod_spec.internal_form import difference, in_each_era, printed_invalid
from .pod_spec.scheduling import REQUIRED
from .values.formats import between
from .values.tolerations import tolerations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

MUTABLE_SELECTORS = ("apps/v1beta1", "extensions/v1beta1")
"""The versions in which a selector may change."""

_IMAGES = ("`spec.containers[*].image`", "`spec.initContainers[*].image`", "`spec.activeDeadlineSeconds`")
_ADDED = "`spec.tolerations` (only additions to existing tolerations)"
_GRACE = "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"
POD_FIELDS = (
    (Era(until=21), f"{', '.join(_IMAGES)} or {_ADDED}"),
    (Era(22, 26), f"{', '.join((*_IMAGES, _ADDED))} or {_GRACE}"),
    (Era(27), ",".join((*_IMAGES, _ADDED, _GRACE))),
)
"""By era, the fields of a Pod that may change, as the message names them."""
CLAIM_FIELDS = (
    (Era(until=28), "resources.requests"),
    (Era(29), "resources.requests and volumeAttributesClassName"),
)
"""By era, the fields of a bound claim that may change."""

POLICIES = {"podFailurePolicy": "PodFailurePolicy", "successPolicy": "SuccessPolicy"}
"""Fields of a Job that are printed as their Go types."""


def fields(content: Object, before: Object) -> Iterator[Problem]:
    """Reject changes of immutable fields, for any kind."""
    api_version, kind = str(content.get("apiVersion")), str(content.get("kind"))
    if api_version in MUTABLE_SELECTORS and kind != "StatefulSet":
        return
    for path in facts_of(api_version.rpartition("/")[0], kind).immutable:
        value = get_path(content, path)
        if value != get_path(before, path):
            yield immutable(path, value)


def job(content: Object, before: Object) -> Iterator[Problem]:
    """Validate updates of a Job's template and completions."""
    spec, former = as_map(content.get("spec")), as_map(before.get("spec"))
    completions = spec.get("completions")
    if completions != former.get("completions"):
        if spec.get("completionMode") != "Indexed":
            yield immutable("spec.completions", completions)
        else:
            yield from SHRUNK_COMPLETIONS_BEFORE.limit([immutable("spec.completions", completions)])
            if completions is not None and completions != spec.get("parallelism"):
                why = "can only be modified in tandem with spec.parallelism"
                yield from SHRUNK_COMPLETIONS.limit([invalid("spec.completions", completions, why)])
    if former.get("selector") is not None and spec.get("selector") != former["selector"]:
        yield immutable("spec.selector", spec.get("selector"))
    template, old = (as_map(one.get("template")) for one in (spec, former))
    yield from _job_template(template, old, suspended=_is_suspended_without_pods(before))
    for field in ("completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy"):
        value = spec.get(field)
        if value != former.get(field):
            printed = field in POLICIES and isinstance(value, dict)
            at = f"spec.{field}"
            yield from _immutable_type(at, POLICIES[field], as_map(value)) if printed else [immutable(at, value)]


def _job_template(template: Object, old: Object, *, suspended: bool) -> Iterator[Problem]:
    """Changes of a Job's template. More may change while it is suspended."""
    directed = _with_directions(old, template) if suspended else old
    if template != old:
        era = FIXED_TEMPLATE if suspended else Era()
        yield from era.limit(_immutable_type("spec.template", "PodTemplateSpec", template))
    if suspended and template != directed:
        yield from DIRECTED_TEMPLATE.limit(_immutable_type("spec.template", "PodTemplateSpec", template))
    inner = as_map(template.get("spec"))
    if suspended and inner != _with_resources(as_map(directed.get("spec")), inner):
        yield from RESOURCED_TEMPLATE.limit(_immutable_type("spec.template.spec", "PodSpec", inner))


def _is_suspended_without_pods(job: Object) -> bool:
    """Whether a Job is suspended and has no Pods, so that its template may still change."""
    status = as_map(job.get("status"))
    conditions = [one.get("type") for _, one in maps(status, "conditions") if one.get("status") == "True"]
    stopped = not status.get("startTime") or "Suspended" in conditions
    return get_path(job, "spec.suspend") is True and stopped and not status.get("active")


def _immutable_type(at: str, type_: str, value: Object) -> Iterator[Problem]:
    return printed_invalid(at, type_, value, "field is immutable")


def _with_directions(old: Object, template: Object) -> Object:
    """The old template of a suspended Job with its mutable fields: scheduling directives, labels, annotations."""
    new, spec = as_map(template.get("spec")), dict(as_map(old.get("spec")))
    for field in ("nodeSelector", "tolerations", "schedulingGates"):
        spec = _with(spec, field, new.get(field))
    nodes = as_map(new.get("affinity")).get("nodeAffinity")
    affinity = _with(as_map(spec.get("affinity")), "nodeAffinity", nodes)
    spec = _with(spec, "affinity", affinity or ({} if new.get("affinity") == {} else None))
    metadata = as_map(old.get("metadata"))
    for field in ("labels", "annotations"):
        metadata = _with(metadata, field, as_map(template.get("metadata")).get(field))
    return {**old, "spec": spec, "metadata": metadata}


def _with_resources(old: Object, new: Object) -> Object:
    """The old spec of Pods with the new resources of containers."""
    result = dict(old)
    for field in ("containers", "initContainers"):
        before, after = (list(maps(side, field)) for side in (old, new))
        if before and len(before) == len(after):
            result[field] = [
                _with(one, "resources", other.get("resources")) if one.get("name") == other.get("name") else one
                for (_, one), (_, other) in zip(before, after, strict=True)
            ]
    return result


def _with(owner: Object, field: str, value: Any) -> Object:
    rest = {name: one for name, one in owner.items() if name != field}
    return rest if value is None else {**rest, field: value}


def pod(content: Object, before: Object) -> Iterator[Problem]:
    """Validate updates of a Pod. Hardly anything but its images may change."""
    spec, former = as_map(content.get("spec")), as_map(before.get("spec"))
    for field in ("containers", "initContainers"):
        containers = list(maps(spec, field))
        if len(containers) != len(list(maps(former, field))):
            yield forbidden(f"spec.{field}", "pod updates may not add or remove containers")
            return
        for index, one in containers:
            if not one.get("image"):
                yield required(f"spec.{field}[{index}].image")
            yield from image_without_spaces(f"spec.{field}[{index}]", one)
    deadline, old = as_number(spec.get("activeDeadlineSeconds")), as_number(former.get("activeDeadlineSeconds"))
    if deadline is not None:
        problems = [invalid("spec.activeDeadlineSeconds", deadline, why) for why in between(deadline, 0, 2**31 - 1)]
        if not problems and old is not None and old < deadline:
            why = "must be less than or equal to previous value"
            problems = [invalid("spec.activeDeadlineSeconds", deadline, why)]
        yield from problems
        if problems:
            return
    elif old is not None:
        yield invalid("spec.activeDeadlineSeconds", None, "must not update from a positive integer to nil value")
    yield from _tolerations(spec, former)
    yield from _gates(spec, former)
    munged = _munged(spec, former)
    if former.get("schedulingGates"):
        yield from _selected_nodes(munged, former)
    if munged != former:
        for era, names in POD_FIELDS:
            why = f"pod updates may not change fields other than {names}\n"
            yield from era.limit(_with_difference(why, former, munged))


def _with_difference(why: str, former: Object, munged: Object) -> Iterator[Problem]:
    return in_each_era(lambda minor: forbidden("spec", f"{why}{difference('PodSpec', former, munged, minor)}"))


def _tolerations(spec: Object, former: Object) -> Iterator[Problem]:
    now = [_with(one, "tolerationSeconds", None) for _, one in maps(spec, "tolerations")]
    if any(_with(one, "tolerationSeconds", None) not in now for _, one in maps(former, "tolerations")):
        yield forbidden("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds")
        return
    yield from tolerations("spec.tolerations", spec)


def _gates(spec: Object, former: Object) -> Iterator[Problem]:
    old = {one.get("name") for _, one in maps(former, "schedulingGates")}
    for index, one in maps(spec, "schedulingGates"):
        if one.get("name") not in old:
            why = f"only deletion is allowed, but found new scheduling gate '{one.get('name')}'"
            yield forbidden(f"spec.schedulingGates[{index}].name", why)


def _munged(spec: Object, former: Object) -> Object:
    """The spec of a Pod with the old values of mutable fields."""
    munged: Object = copied(spec)
    for field in ("activeDeadlineSeconds", "schedulingGates", "tolerations"):
        munged = _with(munged, field, former.get(field))
    for field in ("containers", "initContainers"):
        for (_, one), (_, old) in zip(maps(munged, field), maps(former, field), strict=True):
            if "image" in old:
                one["image"] = old["image"]
    was_negative = (as_number(former.get("terminationGracePeriodSeconds")) or 0) < 0
    if was_negative and munged.get("terminationGracePeriodSeconds") == 1:
        munged["terminationGracePeriodSeconds"] = former["terminationGracePeriodSeconds"]
    return munged


def _selected_nodes(munged: Object, former: Object) -> Iterator[Problem]:
    """The allowed additions to a Pod with scheduling gates. They are undone in `munged`."""
    selector, old = as_map(munged.get("nodeSelector")), as_map(former.get("nodeSelector"))
    if any(selector.get(key) != value for key, value in old.items()):
        why = "only additions to spec.nodeSelector are allowed (no mutations or deletions)"
        yield invalid_map("spec.nodeSelector", munged.get("nodeSelector"), why)
    munged.update(_with(munged, "nodeSelector", former.get("nodeSelector")))
    if "nodeSelector" not in former:
        munged.pop("nodeSelector", None)
    nodes, old_nodes = (as_map(side.get("affinity")).get("nodeAffinity") for side in (munged, former))
    if nodes == old_nodes:
        return
    yield from _selected_terms(as_map(nodes).get(REQUIRED), as_map(old_nodes).get(REQUIRED))
    affinity = _with(as_map(munged.get("affinity")), "nodeAffinity", old_nodes)
    if affinity or "affinity" in former:
        munged["affinity"] = affinity
    else:
        munged.pop("affinity", None)


def _selected_terms(new: Any, old: Any) -> Iterator[Problem]:
    """The allowed additions to the required node affinity: expressions of existing terms."""
    at = f"spec.affinity.nodeAffinity.{REQUIRED}.nodeSelectorTerms"
    terms, former = (as_list(as_map(side).get("nodeSelectorTerms")) for side in (new, old))
    if former and len(terms) != len(former):
        why = "no additions/deletions to non-empty NodeSelectorTerms list are allowed"
        yield from printed_invalid(at, "[]NodeSelectorTerm", terms or None, why)
        return
    for index, (one, before) in enumerate(zip(terms, former, strict=False)):
        if not _has_only_additions(as_map(one), as_map(before)):
            why = "only additions are allowed (no mutations or deletions)"
            yield from printed_invalid(f"{at}[{index}]", "NodeSelectorTerm", one, why)


def _has_only_additions(term: Object, former: Object) -> bool:
    """Whether a node selector term begins with all expressions of the former one. An empty one stays empty."""
    fields = ("matchExpressions", "matchFields")
    if not any(former.get(field) for field in fields):
        return not any(term.get(field) for field in fields)
    sides = ((as_list(term.get(field)), as_list(former.get(field))) for field in fields)
    return all(new[: len(old)] == old for new, old in sides)


def claim(content: Object, before: Object) -> Iterator[Problem]:
    """Validate updates of a claim. Only the requests of a bound one may change."""
    bound = get_path(content, "status.phase") == "Bound"
    spec, former = (copied(as_map(side.get("spec"))) for side in (content, before))
    if not former.get("volumeName"):
        former = _with(former, "volumeName", spec.get("volumeName"))
    if former.get("storageClassName") is None:
        spec = _with(spec, "storageClassName", None)
    size = get_path(former, "resources.requests.storage")
    if bound:
        spec = _with(spec, "volumeAttributesClassName", former.get("volumeAttributesClassName"))
        if size is not None:  # for a server, requests that a patch has emptied still exist
            resources = spec["resources"] = {**as_map(spec.get("resources"))}
            resources["requests"] = {**as_map(resources.get("requests")), "storage": size}
    if spec != former:
        changes = difference("PersistentVolumeClaimSpec", former, spec)
        for era, said in CLAIM_FIELDS:
            why = f"spec is immutable after creation except {said} for bound claims"
            yield from era.limit([forbidden("spec", f"{why}\n{changes}")])
    asked, asked_before = (_size(side, "spec.resources.requests.storage") for side in (content, before))
    place = "spec.resources.requests.storage"
    if asked < asked_before:
        yield from CLAIM_SIZE_BEFORE.limit([forbidden(place, "field can not be less than previous value")])
    if asked < asked_before and asked <= _size(before, "status.capacity.storage"):
        yield from CLAIM_SIZE.limit([forbidden(place, "field can not be less than status.capacity")])
    modes = [get_path(side, "spec.volumeMode") for side in (content, before)]
    if modes[0] != modes[1]:
        yield immutable("volumeMode", named(modes[0]))
    yield from _attributes_class(content, before)


def _attributes_class(content: Object, before: Object) -> Iterator[Problem]:
    at = "spec.volumeAttributesClassName"
    new, old = (get_path(side, at) for side in (content, before))
    if new == old:
        return
    is_applied = get_path(before, "status.currentVolumeAttributesClassName") is not None
    yield from disabled_class(at)
    if old is not None and new is None:
        yield from APPLIED_CLASS_BEFORE.limit([removed_class(at)])
    if is_applied and not new:
        kind = "nil" if new is None else "empty string"
        why = f"update to {kind} is forbidden when status.currentVolumeAttributesClassName is not nil"
        yield from APPLIED_CLASS.limit([forbidden(at, why)])


def _size(owner: Object, path: str) -> Decimal:
    """The quantity at a path. Zero if there is none."""
    return amount(get_path(owner, path)) or Decimal(0)
