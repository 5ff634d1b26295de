"""Random triples: a first config, a patch of another client, and a second config."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

import engine
from kubemerge.apiserver.decoding.unknown_fields import fields_unknown_to

from ..kinds.bodies import bodies, document
from ..livediff.subjects import APART, LEFT_OUT
from ..ownership.real.draw import Drawer
from ..ownership.real.kinds import Kind, kinds, versioned
from ..ownership.real.server import NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Iterator

Object = dict[str, Any]
FOREIGN = ("apply", "json", "json", "labels", "merge", "restart", "scale", "status", "strategic", "strategic", "")
"""The patches of other clients. `labels` and `restart` are usual ones, and one in eleven triples has none."""
UNSENT = ("ownerReferences", "aggregationRule", "/switches")
"""Words of JSON patch operations that are left out."""
MANAGERS = ("controller", "helm", "kubectl-edit", "kubectl-patch")
UNKNOWN = 0.02
"""The share of configs that keep the fields that the release does not know."""
ON_IS_TRUE_UNTIL = 26
_STEP = re.compile(r"[^.\[\]]+")


@dataclass
class Triple:
    """One object on its way. `patch` is a patch of the live object, with its type, manager and subresource."""

    seed: int
    version: str
    kind: Kind
    first: Object
    second: Object
    random: Random
    drawer: Drawer
    minor: int
    patch: Object = field(default_factory=dict)

    @property
    def name(self) -> str:
        return str(self.first["metadata"]["name"])


@cache
def _subjects(release: str) -> tuple[tuple[str, Kind], ...]:
    """Every apiVersion of every kind of a release whose objects do not affect others."""
    known = engine.load(release)
    own = {(version, one.kind): one for one in kinds(release) for version in (one.apiVersion, *one.also)}
    own |= {(version, one.kind): one for one in versioned(release) for version in (one.apiVersion, *one.also)}
    for body in bodies():
        if (body.apiVersion, body.kind) in known and not body.names:
            more = Kind(body.apiVersion, body.kind, body.plural, body.a, body.b, body.status, cluster=body.cluster)
            own.setdefault((body.apiVersion, body.kind), more)
    left_out = {*LEFT_OUT, *APART, "Event", "Namespace", "PodTemplate", "ControllerRevision"}
    return tuple((version, one) for (version, name), one in own.items() if name not in left_out)


def triple(seed: int, release: str) -> Triple:
    """The triple of a seed, without its patch."""
    random = Random(seed)
    version, kind = random.choice(_subjects(release))
    name = f"t{seed}"
    drawer = Drawer(random, kind, name)
    minor = int(release.partition(".")[2])
    first = drawer.document(version) if random.random() < 0.7 else _whole(random, kind, version, name)
    first = _placed(first, kind, name)
    second = _placed(_second(random, drawer, first, version), kind, name)
    for config in (first, second):
        _without_apart(config, kind, minor)
    if random.random() > UNKNOWN:
        first, second = (_known(config, kind, version, release) for config in (first, second))
    return Triple(seed, version, kind, first, second, random, drawer, minor)


def _without_apart(config: Object, kind: Kind, minor: int) -> None:
    """Remove what is compared elsewhere: rules of a controller, and a key that old servers read as true."""
    config.pop("aggregationRule", None)
    if kind.custom and minor <= ON_IS_TRUE_UNTIL and isinstance(config.get("spec"), dict):
        config["spec"].pop("switches", None)


def _whole(random: Random, kind: Kind, version: str, name: str) -> Object:
    content: Any = deepcopy(random.choice(kind.examples(version)))
    found = document(kind, content, name)  # type: ignore[arg-type]
    return {**found, "apiVersion": version}


def _second(random: Random, drawer: Drawer, first: Object, version: str) -> Object:
    """The first config with fields changed, added and removed, or its elements in another order."""
    chance = random.random()
    if chance < 0.15:
        return deepcopy(first)
    found: Object = drawer.odd(deepcopy(first)) if chance < 0.25 else _reordered(random, deepcopy(first))
    if chance < 0.35:
        return found
    thin: Object = drawer.thinned(first, random.choice((0.03, 0.1, 0.3)))
    if chance < 0.8:
        thin = drawer.joined(thin, drawer.document(version, random.choice((0.2, 0.5))))
    return thin


def _reordered(random: Random, value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _reordered(random, inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_reordered(random, item) for item in random.sample(value, len(value))]
    return value


def _placed(config: Object, kind: Kind, name: str) -> Object:
    metadata = {key: value for key, value in config["metadata"].items() if key not in ("namespace", "ownerReferences")}
    metadata = {"name": name, **metadata}
    return {**config, "metadata": metadata if kind.cluster else {**metadata, "namespace": NAMESPACE}}


def _known(config: Object, kind: Kind, version: str, release: str) -> Object:
    """A config without the fields that the release does not know."""
    if kind.custom:
        return config
    found = deepcopy(config)
    for place in fields_unknown_to(found, engine.load(release).schema(version, kind.kind)):
        *steps, last = _STEP.findall(place)
        owner: Any = found
        for step in steps:
            owner = owner[int(step)] if isinstance(owner, list) else owner[step]
        if isinstance(owner, dict):
            owner.pop(last, None)
    return found


def patch(one: Triple, live: Object) -> Object:
    """A patch of the live object: type, body, manager and subresource. Empty if the triple has none."""
    random, kind = one.random, one.kind
    what = random.choice(FOREIGN)
    for way, body, subresource in _patches(one, live, what):
        if kind.custom and way == "strategic":
            continue
        return {"type": way, "body": body, "manager": random.choice(MANAGERS), "subresource": subresource}
    return {}


def _patches(one: Triple, live: Object, what: str) -> Iterator[tuple[str, Any, str]]:
    random, drawer, version, kind = one.random, one.drawer, one.version, one.kind
    if what == "labels":
        yield "merge", {"metadata": {"labels": {"other": "x"}, "annotations": {"other.example/y": "z"}}}, ""
    elif what == "restart" and "template" in (live.get("spec") or {}):
        stamp = {"kubectl.kubernetes.io/restartedAt": "2024-01-01T00:00:00Z"}
        yield "merge", {"spec": {"template": {"metadata": {"annotations": stamp}}}}, ""
    elif what == "scale" and kind.scale:
        yield "merge", {"spec": {"replicas": random.randint(0, 4)}}, "scale"
    elif what == "status" and kind.status:
        yield "merge", {"status": random.choice(kind.statuses(version))}, "status"
    elif what == "json":
        yield (
            "json",
            [each for each in drawer.operations(live, version) if not any(word in str(each) for word in UNSENT)],
            "",
        )
    elif what == "apply":
        body = _placed(drawer.document(version, 0.3), kind, one.name)
        _without_apart(body, kind, one.minor)
        yield what, body, ""
    elif what in ("merge", "strategic"):
        body = drawer.patch(live, version)
        body["metadata"].pop("ownerReferences", None)
        _without_apart(body, kind, one.minor)
        yield what, body, ""
