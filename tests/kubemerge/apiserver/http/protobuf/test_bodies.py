"""Invalid protobuf bodies have the errors of a real API server of 1.37. Valid ones are stored like JSON."""

from __future__ import annotations

import random
from base64 import b64decode

import pytest

from kubemerge.apiserver.http.protobuf import BadBody, decode_body, decode_options
from kubemerge.cluster import open_cluster
from tests.conftest import clock

from .test_objects import RECORDED

SCHEME = 'in scheme "pkg/runtime/scheme.go:111"'


def varint(value: int) -> bytes:
    found = b""
    while value > 127:
        found, value = found + bytes([value & 127 | 128]), value >> 7
    return found + bytes([value])


def sized(number: int, content: bytes) -> bytes:
    """A field with a length."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def body(api_version: str, kind: str, raw: bytes) -> bytes:
    return b"k8s\0" + sized(1, sized(1, api_version.encode()) + sized(2, kind.encode())) + sized(2, raw)


NAMED = sized(1, sized(1, b"x1"))
CANNOT = 'ConfigMap in version "v1" cannot be handled as a ConfigMap: '
UNKNOWN = "the object provided is unrecognized (must be of type ConfigMap): "
NO_MARK = "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]"
REFUSED = {
    "another kind": (
        body("v1", "Foo", NAMED),
        f'Foo in version "v1" cannot be handled as a ConfigMap: no kind "Foo" is registered for version "v1" {SCHEME}',
    ),
    "another version": (
        body("v9", "ConfigMap", NAMED),
        'ConfigMap in version "v9" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version '
        f'"v9" {SCHEME}',
    ),
    "a tag without a field": (body("v1", "ConfigMap", NAMED + b"\x0a\xff"), CANNOT + "unexpected EOF"),
    "the end of a group": (
        body("v1", "ConfigMap", b"\x0c"),
        CANNOT + "proto: ConfigMap: wiretype end group for non-group",
    ),
    "another wire type": (
        body("v1", "ConfigMap", b"\x22\x00"),
        CANNOT + "proto: wrong wireType = 2 for field Immutable",
    ),
    "a long number": (body("v1", "ConfigMap", b"\x20" + b"\xff" * 11), CANNOT + "proto: integer overflow"),
    "a length below zero": (
        body("v1", "ConfigMap", b"\x0a" + b"\xff" * 9 + b"\x01"),
        CANNOT + "proto: negative length found during unmarshaling",
    ),
    "a length beyond the end": (body("v1", "ConfigMap", b"\x0a\xff\xff\xff\xff\x07"), CANNOT + "unexpected EOF"),
    "no field": (body("v1", "ConfigMap", b"\x02\x00"), CANNOT + "proto: ConfigMap: illegal tag 0 (wire type 2)"),
    "an unknown wire type": (body("v1", "ConfigMap", b"\xff\x7f"), CANNOT + "proto: illegal wireType 7"),
    "a group that does not end": (body("v1", "ConfigMap", b"\xfb\x7f" * 9), CANNOT + "unexpected EOF"),
    "half an envelope": (b"k8s\0\x0a\xff", UNKNOWN + "unexpected EOF (6b3873000aff)"),
    "no envelope": (b"k8s\0", UNKNOWN + "empty body (6b387300)"),
    "half a mark": (b"k8s", f"{UNKNOWN}{NO_MARK} (6b3873)"),
    "JSON": (b'{"kind":"ConfigMap","apiVersion":"v1"}', f'{UNKNOWN}{NO_MARK} ({{"kind":"ConfigMap","apiVersio ...)'),
    "nothing": (b"", UNKNOWN + "empty data (<empty>)"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read(name: str) -> None:
    given, why = REFUSED[name]
    with pytest.raises(BadBody) as caught:
        decode_body(given, "v1", "ConfigMap")
    assert str(caught.value) == why
    assert caught.value.code == 400


def test_a_quantity_that_is_not_one() -> None:
    limits = sized(8, sized(1, sized(1, b"cpu") + sized(2, sized(1, b"1x"))))
    pod = sized(2, sized(2, sized(1, b"c") + limits))
    with pytest.raises(BadBody, match=r'^Pod in version "v1" cannot be handled as a Pod: quantities must match the'):
        decode_body(body("v1", "Pod", pod), "v1", "Pod")


OPTIONS = {
    "a mark": (b"k8s", NO_MARK),
    "a tag": (b"k8s\0\x0a\xff", "unexpected EOF"),
    "a kind": (body("v1", "Foo", b""), f'no kind "Foo" is registered for version "v1" {SCHEME}'),
    "a field": (body("v1", "DeleteOptions", b"\x0a\x01"), "proto: wrong wireType = 2 for field GracePeriodSeconds"),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_options_that_cannot_be_read(name: str) -> None:
    given, why = OPTIONS[name]
    with pytest.raises(BadBody) as caught:
        decode_options(given)
    assert str(caught.value) == why


@pytest.mark.parametrize("api_version", ["v1", "apps/v1", "meta.k8s.io/v1", ""])
def test_options_of_a_deletion(api_version: str) -> None:
    raw = b"\x08\x05" + sized(2, sized(1, b"u")) + sized(4, b"Foreground") + sized(5, b"All")
    found = decode_options(body(api_version, "DeleteOptions", raw))
    assert {name: found[name] for name in found if name not in ("kind", "apiVersion")} == {
        "gracePeriodSeconds": 5,
        "preconditions": {"uid": "u"},
        "propagationPolicy": "Foreground",
        "dryRun": ["All"],
    }


def test_unknown_fields_are_left_out() -> None:
    more = b"\xf8\x7f\x05" + b"\xf9\x7f" + bytes(8) + sized(14, b"x") + b"\xfd\x7f" + bytes(4) + b"\xfb\x7f\xfc\x7f"
    assert decode_body(body("v1", "ConfigMap", NAMED + more), "v1", "ConfigMap")["metadata"] == {"name": "x1"}


def test_what_is_sent_in_pieces_is_put_together() -> None:
    """As protobuf defines it: the last value stays, and messages are merged."""
    raw = NAMED + sized(1, sized(3, b"shop")) + b"\x20\x01\x20\x00"
    found = decode_body(body("v1", "ConfigMap", raw), "v1", "ConfigMap")
    assert found["metadata"] == {"name": "x1", "namespace": "shop"}
    assert found["immutable"] is False


def test_numbers_in_one_field_are_read_one_by_one() -> None:
    """Go writes a field for each number, and other languages write one for all."""
    groups = sized(4, varint(5) + varint(300))  # supplementalGroups
    raw = NAMED + sized(2, sized(14, groups + b"\x28\x01"))  # securityContext, with fsGroup
    assert decode_body(body("v1", "Pod", raw), "v1", "Pod")["spec"]["securityContext"]["supplementalGroups"] == [5, 300]


def test_text_that_is_not_utf_8() -> None:
    found = decode_body(
        body("v1", "ConfigMap", sized(2, sized(1, b"a\xff") + sized(2, b"\xe2\x28"))), "v1", "ConfigMap"
    )
    assert found["data"] == {"a\ufffd": "\ufffd("}


def nested(levels: int) -> bytes:
    """A definition whose schema has this many levels."""
    schema = b""
    for _ in range(levels):
        schema = sized(28, schema)  # not
    named = sized(1, b"v1") + sized(4, sized(1, schema))
    return body("apiextensions.k8s.io/v1", "CustomResourceDefinition", sized(2, sized(7, named)))


def test_a_schema_of_too_many_levels() -> None:
    kind = "CustomResourceDefinition"
    assert decode_body(nested(200), "apiextensions.k8s.io/v1", kind)["spec"]["versions"]
    with pytest.raises(BadBody, match="the object has more than 300 levels"):
        decode_body(nested(3000), "apiextensions.k8s.io/v1", kind)


def test_damaged_bodies_are_refused_or_read() -> None:
    chance, refused = random.Random(1), 0
    for api_version, kind, whole, _ in RECORDED[:400]:
        damaged = bytearray(whole)
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(4, len(damaged))
            damaged[at : at + chance.randint(0, 2)] = chance.randbytes(chance.randint(0, 3))
        try:
            decode_body(bytes(damaged), api_version, kind)
        except BadBody:
            refused += 1
    assert 200 < refused < 400


def test_a_large_body_takes_no_longer_than_its_size() -> None:
    def seconds(entries: int) -> float:
        raw = b"".join(sized(2, sized(1, b"k%d" % one) + sized(2, b"v" * 40)) for one in range(entries))
        given = body("v1", "ConfigMap", raw)
        begun = clock()
        assert len(decode_body(given, "v1", "ConfigMap")["data"]) == entries
        return clock() - begun

    small = min(seconds(1000) for _ in range(5))
    assert min(seconds(20_000) for _ in range(3)) < 60 * small


def test_the_bytes_of_a_secret() -> None:
    found = decode_body(body("v1", "Secret", NAMED + sized(2, sized(1, b"a") + sized(2, b"\x00\xff"))), "v1", "Secret")
    assert b64decode(found["data"]["a"]) == b"\x00\xff"


def test_an_object_is_stored_as_if_it_were_sent_as_json() -> None:
    """Fields and their owners. Fields that Go always prints do not count as written."""
    ports = sized(1, sized(1, b"http") + sized(2, b"TCP") + b"\x18\x50" + sized(4, b"\x08\x01" + sized(3, b"web")))
    spec = ports + sized(2, sized(1, b"app") + sized(2, b"web")) + sized(4, b"ClusterIP")
    sent = body("v1", "Service", sized(1, sized(1, b"web") + sized(3, b"default")) + sized(2, spec))
    written = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {
            "ports": [{"name": "http", "protocol": "TCP", "port": 80, "targetPort": "web"}],
            "selector": {"app": "web"},
            "type": "ClusterIP",
        },
    }
    kept = []
    for content in (decode_body(sent, "v1", "Service"), written):
        with open_cluster(":memory:", release="1.37") as cluster:
            kept.append(cluster.create(content, manager="test"))
    fields = [one["metadata"].pop("managedFields")[0]["fieldsV1"] for one in kept]
    assert fields[0] == fields[1]
    for one in kept:
        for drawn in ("uid", "creationTimestamp"):
            del one["metadata"][drawn]
        del one["spec"]["clusterIP"], one["spec"]["clusterIPs"]
    assert kept[0]["spec"] == kept[1]["spec"]
    assert kept[0]["metadata"] == kept[1]["metadata"]
