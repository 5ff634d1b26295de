"""Other spellings of the same config, and values that a server defaults, drops or rejects."""

from __future__ import annotations

from copy import deepcopy
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ..kinds.mutate import TIMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from engine.tables.rules import Rule
    from engine.tables.schema import Schema

    Object = dict[str, Any]
    Place = tuple[tuple[Any, ...], Any, Rule]

NEVER_EMPTY = frozenset(
    {"apiVersion", "kind", "metadata", "managedFields", "status", "resourceVersion", "uid", "namespace", "name"}
)
"""Fields that are not added with an empty value at a random place; the metadata has its own oddities."""
DEFAULTS: dict[str, tuple[Any, ...]] = {
    "protocol": ("TCP",),
    "restartPolicy": ("Always",),
    "dnsPolicy": ("ClusterFirst",),
    "imagePullPolicy": ("IfNotPresent", "Always"),
    "terminationGracePeriodSeconds": (30,),
    "schedulerName": ("default-scheduler",),
    "terminationMessagePath": ("/dev/termination-log",),
    "terminationMessagePolicy": ("File",),
    "defaultMode": (420,),
    "scheme": ("HTTP",),
    "periodSeconds": (10,),
    "timeoutSeconds": (1, 10),
    "successThreshold": (1,),
    "failureThreshold": (3,),
    "type": ("ClusterIP", "RollingUpdate", "Opaque"),
    "sessionAffinity": ("None",),
    "volumeMode": ("Filesystem",),
    "replicas": (1,),
    "revisionHistoryLimit": (10,),
    "apiGroup": ("rbac.authorization.k8s.io",),
    "policyTypes": (["Ingress"],),
}
"""Default values that some configs state and others leave out."""
SUFFIXES = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
EMPTY_METADATA: dict[str, tuple[Any, ...]] = {
    "creationTimestamp": (None, None, None, "2020-01-01T00:00:00Z"),
    "labels": (None, {}),
    "annotations": (None, {}),
    "ownerReferences": (None, []),
    "finalizers": (None, []),
    "managedFields": (None, []),
    "generation": (0, 1, 5, None),
    "selfLink": ("", "/x", None),
    "generateName": ("", None),
    "deletionTimestamp": (None,),
    "deletionGracePeriodSeconds": (None,),
    "resourceVersion": ("", None),
    "uid": ("", None),
}
"""Metadata values that exporters and code generators write, with little or no meaning."""


class Respeller:
    """Spells configs of one kind in other ways."""

    def __init__(self, random: Random, schema: Schema) -> None:
        self.random, self.schema = random, schema

    def respelled(self, config: Object, live: Object | None, rate: float) -> Object:
        """A copy of a config in which each way of spelling occurs with a probability."""
        found = deepcopy(config)
        ways: list[Callable[[Object, Object | None], None]] = [
            *(self.quantities, self.timestamps, self.status, self.empties, self.explicit_defaults),
            *(self.implicit_defaults, self.fractions, self.shuffled, self.metadata, self.string_data, self.wrong_types),
        ]
        for way in ways:
            if self.random.random() < rate * (0.15 if way == self.wrong_types else 1):
                way(found, live)
        return found

    def places(self, value: Any, rule: Rule, path: tuple[Any, ...] = ()) -> Iterator[Place]:
        """Every place of an object with its value and its rule."""
        yield path, value, rule
        if rule.kind == "list" and isinstance(value, list):
            for index, item in enumerate(value):
                yield from self.places(item, self.schema.inside(rule)[0], (*path, index))
        elif isinstance(value, dict):
            for key, item in value.items():
                inner = self.schema.field(rule, key)
                if inner is not None:
                    yield from self.places(item, inner, (*path, key))

    def all_places(self, document: Object) -> list[Place]:
        """The places of a document, before anything changes."""
        return list(self.places(document, self.schema.type.rule))

    def quantities(self, document: Object, live: Object | None) -> None:
        for path, value, rule in self.all_places(document):
            if rule.kind == "primitive" and rule.of == "quantity" and self.random.random() < 0.7:
                put(document, path, self.random.choice(spellings(value)))

    def timestamps(self, document: Object, live: Object | None) -> None:
        """Add `creationTimestamp: null` to metadata, as code generators do; respell times."""
        for path, value, rule in self.all_places(document):
            if path[-1:] == ("metadata",) and isinstance(value, dict) and rule.of == "meta_v1.ObjectMeta":
                if self.random.random() < 0.8:
                    value["creationTimestamp"] = None
            elif isinstance(value, str) and value.endswith("00Z") and str(path[-1]).endswith(TIMES):
                put(document, path, self.random.choice((value, f"{value[:-1]}+00:00", f"{value[:-1]}.000Z")))

    def status(self, document: Object, live: Object | None) -> None:
        """State an empty status, or that of the live object."""
        if self.schema.field(self.schema.type.rule, "status") is None and "status" not in (live or {}):
            return
        choices: list[Any] = [{}, {}, {}, None]
        if live and live.get("status"):
            choices.append(deepcopy(live["status"]))
        document["status"] = self.random.choice(choices)

    def empties(self, document: Object, live: Object | None) -> None:
        """Add empty values of fields that the config lacks."""
        for _ in range(self.random.choice((1, 1, 2, 4))):
            structs = [
                (value, holder.fields)
                for path, value, rule in self.all_places(document)
                if isinstance(value, dict) and (holder := self.schema.struct(rule)) and "metadata" not in path[:1]
            ]
            value, fields = self.random.choice(structs)
            names = [name for name in fields if name not in value and name not in NEVER_EMPTY]
            if names:
                name = self.random.choice(names)
                value[name] = self.empty(fields[name])

    def empty(self, rule: Rule) -> Any:
        """An empty value of a type."""
        if rule.kind == "list":
            return self.random.choice(([], [], None))
        if rule.kind == "map":
            return self.random.choice(({}, None))
        if rule.of == "boolean":
            return self.random.choice((False, None))
        if rule.of in ("integer", "number"):
            return self.random.choice((0, None, None))
        return self.random.choice(("", None, None))

    def explicit_defaults(self, document: Object, live: Object | None) -> None:
        """State values that the live object has and the config lacks."""
        share = self.random.choice((0.05, 0.2, 1.0))
        if live:
            self._stated(document, {key: inner for key, inner in live.items() if key != "status"}, share)

    def _stated(self, config: Any, live: Any, share: float, name: str = "") -> None:
        if isinstance(config, dict) and isinstance(live, dict):
            for key, inner in live.items():
                if name == "metadata" and key not in ("labels", "annotations", "finalizers"):
                    continue
                if key in config:
                    self._stated(config[key], inner, share, key)
                elif self.random.random() < share and not key.startswith("kubectl.kubernetes.io/"):
                    config[key] = deepcopy(inner)
        elif isinstance(config, list) and isinstance(live, list):
            for one, other in zip(config, live, strict=False):
                self._stated(one, other, share)

    def implicit_defaults(self, document: Object, live: Object | None) -> None:
        """Leave out stated default values."""
        for path, value, _ in reversed(self.all_places(document)):
            if path and value in DEFAULTS.get(str(path[-1]), ()) and self.random.random() < 0.7:
                del at(document, path[:-1])[path[-1]]

    def fractions(self, document: Object, live: Object | None) -> None:
        """Write whole numbers as floating-point numbers."""
        for path, value, rule in self.all_places(document):
            if type(value) is int and rule.of in ("integer", "int-or-string") and self.random.random() < 0.3:
                put(document, path, float(value))

    def shuffled(self, document: Object, live: Object | None) -> None:
        """Change the order of lists."""
        for _, value, _ in self.all_places(document):
            if isinstance(value, list) and self.random.random() < 0.4:
                self.random.shuffle(value)

    def metadata(self, document: Object, live: Object | None) -> None:
        """Add oddities to metadata."""
        metadata = document["metadata"]
        for name in self.random.sample([*EMPTY_METADATA], self.random.choice((1, 1, 2, 3))):
            if not metadata.get(name) or self.random.random() < 0.2:
                metadata[name] = deepcopy(self.random.choice(EMPTY_METADATA[name]))
        if live and self.random.random() < 0.2:
            for name in ("uid", "resourceVersion", "creationTimestamp", "generation", "selfLink"):
                if name in live["metadata"] and self.random.random() < 0.6:
                    metadata[name] = live["metadata"][name]

    def string_data(self, document: Object, live: Object | None) -> None:
        """Write values of a Secret as text."""
        if document["kind"] != "Secret" or document["apiVersion"] != "v1":
            return
        data, texts = document.get("data"), document.get("stringData") or {}
        if not isinstance(data, dict) or not isinstance(texts, dict):
            return
        for key in list(data):
            if isinstance(data[key], str) and self.random.random() < 0.6:
                texts[key] = {"MQ==": "1", "Mg==": "2", "Mw==": "3"}.get(data[key], "4")
                document["stringData"] = texts
                if self.random.random() < 0.7:
                    del data[key]

    def wrong_types(self, document: Object, live: Object | None) -> None:
        """Give one scalar another type."""
        scalars = [one for one in self.all_places(document) if one[2].kind == "primitive" and len(one[0]) > 1]
        if scalars:
            path, value, _ = self.random.choice(scalars)
            put(document, path, self.random.choice((str(value), 5, True, "", {}, [], [None], None)))


def at(document: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        document = document[step]
    return document


def put(document: Any, path: tuple[Any, ...], value: Any) -> None:
    at(document, path[:-1])[path[-1]] = value


def spellings(value: Any) -> list[Any]:
    """Ways to write a quantity."""
    text = str(value)
    suffix = next((one for one in sorted([*SUFFIXES, "m"], key=len, reverse=True) if text.endswith(one)), "")
    factor = Decimal("0.001") if suffix == "m" else Decimal(SUFFIXES.get(suffix, 1))
    try:
        number = Decimal(text[: len(text) - len(suffix)]) * factor
    except ArithmeticError:
        return [value]
    found: list[Any] = [value, f"{number.normalize():f}", f"{(number * 1000).normalize():f}m", float(number)]
    if number == int(number):
        found += [int(number), f"{int(number)}.0"]
        found += [f"{int(number) // size}{one}" for one, size in SUFFIXES.items() if number and number % size == 0]
    return found
