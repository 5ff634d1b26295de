"""`kubemerge compare -f`: the effect of an upgrade on a folder, in each form, and the changes of `--write`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from ....codegen.sample_specs import kubemerge
from ...compare.upgrade.corpus import clean, hazards

if TYPE_CHECKING:
    from pathlib import Path

CLAIMING = """\
apiVersion: v1
kind: Pod
metadata: {name: trainer, namespace: lab}
spec:
  resourceClaims: [{name: gpu, source: {resourceClaimName: gpu}}]
  containers: [{name: a, image: "x:1"}]
"""
GOING = """\
# kept
apiVersion: batch/v1beta1 # this too
kind: CronJob
metadata: {name: nightly}
spec:
  schedule: "0 3 * * *"
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: "x:1"}]}}}}
---
kind: PodDisruptionBudget
metadata: {name: web}
apiVersion: "policy/v1beta1"
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
---
kind: PodDisruptionBudget
metadata: {name: all}
apiVersion: policy/v1beta1
spec: {minAvailable: 1, selector: {}}
---
apiVersion: networking.k8s.io/v1beta1
kind: Ingress
metadata: {name: web}
spec: {rules: [{http: {paths: [{path: /, backend: {serviceName: web, servicePort: 80}}]}}]}
"""
BY_HAND = {
    "all": "an empty selector selects no Pod in policy/v1beta1",
    "web": "networking.k8s.io/v1 has no spec.rules[0].http.paths[0].backend.serviceName",
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.yaml"


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    capsys.readouterr()
    code = kubemerge("compare", *words)
    return code, *capsys.readouterr()


def found(capsys: pytest.CaptureFixture[str], *words: object) -> Any:
    return json.loads(run(capsys, *words, "-o", "json")[1])


def test_a_field_that_a_release_has_no_longer_is_not_created_as_ever(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(CLAIMING, encoding="utf-8")
    code, out, _ = run(capsys, "1.30..1.31", "-f", file, "--exit-code")
    assert code == 1
    assert out.startswith("1.30 to 1.31: 1 of 1 object changes (1 breaking)\n")
    assert "1.31 breaking: spec.resourceClaims[0].source: the field was removed" in out
    assert "  -> set resourceClaimName or resourceClaimTemplateName beside the name" in out
    assert f"  pod/trainer in lab  {file}:1" in out
    assert run(capsys, "1.29..1.30", "-f", file, "--exit-code")[:2] == (
        0,
        "1.29 to 1.30: 1 object, no changes\n",
    )


def test_equal_changes_of_many_objects_are_told_once(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pods = [CLAIMING.replace("trainer", f"trainer-{number}") for number in range(30)]
    file.write_text("---\n".join(pods), encoding="utf-8")
    out = run(capsys, "1.30..1.31", "-f", file)[1]
    assert out.count("resourceClaims[0].source") == 1
    assert "30 of 30 objects change (30 breaking)" in out
    assert "  and 20 more" in out
    page = run(capsys, "1.30..1.31", "-f", file, "-o", "html", "--severity", "breaking")[1]
    assert re.findall('data-sort="(.*?)"', page) == ["dropped"], "the gate of claims is off in both releases"
    assert "trainer-29 in lab" in page


def test_what_is_shown_and_the_exit_code_agree(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A Service only gets a new default value in 1.22. The removal of an Event API is more severe."""
    file.write_text("{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {ports: [{port: 80}]}}", "utf-8")
    seen = {}
    for severity in ("breaking", "notable", "info"):
        code, out, _ = run(capsys, "1.21", "1.22", "-f", file, "--exit-code", "--severity", severity)
        seen[severity] = code, "internalTrafficPolicy" in out, "no changes" in out
    assert seen == {"breaking": (0, False, True), "notable": (0, False, True), "info": (1, True, False)}


def test_a_deprecated_version_names_the_release_in_which_it_is_gone(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(GOING.partition("---")[0], encoding="utf-8")
    (one,) = found(capsys, "1.20..1.24", "-f", file)[0]["findings"]
    assert (one["at"], one["previous"], one["sort"], one["severity"]) == ("1.21", "1.20", "deprecated", "notable")
    assert one["text"] == "batch/v1beta1 CronJob is deprecated since 1.21, and removed in 1.25"
    assert one["fix"] == "migrate to batch/v1 CronJob (`--write` does this for you)"


def test_files_are_rewritten_where_the_version_is_all_that_changes(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(GOING, encoding="utf-8")
    _, out, err = run(capsys, "1.20..1.26", "-f", file, "--write")
    assert file.read_text(encoding="utf-8") == GOING.replace("batch/v1beta1 #", "batch/v1 #").replace(
        '"policy/v1beta1"', '"policy/v1"'
    )
    for name, reason in BY_HAND.items():
        assert re.search(rf"{name} is not converted: {re.escape(reason)}", err)
        assert f"manually, because {reason}" in out
    assert f"{file}: 2 objects converted (batch/v1beta1 to batch/v1, policy/v1beta1 to policy/v1)" in err


UNWRITTEN = {
    "a version on a later line": "kind: Lease\napiVersion:\n  coordination.k8s.io/v1beta1\nmetadata: {name: a}\n",
    "an alias": "kind: Lease\nmetadata: {name: a, annotations: {v: &v coordination.k8s.io/v1beta1}}\napiVersion: *v\n",
}


@pytest.mark.parametrize("case", UNWRITTEN)
def test_a_file_that_cannot_be_rewritten_stays(case: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(UNWRITTEN[case], encoding="utf-8")
    _, _, err = run(capsys, "1.21..1.26", "-f", file, "--write")
    assert "is not converted, because its apiVersion cannot be replaced in place. Change it manually" in err
    assert file.read_text(encoding="utf-8") == UNWRITTEN[case]


DUMPS: dict[str, str | int | None] = {"kubectl": 4, "one line": None, "tabs": "\t"}


@pytest.mark.parametrize("case", DUMPS)
def test_objects_of_a_dump_in_json_have_their_own_lines_and_are_rewritten(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`kubectl get -o json` prints one List. Each of its objects has a separate line."""
    cron = yaml.safe_load(GOING.partition("---")[0])
    items = [{**cron, "metadata": {"name": f"nightly-{number}"}} for number in range(3)]
    items[1] = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"v": "batch/v1beta1"}}
    text = json.dumps({"apiVersion": "v1", "items": items, "kind": "List"}, indent=DUMPS[case])
    dump = tmp_path / "dump.json"
    dump.write_text(text, encoding="utf-8")
    _, out, err = run(capsys, "1.20..1.26", "-f", dump, "--write")
    lines = [at + 1 for at, line in enumerate(text.splitlines()) if '"apiVersion"' in line]
    if case != "one line":
        wanted = [lines[1] - 1, lines[3] - 1]
        assert [int(one) for one in re.findall(r"nightly-\d  .*dump\.json:(\d+)", out)] == wanted
    assert f"{dump}: 2 objects converted (batch/v1beta1 to batch/v1)" in err
    assert dump.read_text(encoding="utf-8") == text.replace('"apiVersion": "batch/v1beta1"', '"apiVersion": "batch/v1"')


def test_what_is_hidden_is_counted(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    service = "{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {ports: [{port: 80}]}}"
    grpc = CLAIMING.partition("spec:")[0] + (
        "spec: {containers: [{name: a, image: x, readinessProbe: {grpc: {port: 5000}}}]}\n"
    )
    file.write_text(f"{service}\n---\n{grpc}\n---\n{GOING.partition('---')[0]}", "utf-8")
    for form in ("text", "markdown"):
        out = run(capsys, "1.20..1.26", "-f", file, "-o", form)[1]
        assert re.search(r"\d info changes? hidden \(use --severity info to show (them|it)\)", out)
        out = run(capsys, "1.20..1.26", "-f", file, "-o", form, "--severity", "breaking")[1]
        assert re.search(r"\d notable, \d info changes hidden \(use --severity info to show them\)", out)
        out = run(capsys, "1.20..1.26", "-f", file, "-o", form, "--severity", "info")[1]
        assert " hidden (" not in out
    table = run(capsys, "1.20..1.26", "-f", file)[1].splitlines()[2]
    assert table.split() == ["breaking", "notable"], "a column that is hidden has no dashes"


def test_deprecations_that_begin_on_the_way_are_shown(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """To plan ahead, users need to see that Endpoints and the annotation of AppArmor are deprecated."""
    file.write_text(
        "{apiVersion: v1, kind: Endpoints, metadata: {name: a}}\n---\n"
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {selector: {matchLabels: {a: b}}, "
        "template: {metadata: {labels: {a: b}, annotations: "
        "{container.apparmor.security.beta.kubernetes.io/a: runtime/default}}, "
        "spec: {containers: [{name: a, image: a}]}}}}",
        "utf-8",
    )
    out = run(capsys, "1.25..1.34", "-f", file)[1]
    assert "1.30 notable: spec.template.metadata.annotations[container.apparmor" in out
    assert "1.33 notable: " in out


def test_no_value_of_a_secret_is_told(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(
        "{apiVersion: v1, kind: Secret, metadata: {name: a, clusterName: b}, data: {key: 'not base64, hunter2'}}",
        "utf-8",
    )
    for form in ("text", "json", "markdown", "html"):
        _, out, err = run(capsys, "1.24", "1.25", "-f", file, "-o", form, "--severity", "info")
        assert "hunter2" not in out + err
        assert "clusterName" in out


@pytest.mark.slow
def test_a_page_of_five_hundred_objects_is_small_and_names_what_is_unchanged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    touched = [one.content for one in hazards()][:250]
    same = clean()[:250]
    for at, content in enumerate([*touched, *same]):
        whole = {**content, "metadata": {**content["metadata"], "name": f"object-{at}", "namespace": f"team-{at % 7}"}}
        (tmp_path / f"{at}.yaml").write_text(yaml.safe_dump(whole), encoding="utf-8")
    page = run(capsys, "1.28", "1.37", "-f", tmp_path, "-o", "html", "--severity", "info")[1]
    assert len(page.encode()) < 1_000_000
    assert {int(at) for at in re.findall(r"/object-(\d+)\b", page)} == {*range(500)}
    assert "persistentvolumeclaim/object-" in page
    assert " in team-3" in page


def test_objects_of_unknown_kinds_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    custom = tmp_path / "certificate.yaml"
    custom.write_text("apiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {name: web}\nspec: {}\n")
    assert kubemerge("compare", "1.24..1.33", "-f", custom) == 0
    told = "no schema for 1 object (Certificate of cert-manager.io/v1)"
    assert told in capsys.readouterr().err
    names = {"plural": "certificates", "kind": "Certificate"}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
    spec = {"group": "cert-manager.io", "names": names, "scope": "Namespaced", "versions": [version]}
    metadata = {"name": "certificates.cert-manager.io"}
    crd = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": metadata,
        "spec": spec,
    }
    (tmp_path / "crd.yaml").write_text(yaml.safe_dump(crd))
    assert kubemerge("compare", "1.24..1.33", "-f", custom, "--schema", tmp_path / "crd.yaml") == 0
    assert "no schema" not in capsys.readouterr().err


BAD = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: REPLICAS
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx, FIELD}]}
"""
REFUSED = {
    "another type": BAD.replace("REPLICAS", "three").replace("FIELD", "stdin: true"),
    "another value": BAD.replace("REPLICAS", "3").replace("FIELD", "imagePullPolicy: Sometimes"),
    "no such field": BAD.replace("REPLICAS", "3").replace("FIELD", "imgae: nginx"),
}


@pytest.mark.parametrize("config", REFUSED.values(), ids=REFUSED)
def test_what_is_refused_on_all_sides_is_no_change_and_is_told(
    config: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(config, encoding="utf-8")
    code, out, err = run(capsys, "1.24..1.30", "-f", file, "--exit-code")
    assert (code, out) == (0, "1.24 to 1.30: 1 object, no changes\n")
    assert err == (
        "1 object is rejected or loses a field in every release compared, so the upgrade does not affect it: "
        f"deployment.apps/web of {file}:1 (use --severity info for the reasons)\n"
    )
    code, out, err = run(capsys, "1.24..1.30", "-f", file, "--severity", "info")
    assert " info: " in out
    assert err == ""


def test_a_line_names_only_some_of_what_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(5):
        (tmp_path / f"{number}.yaml").write_text(
            REFUSED["another type"].replace("web}", f"web{number}}}", 1), encoding="utf-8"
        )
    err = run(capsys, "1.24..1.30", "-f", tmp_path)[2]
    assert err.startswith("5 objects are rejected or lose a field ")
    assert "deployment.apps/web2" in err
    assert "web3" not in err
    assert err.endswith(" and 2 more (use --severity info for the reasons)\n")


AFFECTED = {
    "the version is removed": (
        "{apiVersion: policy/v1beta1, kind: PodDisruptionBudget, metadata: {name: a}, spec: {minAvailabel: 1}}",
        "1.25 breaking: policy/v1beta1 PodDisruptionBudget was removed in 1.25",
    ),
    "the value is accepted later": (
        "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: a}, spec: {serviceName: a, minReadySeconds: 1, "
        "ordinals: {start: 3}, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, "
        "spec: {containers: [{name: a, image: b}]}}}}",
        "1.27 notable: spec.ordinals: the field is now stored",
    ),
}


@pytest.mark.parametrize(("config", "line"), AFFECTED.values(), ids=AFFECTED)
def test_an_affected_object_is_not_called_unaffected(
    config: str, line: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(config, encoding="utf-8")
    _, out, err = run(capsys, "1.24..1.30", "-f", file)
    assert line in out
    assert err == ""


def test_what_is_fine_on_all_sides_is_not_told_as_refused(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(BAD.replace("REPLICAS", "3").replace("FIELD", "stdin: true"), encoding="utf-8")
    assert run(capsys, "1.24..1.30", "-f", file)[2] == ""


def test_a_version_that_is_gone_on_all_sides_is_a_finding_and_no_error(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(GOING, encoding="utf-8")
    code, out, err = run(capsys, "1.26..1.30", "-f", file)
    assert (code, err) == (0, "")
    assert "1.26 breaking: batch/v1beta1 CronJob was removed in 1.25 (also in the release you start from)\n" in out
    assert run(capsys, "1.26..1.30", "-f", file, "--exit-code")[0] == 1
    file.write_text("{apiVersion: apps/v1, kind: Deploymnt, metadata: {name: a}}", encoding="utf-8")
    code, _, err = run(capsys, "1.26..1.30", "-f", file)
    assert code == 2
    assert "Did you mean Deployment of apps/v1" in err


# ---- a folder as people have it -------------------------------------------------------------------------------------

KUSTOMIZATION = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [pod.yaml]\n"


def test_yaml_of_other_tools_is_passed_over_and_what_cannot_be_read_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pod.yaml").write_text(CLAIMING, encoding="utf-8")
    (tmp_path / "kustomization.yaml").write_text(KUSTOMIZATION, encoding="utf-8")
    (tmp_path / "values.yaml").write_text("replicaCount: 1\n", encoding="utf-8")
    code, out, err = run(capsys, "1.30..1.31", "-f", tmp_path)
    assert (code, err.partition("\n")[0]) == (0, "skipped: Kustomization (1), Helm values (1)")
    (tmp_path / "broken.yaml").write_text("apiVersion: v1\nkind: {\n", encoding="utf-8")
    again = run(capsys, "1.30..1.31", "-f", tmp_path)
    assert again[:2] == (2, out), "the others are compared all the same"
    assert again[2].startswith(f"kubemerge: {tmp_path / 'broken.yaml'}:3:1: a value is missing")


def test_of_a_config_that_cannot_be_read_nothing_is_told(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("apiVersion: v1\nkind: {\n", encoding="utf-8")
    for form in ("text", "json"):
        assert run(capsys, "1.30..1.31", "-f", file, "-o", form)[:2] == (2, "")
    file.write_text(KUSTOMIZATION, encoding="utf-8")
    code, out, err = run(capsys, "1.30..1.31", "-f", file)
    assert (code, out) == (2, "")
    assert err == f"skipped: Kustomization (1)\nkubemerge: {file}: no object in it. Pass a file with an object\n"


@pytest.mark.parametrize("sides", [("1.30..1.31",), ("1.30", "1.31")])
def test_a_config_without_its_option_is_told_how_to_give_it(
    sides: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, *sides, tmp_path)
    assert (code, out) == (2, "")
    assert f"config files with -f: `kubemerge compare {' '.join(sides)} -f {tmp_path}`" in err


RETAINED = """\
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template: {metadata: {labels: {app: db}}, spec: {containers: [{name: a, image: "x:1"}]}}
  persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete, whenScaled: Retain}
"""
GATED = "spec.persistentVolumeClaimRetentionPolicy"


@pytest.mark.parametrize(
    ("sides", "wanted"),
    [
        ("1.20..1.26", []),
        ("1.25..1.29", [("kept", "1.27", "notable")]),
        ("1.29..1.37", []),
    ],
)
def test_a_field_is_stored_from_the_release_in_which_its_feature_gate_is_on(
    sides: str, wanted: list[Any], file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From then on, deleting the StatefulSet deletes its volumes."""
    file.write_text(RETAINED, encoding="utf-8")
    (one,) = found(capsys, sides, "-f", file)
    rows = [row for row in one["findings"] if row["path"] == GATED and row["sort"] in ("kept", "dropped")]
    assert [(row["sort"], row["at"], row["severity"]) for row in rows if row["severity"] != "info"] == wanted
    assert all("StatefulSetAutoDeletePVC" in row["text"] for row in rows)


def test_a_field_is_lost_where_its_feature_gate_is_off(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(RETAINED, encoding="utf-8")
    out = run(capsys, "1.29", "1.25", "-f", file)[1]
    assert f"1.25 breaking: {GATED}: the feature gate StatefulSetAutoDeletePVC is off, so the API server drops" in out
