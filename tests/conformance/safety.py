"""What safe merging promises, on random triples: the patch is applied by the exact rules, and the result judged.

`python -m tests.conformance.safety --count 100000 --seed 1` prints a triple for which a promise is broken. It also
counts how the patches come about, and fails where the ways out that are meant for rare documents become common.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from copy import deepcopy
from random import Random
from typing import TYPE_CHECKING, Any

import engine

from .draw import Draw
from .generate import triple
from .random_inputs import SCHEMAS
from .schemas import engine_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from engine import Rule, Schema

ABSENT: Any = object()
LIMITS = {"rewritten": 0.2, "a map replaced": 0.01, "whole object": 0.001}
"""The largest share of the patches of each way but the exact one. Of random triples, which are full of hazards, 15 in a
hundred are rewritten, one in a thousand replaces a map, and none the whole object."""

DIRECTIVES = ("$patch", "$retainKeys", "$setElementOrder", "$deleteFromPrimitiveList")


def same(left: Any, right: Any) -> bool:
    """Equality by JSON type."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


def listed(value: Any) -> list[Any]:
    """The value, if it is a list; else an empty one."""
    return value if isinstance(value, list) else []


def without_nulls(value: Any) -> Any:
    """A value as data: no field of a map is null."""
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [without_nulls(item) for item in value]
    return value


class Judge:
    """Compares what came out with what was promised, by the rules of one schema."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema

    def maps(
        self, config: Any, last: Any, live: Any, merged: Any, rule: Rule | None, *, retains: bool = False
    ) -> Iterator[str]:
        """What is wrong with a merged map."""
        last = last if isinstance(last, dict) else {}
        drops = retains and any(value is not None for value in config.values())
        for key in {**config, **live, **merged}:
            one, two, three, four = (value.get(key, ABSENT) for value in (config, last, live, merged))
            for fault in self.field(one, two, three, four, self.rule(rule, key), drops):
                yield f"{key}.{fault}"

    def field(self, config: Any, last: Any, live: Any, merged: Any, rule: Rule | None, drops: bool) -> Iterator[str]:
        """What is wrong with one field."""
        if config is None:
            if merged is not ABSENT and live is not None:
                yield "null in config, and still there"
        elif config is not ABSENT:
            yield from self.wanted(config, last, live, merged, rule)
        elif live is ABSENT:
            yield "out of nowhere"
        elif drops:
            if merged is not ABSENT:
                yield "kept, though config retains only its own keys"
        elif last is not ABSENT:
            yield from self.dropped(last, live, merged, rule)
        elif merged is ABSENT or not same(live, merged):
            yield "only live has it, and it was lost or changed"

    def wanted(self, config: Any, last: Any, live: Any, merged: Any, rule: Rule | None) -> Iterator[str]:
        """What is wrong with a field that config has."""
        strategies = rule.strategies if rule else ()
        if merged is ABSENT:
            yield "in config, and lost"
        elif isinstance(config, dict) and isinstance(live, dict) and "replace" not in strategies:
            yield from self.maps(config, last, live, merged, rule, retains="retainKeys" in strategies)
        elif isinstance(config, list) and isinstance(live, list) and rule and self.merges(rule):
            yield from self.elements(config, last, live, merged, rule)
        elif not same(without_nulls(config), merged):
            yield "not as config says"

    def dropped(self, last: Any, live: Any, merged: Any, rule: Rule | None) -> Iterator[str]:
        """What is wrong with a field that config has no more."""
        strategies = rule.strategies if rule else ()
        if isinstance(last, dict) and isinstance(live, dict) and "replace" not in strategies and rule:
            if self.rule(rule, "") is not None or rule.kind == "map":
                yield from self.maps({}, last, live, {} if merged is ABSENT else merged, rule)
        elif isinstance(last, list) and isinstance(live, list) and rule and self.merges(rule):
            yield from self.elements([], last, live, [] if merged is ABSENT else merged, rule)
        elif merged is not ABSENT:
            yield "dropped from config, and still there"

    def elements(self, config: Any, last: Any, live: Any, merged: Any, rule: Rule) -> Iterator[str]:
        """What is wrong with a list that merges."""
        ours, lives, there = ([self.name(item, rule) for item in items] for items in (config, live, merged))
        lasts = [self.name(item, rule) for item in last] if isinstance(last, list) else []
        counted = Counter(there)
        for name, item in zip(ours, config, strict=True):
            if counted[name] != 1:
                yield f"[{name}] {counted[name]} times, and once in config"
            elif rule.merge_key:
                first = lives.index(name) if name in lives else None
                four = (
                    item,
                    self.find(last, lasts, name),
                    live[first] if first is not None else {},
                    merged[there.index(name)],
                )
                if first is None:
                    if not same(without_nulls(item), four[3]):
                        yield f"[{name}] new, and not as config says"
                else:
                    inner = self.schema.inside(rule)[0]
                    yield from self.maps(*four, inner, retains="retainKeys" in rule.strategies)
        gone = [name for name in lasts if name not in ours and name in counted]
        if gone:
            yield f"{gone} dropped from config, and still there"
        theirs = [name for name in lives if name not in ours and name not in lasts]
        kept = [name for name in there if name not in ours]
        if not rule.merge_key:
            kept, theirs = [*dict.fromkeys(kept)], [*dict.fromkeys(theirs)]
        if kept != theirs:
            yield f"live had {theirs} besides, and {kept} came out"
        if [name for name in there if name in ours] != ours and not gone:
            yield f"the order is {there} and not {ours}"

    def is_plain(self, config: Any, last: Any, live: Any, rule: Rule | None) -> bool:
        """Whether three maps hold no list that hides an element, and config drops nothing that holds more."""
        last = last if isinstance(last, dict) else {}
        for key in {**config, **last, **live}:
            inner = self.rule(rule, key)
            one, two, three = (value.get(key, ABSENT) for value in (config, last, live))
            lists = [value for value in (one, two, three) if isinstance(value, list)]
            if one is ABSENT and two is not ABSENT and (three is ABSENT or (isinstance(three, (dict, list)) and three)):
                return False
            if lists and inner and "merge" in inner.strategies:
                if not self.is_plain_list(listed(one), listed(two), listed(three), inner):
                    return False
            elif isinstance(one, dict):
                if not self.is_plain(one, two, three if isinstance(three, dict) else {}, inner):
                    return False
            elif isinstance(one, list) and inner and not all(map(self.is_plain_element(inner), one)):
                return False
        return True

    def is_plain_element(self, rule: Rule) -> Callable[[Any], bool]:
        """The same for the elements of a list that is replaced."""
        inner = self.schema.inside(rule)[0]
        return lambda item: not isinstance(item, dict) or self.is_plain(item, {}, {}, inner)

    def is_plain_list(self, config: Any, last: Any, live: Any, rule: Rule) -> bool:
        """The same for lists that merge: every element is one of a kind, has its keys, and none is dropped."""
        if not rule.merge_key:
            return (
                not (live or last) and all(isinstance(item, str) for item in config) and len(set(config)) == len(config)
            )
        names: dict[Any, str] = {}
        for items in (config, last, live):
            keys = [item.get(rule.merge_key) if isinstance(item, dict) else None for item in items]
            if len(set(map(str, keys))) < len(keys) or not all(isinstance(key, str) and key for key in keys):
                return False
            if any(isinstance(item.get(key), (dict, list)) for item in items for key in self.keys(rule)):
                return False
            if any(
                names.setdefault(key, self.name(item, rule)) != self.name(item, rule)
                for key, item in zip(keys, items, strict=True)
            ):
                return False
        if any(item[rule.merge_key] not in {one[rule.merge_key] for one in config} for item in last):
            return False
        inner = self.schema.inside(rule)[0]
        by_key = [{item[rule.merge_key]: item for item in items} for items in (last, live)]
        return all(
            self.is_plain(item, by_key[0].get(item[rule.merge_key]), by_key[1].get(item[rule.merge_key], {}), inner)
            for item in config
        )

    def merges(self, rule: Rule) -> bool:
        """Whether the elements of a list merge; lists of lists do not, whatever their strategy says."""
        return "merge" in rule.strategies and self.schema.inside(rule)[0].kind != "list"

    def find(self, items: Any, names: list[Any], name: Any) -> Any:
        """The element of that name in a list that may not be one."""
        return items[names.index(name)] if name in names else ABSENT

    def name(self, item: Any, rule: Rule) -> str:
        """What identifies an element: all of its keys, with their defaults."""
        if not rule.merge_key or not isinstance(item, dict):
            return json.dumps(item)
        keys = self.keys(rule)
        return json.dumps([keys[key] if item.get(key) is None else item[key] for key in sorted(keys)])

    def keys(self, rule: Rule) -> dict[str, Any]:
        """The keys of a list's elements with their defaults.

        The API had two ports 53 long before its specification said that the protocol is a key: what has a default
        for a key is one, also where the keys are only derived.
        """
        struct = self.schema.inside(rule)[1]
        known = {name: field.default for name, field in struct.fields.items()} if struct else {}
        names = [str(rule.merge_key), *(rule.map_keys if rule.merge_key in rule.map_keys else ())]
        if known.get(str(rule.merge_key)) in ("", 0) and not self.sends_zero(rule):
            known[str(rule.merge_key)] = None
        return {name: default for name, default in known.items() if name in names or (rule.derived and default)}

    def sends_zero(self, rule: Rule) -> bool:
        """Whether an element may lack its merge key because "" or 0 stands for it."""
        return False

    def rule(self, rule: Rule | None, key: str) -> Rule | None:
        """The rule of a field below one."""
        if rule is None:
            return None
        if rule.kind == "any":
            return rule
        struct = self.schema.struct(rule)
        fields = struct.fields if struct else {}
        # Like the reference, a field is also known by its name in another case.
        return fields.get(key) or {name.lower(): field for name, field in fields.items()}.get(key.lower())


def leaks(value: Any) -> bool:
    """Whether a directive stands anywhere in the value."""
    if isinstance(value, dict):
        return any(key.startswith(DIRECTIVES) or leaks(item) for key, item in value.items())
    return isinstance(value, list) and any(map(leaks, value))


def faults(last: Any, config: Any, live: Any, schema: Schema) -> list[str] | None:
    """Every promise that is broken for a triple; None where safe merging refuses the documents."""
    exact = exactly(last, config, live, schema) if plain(last, config, live, schema) else None
    try:
        patch = engine.three_way_patch(last, config, live, schema, safe=True)
    except engine.MergeError as error:
        return None if exact is None else [f"refused, but there is nothing wrong: {error}"]
    merged = engine.apply_patch(live, patch, schema)
    found = list(Judge(schema).maps(config, last, live, merged, schema.type.rule))
    if same(merged, live) and patch:
        found.append(f"the patch changes nothing, and is not empty: {patch}")
    if leaks(merged):
        found.append("a directive is in the result")
    if exact is not None and not same(exact, merged):
        found.append("there is no hazard, and it is not the exact merge")
    found += second_apply(config, merged, schema)
    return found


def way(last: Any, config: Any, live: Any, schema: Schema) -> str:
    """How the patch of safe merging came about, read off the patch itself."""
    try:
        patch = engine.three_way_patch(last, config, live, schema, safe=True)
    except engine.MergeError:
        return "refused"
    if patch.get("$patch") == "replace":
        return "whole object"
    if not patch:
        return "nothing to do"
    if replaces_a_map(patch):
        return "a map replaced"
    try:
        return "exact" if same(patch, engine.three_way_patch(last, config, live, schema)) else "rewritten"
    except engine.MergeError:
        return "rewritten"


def replaces_a_map(patch: Any) -> bool:
    """Whether some map in the patch is sent whole; one that is nothing but a directive stands for a list."""
    if isinstance(patch, dict):
        return (patch.get("$patch") == "replace" and len(patch) > 1) or any(map(replaces_a_map, patch.values()))
    return isinstance(patch, list) and any(map(replaces_a_map, patch))


def too_many(ways: Counter[str]) -> list[str]:
    """The ways that more patches took than is right."""
    patches = sum(ways.values()) - ways["refused"]
    return [
        f"{ways[one]} of {patches} patches are {one!r}; at most {limit:.1%} should be"
        for one, limit in LIMITS.items()
        if ways[one] > limit * patches
    ]


def exactly(last: Any, config: Any, live: Any, schema: Schema) -> Any:
    """What the exact merge comes to; None where it is refused."""
    try:
        return engine.apply_patch(live, engine.three_way_patch(last, config, live, schema), schema)
    except engine.MergeError:
        return None


def second_apply(config: Any, merged: Any, schema: Schema) -> Iterator[str]:
    """What is wrong when nothing has changed since."""
    try:
        again = engine.three_way_patch(config, config, merged, schema, safe=True)
    except engine.MergeError as error:
        yield f"applied again, the API server rejects it: {error}"
    else:
        if again:
            yield f"applied again, it still finds something to do: {again}"


def plain(last: Any, config: Any, live: Any, schema: Schema) -> bool:
    """Whether the documents hold nothing that safe merging is there for; then it has to be the exact merge."""
    if leaks(last) or leaks(config) or not same(config, without_nulls(config)) or not same(last, without_nulls(last)):
        return False
    return Judge(schema).is_plain(config, last, live, schema.type.rule)


def triples(count: int, seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Random triples of real kinds. A live object has no directives in it: no server keeps them."""
    names = list(SCHEMAS)
    found = number = 0
    while found < count:
        name = names[number % len(names)]
        drawn = triple(Draw(engine_schema(name), Random(f"{seed} {number}"), 3))
        number += 1
        if all(isinstance(document, dict) for document in drawn.values()) and not leaks(drawn["live"]):
            found += 1
            yield name, {**drawn, "live": without_nulls(drawn["live"])}


PORTS = {"v1 Service": ("port", "targetPort"), "v1 Pod": ("containerPort", "hostPort")}
"""The kinds with ports: the merge key of a port, and another field of it."""


def port_triples(kind: str, release: str, count: int) -> Iterator[dict[str, Any]]:
    """Triples in which several protocols share a port; a port may leave its protocol to the default."""
    for number in range(count):
        random = Random(f"{kind} {release} {number}")
        last = ports(random, *PORTS[kind], ())
        theirs = [{**port, "protocol": port.get("protocol", "TCP")} for port in ports(random, *PORTS[kind], last)]
        random.shuffle(theirs)
        found = {"last_applied": last, "config": ports(random, *PORTS[kind], last), "live": theirs}
        yield {name: with_ports(kind, value) for name, value in found.items()}


def ports(random: Random, key: str, other: str, known: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Some ports that are told apart by number and protocol; most of those that are known, mostly unchanged."""
    found = {(port[key], port.get("protocol", "TCP")): port for port in known if random.random() < 0.8}
    for _ in range(random.randint(0 if found else 1, 3)):
        number, protocol = random.choice((53, 53, 80)), random.choice((None, "TCP", "UDP", "SCTP"))
        port: dict[str, Any] = {key: number, "name": random.choice("abc"), other: random.choice((1, 2, 3))}
        found[number, protocol or "TCP"] = port if protocol is None else {**port, "protocol": protocol}
    kept = list(found.values())
    if random.random() < 0.3:
        random.shuffle(kept)
    return deepcopy(kept)


def with_ports(kind: str, found: list[dict[str, Any]]) -> dict[str, Any]:
    """The spec of an object of the kind with these ports."""
    return {"spec": {"ports": found} if kind == "v1 Service" else {"containers": [{"name": "web", "ports": found}]}}


def main() -> int:
    """Judge as many triples as asked for; exit 1 at the first broken promise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    plain_ones = 0
    ways: Counter[str] = Counter()
    for name, drawn in triples(options.count, options.seed):
        given = drawn["last_applied"], drawn["config"], drawn["live"], engine_schema(name)
        plain_ones += plain(*given)
        ways[way(*given)] += 1
        found = faults(*given)
        if found:
            print(json.dumps({"schema": name, **drawn}, ensure_ascii=False))
            print(*found, sep="\n")
            return 1
    common = too_many(ways)
    print(
        f"no promise broken; {plain_ones} triples without a hazard; the patches: {dict(ways.most_common())}",
        *common,
        sep="\n",
    )
    return 1 if common else 0


if __name__ == "__main__":
    sys.exit(main())
