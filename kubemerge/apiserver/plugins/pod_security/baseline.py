"""The checks of the baseline level. Each returns one violation, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...unchecked import as_map, as_text, get_path, maps
from .violations import (
    Violation,
    all_containers,
    context,
    contexts,
    has_own_users,
    listed,
    named,
    plural,
    quoted,
    violators,
)

if TYPE_CHECKING:
    from ...protocol import Object

CAPABILITIES = frozenset(
    (
        *("AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE"),
        *("SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT"),
    )
)
SYSCTLS: dict[str, int] = {
    "kernel.shm_rmid_forced": 0,
    "net.ipv4.ip_local_port_range": 0,
    "net.ipv4.tcp_syncookies": 0,
    "net.ipv4.ping_group_range": 0,
    "net.ipv4.ip_unprivileged_port_start": 0,
    "net.ipv4.ip_local_reserved_ports": 27,
    "net.ipv4.tcp_keepalive_time": 29,
    "net.ipv4.tcp_fin_timeout": 29,
    "net.ipv4.tcp_keepalive_intvl": 29,
    "net.ipv4.tcp_keepalive_probes": 29,
    "net.ipv4.tcp_rmem": 32,
    "net.ipv4.tcp_wmem": 32,
    "net.ipv4.tcp_slow_start_after_idle": 37,
    "net.ipv4.tcp_notsent_lowat": 37,
}
"""Safe sysctls, with the first minor release of the policy that allows each."""
SELINUX_TYPES = {"": 0, "container_t": 0, "container_init_t": 0, "container_kvm_t": 0, "container_engine_t": 31}
PROFILES = ("RuntimeDefault", "Localhost")
APPARMOR = "container.apparmor.security.beta.kubernetes.io/"
SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod"
SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/"


def app_armor(metadata: Object, spec: Object, _: int) -> Violation | None:
    """Disabled AppArmor profiles."""

    def kind(one: Object) -> str | None:
        profile = one.get("appArmorProfile")
        return as_text(profile.get("type")) if isinstance(profile, dict) else None

    def is_bad(one: Object) -> bool:
        return kind(one) not in (None, *PROFILES)

    setters, values = violators(spec, is_bad), sorted({as_text(kind(one)) for one in contexts(spec) if is_bad(one)})
    notes = as_map(metadata.get("annotations"))
    bad = sorted(f'{key}="{value}"' for key, value in notes.items() if key.startswith(APPARMOR) and _unconfined(value))
    if bad:
        setters, values = [*setters, plural("annotation", "annotations", bad)], [*values, *bad]
    if not setters:
        return None
    reason = plural("forbidden AppArmor profile", "forbidden AppArmor profiles", values)
    return Violation(reason, f"{' and '.join(setters)} must not set AppArmor profile type to {quoted(values)}")


def _unconfined(value: Any) -> bool:
    said = as_text(value)
    return said not in ("", "runtime/default") and not said.startswith("localhost/")


def capabilities(_: Object, spec: Object, __: int) -> Violation | None:
    """Capabilities outside of the default set."""
    bad, added = [], set()
    for one in all_containers(spec):
        more = {as_text(name) for name in listed(get_path(context(one), "capabilities.add"))} - CAPABILITIES
        if more:
            bad.append(as_text(one.get("name")))
            added |= more
    if not bad:
        return None
    return Violation(
        "non-default capabilities",
        f"{named(bad)} must not include {quoted(sorted(added))} in securityContext.capabilities.add",
    )


def host_namespaces(_: Object, spec: Object, __: int) -> Violation | None:
    """Host namespaces."""
    used = [f"{field}=true" for field in ("hostNetwork", "hostPID", "hostIPC") if spec.get(field) is True]
    return Violation("host namespaces", ", ".join(used)) if used else None


def host_paths(_: Object, spec: Object, __: int) -> Violation | None:
    """hostPath volumes."""
    used = [as_text(one.get("name")) for _, one in maps(spec, "volumes") if one.get("hostPath") is not None]
    return Violation("hostPath volumes", f"{plural('volume', 'volumes', used)} {quoted(used)}") if used else None


def host_ports(_: Object, spec: Object, __: int) -> Violation | None:
    """Host ports."""
    bad, ports = [], set()
    for one in all_containers(spec):
        used = {str(port["hostPort"]) for _, port in maps(one, "ports") if port.get("hostPort")}
        if used:
            bad.append(as_text(one.get("name")))
            ports |= used
    if not bad:
        return None
    numbers = sorted(ports)
    used_by = f"{named(bad)} {plural('uses', 'use', bad)}"
    return Violation("hostPort", f"{used_by} {plural('hostPort', 'hostPorts', numbers)} {', '.join(numbers)}")


_PROBES = ("livenessProbe", "readinessProbe", "startupProbe", "lifecycle.postStart", "lifecycle.preStop")


def hosts(_: Object, spec: Object, __: int) -> Violation | None:
    """Probes and lifecycle hooks with a host."""
    bad: set[str] = set()
    called: set[str] = set()
    for one in all_containers(spec):
        probes = [as_map(get_path(one, path)) for path in _PROBES]
        own = {as_text(get_path(probe, f"{way}.host")) for probe in probes for way in ("httpGet", "tcpSocket")} - {""}
        if own:
            bad.add(as_text(one.get("name")))
            called |= own
    if not bad:
        return None
    containers, names = sorted(bad), sorted(called)
    what = plural("probe or lifecycle host", "probe or lifecycle hosts", names)
    detail = f"{named(containers)} {plural('uses', 'use', containers)} {what} {quoted(names)}"
    return Violation("probe or lifecycle host", detail)


def privileged(_: Object, spec: Object, __: int) -> Violation | None:
    """Privileged containers."""
    bad = [as_text(one.get("name")) for one in all_containers(spec) if context(one).get("privileged") is True]
    return Violation("privileged", f"{named(bad)} must not set securityContext.privileged=true") if bad else None


def proc_mount(_: Object, spec: Object, minor: int) -> Violation | None:
    """A procMount other than the default."""
    return None if minor >= 35 and has_own_users(spec) else any_proc_mount(spec)


def any_proc_mount(spec: Object) -> Violation | None:
    """A procMount other than the default, also in Pods with user namespaces."""
    bad, values = [], set()
    for one in all_containers(spec):
        value = context(one).get("procMount")
        if value not in (None, "Default"):
            bad.append(as_text(one.get("name")))
            values.add(as_text(value))
    if not bad:
        return None
    return Violation("procMount", f"{named(bad)} must not set securityContext.procMount to {quoted(sorted(values))}")


def se_linux(_: Object, spec: Object, minor: int) -> Violation | None:
    """SELinux options outside of the allowed set."""
    types = {name for name, since in SELINUX_TYPES.items() if minor >= since}

    def options(one: Object) -> Object:
        return as_map(one.get("seLinuxOptions"))

    def is_bad(one: Object) -> bool:
        its = options(one)
        return as_text(its.get("type")) not in types or bool(its.get("user")) or bool(its.get("role"))

    setters = violators(spec, is_bad)
    if not setters:
        return None
    every = [options(one) for one in contexts(spec)]
    bad = sorted({as_text(one.get("type")) for one in every} - types)
    data = [f"{plural('type', 'types', bad)} {quoted(bad)}"] if bad else []
    data += [f"{field} may not be set" for field in ("user", "role") if any(one.get(field) for one in every)]
    said = f"{' and '.join(setters)} set forbidden securityContext.seLinuxOptions: {'; '.join(data)}"
    return Violation("seLinuxOptions", said)


def seccomp_type(one: Object) -> str | None:
    """Return the type of a context's seccomp profile, or None."""
    profile = one.get("seccompProfile")
    return as_text(profile.get("type")) if isinstance(profile, dict) else None


def seccomp(metadata: Object, spec: Object, minor: int) -> Violation | None:
    """Unconfined seccomp profiles. Old policies use annotations."""
    if minor < 19:
        return _seccomp_annotations(as_map(metadata.get("annotations")), spec)

    def is_bad(one: Object) -> bool:
        return seccomp_type(one) not in (None, *PROFILES)

    setters = violators(spec, is_bad)
    if not setters:
        return None
    values = sorted({as_text(seccomp_type(one)) for one in contexts(spec) if is_bad(one)})
    said = f"{' and '.join(setters)} must not set securityContext.seccompProfile.type to {quoted(values)}"
    return Violation("seccompProfile", said)


def _seccomp_annotations(notes: Object, spec: Object) -> Violation | None:
    keys = [SECCOMP_POD, *(f"{SECCOMP_CONTAINER}{as_text(one.get('name'))}" for one in all_containers(spec))]
    bad = sorted({f'{key}="{notes[key]}"' for key in keys if key in notes and _unknown_profile(notes[key])})
    if not bad:
        return None
    return Violation("seccompProfile", f"forbidden {plural('annotation', 'annotations', bad)} {', '.join(bad)}")


def _unknown_profile(value: Any) -> bool:
    said = as_text(value)
    return said not in ("runtime/default", "docker/default") and not said.startswith("localhost/")


def sysctls(_: Object, spec: Object, minor: int) -> Violation | None:
    """Unsafe sysctls."""
    given = [as_text(one.get("name")) for _, one in maps(context(spec), "sysctls")]
    bad = [name for name in given if minor < SYSCTLS.get(name, 10**6)]
    return Violation("forbidden sysctls", ", ".join(bad)) if bad else None


def host_process(_: Object, spec: Object, __: int) -> Violation | None:
    """Windows host processes."""
    setters = violators(spec, lambda one: get_path(one, "windowsOptions.hostProcess") is True)
    if not setters:
        return None
    said = f"{' and '.join(setters)} must not set securityContext.windowsOptions.hostProcess=true"
    return Violation("hostProcess", said)
