"""Values in messages until 1.33: as Go syntax, and not as JSON.

Types that messages often show are printed. Others, which contain addresses in memory, stay JSON.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from engine import MergeError
from engine.values.go_json import decode

from ..problems import SELECTOR, Printed, Problem, plain_json
from ..text.go_text import go_syntax, quoted
from ..unchecked import as_text, maps
from .eras import REVISION_OBJECTS
from .values.formats import NOT_NEGATIVE

if TYPE_CHECKING:
    from collections.abc import Iterable

EVENT_TIMES = ("firstTimestamp", "lastTimestamp", "eventTime")
_NIL_POINTERS = re.compile(r"nodeTopology|spec\.selector|aggregationRule\.clusterRoleSelectors\[\d+\]")
"""The fields whose nil pointers are printed in messages."""
_SELECTORS = ("selector", "nodetopology")
UNAVAILABLE_SINCE = 24
"""The first minor release whose StatefulSets have maxUnavailable."""
_UNAVAILABLE = re.compile(r", MaxUnavailable:\(\*intstr\.IntOrString\)\([^)]*\)")
_LABELS = "template.metadata.labels"
_LABEL = re.compile(r"template\.metadata\.labels(\[.*\])?$")
_NO_RULES = "either `defaultBackend` or `rules` must be specified"
_INT_OR_STRING = re.compile(r"^spec\.minAvailable$|maxUnavailable$|maxSurge$")
_BYTES, _RAW_EXTENSION = "spec.request", "data"
"""The fields of a CertificateSigningRequest and a ControllerRevision that Go stores as bytes."""
_ADDRESS = "0xc000000000"
"""Stands for any address in memory."""
_ELEMENTS = {
    "requiredDropCapabilities": "core.Capability",
    "spec.policyTypes": "networking.PolicyType",
    "spec.scopes": "core.ResourceQuotaScope",
    "spec.volumeLifecycleModes": "storage.VolumeLifecycleMode",
}
"""The Go types of strings in lists, by path. Others are plain strings."""
_NIL = {
    "data": "runtime.RawExtension{Raw:[]uint8(nil), Object:runtime.Object(nil)}",
    "spec.capacity": "core.ResourceList(nil)",
    "spec.request": "[]byte(nil)",
    "spec.scopes": "[]core.ResourceQuotaScope(nil)",
    "status.storedVersions": "[]string(nil)",
}
"""Missing values, by path."""
_TYPES = """
apps.DeploymentStrategy Type RollingUpdate:*apps.RollingUpdateDeployment
apps.RollingUpdateStatefulSetStrategy Partition:int MaxUnavailable:*intstr.IntOrString
batch.SuccessPolicy Rules:[]batch.SuccessPolicyRule
batch.SuccessPolicyRule SucceededIndexes:*string SucceededCount:*int32
core.EventSource Component Host
core.ObjectReference Kind Namespace Name UID APIVersion ResourceVersion FieldPath
core.Taint Key Value Effect TimeAdded:time
core.Toleration Key Operator Value Effect TolerationSeconds:*int64
networking.ParentReference Group Resource Namespace Name
networking.ServiceCIDRSpec CIDRs:[]string
rbac.RoleRef APIGroup Kind Name
storage.CSINodeDriver Name NodeID TopologyKeys:[]string Allocatable:*storage.VolumeNodeResources
storage.VolumeAttachmentSource PersistentVolumeName:*string InlineVolumeSpec:*core.PersistentVolumeSpec
storage.VolumeAttachmentSpec Attacher Source:storage.VolumeAttachmentSource NodeName
"""
"""Go types with their fields in order. A field without a type is a string, and `*` is a pointer."""
_RAW = re.compile(r"runtime\.RawExtension\{Raw:(.*), Object:runtime\.Object\(nil\)\}")
_NO_TYPE = 'TypeMeta:runtime.TypeMeta{APIVersion:"", Kind:""}'
_NO_ENCODING = 'ContentEncoding:"", ContentType:"application/json"'
_JSON = re.compile(r'["\[{]|null$')
_PORT_FIELDS = {"Name", "Protocol", "AppProtocol", "Port", "TargetPort", "NodePort"}


def in_go_syntax(problems: Iterable[Problem], minor: int) -> list[Problem]:
    """Return problems with their values as Go syntax."""
    return [one._replace(value=_as_of(minor, _printed(one))) for one in problems]


def _as_of(minor: int, value: object) -> object:
    """A value with the Go types of a release, and without the fields that they lack."""
    if isinstance(value, Printed) and minor < UNAVAILABLE_SINCE:
        value = Printed(_UNAVAILABLE.sub("", value.text))
    if isinstance(value, Printed) and not REVISION_OBJECTS.has(minor) and (raw := _RAW.fullmatch(value.text)):
        of_any_type = f"runtime.Unknown{{{_NO_TYPE}, Raw:{raw[1]}, {_NO_ENCODING}}}"
        return Printed('"null"' if raw[1].endswith("(nil)") else of_any_type)
    return value


def in_go_syntax_of_json(problems: Iterable[Problem]) -> list[Problem]:
    """The same for custom resources, whose values are JSON already."""
    return [
        one._replace(value=Printed(go_syntax(decode(one.value.text))))
        if isinstance(one.value, Printed) and one.value.text.startswith(("{", "["))
        else one
        for one in problems
    ]


def _printed(problem: Problem) -> object:
    value, path = problem.value, problem.path
    if isinstance(value, Printed):
        if value.go is not None:
            return Printed(value.go, value.go)
        found = _of_json(value, problem)
        return found if isinstance(found, Printed) else value
    if value is None:
        return _nil(problem)
    if path == _RAW_EXTENSION:
        return Printed(_raw_extension(value))
    if path == _BYTES:
        return Printed(_bytes(value))
    if isinstance(value, list):
        return _list(path, value)
    if isinstance(value, dict):
        return _map(path, value)
    if _INT_OR_STRING.search(path) and problem.detail != NOT_NEGATIVE:
        return Printed(_int_or_string(value))
    return Printed(quoted(value)) if isinstance(value, str) else value


def _of_json(value: Printed, problem: Problem) -> object:
    """The same for a text, if it is JSON."""
    if not _JSON.match(value.text):
        return value
    try:
        return _printed(problem._replace(value=decode(value.text)))
    except MergeError:
        return value


def _nil(problem: Problem) -> object:
    if problem.detail == _NO_RULES:
        return Printed("[]networking.IngressRule(nil)")
    if problem.path in EVENT_TIMES:
        return Printed("0001-01-01 00:00:00 +0000 UTC")
    if problem.path.endswith(_LABELS):
        return Printed("map[string]string(nil)")
    if problem.path.endswith(".onExitCodes.values"):
        return Printed("[]int32(nil)")
    if problem.path in _NIL:
        return Printed(_NIL[problem.path])
    return Printed('"null"') if _NIL_POINTERS.fullmatch(problem.path) else None


def _list(path: str, value: list[Any]) -> object:
    if path == "spec.ports":
        return Printed(f"[]core.ServicePort{{{', '.join(map(_port, value))}}}")
    if value and all(isinstance(one, str) for one in value):
        return Printed(f"[]{_ELEMENTS.get(path, 'string')}{_texts(value)}")
    if path in _ELEMENTS:
        return Printed(f"[]{_ELEMENTS[path]}{_texts(value)}")
    if value and all(isinstance(one, dict) and [*one] == ["IP"] for one in value):
        type_ = "core.PodIP" if path == "status.podIPs" else "core.HostIP"
        inside = ", ".join(f"{type_}{{IP:{quoted(as_text(one['IP']))}}}" for one in value)
        return Printed(f"[]{type_}{{{inside}}}")
    return value


def _map(path: str, value: Any) -> object:
    if _LABEL.search(path):
        return Printed(f"map[string]string{_pairs(value)}")
    if value.keys() == _PORT_FIELDS:
        return Printed(_shown_port(value))
    if type_ := _types_by_fields().get(frozenset(value)):
        return Printed(_of_type(type_, value))
    if value.keys() <= {*SELECTOR} and path.lower().endswith(_SELECTORS):
        return Printed(_selector(value))
    return value


@lru_cache(maxsize=1)
def _types() -> dict[str, dict[str, str]]:
    """The fields of each type, with their types."""
    rows = [line.split() for line in _TYPES.strip().splitlines()]
    return {row[0]: {name: of for name, _, of in (one.partition(":") for one in row[1:])} for row in rows}


@lru_cache(maxsize=1)
def _types_by_fields() -> dict[frozenset[str], str]:
    return {frozenset(fields): type_ for type_, fields in _types().items()}


def _of_type(type_: str, value: Any) -> str:
    """Print the value of a Go type."""
    if not type_:
        return quoted(as_text(value))
    if type_ == "int":
        return str(value or 0)
    if type_ == "time":
        return "<nil>" if value is None else _ADDRESS
    if type_.startswith("*"):
        return f"({type_})({'nil' if value is None else _ADDRESS})"
    if type_ == "[]string":
        return f"{type_}{_texts(value)}"
    if type_.startswith("[]"):
        return (
            f"{type_}(nil)" if value is None else f"{type_}{{{', '.join(_of_type(type_[2:], one) for one in value)}}}"
        )
    return f"{type_}{{{', '.join(f'{name}:{_of_type(of, value.get(name))}' for name, of in _types()[type_].items())}}}"


def _int_or_string(value: Any) -> str:
    number, text = (0, value) if isinstance(value, str) else (value, "")
    return f"intstr.IntOrString{{Type:{int(isinstance(value, str))}, IntVal:{number}, StrVal:{quoted(text)}}}"


def _raw_extension(value: Any) -> str:
    content = plain_json(value, separators=(",", ":")).encode(errors="surrogateescape")
    return f"runtime.RawExtension{{Raw:[]uint8{{{_hexadecimal(content)}}}, Object:runtime.Object(nil)}}"


def _bytes(value: Any) -> str:
    from base64 import b64decode  # only for requests that are no certificate requests

    return f"[]byte{{{_hexadecimal(b64decode(as_text(value)))}}}"


def _hexadecimal(content: bytes) -> str:
    return ", ".join(f"0x{one:x}" for one in content)


def _port(one: Any) -> str:
    return _shown_port({f"{name[0].upper()}{name[1:]}": value for name, value in one.items()})


def _shown_port(one: Any) -> str:
    protocol = one.get("AppProtocol")
    address = "nil" if protocol is None else _ADDRESS
    return (
        f"core.ServicePort{{Name:{quoted(as_text(one.get('Name')))}, Protocol:{quoted(as_text(one.get('Protocol')))}, "
        f"AppProtocol:(*string)({address}), Port:{one.get('Port', 0)}, "
        f"TargetPort:{_int_or_string(one.get('TargetPort') or 0)}, "
        f"NodePort:{one.get('NodePort', 0)}}}"
    )


def _selector(value: Any) -> str:
    shown = _pairs(value.get("matchLabels"))
    expressions = [
        f"v1.LabelSelectorRequirement{{Key:{quoted(as_text(one.get('key')))}, "
        f"Operator:{quoted(as_text(one.get('operator')))}, Values:[]string{_texts(one.get('values'))}}}"
        for _, one in maps(value, "matchExpressions")
    ]
    required = f"{{{', '.join(expressions)}}}" if isinstance(value.get("matchExpressions"), list) else "(nil)"
    return (
        f"v1.LabelSelector{{MatchLabels:map[string]string{shown}, "
        f"MatchExpressions:[]v1.LabelSelectorRequirement{required}}}"
    )


def _pairs(labels: Any) -> str:
    if labels is None:
        return "(nil)"
    return f"{{{', '.join(f'{quoted(key)}:{quoted(as_text(labels[key]))}' for key in sorted(labels))}}}"


def _texts(values: Any) -> str:
    return f"{{{', '.join(quoted(as_text(one)) for one in values)}}}" if isinstance(values, list) else "(nil)"
