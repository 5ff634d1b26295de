"""Services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..defaulting.allocated import WITH_NODE_PORTS
from ..eras import Era
from ..problems import Problem, duplicate, forbidden, invalid, required, unsupported
from ..unchecked import as_list, as_map, as_number, as_text, maps
from . import names
from .declarative import by_table
from .eras import NO_SAME_ZONE, NODE_PORTS_DRAWN, SAME_ZONE, UNBALANCED, UNBALANCED_BEFORE, WITH_MODE
from .values import formats
from .values.addresses import NO_DNS_NAME, address, assignable_address, network, read_address

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..unchecked import Object

RULES = """
ServicePort protocol string required enum=SCTP|TCP|UDP
ServiceSpec type string required enum=ClusterIP|ExternalName|LoadBalancer|NodePort
ServiceSpec ipFamilyPolicy *string optional enum=PreferDualStack|RequireDualStack|SingleStack
ServiceSpec internalTrafficPolicy *string optional enum=Cluster|Local
ServiceSpec trafficDistribution *string optional enum=PreferClose|PreferSameZone|PreferSameNode
ServiceSpecBefore trafficDistribution *string optional enum=PreferClose
"""
"""The checks of one field."""
AFFINITIES = ("ClientIP", "None")
FAMILIES = ("IPv4", "IPv6")
TRAFFIC = ("Cluster", "Local")
MODES = ("Proxy", "VIP")
WITH_ADDRESS = ("ClusterIP", "NodePort", "LoadBalancer")
LONGEST_AFFINITY = 86400
RANGES = "service.beta.kubernetes.io/load-balancer-source-ranges"
HINTS, MODE = "service.kubernetes.io/topology-aware-hints", "service.kubernetes.io/topology-mode"
MAY_NOT_CHANGE = "may not change once set"


def service(content: Object, before: Object | None = None) -> Iterator[Problem]:
    """Validate a new or updated Service."""
    spec, old = as_map(content.get("spec")), as_map((before or {}).get("spec"))
    annotations = as_map(as_map(content.get("metadata")).get("annotations"))
    type_, ports = as_text(spec.get("type")), list(maps(spec, "ports"))
    if {HINTS, MODE} <= annotations.keys() and annotations[HINTS] != annotations[MODE]:
        why = f"must match annotations[{HINTS}] when both are specified"
        yield invalid(f"metadata.annotations[{MODE}]", annotations[MODE], why)
    if not ports and not is_headless(spec) and type_ != "ExternalName":
        yield required("spec.ports")
    if type_ in WITH_NODE_PORTS and is_headless(spec):
        yield invalid("spec.clusterIPs[0]", "None", f"may not be set to 'None' for {type_} services")
    if type_ == "ExternalName":
        yield from _external(spec)
    yield from _ports(ports)
    yield from names.labels("spec.selector", spec.get("selector"))
    yield from _affinity(spec)
    yield from addresses(spec, old)
    for index, one in enumerate(as_list(spec.get("externalIPs"))):
        if one not in as_list(old.get("externalIPs")):
            yield from _external_address(f"spec.externalIPs[{index}]", as_text(one))
    yield from by_table(RULES, "ServiceSpec", "spec", spec, "type")
    yield from _node_ports(type_, ports)
    yield from _twice(ports)
    yield from _ranges(spec, old, annotations, as_map(as_map((before or {}).get("metadata")).get("annotations")))
    if spec.get("allocateLoadBalancerNodePorts") is not None and type_ != "LoadBalancer":
        yield forbidden("spec.allocateLoadBalancerNodePorts", "may only be used when `type` is 'LoadBalancer'")
    yield from _class(spec)
    yield from _traffic(spec)
    if type_ == "LoadBalancer" and _has_mixed_protocols(spec) and not _has_mixed_protocols(old):
        why = "may not contain more than 1 protocol when type is 'LoadBalancer'"
        yield from ONE_PROTOCOL.limit([invalid("spec.ports", spec["ports"], why)])


ONE_PROTOCOL = Era(until=23)
"""The releases in which the feature gate MixedProtocolLBService is off."""


def _has_mixed_protocols(spec: Object) -> bool:
    return len({one.get("protocol") for _, one in maps(spec, "ports")}) > 1


def is_headless(spec: Object) -> bool:
    """Whether a Service is headless."""
    addresses = as_list(spec.get("clusterIPs")) or [spec.get("clusterIP")]
    return bool(addresses == ["None"])


def _external(spec: Object) -> Iterator[Problem]:
    for field in ("clusterIPs", "ipFamilies", "ipFamilyPolicy"):
        if spec.get(field) or (field == "clusterIPs" and spec.get("clusterIP")):
            yield forbidden(f"spec.{field}", "may not be set for ExternalName services")
    name = as_text(spec.get("externalName")).removesuffix(".")
    if not name:
        yield required("spec.externalName")
    else:
        yield from (invalid("spec.externalName", name, why) for why in names.subdomain(name))


def _ports(ports: list[tuple[int, Object]]) -> Iterator[Problem]:
    taken: set[str] = set()
    for index, port in ports:
        at, name = f"spec.ports[{index}]", as_text(port.get("name"))
        if not name and len(ports) > 1:
            yield required(f"{at}.name")
        elif name:
            yield from (invalid(f"{at}.name", name, why) for why in names.label(name))
            if name in taken:
                yield duplicate(f"{at}.name", name)
            taken.add(name)
        wanted = as_number(port.get("port")) or 0
        yield from (invalid(f"{at}.port", wanted, why) for why in formats.port_number(wanted))
        yield from by_table(RULES, "ServicePort", at, port)
        yield from formats.port(f"{at}.targetPort", port.get("targetPort"))
        application = port.get("appProtocol")
        if application is not None:
            yield from (invalid(f"{at}.appProtocol", application, why) for why in names.key(as_text(application)))


def _affinity(spec: Object) -> Iterator[Problem]:
    affinity, config, at = spec.get("sessionAffinity"), spec.get("sessionAffinityConfig"), "spec.sessionAffinityConfig"
    if not affinity:
        yield required("spec.sessionAffinity")
    elif affinity not in AFFINITIES:
        yield unsupported("spec.sessionAffinity", affinity, AFFINITIES)
    if affinity == "None" and config is not None:
        yield forbidden(at, "must not be set when session affinity is None")
    if affinity != "ClientIP":
        return
    seconds = as_number(as_map(as_map(config).get("clientIP")).get("timeoutSeconds"))
    if seconds is not None and not 0 < seconds <= LONGEST_AFFINITY:  # since 1.8, it has a default
        why = f"must be greater than 0 and less than {LONGEST_AFFINITY}"
        yield invalid(f"{at}.clientIP.timeoutSeconds", seconds, why)


def addresses(spec: Object, old: Object) -> Iterator[Problem]:
    """Validate cluster IPs and IP families."""
    if spec.get("type") == "ExternalName":
        return
    first, given = spec.get("clusterIP"), as_list(spec.get("clusterIPs"))
    families = as_list(spec.get("ipFamilies"))
    if first and given and given[0] != first:
        yield invalid("spec.clusterIPs", given, "first value must match `clusterIP`")
    if given and not first:
        yield invalid("spec.clusterIPs", given, "must be empty when `clusterIP` is not specified")
    yield from _families(families)
    yield from by_table(RULES, "ServiceSpec", "spec", spec, "ipFamilyPolicy")
    given = given or ([first] if first else [])
    problems = list(_each_address(given, as_list(old.get("clusterIPs"))))
    yield from problems
    if len(given) > 2:
        yield invalid("spec.clusterIPs", given, "may only hold up to 2 values")
    if any("may only" not in one for one in problems):
        return
    if len(given) > 1 and len({":" in str(one) for one in given}) == 1:
        yield invalid("spec.clusterIPs", given, "may specify no more than one IP for each IP family")
    for index, (one, family) in enumerate(zip(given, families, strict=False) if not is_headless(spec) else ()):
        if family in FAMILIES and (":" in str(one)) is not (family == "IPv6"):
            why = f"expected an {family} value as indicated by `ipFamilies[{index}]`"
            yield invalid(f"spec.clusterIPs[{index}]", one, why)


def _families(families: list[Any]) -> Iterator[Problem]:
    for index, family in enumerate(families):
        if family not in FAMILIES:
            yield unsupported(f"spec.ipFamilies[{index}]", family, FAMILIES)
        if family in families[:index]:
            yield duplicate(f"spec.ipFamilies[{index}]", family)


def _each_address(given: list[Any], known: list[Any]) -> Iterator[Problem]:
    for index, one in enumerate(given):
        if index == 0 and one == "None":
            if len(given) > 1:
                yield invalid("spec.clusterIPs", given, "'None' must be the first and only value")
        elif one not in known:
            yield from address(f"spec.clusterIPs[{index}]", as_text(one))


def _external_address(at: str, value: str) -> Iterator[Problem]:
    yield from list(address(at, value)) or assignable_address(at, value)


def _node_ports(type_: str, ports: list[tuple[int, Object]]) -> Iterator[Problem]:
    why = "may not be used when `type` is 'ClusterIP'"
    for index, port in ports if type_ == "ClusterIP" else ():
        if port.get("nodePort"):
            yield forbidden(f"spec.ports[{index}].nodePort", why)


def _twice(ports: list[tuple[int, Object]]) -> Iterator[Problem]:
    taken: dict[tuple[str, int], Any] = {}
    for field in ("nodePort", "port"):
        taken.clear()
        for index, port in ports:
            key = as_text(port.get("protocol")), as_number(port.get(field)) or 0
            if field == "nodePort" and not key[1]:
                continue
            if key in taken and field == "nodePort":
                found = [duplicate(f"spec.ports[{index}].nodePort", key[1])]
                yield from NODE_PORTS_DRAWN.limit(found) if taken[key] == port.get("port") else found
            elif key in taken:
                shown = {"Name": "", "Protocol": key[0], "AppProtocol": None, "Port": key[1], "TargetPort": 0}
                yield duplicate(f"spec.ports[{index}]", {**shown, "NodePort": 0})
            taken[key] = port.get("port")


def _ranges(spec: Object, old: Object, annotations: Object, former: Object) -> Iterator[Problem]:
    given, why = spec.get("loadBalancerSourceRanges") or [], "may only be used when `type` is 'LoadBalancer'"
    outside = spec.get("type") != "LoadBalancer"
    if given:
        known = [as_text(one).strip() for one in old.get("loadBalancerSourceRanges") or ()]
        if outside:
            yield forbidden("spec.LoadBalancerSourceRanges", why)
        for index, one in enumerate(given):
            if as_text(one).strip() not in known:
                yield from network(f"spec.LoadBalancerSourceRanges[{index}]", as_text(one).strip())
    elif RANGES in annotations:
        at, value = f"metadata.annotations[{RANGES}]", as_text(annotations[RANGES]).strip()
        if outside:
            yield forbidden(at, why)
        if former.get(RANGES) != annotations[RANGES] and value:
            for one in value.split(","):
                yield from network(at, one.strip())


def _class(spec: Object) -> Iterator[Problem]:
    name = spec.get("loadBalancerClass")
    if name is None:
        return
    if spec.get("type") == "LoadBalancer":
        yield from (invalid("spec.loadBalancerClass", name, why) for why in names.key(as_text(name)))
    else:
        yield forbidden("spec.loadBalancerClass", "may only be used when `type` is 'LoadBalancer'")


def is_checked(spec: Object) -> bool:
    """Whether a load balancer needs a health check node port."""
    return spec.get("type") == "LoadBalancer" and spec.get("externalTrafficPolicy") == "Local"


def _traffic(spec: Object) -> Iterator[Problem]:
    """Traffic policies. Fields may be left over from another type."""
    type_, outer = spec.get("type"), spec.get("externalTrafficPolicy")
    outside = type_ in WITH_NODE_PORTS or (type_ == "ClusterIP" and spec.get("externalIPs"))
    if outer and not outside:
        yield invalid("spec.externalTrafficPolicy", outer, "may only be set for externally-accessible services")
    elif outside and outer and outer not in TRAFFIC:
        yield unsupported("spec.externalTrafficPolicy", outer, TRAFFIC)
    checked = as_number(spec.get("healthCheckNodePort")) or 0
    if checked and not is_checked(spec):
        why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
        yield invalid("spec.healthCheckNodePort", checked, why)
    elif checked:
        yield from (invalid("spec.healthCheckNodePort", checked, why) for why in formats.port_number(checked))
    yield from by_table(RULES, "ServiceSpec", "spec", spec, "internalTrafficPolicy")
    yield from NO_SAME_ZONE.limit(by_table(RULES, "ServiceSpecBefore", "spec", spec))
    yield from SAME_ZONE.limit(by_table(RULES, "ServiceSpec", "spec", spec, "trafficDistribution"))


# ---- changes ---------------------------------------------------------------------------------------------------------


def replaced(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of a Service."""
    spec, former = as_map(content.get("spec")), as_map(before.get("spec"))
    if all((one.get("type") or "ClusterIP") in WITH_ADDRESS for one in (spec, former)):
        if not (is_headless(spec) and is_headless(former)):
            yield from _changed_addresses(_listed(spec), _listed(former), spec)
        if not is_headless(spec) and not is_headless(former):
            yield from _changed_families(spec, former)
    both = [one.get("type") == "LoadBalancer" for one in (spec, former)]
    if all(both) and spec.get("loadBalancerClass") != former.get("loadBalancerClass"):
        yield invalid("spec.loadBalancerClass", spec.get("loadBalancerClass"), MAY_NOT_CHANGE)
    if is_checked(spec) and is_checked(former):
        old = former.get("healthCheckNodePort")
        if old and spec.get("healthCheckNodePort") != old:
            yield forbidden("spec.healthCheckNodePort", "field is immutable")
    yield from service(content, before)


def _listed(spec: Object) -> list[Any]:
    first = spec.get("clusterIP")
    return as_list(spec.get("clusterIPs")) or ([first] if first else [])


def _changed_addresses(now: list[Any], then: list[Any], spec: Object) -> Iterator[Problem]:
    at = "spec.clusterIPs"
    if len(now) == len(then):
        for index, (one, old) in enumerate(zip(now, then, strict=True)):
            if one != old:
                yield invalid(f"{at}[{index}]", now, MAY_NOT_CHANGE)
    elif then and not now:
        yield invalid(f"{at}[0]", None, "primary clusterIP can not be unset")
    elif then and now[0] != then[0]:
        yield invalid(f"{at}[0]", now, MAY_NOT_CHANGE)
    if len(then) > len(now) == 1 and spec.get("ipFamilyPolicy") != "SingleStack":
        why = "must be set to 'SingleStack' when releasing the secondary clusterIP"
        yield invalid("spec.ipFamilyPolicy", spec.get("ipFamilyPolicy"), why)


def _changed_families(spec: Object, former: Object) -> Iterator[Problem]:
    now, then = as_list(spec.get("ipFamilies")), as_list(former.get("ipFamilies"))
    if len(now) == len(then):
        yield from (
            invalid("spec.ipFamilies[0]", now, MAY_NOT_CHANGE) for one, old in zip(now, then, strict=True) if one != old
        )
    elif now and then and now[0] != then[0]:
        yield invalid("spec.ipFamilies[0]", spec.get("clusterIPs"), MAY_NOT_CHANGE)
    if len(then) > len(now) == 1 and spec.get("ipFamilyPolicy") != "SingleStack":
        why = "must be set to 'SingleStack' when releasing the secondary ipFamily"
        yield invalid("spec.ipFamilyPolicy", spec.get("ipFamilyPolicy"), why)


def status(content: Object, before: Object) -> Iterator[Problem]:
    """Validate the status of a Service."""
    at, spec = "status.loadBalancer.ingress", as_map(before.get("spec"))
    balanced, old = (as_map(as_map(side.get("status")).get("loadBalancer")) for side in (content, before))
    known = [one.get("ip") for _, one in maps(old, "ingress")]
    found = _ingresses(at, maps(balanced, "ingress"), known)
    if spec.get("type") == "LoadBalancer":
        yield from found
    elif any(maps(balanced, "ingress")):
        yield from UNBALANCED.limit([forbidden(at, "may only be used when `spec.type` is 'LoadBalancer'")])
        yield from UNBALANCED_BEFORE.limit(found)


def _ingresses(at: str, every: Iterable[tuple[int, Object]], known: list[Any]) -> Iterator[Problem]:
    for index, one in every:
        place, ip, mode = f"{at}[{index}]", one.get("ip"), one.get("ipMode")
        if ip and ip not in known:
            yield from address(f"{place}.ip", as_text(ip))
        if mode is None and ip:
            yield from WITH_MODE.limit([required(f"{place}.ipMode", "must be specified when `ip` is set")])
        elif mode is not None and not ip:
            yield forbidden(f"{place}.ipMode", "may not be specified when `ip` is not set")
        elif mode is not None and mode not in MODES:
            yield unsupported(f"{place}.ipMode", mode, MODES)
        host = as_text(one.get("hostname"))
        yield from (invalid(f"{place}.hostname", host, why) for why in (names.subdomain(host) if host else ()))
        if read_address(host) is not None:
            yield invalid(f"{place}.hostname", host, NO_DNS_NAME)
