"""Security contexts of Pods and containers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ...problems import Problem, duplicate, forbidden, invalid, required, unsupported
from ...unchecked import as_map, as_text, maps
from .. import eras, names
from ..values import formats
from .files import descending
from .internal_form import printed_invalid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...unchecked import Object

SECCOMP = ("Localhost", "RuntimeDefault", "Unconfined")
PROC_MOUNTS = ("Default", "Unmasked")
SYSCTL_PART = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
_SYSCTL, _DOTTED_SYSCTL = (rf"({SYSCTL_PART}{sign})*{SYSCTL_PART}" for sign in (r"[\./]", r"\."))
SYSCTL_SHAPE = "must have at most 253 characters and match regex"
CHOICES = {
    "fsGroupChangePolicy": ("Always", "OnRootMismatch"),
    "supplementalGroupsPolicy": ("Merge", "Strict"),
    "seLinuxChangePolicy": ("MountOption", "Recursive"),
}
_ON_WINDOWS = {
    "pod": [
        "appArmorProfile",
        "seLinuxOptions",
        "seccompProfile",
        "fsGroup",
        "fsGroupChangePolicy",
        "sysctls",
        "runAsUser",
        "runAsGroup",
        "supplementalGroups",
        "supplementalGroupsPolicy",
        "seLinuxChangePolicy",
    ],
    "container": [
        "appArmorProfile",
        "seLinuxOptions",
        "seccompProfile",
        "capabilities",
        "readOnlyRootFilesystem",
        "privileged",
        "allowPrivilegeEscalation",
        "procMount",
        "runAsUser",
        "runAsGroup",
    ],
}
"""The fields forbidden in a Windows Pod."""


def of_pod(at: str, context: Any) -> Iterator[Problem]:
    """Validate the security context of a Pod."""
    if not context or not isinstance(context, dict):
        return
    for field in ("fsGroup", "runAsUser", "runAsGroup"):
        yield from formats.user_id(f"{at}.{field}", context.get(field))
    for index, group in enumerate(context.get("supplementalGroups") or ()):
        yield from formats.user_id(f"{at}.supplementalGroups[{index}]", group)
    yield from _sysctls(f"{at}.sysctls", context)
    yield from _choice(at, context, "fsGroupChangePolicy")
    yield from _profiles(at, context)
    yield from _choice(at, context, "supplementalGroupsPolicy")
    yield from eras.MOUNT_OPTION.limit(_choice(at, context, "seLinuxChangePolicy"))
    policy = context.get("seLinuxChangePolicy")
    if policy is not None and policy != "Recursive":
        yield from eras.MOUNT_OPTION_BEFORE.limit([unsupported(f"{at}.seLinuxChangePolicy", policy, ("Recursive",))])


def _choice(at: str, context: Object, field: str) -> Iterator[Problem]:
    if context.get(field) is not None and context[field] not in CHOICES[field]:
        yield unsupported(f"{at}.{field}", context[field], CHOICES[field])


def _sysctls(at: str, context: Object) -> Iterator[Problem]:
    taken: set[str] = set()
    for index, one in maps(context, "sysctls"):
        name, place = as_text(one.get("name")), f"{at}[{index}].name"
        if not name:
            yield required(place)
        elif len(name) > 253 or not re.fullmatch(_SYSCTL, name):
            yield from eras.SYSCTLS.limit([invalid(place, name, f"{SYSCTL_SHAPE} ^{_SYSCTL}$")])
            yield from eras.DOTTED_SYSCTLS.limit([invalid(place, name, f"{SYSCTL_SHAPE} {_DOTTED_SYSCTL}")])
        elif "/" in name:
            yield from eras.DOTTED_SYSCTLS.limit([invalid(place, name, f"{SYSCTL_SHAPE} {_DOTTED_SYSCTL}")])
        elif name in taken:
            yield duplicate(place, name)
        taken.add(name)


def _profiles(at: str, context: Object) -> Iterator[Problem]:
    yield from _seccomp(f"{at}.seccompProfile", context.get("seccompProfile"))
    yield from _windows(f"{at}.windowsOptions", context.get("windowsOptions"))
    yield from _app_armor(f"{at}.appArmorProfile", context.get("appArmorProfile"))


def of_container(at: str, context: Any, *, host_users: bool) -> Iterator[Problem]:
    """Validate the security context of a container."""
    if not isinstance(context, dict):
        return
    yield from formats.user_id(f"{at}.runAsUser", context.get("runAsUser"))
    yield from formats.user_id(f"{at}.runAsGroup", context.get("runAsGroup"))
    mount = context.get("procMount")
    if mount is not None and mount not in PROC_MOUNTS:
        yield unsupported(f"{at}.procMount", mount, PROC_MOUNTS)
    if mount == "Unmasked" and host_users:
        yield invalid(f"{at}.procMount", mount, "`hostUsers` must be false to use `Unmasked`")
    yield from _seccomp(f"{at}.seccompProfile", context.get("seccompProfile"))
    if context.get("allowPrivilegeEscalation") is False:
        if context.get("privileged") is True:
            why = "cannot set `allowPrivilegeEscalation` to false and `privileged` to true"
            yield from printed_invalid(at, "SecurityContext", context, why)
        if "CAP_SYS_ADMIN" in (as_map(context.get("capabilities")).get("add") or ()):
            why = "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN"
            yield from printed_invalid(at, "SecurityContext", context, why)
    yield from _windows(f"{at}.windowsOptions", context.get("windowsOptions"))
    yield from _app_armor(f"{at}.appArmorProfile", context.get("appArmorProfile"))


def _seccomp(at: str, profile: Any) -> Iterator[Problem]:
    if not isinstance(profile, dict):
        return
    type_, local = profile.get("type"), profile.get("localhostProfile")
    if not type_:
        yield required(f"{at}.type", "type is required when seccompProfile is set")
    elif type_ not in SECCOMP:
        yield unsupported(f"{at}.type", type_, SECCOMP)
    if type_ != "Localhost":
        if local is not None:
            shown = {"Type": type_ or "", "LocalhostProfile": local}
            yield invalid(f"{at}.localhostProfile", shown, "can only be set when seccomp type is Localhost")
    elif local is None:
        yield required(f"{at}.localhostProfile", "must be set when seccomp type is Localhost")
    else:
        yield from descending(f"{at}.localhostProfile", as_text(local))


def _app_armor(at: str, profile: Any) -> Iterator[Problem]:
    if not isinstance(profile, dict):
        return
    type_, local, place = profile.get("type"), profile.get("localhostProfile"), f"{at}.localhostProfile"
    if not type_:
        yield required(f"{at}.type", "type is required when appArmorProfile is set")
    elif type_ not in SECCOMP:
        yield unsupported(f"{at}.type", type_, SECCOMP)
    elif type_ != "Localhost":
        if local is not None:
            yield invalid(place, local, "can only be set when AppArmor type is Localhost")
    elif local is None or local == "":
        yield required(place, "must be set when AppArmor type is Localhost")
    elif as_text(local).strip() != local:
        yield invalid(place, local, "must not be padded with whitespace")


def _windows(at: str, options: Any) -> Iterator[Problem]:
    if not isinstance(options, dict):
        return
    name, content, user = (
        options.get(one) for one in ("gmsaCredentialSpecName", "gmsaCredentialSpec", "runAsUserName")
    )
    if name is not None:
        place = f"{at}.gmsaCredentialSpecName"
        yield from (invalid(place, name, why) for why in names.subdomain(as_text(name)))
    if content == "":
        yield invalid(f"{at}.gmsaCredentialSpec", content, "gmsaCredentialSpec cannot be an empty string")
    if user is not None:
        yield from (invalid(f"{at}.runAsUserName", user, why) for why in _user(as_text(user)))


_NET_BIOS = r"[^\\/:\*\?\"<>|\.][^\\/:\*\?\"<>|]{0,14}"
_LABEL = r"[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
_DNS = rf"{_LABEL}(\.{_LABEL})*"


def _user(user: str) -> Iterator[str]:
    domain, slash, name = user.rpartition("\\")
    if not user:
        yield "runAsUserName cannot be an empty string"
    elif re.search("[\x00-\x1f\x7f]", user):
        yield "runAsUserName cannot contain control characters"
    elif user.count("\\") > 1:
        yield "runAsUserName cannot contain more than one backslash"
    else:
        if len(domain) >= 256:
            yield "runAsUserName's Domain length must be under 256 characters"
        if slash and not re.fullmatch(_NET_BIOS, domain) and not re.fullmatch(_DNS, domain):
            yield "runAsUserName's Domain doesn't match the NetBios nor the DNS format"
        if not name:
            yield "runAsUserName's User cannot be empty"
        elif len(name) > 104:
            yield "runAsUserName's User length must not be longer than 104 characters"
        if re.fullmatch(r"[\. ]+", name):
            yield "runAsUserName's User cannot contain only periods or spaces"
        if re.search(r'["/\\:;|=,+*?<>@\[\]]', name):
            yield "runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]"


# ---- operating systems -----------------------------------------------------------------------------------------------


def of_system(at: str, spec: Object) -> Iterator[Problem]:
    """Validate a Pod for its operating system."""
    system = spec.get("os")
    if not isinstance(system, dict):
        return
    name = system.get("name")
    if not name:
        yield from formats.required_explained(f"{at}.os.name", "cannot be empty")
    elif name not in ("linux", "windows"):
        yield unsupported(f"{at}.os", name, ("linux", "windows"))
    elif name == "linux":
        for place, context in _contexts(at, spec):
            if context.get("windowsOptions") is not None:
                yield forbidden(f"{place}.windowsOptions", "windows options cannot be set for a linux pod")
    else:
        yield from _on_windows(at, spec)


def _on_windows(at: str, spec: Object) -> Iterator[Problem]:
    why = "cannot be set for a windows pod"
    own = as_map(spec.get("securityContext"))
    yield from (forbidden(f"{at}.securityContext.{one}", why) for one in _ON_WINDOWS["pod"] if own.get(one) is not None)
    for field in ("hostUsers", "hostPID", "hostIPC", "shareProcessNamespace"):
        if spec.get(field) not in ((None, False) if field.startswith("hostP") or field == "hostIPC" else (None,)):
            yield forbidden(f"{at}.{field}", why)
    for place, context in list(_contexts(at, spec))[1 if own else 0 :]:
        yield from (
            forbidden(f"{place}.{one}", why) for one in _ON_WINDOWS["container"] if context.get(one) is not None
        )


def _contexts(at: str, spec: Object) -> Iterator[tuple[str, Object]]:
    """All security contexts, that of the Pod first."""
    if spec.get("securityContext"):
        yield f"{at}.securityContext", as_map(spec["securityContext"])
    for field in ("initContainers", "containers", "ephemeralContainers"):
        for index, container in maps(spec, field):
            if isinstance(container.get("securityContext"), dict):
                yield f"{at}.{field}[{index}].securityContext", container["securityContext"]


_HOST_PROCESS = ".windowsOptions.hostProcess"
_GATE_IS_OFF = "when feature gate 'WindowsHostProcessContainers' is not enabled"
NO_HOST_PROCESS = f"not allowed {_GATE_IS_OFF}"


def host_processes(at: str, spec: Object) -> Iterator[Problem]:
    """Validate Windows host process containers."""
    if not any("windowsOptions" in context for _, context in _contexts(at, spec)):
        return
    yield from eras.NO_HOST_PROCESS.limit(_without_host_processes(at, spec))
    yield from eras.HOST_PROCESS.limit(_host_processes(at, spec))


def _without_host_processes(at: str, spec: Object) -> Iterator[Problem]:
    if _host_process(spec) is not None:
        yield forbidden(f"{at}.securityContext{_HOST_PROCESS}", NO_HOST_PROCESS)
        return
    found = {place: value for place, value in _of_containers(at, spec) if value is not None}
    yield from (forbidden(place, NO_HOST_PROCESS) for place in found)
    if any(found.values()):
        yield forbidden(at, f"pod must not contain Windows hostProcess containers {_GATE_IS_OFF}")


def _of_containers(at: str, spec: Object) -> Iterator[tuple[str, bool | None]]:
    """The paths and the values of the field in all containers."""
    for field in ("initContainers", "containers", "ephemeralContainers"):
        for index, container in maps(spec, field):
            yield f"{at}.{field}[{index}].securityContext{_HOST_PROCESS}", _host_process(container)


def _host_processes(at: str, spec: Object) -> Iterator[Problem]:
    own = _host_process(spec)
    found: list[bool] = []
    for place, inner in _of_containers(at, spec):
        if own is not None and inner is not None and own is not inner:
            was = str(own).lower()
            yield invalid(place, inner, f"pod hostProcess value must be identical if both are specified, was {was}")
        found.append(bool(own if inner is None else inner))
    if any(found):
        if not all(found):
            why = "If pod contains any hostProcess containers then all containers must be HostProcess containers"
            yield invalid(at, "", why)
        if spec.get("hostNetwork") is not True:
            why = "hostNetwork must be true if pod contains any hostProcess containers"
            yield invalid(f"{at}.hostNetwork", False, why)


def _host_process(owner: Object) -> bool | None:
    found = as_map(as_map(owner.get("securityContext")).get("windowsOptions")).get("hostProcess")
    return found if isinstance(found, bool) else None
