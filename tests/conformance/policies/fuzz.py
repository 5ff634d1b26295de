"""Random policies and objects, sent to a real server and to the embedded cluster.

`python -m tests.conformance.policies.fuzz --count 300 --seed 1` prints each difference, and the number of verdicts.
"""

from __future__ import annotations

import argparse
import json
from random import Random
from typing import TYPE_CHECKING, Any

from kubemerge.apiserver.http.asgi import Application
from kubemerge.cluster import open_cluster

from ..ownership.real.server import Server
from . import real
from .replay import sent_to_ours
from .scenarios import RELEASE, complete, place

if TYPE_CHECKING:
    from collections.abc import Callable

    from .replay import Answer

AT_ONCE = 20
SIDECAR = "Object.spec.containers"
"""The policies of one round."""
PATHS = (
    "metadata.name",
    "metadata.labels.app",
    "metadata.annotations['a/b']",
    "metadata.generation",
    "spec.replicas",
    "spec.template.spec.containers[0].image",
    "spec.containers[0].name",
    "spec.ports[0].port",
    "spec.type",
    "data.key",
    "data['other']",
    "spec",
    "metadata.labels",
    "spec.missing.deeper",
    "kind",
)
TEXTS = ("'web'", "'app'", "''", "'prod-1'", "'ClusterIP'", "'registry.example.com/a:1'")
NUMBERS = ("0", "1", "3", "-1", "80", "2.5", "7u")


class Draw:
    """One random draw after another."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def of(self, *among: Any) -> Any:
        return self._random.choice(among)

    def chance(self, share: float) -> bool:
        return self._random.random() < share

    def path(self) -> str:
        root = self.of("object", "object", "object", "object", "oldObject")
        path = self.of(*PATHS)
        if self.chance(0.15):
            return f"{root}.?{path}"
        return f"{root}.{path}"

    def text(self, depth: int) -> str:
        if depth <= 0 or self.chance(0.3):
            return str(self.of(*TEXTS, "object.metadata.name", "request.operation", "string(object.kind)"))
        inner = self.text(depth - 1)
        return str(
            self.of(
                f"({inner} + {self.text(depth - 1)})",
                f"string({self.path()})",
                f"{inner}.lowerAscii()",
                f"{inner}.replace('a', 'b')",
                f"{inner}.substring(1)",
                f"string({self.number(depth - 1)})",
                f"({self.truth(depth - 1)} ? {inner} : 'else')",
                f"{inner}.split('-').join('/')",
            )
        )

    def number(self, depth: int) -> str:
        if depth <= 0 or self.chance(0.4):
            return str(self.of(*NUMBERS))
        return str(
            self.of(
                f"size({self.text(depth - 1)})",
                f"({self.number(depth - 1)} + {self.number(depth - 1)})",
                f"int({self.path()})",
                f"{self.path()}.size()",
                "object.metadata.map(k, k).size()",
            )
        )

    def truth(self, depth: int) -> str:
        if depth <= 0:
            return str(self.of("true", "false", "has(object.spec)", "object.metadata.name == 'web'"))
        made: list[Callable[[], str]] = [
            lambda: f"{self.path()} == {self.of(self.text(depth - 1), self.number(depth - 1), 'null', '{}', '[]')}",
            lambda: f"{self.path()} {self.of('<', '<=', '>', '>=', '!=')} {self.of(*NUMBERS, *TEXTS)}",
            lambda: f"has({self.path().replace('.?', '.').split('[')[0]})",
            lambda: f"!({self.truth(depth - 1)})",
            lambda: f"({self.truth(depth - 1)} {self.of('&&', '||')} {self.truth(depth - 1)})",
            lambda: (
                f"{self.text(depth - 1)}.{self.of('startsWith', 'endsWith', 'contains', 'matches')}({self.of(*TEXTS)})"
            ),
            lambda: (
                f"object.metadata.{self.of('all', 'exists', 'exists_one')}(k, {self.of('k', 'string(k)')} != 'name')"
            ),
            lambda: f"object.spec.containers.all(c, c.{self.of('image', 'name', 'missing')} != {self.of(*TEXTS)})",
            lambda: (
                f"{self.of(*TEXTS)} in {self.of('object.metadata', 'object.data', 'request.userInfo.groups', '[1]')}"
            ),
            lambda: "authorizer.requestResource.check('get').allowed()",
            lambda: f"request.{self.of('name', 'operation', 'namespace', 'subResource')} == {self.of(*TEXTS)}",
            lambda: f"namespaceObject.metadata.{self.of('name', 'labels.a')} == {self.of(*TEXTS)}",
            lambda: f"quantity({self.text(depth - 1)}).isGreaterThan(quantity('1'))",
            lambda: f"variables.{self.of('v0', 'v0', 'v1')} == {self.of(self.text(depth - 1), self.number(depth - 1))}",
        ]
        return str(self.of(*made)())

    def policy(self, name: str, resource: str) -> dict[str, Any]:
        rule = {"operations": ["CREATE"], "apiGroups": ["*"], "apiVersions": ["*"], "resources": [resource]}
        match = {"resourceRules": [{**rule, "resourceNames": [name]}]}
        found: dict[str, Any] = {"match": match, "failurePolicy": self.of("Fail", "Fail", "Ignore")}
        found["variables"] = [
            {"name": f"v{at}", "expression": self.of(self.text, self.number, self.truth)(2)}
            for at in range(self.of(0, 1, 2))
        ]
        if self.chance(0.3):
            found["matchConditions"] = [{"name": "c", "expression": self.truth(1)}]
        return {"validating": name, **found, **self.validations()} if self.chance(0.6) else self.mutating(name, found)

    def validations(self) -> dict[str, Any]:
        found = []
        for _ in range(self.of(1, 1, 2, 3)):
            one: dict[str, Any] = {"expression": self.truth(self.of(1, 2, 3))}
            if self.chance(0.3):
                one["message"] = self.of("plain", " spaced ")
            if self.chance(0.4):
                one["messageExpression"] = self.text(2)
            if self.chance(0.2):
                one["reason"] = self.of("Forbidden", "Invalid")
            found.append(one)
        return {"validations": found, "binding": {"validationActions": [self.of("Deny", "Warn", "Audit")]}}

    def mutating(self, name: str, found: dict[str, Any]) -> dict[str, Any]:
        mutations = []
        for _ in range(self.of(1, 1, 2)):
            if self.chance(0.5):
                kind, key, text = "ApplyConfiguration", "applyConfiguration", self.configuration()
            else:
                kind, key, text = (
                    "JSONPatch",
                    "jsonPatch",
                    f"[{', '.join(self.operation() for _ in range(self.of(1, 2)))}]",
                )
            mutations.append({"patchType": kind, key: {"expression": text}})
        again = self.of("Never", "IfNeeded")
        return {"mutating": name, **found, "mutations": mutations, "reinvocationPolicy": again}

    def configuration(self) -> str:
        value = self.of(self.text(2), self.number(1))
        return str(
            self.of(
                f"Object{{metadata: Object.metadata{{labels: {{'added': {self.text(2)}}}}}}}",
                f"Object{{metadata: Object.metadata{{annotations: {{'n': {value}}}}}}}",
                f"Object{{spec: Object.spec{{replicas: {value}}}}}",
                f"Object{{data: {{'key': {self.text(1)}}}}}",
                f"Object{{spec: Object.spec{{containers: [{SIDECAR}{{name: 'side', image: {self.text(1)}}}]}}}}",
                f"Object{{spec: Object.{self.of('spec', 'other')}{{type: {self.text(1)}}}}}",
                f"Object{{?spec: {self.of('optional.none()', 'optional.of(Object.spec{paused: true})')}}}",
                f"{self.truth(1)} ? Object{{}} : Object{{metadata: Object.metadata{{labels: {{'else': 'x'}}}}}}",
            )
        )

    def operation(self) -> str:
        op = self.of("add", "add", "replace", "remove", "test", "copy", "move")
        path = self.of("/metadata/labels/x", "/data/key", "/data/new", "/spec/replicas", "/spec/containers/0/image")
        parts = [f"op: '{op}'", f"path: '{path}'"]
        if op in ("copy", "move"):
            parts.append(f"from: '{self.of('/data/key', '/metadata/name', '/metadata/labels/app')}'")
        elif op != "remove":
            parts.append(f"value: {self.of(self.text(1), self.number(1))}")
        return f"JSONPatch{{{', '.join(parts)}}}"

    def content(self, name: str, resource: str) -> dict[str, Any]:
        labels = self.of({}, {"app": "web"}, {"app": "app", "x": "y"})
        metadata: dict[str, Any] = {"name": name, **({"labels": labels} if labels else {})}
        if self.chance(0.3):
            metadata["annotations"] = {"a/b": self.of("web", "1")}
        containers = [{"name": self.of("web", "app"), "image": self.of("web", "registry.example.com/a:1")}]
        pod = {"containers": containers}
        selector = {"matchLabels": {"l": "m"}}
        specs: dict[str, dict[str, Any]] = {
            "configmaps": {
                "apiVersion": "v1",
                "kind": "ConfigMap",
                "data": self.of({}, {"key": "web"}, {"key": "1", "other": "x"}),
            },
            "pods": {"apiVersion": "v1", "kind": "Pod", "spec": pod},
            "services": {"apiVersion": "v1", "kind": "Service", "spec": {"ports": [{"port": self.of(80, 443)}]}},
            "deployments": {
                "apiVersion": "apps/v1",
                "kind": "Deployment",
                "spec": {
                    "replicas": self.of(1, 3, 9),
                    "selector": selector,
                    "template": {"metadata": {"labels": {"l": "m"}}, "spec": pod},
                },
            },
        }
        return {**specs[resource], "metadata": metadata}


def one_round(server: Server, seed: int) -> tuple[int, list[str]]:
    """The number of compared responses, and the differences."""
    draw = Draw(seed)
    policies, objects = [], []
    for at in range(AT_ONCE):
        name, resource = f"p{seed}-{at}", draw.of("configmaps", "pods", "services", "deployments")
        policies.append(draw.policy(name, resource))
        objects.append(draw.content(name, resource))
    setup = [
        {"method": "POST", "path": place(one, named=False), "body": one}
        for one in complete({"setup": policies, "requests": []})["setup"]
    ]
    sent = [{"method": "POST", "path": place(one, named=False), "body": one} for one in objects]
    theirs = _theirs(server, setup, sent)
    with open_cluster(":memory:", release=RELEASE) as cluster:
        application = Application(cluster)
        ours = [sent_to_ours(application, one) for one in [*setup, *sent]]
    found = []
    for one, mine, other in zip([*setup, *sent], ours, theirs, strict=True):
        if mine != other:
            name = one["body"]["metadata"]["name"]
            policy = next((each for each in policies if name in each.values()), {})
            parts = [part for part in sorted({*mine, *other}) if mine.get(part) != other.get(part)]
            shown = [
                f"  {part}\n    real {json.dumps(other.get(part))[:900]}\n    ours {json.dumps(mine.get(part))[:900]}"
                for part in parts
            ]
            found.append("\n".join([f"{one['path']} {name}: {json.dumps(policy)[:1500]}", *shown]))
    return len(theirs), found


def _theirs(server: Server, setup: list[dict[str, Any]], sent: list[dict[str, Any]]) -> list[Answer]:
    real.fresh(server)
    made = [real.sent(server, one) for one in setup]
    real.in_effect(server)
    return made + [real.sent(server, one) for one in sent]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    server = Server()
    total, differences = 0, 0
    for seed in range(asked.seed, asked.seed + -(-asked.count // AT_ONCE)):
        count, found = one_round(server, seed)
        total += count
        differences += len(found)
        for one in found:
            print(one, flush=True)
    print(f"{differences} of {total} responses differ")


if __name__ == "__main__":
    main()
