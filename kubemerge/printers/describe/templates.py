"""Describe containers and pod templates."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

from ...apiserver.unchecked import as_list, as_map, get_path
from .page import NONE, Page
from .parts import go, selector, time, truth
from .volumes import volumes

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...cluster import Object

    Resolved = Callable[[Object], str]


def template(page: Page, value: Any) -> None:
    """The pod template."""
    metadata, spec = as_map(as_map(value).get("metadata")), as_map(as_map(value).get("spec"))
    page.line(0, "Pod Template:")
    page.labels("  Labels", metadata.get("labels"))
    if metadata.get("annotations"):
        page.annotations("  Annotations", metadata["annotations"])
    page.fields(1, {"Service Account": spec.get("serviceAccountName")})
    if spec.get("initContainers"):
        containers(page, "Init Containers", spec["initContainers"], space="  ")
    containers(page, "Containers", spec.get("containers"), space="  ")
    volumes(page, spec.get("volumes"), "  ")
    spread(page, spec, "  ")
    page.fields(1, {"Priority Class Name": spec.get("priorityClassName")})
    page.labels("  Node-Selectors", spec.get("nodeSelector"))
    tolerations(page, "  Tolerations", spec.get("tolerations"))


def spread(page: Page, spec: Object, space: str) -> None:
    """Add the topology spread constraints."""
    known = sorted(as_list(spec.get("topologySpreadConstraints")), key=lambda one: str(one.get("topologyKey")))
    for index, one in enumerate(known):
        page.add(0, f"{space}\t" if index else f"{space}Topology Spread Constraints:\t")
        page.add(
            0, f"{one.get('topologyKey')}:{one.get('whenUnsatisfiable')} when max skew {one.get('maxSkew')} is exceeded"
        )
        labels = one.get("labelSelector")
        page.line(0, f" for selector {selector(labels) or NONE}" if labels is not None else "")


def tolerations(page: Page, title: str, listed: Any) -> None:
    """The tolerations, one on each line."""
    known = sorted(as_list(listed), key=lambda one: str(one.get("key", "")))
    page.several(title, map(_toleration, known))


def _toleration(one: Object) -> str:
    key, value, effect = (one.get(field) or "" for field in ("key", "value", "effect"))
    text = f"{key}{f'={value}' if value else ''}{f':{effect}' if effect else ''}"
    if one.get("operator") == "Exists" and not value:
        text += " op=Exists" if key or effect else "op=Exists"
    seconds = one.get("tolerationSeconds")
    return text if seconds is None else f"{text} for {seconds}s"


# ---- containers ------------------------------------------------------------------------------------------------------


def containers(
    page: Page, title: str, listed: Any, statuses: Any = (), resolved: Resolved | None = None, space: str = ""
) -> None:
    """Add containers, with their status as far as it is known."""
    known = as_list(listed)
    by_name = {one.get("name"): one for one in as_list(statuses)}
    page.line(0, f"{space}{title}:{'' if known else f' {NONE}'}")
    for one in known:
        status = by_name.get(one.get("name"))
        page.line(1, f"{' ' if space else ''}{one.get('name', '')}:")
        _basics(page, one, status)
        _words(page, one)
        if status is not None:
            _state(page, status)
        resources(page, as_map(one.get("resources")), 2)
        for field, name in (
            ("livenessProbe", "Liveness"),
            ("readinessProbe", "Readiness"),
            ("startupProbe", "Startup"),
        ):
            if one.get(field):
                page.field(name, _probe(one[field]), 2)
        _environment(page, one, resolved)
        _mounts(page, one)


def _basics(page: Page, one: Object, status: Object | None) -> None:
    if status is not None:
        page.field("Container ID", status.get("containerID", ""), 2)
    page.field("Image", one.get("image", ""), 2)
    if status is not None:
        page.field("Image ID", status.get("imageID", ""), 2)
    for field, title in (("containerPort", "Port"), ("hostPort", "Host Port")):
        ports = ", ".join(_port(port, field) for port in as_list(one.get("ports")))
        page.field(f"{title}s" if "," in ports else title, ports or NONE, 2)
    profile = get_path(one, "securityContext.seccompProfile")
    if profile:
        page.field("SeccompProfile", profile.get("type", ""), 2)
        if profile.get("type") == "Localhost":
            page.field("LocalhostProfile", profile.get("localhostProfile", ""), 3)


def _port(port: Object, field: str) -> str:
    name = f" ({port['name']})" if port.get("name") else ""
    return f"{port.get(field, 0)}/{port.get('protocol', '')}{name}"


def _words(page: Page, one: Object) -> None:
    for field, title in (("command", "Command"), ("args", "Args")):
        if one.get(field):
            page.line(2, f"{title}:")
            for word in one[field]:
                for line in str(word).split("\n"):
                    page.line(3, line)


def _state(page: Page, status: Object) -> None:
    _one_state(page, "State", as_map(status.get("state")))
    if get_path(status, "lastState.terminated"):
        _one_state(page, "Last State", status["lastState"])
    page.field("Ready", truth(status.get("ready")), 2)
    page.field("Restart Count", status.get("restartCount", 0), 2)


def _one_state(page: Page, title: str, state: Object) -> None:
    if state.get("running") is not None:
        page.field(title, "Running", 2)
        page.field("Started", time(state["running"].get("startedAt")), 3)
    elif state.get("terminated") is not None:
        ended = state["terminated"]
        page.field(title, "Terminated", 2)
        page.fields(3, {"Reason": ended.get("reason"), "Message": ended.get("message")})
        page.field("Exit Code", ended.get("exitCode", 0), 3)
        page.fields(3, {"Signal": ended.get("signal")})
        page.field("Started", time(ended.get("startedAt")), 3)
        page.field("Finished", time(ended.get("finishedAt")), 3)
    else:
        page.field(title, "Waiting", 2)
        page.fields(3, {"Reason": as_map(state.get("waiting")).get("reason")})


def resources(page: Page, value: Object, level: int) -> None:
    """Limits and requests."""
    for field, title in (("limits", "Limits"), ("requests", "Requests")):
        if value.get(field):
            page.line(level, f"{title}:")
            for name, amount in sorted(value[field].items()):
                page.field(name, amount, level + 1)


def _probe(probe: Object) -> str:
    how = (
        f"delay={probe.get('initialDelaySeconds', 0)}s timeout={probe.get('timeoutSeconds', 0)}s "
        f"period={probe.get('periodSeconds', 0)}s successThreshold={probe.get('successThreshold', 0)} "
        f"failureThreshold={probe.get('failureThreshold', 0)}"
    )
    if probe.get("exec") is not None:
        return f"exec {go(as_list(probe['exec'].get('command')))} {how}"
    if probe.get("httpGet") is not None:
        return f"http-get {_address(probe['httpGet'])} {how}"
    if probe.get("tcpSocket") is not None:
        socket = probe["tcpSocket"]
        return f"tcp-socket {socket.get('host', '')}:{socket.get('port', '')} {how}"
    if probe.get("grpc") is not None:
        return f"grpc <pod>:{probe['grpc'].get('port', 0)} {probe['grpc'].get('service') or ''} {how}"
    return f"unknown {how}"


def _address(get: Object) -> str:
    from urllib.parse import quote

    path = str(get.get("path", ""))
    rooted = path if path.startswith("/") or not path else f"/{path}"
    scheme = str(get.get("scheme", "")).lower()
    place = quote(rooted, safe="/:@!$&+,;=~")
    return f"{scheme}{':' if scheme else ''}//{get.get('host', '')}:{get.get('port', 0)}{place}"


def _environment(page: Page, one: Object, resolved: Resolved | None) -> None:
    if one.get("envFrom"):
        page.line(2, "Environment Variables from:")
        for source in one["envFrom"]:
            kind, given = (
                ("ConfigMap", source.get("configMapRef"))
                if "configMapRef" in source
                else ("Secret", source.get("secretRef"))
            )
            prefix = f" with prefix '{source['prefix']}'" if source.get("prefix") else ""
            given = as_map(given)
            page.line(3, f"{given.get('name', '')}\t{kind}{prefix}\tOptional: {go(given.get('optional', False))}")
    known = as_list(one.get("env"))
    page.line(2, "Environment:" if known else f"Environment:\t{NONE}")
    for variable in known:
        _variable(page, one, variable, resolved)


def _variable(page: Page, container: Object, variable: Object, resolved: Resolved | None) -> None:
    name, source = variable["name"], variable.get("valueFrom")
    if source is None:
        for index, line in enumerate(str(variable.get("value", "")).split("\n")):
            page.line(3, f"\t{line}" if index else f"{name}:\t{line}")
    elif source.get("fieldRef"):
        field = source["fieldRef"]
        value = resolved(variable) if resolved else ""
        page.line(3, f"{name}:\t{value} ({field.get('apiVersion', 'v1')}:{field.get('fieldPath', '')})")
    elif source.get("resourceFieldRef"):
        asked = source["resourceFieldRef"].get("resource", "")
        page.line(3, f"{name}:\t{_amount(container, source['resourceFieldRef'])} ({asked})")
    else:
        for field, words in (("secretKeyRef", "in secret"), ("configMapKeyRef", "of config map")):
            key = source.get(field)
            if key:
                optional = go(key.get("optional", False))
                source_text = f"<set to the key '{key.get('key', '')}' {words} '{key.get('name', '')}'>"
                page.line(3, f"{name}:\t{source_text}\tOptional: {optional}")
                return


def _amount(container: Object, asked: Object) -> str:
    """A container's amount of a resource, in the requested units, rounded up."""
    from engine.values.quantities import amount

    field, _, name = str(asked.get("resource", "")).partition(".")
    value = amount(as_map(get_path(container, f"resources.{field}")).get(name, 0))
    if not value:
        return "node allocatable" if field == "limits" and name in ("cpu", "memory") else "0"
    return str(ceil(value / (amount(asked.get("divisor") or 1) or 1)))


def _mounts(page: Page, one: Object) -> None:
    mounts = sorted(as_list(one.get("volumeMounts")), key=lambda mount: str(mount.get("mountPath")))
    page.line(2, "Mounts:" if mounts else f"Mounts:\t{NONE}")
    for mount in mounts:
        flags = ["ro" if mount.get("readOnly") else "rw"]
        flags += [f'path="{mount["subPath"]}"'] if mount.get("subPath") else []
        page.line(3, f"{mount['mountPath']} from {mount['name']} ({','.join(flags)})")
    if one.get("volumeDevices"):
        page.line(2, "Devices:" if mounts else f"Devices:\t{NONE}")
        for device in sorted(one["volumeDevices"], key=lambda device: str(device.get("devicePath"))):
            page.line(3, f"{device['devicePath']} from {device['name']}")
