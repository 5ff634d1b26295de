"""The identity of list elements, in every release."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine import BadMergeKey, MissingMergeKey, MixedElements, RepeatedElement, Rule
from engine.tables.identity import ElementFinder, ElementLabels, Keys, index_unique, matches_step
from engine.tables.rules import Type


def keys_of(kind: tuple[str, str], path: str, release: str = "1.37") -> Keys:
    schema = engine.load(release).schema(*kind)
    rule = schema.rule(path)
    assert rule is not None
    return Keys(rule, schema.types)


SERVICE, POD = ("v1", "Service"), ("v1", "Pod")
PORTS = keys_of(SERVICE, "spec.ports")
FINALIZERS = keys_of(SERVICE, "metadata.finalizers")
SPREAD = keys_of(POD, "spec.topologySpreadConstraints")
DEVICES = keys_of(("resource.k8s.io/v1", "ResourceClaim"), "status.devices")
SERVERS = keys_of(("internal.apiserver.k8s.io/v1alpha1", "StorageVersion"), "status.storageVersions")


@pytest.mark.parametrize("release", engine.releases())
def test_the_protocol_of_a_port_is_a_key_in_every_release(release: str) -> None:
    """Specifications of 1.7 to 1.13 do not state it."""
    for kind, path, merge_key in (SERVICE, "spec.ports", "port"), (POD, "spec.containers.ports", "containerPort"):
        keys = keys_of(kind, path, release)
        assert (keys.merge_key, keys.names, keys.extra) == (merge_key, (merge_key, "protocol"), ("protocol",))
        assert keys.defaults == {merge_key: None, "protocol": "TCP"}


def test_the_merge_key_comes_first() -> None:
    assert Keys(Rule("list", None, "merge", "b", "map", ("a", "b", "c")), None).names == ("b", "a", "c")


def test_without_a_merge_key_all_keys_count_and_one_of_them_is_enough() -> None:
    assert (DEVICES.merge_key, DEVICES.extra) == (None, ())
    assert DEVICES.full({"driver": "d", "pool": "p"}) is not None
    assert DEVICES.full({"driver": "d", "pool": "p"}) == DEVICES.full({"driver": "d", "pool": "p", "device": ""})
    assert DEVICES.full({"driver": "d"}) != DEVICES.full({"driver": "d", "shareID": ""}), "a key without a default"
    assert DEVICES.full({"conditions": []}) == DEVICES.full({"driver": ""}), "as server-side apply sees it"
    assert SERVERS.full({"encodingVersion": "v1"}) is None
    assert DEVICES.merged_by({"driver": "d"}) is None


def test_keys_without_the_merge_key_do_not_identify_merged_elements() -> None:
    assert Keys(Rule("list", None, "merge", "a", "map", ("b",)), None).names == ("a",)
    assert Keys(Rule("list", None, "merge", "a", "atomic"), None).names == ("a",)


SAME: dict[str, tuple[Keys, Any, Any]] = {
    "a default": (PORTS, {"port": 53}, {"port": 53, "protocol": "TCP"}),
    "a null": (PORTS, {"port": 53, "protocol": None}, {"port": 53, "protocol": "TCP"}),
    "other fields": (PORTS, {"port": 53, "name": "a"}, {"port": 53, "name": "b"}),
    "no default": (SPREAD, {"topologyKey": "a"}, {"topologyKey": "a", "whenUnsatisfiable": None}),
    "scalars": (FINALIZERS, "a", "a"),
}
OTHERS: dict[str, tuple[Keys, Any, Any]] = {
    "another protocol": (PORTS, {"port": 53}, {"port": 53, "protocol": "UDP"}),
    "a boolean": (PORTS, {"port": 1}, {"port": True}),
    "a float": (PORTS, {"port": 1}, {"port": 1.0}),
    "a text": (PORTS, {"port": 1}, {"port": "1"}),
    "scalars of other types": (FINALIZERS, 1, True),
}


@pytest.mark.parametrize("case", SAME.values(), ids=SAME)
def test_equal_identities(case: tuple[Keys, Any, Any]) -> None:
    keys, one, other = case
    assert keys.full(one) == keys.full(other) is not None
    assert keys.step(one) == keys.step(other)
    assert not keys.extra or keys.same_extra(one, other)
    with pytest.raises(RepeatedElement):
        keys.check_unique([one, other])


@pytest.mark.parametrize("case", OTHERS.values(), ids=OTHERS)
def test_different_identities(case: tuple[Keys, Any, Any]) -> None:
    keys, one, other = case
    assert keys.full(one) != keys.full(other)
    assert not keys.extra or keys.merged_by(one) != keys.merged_by(other) or not keys.same_extra(one, other)
    keys.check_unique([one, other])


LACKING: dict[str, tuple[Keys, Any, type[engine.MergeError]]] = {
    "no merge key": (PORTS, {"protocol": "UDP"}, MissingMergeKey),
    "a null for it": (PORTS, {"port": None}, MissingMergeKey),
    "a map for it": (PORTS, {"port": {}}, BadMergeKey),
    "a list for another key": (PORTS, {"port": 53, "protocol": []}, BadMergeKey),
    "no map": (PORTS, 53, MixedElements),
    "nothing": (PORTS, None, MixedElements),
    "none of the keys": (SERVERS, {}, MissingMergeKey),
    "a map among scalars": (FINALIZERS, {}, BadMergeKey),
    "a null among scalars": (FINALIZERS, None, MixedElements),
}


@pytest.mark.parametrize("case", LACKING.values(), ids=LACKING)
def test_an_element_without_an_identity(case: tuple[Keys, Any, type[engine.MergeError]]) -> None:
    keys, item, error = case
    assert keys.full(item) is None
    assert keys.step(item) is None
    with pytest.raises(error):
        keys.required(item)


def test_merge_key_value_is_unchanged() -> None:
    assert PORTS.key_value({"port": None}) is None
    with pytest.raises(MissingMergeKey):
        PORTS.key_value({"protocol": "TCP"})


def test_elements_are_named_by_the_merge_key_if_unique() -> None:
    dns, udp, web = {"port": 53}, {"port": 53, "protocol": "UDP"}, {"port": 80}
    labels = ElementLabels(PORTS, [dns, web], [dns, udp, web])
    assert labels.of(udp) == (("port", 53), ("protocol", "UDP"))
    assert labels.of(dns) == (("port", 53), ("protocol", "TCP"))
    assert labels.of(web) == (("port", 80),)
    assert labels.of({}) is None
    assert ElementLabels(FINALIZERS, ["a"]).of("a") == (("", "a"),)


def test_list_is_indexed_by_the_requested_identity() -> None:
    ports = [{"port": 53}, {"port": 53, "protocol": "UDP"}]
    found = index_unique(ports, PORTS.full)
    assert found is not None
    assert [*found.values()] == ports
    assert index_unique(ports, PORTS.merged_by) is None
    assert index_unique([{}], PORTS.full) is None


def test_step_matches_elements_with_these_keys() -> None:
    assert matches_step({"port": 53, "protocol": "UDP"}, (("port", 53), ("protocol", "UDP")))
    assert not matches_step({"port": 53}, (("port", 53), ("protocol", "UDP")))
    assert not matches_step({"port": True}, (("port", 1),))
    assert matches_step("a", (("", "a"),))
    assert not matches_step("port", (("port", 53),))


def test_types_with_other_fields_differ() -> None:
    text, number = Rule("primitive"), Rule("list")
    first = Type("a", text, {"f": text})
    assert first == Type("a", text, {"f": text})
    assert first not in (Type("b", text, {"f": text}), Type("a", number, {"f": text}))
    assert first not in (Type("a", text, {}), Type("a", text, {"f": number}))


def test_elements_are_found_by_their_steps_as_one_by_one() -> None:
    items: list[Any] = [
        *(
            {"a": 1},
            {"a": True},
            {"a": 1.0},
            {"a": None},
            {},
            {"a": "1", "b": 2},
            {"b": 2},
            {"a": {"c": 1}},
            {"a": [1]},
        ),
        *({"a": [1]}, 1, "1", True, None, {"a": 1}, [1]),
    ]
    values: list[Any] = [1, True, 1.0, None, "1", {"c": 1}, [1], 2, {"a": 1}]
    steps = [((name, value),) for name in ("a", "b", "") for value in values]
    finder = ElementFinder()
    for step in [*steps, *[(("a", one), ("b", other)) for one in values for other in values]]:
        places = [place for place, item in enumerate(items) if matches_step(item, step)]
        assert [*finder.places(items, step)] == places, step
