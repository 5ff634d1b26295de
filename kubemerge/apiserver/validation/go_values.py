"""Values in messages until 1.33: as Go syntax, and not as JSON.

Types that messages often show are printed. Others, which contain addresses in memory, stay JSON.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from engine.values.go_json import decode

from ..problems import SELECTOR, Printed, Problem
from ..text.go_text import go_syntax, quoted
from ..unchecked import as_text, maps

if TYPE_CHECKING:
    from collections.abc import Iterable

DRIVERS = ("CSINodeDriver", "spec.drivers")
EVENT_TIMES = ("firstTimestamp", "lastTimestamp", "eventTime")
_NIL_POINTERS = ("nodeTopology", "spec.selector")
"""The fields whose nil pointers are printed in messages."""
_SELECTORS = ("selector", "nodetopology")
UNAVAILABLE_SINCE = 24
"""The first minor release whose StatefulSets have maxUnavailable."""
_UNAVAILABLE = re.compile(r", MaxUnavailable:\(\*intstr\.IntOrString\)\([^)]*\)")
_LABELS = "template.metadata.labels"
_LABEL = re.compile(r"template\.metadata\.labels(\[.*\])?$")
_NO_RULES = "either `defaultBackend` or `rules` must be specified"


def in_go_syntax(problems: Iterable[Problem], minor: int) -> list[Problem]:
    """Return problems with their values as Go syntax."""
    return [one._replace(value=_as_of(minor, _printed(one))) for one in problems]


def _as_of(minor: int, value: object) -> object:
    """A value without the fields that the Go types of a release lack."""
    if isinstance(value, Printed) and minor < UNAVAILABLE_SINCE:
        return Printed(_UNAVAILABLE.sub("", value.text))
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
    value = problem.value
    if value is None:
        return _nil(problem)
    if isinstance(value, list) and problem.path == "requiredDropCapabilities":
        return Printed(f"[]core.Capability{_texts(value)}")
    if isinstance(value, dict) and problem.path in DRIVERS:
        return Printed(_driver(value))
    if isinstance(value, list) and problem.path == "spec.ports":
        return Printed(f"[]core.ServicePort{{{', '.join(map(_port, value))}}}")
    if isinstance(value, dict) and problem.path == "source":
        fields = ", ".join(f"{name}:{quoted(as_text(value.get(name)))}" for name in ("Component", "Host"))
        return Printed(f"core.EventSource{{{fields}}}")
    if isinstance(value, list) and problem.path == "spec.volumeLifecycleModes":
        return Printed(f"[]storage.VolumeLifecycleMode{_texts(value)}")
    if isinstance(value, dict) and problem.path == "roleRef":
        return Printed(f"rbac.RoleRef{{{', '.join(f'{name}:{quoted(as_text(value[name]))}' for name in value)}}}")
    if isinstance(value, dict) and _LABEL.search(problem.path):
        return Printed(f"map[string]string{_pairs(value)}")
    if isinstance(value, dict) and (printer := _STRUCTS.get(frozenset(value))):
        return Printed(printer(value))
    if isinstance(value, dict) and value.keys() <= {*SELECTOR} and problem.path.lower().endswith(_SELECTORS):
        return Printed(_selector(value))
    return value


def _nil(problem: Problem) -> object:
    if problem.detail == _NO_RULES:
        return Printed("[]networking.IngressRule(nil)")
    if problem.path in EVENT_TIMES:
        return Printed("0001-01-01 00:00:00 +0000 UTC")
    if problem.path.endswith(_LABELS):
        return Printed("map[string]string(nil)")
    return Printed('"null"') if problem.path in _NIL_POINTERS else None


def _port(one: Any) -> str:
    return _shown_port({f"{name[0].upper()}{name[1:]}": value for name, value in one.items()})


def _shown_port(one: Any) -> str:
    target, protocol = one.get("TargetPort"), one.get("AppProtocol")
    number, name = (0, target) if isinstance(target, str) else (target or 0, "")
    address = "(*string)(nil)" if protocol is None else "(*string)(0xc000000000)"
    return (
        f"core.ServicePort{{Name:{quoted(as_text(one.get('Name')))}, Protocol:{quoted(as_text(one.get('Protocol')))}, "
        f"AppProtocol:{address}, Port:{one.get('Port', 0)}, "
        f"TargetPort:intstr.IntOrString{{Type:{int(bool(name))}, IntVal:{number}, StrVal:{quoted(name)}}}, "
        f"NodePort:{one.get('NodePort', 0)}}}"
    )


def _rolling_update(value: Any) -> str:
    address = "(nil)" if value["MaxUnavailable"] is None else "(0xc000000000)"
    partition = value["Partition"] or 0
    return (
        f"apps.RollingUpdateStatefulSetStrategy{{Partition:{partition}, MaxUnavailable:(*intstr.IntOrString){address}}}"
    )


def _driver(value: Any) -> str:
    address = "(nil)" if value["Allocatable"] is None else "(0xc000000000)"
    return (
        f"storage.CSINodeDriver{{Name:{quoted(value['Name'])}, NodeID:{quoted(value['NodeID'])}, "
        f"TopologyKeys:[]string{_texts(value['TopologyKeys'])}, "
        f"Allocatable:(*storage.VolumeNodeResources){address}}}"
    )


def _selector(value: Any) -> str:
    shown = _pairs(value.get("matchLabels"))
    expressions = [
        f"v1.LabelSelectorRequirement{{Key:{quoted(as_text(one.get('key')))}, "
        f"Operator:{quoted(as_text(one.get('operator')))}, Values:[]string{_texts(one.get('values'))}}}"
        for _, one in maps(value, "matchExpressions")
    ]
    required = f"{{{', '.join(expressions)}}}" if expressions else "(nil)"
    return (
        f"v1.LabelSelector{{MatchLabels:map[string]string{shown}, "
        f"MatchExpressions:[]v1.LabelSelectorRequirement{required}}}"
    )


def _pairs(labels: Any) -> str:
    pairs = [f"{quoted(key)}:{quoted(as_text(labels[key]))}" for key in sorted(labels or ())]
    return f"{{{', '.join(pairs)}}}" if pairs else "(nil)"


def _texts(values: Any) -> str:
    return f"{{{', '.join(quoted(as_text(one)) for one in values)}}}" if isinstance(values, list) else "(nil)"


def _ranges(value: Any) -> str:
    return f"networking.ServiceCIDRSpec{{CIDRs:[]string{_texts(value['CIDRs'])}}}"


_STRUCTS = {
    frozenset({"CIDRs"}): _ranges,
    frozenset({"Partition", "MaxUnavailable"}): _rolling_update,
    frozenset({"Name", "Protocol", "AppProtocol", "Port", "TargetPort", "NodePort"}): _shown_port,
}
"""Printers of Go types by their fields."""
