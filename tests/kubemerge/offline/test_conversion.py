"""A manifest of an old version is rewritten if it means the same: `lint --fix` and `compare --write` agree on it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.offline.conversion import difference

if TYPE_CHECKING:
    from ..shell import Shell

POD: dict[str, Any] = {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [{"name": "a", "image": "a:1"}]}}
ONCE = {**POD, "spec": {**POD["spec"], "restartPolicy": "Never"}}
JOB = {"spec": {"template": ONCE}}
SELECTOR = {"matchLabels": {"app": "a"}}
STRATEGY = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 1}}
WHOLE = {
    "selector": SELECTOR,
    "template": POD,
    "replicas": 1,
    "strategy": STRATEGY,
    "progressDeadlineSeconds": 2147483647,
    "revisionHistoryLimit": 2147483647,
}
BUDGET = {"minAvailable": 1, "selector": SELECTOR}

CASES: list[tuple[str, str, dict[str, Any], str, str]] = [
    ("batch/v1beta1", "CronJob", {"schedule": "0 * * * *", "jobTemplate": JOB}, "1.24", ""),
    ("batch/v1beta1", "CronJob", {"schedule": "0 * * * *", "jobTemplate": JOB, "suspend": None}, "1.24", ""),
    ("batch/v2alpha1", "CronJob", {"schedule": "0 * * * *", "jobTemplate": JOB}, "1.37", ""),
    ("policy/v1beta1", "PodDisruptionBudget", BUDGET, "1.24", ""),
    ("policy/v1beta1", "PodDisruptionBudget", {"minAvailable": 1, "selector": {}}, "1.24", "selects"),
    ("policy/v1beta1", "PodDisruptionBudget", {"minAvailable": 1, "selector": {"matchLabels": {}}}, "1.24", "selects"),
    (
        "policy/v1beta1",
        "PodDisruptionBudget",
        {"minAvailable": 1, "selector": {"matchLabels": None}},
        "1.24",
        "selects",
    ),
    ("policy/v1beta1", "PodDisruptionBudget", {"minAvailable": 1, "selector": None}, "1.24", ""),
    ("apps/v1beta2", "Deployment", {"selector": SELECTOR, "template": POD}, "1.15", ""),
    ("extensions/v1beta1", "Deployment", {"selector": SELECTOR, "template": POD}, "1.15", "instead of"),
    ("extensions/v1beta1", "Deployment", WHOLE, "1.15", ""),
    ("extensions/v1beta1", "Deployment", {**WHOLE, "paused": None}, "1.15", ""),
    ("extensions/v1beta1", "Deployment", {"template": POD}, "1.15", "rejects it"),
    ("extensions/v1beta1", "Deployment", {**WHOLE, "rollbackTo": {"revision": 1}}, "1.15", "rollbackTo"),
]


@pytest.mark.parametrize(("api_version", "kind", "spec", "release", "problem"), CASES)
def test_whether_it_means_the_same(
    shell: Shell, api_version: str, kind: str, spec: dict[str, Any], release: str, problem: str
) -> None:
    metadata = {"name": "a", "namespace": "x", "labels": {"app": "a"}}
    content = {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": spec}
    wanted = {"batch": "batch/v1", "policy": "policy/v1"}.get(api_version.partition("/")[0], "apps/v1")
    said = difference(content, wanted, release)
    assert problem in said
    assert bool(said) is bool(problem)
    for command in (
        f"lint a.yaml --fix --release {release} --exit-zero",
        f"compare {release} {release} -f a.yaml --write",
    ):
        text = f"apiVersion: {api_version}\n" + "".join(
            f"{key}: {json.dumps(value)}\n" for key, value in content.items() if key != "apiVersion"
        )
        (shell.folder / "a.yaml").write_text(text, encoding="utf-8")
        shell.run(*command.split())
        now = (shell.folder / "a.yaml").read_text(encoding="utf-8")
        assert now.splitlines()[0] in (f"apiVersion: {wanted}", f"apiVersion: {api_version}")
        assert now.splitlines()[1:] == text.splitlines()[1:]
        assert (now != text) is not bool(problem), (command, shell.out, shell.err)


def test_of_a_version_that_no_release_has_nobody_knows() -> None:
    content = {"apiVersion": "batch/v1alpha9", "kind": "CronJob", "metadata": {"name": "a"}, "spec": {}}
    assert "no known release serves batch/v1alpha9" in difference(content, "batch/v1", "1.24")
