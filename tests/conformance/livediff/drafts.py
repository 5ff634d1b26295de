"""Random pairs: an object that several clients have written to a real server, and a config to apply to it next."""

from __future__ import annotations

import json
import time
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from ..kinds.ask import established
from ..kinds.bodies import document
from ..kinds.mutate import Mutator
from ..ownership.real.draw import Drawer
from ..ownership.real.server import NAMESPACE, path_of
from .spellings import Respeller
from .subjects import APART, chosen, schema_of

if TYPE_CHECKING:
    from ..ownership.real.kinds import Kind
    from ..ownership.real.server import Server

Object = dict[str, Any]
WAYS = {"applied": 50, "applied twice": 15, "created": 25, "server-side": 10}
"""How the object comes about, and how often."""
FOREIGN = ("labels", "merge", "status", "scale", "put", "server-side", "restart")
"""What other clients do to it."""
FIXED_OFTEN = 0.35
"""The share of configs that only spell the last one otherwise."""
RATES = (0.0, 0.1, 0.2, 0.5)
DEFINITION = "CustomResourceDefinition"


@dataclass
class Draft:
    """One pair while it comes about."""

    seed: int
    version: str
    kind: Kind
    name: str
    random: Random
    drawer: Drawer
    way: str
    start: Object
    config: Object = field(default_factory=dict)
    live: Object = field(default_factory=dict)
    manners: list[str] = field(default_factory=list)
    """What was done to the live object and to the config."""

    @property
    def file(self) -> str:
        """The name of its files."""
        return f"p{self.seed}.json"

    def path(self, subresource: str = "", *, there: bool = True) -> str:
        """Where the object is on the server."""
        return path_of(self.kind, self.version, self.name if there else "", subresource)

    def respelled(self, config: Object) -> Object:
        """The config, perhaps spelled otherwise."""
        rate = self.random.choice(RATES)
        respeller = Respeller(self.random, schema_of(self.version, self.kind.kind))
        return respeller.respelled(config, self.live or None, rate)


def draft(seed: int, *, apart: bool, only: str = "") -> Draft:
    """The beginning of a pair: a kind, a name, and the first config."""
    random = Random(seed)
    version, kind, names = chosen(random, apart=apart, only=only)
    name = random.choice(names) if names else f"p{seed}-{time.time_ns() // 1000 % 10**9}"
    drawer = Drawer(random, kind, name)
    way = random.choices([*WAYS], [*WAYS.values()])[0]
    found = Draft(seed, version, kind, name, random, drawer, way, {})
    found.start = drawer.document(version) if version != kind.apiVersion or random.random() < 0.6 else whole(found)
    _place(found, found.start)
    found.start = found.respelled(found.start)
    return found


def whole(draft: Draft) -> Object:
    """One of the two example objects, as it is."""
    content: Any = deepcopy(draft.random.choice(draft.kind.examples(draft.version)))
    return document(draft.kind, content, draft.name)  # type: ignore[arg-type]


def _place(draft: Draft, config: Object) -> None:
    metadata = config["metadata"]
    metadata["name"] = draft.name
    if draft.kind.cluster:
        metadata.pop("namespace", None)
    else:
        metadata["namespace"] = NAMESPACE


def without_choices_of_servers(config: Object) -> Object:
    """A config that any server takes as a new object."""
    dropped = ("resourceVersion", "uid", "generation", "managedFields", "selfLink", "generateName")
    return {**config, "metadata": {key: one for key, one in config["metadata"].items() if key not in dropped}}


def created(server: Server, draft: Draft) -> bool:
    """Create the object without kubectl; True if it exists in the end."""
    plain = whole(draft)
    _place(draft, plain)
    for config in (draft.start, without_choices_of_servers(draft.start), plain):
        draft.start = config
        if draft.way == "server-side":
            answer = server.ask("PATCH", draft.path(), config, kind="apply", fieldManager="flux", force="true")
        else:
            answer = server.ask("POST", draft.path(there=False), config, fieldManager="kubectl-create")
        if answer.done:
            if draft.kind.kind == DEFINITION:
                established(server, draft.kind, draft.name, answer)  # type: ignore[arg-type]
            return True
    return False


def refresh(server: Server, draft: Draft) -> bool:
    """Read the live object; False if it is not there."""
    answer = server.ask("GET", draft.path())
    draft.live = answer.body if answer.done else {}
    return answer.done


def written_by_others(server: Server, draft: Draft) -> None:
    """Up to three writes of other clients; some are rejected."""
    random = draft.random
    for _ in range(random.choice((0, 0, 1, 1, 2, 3))):
        what = random.choice(FOREIGN)
        if _foreign(server, draft, what):
            draft.manners.append(what)
        refresh(server, draft)


def _foreign(server: Server, draft: Draft, what: str) -> bool:
    random, kind, drawer, version = draft.random, draft.kind, draft.drawer, draft.version
    manager = random.choice(("helm", "kubectl-edit", "controller", "kubectl-client-side-apply"))
    if what == "labels":
        more = {"metadata": {"labels": {"other": "x"}, "annotations": {"other.example/y": "z"}}}
        return server.ask("PATCH", draft.path(), more, kind="merge", fieldManager=manager).done
    if what == "merge":
        patch = drawer.patch(draft.live, version)
        return server.ask("PATCH", draft.path(), patch, kind="merge", fieldManager=manager).done
    if what == "status" and kind.status:
        status = {"status": random.choice(kind.statuses(version))}
        return server.ask("PATCH", draft.path("status"), status, kind="merge", fieldManager=manager).done
    if what == "scale" and kind.scale:
        size = {"spec": {"replicas": random.randint(0, 4)}}
        return server.ask("PATCH", draft.path("scale"), size, kind="merge", fieldManager=manager).done
    if what == "put":
        after = drawer.changed(draft.live, version)
        return server.ask("PUT", draft.path(), after, fieldManager=manager).done
    if what == "server-side":
        config = drawer.document(version, 0.3)
        _place(draft, config)
        return server.ask("PATCH", draft.path(), config, kind="apply", fieldManager="flux", force="true").done
    if what == "restart" and "template" in (draft.live.get("spec") or {}):
        stamp = {"kubectl.kubernetes.io/restartedAt": "2024-01-01T00:00:00Z"}
        patch = {"spec": {"template": {"metadata": {"annotations": stamp}}}}
        return server.ask("PATCH", draft.path(), patch, kind="merge", fieldManager="kubectl-rollout").done
    return False


def next_config(draft: Draft) -> None:
    """Draw the config to compare with the live object."""
    random, drawer = draft.random, draft.drawer
    chance = random.random()
    if chance < FIXED_OFTEN:
        config, manner = deepcopy(draft.start), "same"
    elif chance < 0.6:
        config, manner = joined(draft), "changed"
    elif chance < 0.7:
        config, manner = drawer.document(draft.version), "new"
    elif chance < 0.8:
        config, manner = exported(draft), "exported"
    elif chance < 0.9:
        mutator = Mutator(random, schema_of(draft.version, draft.kind.kind))
        config, manner = mutator.mutated(draft.start, whole(draft), random.choice((1, 1, 2))), "mutated"
    else:
        config, manner = drawer.odd(deepcopy(draft.start)), "odd"
    if not isinstance(config.get("metadata"), dict):
        config["metadata"] = {}
    _place(draft, config)
    draft.manners.append(f"config: {manner}")
    draft.config = json.loads(json.dumps(draft.respelled(config)))
    _place(draft, draft.config)


def joined(draft: Draft) -> Object:
    """The last config with some fields changed, added and removed."""
    thin = draft.drawer.thinned(draft.start, draft.random.choice((0.0, 0.03, 0.1)))
    config: Object = draft.drawer.joined(thin, draft.drawer.document(draft.version, draft.random.choice((0.2, 0.5))))
    return config


def exported(draft: Draft) -> Object:
    """The live object as an export has it, with small changes."""
    config = deepcopy(draft.live)
    metadata = config["metadata"]
    for name in ("managedFields", "resourceVersion", "uid", "creationTimestamp", "generation", "selfLink"):
        if name in metadata and (name in ("managedFields", "resourceVersion") or draft.random.random() < 0.4):
            del metadata[name]
    if draft.random.random() < 0.5:
        config.pop("status", None)
    if draft.random.random() < 0.7 and "annotations" in metadata:
        metadata["annotations"].pop("kubectl.kubernetes.io/last-applied-configuration", None)
    return config if draft.random.random() < 0.5 else draft.drawer.thinned(config, 0.05)


def deleted(server: Server, draft: Draft) -> None:
    """Delete the object, whatever its finalizers are."""
    clear = {"metadata": {"finalizers": None}}
    server.ask("PATCH", draft.path(), clear, kind="merge")
    server.ask("DELETE", draft.path(), {"gracePeriodSeconds": 0, "propagationPolicy": "Background"})
    server.ask("PATCH", draft.path(), clear, kind="merge")


__all__ = ["APART", "Draft", "created", "deleted", "draft", "next_config", "refresh", "written_by_others"]
