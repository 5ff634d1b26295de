"""Deployments, Jobs and CronJobs from an image and a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...apiserver.unchecked import as_map, get_path
from ..requests import uid_of
from .parts import BadOptions, container, container_name, given, head, in_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...cluster import Object


def deployment(name: str, *, images: Sequence[str], command: Sequence[str], port: int, replicas: int) -> Object:
    """A Deployment; each image becomes a container."""
    if len(images) > 1 and command:
        raise BadOptions("cannot specify multiple --image options and command")
    labels = {"app": name}
    containers = [container(container_name(image), image, command=list(command)) for image in images]
    if port >= 0:
        first = containers[0]
        ports = {"ports": [{"containerPort": port}]}
        containers[0] = {**{key: value for key, value in first.items() if key != "resources"}, **ports, "resources": {}}
    spec = {
        "replicas": replicas,
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": {"containers": containers}},
        "strategy": {},
    }
    return {**head("apps/v1", "Deployment", name, labels=labels), "spec": spec, "status": {}}


def job(name: str, *, image: str, command: Sequence[str]) -> Object:
    """A Job that runs an image once."""
    return {**head("batch/v1", "Job", name), "spec": _runs_once(name, image, command, "Never"), "status": {}}


def cron_job(name: str, *, image: str, command: Sequence[str], schedule: str, restart: str) -> Object:
    """A CronJob that runs an image at these times."""
    template = {"metadata": {"name": name}, "spec": _runs_once(name, image, command, restart or "OnFailure")}
    spec = {"schedule": schedule, "jobTemplate": template}
    return {**head("batch/v1", "CronJob", name), "spec": spec, "status": {}}


def _runs_once(name: str, image: str, command: Sequence[str], restart: str) -> Object:
    containers = [container(name, image, command=list(command))]
    return {"template": {"metadata": {}, "spec": {"containers": containers, "restartPolicy": restart}}}


def job_of_cron_job(name: str, live: Object) -> Object:
    """A Job from a CronJob's template, marked as started manually."""
    template = as_map(get_path(live, "spec.jobTemplate"))
    marks = as_map(template.get("metadata"))
    annotations = in_order({"cronjob.kubernetes.io/instantiate": "manual", **as_map(marks.get("annotations"))})
    owner = {
        "apiVersion": "batch/v1",
        "kind": "CronJob",
        "name": live["metadata"]["name"],
        "uid": uid_of(live),
        "controller": True,
    }
    metadata = given({"labels": marks.get("labels"), "annotations": annotations, "ownerReferences": [owner]})
    return {**head("batch/v1", "Job", name, **metadata), "spec": template.get("spec") or {}, "status": {}}
