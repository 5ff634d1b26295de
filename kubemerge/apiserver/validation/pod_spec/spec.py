"""The spec of a Pod, in the order of the server's checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...problems import Problem, duplicate, forbidden, invalid, required, too_long, unsupported
from ...unchecked import as_map, as_number, as_text, maps
from .. import eras, names
from ..declarative import by_table
from ..values import addresses, formats
from ..values.tolerations import tolerations
from . import resources, scheduling, security
from .containers import PodContext, containers, ephemeral_containers, init_containers
from .files import file_references
from .volumes import volumes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ...unchecked import Object

RULES = """
PodSpec restartPolicy string required enum=Always|OnFailure|Never
PodSpec dnsPolicy string required enum=ClusterFirstWithHostNet|ClusterFirst|Default|None
"""
"""The checks of one field."""
PREEMPTION = ("PreemptLowerPriority", "Never")
_MOST = 2**31 - 1


def pod_spec(at: str, spec: Object, *, claimed: Iterable[str] = (), pod: str | None = None) -> Iterator[Problem]:
    """Validate the spec of a Pod. `claimed` are volumes that a StatefulSet adds, `pod` the name of a Pod."""
    grace = as_number(spec.get("terminationGracePeriodSeconds"))
    if grace is None:
        yield required(f"{at}.terminationGracePeriodSeconds")
    usable: dict[str, Object] = {}
    yield from list(volumes(f"{at}.volumes", _all_volumes(spec, claimed), usable, pod or ""))
    pod_context = PodContext(
        usable,
        frozenset(as_text(one.get("name")) for _, one in maps(spec, "resourceClaims")) - {""},
        as_text(spec.get("restartPolicy")),
        grace,
        spec.get("os"),
        spec.get("hostUsers") is not False,
        pod is not None,
    )
    for field, check in _CHECKS:
        if field in spec or field == _ANY:
            yield from check(at, spec, pod_context)


def _shared_processes(at: str, spec: Object) -> Iterator[Problem]:
    """The processes of a node, which a Pod cannot see together with its own."""
    if spec.get("shareProcessNamespace") is True and spec.get("hostPID") is True:
        why = "ShareProcessNamespace and HostPID cannot both be enabled"
        yield from eras.OF_HOST_BEFORE.limit([invalid(f"{at}.securityContext.shareProcessNamespace", True, why)])
        yield from eras.OF_HOST.limit([invalid(f"{at}.shareProcessNamespace", True, why)])


def _all_volumes(spec: Object, claimed: Iterable[str]) -> Object:
    """The volumes of a template after those of claims, which replace others of their name."""
    names_ = list(dict.fromkeys(claimed))
    if not names_:
        return spec
    made = [{"name": name, "persistentVolumeClaim": {"claimName": name}} for name in names_]
    return {"volumes": made + [one for _, one in maps(spec, "volumes") if one.get("name") not in names_]}


def _claims(at: str, spec: Object) -> Iterator[Problem]:
    taken: set[str] = set()
    for index, claim in maps(spec, "resourceClaims"):
        place, name = f"{at}[{index}]", as_text(claim.get("name"))
        if not name:
            yield required(f"{place}.name")
        elif name in taken:
            yield duplicate(f"{place}.name", name)
        else:
            yield from (invalid(f"{place}.name", name, why) for why in names.label(name))
            taken.add(name)
        given = [field for field in ("resourceClaimName", "resourceClaimTemplateName") if claim.get(field) is not None]
        shown = {
            "Name": name,
            "ResourceClaimName": claim.get("resourceClaimName"),
            "ResourceClaimTemplateName": claim.get("resourceClaimTemplateName"),
        }
        if len(given) == 2:
            why = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"
            yield invalid(place, shown, why)
        if not given:
            yield invalid(place, shown, "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`")
        for field in given:
            value = as_text(claim[field])
            yield from (invalid(f"{place}.{field}", value, why) for why in names.subdomain(value))


def _host_network(at: str, spec: Object, pod: PodContext) -> Iterator[Problem]:
    for index, container in maps(spec, "containers") if spec.get("hostNetwork") is True else ():
        for place, port in maps(container, "ports"):
            host, own = as_number(port.get("hostPort")) or 0, as_number(port.get("containerPort")) or 0
            if (pod.is_pod or host) and host != own:
                why = "must match `containerPort` when `hostNetwork` is true"
                yield invalid(f"{at}[{index}].ports[{place}].hostPort", host, why)


def _has_dns(spec: Object) -> bool:
    return "dnsConfig" in spec or spec.get("dnsPolicy") == "None"


def _dns(at: str, spec: Object) -> Iterator[Problem]:
    config = spec.get("dnsConfig")
    found = as_map(config)
    servers, searches = found.get("nameservers") or [], found.get("searches") or []
    if spec.get("dnsPolicy") == "None":
        if config is None:
            yield required(at, "must provide `dnsConfig` when `dnsPolicy` is None")
            return
        if not servers:
            why = "must provide at least one DNS nameserver when `dnsPolicy` is None"
            yield required(f"{at}.nameservers", why)
            return
    if len(servers) > 3:
        yield invalid(f"{at}.nameservers", servers, "must not have more than 3 nameservers")
    for index, one in enumerate(servers):
        yield from addresses.address(f"{at}.nameservers[{index}]", as_text(one))
    if len(searches) > 32:
        yield invalid(f"{at}.searches", searches, "must not have more than 32 search paths")
    if len(" ".join(map(str, searches))) > 2048:
        why = "must not have more than 2048 characters (including spaces) in the search list"
        yield invalid(f"{at}.searches", searches, why)
    for index, one in enumerate(searches):
        name, place = as_text(one).removesuffix("."), f"{at}.searches[{index}]"
        yield from eras.STRICT_SEARCHES.limit(formats.each(place, name, names.subdomain))
        if one != ".":
            yield from eras.SEARCHES.limit(formats.each(place, name, formats.with_underscores))
    for index, option in maps(found, "options"):
        if not option.get("name"):
            yield required(f"{at}.options[{index}]", "must not be empty")


def _host_users(at: str, spec: Object) -> Iterator[Problem]:
    if spec.get("hostUsers") is not False:
        return
    why = "when `hostUsers` is false"
    if spec.get("hostNetwork") is True:
        yield forbidden(f"{at}.hostNetwork", why)
    if spec.get("hostPID") is True:
        yield forbidden(f"{at}.HostPID", why)
    if spec.get("hostIPC") is True:
        yield forbidden(f"{at}.HostIPC", why)
    for field in ("initContainers", "containers", "ephemeralContainers"):
        for index, container in maps(spec, field):
            if container.get("volumeDevices"):
                yield forbidden(f"{at}.{field}[{index}].volumeDevices", why)


def _host_name(at: str, spec: Object) -> Iterator[Problem]:
    name, place = spec.get("hostnameOverride"), f"{at}.hostnameOverride"
    if name is None:
        return
    if spec.get("setHostnameAsFQDN") is True:
        yield forbidden(place, "may not be specified when setHostnameAsFQDN is true")
    if spec.get("hostNetwork") is True:
        yield forbidden(place, "may not be specified when hostNetwork is true")
    if len(as_text(name)) > 64:
        yield too_long(place, 64)
    yield from (invalid(place, name, why) for why in names.subdomain(as_text(name)))


def _names(at: str, spec: Object) -> Iterator[Problem]:
    for field in ("serviceAccountName", "nodeName"):
        name = as_text(spec.get(field))
        yield from (invalid(f"{at}.{field}", name, why) for why in (names.subdomain(name) if name else ()))
    deadline = as_number(spec.get("activeDeadlineSeconds"))
    if deadline is not None:
        place = f"{at}.activeDeadlineSeconds"
        yield from (invalid(place, deadline, why) for why in formats.between(deadline, 1, _MOST))
    for field in ("hostname", "subdomain"):
        name = as_text(spec.get(field))
        yield from (invalid(f"{at}.{field}", name, why) for why in (names.label(name) if name else ()))


def _host_aliases(at: str, spec: Object) -> Iterator[Problem]:
    for index, alias in maps(spec, "hostAliases"):
        yield from addresses.address(f"{at}[{index}].ip", as_text(alias.get("ip")))
        for number_, name in enumerate(alias.get("hostnames") or ()):
            place = f"{at}[{index}].hostnames[{number_}]"
            yield from (invalid(place, name, why) for why in names.subdomain(as_text(name)))


def _classes(at: str, spec: Object) -> Iterator[Problem]:
    for field in ("priorityClassName", "runtimeClassName"):
        name = spec.get(field)
        if name or (field == "runtimeClassName" and name is not None):
            yield from (invalid(f"{at}.{field}", name, why) for why in names.subdomain(as_text(name)))
    policy = spec.get("preemptionPolicy")
    if policy == "":
        yield required(f"{at}.preemptionPolicy")
    elif policy is not None and policy not in PREEMPTION:
        yield unsupported(f"{at}.preemptionPolicy", policy, PREEMPTION)
    overhead = spec.get("overhead")
    if isinstance(overhead, dict):
        yield from resources.requirements(f"{at}.overhead", {"limits": overhead}, frozenset())


_ANY = ""
_CHECKS: tuple[tuple[str, Callable[[str, Object, PodContext], Iterable[Problem]]], ...] = (
    ("resourceClaims", lambda at, spec, _: _claims(f"{at}.resourceClaims", spec)),
    (_ANY, lambda at, spec, pod: containers(f"{at}.containers", spec, pod)),
    ("initContainers", lambda at, spec, pod: init_containers(f"{at}.initContainers", spec, pod)),
    (
        "ephemeralContainers",
        lambda at, spec, pod: ephemeral_containers(f"{at}.ephemeralContainers", spec, pod),
    ),
    ("resources", lambda at, spec, pod: resources.of_pod(f"{at}.resources", spec, pod.claims)),
    ("hostNetwork", lambda at, spec, pod: _host_network(f"{at}.containers", spec, pod)),
    (_ANY, lambda at, spec, _: by_table(RULES, "PodSpec", at, spec)),
    ("nodeSelector", lambda at, spec, _: names.labels(f"{at}.nodeSelector", spec["nodeSelector"])),
    ("securityContext", lambda at, spec, _: security.of_pod(f"{at}.securityContext", spec["securityContext"])),
    ("hostPID", lambda at, spec, _: _shared_processes(at, spec)),
    ("affinity", lambda at, spec, _: scheduling.affinity(f"{at}.affinity", spec["affinity"])),
    (_ANY, lambda at, spec, _: _dns(f"{at}.dnsConfig", spec) if _has_dns(spec) else ()),
    ("readinessGates", lambda at, spec, _: scheduling.readiness_gates(f"{at}.readinessGates", spec)),
    ("schedulingGates", lambda at, spec, _: scheduling.scheduling_gates(f"{at}.schedulingGates", spec)),
    ("topologySpreadConstraints", lambda at, spec, _: scheduling.spreading(f"{at}.topologySpreadConstraints", spec)),
    (_ANY, lambda at, spec, _: security.host_processes(at, spec)),
    ("hostUsers", lambda at, spec, _: _host_users(at, spec)),
    ("hostnameOverride", lambda at, spec, _: _host_name(at, spec)),
    (_ANY, lambda at, spec, _: _names(at, spec)),
    ("tolerations", lambda at, spec, _: tolerations(f"{at}.tolerations", spec)),
    ("hostAliases", lambda at, spec, _: _host_aliases(f"{at}.hostAliases", spec)),
    (_ANY, lambda at, spec, _: _classes(at, spec)),
    ("os", lambda at, spec, _: security.of_system(at, spec)),
    (_ANY, lambda at, spec, _: file_references(at, spec)),
)
"""The checks in the order of a server, each with the field without which it finds nothing."""
