"""Pod security levels: parsed from namespace labels, and applied to Pods and Pod templates."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ...audit_annotations import annotate, is_audited
from ...errors import Forbidden
from ...problems import Problem, invalid
from ...unchecked import as_map, as_text, get_path, maps
from ...validation import validation
from . import LABEL, baseline, restricted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...protocol import Object
    from ..context import AdmissionContext
    from .violations import Violation

    Check = Callable[[Object, Object, int], Violation | None]

LEVELS = ("privileged", "baseline", "restricted")
MODES = ("enforce", "audit", "warn")
BASELINE: tuple[tuple[str, Check, int], ...] = (
    ("appArmorProfile", baseline.app_armor, 0),
    ("capabilities_baseline", baseline.capabilities, 0),
    ("hostNamespaces", baseline.host_namespaces, 0),
    ("hostPathVolumes", baseline.host_paths, 0),
    ("hostPorts", baseline.host_ports, 0),
    ("hostProbesAndHostLifecycle", baseline.hosts, 34),
    ("privileged", baseline.privileged, 0),
    ("procMount", baseline.proc_mount, 0),
    ("seLinuxOptions", baseline.se_linux, 0),
    ("seccompProfile_baseline", baseline.seccomp, 0),
    ("sysctls", baseline.sysctls, 0),
    ("windowsHostProcess", baseline.host_process, 0),
)
"""The checks by name in the order of the server, with the first minor release of the policy that has each."""
RESTRICTED: tuple[tuple[str, Check, int], ...] = (
    ("", restricted.escalation, 8),
    ("capabilities_baseline", restricted.capabilities, 22),
    ("procMount", restricted.proc_mount, 35),
    ("hostPathVolumes", restricted.volumes, 0),
    ("", restricted.not_root, 0),
    ("", restricted.not_user_0, 23),
    ("seccompProfile_baseline", restricted.seccomp, 19),
)
"""The restricted checks, each with the baseline check that it replaces."""


class Level(NamedTuple):
    """A level in the version of one release. None is the newest."""

    level: str
    minor: int | None

    def __str__(self) -> str:
        return f"{self.level}:{'latest' if self.minor is None else f'v1.{self.minor}'}"


def violations(level: Level, metadata: Object, spec: Object, server: int) -> list[Violation]:
    """Return the violations of a level by a Pod."""
    if level.level == "privileged":
        return []
    minor = server if level.minor is None else min(level.minor, server)
    stricter = [one for one in RESTRICTED if minor >= one[2]] if level.level == "restricted" else []
    replaced = {name for name, _, _ in stricter}
    checks = [one for one in BASELINE if minor >= one[2] and one[0] not in replaced]
    made = (check(metadata, spec, minor) for _, check, _ in (*checks, *stricter))
    return [one for one in made if one is not None]


def _listed(found_: list[Violation]) -> str:
    return ", ".join(f"{one.reason} ({one.detail})" if one.detail else one.reason for one in found_)


def policy_of(labels: Object) -> tuple[dict[str, Level], list[Problem]]:
    """Return the level of each mode, and the problems of the labels."""
    problems: list[Problem] = []
    found_: dict[str, Level] = {}
    for mode in MODES:
        level, minor = "privileged", None
        key, version = f"{LABEL}{mode}", f"{LABEL}{mode}-version"
        if key in labels:
            level = as_text(labels[key])
            if level not in LEVELS:
                problems.append(invalid(f"metadata.labels[{key}]", level, f"must be one of {', '.join(LEVELS)}"))
                level = "restricted" if mode == "enforce" else "privileged"
        if version in labels:
            match = re.fullmatch(r"v1\.([1-9][0-9]*|0)", as_text(labels[version]))
            if match:
                minor = int(match[1])
            elif labels[version] != "latest":
                why = 'must be "latest" or "v1.x"'
                problems.append(invalid(f"metadata.labels[{version}]", as_text(labels[version]), why))
        found_[mode] = Level(level, minor)
    warn, enforce = found_["warn"], found_["enforce"]
    follows = f"{LABEL}warn" not in labels and labels.get(f"{LABEL}enforce") in LEVELS
    if follows and LEVELS.index(enforce.level) > LEVELS.index(warn.level):
        found_["warn"] = Level(enforce.level, warn.minor if f"{LABEL}warn-version" in labels else enforce.minor)
    return found_, problems


# ---- objects ---------------------------------------------------------------------------------------------------------


def _labels(one: Object | None) -> Object:
    return as_map(as_map((one or {}).get("metadata")).get("labels"))


def pod(content: Object, context: AdmissionContext) -> None:
    """Reject a Pod that its namespace does not allow, or warn about it."""
    if context.live is not None and not _has_new_image(content, context.live):
        return
    levels, _ = policy_of(_labels(context.namespace(content["metadata"].get("namespace") or "")))
    spec = as_map(content.get("spec"))
    annotate(f"{LABEL}enforce-policy", str(levels["enforce"]))
    _annotate(levels["audit"], content["metadata"], spec, context)
    bad = violations(levels["enforce"], content["metadata"], spec, context.minor)
    if bad:
        why = f'violates PodSecurity "{levels["enforce"]}": {_listed(bad)}'
        raise Forbidden("pods", content["metadata"].get("name", ""), why)
    _warn(levels["warn"], content["metadata"], spec, context)


def template(at: str, content: Object, context: AdmissionContext) -> None:
    """Warn about a Pod template that its namespace does not allow."""
    levels, _ = policy_of(_labels(context.namespace(content["metadata"].get("namespace") or "")))
    one = get_path(content, at)
    if isinstance(one, dict):
        metadata, spec = as_map(one.get("metadata")), as_map(one.get("spec"))
        _annotate(levels["audit"], metadata, spec, context)
        _warn(levels["warn"], metadata, spec, context)


def _annotate(level: Level, metadata: Object, spec: Object, context: AdmissionContext) -> None:
    bad = violations(level, metadata, spec, context.minor) if is_audited() else []
    if bad:
        annotate(f"{LABEL}audit-violations", f'would violate PodSecurity "{level}": {_listed(bad)}')


def _warn(level: Level, metadata: Object, spec: Object, context: AdmissionContext) -> None:
    bad = violations(level, metadata, spec, context.minor)
    if bad:
        context.warn(f'would violate PodSecurity "{level}": {_listed(bad)}')


def _has_new_image(content: Object, before: Object) -> bool:
    return list(_images(content)) != list(_images(before))


def _images(content: Object) -> Iterator[tuple[str, str]]:
    for field in ("containers", "initContainers", "ephemeralContainers"):
        for _, one in maps(as_map(content.get("spec")), field):
            yield field, as_text(one.get("image"))


def namespace(content: Object, context: AdmissionContext) -> None:
    """Validate the labels of a namespace, and warn about violations of its Pods."""
    after, problems = policy_of(_labels(content))
    before, former = policy_of(_labels(context.live))
    if problems and (context.live is None or problems != former):
        raise validation.rejection(content, problems, context.minor)
    now, then = after["enforce"], before["enforce"]
    relaxed = now.minor == then.minor and LEVELS.index(now.level) <= LEVELS.index(then.level)
    if context.live is not None and now != then and not relaxed:
        for said in _of_pods(content["metadata"].get("name", ""), now, context):
            context.warn(said)


def _of_pods(name: str, level: Level, context: AdmissionContext) -> Iterator[str]:
    """The violations of a namespace's Pods, grouped by violation."""
    every: dict[str, list[str]] = {}
    for one in context.of_kind("", "Pod", name):
        bad = violations(level, one["metadata"], as_map(one.get("spec")), context.minor)
        if bad:
            every.setdefault(", ".join(each.reason for each in bad), []).append(one["metadata"]["name"])
    if every:
        yield f'existing pods in namespace "{name}" violate the new PodSecurity enforce level "{level}"'
    yield from sorted(f"{_first(pods)}: {reasons}" for reasons, pods in every.items())


def _first(pods: list[str]) -> str:
    more = len(pods) - 1
    others = f" (and {more} other pod{'s' if more > 1 else ''})" if more else ""
    return f"{min(pods)}{others}"
