"""The GitLab component: its inputs are filled in as by GitLab, and the scripts of its jobs are run."""

from __future__ import annotations

import json
import re
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from ..conftest import ROOT
from .pages import inputs_in_table, yaml_blocks
from .repositories import BAD, CRON_JOB, DEPLOYMENT, GOOD, Repository, environment

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

TEMPLATE = ROOT / "templates" / "kubemerge" / "template.yml"
_INPUT = re.compile(r"\$\[\[\s*inputs\.(\w+)\s*\]\]")
TYPES: dict[str, type] = {"string": str, "boolean": bool}


def component(**given: Any) -> dict[str, dict[str, Any]]:
    """The jobs, with these inputs."""
    head, jobs = yaml.safe_load_all(TEMPLATE.read_text(encoding="utf-8"))
    specified = head["spec"]["inputs"]
    assert {*given} <= {*specified}
    values = {name: given.get(name, one["default"]) for name, one in specified.items()}
    for name, one in specified.items():
        assert isinstance(values[name], TYPES[one.get("type", "string")])
        assert values[name] in one.get("options", [values[name]])
    used = set(_INPUT.findall(TEMPLATE.read_text(encoding="utf-8")))
    assert used == {*specified}, "every input is used, and no other"
    found: dict[str, dict[str, Any]] = _filled(jobs, values)
    return found


def _filled(value: Any, values: Mapping[str, Any]) -> Any:
    """A value with its inputs. A value that consists only of an input keeps the input's type."""
    if isinstance(value, dict):
        return {name: _filled(one, values) for name, one in value.items()}
    if isinstance(value, list):
        return [_filled(one, values) for one in value]
    if not isinstance(value, str):
        return value
    whole = _INPUT.fullmatch(value)
    return values[whole[1]] if whole else _INPUT.sub(lambda found: str(values[found[1]]), value)


class Runner:
    """Runs a job in a checkout. The packages that pip would install are already there."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.log = ""

    def run(self, job: Mapping[str, Any]) -> int:
        script = 'set -eo pipefail\npython3() { echo "installed: $*"; }\n' + "\n".join(job["script"])
        env = {**self.repository.env, **{name: str(value) for name, value in job["variables"].items()}}
        done = subprocess.run(
            ["bash", "-c", script], cwd=self.repository.folder, env=env, capture_output=True, text=True, check=False
        )
        self.log = done.stdout + done.stderr
        return done.returncode


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    repository = Repository(tmp_path / "repository", environment(tmp_path))
    repository.commit({"a/good.yaml": GOOD, "b/bad.yaml": BAD, "b/cron.yaml": CRON_JOB})
    return Runner(repository)


def quality(runner: Runner) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((runner.repository.folder / "gl-code-quality-report.json").read_text())
    return found


def test_lint_leaves_a_report_and_fails_on_findings(runner: Runner) -> None:
    job = component(install="kubemerge==1")["kubemerge-lint"]
    assert runner.run(job) == 1
    assert "installed: -m pip install --quiet kubemerge==1" in runner.log
    assert "b/bad.yaml:4:8: KM101 error" in runner.log
    found = {(one["check_name"], one["location"]["path"]) for one in quality(runner)}
    assert found == {("KM101", "b/bad.yaml"), ("KM027", "b/cron.yaml")}
    assert job["artifacts"]["reports"]["codequality"] in job["artifacts"]["paths"]
    assert job["artifacts"]["when"] == "always"
    assert job["allow_failure"] is False


def test_lint_without_findings_passes_with_an_empty_report(runner: Runner) -> None:
    assert runner.run(component(paths="a", release="1.24..1.31", may_fail=True)["kubemerge-lint"]) == 0
    assert quality(runner) == []
    assert runner.run(component(paths="b/cron.yaml a", release="1.24", severity="error")["kubemerge-lint"]) == 0


def test_what_cannot_be_read_is_in_the_report_too(runner: Runner) -> None:
    (runner.repository.folder / "a" / "broken.yaml").write_text("a: [\n")
    assert runner.run(component(paths="a/broken.yaml")["kubemerge-lint"]) == 2
    assert [one["severity"] for one in quality(runner)] == ["blocker"]


def test_schemas_are_given(runner: Runner) -> None:
    backup = "apiVersion: storage.example.com/v1\nkind: Backup\nmetadata: {name: a}\nspec: {shedule: x}\n"
    (runner.repository.folder / "backup.yaml").write_text(backup)
    assert runner.run(component(paths="backup.yaml")["kubemerge-lint"]) == 0
    crds = f"{ROOT}/examples/crds {ROOT}/docs/how-to/upgrade-check/crds"
    assert runner.run(component(paths="backup.yaml", schemas=crds)["kubemerge-lint"]) == 1


def test_the_upgrade_has_a_page_and_fails_on_what_breaks(runner: Runner) -> None:
    job = component(upgrade="1.24..1.26", paths="a b")["kubemerge-upgrade"]
    assert job["rules"] == [{"if": "$KUBEMERGE_UPGRADE"}]
    assert component()["kubemerge-upgrade"]["variables"]["KUBEMERGE_UPGRADE"] == "", "then there is no such job"
    assert runner.run(job) == 1
    assert "batch/v1beta1 CronJob was removed in 1.25" in runner.log
    assert "nightly" in (runner.repository.folder / "upgrade.html").read_text()
    runner.repository.commit({"b/web.yaml": DEPLOYMENT})
    assert runner.run(component(upgrade="1.24..1.26", paths="a b/web.yaml")["kubemerge-upgrade"]) == 0


@pytest.mark.parametrize("name", ["paths", "release", "schemas", "upgrade", "install"])
def test_an_input_is_no_command(name: str, runner: Runner) -> None:
    for text in ("$(touch sprung)", "`touch sprung`", "; touch sprung", '" ; touch sprung; "', "a\ntouch sprung"):
        for job in component(**{name: text}).values():
            runner.run(job)
    assert not (runner.repository.folder / "sprung").exists()


def test_no_input_stands_in_a_script() -> None:
    for job in yaml.safe_load_all(TEMPLATE.read_text(encoding="utf-8")):
        for one in job.values():
            assert not any("$[[" in line for line in one.get("script", ()))


PAGE = "docs/how-to/gitlab-component.md"


def test_the_page_has_every_input() -> None:
    head = next(yaml.safe_load_all(TEMPLATE.read_text(encoding="utf-8")))
    assert inputs_in_table(PAGE) == {*head["spec"]["inputs"]}


def test_what_the_page_includes_works(runner: Runner) -> None:
    runner.repository.commit({"manifests/a.yaml": BAD, "manifests/b.yaml": DEPLOYMENT})
    (shown,) = yaml_blocks(PAGE)
    (included,) = shown["include"]
    assert included["component"].rpartition("/")[2].partition("@")[0] == TEMPLATE.parent.name
    jobs = component(**included["inputs"])
    assert runner.run(jobs["kubemerge-lint"]) == 1
    assert [one["check_name"] for one in quality(runner)] == ["KM101"]
    runner.run(jobs["kubemerge-upgrade"])
    assert (runner.repository.folder / "upgrade.html").exists()
