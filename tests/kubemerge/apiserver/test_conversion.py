"""Values that a server-side apply merges, and that the Go types of a server cannot hold."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.apiserver.pipeline import Server

SERVER = Server("1.37")
PREFIX = (
    "failed to convert new object (default/a; {type}) to proper version: "
    "unable to convert unstructured object to {type}: "
)


def content(api_version: str, kind: str, **fields: Any) -> dict[str, Any]:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "a", "namespace": "default"}, **fields}


def scaler(most: Any, **spec: Any) -> dict[str, Any]:
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "a"}
    return content(
        "autoscaling/v2", "HorizontalPodAutoscaler", spec={"maxReplicas": most, "scaleTargetRef": target, **spec}
    )


@pytest.mark.parametrize(
    ("config", "type_", "why"),
    [
        (
            content("v1", "Secret", data={"a": "no base64"}),
            "/v1, Kind=Secret",
            "error decoding from json: illegal base64 data at input byte 2",
        ),
        (
            content("coordination.k8s.io/v1", "Lease", spec={"renewTime": "today"}),
            "coordination.k8s.io/v1, Kind=Lease",
            'parsing time "today" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "today" as "2006"',
        ),
    ],
)
def test_a_value_without_a_go_type_has_no_reason(config: dict[str, Any], type_: str, why: str) -> None:
    error = SERVER.apply(None, config, manager="m").error
    assert error is not None
    assert (getattr(error, "reason", None), getattr(error, "message", "")) == ("", PREFIX.format(type=type_) + why)


def test_a_number_that_is_too_large_is_cut() -> None:
    problems = SERVER.apply(None, scaler(2**31), manager="m").problems
    assert "Invalid value: -2147483648: must be greater than or equal to 1" in str(problems[-1])


def daemon_set(**labels: str) -> dict[str, Any]:
    template = {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [{"name": "a", "image": "a"}]}}
    return content("apps/v1", "DaemonSet", spec={"selector": {"matchLabels": labels}, "template": template})


@pytest.mark.parametrize(("release", "first"), [("1.33", "spec.template.metadata.labels"), ("1.34", "spec.selector")])
def test_the_place_of_the_message_about_the_selector_of_a_daemon_set(release: str, first: str) -> None:
    server = Server(release)
    live = server.create(daemon_set(app="a")).object
    assert live is not None
    problems = server.replace(live, daemon_set(app="b")).problems
    places = [str(one).partition(":")[0] for one in problems]
    assert (places[0], len(places)) == (first, 2)


def test_the_type_of_a_secret_is_checked_before_its_keys() -> None:
    live = SERVER.create(content("v1", "Secret", type="a", data={})).object
    assert live is not None
    problems = SERVER.replace(live, content("v1", "Secret", type="b", data={" ": ""})).problems
    assert [str(one).partition(":")[0] for one in problems] == ["type", "data[ ]"]
