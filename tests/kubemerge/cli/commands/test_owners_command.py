"""`kubemerge owners`: the owners of each field."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from codegen.documents.yaml_text import documents

from ...objects import config_map, deployment
from ...ownership.samples import SECRET, created, web

if TYPE_CHECKING:
    from pathlib import Path

    from ...shell import Shell

KUBECTL = "kubectl-client-side-apply (Update since 2026-11-22T08:00:00Z)"


def test_an_object_is_printed_with_its_owners_beside_it(shell: Shell) -> None:
    said = shell.done("owners", "-f", shell.write("live.yaml", web()))
    first, *rows = said.splitlines()
    assert first == "# deployment.apps/web"
    assert "#   kubectl-set (Update since 2026-11-22T08:02:00Z)                1 field" in rows
    (replicas,) = [row for row in rows if "replicas:" in row]
    assert replicas.split() == ["replicas:", "5", "#", "kube-controller-manager", "(Update", "through", "scale)"]
    (limit,) = [row for row in rows if "revisionHistoryLimit:" in row]
    assert limit.endswith("# nobody")
    assert f"# {KUBECTL}, as a whole" in said
    assert next(documents(said))["spec"] == web()["spec"]


def test_a_path_and_a_manager_leave_only_what_they_mean(shell: Shell) -> None:
    live = shell.write("live.yaml", web())
    said = shell.done("owners", "-f", live, "spec.template.spec.containers.image")
    assert next(documents(said)) == {"spec": {"template": {"spec": {"containers": [{"image": "web:2"}]}}}}
    assert said == shell.done("owners", "-f", live, "--manager", "kubectl-set")
    assert next(documents(shell.done("owners", "-f", live, "--manager", "nobody"))) == {
        "spec": {"revisionHistoryLimit": 10}
    }
    assert shell.fails("owners", "-f", live, "spec.paused") == (
        "deployment.apps/web: no field spec.paused. Use a path that exists"
    )
    assert shell.done("owners", "-f", live, "--manager", "somebody") == ""


def test_programs_get_paths_values_and_owners(shell: Shell) -> None:
    (found,) = json.loads(shell.done("owners", "-f", shell.write("live.yaml", web()), "spec.replicas", "-o", "json"))
    owner = {
        "manager": "kube-controller-manager",
        "operation": "Update",
        "subresource": "scale",
        "apiVersion": "apps/v1",
        "time": None,
    }
    assert found["object"] == "deployment.apps/web"
    assert found["fields"] == [{"path": "spec.replicas", "state": "owned", "value": 5, "owners": [owner]}]
    entry = next(one for one in web()["metadata"]["managedFields"] if one.get("subresource"))
    length = len(json.dumps(entry, separators=(",", ":")))  # as it is stored
    assert {**owner, "fields": 1, "bytes": length} in found["managers"]
    assert found["bytes"] > sum(one["bytes"] for one in found["managers"])


def test_objects_without_managed_fields_are_reported_and_others_printed(shell: Shell) -> None:
    live = shell.write("live.yaml", config_map("a"), web())
    assert shell.run("owners", "-f", live) == 2
    assert shell.err == (
        "kubemerge: configmap/a: the object has no managedFields, so its owners are unknown. "
        "Print it with --show-managed-fields\n"
    )
    assert shell.out.startswith("# deployment.apps/web")


def test_what_cannot_be_meant_is_refused(shell: Shell) -> None:
    assert shell.fails("owners") == (
        "pass files with -f, or name an object of the cluster: KIND/NAME (see `kubemerge owners --help`)"
    )
    assert "only a PATH may be given" in shell.fails("owners", "-f", shell.write("live.yaml", web()), "a/b", "c")
    assert "no object in it" in shell.fails("owners", "-f", shell.write("empty.yaml"))


def test_a_terminal_gets_colours(shell: Shell) -> None:
    said = shell.done("owners", "-f", shell.write("live.yaml", web()), "--color", "always")
    assert "\x1b[33mnobody\x1b[0m" in said


def test_a_page_has_it_all_and_no_value_of_a_secret(shell: Shell, tmp_path: Path) -> None:
    config = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "data": {"key": "c2VjcmV0"}}
    live = shell.write("live.yaml", web(), created(config, SECRET))
    assert shell.run("owners", "-f", live, "--html", "page.html") == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "kube-controller-manager (Update through scale)" in page
    assert "several owners" not in page
    assert "c2VjcmV0" not in page + shell.out
    assert shell.run("owners", "-f", live, "--html", "page.html", "--show-secrets") == 0
    assert os.name != "posix" or (tmp_path / "page.html").stat().st_mode & 0o077 == 0


def test_an_object_of_the_cluster_is_named_by_its_kind(shell: Shell) -> None:
    shell.done("apply", "-f", shell.write("config.yaml", deployment("web", replicas=1)))
    shell.done("scale", "deploy/web", "--replicas=2")
    assert shell.done("owners", "deploy/web", "spec.replicas") == (
        "# deployment.apps/web\n#   kubectl (Update through scale)  1 field\n"
        "spec:\n  replicas: 2  # kubectl (Update through scale)\n"
    )
    assert "deployments.apps" in shell.fails("owners", "deploy/other")


def test_a_manager_may_be_called_anything(shell: Shell, tmp_path: Path) -> None:
    live = json.loads(json.dumps(web()).replace('"kubectl-set"', json.dumps("a\n<b>\x1b[31m")))
    said = shell.done("owners", "-f", shell.write("live.yaml", live), "--color", "always")
    assert "a\\n<b>\\x1b[31m (Update since" in said
    assert next(documents(shell.done("owners", "-f", "live.yaml", "-o", "yaml")))["spec"] == live["spec"]
    assert shell.run("owners", "-f", "live.yaml", "--html", "page.html") == 0
    assert "&lt;b&gt;" in (tmp_path / "page.html").read_text(encoding="utf-8")
