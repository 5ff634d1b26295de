"""The objects that servers of all releases are asked about: those of `kinds.bodies`, cases.yaml and gated.yaml."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from kubemerge.apiserver.registry.table import find
from kubemerge.cluster import NoMatch

from ..kinds.bodies import bodies, document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubemerge.apiserver.resources import Kinds

Object = dict[str, Any]
CASES, GATED = (Path(__file__).with_name(name) for name in ("cases.yaml", "gated.yaml"))


class Case(NamedTuple):
    """An object to create as a dry run, or to create and then update as a dry run."""

    name: str
    content: Object
    update: Object | None = None
    """The object to update it to. None if it is only created."""


@cache
def ordinary() -> tuple[Case, ...]:
    """Two valid objects of every kind, in each of its versions."""
    found = []
    for body in bodies():
        record = find(body.apiVersion, body.kind)
        for version in record.versions if record else (body.apiVersion,):
            for which in ("a", "b"):
                name = body.names[0] if body.names else f"name-{which}"
                content = {**document(body, getattr(body, which), name), "apiVersion": version}
                found.append(Case(f"{version} {body.kind} {which}", content))
    return tuple({one.name: one for one in found}.values())


@cache
def special() -> tuple[Case, ...]:
    """Objects whose treatment changed between releases."""
    return _read(CASES, "Pod")


@cache
def gated() -> tuple[Case, ...]:
    """Objects with fields of features that were added after 1.20."""
    return _read(GATED, "gated Pod")


def _read(file: Path, pods: str) -> tuple[Case, ...]:
    """The cases of a file. `pods` is the beginning of the names of its Pods."""
    entries = yaml.safe_load(file.read_text(encoding="utf-8"))
    found = [case for number, spec in enumerate(entries["pods"]) for case in _of_pod(f"{pods} {number}", spec)]
    for entry in entries["cases"]:
        for number, one in enumerate(entry["each"]):
            content = one.get("from", one)
            found.append(Case(f"{entry['name']} {number}", content, one.get("to") if "from" in one else None))
    return tuple(found)


def _of_pod(name: str, entry: Object) -> Iterator[Case]:
    """A Pod, and workloads with it as a template."""
    annotations = entry.get("annotations")
    spec = {field: value for field, value in entry.items() if field != "annotations"}
    noted = {"annotations": annotations} if annotations else {}
    labels = {"a": "b"}
    template: Object = {"metadata": {"labels": labels, **noted}, "spec": spec}
    job: Object = {"template": {**template, "spec": {**spec, "restartPolicy": "Never"}}}
    for api_version, kind, rest in (
        ("v1", "Pod", {"metadata": {"name": "p", **noted}, "spec": spec}),
        ("v1", "ReplicationController", {"spec": {"selector": labels, "template": template}}),
        ("apps/v1", "Deployment", {"spec": {"selector": {"matchLabels": labels}, "template": template}}),
        ("batch/v1", "CronJob", {"spec": {"schedule": "@daily", "jobTemplate": {"spec": job}}}),
    ):
        yield Case(f"{name} {kind}", {"apiVersion": api_version, "kind": kind, "metadata": {"name": "p"}, **rest})


def every() -> Iterator[Case]:
    """All cases."""
    yield from ordinary()
    yield from special()
    yield from gated()


def representative() -> Iterator[Case]:
    """The cases without the workloads whose template is a Pod of gated.yaml. That Pod is one of the cases."""
    return (one for one in every() if not one.name.startswith("gated Pod") or one.content["kind"] == "Pod")


def place(kinds: Kinds, case: Case) -> tuple[str, bool] | None:
    """The plural of a case's kind, and whether it is namespaced. None if the release lacks the kind."""
    try:
        resource = kinds.resource(case.content["apiVersion"], case.content["kind"])
    except NoMatch:
        return None
    return resource.plural, resource.namespaced
