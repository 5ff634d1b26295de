"""Columns of the kinds for networking: services, ingresses, endpoints."""

from __future__ import annotations

from ..cells import network as cells
from ..cells.shared import at, marked_default, pairs, selecting
from .shared import AGE, NAME, Columns, column, wide

NETWORK: Columns = {
    ("", "Endpoints"): (NAME, column("ENDPOINTS", cells.endpoints), AGE),
    ("", "Service"): (
        NAME,
        column("TYPE", "spec.type"),
        column("CLUSTER-IP", "spec.clusterIP"),
        column("EXTERNAL-IP", cells.external),
        column("PORT(S)", cells.ports),
        AGE,
        wide("SELECTOR", pairs("spec.selector")),
    ),
    ("discovery.k8s.io", "EndpointSlice"): (
        NAME,
        column("ADDRESSTYPE", at("addressType", "")),
        column("PORTS", cells.slice_ports),
        column("ENDPOINTS", cells.slice_addresses),
        AGE,
    ),
    ("networking.k8s.io", "IPAddress"): (NAME, column("PARENTREF", cells.parent)),
    ("networking.k8s.io", "Ingress"): (
        NAME,
        column("CLASS", "spec.ingressClassName"),
        column("HOSTS", cells.hosts),
        column("ADDRESS", cells.address),
        column("PORTS", cells.ingress_ports),
        AGE,
    ),
    ("networking.k8s.io", "IngressClass"): (
        column("NAME", marked_default("ingressclass.kubernetes.io/is-default-class")),
        column("CONTROLLER", at("spec.controller", "")),
        column("PARAMETERS", cells.parameters),
        AGE,
    ),
    ("networking.k8s.io", "NetworkPolicy"): (NAME, column("POD-SELECTOR", selecting("spec.podSelector")), AGE),
    ("networking.k8s.io", "ServiceCIDR"): (NAME, column("CIDRS", cells.ranges), AGE),
}
