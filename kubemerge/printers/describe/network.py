"""Describe Services, Ingresses and endpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...apiserver.unchecked import as_list, as_map, get_path
from .page import NONE, UNSET
from .parts import events, go, head, joined, marks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...cluster import Object
    from .page import Page
    from .parts import ClusterView

_MOST = 3
"""Maximum number of endpoints printed."""


def service(page: Page, one: Object, around: ClusterView) -> None:
    """A Service."""
    spec = as_map(one.get("spec"))
    head(page, one)
    page.field("Selector", joined(spec.get("selector")))
    page.field("Type", spec.get("type", ""))
    page.fields(0, {"IP Family Policy": spec.get("ipFamilyPolicy")})
    page.field("IP Families", ",".join(as_list(spec.get("ipFamilies"))) or NONE)
    page.field("IP", spec.get("clusterIP", ""))
    page.field("IPs", ",".join(as_list(spec.get("clusterIPs"))) or NONE)
    page.fields(
        0,
        {
            "External IPs": ",".join(as_list(spec.get("externalIPs"))),
            "Desired LoadBalancer IP": spec.get("loadBalancerIP"),
            "External Name": spec.get("externalName"),
            "LoadBalancer Ingress": ", ".join(map(_address, as_list(get_path(one, "status.loadBalancer.ingress")))),
        },
    )
    slices = _slices(around, one["metadata"].get("namespace"), one["metadata"]["name"])
    for port in as_list(spec.get("ports")):
        _port(page, port, slices)
    page.field("Session Affinity", spec.get("sessionAffinity", ""))
    page.fields(
        0,
        {
            "External Traffic Policy": spec.get("externalTrafficPolicy"),
            "Internal Traffic Policy": spec.get("internalTrafficPolicy"),
            "HealthCheck NodePort": spec.get("healthCheckNodePort") or None,
            "LoadBalancer Source Ranges": ",".join(as_list(spec.get("loadBalancerSourceRanges"))),
            "Traffic Distribution": spec.get("trafficDistribution"),
        },
    )
    events(page, around.events(one))


def _address(one: Object) -> str:
    mode = f" ({one['ipMode']})" if one.get("ipMode") else ""
    return f"{one['ip']}{mode}" if one.get("ip") else str(one.get("hostname", ""))


def _port(page: Page, port: Object, slices: Sequence[Object]) -> None:
    name, protocol = port.get("name") or UNSET, port.get("protocol", "")
    page.line(0, f"Port:\t{name}\t{port.get('port')}/{protocol}")
    page.line(0, f"TargetPort:\t{port.get('targetPort', 0)}/{protocol}")
    page.fields(0, {"AppProtocol": port.get("appProtocol")})
    if port.get("nodePort"):
        page.line(0, f"NodePort:\t{name}\t{port['nodePort']}/{protocol}")
    page.field("Endpoints", endpoints_of(slices, port.get("name") or ""))


def _slices(around: ClusterView, namespace: str | None, name: str) -> list[Object]:
    label = "kubernetes.io/service-name"
    every = around.all("discovery.k8s.io/v1", "EndpointSlice", namespace)
    return [one for one in every if as_map(one["metadata"].get("labels")).get(label) == name]


def endpoints_of(slices: Sequence[Object], name: str) -> str:
    """The endpoints behind a port, only the first few."""
    if not slices:
        return NONE
    known: list[str] = []
    for one in slices:
        ready = [each for each in as_list(one.get("endpoints")) if as_map(each.get("conditions")).get("ready", True)]
        ports = as_list(one.get("ports"))
        if not ports:
            known += [each["addresses"][0] for each in ready]
        for port in ports:
            if (port.get("name") or "") == name:
                known += [_host(each["addresses"][0], port.get("port")) for each in ready]
    more = f" + {len(known) - _MOST} more..." if len(known) > _MOST else ""
    return f"{','.join(known[:_MOST])}{more}"


def _host(address: str, port: Any) -> str:
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


# ---- ingresses -------------------------------------------------------------------------------------------------------


def ingress(page: Page, one: Object, around: ClusterView) -> None:
    """An Ingress."""
    spec, namespace = as_map(one.get("spec")), one["metadata"].get("namespace")
    page.field("Name", one["metadata"]["name"])
    page.labels("Labels", one["metadata"].get("labels"))
    page.field("Namespace", namespace or "")
    addresses = {
        each.get("ip") or each.get("hostname") for each in as_list(get_path(one, "status.loadBalancer.ingress"))
    }
    page.field("Address", ",".join(sorted(filter(None, addresses))))
    page.field("Ingress Class", spec.get("ingressClassName") or NONE)
    otherwise = spec.get("defaultBackend")
    default = "<default>" if otherwise is None else _backend(around, namespace, otherwise)
    page.field("Default backend", default)
    if spec.get("tls"):
        page.line(0, "TLS:")
        for each in spec["tls"]:
            secret, hosts = each.get("secretName"), ",".join(as_list(each.get("hosts")))
            page.line(1, f"{secret} terminates {hosts}" if secret else f"SNI routes {hosts}")
    page.line(0, "Rules:\n  Host\tPath\tBackends")
    page.line(1, "----\t----\t--------")
    rules = [rule for rule in as_list(spec.get("rules")) if rule.get("http")]
    for rule in rules:
        page.line(1, f"{rule.get('host') or '*'}\t")
        for path in as_list(rule["http"].get("paths")):
            page.line(2, f"\t{path.get('path', '')} \t{_backend(around, namespace, path['backend'])}")
    if not rules:
        page.line(1, f"*\t*\t{default}")
    page.annotations("Annotations", one["metadata"].get("annotations"))
    events(page, around.events(one))


def _backend(around: ClusterView, namespace: str | None, backend: Object) -> str:
    wanted = backend.get("service")
    if wanted:
        port = as_map(wanted.get("port"))
        address_text = f"{wanted['name']}:{port.get('number') or port.get('name') or ''}"
        live = around.get("v1", "Service", namespace, wanted["name"])
        if live is None:
            return f'{address_text} (<error: services "{wanted["name"]}" not found>)'
        names = [
            each.get("name") or ""
            for each in as_list(get_path(live, "spec.ports"))
            if (port.get("number") and each.get("port") == port["number"])
            or (port.get("name") and each.get("name") == port["name"])
        ]
        behind = endpoints_of(_slices(around, namespace, wanted["name"]), names[-1] if names else "")
        return f"{address_text} ({behind})"
    other = backend.get("resource")
    if other:
        return f"APIGroup: {other.get('apiGroup') or NONE}, Kind: {other['kind']}, Name: {other['name']}"
    return ""


def ingress_class(page: Page, one: Object, around: ClusterView) -> None:
    """An IngressClass."""
    page.field("Name", one["metadata"]["name"])
    marks(page, one)
    page.field("Controller", get_path(one, "spec.controller") or "")
    parameters = get_path(one, "spec.parameters")
    if parameters:
        page.line(0, "Parameters:")
        page.fields(1, {"APIGroup": parameters.get("apiGroup")})
        page.field("Kind", parameters.get("kind", ""), 1)
        page.field("Name", parameters.get("name", ""), 1)
    events(page, around.events(one))


# ---- endpoints -------------------------------------------------------------------------------------------------------


def endpoints(page: Page, one: Object, around: ClusterView) -> None:
    """Endpoints."""
    head(page, one)
    page.line(0, "Subsets:")
    for subset in as_list(one.get("subsets")):
        for field, title in (("addresses", "Addresses"), ("notReadyAddresses", "NotReadyAddresses")):
            page.field(title, ",".join(each["ip"] for each in as_list(subset.get(field))) or NONE, 1)
        if subset.get("ports"):
            page.line(1, "Ports:")
            rows = ((port.get("name") or UNSET, port["port"], port.get("protocol", "")) for port in subset["ports"])
            page.table(2, ("Name", "Port", "Protocol"), rows)
        page.line(0)
    events(page, around.events(one))


def endpoint_slice(page: Page, one: Object, around: ClusterView) -> None:
    """An EndpointSlice."""
    head(page, one)
    page.field("AddressType", one.get("addressType", ""))
    ports = as_list(one.get("ports"))
    page.line(0, "Ports:" if ports else f"Ports: {UNSET}")
    if ports:
        rows = ((port.get("name") or UNSET, port.get("port", UNSET), port.get("protocol", "")) for port in ports)
        page.table(1, ("Name", "Port", "Protocol"), rows)
    known = as_list(one.get("endpoints"))
    page.line(0, "Endpoints:" if known else f"Endpoints: {NONE}")
    for each in known:
        page.line(1, f"- Addresses:\t{', '.join(as_list(each.get('addresses'))) or NONE}")
        page.line(2, "Conditions:")
        ready = as_map(each.get("conditions")).get("ready")
        page.field("Ready", UNSET if ready is None else go(ready), 3)
        page.field("Hostname", each.get("hostname", UNSET), 2)
        target = each.get("targetRef")
        if target:
            page.field("TargetRef", f"{target.get('kind', '')}/{target.get('name', '')}", 2)
        page.field("NodeName", each.get("nodeName", UNSET), 2)
        page.field("Zone", each.get("zone", UNSET), 2)
    events(page, around.events(one))


# ---- addresses -------------------------------------------------------------------------------------------------------


def service_cidr(page: Page, one: Object, around: ClusterView) -> None:
    """A ServiceCIDR."""
    page.field("Name", one["metadata"]["name"])
    marks(page, one)
    page.field("CIDRs", ", ".join(as_list(get_path(one, "spec.cidrs"))))
    known = as_list(get_path(one, "status.conditions"))
    if known:
        page.line(0, "Status:")
        page.line(0, "Conditions:")
        rows = (
            (
                each.get("type"),
                each.get("status"),
                each.get("lastTransitionTime"),
                each.get("reason"),
                each.get("message"),
            )
            for each in known
        )
        page.table(1, ("Type", "Status", "LastTransitionTime", "Reason", "Message"), rows)
    events(page, around.events(one))


def ip_address(page: Page, one: Object, around: ClusterView) -> None:
    """An IPAddress."""
    page.field("Name", one["metadata"]["name"])
    marks(page, one)
    parent = get_path(one, "spec.parentRef")
    if parent:
        page.line(0, "Parent Reference:")
        for field, title in (
            ("group", "Group"),
            ("resource", "Resource"),
            ("namespace", "Namespace"),
            ("name", "Name"),
        ):
            page.field(title, parent.get(field, ""), 1)
    events(page, around.events(one))
