"""Every command line of the documentation is run, and prints the output that is shown below it.

A block that begins with `$` is a session: its commands, and their output on both streams. A line `...` stands for any
lines, and `...` in a line for anything. Every page is run from its top, in a folder that holds `examples/`. A command
has to exit 0 unless the page gives another code, as in `kubemerge diff -f a.yaml # exits 1`, or `echo $?` follows. A
gate, in the YAML of a pipeline, may also find something.
"""

from __future__ import annotations

import os
import re
import shutil
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from tests.apiserver.kubectl import REAL_API
from tests.conftest import ROOT, native, require_package

from .pages import PAGES, Block, blocks, text_of
from .shell import Shell

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOT_RUN = {
    r"python3 -m venv ": "makes an environment; .ci/run runs the README's own two commands",
    r"(\.venv/bin/)?pip install ": "installs, which a test must not",
    r"\.venv/bin/python -m pytest": "is these tests",
    r"kubectl ": "needs a cluster",
    r"kubemerge .*--context ": "needs a cluster",
    r"claude ": "needs the client",
    r"kube-controller-manager ": "is a program of Kubernetes; tests/clients/test_real_controllers.py runs it",
    r"podman |helm ": "needs an engine for containers; tests/kit/test_container.py runs what is run in it",
}
"""Lines that are not run, with the reason. Those of kubectl are run where the page serves a cluster."""

STAND_INS = {
    "docs/how-to/apply-conflict.md": {
        name: f"docs/how-to/apply-conflict/{name}"
        for name in ("fixed.yaml", "live.yaml", "release.yaml", "rendered.yaml")
    },
    "docs/how-to/admission-policies.md": {
        name: f"docs/how-to/admission-policies/{name}" for name in ("live.yaml", "manifests", "policies")
    },
    "docs/how-to/blame.md": {name: f"docs/how-to/blame/{name}" for name in ("web.yaml", "live.yaml")},
    "docs/how-to/ci-gate.md": {"manifests": "examples/shop/manifests", "live.yaml": "docs/live/shop.yaml"},
    "docs/how-to/debug-an-apply.md": {"manifests": "examples/shop/manifests", "live.yaml": "docs/live/shop.yaml"},
    "docs/how-to/dumps.md": {
        name: f"docs/how-to/dumps/{name}"
        for name in ("web.yaml", "settings.yaml", "cluster-info.txt", "must-gather.local.5", "backup")
    },
    "docs/how-to/fleet.md": {"dumps": "docs/how-to/fleet/dumps", "clusters": "docs/how-to/fleet/clusters"},
    "docs/how-to/gitlab-component.md": {"manifests": "docs/how-to/gitlab-component/manifests"},
    "docs/how-to/lint-a-repository.md": {"manifests": "docs/how-to/lint-a-repository/manifests"},
    "docs/how-to/merge-in-git.md": {
        name: f"docs/how-to/merge-in-git/{name}" for name in ("base.yaml", "ours.yaml", "theirs.yaml")
    },
    "docs/how-to/migrate-to-server-side.md": {"live.yaml": "docs/live/checkout.yaml"},
    "docs/how-to/plan-gitops.md": {
        name: f"docs/how-to/plan-gitops/{name}"
        for name in (
            *("rendered.yaml", "live-flux.yaml", "live-argocd.yaml"),
            *("kustomization.yaml", "application.yaml", "respecting.yaml"),
        )
    },
    "docs/how-to/repair-drift.md": {
        **{name: f"docs/how-to/repair-drift/{name}" for name in ("manifests.yaml", "live.yaml")},
        "dumps": "docs/how-to/fleet/dumps",
    },
    "docs/how-to/test-ownership.md": {
        name: f"docs/how-to/test-ownership/{name}" for name in ("allowed-fields.yaml", "writes.jsonl")
    },
    "docs/how-to/upgrade-check.md": {"cluster.json": "openapi/1.32.json"},
}
"""Files that a page assumes its reader has: a repository of manifests, and a file written by kubectl."""

ELSEWHERE = "docs/reference/json.md"
"""A page whose commands test_reference.py runs, to look at their output."""

EXIT = re.compile(r"\s*# exits (\d+)$")


def has_fleets(page: str) -> bool:
    """Whether a page has commands for fleets, which start processes and need an extra."""
    return "kubemerge fleet " in (ROOT / page).read_text(encoding="utf-8")


def is_run(line: str, *, with_kubectl: bool = False) -> bool:
    if with_kubectl and line.startswith("kubectl "):
        return True
    return not any(re.match(pattern, line) for pattern in NOT_RUN)


def lines_of(text: str) -> list[str]:
    """The command lines of a script: without comments, continued lines in one."""
    joined = re.sub(r"\\\n\s*", "", text)
    return [line.strip() for line in joined.splitlines() if line.strip() and not line.strip().startswith("#")]


def sessions(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a session, each with its output."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = re.sub(r"\\\n\s*", "", part).partition("\n")
        yield command, shown


def pattern_of(shown: str) -> re.Pattern[str]:
    """A pattern that matches the output shown on a page."""
    parts = []
    for line in shown.splitlines():
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*")
        else:
            parts.append(".*".join(map(re.escape, line.split("..."))) + r"\n")
    return re.compile("".join(parts))


def stand_ins(page: str, folder: Path) -> None:
    """Copy the files that the page assumes into its folder, with the folder beside the page that has its name."""
    beside = page.removesuffix(".md")
    if (ROOT / beside).is_dir():
        shutil.copytree(ROOT / beside, folder / beside)
    for name, source in STAND_INS.get(page, {}).items():
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, folder / name)
        else:
            shutil.copy(ROOT / source, folder / name)


def steps(block: Block) -> Iterator[tuple[str, str | None]]:
    """The command lines of a block, each with its output, or None if that is not shown."""
    if block.info in ("text", "console") and block.text.startswith("$ "):
        yield from sessions(block.text)
    elif block.info == "sh":
        yield from ((line, None) for line in lines_of(block.text))
    elif block.info == "yaml":
        yield from ((line, None) for line in scripts(block.text))


def run_block(shell: Shell, block: Block) -> None:
    where = f"{block.page}:{block.line}"
    found = list(steps(block))
    for (line, shown), (follows, _) in zip(found, [*found, ("", None)][1:], strict=True):
        if not is_run(line, with_kubectl=shell.server is not None and shutil.which("kubectl") is not None):
            continue
        command, wanted = EXIT.sub("", line), EXIT.search(line)
        printed = shell.run(command)
        is_gate = block.info == "yaml" and "||" not in line
        codes = {0, 1} if is_gate else {int(wanted[1] if wanted else 0)}
        assert follows == "echo $?" or shell.code in codes, f"{where}: {line}: exit code {shell.code}\n{printed}"
        if shown is not None:
            printed = printed.replace(native(".kubemerge/"), ".kubemerge/")
            assert pattern_of(shown).fullmatch(printed), f"{where}: {line} prints\n{printed}"


def scripts(text: str) -> list[str]:
    """The command lines in the YAML of a pipeline, GitHub's or GitLab's."""
    found: list[str] = []

    def look(value: Any) -> None:
        if isinstance(value, list):
            for item in value:
                look(item)
        elif isinstance(value, dict):
            for key, inner in value.items():
                if key in ("run", "script", "before_script"):
                    found.extend(
                        line for text in ([inner] if isinstance(inner, str) else inner) for line in lines_of(text)
                    )
                else:
                    look(inner)

    for document in yaml.safe_load_all(text):
        look(document)
    return found


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shell]:
    for folder in ("examples", "docs/live"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("HOME", str(tmp_path))
    if REAL_API in os.environ:
        monkeypatch.setenv("PATH", os.environ[REAL_API], prepend=os.pathsep)
    made = Shell(tmp_path)
    yield made
    made.stop()


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[] if page == "README.md" else [pytest.mark.slow])
        for page in PAGES
        if page != ELSEWHERE
    ],
)
def test_commands_of_a_page_do_what_it_shows(page: str, shell: Shell) -> None:
    if has_fleets(page):
        require_package("pyarrow")
    stand_ins(page, shell.folder)
    for block in blocks(page):
        by_kubectl = shell.server is not None and any(line.startswith("kubectl ") for line, _ in steps(block))
        if by_kubectl and shutil.which("kubectl") is None:
            pytest.skip(
                f"there is no kubectl, and {REAL_API} does not name its folder: what follows from it was not run"
            )
        run_block(shell, block)


@pytest.mark.parametrize("page", PAGES)
def test_commands_stand_only_where_they_are_run(page: str) -> None:
    """No command line hides in a block that is only looked at."""
    for block in blocks(page):
        if block.info in ("sh", "yaml") or block.text.startswith("$ "):
            continue
        hidden = [line for line in block.text.splitlines() if line.lstrip().startswith("$ ")]
        assert not hidden, f"{block.page}:{block.line}: {hidden}"


def test_a_wrong_picture_is_seen(shell: Shell) -> None:
    for text in ("$ kubemerge releases\n1.8\n", "$ kubemerge lint nowhere.yaml\n...\n", "$ curl example.com\n...\n"):
        with pytest.raises(AssertionError):
            run_block(shell, Block("a page", 1, "text", text))
    for info, text in (("sh", "kubemerge releasez\n"), ("yaml", "jobs: {a: {steps: [{run: kubemerge releasez}]}}\n")):
        with pytest.raises(AssertionError):
            run_block(shell, Block("a page", 1, info, text))


def test_left_out_lines_may_be_anything(shell: Shell) -> None:
    run_block(
        shell, Block("a page", 1, "text", "$ kubemerge releases\n1.7\n...\n1...5\n1.36\n1.37\n...\n$ echo $?\n0\n")
    )


def test_the_two_commands_of_the_readme_set_up_everything_themselves() -> None:
    """A fresh clone and .ci/run use them."""
    for name in ("main", "tests"):
        block = text_of("README.md").split(f"<!-- {name} -->\n```sh\n")[1].split("```")[0]
        assert block.startswith("python3 -m venv .venv\n")
        assert all(line.startswith(("python3 ", ".venv/bin/")) for line in block.splitlines())


def test_what_is_not_run_is_there() -> None:
    lines = [line for page in PAGES for block in blocks(page) for line, _ in steps(block)]
    for pattern in NOT_RUN:
        assert any(re.match(pattern, line) for line in lines), f"nothing needs {pattern} any more"
