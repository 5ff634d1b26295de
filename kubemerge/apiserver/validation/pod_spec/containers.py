"""Containers, init containers and ephemeral containers of a Pod."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ...problems import Problem, duplicate, forbidden, invalid, not_found, required, too_many, unsupported
from ...registry.feature_gates import RESTART_RULES, eras_of
from ...unchecked import as_map, as_number, as_text, maps
from .. import eras, names
from ..declarative import by_table
from ..values import formats
from . import handlers, resources, security
from .environment import env, env_from
from .mounts import devices, mounts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...unchecked import Object

RULES = """
Container image string required
Container terminationMessagePolicy string required enum=File|FallbackToLogsOnError
Container imagePullPolicy string required enum=Always|IfNotPresent|Never
ContainerPort protocol string required enum=SCTP|TCP|UDP
"""
"""The checks of one field."""
RESTARTS = ("Always", "Never", "OnFailure")
ACTIONS = ("Restart", "RestartAllContainers")
PROBES = {"livenessProbe": "liveness", "readinessProbe": "readiness", "startupProbe": "startup"}
MOST_RULES, MOST_CODES = 20, 255
"""The maximum numbers of restart rules, and of exit codes in one."""
NOT_EPHEMERAL = "cannot be set for an Ephemeral Container"
EPHEMERAL_LACK = (
    "ports",
    "resources",
    "resizePolicy",
    "restartPolicy",
    "restartPolicyRules",
    "livenessProbe",
    "readinessProbe",
    "startupProbe",
    "lifecycle",
)


class PodContext(NamedTuple):
    """The context of a container in its Pod."""

    volumes: dict[str, Object]
    claims: frozenset[str]
    restart: str
    grace: int | None
    os: Any
    host_users: bool
    is_pod: bool
    """False in a template."""


def containers(at: str, spec: Object, pod_context: PodContext) -> Iterator[Problem]:
    """Validate the containers of a Pod."""
    if not spec.get("containers"):
        yield required(at)
        return
    taken: set[str] = set()
    for index, one in maps(spec, "containers"):
        place, name = f"{at}[{index}]", as_text(one.get("name"))
        first = list(_common(place, one, pod_context))
        if name in taken:
            first.append(duplicate(f"{place}.name", name))
        taken.add(name)
        yield from _in_order(place, first, list(_running(place, one, pod_context)))
        yield from _restart_policy(place, one)
        if one.get("restartPolicy") is not None:
            why = "may not be set for non-init containers"
            yield from eras.NOT_OF_CONTAINERS.limit([forbidden(f"{place}.restartPolicy", why)])
    yield from _host_ports(at, [one for _, one in maps(spec, "containers")])


def _in_order(at: str, first: list[Problem], running: list[Problem]) -> Iterator[Problem]:
    """The problems of a container. Until 1.24, a server checks its probes and hooks after its name and image."""
    if first and running:
        names = (f"{at}.name", f"{at}.image")
        yield from eras.PROBES_EARLY.limit([one for one in first if one.path in names])
        yield from eras.PROBES_EARLY.limit([*running, *(one for one in first if one.path not in names)])
        yield from eras.PROBES_LAST.limit([*first, *running])
    else:
        yield from (*first, *running)


def init_containers(at: str, spec: Object, pod_context: PodContext) -> Iterator[Problem]:
    """Validate init containers."""
    taken = {as_text(one.get("name")) for _, one in maps(spec, "containers")}
    for index, one in maps(spec, "initContainers"):
        place, name = f"{at}[{index}]", as_text(one.get("name"))
        yield from _common(place, one, pod_context)
        if one.get("restartPolicy") is None and one.get("restartPolicyRules"):
            yield required(f"{place}.restartPolicy", "must specify restartPolicy when restart rules are used")
        elif one.get("restartPolicy") is not None:
            yield from _restart_policy(place, one, init=True)
        if name in taken:
            yield duplicate(f"{place}.name", name)
        elif name:
            taken.add(name)
        yield from _host_ports(at, [one])
        if one.get("restartPolicy") == "Always":
            if one.get("restartPolicyRules"):
                why = "restartPolicyRules are not allowed for init containers with restart policy Always"
                yield from eras.RULES_OF_SIDECARS.limit([forbidden(f"{place}.restartPolicyRules", why)])
            yield from _running(place, one, pod_context)
            continue
        yield from eras.NOT_OF_INIT_EARLY.limit(_running(place, one, pod_context))
        for field in ("lifecycle", "livenessProbe", "readinessProbe", "startupProbe"):
            if one.get(field) is not None:
                yield from _not_of_init(f"{place}.{field}", one[field])
        for number_, policy in maps(one, "resizePolicy"):
            if policy.get("restartPolicy") == "RestartContainer":
                why = "must not be set to 'RestartContainer' for non-sidecar initContainers"
                yield invalid(f"{place}.resizePolicy[{number_}].restartPolicy", "RestartContainer", why)


def _not_of_init(at: str, value: Any) -> Iterator[Problem]:
    yield from eras.NOT_OF_INIT_EARLY.limit([invalid(at, value, "must not be set for init containers")])
    yield from eras.NOT_OF_INIT_BEFORE.limit([forbidden(at, "may not be set for init containers")])
    why = "may not be set for init containers without restartPolicy=Always"
    yield from eras.NOT_OF_INIT.limit([forbidden(at, why)])


def ephemeral_containers(at: str, spec: Object, pod_context: PodContext) -> Iterator[Problem]:
    """Validate ephemeral containers."""
    others = {as_text(one.get("name")) for field in ("containers", "initContainers") for _, one in maps(spec, field)}
    taken = set(others)
    for index, one in maps(spec, "ephemeralContainers"):
        place, name, target = f"{at}[{index}]", as_text(one.get("name")), as_text(one.get("targetContainerName"))
        yield from _common(place, one, pod_context)
        yield from image_without_spaces(place, one)
        if name in taken:
            yield duplicate(f"{place}.name", name)
        taken.add(name)
        if target and target not in others:
            yield not_found(f"{place}.targetContainerName", target)
        yield from (forbidden(f"{place}.{field}", NOT_EPHEMERAL) for field in EPHEMERAL_LACK if _is_set(one, field))
        for number_, mount in maps(one, "volumeMounts"):
            for field in ("subPath", "subPathExpr"):
                if mount.get(field):
                    yield forbidden(f"{place}.volumeMounts[{number_}].{field}", NOT_EPHEMERAL)


def _is_set(container: Object, field: str) -> bool:
    """Whether a field differs from that of a container without it. Only resources are always there."""
    value = container.get(field)
    return bool(value) if field == "resources" else value is not None


def image_without_spaces(at: str, one: Object) -> Iterator[Problem]:
    """Reject an image with surrounding spaces, in Pods but not in templates."""
    image = as_text(one.get("image"))
    if image.strip() != image:
        yield invalid(f"{at}.image", image, "must not have leading or trailing whitespace")


def _common(at: str, one: Object, pod_context: PodContext) -> Iterator[Problem]:
    name = as_text(one.get("name"))
    if not name:
        yield required(f"{at}.name")
    else:
        yield from (invalid(f"{at}.name", name, why) for why in names.label(name))
    yield from by_table(RULES, "Container", at, one, "image", "terminationMessagePolicy")
    if "ports" in one:
        yield from _ports(f"{at}.ports", one)
    if "env" in one:
        yield from env(f"{at}.env", one)
    if "envFrom" in one:
        yield from env_from(f"{at}.envFrom", one)
    if "volumeMounts" in one:
        yield from mounts(f"{at}.volumeMounts", one, pod_context.volumes)
    if "volumeDevices" in one:
        yield from devices(f"{at}.volumeDevices", one, pod_context.volumes)
    yield from by_table(RULES, "Container", at, one, "imagePullPolicy")
    if one.get("resources"):
        yield from resources.requirements(f"{at}.resources", one["resources"], pod_context.claims)
    if "resizePolicy" in one:
        yield from _resizing(f"{at}.resizePolicy", one, pod_context.restart)
    if "securityContext" in one:
        yield from security.of_container(
            f"{at}.securityContext", one["securityContext"], host_users=pod_context.host_users
        )


def _running(at: str, one: Object, pod_context: PodContext) -> Iterator[Problem]:
    if "lifecycle" in one:
        yield from handlers.lifecycle(f"{at}.lifecycle", one["lifecycle"], pod_context.grace, pod_context.os)
    for field, kind in PROBES.items():
        if field in one:
            yield from handlers.probe(f"{at}.{field}", one[field], pod_context.grace, kind)


def _ports(at: str, one: Object) -> Iterator[Problem]:
    taken: set[str] = set()
    for index, port in maps(one, "ports"):
        place, name = f"{at}[{index}]", as_text(port.get("name"))
        if name:
            problems = [invalid(f"{place}.name", name, why) for why in formats.port_name(name)]
            if not problems and name in taken:
                problems = [duplicate(f"{place}.name", name)]
            yield from problems
            taken.add(name)
        wanted = as_number(port.get("containerPort")) or 0
        if not wanted:
            yield required(f"{place}.containerPort")
        else:
            yield from (invalid(f"{place}.containerPort", wanted, why) for why in formats.port_number(wanted))
        host = as_number(port.get("hostPort")) or 0
        if host:
            yield from (invalid(f"{place}.hostPort", host, why) for why in formats.port_number(host))
        yield from by_table(RULES, "ContainerPort", place, port)


def _host_ports(at: str, every: list[Object]) -> Iterator[Problem]:
    taken: set[str] = set()
    for index, one in enumerate(every):
        for place, port in maps(one, "ports"):
            host = as_number(port.get("hostPort")) or 0
            if not host:
                continue
            shown = f"{as_text(port.get('protocol'))}/{as_text(port.get('hostIP'))}/{host}"
            if shown in taken:
                yield duplicate(f"{at}[{index}].ports[{place}].hostPort", shown)
            taken.add(shown)


def _resizing(at: str, one: Object, restart: str) -> Iterator[Problem]:
    taken: set[str] = set()
    for index, policy in maps(one, "resizePolicy"):
        name, how = as_text(policy.get("resourceName")), as_text(policy.get("restartPolicy"))
        if name in taken:
            yield duplicate(f"{at}[{index}]", name)
        taken.add(name)
        for value, allowed in ((name, ("cpu", "memory")), (how, ("NotRequired", "RestartContainer"))):
            if not value:
                yield required(at)
            elif value not in allowed:
                yield unsupported(at, value, allowed)
        if restart == "Never" and how != "NotRequired":
            yield invalid(at, how, "must be 'NotRequired' when pod `restartPolicy` is 'Never'")


def _restart_policy(at: str, one: Object, *, init: bool = False) -> Iterator[Problem]:
    """Validate a restart policy. While the gate of restart rules is off, only init containers have one."""
    for era, has_rules in eras_of(RESTART_RULES):
        if has_rules:
            yield from era.limit(_restart_rules(at, one))
        elif init and one["restartPolicy"] != "Always":
            yield from era.limit([unsupported(f"{at}.restartPolicy", one["restartPolicy"], ("Always",))])


def _restart_rules(at: str, one: Object) -> Iterator[Problem]:
    policy, rules = one.get("restartPolicy"), list(maps(one, "restartPolicyRules"))
    if policy is None and rules:
        yield required(f"{at}.restartPolicy", "must specify restartPolicy when restart rules are used")
    elif policy is not None and policy not in RESTARTS:
        yield unsupported(f"{at}.restartPolicy", policy, RESTARTS)
    if len(rules) > MOST_RULES:
        yield too_many(f"{at}.restartPolicyRules", len(rules), MOST_RULES)
    for index, rule in rules:
        place, codes = f"{at}.restartPolicyRules[{index}]", rule.get("exitCodes")
        for era, actions in ((eras.ONE_ACTION, ACTIONS[:1]), (eras.ACTIONS, ACTIONS)):
            if rule.get("action") not in actions:
                yield from era.limit([unsupported(f"{place}.action", rule.get("action") or "", actions)])
        if not isinstance(codes, dict):
            yield required(f"{place}.exitCodes", "must be specified")
        elif as_map(codes).get("operator") not in ("In", "NotIn"):
            yield unsupported(f"{place}.exitCodes.operator", codes.get("operator") or "", ("In", "NotIn"))
        if len(listed := as_map(codes).get("values") or ()) > MOST_CODES:
            yield too_many(f"{place}.exitCodes.values", len(listed), MOST_CODES)
