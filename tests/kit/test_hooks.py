"""The pre-commit hooks: their entries run on files as pre-commit runs them, and by pre-commit itself."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from ..conftest import ROOT
from ..docs.pages import text_of
from .pages import yaml_blocks
from .repositories import BAD, CRON_JOB, GOOD, Repository, environment, load, run

if TYPE_CHECKING:
    from pathlib import Path

HOOKS: dict[str, dict[str, Any]] = {hook["id"]: hook for hook in load(".pre-commit-hooks.yaml")}
OTHERS = {
    "comment.yaml": "# nothing yet\n",
    "playbook.yaml": "- hosts: all\n  vars: {a: !vault b}\n",
    "stack.yaml": "Resources: {A: !Ref b}\n",
    ".pre-commit-config.yaml": "repos: []\n",
    "values.yaml": "replicas: 3\n",
}
"""YAML files of other tools that repositories contain."""


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    found = Repository(tmp_path / "repository", environment(tmp_path))
    found.commit({"good.yaml": GOOD, "bad.yaml": BAD, "old/cron.yaml": CRON_JOB, **OTHERS})
    return found


def hook(
    repository: Repository, name: str, *files: str, args: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """Run a hook as pre-commit does: its entry, the arguments of the user, and the names of files if it takes them."""
    one = HOOKS[name]
    words = [*shlex.split(one["entry"]), *args, *(files if one.get("pass_filenames", True) else ())]
    return run(*words, cwd=repository.folder, env=repository.env, code=None)


def test_every_hook_says_what_pre_commit_wants_to_know() -> None:
    assert list(HOOKS) == ["kubemerge-lint", "kubemerge-fix", "kubemerge-upgrade", "kubemerge-generate"]
    for one in HOOKS.values():
        assert {"id", "name", "description", "entry", "language"} <= {*one}
        assert one["language"] == "python"
        assert one["entry"].startswith("kubemerge ")
        assert "types" in one or "files" in one


def test_lint_looks_at_the_files_that_it_is_given(repository: Repository) -> None:
    assert hook(repository, "kubemerge-lint", "good.yaml").returncode == 0
    found = hook(repository, "kubemerge-lint", "good.yaml", "bad.yaml")
    assert (found.returncode, "bad.yaml:4:8: KM101 error configmap/bad" in found.stdout) == (1, True)
    assert hook(repository, "kubemerge-lint", "good.yaml", "bad.yaml", args=("--ignore=KM101",)).returncode == 0
    assert hook(repository, "kubemerge-lint", "old/cron.yaml", args=("--release=1.24",)).returncode == 1


@pytest.mark.parametrize("name", ["kubemerge-lint", "kubemerge-fix"])
@pytest.mark.parametrize("file", [*OTHERS, *[" ".join(OTHERS)]])
def test_yaml_of_other_tools_does_not_stop_a_commit(name: str, file: str, repository: Repository) -> None:
    done = hook(repository, name, *file.split())
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_fix_changes_the_file_and_what_is_left_is_told(repository: Repository) -> None:
    assert hook(repository, "kubemerge-fix", "good.yaml", "bad.yaml").returncode == 0
    assert repository.git("diff", "--name-only") == "bad.yaml"
    assert (repository.folder / "bad.yaml").read_text() == BAD.replace("a: 1", 'a: "1"')


def test_upgrade_looks_at_the_folder(repository: Repository) -> None:
    found = hook(repository, "kubemerge-upgrade", "good.yaml", args=("1.24..1.26", "-f", "old"))
    assert (found.returncode, "batch/v1beta1 CronJob was removed in 1.25" in found.stdout) == (1, True)
    assert hook(repository, "kubemerge-upgrade", "good.yaml", args=("1.24..1.26", "-f", "good.yaml")).returncode == 0


def test_generate_tells_of_a_package_that_is_old(repository: Repository) -> None:
    spec = str(ROOT / "examples" / "crds")
    run("kubemerge", "generate", "--spec", spec, "--out", "mine", cwd=repository.folder, env=repository.env)
    args = ("--spec", spec, "--out", "mine")
    assert hook(repository, "kubemerge-generate", "bad.yaml", args=args).returncode == 0
    with (repository.folder / "mine" / "index.py").open("a") as stream:
        stream.write("\n")
    found = hook(repository, "kubemerge-generate", "bad.yaml", args=args)
    assert (found.returncode, found.stdout) == (1, "mine/index.py differs\n")


# ---- by pre-commit itself --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pre_commit(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command, in a separate environment. The tests keep its cache in a temporary folder."""
    folder = tmp_path_factory.mktemp("pre-commit")
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    words = [str(folder / "venv" / "bin" / "python"), "-m"]
    done = subprocess.run(
        [*words, "pip", "install", "--quiet", "pre-commit"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip(f"pre-commit cannot be installed here: {done.stderr.strip().splitlines()[-1]}")
    return [*words, "pre_commit"]


def try_repo(repository: Repository, pre_commit: list[str], home: Path, *words: str, code: int) -> str:
    """The output of pre-commit when it runs hooks of this clone."""
    env = {**repository.env, "PATH": os.environ["PATH"], "PRE_COMMIT_HOME": str(home)}
    env |= {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_", "UV_"))}
    done = run(*pre_commit, "try-repo", str(ROOT), *words, cwd=repository.folder, env=env, code=None)
    if "Could not find a version" in done.stdout + done.stderr:
        pytest.skip("what kubemerge needs cannot be fetched here, so pre-commit cannot install it")
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_pre_commit_runs_the_hooks(
    pre_commit: list[str], repository: Repository, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.getbasetemp() / "pre-commit-home"
    home.mkdir(exist_ok=True)
    run(
        *pre_commit,
        "validate-manifest",
        str(ROOT / ".pre-commit-hooks.yaml"),
        cwd=repository.folder,
        env=repository.env,
    )
    said = try_repo(repository, pre_commit, home, "kubemerge-lint", "--all-files", code=1)
    assert "KM101 error configmap/bad" in said
    assert "nightly" in said
    try_repo(repository, pre_commit, home, "kubemerge-lint", "--files", "good.yaml", *OTHERS, code=0)
    said = try_repo(repository, pre_commit, home, "kubemerge-fix", "--files", "bad.yaml", code=1)
    assert "files were modified by this hook" in said
    assert repository.git("diff", "--name-only") == "bad.yaml"


def test_the_page_names_every_hook_and_no_other() -> None:
    page = "docs/how-to/pre-commit.md"
    named = {one["id"] for shown in yaml_blocks(page) for repo in shown["repos"] for one in repo["hooks"]}
    assert named == {*HOOKS}
    assert {name for name in HOOKS if f"| `{name}` |" in text_of(page)} == {*HOOKS}


def test_what_the_page_shows_works(repository: Repository) -> None:
    shutil.copytree(ROOT / "examples" / "crds", repository.folder / "crds")
    run("kubemerge", "generate", "--spec=crds/", "--out=operator/tables", cwd=repository.folder, env=repository.env)
    repository.commit({"manifests/good.yaml": GOOD})
    for shown in yaml_blocks("docs/how-to/pre-commit.md"):
        for one in shown["repos"][0]["hooks"]:
            done = hook(repository, one["id"], "manifests/good.yaml", args=tuple(map(str, one["args"])))
            assert done.returncode == 0, done.stdout + done.stderr
