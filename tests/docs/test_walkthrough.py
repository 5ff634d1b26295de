"""The walkthrough covers all of Kubernetes' page, and shows the results on that page. test_commands runs it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.conftest import ROOT

from .pages import blocks, text_of
from .shell import Shell
from .test_commands import EXIT, pattern_of, sessions, stand_ins

if TYPE_CHECKING:
    from pathlib import Path

PAGE = "docs/walkthrough.md"
FILES = ROOT / "docs" / "walkthrough"

SHOWN = {
    "Create objects": ("nginx-deployment created", '"minReadySeconds":5', "replicas: 1"),
    "View objects": ("configmap/sizes",),
    "Update objects": ("-  minReadySeconds: 5", "replicas: 2", "image: nginx:1.16.1", "nginx-deployment unchanged"),
    "By name or file": ('configmap "colours" deleted from team', 'configmap "sizes" deleted from team namespace'),
    "By removing the file: labels": ("configmap/sizes pruned", "--prune-allowlist", "--all"),
    "By removing the file: an ApplySet": ("applyset.kubernetes.io/part-of=", "configmap/sizes pruned"),
    "The patch of an apply": ('"containers":[{"image":"nginx:1.17.0","name":"nginx"}]',),
    "Single values and maps": (
        "set: config differs",
        "added: in config",
        "cleared: in last-applied",
        "kept: only in live",
    ),
    "Lists that are replaced": ("-        - b", "-        - d", "+        - c", "list replaced"),
    "Lists whose elements merge": (
        "[name=nginx-helper-a]        cleared",
        "[name=nginx-helper-b].args   kept",
        "[name=nginx-helper-c].image  added",
        "[name=nginx-helper-d]        kept",
    ),
    "Lists of plain values that merge": ("  - example.com/audit\n  - example.com/backup\n",),
    "Default values": ("spec.strategy  ", "[name=nginx].imagePullPolicy", "maxSurge: 1\n", "matchLabels:"),
    "A default that no longer fits": (
        "--release 1.12",
        "--release 1.13",
        "Forbidden: may not be specified when strategy `type` is 'Recreate'",
        "(retainKeys)",
    ),
    "Clear a field with null": ("cleared: null in config", "strategy:\n    type: Recreate", "maxSurge: 25%"),
    "From a command to the config": ("spec.replicas  set",),
    "From the config to a command": ("spec.replicas  cleared", "spec.replicas  kept", "replicas: 5"),
    "From commands": ("replace --save-config", "ledger unchanged"),
    "From files with create and replace": ("data.size    kept", "replace --save-config", "data.size    cleared"),
    "Selectors and template labels": ("field is immutable", "controller-selector:"),
    "Two writers at once": ("the object has been modified", "ledger configured"),
    "Rehearse on a dump": ("cluster import", "--release 1.25", "does not serve it"),
}
"""Texts that the sections with commands show, in their blocks."""


def sections() -> dict[str, str]:
    """The text below each heading."""
    parts = re.split(r"^##+ (.+)$", text_of(PAGE), flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("heading", SHOWN)
def test_section_shows_what_it_is_for(heading: str) -> None:
    shown = "".join(re.findall(r"^```text\n(.*?)^```$", sections()[heading], re.MULTILINE | re.DOTALL))
    for part in SHOWN[heading]:
        assert part in shown


def test_nothing_is_shown_that_is_another_each_time() -> None:
    for block in blocks(PAGE):
        assert not re.search(
            r"\d{4}-\d\d-\d\dT|[0-9a-f]{8}-[0-9a-f]{4}-|resourceVersion: \"|generation: \d", block.text
        )
        assert not re.search(r"\b\d+[smh]$", block.text, re.MULTILINE)


def test_every_file_of_the_page_is_used() -> None:
    used = text_of(PAGE)
    assert all(file.name in used for file in FILES.rglob("*.yaml"))


@pytest.mark.slow
def test_every_line_that_is_shown_is_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change to any line makes the page wrong: no `...` hides the text beside it."""
    monkeypatch.delenv("KUBEMERGE_CLUSTER", raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    shell = Shell(tmp_path)
    stand_ins(PAGE, tmp_path)
    for block in blocks(PAGE):
        for command, shown in sessions(block.text):
            printed = shell.run(EXIT.sub("", command))
            assert pattern_of(shown).fullmatch(printed)
            for wrong in changed(shown.splitlines()):
                assert not pattern_of(wrong).fullmatch(printed), f"{PAGE}:{block.line}: {wrong}"


def changed(lines: list[str]) -> list[str]:
    """These lines, each time with another one changed."""
    telling = [at for at, line in enumerate(lines) if line.strip() != "..."]
    return ["\n".join([*lines[:at], f"{lines[at]} or not", *lines[at + 1 :]]) for at in telling]
