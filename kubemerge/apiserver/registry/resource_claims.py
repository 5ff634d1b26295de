"""DeviceClass, ResourceClaim and ResourceClaimTemplate."""

from __future__ import annotations

import json
from itertools import chain
from typing import TYPE_CHECKING, Any

from ..defaulting.rules import ABSENT, ZERO, Default, Group, TypePosition, equals
from ..problems import Problem, invalid, required, too_long
from ..unchecked import as_list, as_map, as_number, as_text, get_path, maps
from ..validation import names
from ..validation.declarative import same
from ..validation.eras import ATTRIBUTES, BOTH_REQUESTS, CLAIM_SPEC, CLAIM_SPEC_AGAIN, DEVICE_NAMES_BEFORE
from ..validation.metadata import template as template_metadata
from ..validation.pod_spec.internal_form import printed_invalid
from ..validation.values import compiled, formats
from .csi_drivers import driver_name
from .device_names import each_item, each_text, fully_qualified
from .device_taints import toleration
from .feature_gates import eras_of
from .record import KindRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

GROUP = "resource.k8s.io"
SHARING = "DRAConsumableCapacity"
"""The feature gate of devices that several claims may share."""
VERSIONS = tuple(f"{GROUP}/{version}" for version in ("v1", "v1beta2"))
MOST, MOST_ALTERNATIVES, LONGEST = 32, 8, 10 * 1024
ONE_KIND = "exactly one of `exactly` or `firstAvailable` is required"
NO_REQUEST = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"
NO_CONSTRAINT = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'


def claim_spec(at: str, spec: Object) -> Iterator[Problem]:
    """Validate the spec of a claim."""
    at, devices = f"{at}.devices", as_map(spec.get("devices"))
    known = request_names(devices)
    yield from each_item(at, devices, "requests", MOST, _request)
    constraints, configs = list(maps(devices, "constraints")), list(maps(devices, "config"))
    for index, one in constraints if len(constraints) <= MOST else ():
        yield from _constraint(f"{at}.constraints[{index}]", one, known)
    for index, one in configs if len(configs) <= MOST else ():
        yield from references(f"{at}.config[{index}]", one, known)
        yield from configuration(f"{at}.config[{index}]", one)


def request_names(devices: Object) -> set[str]:
    """Return the names of requests that a constraint may reference."""
    known = set()
    for _, request in maps(devices, "requests"):
        name = as_text(request.get("name"))
        known |= {name, *(f"{name}/{as_text(one.get('name'))}" for _, one in maps(request, "firstAvailable"))}
    return known


def _request(at: str, request: Object) -> Iterator[Problem]:
    yield from formats.each(f"{at}.name", request.get("name") or "", names.label)
    exactly, first = request.get("exactly"), request.get("firstAvailable")
    if exactly is None and not first:
        yield required(at, ONE_KIND)
        return
    content = chain(
        each_item(at, request, "firstAvailable", MOST_ALTERNATIVES, _alternative),
        () if exactly is None else _asked(f"{at}.exactly", as_map(exactly), is_declared=False),
    )
    if exactly is not None and first:
        yield from BOTH_REQUESTS.limit(content)
        yield invalid(at, None, f"{ONE_KIND}, but multiple fields are set")
    else:
        yield from content


def _alternative(at: str, one: Object) -> Iterator[Problem]:
    yield from formats.each(f"{at}.name", one.get("name") or "", names.label)
    yield from _asked(at, one, is_declared=True)


def _asked(at: str, one: Object, *, is_declared: bool) -> Iterator[Problem]:
    """A request of devices. For alternatives, the type declares the format of the class name."""
    name, mode, count = (
        as_text(one.get("deviceClassName")),
        as_text(one.get("allocationMode")),
        as_number(one.get("count")) or 0,
    )
    if not name and not is_declared:
        yield required(f"{at}.deviceClassName")
    elif not is_declared:
        yield from formats.each(f"{at}.deviceClassName", name, names.subdomain)
    yield from selectors(at, one)
    if mode == "All" and count:
        yield invalid(f"{at}.count", count, "must not be specified when allocationMode is 'All'")
    elif mode == "ExactCount" and count <= 0:
        yield invalid(f"{at}.count", count, "must be greater than zero")
    for index, one_ in maps(one, "tolerations"):
        yield from toleration(f"{at}.tolerations[{index}]", one_)


def selectors(at: str, owner: Object) -> Iterator[Problem]:
    """Validate CEL selectors of devices."""
    listed = list(maps(owner, "selectors"))
    for index, one in listed if len(listed) <= MOST else ():
        place = f"{at}.selectors[{index}].cel"
        expression = as_text(as_map(one.get("cel")).get("expression"))
        if one.get("cel") is None:
            yield required(place)
        elif len(expression.encode()) > LONGEST:
            yield too_long(f"{place}.expression", LONGEST)
        else:
            for era, shared in eras_of(SHARING):
                yield from era.limit(compiled.selects_devices(f"{place}.expression", expression, shared=shared))


def references(at: str, owner: Object, known: set[str]) -> Iterator[Problem]:
    """Validate a list of references to requests of the claim."""
    return each_text(at, owner, "requests", MOST, lambda place, name: reference(place, name, known))


def reference(at: str, name: str, known: set[str]) -> Iterator[Problem]:
    """Validate a reference to a request, or to one of its alternatives."""
    parts = name.split("/")
    for part in parts if len(parts) <= 2 else ():
        yield from formats.each(at, part, names.label)
    if len(parts) > 2 or name not in known:
        yield invalid(at, name, NO_REQUEST)


def _constraint(at: str, one: Object, known: set[str]) -> Iterator[Problem]:
    yield from references(at, one, known)
    chosen = next((field for field in ("matchAttribute", "distinctAttribute") if one.get(field) is not None), None)
    if chosen is not None:
        yield from ATTRIBUTES.limit(fully_qualified(f"{at}.{chosen}", as_text(one[chosen])))
    else:
        for era, on in eras_of(SHARING):
            yield from era.limit([required(at, NO_CONSTRAINT) if on else required(f"{at}.matchAttribute")])


def configuration(at: str, one: Object) -> Iterator[Problem]:
    """Validate parameters for a driver."""
    opaque = one.get("opaque")
    if opaque is None:
        yield required(f"{at}.opaque")
        return
    yield from DEVICE_NAMES_BEFORE.limit(driver_name(f"{at}.opaque.driver", as_map(opaque).get("driver")))
    yield from raw_object(f"{at}.opaque.parameters", as_map(opaque).get("parameters"))


def raw_object(at: str, value: Any) -> Iterator[Problem]:
    """Validate a field with any JSON object."""
    if value is None:
        yield required(at)
    elif len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()) > LONGEST:
        yield too_long(at, LONGEST)
    elif not isinstance(value, dict):
        yield invalid(at, "<value omitted>", "must be a valid JSON object")


def claim(content: Object) -> Iterator[Problem]:
    """Validate a ResourceClaim."""
    return claim_spec("spec", as_map(content.get("spec")))


def changed_claim(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of a ResourceClaim. Its spec is immutable."""
    if not same(content.get("spec"), before.get("spec")):
        found = printed_invalid("spec", "ResourceClaimSpec", content.get("spec"), formats.FIELD_IS_IMMUTABLE)
        yield from CLAIM_SPEC.limit(found)
    yield from CLAIM_SPEC_AGAIN.limit(claim(content))


def template(content: Object) -> Iterator[Problem]:
    """Validate a ResourceClaimTemplate."""
    yield from template_metadata("spec.metadata", as_map(get_path(content, "spec.metadata")))
    yield from claim_spec("spec.spec", as_map(get_path(content, "spec.spec")))


def changed_template(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of a ResourceClaimTemplate. Its spec is immutable."""
    yield from template(content)
    if not same(content.get("spec"), before.get("spec")):
        yield from printed_invalid("spec", "ResourceClaimTemplateSpec", content.get("spec"), formats.FIELD_IS_IMMUTABLE)


def device_class(content: Object) -> Iterator[Problem]:
    """Validate a DeviceClass."""
    return changed_class(content, {})


def changed_class(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of a DeviceClass. Unchanged selectors are not compiled again."""
    spec, former = as_map(content.get("spec")), as_map(before.get("spec"))
    if not before or as_list(spec.get("selectors")) != as_list(former.get("selectors")):
        yield from selectors("spec", spec)
    configs = list(maps(spec, "config"))
    for index, one in configs if len(configs) <= MOST else ():
        yield from configuration(f"spec.config[{index}]", one)


def _spec_without(spec: Any) -> Any:
    devices = as_map(as_map(spec).get("devices"))
    if not isinstance(devices.get("requests"), list):
        return spec
    return {**spec, "devices": {**devices, "requests": [_request_without(one) for one in devices["requests"]]}}


def _request_without(request: Any) -> Any:
    if not isinstance(request, dict):
        return request
    made = {field: value for field, value in request.items() if field != "derivedAttributes"}
    if "exactly" in made:
        made["exactly"] = _request_without(made["exactly"])
    if isinstance(made.get("firstAvailable"), list):
        made["firstAvailable"] = [_request_without(one) for one in made["firstAvailable"]]
    return made


def drop_disabled_claim_fields(content: Object, _: Object | None = None) -> Object:
    """Return a claim without disabled fields."""
    return {**content, "spec": _spec_without(content["spec"])} if "spec" in content else content


def drop_disabled_template_fields(content: Object, _: Object | None = None) -> Object:
    """Return a template without disabled fields."""
    spec = content.get("spec")
    if not isinstance(spec, dict) or "spec" not in spec:
        return content
    return {**content, "spec": {**spec, "spec": _spec_without(spec["spec"])}}


_SOURCE = "resource/v1/defaults.go SetDefaults_ExactDeviceRequest, DeviceSubRequest"
COUNTED = (
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


def places(of: str, at: str) -> dict[str, tuple[TypePosition, ...]]:
    """Return the positions of requests in a claim, for defaulting."""
    requests = f"{at}.devices?.requests[]"
    exact, first = (
        TypePosition(f"{requests}.exactly?", "DeviceRequest"),
        TypePosition(f"{requests}.firstAvailable[]", "DeviceRequest"),
    )
    return {of: (exact, first), "DeviceRequest": (TypePosition("tolerations[]", "DeviceToleration"),)}


RECORDS = (
    KindRecord(
        group=GROUP,
        kind="DeviceClass",
        versions=VERSIONS,
        any_prefix=True,
        check=device_class,
        check_update=changed_class,
    ),
    KindRecord(
        group=GROUP,
        kind="ResourceClaimTemplate",
        versions=VERSIONS,
        defaults=COUNTED,
        places=places("ResourceClaimTemplate", "spec.spec?"),
        named_again=True,
        check=template,
        check_update=changed_template,
        created=drop_disabled_template_fields,
        updated=drop_disabled_template_fields,
    ),
)
