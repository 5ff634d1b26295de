"""Seccomp and AppArmor profiles of new Pods, which are annotations in some releases and fields in others."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..eras import Era
from ..unchecked import as_map, as_text, get_path, maps
from ..warnings.pods import APPARMOR, APPARMOR_FIELD, LISTS, SECCOMP_CONTAINER, SECCOMP_POD, profile

if TYPE_CHECKING:
    from ..protocol import Object
    from .context import AdmissionContext


class Skew(NamedTuple):
    """One kind of profile, and the releases whose servers copy it."""

    field: str
    """In a securityContext."""
    of_pod: str
    """The annotation for all containers of a Pod. Empty if there is none."""
    of_container: str
    """The prefix of the annotations of containers."""
    to_fields: Era
    to_annotations: Era
    """The releases whose servers copy fields to annotations."""
    warns: bool


SKEWS = (
    Skew("seccompProfile", SECCOMP_POD, SECCOMP_CONTAINER, Era(19, 26), Era(19, 24), warns=False),
    Skew("appArmorProfile", "", APPARMOR, Era(30), Era(30, 33), warns=True),
)
_ANNOTATIONS = {"Unconfined": "unconfined", "RuntimeDefault": "runtime/default"}


def copy_profiles(content: Object, context: AdmissionContext) -> Object:
    """Copy the profiles of a new Pod between annotations and fields."""
    if context.live is not None:
        return content
    for skew in SKEWS:
        windows = get_path(content, "spec.os.name") == "windows" and skew.warns
        if skew.to_fields.has(context.minor) and not windows:
            content = _copied(content, skew, context)
    return content


def _copied(content: Object, skew: Skew, context: AdmissionContext) -> Object:
    spec = as_map(content.get("spec"))
    annotations = dict(as_map(as_map(content.get("metadata")).get("annotations")))
    given = frozenset(annotations)
    own = get_path(spec, f"securityContext.{skew.field}")
    if skew.of_pod:
        spec = _owner(spec, skew, skew.of_pod, None, annotations, context)
    for field in LISTS:
        if isinstance(spec.get(field), list):
            made = [
                _owner(one, skew, f"{skew.of_container}{as_text(one.get('name'))}", own, annotations, context)
                for _, one in maps(spec, field)
            ]
            spec = {**spec, field: made}
    if given != annotations.keys():
        content = {**content, "metadata": {**content["metadata"], "annotations": annotations}}
    return content if spec is content.get("spec") else {**content, "spec": spec}


def _owner(
    owner: Object, skew: Skew, key: str, of_pod: Object | None, annotations: Object, context: AdmissionContext
) -> Object:
    """Return the spec or a container with its profile. Annotations are changed in place."""
    found = as_map(owner.get("securityContext")).get(skew.field)
    if key not in annotations:
        text = _annotation(found or (of_pod if skew.warns else None))
        if text and skew.to_annotations.has(context.minor):
            annotations[key] = text
        return owner
    if found is not None:
        return owner
    value = as_text(annotations[key])
    made = profile("runtime/default" if value == "docker/default" and not skew.warns else value)
    if skew.warns and (made is None or made != of_pod):
        context.warn(f"metadata.annotations[{key}]: {APPARMOR_FIELD}")
    if made is None or (skew.warns and made == of_pod):
        return owner
    return {**owner, "securityContext": {**as_map(owner.get("securityContext")), skew.field: made}}


def _annotation(found: Object | None) -> str:
    local = as_map(found).get("localhostProfile")
    if as_map(found).get("type") == "Localhost":
        return f"localhost/{local}" if local is not None else ""
    return _ANNOTATIONS.get(as_text(as_map(found).get("type")), "")
