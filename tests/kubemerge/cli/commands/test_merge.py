"""`kubemerge merge` and `why`: matching of objects, output, and failures."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from codegen.documents.yaml_text import documents

from ....codegen.sample_specs import kubemerge
from ....conftest import NEWEST, ROOT
from ...objects import ANNOTATION, applied, config_map, deployment, write

if TYPE_CHECKING:
    from pathlib import Path

CONFIG = ROOT / "examples" / "nginx" / "deployment.yaml"
LIVE = ROOT / "docs" / "live" / "nginx.yaml"


def merged(capsys: pytest.CaptureFixture[str], *words: object) -> list[Any]:
    """The objects that `merge` prints."""
    assert kubemerge("merge", *words) == 0
    return list(documents(capsys.readouterr().out))


def test_the_example_keeps_what_others_set_and_clears_what_config_dropped(capsys: pytest.CaptureFixture[str]) -> None:
    (one,) = merged(capsys, "-f", CONFIG, "--live", LIVE)
    assert one["spec"]["replicas"] == 2
    assert "minReadySeconds" not in one["spec"]
    assert [part["image"] for part in one["spec"]["template"]["spec"]["containers"]] == ["nginx:1.16.1", "log-agent:3"]


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_the_printed_object_is_a_live_object_that_a_second_merge_leaves_alone(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kubemerge("merge", "-f", CONFIG, "--live", LIVE, "-o", form) == 0
    first = capsys.readouterr().out
    (tmp_path / "live").write_text(first)
    assert kubemerge("merge", "-f", CONFIG, "--live", tmp_path / "live", "-o", form) == 0
    assert capsys.readouterr().out == first


def test_the_name_goes_to_standard_output_and_the_result_to_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("merge", "-f", CONFIG, "--live", LIVE, "-o", "name") == 0
    said = capsys.readouterr()
    assert said.out == "deployment.apps/nginx-deployment\n"
    assert said.err == "deployment.apps/nginx-deployment configured\n"


def test_the_patch_is_what_kubectl_would_send(capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("merge", "-f", CONFIG, "--live", LIVE, "-o", "patch", "-q") == 0
    said = capsys.readouterr()
    patch = json.loads(said.out)
    assert patch["spec"]["minReadySeconds"] is None
    assert patch["spec"]["template"]["spec"]["$setElementOrder/containers"] == [{"name": "nginx"}]
    assert said.err == ""


def test_a_new_object_is_as_a_server_stores_it_without_what_only_that_chooses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}, "spec": {"ports": [{"port": 80}]}}
    (tmp_path / "config").write_text(json.dumps(service))
    assert kubemerge("merge", "-f", tmp_path / "config", "-o", "json") == 0
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert found["spec"]["ports"] == [{"port": 80, "protocol": "TCP", "targetPort": 80}]
    assert found["spec"]["type"] == "ClusterIP"
    assert not {"clusterIP", "clusterIPs"} & found["spec"].keys()
    assert found["metadata"].keys() == {"annotations", "name"}
    assert "only a server can choose metadata.uid, metadata.creationTimestamp, spec.clusterIP" in said.err
    (raw,) = merged(capsys, "-f", tmp_path / "config", "--raw")
    assert raw["spec"] == service["spec"]


def test_a_new_object_that_no_server_takes_is_as_it_is_sent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": {"containers": [{"name": "web"}]}}
    (tmp_path / "config").write_text(json.dumps(pod))
    assert kubemerge("merge", "-f", tmp_path / "config", "-o", "json") == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["spec"] == pod["spec"]
    assert "the API server would reject this: spec.containers[0].image: Required value" in said.err


@pytest.mark.parametrize(("release", "names"), [("1.27", ["c", "a", "b"]), ("1.28", ["c", "a"])])
def test_a_deletion_that_an_old_server_stores_as_a_field_is_reported(
    release: str, names: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    account: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "ServiceAccount",
        "metadata": {"name": "sa", "namespace": "default"},
    }
    last = json.dumps({**account, "secrets": [{"name": "b"}, {"name": "c"}]})
    live = {**account, "metadata": {**account["metadata"], "annotations": {ANNOTATION: last}}}
    config = {**account, "secrets": [{"name": "c"}, {"name": "a"}]}
    paths = [write(tmp_path, name, one) for name, one in (("live.yaml", live), ("config.yaml", config))]
    assert kubemerge("merge", "--release", release, "--live", paths[0], "-f", paths[1], "-o", "json") == 0
    said = capsys.readouterr()
    assert [one["name"] for one in json.loads(said.out)["secrets"]] == names
    refused = 'the API server would reject this: unknown field "secrets[2].$patch"'
    assert (refused in said.err) is ("b" in names)


def test_several_objects_are_several_documents_or_one_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = write(tmp_path, "all.yaml", config_map("one"), config_map("two"))
    assert [one["metadata"]["name"] for one in merged(capsys, "-f", config)] == ["one", "two"]
    assert kubemerge("merge", "-f", config, "-o", "json") == 0
    whole = json.loads(capsys.readouterr().out)
    assert whole["kind"] == "List"
    assert [one["metadata"]["name"] for one in whole["items"]] == ["one", "two"]


def test_objects_meet_by_group_kind_namespace_and_name_but_not_by_version(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "web"},
        "spec": {},
    }
    others = [
        {**config, "kind": "Other", "metadata": {"name": "web", "labels": {"from": "another kind"}}},
        {**config, "metadata": {"name": "web", "namespace": "far", "labels": {"from": "another namespace"}}},
        {**config, "metadata": {"name": "app", "labels": {"from": "another name"}}},
        {**config, "apiVersion": "autoscaling/v1", "metadata": {"name": "web", "labels": {"from": "live"}}},
    ]
    live = write(tmp_path, "live.yaml", *others)
    (one,) = merged(capsys, "-f", write(tmp_path, "config.yaml", config), "--live", live)
    assert one["metadata"]["labels"] == {"from": "live"}


NAMESPACES: dict[str, tuple[str | None, str | None, tuple[str, ...], str | None]] = {
    "none anywhere": (None, None, (), None),
    "live's, as kubectl's default would be": (None, "default", (), "default"),
    "the one that was asked for": (None, "team", ("-n", "team"), "team"),
    "config's own": ("team", "team", (), "team"),
    "config's own and asked for": ("team", "team", ("-n", "team"), "team"),
}


@pytest.mark.parametrize("case", NAMESPACES.values(), ids=NAMESPACES)
def test_the_namespace_of_an_object(
    case: tuple[str | None, str | None, tuple[str, ...], str | None],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    own, there, asked, expected = case
    config = config_map(data={"a": "1"}, **({"namespace": own} if own else {}))
    live = applied(config_map(data={"b": "2"}, **({"namespace": there} if there else {})))
    words = ("-f", write(tmp_path, "config.yaml", config), "--live", write(tmp_path, "live.yaml", live), *asked)
    (one,) = merged(capsys, *words)
    assert one["metadata"].get("namespace") == expected
    assert one["data"] == {"a": "1"}


def test_a_kind_without_namespaces_is_put_into_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = write(tmp_path, "c.yaml", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}})
    (one,) = merged(capsys, "-f", config, "-n", "other")
    assert "namespace" not in one["metadata"]


CLUSTER_SCOPED = {
    "the tables say so": ("rbac.authorization.k8s.io/v1", "ClusterRole"),
    "a kind that came late": ("scheduling.k8s.io/v1", "PriorityClass"),
    "its definition says so": ("test.example/v1", "Fleet"),
}
FLEET = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "fleets.test.example"},
    "spec": {
        "group": "test.example",
        "scope": "Cluster",
        "names": {"kind": "Fleet", "plural": "fleets"},
        "versions": [
            {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
        ],
    },
}


@pytest.mark.parametrize("namespaces", [("x", None), (None, "x"), ("x", "y")], ids=str)
@pytest.mark.parametrize("kind", CLUSTER_SCOPED.values(), ids=CLUSTER_SCOPED)
def test_a_kind_without_namespaces_loses_the_one_that_is_written(
    kind: tuple[str, str],
    namespaces: tuple[str | None, str | None],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As a server drops it, and kubectl before that."""
    config, live = (
        {"apiVersion": kind[0], "kind": kind[1], "metadata": {"name": "a", **({"namespace": one} if one else {})}}
        for one in namespaces
    )
    crd = write(tmp_path, "crd.yaml", FLEET)
    words = ("-f", write(tmp_path, "c.yaml", config), "--live", write(tmp_path, "l.yaml", applied(live)), "-n", "z")
    assert kubemerge("merge", *words, "--schema", crd, "-o", "json") == 0
    said = capsys.readouterr()
    assert said.err.endswith("/a unchanged\n" if namespaces[1] is None else "/a configured\n")
    assert "namespace" not in said.err
    assert "namespace" not in json.loads(said.out)["metadata"]
    assert kubemerge("diff", *words, "--schema", crd) == 0


def test_the_page_on_standard_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert kubemerge("merge", "-f", CONFIG, "--live", LIVE, "--html", "page.html") == 0
    capsys.readouterr()
    assert kubemerge("merge", "-f", CONFIG, "--live", LIVE, "--html", "-") == 0
    assert capsys.readouterr().out.rstrip() == (tmp_path / "page.html").read_text(encoding="utf-8").rstrip()
    assert not (tmp_path / "-").exists()


def test_last_applied_from_a_file_instead_of_the_annotation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    live = write(tmp_path, "live.yaml", config_map(data={"old": "1", "foreign": "2"}))
    config = write(tmp_path, "config.yaml", config_map(data={"new": "3"}))
    last = write(tmp_path, "last.yaml", config_map(data={"old": "1"}))
    (one,) = merged(capsys, "-f", config, "--live", live, "--last-applied", last)
    assert one["data"] == {"foreign": "2", "new": "3"}
    (one,) = merged(capsys, "-f", config, "--live", live)
    assert one["data"] == {"foreign": "2", "new": "3", "old": "1"}


def test_safe_keeps_what_the_exact_merge_loses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def service(*ports: dict[str, Any]) -> dict[str, Any]:
        return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "dns"}, "spec": {"ports": list(ports)}}

    tcp, udp = {"name": "tcp", "port": 53, "protocol": "TCP"}, {"name": "udp", "port": 53, "protocol": "UDP"}
    live = write(tmp_path, "live.yaml", applied(service(udp)))
    config = write(tmp_path, "config.yaml", service(tcp, udp))
    (exact,) = merged(capsys, "-f", config, "--live", live)
    (safe,) = merged(capsys, "-f", config, "--live", live, "--safe")
    assert len(exact["spec"]["ports"]) == 1
    assert safe["spec"]["ports"] == [{**tcp, "targetPort": 53}, udp]


def test_config_from_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CONFIG.read_bytes())))
    (one,) = merged(capsys, "-f", "-", "--live", LIVE)
    assert one["spec"]["replicas"] == 2


def test_one_object_that_fails_does_not_stop_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = deployment("bad", {"image": "nameless"}, {"name": "x", "image": "y"})
    live = write(tmp_path, "live.yaml", applied(deployment("bad")), applied(deployment("good")))
    config = write(tmp_path, "config.yaml", bad, deployment("good", replicas=3))
    assert kubemerge("merge", "-f", config, "--live", live) == 2
    said = capsys.readouterr()
    assert [one["metadata"]["name"] for one in documents(said.out)] == ["good"]
    (complaint,) = [line for line in said.err.splitlines() if line.startswith("kubemerge: ")]
    assert "config.yaml:1: deployment.apps/bad: " in complaint
    assert "name" in complaint


def test_verbose_tells_where_things_come_from(capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("merge", "-f", CONFIG, "--live", LIVE, "-v", "--release", "1.30") == 0
    said = capsys.readouterr().err
    assert f"config {CONFIG}:1, live {LIVE}:2" in said
    assert "patch type strategic, by the rules of Kubernetes 1.30" in said


def test_a_kind_that_nobody_knows_is_merged_as_json_and_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    thing = {"apiVersion": "example.test/v1", "kind": "Thing", "metadata": {"name": "x"}, "spec": {"list": [1]}}
    assert kubemerge("merge", "-f", write(tmp_path, "x.json", thing)) == 0
    assert "no schema, so lists are replaced" in capsys.readouterr().err


LACKING = {
    "extensions/v1beta1": ((), "extensions/v1beta1 Deployment is not served. Served as apps/v1 since 1.9"),
    "apps/v2": ((), "apps/v2 Deployment is not served. Served as apps/v1 since 1.9"),
    "apps/v1": (("--release", "1.8"), "apps/v1 Deployment is not served. Served as apps/v1beta2 since 1.8"),
    "apps.example/v1": ((), ""),
}


@pytest.mark.parametrize("command", ["merge", "diff", "why"])
@pytest.mark.parametrize("api_version", LACKING)
def test_a_kind_of_kubernetes_that_the_release_lacks_is_pointed_out(
    command: str, api_version: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options, sentence = LACKING[api_version]
    config = {**deployment("web"), "apiVersion": api_version}
    files = ("-f", write(tmp_path, "c.yaml", config), "--live", write(tmp_path, "l.yaml", applied(config)))
    assert kubemerge(command, *files, *options) == 0
    said = capsys.readouterr().err
    assert f"web: warning: {sentence}\n" in said if sentence else "warning" not in said


TOO_FAR = "spec.template.spec.containers[9].image"
WHY = {
    None: ["metadata.annotations", "spec.replicas", "spec.template.spec.containers[name=nginx].image"],
    "spec.replicas": ["spec.replicas"],
    "spec.template.spec.containers.image": ["spec.template.spec.containers[name=nginx].image"],
    "spec.template.spec.containers[name=nginx].image": ["spec.template.spec.containers[name=nginx].image"],
}


@pytest.mark.parametrize("path", WHY)
def test_why_of_everything_or_of_one_place(path: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    words = [path] if path else []
    assert kubemerge("why", "-f", CONFIG, "--live", LIVE, *words, "-o", "json") == 0
    found = json.loads(capsys.readouterr().out)
    facts = ["object", "path", "action", "before", "after", "reason"]
    assert list(found[0])[:6] == facts
    assert all([*one][6:] in ([], ["setBy", "owners"]) for one in found)
    assert {*WHY[path]} <= {one["path"] for one in found} | {"metadata.annotations"}
    assert path is None or len(found) <= 2


@pytest.mark.parametrize("path", ["spec.paused", "spec.template.spec.containers[name=other].image"])
def test_why_says_where_there_is_nothing(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("why", "-f", CONFIG, "--live", LIVE, path) == 0
    assert f"{path} is not in the config, the live object" in capsys.readouterr().out


def test_why_says_what_holds_for_a_field_that_is_nowhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    widget = {"apiVersion": "test.example/v1", "kind": "Widget", "metadata": {"name": "x"}, "spec": {"half": {}}}
    config = write(tmp_path, "c.yaml", widget)
    schema = ("--schema", ROOT / "tests" / "data" / "specs" / "crd-v1.yaml")
    told = {
        "metadata.labels.app": "string, replaced",
        "spec.size": "int-or-string, replaced",
        "spec.half.any.of.them": "value of any kind, maps merge key by key, everything else is replaced",
    }
    for path, rule in told.items():
        assert kubemerge("why", "-f", config, *schema, path) == 0
        line = f"  {path} is not in the config, the live object or the last applied config (it can be set: {rule})"
        assert capsys.readouterr().out.splitlines()[1] == line
    assert kubemerge("why", "-f", config, *schema, "spec.half.known.more") == 2
    capsys.readouterr()


def test_why_of_a_new_object_has_a_line_for_every_field(capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("why", "-f", CONFIG, "spec.template.spec.containers[0].image") == 0
    assert capsys.readouterr().out.splitlines() == [
        "deployment.apps/nginx-deployment",
        "  spec.template.spec.containers[name=nginx].image  added: in config, not in live",
    ]


@pytest.mark.parametrize("path", [TOO_FAR, f".{TOO_FAR}"])
def test_why_refuses_a_position_beyond_the_end(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("why", "-f", CONFIG, "--live", LIVE, path) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.endswith("so [9] does not exist. Name one, as in [name=nginx]\n")


@pytest.mark.parametrize("form", ["text", "json"])
def test_why_refuses_a_field_that_the_kind_has_not(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("why", "-f", CONFIG, "--live", LIVE, "spec.replcas", "-o", form) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"kubemerge: Deployment of apps/v1 in Kubernetes {NEWEST} has no field spec.replcas")
    assert line.endswith("Did you mean spec.replicas?")


def test_a_field_of_one_object_need_not_be_one_of_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = write(tmp_path, "config.yaml", config_map("a"), deployment(replicas=2), config_map("b"))
    assert kubemerge("why", "-f", config, "spec.replicas") == 0
    said = capsys.readouterr().out.splitlines()
    assert [line for line in said if not line.startswith(" ")] == ["deployment.apps/web"]
    assert not any("not in the config" in line for line in said)
    assert kubemerge("why", "-f", config, "spec.replcas") == 2


def test_a_field_of_a_kind_without_a_schema_may_be_any(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    thing = {"apiVersion": "example.test/v1", "kind": "Thing", "metadata": {"name": "x"}}
    assert kubemerge("why", "-f", write(tmp_path, "x.json", thing), "spec.size") == 0
    assert "spec.size is not in the config" in capsys.readouterr().out


def test_why_has_one_line_a_field_for_other_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("why", "-f", CONFIG, "--live", LIVE) == 0
    _, *lines = capsys.readouterr().out.splitlines()
    assert all(len(line.split("  ", 2)) == 3 for line in lines)


def test_why_has_one_column_of_reasons_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    assert kubemerge("why", "-f", CONFIG, "--live", LIVE) == 0
    _, *lines = capsys.readouterr().out.splitlines()
    column = next(line for line in lines if line.startswith("  spec.replicas ")).index("kept")
    long = [line for line in lines if len(line.split()) == 1]
    assert long
    assert all(line[column - 2 : column] == "  " and line[column] != " " for line in lines if line not in long)


@pytest.mark.parametrize(("words", "seen"), [((), False), (("--show-secrets",), True)])
def test_why_masks_the_values_of_secrets(
    words: tuple[str, ...], seen: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "one"}}
    old, new = ({**secret, "data": {"password": value, "same": "Q0FO"}} for value in ("SElERQ==", "SElERSB0b28="))
    config, live = write(tmp_path, "new.yaml", new), write(tmp_path, "old.yaml", applied(old))
    for paths in (("-f", config, "--live", live), ("-f", config)):
        assert kubemerge("why", *paths, "-o", "json", *words) == 0
        said = capsys.readouterr().out
        assert ("SElER" in said, "Q0FO" in said) == (seen, seen)
    assert kubemerge("why", "-f", config, "--live", live, "-o", "json", *words, "data.password") == 0
    (one,) = json.loads(capsys.readouterr().out)
    assert (one["before"] == "*** (before)", one["after"] == "*** (after)") == (not seen, not seen)


def test_patches_are_printed_in_the_order_of_the_messages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = write(tmp_path, "config.yaml", *(config_map(name, {"is": name}) for name in "cab"))
    assert kubemerge("merge", "-f", config, "-o", "patch") == 0
    said = capsys.readouterr()
    assert [json.loads(line)["metadata"]["name"] for line in said.out.splitlines()] == ["c", "a", "b"]
    assert [line.split()[0] for line in said.err.splitlines()] == ["configmap/c", "configmap/a", "configmap/b"]


def config_in(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text)
    return file


FAILURES: dict[str, tuple[list[str], str]] = {
    "no config": ([], "Missing option '-f' / '--filename'"),
    "a missing config": (["-f", "missing.yaml"], "missing.yaml: No such file or directory"),
    "a missing live": (["-f", "good.yaml", "--live", "missing.yaml"], "missing.yaml: No such file"),
    "a missing schema": (["-f", "good.yaml", "--schema", "missing.yaml"], "missing.yaml"),
    "an unknown release": (["-f", "good.yaml", "--release", "1.2"], f"supported releases are 1.7 to {NEWEST}"),
    "another namespace": (
        ["-f", "placed.yaml", "-n", "b"],
        "kubemerge: placed.yaml:1: configmap/settings: the object is in the namespace 'a', not in 'b'",
    ),
    "a file without -f": (["good.yaml"], "pass files with -f, once per file: `kubemerge merge -f FILE`"),
    "one more file without -f": (["-f", "good.yaml", "new.yaml"], "pass files with -f, once per file"),
    "live twice": (["-f", "good.yaml", "--live", "good.yaml", "--live", "good.yaml"], "is also in good.yaml:1"),
    "bad YAML": (["-f", "bad.yaml"], "bad.yaml:3:1: "),
    "an unknown form": (["-f", "good.yaml", "-o", "xml"], "'xml' is not one of"),
    "a page that cannot be written": (["-f", "good.yaml", "--html", "no/such/page.html"], "no/such/page.html"),
    "a conflict that must not be overwritten": (
        ["-f", "new.yaml", "--live", "live.yaml", "--overwrite=false"],
        "new.yaml:1: configmap/settings: ",
    ),
}


@pytest.mark.parametrize("case", FAILURES.values(), ids=FAILURES)
def test_a_failure_is_one_line_and_exit_code_2(
    case: tuple[list[str], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "good.yaml", config_map())
    write(tmp_path, "placed.yaml", config_map(namespace="a"))
    write(tmp_path, "new.yaml", config_map(data={"a": "2"}))
    write(tmp_path, "live.yaml", {**applied(config_map(data={"a": "1"})), "data": {"a": "3"}})
    config_in(tmp_path, "bad.yaml", "a: 1\nb: [")
    words, message = case
    assert kubemerge("merge", "-q", *words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("kubemerge: ")
    assert message in line


def test_the_annotation_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    (one,) = merged(capsys, "-f", CONFIG, "--live", LIVE)
    kept = json.loads(one["metadata"]["annotations"][ANNOTATION])
    assert kept["spec"]["template"]["spec"]["containers"][0]["image"] == "nginx:1.16.1"


def test_last_applied_without_a_namespace_belongs_to_the_config_without_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    live = write(tmp_path, "live.yaml", config_map(namespace="prod", data={"old": "1", "foreign": "2"}))
    config = write(tmp_path, "config.yaml", config_map(data={"new": "3"}))
    last = write(tmp_path, "last.yaml", config_map(data={"old": "1"}))
    (one,) = merged(capsys, "-f", config, "--live", live, "--last-applied", last, "-n", "prod")
    assert one["data"] == {"foreign": "2", "new": "3"}


def test_last_applied_of_another_object_is_reported_as_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    live = write(tmp_path, "live.yaml", config_map(data={"old": "1"}))
    last = write(tmp_path, "last.yaml", config_map("other", data={"old": "1"}))
    assert (
        kubemerge("merge", "-f", write(tmp_path, "c.yaml", config_map()), "--live", live, "--last-applied", last) == 0
    )
    assert "not in --last-applied, so there is no last applied config" in capsys.readouterr().err


def test_a_namesake_in_another_namespace_is_pointed_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    live = write(tmp_path, "live.yaml", config_map(namespace="prod"))
    assert kubemerge("merge", "-f", write(tmp_path, "c.yaml", config_map()), "--live", live) == 0
    assert "there is a live object in namespace 'prod'. To use it, pass -n prod" in capsys.readouterr().err


SPELLINGS = {
    "-o=name": ["-o=name"],
    "a flag that is true": ["--safe=true", "-o", "name"],
    "a flag that is false": ["--safe=false", "-R=true", "-o", "name"],
    "a bare --overwrite": ["--overwrite", "-o", "name"],
    "--overwrite=false": ["--overwrite=false", "-o", "name"],
}


@pytest.mark.parametrize("words", SPELLINGS.values(), ids=SPELLINGS)
def test_options_may_be_spelled_as_for_kubectl(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = write(tmp_path, "c.yaml", config_map())
    assert kubemerge("merge", f"-f={config}", *words) == 0
    assert capsys.readouterr().out == "configmap/settings\n"


def test_files_may_be_parted_by_commas(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = ",".join(write(tmp_path, f"{name}.yaml", config_map(name)) for name in ("one", "two"))
    assert kubemerge("merge", "-f", both, "-o", "name") == 0
    assert capsys.readouterr().out == "configmap/one\nconfigmap/two\n"


def test_only_what_changes_is_told_with_its_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    live = write(tmp_path, "live.yaml", applied(config_map(data={"a": "1", "b": "same", "old": "x"})))
    config = write(tmp_path, "config.yaml", config_map(data={"a": "2", "b": "same", "new": "y" * 200}))
    assert kubemerge("why", "-f", config, "--live", live, "--changed") == 0
    said = capsys.readouterr()
    long = '"' + "y" * 75 + " ..."
    assert said.out.splitlines() == [
        "configmap/settings",
        '  data.a    set: config differs from live, "1" -> "2"',
        f"  data.new  added: in config, not in live, nothing -> {long}",
        '  data.old  cleared: in last-applied, not in config, "x" -> nothing',
    ]
    assert said.err == ""
    assert kubemerge("why", "-f", config, "--live", live, "--changed", "data.b") == 0
    assert capsys.readouterr().out == "configmap/settings\n  no changes at data.b\n"
    assert kubemerge("why", "-f", config, "--live", live, "--changed", "data", "-o", "json") == 0
    assert [one["path"] for one in json.loads(capsys.readouterr().out)] == ["data.a", "data.new", "data.old"]


def test_what_changes_in_a_secret_is_told_without_its_values(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}}
    live = write(tmp_path, "live.yaml", applied({**secret, "data": {"a": "b25l"}}))
    config = write(tmp_path, "config.yaml", {**secret, "data": {"a": "dHdv"}})
    assert kubemerge("why", "-f", config, "--live", live, "--changed") == 0
    said = capsys.readouterr().out
    assert "  data.a  set: config differs from live, " in said
    assert not [one for one in ("b25l", "dHdv") if one in said]


STRANGE = {
    "one object": (
        ("config.yaml",),
        "live.yaml has no Deployment web, but ConfigMap settings, ConfigMap b, ConfigMap c and 2 more\n",
    ),
    "two objects": (
        ("config.yaml", "other.yaml"),
        "live.yaml has none of the 2 objects, but ConfigMap settings, ConfigMap b, ConfigMap c and 2 more\n",
    ),
    "one that is there": (("config.yaml", "same.yaml"), ""),
}


@pytest.mark.parametrize("command", ["why", "merge", "diff"])
@pytest.mark.parametrize("case", STRANGE)
def test_live_objects_that_are_all_others_are_told(
    case: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names, told = STRANGE[case]
    write(tmp_path, "config.yaml", deployment("web"))
    write(tmp_path, "other.yaml", deployment("other"))
    write(tmp_path, "same.yaml", config_map())
    write(tmp_path, "live.yaml", *(config_map(name) for name in ("settings", "b", "c", "d", "e")))
    kubemerge(command, *(word for name in names for word in ("-f", name)), "--live", "live.yaml")
    said = capsys.readouterr().err
    assert told in said
    assert bool(told) == ("live.yaml has no" in said)


def test_no_live_objects_at_all_are_a_cluster_that_has_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "config.yaml", deployment("web"))
    write(tmp_path, "live.yaml", {"apiVersion": "v1", "kind": "List", "items": []})
    assert kubemerge("why", "-f", "config.yaml", "--live", "live.yaml") == 0
    assert capsys.readouterr().err == ""


# ---- what no server reads -------------------------------------------------------------------------------------------

SECRET = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "web", "namespace": "default"}}
UNREADABLE: dict[str, tuple[dict[str, Any], str]] = {
    "a field that the kind does not have": (deployment(replica=2), 'unknown field "spec.replica"'),
    "a value of another type": (
        deployment(replicas="two"),
        "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32",
    ),
    "a number in a Secret": (
        {**SECRET, "stringData": {"pin": 4711}},
        "json: cannot unmarshal number into Go struct field Secret.stringData of type string",
    ),
}


@pytest.mark.parametrize("command", ["merge", "why"])
@pytest.mark.parametrize("name", UNREADABLE)
def test_what_no_server_reads_is_told_of_changes_and_of_new_objects(
    name: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content, refused = UNREADABLE[name]
    config = write(tmp_path, "config.yaml", content)
    for live in (applied(deployment()), applied(SECRET)):
        assert kubemerge(command, "-f", config, "--live", write(tmp_path, "live.yaml", live)) == 0
        said = capsys.readouterr()
        assert f"/web: the API server would reject this: {refused}\n" in said.err
        assert said.out
        assert "4711" not in said.err


def test_nothing_is_told_of_what_a_server_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    container = {"name": "web", "image": "web:1", "resources": {"limits": {"cpu": 0.5, "memory": "1.5Gi"}}}
    config = write(tmp_path, "config.yaml", deployment("web", container, replicas=None, paused=False))
    assert kubemerge("merge", "-f", config, "--live", write(tmp_path, "live.yaml", applied(deployment()))) == 0
    assert "refuse" not in capsys.readouterr().err


def test_the_object_is_printed_as_a_server_stores_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pod = {"containers": [{"name": "c", "image": "i", "resources": {"limits": {"cpu": "1"}}}]}
    labels = {"app": "web"}
    spec = {"selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": pod}}
    before = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": spec}
    live = write(tmp_path, "live.yaml", applied(before))
    other = {"name": "c", "image": "i:2", "env": [], "resources": {"limits": {"cpu": "1000m"}}}
    template = {"metadata": {"labels": labels, "creationTimestamp": None}, "spec": {"containers": [other]}}
    config = write(tmp_path, "config.yaml", {**before, "spec": {**spec, "template": template}})
    (one,) = merged(capsys, "-f", config, "--live", live)
    assert one["spec"]["template"]["spec"]["containers"] == [{**pod["containers"][0], "image": "i:2"}]
    assert "creationTimestamp" not in one["spec"]["template"]["metadata"]
    (bare,) = merged(capsys, "-f", config, "--live", live, "--raw")
    assert bare["spec"]["template"]["spec"]["containers"] == [other]
