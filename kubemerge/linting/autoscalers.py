"""Autoscalers among the objects, and findings about the objects whose replicas they set."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from engine import Finding
from engine.linter.rules.owners import AUTOSCALED, REPLICAS, scaled_by

from ..apiserver.identity import Reference
from ..apiserver.unchecked import as_map, as_text
from .reports.model import LintResult

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..apiserver.identity import ObjectId
    from .reports.model import Linted

DEFAULTS = {
    ("autoscaling", "HorizontalPodAutoscaler"): {},
    ("keda.sh", "ScaledObject"): {"apiVersion": "apps/v1", "kind": "Deployment"},
}
"""The kinds of autoscalers, with the defaults of their `spec.scaleTargetRef`."""
_NAMES = [kind.encode() for _, kind in DEFAULTS]
_ESCAPE = re.compile(rb"\\[xuU\r\n\xc2\xe2]")
"""An escape that can be part of a name in quotes: of a character, or of one of the line breaks of YAML."""
CONFLICT = "KM028"
"""The finding that replaces this one: a server-side apply that is rejected."""


def are_in(files: Iterable[tuple[str, bytes]]) -> bool:
    """Whether files may contain autoscalers. It is never False for files that contain some."""
    return any(
        b"\0" in data  # UTF-16 contains NUL
        or (b"\\" in data and _ESCAPE.search(data))  # a character is found five times as fast as a pattern
        or any(name in data for name in _NAMES)
        for _, data in files
    )


def target_of(content: Mapping[str, Any]) -> ObjectId | None:
    """The object that an autoscaler scales; None for other objects, and for a target without a name."""
    group = str(content.get("apiVersion")).rpartition("/")[0]
    defaults = DEFAULTS.get((group, str(content.get("kind"))))
    if defaults is None:
        return None
    target = {**defaults, **as_map(as_map(content.get("spec")).get("scaleTargetRef"))}
    version, kind, name = (as_text(target.get(key)) for key in ("apiVersion", "kind", "name"))
    namespace = as_text(as_map(content.get("metadata")).get("namespace"))
    return Reference(version, kind, name, namespace or None).id if kind and name else None


def targets_of(objects: Iterable[Mapping[str, Any]]) -> dict[ObjectId, str]:
    """The objects that autoscalers scale, each with the autoscaler."""
    found = {}
    for one in objects:
        target = target_of(one)
        if target is not None:
            found[target] = f"{one['kind']} {as_map(one.get('metadata')).get('name')}"
    return found


def scaled(config: Mapping[str, Any], who: str, *, server_side: bool) -> Finding | None:
    """The finding about an object that an autoscaler scales; None if it leaves the replicas to the autoscaler."""
    if "replicas" not in as_map(config.get("spec")):
        return None
    return AUTOSCALED.finding(scaled_by(who, server_side=server_side))


def with_autoscalers(linted: Sequence[Linted], inputs: Sequence[str]) -> Iterator[Linted]:
    """The same objects; one that an autoscaler in the same file or folder scales gets a finding.

    `inputs` are the files that were read, one for each object. Files of different folders are not compared, because
    they may be for different clusters.
    """
    scaling = {
        (os.path.dirname(read), one.scales): one  # noqa: PTH120 - pathlib takes ten times as long
        for one, read in zip(linted, inputs, strict=True)
        if one.scales is not None
    }
    for one, read in zip(linted, inputs, strict=True):
        by = scaling.get((os.path.dirname(read), one.id)) if one.if_scaled else None  # noqa: PTH120
        if by is None or one.if_scaled is None or any(is_about_scaling(found.finding) for found in one.found):
            yield one
        else:
            yield one.with_found((*one.found, _named(one.if_scaled, by)))


def is_about_scaling(finding: Finding) -> bool:
    """Whether a finding already says that another manager sets the replicas."""
    return finding.steps == REPLICAS and finding.code in (AUTOSCALED.code, CONFLICT)


def _named(prepared: LintResult, by: Linted) -> LintResult:
    finding = prepared.finding
    said = finding.message.replace(ANY, f"{by.id.kind} {by.id.name} ({by.source}:{by.line})", 1)
    named = Finding(finding.code, finding.name, finding.severity, finding.steps, said, finding.advice)
    return LintResult(named, prepared.line, prepared.column)


ANY = "An autoscaler"
"""The subject of a prepared finding, before the autoscaler is known."""
