"""Spoils an object by the schema of its kind: removes values, doubles them, makes them wrong, and adds others."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from engine.tables.rules import Rule
    from engine.tables.schema import Schema

TEXTS = (
    "", "a", "Wrong Word", "UPPER", "-a", "a.b.c", "a_b", "x" * 64, "x" * 254, "10.0.0.1", "10.0.0.1/24",
    "10.0.0.0/8", "010.0.0.1", "2001:DB8::1", "::ffff:1.2.3.4", "2001:db8::/32", "example.com/a", "a/b/c", "*",
    "*.a.example", "/x", "//", "x/../y", "http", "1", "-1", "200%", "50%", "https://a.example/x?y=1#z",
    "http://a.example", "üñ", "a=b", "TCP", "true", " ", "v1", "None", "kube-system", "https://u:p@a.example",
    "a:b", "%", "..", "a..b", "9z", "example.com",
)  # fmt: skip
NUMBERS = (-1, 0, 1, 2, 5, 100, 101, 255, 32768, 65535, 65536, 100_000, 2**31 - 1, 10**9 + 1, -(2**31))
BEYOND = (2**31, -(2**31) - 1, 5_000_000_000, 2**63, -(2**63) - 1, 1e20, 1.5, 2.0, -1)
"""Numbers that do not fit into all types of integers."""
SWAPPED: tuple[Any, ...] = (5, 1.5, "a", "", True, False, [], ["a"], [5], {}, {"a": "b"}, {"a": 5}, None)
"""Values of every type of JSON."""
TIME_TEXTS = (
    "2024-01-01T00:00:00Z", "2024-01-01T00:00:00.123456Z", "2024-01-01T00:00:00.5+01:00", "2024-13-01T00:00:00Z",
    "2024-02-30T00:00:00Z", "2024-01-01T25:00:00Z", "2024-01-01", "2024-01-01 00:00:00Z", "yesterday", "", "0", None,
    "2024-01-01T00:00:00", "2024-01-01T00:00:00+99:00", "2024-01-01T00:00:00Zx", "0001-01-01T00:00:00Z",
)  # fmt: skip
BAD_QUANTITIES = (
    "",
    "1.5.5",
    "abc",
    "1Zi",
    "1e400",
    5.5,
    -3,
    "-1Gi",
    "1E",
    " 1",
    "+1",
    "0.0001",
    "1n",
    "9" * 25,
    "0x1",
)
QUANTITIES = ("0", "1", "-1", "1.5", "0.5", "1m", "1500m", "10Gi", "1e3", 5)
WORDS = (
    "Always", "Never", "IfNotPresent", "Equal", "Exists", "In", "NotIn", "DoesNotExist", "Gt", "Lt", "NoSchedule",
    "NoExecute", "PreferNoSchedule", "TCP", "UDP", "SCTP", "Ingress", "Egress", "Cluster", "Namespace", "Exact",
    "Prefix", "ImplementationSpecific", "Equivalent", "Fail", "Ignore", "Deny", "Warn", "Audit", "Allow",
    "CREATE", "UPDATE", "DELETE", "CONNECT", "Namespaced", "IfNeeded", "Retain", "Delete", "Recycle", "Immediate",
    "WaitForFirstConsumer", "IPv4", "IPv6", "FQDN", "Limited", "Exempt", "Queue", "Reject", "ByUser",
    "ByNamespace", "User", "Group", "ServiceAccount", "Role", "ClusterRole", "Resource", "Pods", "Object",
    "External", "ContainerResource", "Utilization", "Value", "AverageValue", "Max", "Min", "Disabled", "Percent",
    "IfHealthyBudget", "AlwaysAllow", "PreemptLowerPriority", "File", "ReadWriteOnceWithFSType", "Persistent",
    "Ephemeral", "Container", "Pod", "PersistentVolumeClaim", "Terminating", "BestEffort", "PriorityClass",
    "ExactCount", "All", "JSONPatch", "ApplyConfiguration", "Service", "Normal", "Warning", "True", "False",
    "Unknown", "Approved", "Denied", "Failed", "Forbidden", "Invalid",
)  # fmt: skip
LEFT_ALONE = {
    ("apiVersion",), ("kind",), ("metadata", "name"), ("metadata", "namespace"), ("metadata", "uid"),
    ("metadata", "resourceVersion"), ("metadata", "creationTimestamp"),
}  # fmt: skip
"""Places whose values are compared elsewhere."""
TIMES = ("Time", "Timestamp", "timeAdded", "time")
"""Suffixes of the names of time fields."""
SPOILT = 0.25
"""The share of changes that need not respect the type of the place."""
NEVER_ADDED = ("apiVersion", "kind", "metadata", "managedFields", "status")
DEEPEST = 3
Path = tuple[Any, ...]


class Mutator:
    """Spoils objects of one kind."""

    def __init__(self, random: Random, schema: Schema) -> None:
        self.random, self.schema = random, schema

    def mutated(self, document: dict[str, Any], other: dict[str, Any], times: int, within: Path = ()) -> dict[str, Any]:
        """A copy of the object with some changes; some come from another object."""
        found = deepcopy(document)
        for _ in range(times):
            places = [place for place in self.places(found, self.schema.type.rule) if place[0][: len(within)] == within]
            places = [place for place in places if place[0] not in LEFT_ALONE and place[0]]
            if not places:
                break
            path, rule = self.random.choice(places)
            if len(path) > 1 and path[0] == "metadata" and self.random.random() < 0.6:
                path, rule = self.random.choice(places)
            self.change(found, path, rule, other)
        return found

    def places(self, value: Any, rule: Rule, path: Path = ()) -> Iterator[tuple[Path, Rule]]:
        """Every place in an object, with its rule."""
        yield path, rule
        if rule.kind == "list" and isinstance(value, list):
            for index, item in enumerate(value):
                yield from self.places(item, self.schema.inside(rule)[0], (*path, index))
        elif rule.kind == "map" and isinstance(value, dict) and rule.of is not None:
            fields = None if rule.free_keys else self.schema.types[str(rule.of)].fields
            for key, item in value.items():
                inner = self.schema.inside(rule)[0] if fields is None else fields.get(key)
                if inner is not None and key != "managedFields":
                    yield from self.places(item, inner, (*path, key))

    def change(self, document: dict[str, Any], path: Path, rule: Rule, other: dict[str, Any]) -> None:
        owner: Any = document
        for step in path[:-1]:
            owner = owner[step]
        last, value = path[-1], owner[path[-1]]
        if self.random.random() < SPOILT or str(last).endswith(TIMES):
            self.spoil(owner, last, rule)
            return
        chance = self.random.random()
        if chance < 0.15:
            del owner[last]
        elif chance < 0.2:
            at: Any = other
            for step in path:
                at = at.get(step) if isinstance(at, dict) else None
            if at is None:
                del owner[last]
            else:
                owner[last] = deepcopy(at)
        elif isinstance(value, dict) and rule.kind == "map":
            self.change_map(owner, last, rule)
        elif isinstance(value, list) and rule.kind == "list":
            self.change_list(owner, last, rule)
        else:
            owner[last] = self.value(rule, 0)

    def spoil(self, owner: Any, last: Any, rule: Rule) -> None:
        """Set a value that the type may not hold, or that no validation expects."""
        value = owner[last]
        chosen = self.random.choice(("swapped", "typed", "typed", "empty", "long"))
        if isinstance(value, dict) and chosen in ("typed", "long"):
            value[self.random.choice(("unknownField", "a b", "name", "Spec"))] = deepcopy(self.random.choice(SWAPPED))
        elif isinstance(value, list) and chosen in ("typed", "long"):
            value.extend(deepcopy(value) if value and chosen == "typed" else [deepcopy(self.random.choice(SWAPPED))])
        elif chosen == "typed":
            owner[last] = deepcopy(self.random.choice(self.doubtful(str(last), rule)))
        elif chosen == "empty":
            owner[last] = deepcopy(self.random.choice(("", [], {}, None, 0)))
        elif chosen == "long":
            owner[last] = self.random.choice(("x" * 300, "a." * 130 + "a", "é" * 100, "a\nb", "\t", "<&>"))
        else:
            owner[last] = deepcopy(self.random.choice(SWAPPED))

    @staticmethod
    def doubtful(field: str, rule: Rule) -> tuple[Any, ...]:
        """Values near the limits of a type."""
        if field.endswith(TIMES):
            return TIME_TEXTS
        if rule.of in ("integer", "number", "int-or-string"):
            return BEYOND
        if rule.of == "quantity":
            return BAD_QUANTITIES
        return SWAPPED

    def change_map(self, owner: Any, last: Any, rule: Rule) -> None:
        value = owner[last]
        if self.random.random() < 0.15:
            owner[last] = {}
        elif rule.of is None:
            value["more"] = 1
        elif rule.free_keys:
            key = self.random.choice((*TEXTS, *value, "a b", "a/b", "cpu", "memory"))
            value[key] = self.value(self.schema.inside(rule)[0], 0)
        else:
            fields = self.schema.types[str(rule.of)].fields
            names = [
                name for name in fields if name not in ("apiVersion", "kind", "metadata", "managedFields", "status")
            ] or ["name"]
            if last == "metadata":
                names = ["labels", "annotations", "finalizers", "ownerReferences", "generateName"]
            missing = [name for name in names if name not in value]
            name = self.random.choice(missing if missing and self.random.random() < 0.8 else names)
            if name in fields:
                value[name] = self.named_value(name, fields[name], 0)

    def change_list(self, owner: Any, last: Any, rule: Rule) -> None:
        value, inside = owner[last], self.schema.inside(rule)[0]
        chance = self.random.random()
        if chance < 0.1:
            owner[last] = []
        elif chance < 0.5 and value:
            value.append(deepcopy(self.random.choice(value)))
        elif chance < 0.6 and value:
            value.pop(0)
        else:
            value.append(self.value(inside, 0))

    def named_value(self, field: str, rule: Rule, depth: int) -> Any:
        """A value of a field; times have special texts."""
        is_time = field.endswith(TIMES) and rule.kind == "primitive"
        return self.random.choice(TIME_TEXTS) if is_time else self.value(rule, depth)

    def value(self, rule: Rule, depth: int) -> Any:
        """A value of the type, which need not make sense."""
        if rule.kind == "primitive":
            return self.scalar(rule.of)
        if depth > DEEPEST or rule.of is None:
            return [] if rule.kind == "list" else {}
        if rule.kind == "list":
            inside = self.schema.inside(rule)[0]
            return [self.value(inside, depth + 1) for _ in range(self.random.randint(0, 2))]
        if rule.kind == "map" and rule.free_keys:
            inside = self.schema.inside(rule)[0]
            keys = self.random.sample((*TEXTS[:12], "cpu", "memory"), self.random.randint(0, 2))
            return {key: self.value(inside, depth + 1) for key in keys}
        if rule.kind != "map":
            return {}
        fields = self.schema.types[str(rule.of)].fields
        share = self.random.choice((0.0, 0.3, 0.6, 1.0)) if depth < 2 else 0.4
        return {
            name: self.value(inner, depth + 1)
            for name, inner in fields.items()
            if self.random.random() < share and not name.endswith(TIMES)
        }

    def scalar(self, of: str | None) -> Any:
        if of == "integer":
            return self.random.choice(NUMBERS)
        if of == "number":
            return self.random.choice(NUMBERS)
        if of == "boolean":
            return self.random.random() < 0.5
        if of == "quantity":
            return self.random.choice(QUANTITIES)
        if of == "int-or-string" and self.random.random() < 0.5:
            return self.random.choice(NUMBERS)
        return self.random.choice(TEXTS if self.random.random() < 0.6 else WORDS)
