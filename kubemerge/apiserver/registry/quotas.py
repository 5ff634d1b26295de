"""ResourceQuota and LimitRange."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..defaulting.rules import Computed, Default, Group, TypePosition, When
from ..eras import Era
from ..problems import Printed, Problem, duplicate, forbidden, immutable, invalid, required, typed_shown
from ..unchecked import as_map, as_text, maps
from ..validation import names
from ..validation.eras import QUOTA_SCOPES
from ..validation.values import quantities
from ..warnings.eras import QUOTA
from .record import KindRecord, after_create_check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object
    from ..warnings.eras import DatedWarning

_COMPUTED = frozenset({"cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"})
_OF_PODS = _COMPUTED | {"pods"}
SCOPES: dict[str, frozenset[str]] = {
    "Terminating": _OF_PODS,
    "NotTerminating": _OF_PODS,
    "BestEffort": frozenset({"pods"}),
    "NotBestEffort": _OF_PODS,
    "PriorityClass": _OF_PODS,
    "CrossNamespacePodAffinity": _OF_PODS,
    "VolumeAttributesClass": frozenset({"persistentvolumeclaims", "requests.storage"}),
}
"""The resources that a quota of a scope may limit."""
ONLY_EXISTS = ("BestEffort", "NotBestEffort", "Terminating", "NotTerminating", "CrossNamespacePodAffinity")
PAIRS = (frozenset({"BestEffort", "NotBestEffort"}), frozenset({"Terminating", "NotTerminating"}))
EXISTS = (
    "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, "
    "ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"
)
IN_QUOTAS = quantities.STANDARD - {"storage"}
NEVER = Era(until=-1)
COMPARED = ("cpu", "memory", "storage", "ephemeral-storage")


def quota(content: Object) -> Iterator[Problem]:
    """Validate a ResourceQuota."""
    spec = as_map(content.get("spec"))
    yield from _amounts("spec.hard", spec.get("hard"))
    yield from _scopes(spec)
    if spec.get("scopeSelector") is not None:
        yield from _selected("spec.scopeSelector.matchExpressions", spec)


def _amounts(at: str, amounts: Any) -> Iterator[Problem]:
    for name, much in as_map(amounts).items():
        yield from quantities.resource_name(f"{at}[{name}]", name)
        if "/" not in name and name not in IN_QUOTAS and not quantities.is_huge_pages(name):
            yield invalid(f"{at}[{name}]", quantities.printed_name(name), "must be a standard resource for quota")
        yield from quantities.quantity(f"{at}[{name}]", name, much)


def _unfit(spec: Object, scope: str) -> list[str]:
    """The resources of a quota that its scope cannot limit."""
    standard = [name for name in sorted(as_map(spec.get("hard"))) if name in IN_QUOTAS]
    return [name for name in standard if scope in SCOPES and name not in SCOPES[scope]]


def _scopes(spec: Object) -> Iterator[Problem]:
    scopes = spec.get("scopes")
    listed = list(map(as_text, scopes)) if isinstance(scopes, list) else []
    for scope in listed:
        yield from _era_without(scope).limit([invalid("spec.scopes", listed, "unsupported scope")])
        yield from (
            invalid("spec.scopes", listed, "unsupported scope applied to resource") for _ in _unfit(spec, scope)
        )
    yield from (invalid("spec.scopes", listed, "conflicting scopes") for pair in PAIRS if pair <= set(listed))


def _era_without(scope: str) -> Era:
    """The releases that do not support a scope."""
    return QUOTA_SCOPES.get(scope, NEVER if scope in SCOPES else Era())


def _selected(at: str, spec: Object) -> Iterator[Problem]:
    selector = as_map(spec["scopeSelector"])
    seen: set[str] = set()
    for _, one in maps(selector, "matchExpressions"):
        scope, operator, values = as_text(one.get("scopeName")), as_text(one.get("operator")), one.get("values")
        yield from _era_without(scope).limit([invalid(f"{at}.scopeName", scope, "unsupported scope")])
        for _ in _unfit(spec, scope):
            yield invalid(at, _as_go(selector), "unsupported scope applied to resource")
        if scope in ONLY_EXISTS and operator != "Exists":
            yield invalid(f"{at}.operator", operator, EXISTS)
        if operator in ("In", "NotIn"):
            if not values:
                why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"
                yield required(f"{at}.values", why)
        elif operator in ("Exists", "DoesNotExist"):
            if values:
                why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"
                yield invalid(f"{at}.values", values, why)
        else:
            yield invalid(f"{at}.operator", operator, "not a valid selector operator")
        seen.add(scope)
    yield from (invalid(at, spec.get("scopes"), "conflicting scopes") for pair in PAIRS if pair <= seen)


def _as_go(selector: Object) -> Object:
    names_of = {"ScopeName": "scopeName", "Operator": "operator", "Values": "values"}
    return {
        "MatchExpressions": [
            {name: one.get(field, None if name == "Values" else "") for name, field in names_of.items()}
            for _, one in maps(selector, "matchExpressions")
        ]
    }


def changed_quota(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of a ResourceQuota. Its scopes are immutable."""
    now, then = (as_map(one.get("spec")).get("scopes") or [] for one in (content, before))
    if set(map(as_text, now)) != set(map(as_text, then)):
        yield immutable("spec.scopes", as_map(content.get("spec")).get("scopes"))


def quota_status(content: Object, _: Object) -> Iterator[Problem]:
    """Validate the status of a ResourceQuota."""
    status = as_map(content.get("status"))
    yield from _amounts("status.hard", status.get("hard"))
    yield from _amounts("status.used", status.get("used"))


def quota_warnings(content: Object, before: Object) -> Iterator[DatedWarning]:
    """Warn about requests that may exceed the limits."""
    hard = as_map(as_map(content.get("spec")).get("hard"))
    for resource in COMPARED if not before else ():
        asked = f"requests.{resource}"
        if asked not in hard and resource in ("cpu", "memory"):
            asked = resource
        limited = f"limits.{resource}"
        if asked in hard and limited in hard and quantities.size(hard[asked]) > quantities.size(hard[limited]):
            yield QUOTA(f"ResourceQuota {asked} ({hard[asked]}) should be less than {limited} ({hard[limited]})")


def limit_range(content: Object) -> Iterator[Problem]:
    """Validate a LimitRange."""
    taken: set[str] = set()
    for index, limit in maps(as_map(content.get("spec")), "limits"):
        at, type_ = f"spec.limits[{index}]", as_text(limit.get("type"))
        printed = Printed(typed_shown(type_))
        problems = [invalid(f"{at}.type", printed, why) for why in names.key(type_)]
        yield from problems
        if not problems and "/" not in type_ and type_ not in ("Pod", "Container", "PersistentVolumeClaim"):
            yield invalid(f"{at}.type", printed, "must be a standard limit type or fully qualified")
        if type_ in taken:
            yield duplicate(f"{at}.type", printed)
        taken.add(type_)
        yield from _limit(at, type_, limit)


def _limit(at: str, type_: str, limit: Object) -> Iterator[Problem]:
    fields = ("max", "min", "default", "defaultRequest", "maxLimitRequestRatio")
    amounts = {field: as_map(limit.get(field)) for field in fields}
    for field in fields:
        if field in ("default", "defaultRequest") and type_ == "Pod":
            if amounts[field]:
                yield forbidden(f"{at}.{field}", "may not be specified when `type` is 'Pod'")
            amounts[field] = {}
        bounded = "storage" in amounts["min"] or "storage" in amounts["max"]
        if field == "maxLimitRequestRatio" and type_ == "PersistentVolumeClaim" and not bounded:
            why = "either minimum or maximum storage value is required, but neither was provided"
            yield required(f"{at}.limits", why)
        rule = quantities.container_resource if type_ in ("Pod", "Container") else quantities.resource_name
        for name in amounts[field]:
            yield from rule(f"{at}.{field}[{name}]", name)
    for name in dict.fromkeys(name for field in fields for name in amounts[field]):
        yield from _compared(at, name, {field: amounts[field].get(name) for field in fields})


def _invalid(at: str, value: Any, why: str) -> Problem:
    return invalid(at, quantities.printed_quantity(value, is_printed=True), why)


def _compared(at: str, name: str, of: dict[str, Any]) -> Iterator[Problem]:
    most, least, default, asked, ratio = (of[field] for field in of)

    def above(one: Any, other: Any) -> bool:
        return one is not None and other is not None and quantities.size(one) > quantities.size(other)

    if above(least, most):
        yield _invalid(f"{at}.min[{name}]", least, f"min value {least} is greater than max value {most}")
    where = f"{at}.defaultRequest[{name}]"
    if above(least, asked):
        yield _invalid(where, asked, f"min value {least} is greater than default request value {asked}")
    if above(asked, most):
        yield _invalid(where, asked, f"default request value {asked} is greater than max value {most}")
    if above(asked, default):
        yield _invalid(where, asked, f"default request value {asked} is greater than default limit value {default}")
    if above(least, default):
        yield _invalid(f"{at}.default[{name}]", least, f"min value {least} is greater than default value {default}")
    if above(default, most):
        yield _invalid(f"{at}.default[{name}]", most, f"default value {default} is greater than max value {most}")
    yield from _ratio(f"{at}.maxLimitRequestRatio[{name}]", ratio, least, most)
    is_strict = not quantities.may_be_overcommitted(name)
    if is_strict and None not in (default, asked) and quantities.size(default) != quantities.size(asked):
        yield _invalid(where, asked, f"default value {default} must equal to defaultRequest value {asked} in {name}")


def _ratio(at: str, ratio: Any, least: Any, most: Any) -> Iterator[Problem]:
    if ratio is None:
        return
    if quantities.size(ratio) < 1:
        yield _invalid(at, ratio, f"ratio {ratio} is less than 1")
    if least is None or most is None:
        return
    amounts = ratio, least, most
    parts = 1000 if max(map(quantities.rounded, amounts)) < quantities.MAX_MILLI else 1
    wanted, smallest, largest = (float(quantities.rounded(one, parts)) for one in amounts)
    bound = largest / smallest if smallest else (float("inf") if largest > 0 else float("nan"))
    if wanted / parts > bound:
        yield _invalid(at, ratio, f"ratio {ratio} is greater than max/min = {bound:f}")


def _is(limit: Object) -> bool:
    return limit.get("type") == "Container"


def _defaulted(limit: Object) -> Object:
    return {**as_map(limit.get("max")), **as_map(limit.get("default"))}


def _requested(limit: Object) -> Object:
    return {**as_map(limit.get("min")), **_defaulted(limit), **as_map(limit.get("defaultRequest"))}


_LIMITED = When("type is Container, and max or default is set", lambda limit: _is(limit) and bool(_defaulted(limit)))
_ASKED = When(
    "type is Container, and max, min, default or defaultRequest is set",
    lambda limit: _is(limit) and bool(_requested(limit)),
)
RECORDS = (
    KindRecord(
        group="",
        kind="ResourceQuota",
        versions=("v1",),
        check=quota,
        check_update=after_create_check(quota, changed_quota),
        check_status=quota_status,
        warnings=quota_warnings,
    ),
    KindRecord(
        group="",
        kind="LimitRange",
        versions=("v1",),
        defaults=(
            Group(
                ("LimitRangeItem",),
                "core/v1/defaults.go SetDefaults_LimitRangeItem",
                (
                    Default(
                        "default", Computed("max, for resources without a default", _defaulted), _LIMITED, unset=None
                    ),
                    Default(
                        "defaultRequest",
                        Computed("the default, then min, for resources without a defaultRequest", _requested),
                        _ASKED,
                        unset=None,
                    ),
                ),
            ),
        ),
        places={"LimitRange": (TypePosition("spec.limits[]", "LimitRangeItem"),)},
        check=limit_range,
        named_again=True,
    ),
)
