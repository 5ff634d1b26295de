"""Objects of the clients `kubernetes`, `lightkube` and `kr8s`, of kopf and of ruamel.yaml, are accepted as they are."""

from __future__ import annotations

import json
import warnings
from importlib import import_module
from typing import Any

import pytest

import engine

K8S = engine.load("1.31")
CONFIG: dict[str, Any] = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "namespace": "shop", "labels": {"app.kubernetes.io/name": "web", "api_version": "x"}},
    "spec": {
        "replicas": 2,
        "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "metadata": {"labels": {"app": "web"}},
            "spec": {
                "containers": [
                    {
                        "name": "web",
                        "image": "web:2",
                        "ports": [{"containerPort": 80, "protocol": "TCP"}],
                        "resources": {"limits": {"cpu": "1", "memory": "1Gi"}},
                        "readinessProbe": {"httpGet": {"path": "/", "port": 80}, "periodSeconds": 5},
                    }
                ]
            },
        },
    },
}
LIVE: dict[str, Any] = engine.apply(
    {**CONFIG, "spec": {**CONFIG["spec"], "replicas": 1, "minReadySeconds": 5}}, None, K8S
).merged
LIVE["metadata"] |= {"uid": "u-1", "resourceVersion": "7", "creationTimestamp": "2024-01-02T03:04:05Z"}
WANTED = engine.apply(CONFIG, LIVE, K8S)


def module(name: str) -> Any:
    """A package of the extra `clients`. Its warnings on import are ignored, because they are not ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return import_module(name)
        except ImportError:
            pytest.skip(f"{name.partition('.')[0]}, of the extra test-all, is not installed")


class Answer:
    """A response from which the `kubernetes` client reads an object."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.data = json.dumps(document)


def kubernetes_typed(document: dict[str, Any]) -> Any:
    client = module("kubernetes.client")
    api = client.ApiClient()
    try:
        return api.deserialize(Answer(document), "V1Deployment")
    except TypeError:  # newer ones take the text and its type
        return api.deserialize(json.dumps(document), "V1Deployment", "application/json")


def kubernetes_dynamic(document: dict[str, Any]) -> Any:
    return module("kubernetes.dynamic.resource").ResourceInstance(None, json.loads(json.dumps(document)))


def kubernetes_dynamic_field(document: dict[str, Any]) -> Any:
    return kubernetes_dynamic(document).attributes


def lightkube_typed(document: dict[str, Any]) -> Any:
    return module("lightkube.resources.apps_v1").Deployment.from_dict(document)


def lightkube_typed_without_its_kind(document: dict[str, Any]) -> Any:
    found = lightkube_typed(document)
    found.apiVersion = found.kind = None
    return found


def lightkube_generic(document: dict[str, Any]) -> Any:
    create = module("lightkube.generic_resource").create_namespaced_resource
    return create("apps", "v1", "Deployment", "deployments").from_dict(document)


def kr8s_object(document: dict[str, Any]) -> Any:
    return module("kr8s.objects").Deployment(json.loads(json.dumps(document)), api=object())


def kr8s_asyncio(document: dict[str, Any]) -> Any:
    return module("kr8s.asyncio.objects").Deployment(json.loads(json.dumps(document)))


def kr8s_box(document: dict[str, Any]) -> Any:
    return kr8s_asyncio(document).raw


def kopf_body(document: dict[str, Any]) -> Any:
    return module("kopf").Body(document)


def ruamel(document: dict[str, Any]) -> Any:
    return module("ruamel.yaml").YAML().load(json.dumps(document))


OBJECTS = {
    made.__name__: made
    for made in (
        kubernetes_typed,
        kubernetes_dynamic,
        kubernetes_dynamic_field,
        lightkube_typed,
        lightkube_typed_without_its_kind,
        lightkube_generic,
        kr8s_object,
        kr8s_asyncio,
        kr8s_box,
        kopf_body,
        ruamel,
    )
}


def is_plain(value: Any) -> bool:
    if type(value) is dict:
        return all(type(key) is str and is_plain(item) for key, item in value.items())
    if type(value) is list:
        return all(map(is_plain, value))
    return type(value) in (str, int, float, bool, type(None))


@pytest.mark.parametrize("name", OBJECTS)
def test_they_are_merged_as_plain_dicts_are(name: str) -> None:
    config, live = OBJECTS[name](CONFIG), OBJECTS[name](LIVE)
    for schema in (K8S, K8S.schema("apps/v1", "Deployment")):
        outcome = engine.apply(config, live, schema)
        assert outcome == WANTED
        assert is_plain(outcome.merged)
        assert is_plain(outcome.patch)
    assert engine.apply(config, None, K8S) == engine.apply(CONFIG, None, K8S)
    assert engine.apply(CONFIG, live, K8S) == WANTED


@pytest.mark.parametrize("name", OBJECTS)
def test_other_functions_take_them_too(name: str) -> None:
    config, live = OBJECTS[name](CONFIG), OBJECTS[name](LIVE)
    assert engine.lint(config, K8S, live=live) == engine.lint(CONFIG, K8S, live=LIVE)
    assert engine.three_way_patch(live, config, live, K8S) == engine.three_way_patch(LIVE, CONFIG, LIVE, K8S)
    assert engine.apply_patch(live, WANTED.patch, K8S) == WANTED.merged
    assert engine.last_applied_text(config) == engine.last_applied_text(CONFIG)
    assert engine.hand_over(config, live, "spec.replicas") == engine.hand_over(CONFIG, LIVE, "spec.replicas")


@pytest.mark.parametrize("name", OBJECTS)
def test_parts_of_a_dict_may_be_such_objects(name: str) -> None:
    source = OBJECTS[name](CONFIG)
    parts = {key: source[key] if hasattr(type(source), "__getitem__") else getattr(source, key) for key in ("spec",)}
    config = {**CONFIG, "spec": parts["spec"]}
    assert engine.apply(config, LIVE, K8S) == WANTED


def test_the_dict_of_a_typed_object_has_the_names_of_python() -> None:
    with pytest.raises(engine.SnakeCase, match="sanitize_for_serialization"):
        engine.apply(kubernetes_typed(CONFIG).to_dict(), None, K8S)
    client = module("kubernetes.client")
    plain = client.ApiClient().sanitize_for_serialization(kubernetes_typed(CONFIG))
    assert engine.apply(plain, LIVE, K8S) == WANTED


def test_a_boolean_of_ruamel_that_has_an_anchor_stays_one() -> None:
    text = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, immutable: &yes true, x: *yes}"
    found = engine.apply(module("ruamel.yaml").YAML().load(text), None, None).merged
    assert (found["immutable"], found["x"]) == (True, True)
    assert type(found["immutable"]) is bool
