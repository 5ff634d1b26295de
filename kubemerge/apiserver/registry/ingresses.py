"""Ingress and IngressClass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..defaulting.rules import Default, Group, given
from ..problems import Problem, forbidden, immutable, invalid, required, too_long, unsupported, unsupported_text
from ..unchecked import as_map, as_number, as_text, get_path, maps
from ..validation import names
from ..validation.eras import REFERENCE, REFERENCE_BEFORE, SERVICE_NAME, SERVICE_NAME_BEFORE
from ..validation.object_names import path_segment
from ..validation.values import addresses, formats
from ..warnings.eras import INGRESS_ANNOTATION
from .record import KindRecord, after_create_check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object
    from ..warnings.eras import DatedWarning

CLASS = "kubernetes.io/ingress.class"
"""The annotation for the class that the field replaced."""
PATH_TYPES = ("Exact", "ImplementationSpecific", "Prefix")
NOT_INSIDE = ("//", "/./", "/../", "%2f", "%2F")
NOT_LAST = ("/..", "/.")
SCOPES = ("Cluster", "Namespace")


def ingress(content: Object) -> Iterator[Problem]:
    """Validate an Ingress."""
    spec = as_map(content.get("spec"))
    rules, default = list(maps(spec, "rules")), spec.get("defaultBackend")
    if not rules and default is None:
        yield invalid("spec", spec.get("rules"), "either `defaultBackend` or `rules` must be specified")
    if default is not None:
        yield from _backend("spec.defaultBackend", as_map(default))
    for index, rule in rules:
        yield from _rule(f"spec.rules[{index}]", rule)
    for index, tls in maps(spec, "tls"):
        hosts = tls.get("hosts")
        for number_, host in enumerate(hosts if isinstance(hosts, list) else ()):
            rule_of = formats.wildcard if "*" in as_text(host) else names.subdomain
            yield from formats.each(f"spec.tls[{index}].hosts[{number_}]", host, rule_of)
        if tls.get("secretName"):
            yield from formats.each(f"spec.tls[{index}].secretName", tls["secretName"], names.subdomain)
    if spec.get("ingressClassName") is not None:
        yield from formats.each("spec.ingressClassName", spec["ingressClassName"], names.subdomain)


def new_ingress(content: Object) -> Iterator[Problem]:
    """Validate a new Ingress. It must not have its class in both the annotation and the field."""
    yield from ingress(content)
    by_note = as_map(get_path(content, "metadata.annotations")).get(CLASS)
    by_field = get_path(content, "spec.ingressClassName")
    if by_note is not None and by_field is not None and by_note != by_field:
        yield invalid(f"annotations.{CLASS}", by_note, "must match `ingressClassName` when both are specified")


def _rule(at: str, rule: Object) -> Iterator[Problem]:
    host = as_text(rule.get("host"))
    if host:
        if addresses.read_address(host) is not None:
            yield invalid(f"{at}.host", host, addresses.NO_DNS_NAME)
        yield from formats.each(f"{at}.host", host, formats.wildcard if "*" in host else names.subdomain)
    if rule.get("http") is None:
        return
    paths = list(maps(as_map(rule["http"]), "paths"))
    if not paths:
        yield required(f"{at}.http.paths")
    for index, path in paths:
        yield from _path(f"{at}.http.paths[{index}]", path)


def _path(at: str, path: Object) -> Iterator[Problem]:
    type_, value = path.get("pathType"), as_text(path.get("path"))
    if type_ is None:
        yield required(f"{at}.pathType", "pathType must be specified")
        return
    if type_ in ("Exact", "Prefix"):
        if not value.startswith("/"):
            yield invalid(f"{at}.path", value, "must be an absolute path")
        if value:
            yield from (invalid(f"{at}.path", value, f"must not contain '{one}'") for one in NOT_INSIDE if one in value)
            ends = (one for one in NOT_LAST if value.endswith(one))
            yield from (invalid(f"{at}.path", value, f"cannot end with '{one}'") for one in ends)
    elif type_ == "ImplementationSpecific":
        if value and not value.startswith("/"):
            yield invalid(f"{at}.path", value, "must be an absolute path")
    else:
        yield unsupported(f"{at}.pathType", type_, PATH_TYPES)
    yield from _backend(f"{at}.backend", as_map(path.get("backend")))


def _backend(at: str, backend: Object) -> Iterator[Problem]:
    service, resource = backend.get("service"), backend.get("resource")
    if service is not None and resource is not None:
        yield invalid(at, "", "cannot set both resource and service backends")
    elif resource is not None:
        yield from _reference(f"{at}.resource", as_map(resource))
    elif service is not None:
        yield from _service(at, as_map(service))
    else:
        yield invalid(at, "", "resource or service backend is required")


def _service(at: str, service: Object) -> Iterator[Problem]:
    if not service.get("name"):
        yield required(f"{at}.service.name")
    else:
        place, name = f"{at}.service.name", service["name"]
        yield from SERVICE_NAME_BEFORE.limit(formats.each(place, name, formats.dns_1035_label))
        yield from SERVICE_NAME.limit(formats.each(place, name, names.label))
    port = as_map(service.get("port"))
    name, wanted = as_text(port.get("name")), as_number(port.get("number")) or 0
    if name and wanted:
        yield invalid(at, "", "cannot set both port name & port number")
    elif name:
        yield from formats.each(f"{at}.service.port.name", name, formats.port_name)
    elif wanted:
        yield from (invalid(f"{at}.service.port.number", wanted, why) for why in formats.port_number(wanted))
    else:
        yield required(at, "port name or number is required")


def _reference(at: str, reference: Object, *, is_declared: bool = False) -> Iterator[Problem]:
    """A reference to an object of any group. kind and name are required, unless the type declares it."""
    if reference.get("apiGroup") is not None:
        yield from formats.each(f"{at}.apiGroup", reference["apiGroup"], names.subdomain)
    for field in ("kind", "name"):
        if not reference.get(field):
            yield from REFERENCE_BEFORE.limit([required(f"{at}.{field}", f"{field} is required")])
            yield from REFERENCE.limit([] if is_declared else [required(f"{at}.{field}")])
        else:
            yield from formats.each(f"{at}.{field}", reference[field], path_segment)


def status(content: Object, _: Object) -> Iterator[Problem]:
    """Validate the addresses in the status of an Ingress."""
    for index, one in maps(as_map(get_path(content, "status.loadBalancer")), "ingress"):
        at = f"status.loadBalancer.ingress[{index}]"
        if one.get("ip"):
            yield from addresses.address(f"{at}.ip", as_text(one["ip"]))
        if one.get("hostname"):
            yield from formats.each(f"{at}.hostname", one["hostname"], names.subdomain)
            if addresses.read_address(as_text(one["hostname"])) is not None:
                yield invalid(f"{at}.hostname", one["hostname"], addresses.NO_DNS_NAME)


def warnings(content: Object, before: Object) -> Iterator[DatedWarning]:
    """Warn about a new Ingress with its class in the annotation."""
    by_note = CLASS in as_map(get_path(content, "metadata.annotations"))
    if not before and by_note and get_path(content, "spec.ingressClassName") is None:
        instead = "please use 'spec.ingressClassName' instead"
        yield INGRESS_ANNOTATION(f'annotation "{CLASS}" is deprecated, {instead}')


def ingress_class(content: Object) -> Iterator[Problem]:
    """Validate an IngressClass."""
    spec = as_map(content.get("spec"))
    controller, parameters = as_text(spec.get("controller")), spec.get("parameters")
    if len(controller.encode()) > 250:
        yield too_long("spec.controller", 250)
    yield from formats.domain_prefixed_path("spec.controller", controller)
    if parameters is not None:
        yield from _parameters("spec.parameters", as_map(parameters))


def _parameters(at: str, parameters: Object) -> Iterator[Problem]:
    yield from _reference(at, parameters, is_declared=True)
    scope, namespace = parameters.get("scope"), parameters.get("namespace")
    if scope is None:
        yield required(f"{at}.scope")
    elif scope not in SCOPES:
        yield unsupported_text(f"{at}.scope", as_text(scope), SCOPES)
    elif scope == "Namespace":
        if namespace is None:
            yield required(f"{at}.namespace", "`parameters.scope` is set to 'Namespace'")
        else:
            yield from formats.each(f"{at}.namespace", namespace, names.label)
    elif namespace is not None:
        yield forbidden(f"{at}.namespace", "`parameters.scope` is set to 'Cluster'")


def changed_class(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of an IngressClass. Its controller is immutable."""
    controller = as_text(get_path(content, "spec.controller"))
    if controller != as_text(get_path(before, "spec.controller")):
        yield immutable("spec.controller", controller)
    yield from ingress_class(content)


RECORDS = (
    KindRecord(
        group="networking.k8s.io",
        kind="Ingress",
        versions=("networking.k8s.io/v1",),
        named_again=True,
        check=new_ingress,
        check_update=after_create_check(ingress),
        check_status=status,
        warnings=warnings,
    ),
    KindRecord(
        group="networking.k8s.io",
        kind="IngressClass",
        versions=("networking.k8s.io/v1", "networking.k8s.io/v1beta1"),
        defaults=(
            Group(
                ("IngressClass",),
                "networking/v1/defaults.go SetDefaults_IngressClass",
                (Default("spec.parameters.scope", "Cluster", given("spec.parameters"), since="1.22", unset=(None,)),),
            ),
        ),
        named_again=True,
        check=ingress_class,
        check_update=changed_class,
    ),
)
