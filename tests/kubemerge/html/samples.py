"""Samples for the pages: comparisons made by hand, real outcomes, and texts that try to break out."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import engine
from engine.directives import ANNOTATION
from kubemerge.compare.model import Comparison, Result, RuleChange, Step
from kubemerge.fleet.rows import Row
from kubemerge.html import RunInfo, fleet_page
from kubemerge.manifests.objects import Manifest
from kubemerge.offline.pairs import Inputs, Merged, MergeOptions, merge

from ..fleet.findings import overview_of

if TYPE_CHECKING:
    from engine import Rule

HOSTILE = (
    "</script><img src=x onerror='window.broken=1'>",
    '"><svg onload=window.broken=2>',
    "' onmouseover='window.broken=3",
    "<!--<script>window.broken=4</script>",
    "javascript:window.broken=5",
    "{{ 7 * 191 }}{% raw %}",
    "\u202egnitirw\u2066",
    "a\x00b\u2028c\u2029d\ud800",
    "long " + "x" * 10_000,
)
"""Names that would do harm, or spoil the page, if anything took them for more than text."""

LIST = engine.Rule("list", "core_v1.ContainerPort", "merge", "containerPort", "map", ("containerPort",), 1)
FINER = engine.Rule("list", "core_v1.ContainerPort", "merge", "containerPort", "map", ("containerPort", "protocol"))
TEXT = engine.Rule("primitive", "string")
MAP = engine.Rule("map", "apps_v1.DeploymentStrategy")
RETAINED = engine.Rule("map", "apps_v1.DeploymentStrategy", "retainKeys")

DEPLOYMENT, POD, CONFIG_MAP, OLD = (
    ("apps/v1", "Deployment"),
    ("v1", "Pod"),
    ("v1", "ConfigMap"),
    ("extensions/v1beta1", "Deployment"),
)


def change(
    key: tuple[str, str],
    path: str,
    aspect: str,
    severity: str,
    before: Rule | None = None,
    after: Rule | None = None,
    effect: str = "something is different now",
) -> RuleChange:
    return RuleChange(*key, path, (aspect,), severity, before, after, effect)


def comparison() -> Comparison:
    """Three steps with every severity, added and removed kinds, and changes that kinds share."""
    first = (
        change(DEPLOYMENT, "spec.strategy", "strategy", "breaking", MAP, RETAINED, "what is left out is dropped"),
        change(DEPLOYMENT, "spec.template.spec.containers.ports", "map keys", "notable", LIST, FINER),
        change(POD, "spec.containers.ports", "map keys", "notable", LIST, FINER),
        change(DEPLOYMENT, "metadata.generation", "field added", "info", None, TEXT),
        change(POD, "metadata.generation", "field added", "info", None, TEXT),
        change(OLD, "metadata.generation", "field added", "info", None, TEXT),
    )
    last = (
        change(OLD, "", "kind removed", "breaking"),
        change(POD, "spec.hostname", "field removed", "breaking", TEXT, None),
        *(change(POD, f"spec.field{number:02}", "field added", "info", None, TEXT) for number in range(25)),
    )
    everywhere = frozenset({"1.12", "1.13", "1.14", "1.15"})
    served = {DEPLOYMENT: everywhere, POD: everywhere, CONFIG_MAP: everywhere, OLD: everywhere - {"1.15"}}
    steps = (Step("1.12", "1.13", first), Step("1.13", "1.14", ()), Step("1.14", "1.15", last))
    return Comparison(("1.12", "1.13", "1.14", "1.15"), steps, served)


def hostile_comparison() -> Comparison:
    changes = tuple(
        RuleChange(f"{text}/v1", text, text, (text,), "breaking", engine.Rule("map", text), None, text)
        for text in HOSTILE
    )
    served = {found.key: frozenset({HOSTILE[0]}) for found in changes}
    return Comparison((HOSTILE[0], HOSTILE[1]), (Step(HOSTILE[0], HOSTILE[1], changes),), served)


def merged(config: dict[str, Any], live: dict[str, Any] | None = None, *, source: str = "config.yaml") -> Merged:
    tables = engine.load("1.31")
    key = config["apiVersion"], config["kind"]
    schema = tables.schema(*key) if key in tables else None
    there = Manifest("live.yaml", live) if live else None
    return merge(Inputs(Manifest(source, config), there, schema), MergeOptions())


def result(one: Merged) -> Result:
    """The part of an outcome that a replay keeps."""
    found = one.outcome
    return Result(found.result, found.patch_type, found.patch, found.merged, found.warnings)


def with_last_applied(live: dict[str, Any], last: dict[str, Any]) -> dict[str, Any]:
    found = copy.deepcopy(live)
    found["metadata"]["annotations"] = {ANNOTATION: json.dumps(last)}
    return found


def deployment(image: str, **spec: Any) -> dict[str, Any]:
    containers = [{"name": "web", "image": image}]
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {**spec, "template": {"spec": {"containers": containers}}},
    }


def configured() -> Merged:
    """An image that is set, a field that is cleared, and replicas that another manager has set."""
    last = deployment("web:1", minReadySeconds=5)
    live = with_last_applied(deployment("web:1", minReadySeconds=5, replicas=4), last)
    return merged(deployment("web:2"), live)


def created() -> Merged:
    return merged({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "new"}, "data": {"a": "1"}})


def unchanged() -> Merged:
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "same"}, "data": {"a": "1"}}
    return merged(config, merged(config).after)


def secret(**data: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "keys"}, "data": data}


VALUES = ("b2xkLW9uZQ==", "bmV3LW9uZQ==", "c2FtZS1vbmU=", "Z29uZS1vbmU=", "plain-text-one")
"""Every value of the Secret below."""


def changed_secret() -> Merged:
    old, new, same, gone, plain = VALUES
    last = secret(password=old, user=same, gone=gone)
    return merged({**secret(password=new, user=same), "stringData": {"plain": plain}}, with_last_applied(last, last))


def hostile_merged() -> list[Merged]:
    """Objects that carry these texts as names, keys, values and as the file they come from."""
    found = []
    for text in HOSTILE:
        clean = text.replace("\ud800", "").replace("\x00", "")
        config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": clean}, "data": {clean: clean}}
        live = {**config, "data": {"other": clean, clean: "before"}}
        found += [merged(config, live, source=text), merged(config, source=text)]
    return found


def fleet_rows() -> list[Row]:
    """Rows of three clusters, with one object that could not be read."""
    found = [
        Row(
            "north",
            what="unreadable",
            severity="error",
            text="the compressed file is truncated",
            source="dumps/north.jsonl:byte 9",
        )
    ]
    for number in range(12):
        name, path = f"web-{number}", f"spec.template.spec.containers[name=web-{number}].image"
        cluster = "east" if number % 3 else "west"
        values = {"before": '"web:1"', "after": '"web:2"', "text": f"the config says so ({number})"}
        row = Row(cluster, "shop", "Deployment", name, path, "changed", "warning", source=f"d:{number}", **values)
        found += [row, row._replace(kind="Secret", what="missing", severity="error", before=None, after=None)]
    return found


def fleet() -> str:
    failed = [("dumps/south.jsonl", "20 workers died of it")]
    clusters: dict[str, list[Row]] = {"east": [], "west": [], "north": [], "calm": []}
    for row in fleet_rows():
        clusters[row.cluster].append(row)
    found = overview_of(*clusters.values(), clusters=[*clusters])
    return fleet_page(found, RunInfo("drift", [("dumps", "dumps/")], "out", failed))


def hostile_fleet() -> str:
    rows = [Row(text, text, text, text, text, text, "error", text, text, text, text) for text in HOSTILE]
    found = overview_of(rows, clusters=[HOSTILE[0]])
    return fleet_page(found, RunInfo("lint", [(HOSTILE[0], HOSTILE[1])], HOSTILE[2], [(HOSTILE[0], HOSTILE[1])]))


def empty_fleet() -> str:
    return fleet_page(overview_of([]), RunInfo("owners", [], "out"))
