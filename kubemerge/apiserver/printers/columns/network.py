"""Columns of network kinds: Services, Ingresses, endpoints."""

from __future__ import annotations

from ..cells import network as cells
from ..cells.shared import at, marked_default, pairs, selecting
from .shared import AGE, NAME, Columns, column, names, wide

NETWORK: Columns = {
    ("", "Endpoints"): (NAME, column("Endpoints", cells.endpoints), AGE),
    ("", "Service"): (
        NAME,
        column("Type", "spec.type"),
        column("Cluster-IP", "spec.clusterIP"),
        column("External-IP", cells.external),
        column("Port(s)", cells.ports),
        AGE,
        wide("Selector", pairs("spec.selector")),
    ),
    ("discovery.k8s.io", "EndpointSlice"): (
        NAME,
        column("AddressType", at("addressType", "")),
        column("Ports", cells.slice_ports),
        column("Endpoints", cells.slice_addresses),
        AGE,
    ),
    ("networking.k8s.io", "IPAddress"): (NAME, column("ParentRef", cells.parent)),
    ("networking.k8s.io", "Ingress"): (
        NAME,
        column("Class", "spec.ingressClassName"),
        column("Hosts", cells.hosts),
        column("Address", cells.address),
        column("Ports", cells.ingress_ports),
        AGE,
    ),
    ("networking.k8s.io", "IngressClass"): (
        names(marked_default("ingressclass.kubernetes.io/is-default-class")),
        column("Controller", at("spec.controller", "")),
        column("Parameters", cells.parameters),
        AGE,
    ),
    ("networking.k8s.io", "NetworkPolicy"): (NAME, column("Pod-Selector", selecting("spec.podSelector")), AGE),
    ("networking.k8s.io", "ServiceCIDR"): (NAME, column("CIDRs", cells.ranges), AGE),
}
