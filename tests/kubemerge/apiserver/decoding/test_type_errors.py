"""Type errors are rejected as by the API server, and nothing else is.

The words after `cannot be handled as a ...` come from client-go's decoder of 1.37, and from the validator of
k8s.io/apiextensions-apiserver, recorded for these objects.
"""

from __future__ import annotations

import json
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import engine
from engine.tables.rules import Rule
from engine.values.guard import MAX_DEPTH
from kubemerge.apiserver.decoding import go_kinds, go_types, type_errors, type_search
from kubemerge.apiserver.decoding.decoder import Empties, decode_and_check, decode_object
from kubemerge.apiserver.decoding.go_times import problem, quoted
from kubemerge.apiserver.decoding.go_type_table import TABLE
from kubemerge.apiserver.decoding.type_mismatch import Doubtful
from kubemerge.apiserver.pipeline import Server
from kubemerge.apiserver.request_options import SentTypes
from kubemerge.apiserver.resources import built_in
from kubemerge.cluster import BadRequest, Invalid, NotFound, Reference, open_cluster
from tests.conformance.draw import Draw
from tests.kubemerge.dump import dump

from ....conftest import spread
from ..conftest import config_map, config_map_ref, crontab, crontabs, deployment

if TYPE_CHECKING:
    from kubemerge.apiserver.cluster import EmbeddedCluster
    from kubemerge.apiserver.protocol import Resource
    from kubemerge.apiserver.resources import Kinds

FIELD = "json: cannot unmarshal {} into Go struct field {} of type {}"
IN_POD = "spec.template.spec.containers"


def with_container(**fields: Any) -> dict[str, Any]:
    content = deployment()
    content["spec"]["template"]["spec"]["containers"][0] |= fields
    return content


def with_containers(containers: Any) -> dict[str, Any]:
    content = deployment()
    content["spec"]["template"]["spec"]["containers"] = containers
    return content


def with_labels(labels: Any) -> dict[str, Any]:
    content = deployment()
    content["metadata"] |= {"labels": labels}
    return content


def service(*ports: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}, "spec": {"ports": list(ports)}}


WRONG: list[tuple[dict[str, Any], str, str]] = [
    (config_map() | {"data": {"port": 80}}, FIELD.format("number", "ConfigMap.data", "string"), "data.port"),
    (config_map() | {"data": ["x"]}, FIELD.format("array", "ConfigMap.data", "map[string]string"), "data"),
    (config_map() | {"immutable": "yes"}, FIELD.format("string", "ConfigMap.immutable", "bool"), "immutable"),
    (with_labels({"v": 1}), FIELD.format("number", "ObjectMeta.metadata.labels", "string"), "metadata.labels.v"),
    (deployment(replicas="2"), FIELD.format("string", "DeploymentSpec.spec.replicas", "int32"), "spec.replicas"),
    (deployment(replicas=2.5), FIELD.format("number 2.5", "DeploymentSpec.spec.replicas", "int32"), "spec.replicas"),
    (deployment(replicas=True), FIELD.format("bool", "DeploymentSpec.spec.replicas", "int32"), "spec.replicas"),
    ({**config_map("m"), "data": "b"}, FIELD.format("string", "ConfigMap.data", "map[string]string"), "data"),
    (deployment() | {"spec": []}, FIELD.format("array", "Deployment.spec", "v1.DeploymentSpec"), "spec"),
    (with_containers({"name": "c"}), FIELD.format("object", f"PodSpec.{IN_POD}", "[]v1.Container"), IN_POD),
    (with_containers(["c"]), FIELD.format("string", f"PodSpec.{IN_POD}", "v1.Container"), f"{IN_POD}[0]"),
    (
        with_container(env=[{"name": "A"}, {"name": "B", "value": 1}]),
        FIELD.format("number", f"EnvVar.{IN_POD}.env.value", "string"),
        f"{IN_POD}[0].env[1].value",
    ),
    (
        with_container(args=["-v", 2]),
        FIELD.format("number", f"Container.{IN_POD}.args", "string"),
        f"{IN_POD}[0].args[1]",
    ),
    (
        service({"port": 80, "targetPort": True}),
        FIELD.format("bool", "ServicePort.spec.ports.targetPort", "int32"),
        "spec.ports[0].targetPort",
    ),
    (
        with_container(resources={"limits": {"cpu": True}}),
        r"quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
        f"{IN_POD}[0].resources.limits.cpu",
    ),
    (
        with_container(resources={"limits": {"cpu": "1", "memory": "1Mb"}}),
        r"quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
        f"{IN_POD}[0].resources.limits.memory",
    ),
    (
        with_container(resources={"requests": {"memory": "1KK"}}),
        "unable to parse quantity's suffix",
        f"{IN_POD}[0].resources.requests.memory",
    ),
    (
        with_container(resources={"requests": {"memory": "Ei"}}),
        "unable to parse numeric part of quantity",
        f"{IN_POD}[0].resources.requests.memory",
    ),
]


NO_TIMES = {
    "yesterday": ' as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
    "": ' as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"',
    "2024-13-01T00:00:00Z": ": month out of range",
    "2024-02-30T00:00:00Z": ": day out of range",
    "2024-01-01": ' as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"',
    "2024-01-01T25:00:00Z": ": hour out of range",
    "2024-01-01T00:60:00Z": ": minute out of range",
    "2024-01-01T00:00:61Z": ": second out of range",
    "2024-01-01T00:00:00+25:00": ": time zone offset hour out of range",
    "2024-01-01T00:00:00": ' as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"',
    "2024-01-01t00:00:00z": ' as "2006-01-02T15:04:05Z07:00": cannot parse "t00:00:00z" as "T"',
    "2024-01-01T00:00:00Zx": ': extra text: "x"',
    "20240101": ' as "2006-01-02T15:04:05Z07:00": cannot parse "0101" as "-"',
    "2024-01-01T00:00:00.Z": ' as "2006-01-02T15:04:05Z07:00": cannot parse ".Z" as "Z07:00"',
}
"""Invalid times, with the end of the message of a real 1.37.1."""


@pytest.mark.parametrize(("content", "said", "at"), WRONG, ids=[f"{at} {said[:42]}" for _, said, at in WRONG])
def test_the_first_value_of_a_wrong_type_is_reported(
    cluster: EmbeddedCluster, content: dict[str, Any], said: str, at: str
) -> None:
    kind = content["kind"]
    with pytest.raises(BadRequest) as caught:
        cluster.create(content)
    assert str(caught.value) == f'{kind} in version "v1" cannot be handled as a {kind}: {said}; look at {at}'


RIGHT: list[dict[str, Any]] = [
    deployment(replicas=2.0),
    deployment(replicas=None),
    deployment(unheardOf={"a": [1]}),
    with_container(resources={"limits": {"cpu": 1, "memory": "1Gi"}}),
    with_container(resources={"limits": {"cpu": 0.5}}),
    with_container(readinessProbe={"httpGet": {"port": "web"}}),
    with_container(env=None, command=["sh", None]),
]


@pytest.mark.parametrize("content", RIGHT)
def test_what_a_server_reads_is_read(cluster: EmbeddedCluster, content: dict[str, Any]) -> None:
    cluster.create(content)


def test_every_way_to_write_is_judged(cluster: EmbeddedCluster) -> None:
    cluster.create(config_map(a="b"))
    wrong = {"data": {"a": 1}}
    with pytest.raises(BadRequest, match=r"of type string; look at data\.a"):
        cluster.replace(config_map() | wrong)
    with pytest.raises(Invalid, match=r"of type string; look at data\.a"):
        cluster.patch(config_map_ref(), wrong, "merge")
    with pytest.raises(Invalid, match=r"cannot convert int64 to string; look at data\.a"):
        cluster.patch(config_map_ref(), wrong, "strategic")
    with pytest.raises(Invalid, match=r"of type string; look at data\.a"):
        cluster.patch(config_map_ref(), [{"op": "replace", "path": "/data/a", "value": 1}], "json")
    assert cluster.get(config_map_ref())["data"] == {"a": "b"}


def test_a_status_is_judged_where_it_is_written(cluster: EmbeddedCluster) -> None:
    cluster.create(deployment())
    at = Reference.of(deployment())
    with pytest.raises(Invalid, match=r"DeploymentStatus\.status\.replicas of type int32"):
        cluster.patch(at, {"status": {"replicas": "1"}}, "merge", subresource="status")
    cluster.patch(at, {"status": {"replicas": 1}}, "merge", subresource="status")


def test_types_come_before_what_is_there(cluster: EmbeddedCluster) -> None:
    with pytest.raises(BadRequest, match="cannot unmarshal"):
        cluster.create(config_map(namespace="nowhere") | {"data": {"a": 1}})
    with pytest.raises(NotFound):
        cluster.create(config_map(namespace="nowhere"))


def test_an_object_that_was_imported_can_be_mended(cluster: EmbeddedCluster) -> None:
    cluster.load([config_map() | {"data": {"a": 1}}])
    with pytest.raises(Invalid, match=r"look at data\.a"):
        cluster.patch(config_map_ref(), {"data": {"b": "c"}}, "merge")
    assert cluster.patch(config_map_ref(), {"data": {"a": "1"}}, "merge")["data"] == {"a": "1"}


# ---- nothing valid is rejected ---------------------------------------------------------------------------------------

RELEASES = engine.releases()


@pytest.mark.parametrize("release", RELEASES[:: len(RELEASES) // 3])
def test_what_is_drawn_from_the_tables_fits_them(release: str) -> None:
    tables = engine.load(release)
    for api_version, kind in tables.kinds():
        schema = tables.schema(api_version, kind)
        content = Draw(schema, Random(f"{release} {kind}"), 1).document()
        found = type_search.type_mismatch(_timeless(content), schema)
        assert found is None, (kind, found)


WRITTEN = {
    field
    for line in TABLE.split("\n")[1:-1]
    for field, type_ in go_types.types_of(line.partition(" ")[0]).items()
    if type_.endswith((go_types.TIME, go_types.MICRO_TIME, go_types.BYTES))
}
"""Time and bytes fields, which OpenAPI only declares as strings."""


def _timeless(value: Any) -> Any:
    """The value without times and bytes."""
    if isinstance(value, list):
        return [_timeless(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {key: _timeless(one) for key, one in value.items() if key not in WRITTEN}


@pytest.mark.parametrize(("text", "message"), NO_TIMES.items())
def test_a_text_that_is_no_time(text: str, message: str) -> None:
    assert problem(text) == f"parsing time {quoted(text)}{message}"


@pytest.mark.parametrize("text", ["2024-01-01T00:00:00.5Z", "2024-01-01T0:00:00Z", "2024-02-29T23:59:59,5+14:00"])
def test_a_text_that_is_a_time(text: str) -> None:
    assert problem(text) == ""


@pytest.mark.parametrize("release", spread(RELEASES))
def test_a_busy_cluster_is_read_in_every_release(release: str) -> None:
    tables = engine.load(release)
    for content in dump():
        key = content["apiVersion"], content["kind"]
        if key in tables:
            assert type_search.type_mismatch(content, tables.schema(*key)) is None


# ---- custom resources ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("release", ["1.7", RELEASES[-1]])
def test_the_metadata_of_a_custom_resource_has_go_types(release: str) -> None:
    definition = crontabs()
    if release == "1.7":
        definition["apiVersion"] = "apiextensions.k8s.io/v1beta1"
    content = crontab()
    content["metadata"]["labels"] = {"v": 1}
    with open_cluster(":memory:", release=release) as cluster:
        cluster.create(definition)
        with pytest.raises(BadRequest, match=r"ObjectMeta\.labels of type string; look at metadata\.labels\.v"):
            cluster.create(content)


def test_a_type_in_itself_is_read_as_deep_as_an_object_may_be(cluster: EmbeddedCluster) -> None:
    schema: dict[str, Any] = {"type": "object", "description": 5}
    for _ in range((MAX_DEPTH - 30) // 2):
        schema = {"type": "object", "properties": {"a": schema}}
    definition = crontabs()
    definition["spec"]["versions"][0]["schema"] = {"openAPIV3Schema": schema}
    with pytest.raises(BadRequest, match=r"JSONSchemaProps\.spec\.versions\.schema\.openAPIV3Schema\.properties"):
        cluster.create(definition)


@pytest.mark.parametrize(
    ("field", "written", "stored"),
    [
        ("timeAdded", "2024-01-01T00:00:00.123456Z", "2024-01-01T00:00:00Z"),
        ("timeAdded", "2024-01-01T00:30:00+01:00", "2023-12-31T23:30:00Z"),
        ("timeAdded", "0001-01-01T00:00:00Z", None),
    ],
)
def test_a_time_is_stored_in_utc(field: str, written: str, stored: str | None) -> None:
    taint = {"key": "a", "effect": "NoSchedule", field: written}
    with open_cluster(":memory:") as cluster:
        made = cluster.create(
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "spec": {"taints": [taint]}}
        )
    assert made["spec"]["taints"][0][field] == stored


@pytest.mark.parametrize(("written", "stored"), [([], ""), ([5, None], "BQA="), (None, ""), ("Y\nR==", "YQ==")])
def test_bytes_are_stored_in_one_form(written: Any, stored: str) -> None:
    content = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "data": {"a": written}}
    with open_cluster(":memory:") as cluster:
        assert cluster.create(content)["data"] == {"a": stored}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([300], "json: cannot unmarshal number 300 into Go struct field Secret.data of type uint8"),
        ({}, "json: cannot unmarshal object into Go struct field Secret.data of type []uint8"),
        ("Y", "illegal base64 data at input byte 0"),
    ],
)
def test_bytes_that_cannot_be_read(value: Any, message: str) -> None:
    content = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "data": {"a": value}}
    with open_cluster(":memory:") as cluster, pytest.raises(BadRequest) as error:
        cluster.create(content)
    assert f"cannot be handled as a Secret: {message};" in f"{error.value};"


def test_a_type_that_reads_its_own_json_takes_precedence() -> None:
    taint = {"effect": True, "key": "a", "timeAdded": "yesterday"}
    with open_cluster(":memory:") as cluster, pytest.raises(BadRequest, match="parsing time"):
        cluster.create({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "spec": {"taints": [taint]}})


def test_the_go_types_of_fields() -> None:
    schema = engine.load("1.37").schema("v1", "Pod")
    fields = {path: schema.rule(path) for path in ("spec", "spec.hostname", "spec.containers", "spec.nodeSelector")}
    found = {path: go_kinds.go_type(rule, schema) for path, rule in fields.items() if rule is not None}
    assert found == {
        "spec": "v1.PodSpec",
        "spec.hostname": "string",
        "spec.containers": "[]v1.Container",
        "spec.nodeSelector": "map[string]string",
    }
    assert go_kinds.go_type(Rule("any"), schema) == "interface {}"


def test_an_old_decoder_shows_no_character_of_a_secret() -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}}
    with open_cluster(":memory:", release="1.21") as cluster:
        for wrong in ({"stringData": {"pin": 7345}}, {"stringData": {"pin": {"a": 7345}}}, {"data": [7345]}):
            with pytest.raises(BadRequest) as caught:
                cluster.create({**secret, **wrong})
            assert ", error found in #10 byte of ...|...|..., bigger context" in str(caught.value)
            assert str(caught.value).count("but found ...,") == 1


@pytest.mark.parametrize(
    ("fields", "types"),
    [
        ({}, SentTypes.KNOWN),
        ({"nme": "b"}, SentTypes.FIT),
        ({"nme": None}, SentTypes.FIT),
        ({"env": None}, SentTypes.KNOWN),
    ],
)
def test_the_check_of_a_sent_object_notes_unknown_fields(fields: dict[str, Any], types: SentTypes) -> None:
    with open_cluster(":memory:") as cluster:
        content, resource = with_container(**fields), cluster.resource("apps/v1", "Deployment")
        schema = cluster.schema("apps/v1", "Deployment")
        assert type_errors.check_sent(content, resource, schema, str, dict) is types
        warned: list[str] = []
        cluster.on_warning = warned.append
        cluster.create(content, types=types)
    assert warned == [f'unknown field "{IN_POD}[0].nme"'] * (types is SentTypes.FIT)


# ---- types are checked while objects are decoded ---------------------------------------------------------------------

DOUBTFUL: tuple[Any, ...] = (
    *(None, "", "a", "1", "2024-01-01T00:00:00Z", "YQ==", "10mk", 0, 1, -1, 300, 2**31, 2**63, 0.0, 0.5, 1.0),
    *(True, False, [], [None], ["a"], [1], [2**40], [{}], [{"a": 1}], {}, {"a": None}, {"a": "b"}, {"a": 1}, {"a": []}),
)


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every value of an object, as its owner and its key."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, inner in inside for found in ((value, key), *_places(inner))]


def _decoded(content: Any, resource: Resource, kinds: Kinds, *, at_once: bool) -> Any:
    try:
        if at_once:
            with suppress(Doubtful):
                return decode_and_check(content, resource, kinds, Empties.SENT)
        type_errors.check(content, resource, kinds)
        return decode_object(content, resource, kinds, Empties.SENT)
    except type_errors.Unreadable as error:
        return str(error)


@pytest.mark.parametrize("release", RELEASES[:: len(RELEASES) // 3])
def test_types_are_checked_while_an_object_is_decoded_as_before_it(release: str) -> None:
    kinds, counts = built_in(release), {True: 0, False: 0}
    for resource in kinds.all_built_in():
        random = Random(f"{release} {resource.api_version} {resource.kind}")
        for _ in range(20):
            content = _timeless(Draw(kinds.schema(resource), random, 1).document())
            owner, key = random.choice(_places(content))
            owner[key] = random.choice(DOUBTFUL)
            expected = _decoded(content, resource, kinds, at_once=False)
            assert json.dumps(_decoded(content, resource, kinds, at_once=True)) == json.dumps(expected), content
            counts[isinstance(expected, str)] += 1
    assert min(counts.values()) > 200


REPLACED: dict[str, Any] = {
    "a service account that is set by default": {"spec": {"serviceAccountName": 0}},
    "an entry of managedFields": {"metadata": {"name": "a", "managedFields": [{"manager": 1}]}},
    "equal owners": {"metadata": {"name": "a", "ownerReferences": [{"uid": 5}, {"uid": 5}]}},
}
"""Wrong values that a server replaces or removes before it decodes an object again."""


@pytest.mark.parametrize("release", ["1.20", RELEASES[-1]])
@pytest.mark.parametrize("fields", REPLACED.values(), ids=REPLACED)
def test_the_check_of_a_new_object_finds_wrong_values_that_are_replaced(fields: Any, release: str) -> None:
    server, content = Server(release), {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, **fields}
    with pytest.raises(type_errors.Unreadable) as error:
        type_errors.check(content, server.kinds.resource("v1", "Pod"), server.kinds)
    assert str(server.check_create(content).error) == str(error.value)
