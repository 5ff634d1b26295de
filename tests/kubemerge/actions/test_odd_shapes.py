"""Objects whose spec has another shape, from a server or a file: a result, or one sentence."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from engine import MergeError
from kubemerge.actions.generators.workloads import job_of_cron_job

VALUES: tuple[Any, ...] = (None, {}, [], 3, "x", [3], [{}], {"a": None})
PATHS = ("spec", "spec.jobTemplate", "spec.jobTemplate.metadata", "spec.jobTemplate.metadata.annotations")


def at(path: str, value: Any) -> Any:
    """The value at a dotted path."""
    for part in reversed(path.split(".")):
        value = {part: value}
    return value


def test_a_cron_job_of_another_shape_is_no_bug() -> None:
    for spec in ({}, *(at(path, value) for path in PATHS for value in VALUES)):
        with suppress(MergeError):
            job_of_cron_job("j", {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "a"}, **spec})
