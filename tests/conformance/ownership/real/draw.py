"""Random objects of a kind that a server accepts, parts of them, and changes to live objects."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

    from .kinds import Kind

Object = dict[str, Any]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEEDED = _words(
    """
    name containers image key operator port containerPort topologyKey whenUnsatisfiable maxSkew ip path
    mountPath labelSelector podAffinityTerm weight nodeSelectorTerms matchExpressions values configMapKeyRef
    fieldRef fieldPath type apiGroups resources verbs storage apiVersion kind cidr periodSeconds value items
    nameservers dnsPolicy dnsConfig restartPolicy volumes httpGet tcpSocket exec command id sources preStop
    """
)
"""Required fields: without them, most parent objects are rejected."""
WHOLE = _words(
    """
    livenessProbe readinessProbe valueFrom emptyDir updateStrategy dnsConfig affinity secret configMap projected
    lifecycle value envFrom ownerReferences env tolerations volumes imagePullSecrets hostAliases
    """
)
"""Values taken from one example or the other as a whole, because parts of both exclude each other."""
METADATA: tuple[Object, ...] = (
    {"labels": {"app": "a", "b": "c"}, "annotations": {"note": "x", "other": ""}},
    {"labels": {"app": "b", "d/e": ""}, "annotations": {"note": "y"}, "finalizers": ["example.com/a", "example.com/b"]},
    {
        "labels": {},
        "ownerReferences": [
            {"apiVersion": "v1", "kind": "ConfigMap", "name": "o", "uid": "0a", "controller": True},
            {"apiVersion": "v1", "kind": "ConfigMap", "name": "p", "uid": "0b"},
        ],
    },
)


class Drawer:
    """Draws objects of one kind, for one sequence."""

    metadatas = METADATA

    def __init__(self, random: Random, kind: Kind, name: str) -> None:
        self.random, self.kind, self.name = random, kind, name
        self.needs = NEEDED | {*kind.needs}
        self.fixed = {*kind.fixed}
        self.whole = WHOLE | {*kind.whole}
        self.base: Object = random.choice((kind.a, kind.b))

    def document(self, version: str, keep: float | None = None) -> Object:
        """An object with fields of both examples."""
        keep = self.random.choice((0.5, 0.75, 0.9, 1.0)) if keep is None else keep
        base = self.kind.by_version.get(version, {}).get("a", self.base)
        found = self.mixed(*self.kind.examples(version), base, keep)
        return {"apiVersion": version, "kind": self.kind.kind, "metadata": self.metadata(keep), **found}

    def metadata(self, keep: float) -> Object:
        one, other = self.random.sample(self.metadatas, 2)
        return {"name": self.name, **(self.mixed(one, other, {}, keep) if self.random.random() < 0.8 else {})}

    def status(self, version: str) -> Object:
        """An object with a status, and some fields that a write to /status cannot change."""
        statuses = self.kind.statuses(version)
        one, other = self.random.choice(statuses), self.random.choice(statuses)
        found = {"apiVersion": version, "kind": self.kind.kind, "metadata": {"name": self.name}}
        if self.random.random() < 0.3:
            found = {**found, "metadata": self.metadata(0.8)}
        return {**found, "status": self.mixed(one, other, one, 0.9)}

    def mixed(self, one: Any, other: Any, base: Any, keep: float, name: str = "") -> Any:
        """A value with parts of two; `base` has the parts that never change."""
        if name in self.fixed:
            return deepcopy(base)
        if name in self.whole:
            return self.one_of(one, other, name)
        if isinstance(one, dict) and isinstance(other, dict):
            found = {}
            for key in [*one, *(key for key in other if key not in one)]:
                inside = base.get(key) if isinstance(base, dict) else None
                if key in self.fixed:
                    if inside is not None:
                        found[key] = deepcopy(inside)
                elif key in self.needs and key in one and key in other:
                    found[key] = self.mixed(one[key], other[key], inside, keep, key)
                elif key in self.needs or self.random.random() < keep:
                    sides = [side[key] for side in (one, other) if key in side]
                    if len(sides) == 2 or self.random.random() < 0.5:
                        found[key] = self.mixed(sides[0], sides[-1], inside, keep, key)
            return found
        if isinstance(one, list) and isinstance(other, list):
            return self.items(one, other, keep)
        return deepcopy(self.random.choice((one, other)))

    def one_of(self, one: Any, other: Any, name: str) -> Any:
        """One of two values; a list may lose elements."""
        found = deepcopy(self.random.choice((one, other)))
        if isinstance(found, list) and name != "volumes" and self.random.random() < 0.5:
            return self.random.sample(found, self.random.randint(1, len(found))) if found else found
        return found

    def items(self, one: list[Any], other: list[Any], keep: float) -> list[Any]:
        """Elements of both lists; those with the same name become one."""
        named: dict[str, list[Any]] = {}
        for item in [*one, *other]:
            key = str(_key(item)) if isinstance(item, dict) else repr(item)
            named.setdefault(key, []).append(item)
        chosen = [sides for sides in named.values() if self.random.random() < (keep if len(sides) > 1 else keep / 2)]
        if not chosen and one:
            chosen = [[one[0]]]
        if self.random.random() < 0.2:
            self.random.shuffle(chosen)
        return [self.mixed(sides[0], sides[-1], None, keep) for sides in chosen]

    # ---- changes -----------------------------------------------------------------------------------------------------

    def changed(self, live: Object, version: str) -> Object:
        """The live object as a client might send it back: without some fields, and with others."""
        fresh = self.document(version, 0.4)
        left = self.thinned(live, self.random.choice((0.02, 0.1)))
        after: Object = self.joined(left, fresh)
        metadata = {**after["metadata"], "name": self.name}
        if self.random.random() < 0.5 and not self.kind.custom:
            metadata.pop("resourceVersion", None)
        if self.random.random() < 0.4:
            metadata.pop("managedFields", None)
        return {**after, "apiVersion": version, "metadata": metadata}

    def thinned(self, value: Any, loss: float, name: str = "") -> Any:
        """A value without some of its fields."""
        if not isinstance(value, dict) or name in ("managedFields", *self.fixed):
            return deepcopy(value)
        return {
            key: self.thinned(inner, loss, key)
            for key, inner in value.items()
            if key in self.needs or key in self.fixed or key in _SERVED or self.random.random() > loss
        }

    def joined(self, one: Any, other: Any, name: str = "") -> Any:
        """One value overlaid with parts of another one."""
        if name in self.fixed:
            return deepcopy(one)
        if isinstance(one, dict) and isinstance(other, dict):
            found = {**one}
            for key, inner in other.items():
                if key in one and self.random.random() < 0.7:
                    found[key] = self.joined(one[key], inner, key)
                elif key not in one and key not in self.fixed:
                    found[key] = deepcopy(inner)
            return found
        return deepcopy(other if self.random.random() < 0.5 else one)

    def patch(self, live: Object, version: str) -> Object:
        """A merge patch, JSON or strategic: it sets some fields and removes others."""
        patch = self.document(version, self.random.choice((0.2, 0.5)))
        patch = {key: inner for key, inner in patch.items() if key not in ("apiVersion", "kind")}
        patch["metadata"] = {key: inner for key, inner in patch["metadata"].items() if key != "name"}
        self.remove(live, patch)
        return patch

    def remove(self, live: Object, patch: Object) -> None:
        for key, inner in live.items():
            if key in _SERVED or key in self.needs or key in self.fixed:
                continue
            if isinstance(inner, dict) and isinstance(patch.get(key), dict):
                self.remove(inner, patch[key])
            elif key != "metadata" and self.random.random() < 0.1:
                patch[key] = None

    def odd(self, value: Any, name: str = "") -> Any:
        """A config with some nulls, and some empty maps and lists."""
        if isinstance(value, dict) and name not in self.fixed:
            return {key: self.odd_field(key, inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.odd(item) for item in value]
        return value

    def odd_field(self, key: str, inner: Any) -> Any:
        if key in self.needs or key in self.fixed or key in _SERVED or self.random.random() > 0.06:
            return self.odd(inner, key)
        return self.random.choice([None, {} if isinstance(inner, dict) else [] if isinstance(inner, list) else None])

    def repeated(self, value: Any, name: str = "") -> Any:
        """A value with repeated elements, where servers accept them."""
        if isinstance(value, dict):
            return {key: self.repeated(inner, key) for key, inner in value.items()}
        if isinstance(value, list):
            items = [self.repeated(item) for item in value]
            if name in ("env", "imagePullSecrets", "hostAliases") and items and self.random.random() < 0.5:
                items.insert(self.random.randint(0, len(items)), deepcopy(self.random.choice(items)))
            return items
        return value

    def operations(self, live: Object, version: str) -> list[Object]:
        """A JSON patch."""
        found = [*_operations(live, self.changed(live, version), "")]
        return found if len(found) < 3 else sorted(self.random.sample(found, 3), key=found.index)


_SERVED = _words(
    """
    apiVersion kind metadata name namespace uid resourceVersion generation creationTimestamp managedFields
    clusterIP clusterIPs ipFamilies ipFamilyPolicy
    """
)
"""Fields that are sent back unchanged, as clients do."""


def _key(item: Object) -> Any:
    for names in ({"port": 0, "protocol": "TCP"}, {"containerPort": 0, "protocol": "TCP"}, {"level": 1, "on": True}):
        if next(iter(names)) in item or "on" in item:
            return [item.get(name, default) for name, default in names.items()]
    for name in ("name", "key", "type", "mountPath", "topologyKey", "ip", "uid", "id", "path"):
        if name in item:
            return item[name]
    return sorted(item)


def _operations(before: Any, after: Any, path: str) -> Any:
    for key in after:
        place = f"{path}/{key.replace('~', '~0').replace('/', '~1')}"
        if place in ("/metadata/managedFields", "/metadata/resourceVersion", "/metadata/generation"):
            continue
        if key not in before:
            yield {"op": "add", "path": place, "value": after[key]}
        elif isinstance(before[key], dict) and isinstance(after[key], dict):
            yield from _operations(before[key], after[key], place)
        elif before[key] != after[key]:
            yield {"op": "replace", "path": place, "value": after[key]}
    for key in before:
        if key not in after and not (path == "/metadata" and key in _SERVED):
            yield {"op": "remove", "path": f"{path}/{key.replace('~', '~0').replace('/', '~1')}"}
