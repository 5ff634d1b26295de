"""DeviceClass, ResourceClaim and ResourceClaimTemplate. Of CEL expressions, the types are not judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.values.unchecked import a_map, found, maps, number, text

from .....refusals import (
    Later,
    declared_immutable,
    duplicate,
    immutable,
    invalid,
    required,
    unsupported,
)
from ...checks import names
from ...checks.values import expressions, formats, quantities
from ...defaults.rules import ABSENT, ZERO, Default, Group, Place, equals
from ..record import KindRecord
from ..storage.drivers import driver_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.values.unchecked import Object

GROUP = "resource.k8s.io"
VERSIONS = tuple(f"{GROUP}/{version}" for version in ("v1", "v1beta2"))
MODES = ("All", "ExactCount")
EFFECTS = ("NoExecute", "NoSchedule", "None")
OPERATORS = ("Equal", "Exists")
MOST, MOST_ALTERNATIVES, LONGEST_EXPRESSION = 32, 8, 10 * 1024
ONE_KIND = "exactly one of `exactly` or `firstAvailable` is required"
NO_REQUEST = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"
NO_CONSTRAINT = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'


def _too_many(at: str, count: int, most: int) -> str:
    return Later(f"{at}: Too many: {count}: must have at most {most} items")


def _set(at: str, owner: Object, field: str, most: int, judge: Callable[[str, Object], Iterator[str]]) -> Iterator[str]:
    """The problems of a list of things with names."""
    listed = list(maps(owner, field))
    if len(listed) > most:
        yield _too_many(f"{at}.{field}", len(listed), most)
        return
    taken: set[str] = set()
    for index, one in listed:
        yield from judge(f"{at}.{field}[{index}]", one)
        name = text(one.get("name"))
        if name in taken:
            yield Later(duplicate(f"{at}.{field}[{index}]", name))
        taken.add(name)


def claim_spec(at: str, spec: Object) -> Iterator[str]:
    """The problems of what a claim asks for."""
    at, devices = f"{at}.devices", a_map(spec.get("devices"))
    known = _names(devices)
    yield from _set(at, devices, "requests", MOST, _request)
    constraints = list(maps(devices, "constraints"))
    if len(constraints) > MOST:
        yield _too_many(f"{at}.constraints", len(constraints), MOST)
    for index, one in constraints if len(constraints) <= MOST else ():
        yield from _constraint(f"{at}.constraints[{index}]", one, known)
    for index, one in maps(devices, "config"):
        yield from _references(f"{at}.config[{index}].requests", one, known)
        yield from _configuration(f"{at}.config[{index}]", one)


def _names(devices: Object) -> set[str]:
    """The names that a constraint may refer to."""
    known = set()
    for _, request in maps(devices, "requests"):
        name = text(request.get("name"))
        known |= {name, *(f"{name}/{text(one.get('name'))}" for _, one in maps(request, "firstAvailable"))}
    return known


def _request(at: str, request: Object) -> Iterator[str]:
    yield from formats.each(f"{at}.name", request.get("name") or "", names.label)
    exactly, first = request.get("exactly"), request.get("firstAvailable")
    if exactly is None and not first:
        yield required(at, ONE_KIND)
    elif exactly is not None and first:
        yield invalid(at, None, f"{ONE_KIND}, but multiple fields are set")
    elif first:
        yield from _set(at, request, "firstAvailable", MOST_ALTERNATIVES, _alternative)
    else:
        yield from _asked(f"{at}.exactly", a_map(exactly))


def _alternative(at: str, one: Object) -> Iterator[str]:
    yield from formats.each(f"{at}.name", one.get("name") or "", names.label)
    yield from _asked(at, one)


def _asked(at: str, one: Object) -> Iterator[str]:
    name, mode, count = text(one.get("deviceClassName")), text(one.get("allocationMode")), number(one.get("count")) or 0
    if not name:
        yield Later(required(f"{at}.deviceClassName"))
    else:
        yield from formats.each(f"{at}.deviceClassName", name, names.subdomain)
    yield from _selectors(at, one)
    if mode == "All" and count:
        yield invalid(f"{at}.count", count, "must not be specified when allocationMode is 'All'")
    elif mode == "ExactCount" and count <= 0:
        yield invalid(f"{at}.count", count, "must be greater than zero")
    elif mode not in MODES:
        yield Later(unsupported(f"{at}.allocationMode", mode, MODES))
    for index, toleration in maps(one, "tolerations"):
        yield from _toleration(f"{at}.tolerations[{index}]", toleration)


def _selectors(at: str, owner: Object, *, later: bool = True) -> Iterator[str]:
    listed = list(maps(owner, "selectors"))
    if len(listed) > MOST:
        yield _too_many(f"{at}.selectors", len(listed), MOST)
        return
    for index, one in listed:
        place = f"{at}.selectors[{index}].cel"
        expression = text(a_map(one.get("cel")).get("expression"))
        if one.get("cel") is None:
            yield Later(required(place)) if later else required(place)
        elif len(expression.encode()) > LONGEST_EXPRESSION:
            yield f"{place}.expression: {formats.TOO_LONG} {LONGEST_EXPRESSION} bytes"
        else:
            yield from expressions.syntax(f"{place}.expression", expression)


def _toleration(at: str, one: Object) -> Iterator[str]:
    key, operator, value, effect = (text(one.get(field)) for field in ("key", "operator", "value", "effect"))
    if key:
        yield from map(Later, formats.each(f"{at}.key", key, names.key))
    if operator == "Exists" and value:
        yield invalid(f"{at}.value", value, "must be empty for operator `Exists`")
    elif operator == "Equal":
        yield from formats.each(f"{at}.value", value, names.label_value)
    elif not operator:
        yield Later(required(f"{at}.operator"))
    elif operator not in OPERATORS:
        yield Later(unsupported(f"{at}.operator", operator, OPERATORS))
    if effect and effect not in EFFECTS:
        yield Later(unsupported(f"{at}.effect", effect, EFFECTS))


def _references(at: str, owner: Object, known: set[str]) -> Iterator[str]:
    listed = owner.get("requests")
    found_ = [text(one) for one in listed] if isinstance(listed, list) else []
    if len(found_) > MOST:
        yield _too_many(at, len(found_), MOST)
        return
    for index, name in enumerate(found_):
        parts = name.split("/")
        for part in parts if len(parts) <= 2 else ():
            yield from formats.each(f"{at}[{index}]", part, names.label)
        if len(parts) > 2 or name not in known:
            yield invalid(f"{at}[{index}]", name, NO_REQUEST)
    for index, name in enumerate(found_):
        if name in found_[:index]:
            yield Later(duplicate(f"{at}[{index}]", name))


def _constraint(at: str, one: Object, known: set[str]) -> Iterator[str]:
    yield from _references(f"{at}.requests", one, known)
    given = [field for field in ("matchAttribute", "distinctAttribute") if one.get(field) is not None]
    if not given:
        yield required(at, NO_CONSTRAINT)


def _configuration(at: str, one: Object) -> Iterator[str]:
    opaque = one.get("opaque")
    if opaque is None:
        yield required(f"{at}.opaque")
        return
    yield from driver_name(f"{at}.opaque.driver", a_map(opaque).get("driver"), Later)
    parameters = a_map(opaque).get("parameters")
    if parameters is None:
        yield required(f"{at}.opaque.parameters")
    elif not isinstance(parameters, dict):
        yield invalid(f"{at}.opaque.parameters", "<value omitted>", "must be a valid JSON object")


def claim(content: Object) -> Iterator[str]:
    """A claim of devices."""
    return claim_spec("spec", a_map(content.get("spec")))


def changed_claim(content: Object, before: Object) -> Iterator[str]:
    """A claim stays as it is."""
    if content.get("spec") != before.get("spec"):
        yield declared_immutable("spec")


def template(content: Object) -> Iterator[str]:
    """A template of claims."""
    metadata = a_map(found(content, "spec.metadata"))
    yield from names.labels("spec.metadata.labels", metadata.get("labels"))
    yield from names.annotation_keys("spec.metadata.annotations", metadata.get("annotations"))
    yield from claim_spec("spec.spec", a_map(found(content, "spec.spec")))


def changed_template(content: Object, before: Object) -> Iterator[str]:
    """A template stays as it is."""
    if content.get("spec") != before.get("spec"):
        yield immutable("spec", content.get("spec"))


def device_class(content: Object) -> Iterator[str]:
    """A class of devices."""
    spec = a_map(content.get("spec"))
    yield from _selectors("spec", spec, later=False)
    configs = list(maps(spec, "config"))
    if len(configs) > MOST:
        yield _too_many("spec.config", len(configs), MOST)
    for index, one in configs if len(configs) <= MOST else ():
        yield from _configuration(f"spec.config[{index}]", one)
    name = spec.get("extendedResourceName")
    if name is not None and not quantities.is_extended(text(name)):
        yield Later(invalid("spec.extendedResourceName", name, "must be a valid extended resource name"))


_SOURCE = "resource/v1/defaults.go SetDefaults_ExactDeviceRequest, DeviceSubRequest"
_COUNTED = (
    Group(
        ("DeviceRequest",),
        _SOURCE,
        (
            Default("allocationMode", "ExactCount", unset=ABSENT),
            Default("count", 1, equals("allocationMode", "ExactCount"), unset=ZERO),
        ),
    ),
    Group(("DeviceToleration",), "resource/v1/zz_generated.defaults.go", (Default("operator", "Equal"),)),
)


def _places(of: str, at: str) -> dict[str, tuple[Place, ...]]:
    requests = f"{at}.devices?.requests[]"
    exact, first = (
        Place(f"{requests}.exactly?", "DeviceRequest"),
        Place(f"{requests}.firstAvailable[]", "DeviceRequest"),
    )
    return {of: (exact, first), "DeviceRequest": (Place("tolerations[]", "DeviceToleration"),)}


RECORDS = (
    KindRecord(group=GROUP, kind="DeviceClass", versions=VERSIONS, any_prefix=True, check=device_class),
    KindRecord(
        group=GROUP,
        kind="ResourceClaim",
        versions=VERSIONS,
        defaults=_COUNTED,
        places=_places("ResourceClaim", "spec"),
        named_again=True,
        check=claim,
        check_update=changed_claim,
    ),
    KindRecord(
        group=GROUP,
        kind="ResourceClaimTemplate",
        versions=VERSIONS,
        defaults=_COUNTED,
        places=_places("ResourceClaimTemplate", "spec.spec?"),
        check=template,
        check_update=changed_template,
    ),
)
