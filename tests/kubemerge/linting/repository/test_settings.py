"""The settings of a repository: their location, their effect, and their errors."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from kubemerge.linting.reports import baseline
from kubemerge.linting.reports.baseline import BadBaseline
from kubemerge.linting.repository.settings import BadSettings, Patterns, find, read

from ....codegen.sample_specs import kubemerge
from ....conftest import native, needs_posix

if TYPE_CHECKING:
    from pathlib import Path

WRONG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NAME}\ndata: {a: 1}\n"
BAD = {
    'relase = "1.31"': "unknown key 'relase'. Did you mean release?",
    "zzz = 1": "unknown key 'zzz'. Known keys: release, schemas,",
    "release = 1.31": "release must be text",
    'select = "KM0"': "select must be a list of strings",
    "untracked = 1": "untracked must be true or false",
    'severity = "bad"': "severity is 'bad'. Use info, warning or error",
    "per-path-ignores = {a = 1}": "per-path-ignores must be a table",
    "release = ": "invalid TOML",
}


@pytest.mark.parametrize("text", BAD)
def test_what_is_wrong_is_said_in_a_sentence(text: str, tmp_path: Path) -> None:
    (tmp_path / "kubemerge.toml").write_text(text)
    with pytest.raises(BadSettings) as caught:
        read(str(tmp_path / "kubemerge.toml"))
    assert BAD[text] in str(caught.value)


def test_they_are_found_above_up_to_the_top_of_the_repository(tmp_path: Path) -> None:
    (tmp_path / "kubemerge.toml").write_text("")
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.other]\n")
    assert find(str(inner)) == str(tmp_path / "kubemerge.toml")
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.kubemerge]\nrelease = '1.31'\n")
    assert read(str(find(str(inner)))).release == "1.31"
    (inner / ".git").mkdir()
    assert find(str(inner)) is None


@pytest.mark.parametrize(
    ("pattern", "path", "meant"),
    [
        ("charts/", "charts/a/b.yaml", True),
        ("charts", "x/charts/b.yaml", True),
        ("a/charts", "x/a/charts/b.yaml", False),
        ("*.gen.yaml", "x/y.gen.yaml", True),
        ("x/*.yaml", "x/y.yaml", True),
        ("x/*.yaml", "y.yaml", False),
        ("./x", "x/y.yaml", True),
    ],
)
def test_patterns(pattern: str, path: str, meant: bool, tmp_path: Path) -> None:
    assert bool(Patterns(str(tmp_path), [pattern]).meaning(str(tmp_path / path))) == meant


@needs_posix
def test_links_lead_to_what_a_pattern_means(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.yaml").write_text("")
    (tmp_path / "folder").symlink_to("real")
    (tmp_path / "file.yaml").symlink_to("real/a.yaml")
    monkeypatch.chdir(tmp_path / "real")
    patterns = Patterns("..", ["real/", "./real/a.*", "file.yaml"])
    for source in (
        "a.yaml",
        "../folder/a.yaml",
        "../file.yaml",
        str(tmp_path / "real" / "a.yaml"),
        "../real/../real/a.yaml",
    ):
        assert patterns.meaning(source) == ["real/", "./real/a.*"]


def test_they_decide_what_the_options_leave_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = (
        'release = "1.24..1.25"\nexclude = ["gen/"]\nignore = ["KM101"]\n[per-path-ignores]\n"old/" = ["versions"]\n'
    )
    (tmp_path / "kubemerge.toml").write_text(settings)
    cron = "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: p}\nspec: {minAvailable: 1}\n"
    for name, text in (
        ("gen/a.yaml", cron),
        ("old/b.yaml", cron),
        ("c.yaml", cron),
        ("d.yaml", WRONG.replace("NAME", "d")),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert kubemerge("lint", ".", "-R") == 1
    said = capsys.readouterr()
    assert said.out.startswith(native("./c.yaml:1:1: KM202 error"))
    assert said.err == "1 finding in 1 of 3 objects\n"
    assert kubemerge("lint", "c.yaml", "--release", "1.24", "--severity", "error") == 0
    assert kubemerge("lint", "c.yaml", "--no-config", "--select", "apply") == 1


OUTSIDE = {
    "schemas = ['https://schemas.example/x.json']": "--allow-remote-schemas",
    "schemas = ['pypi:thing==1/x.json']": "--allow-remote-schemas",
    "schemas = ['../outside.json']": "leads out of the settings folder",
    "policies = ['../outside.json']": "Pass it as --policies instead",
    "schemas = ['link.json']": "leads out of the settings folder",
    "schemas = ['folder']": "leads out of the settings folder",
    "schemas = ['/etc/hostname']": "leads out of the settings folder",
    "schemas = ['pipe']": "is not a regular file",
    "schemas = ['folder-with-pipe']": "is not a regular file",
    'schemas = ["x\\u0000y"]': "is not a path",
    'baseline = "x\\u0000y"': "is not a path",
    "baseline = 'https://schemas.example/x.json'": "is an address",
    "baseline = '../outside.json'": "leads out of the settings folder",
    "baseline = '/dev/zero'": "leads out of the settings folder",
    "baseline = 'zero'": "leads out of the settings folder",
    "baseline = 'pipe'": "is not a regular file",
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
@pytest.mark.parametrize("text", OUTSIDE)
def test_settings_reach_nothing_outside_of_their_folder(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "outside.json").write_text('"canary outside"')
    at = tmp_path / "repository"
    for folder in (at, at / "folder", at / "folder-with-pipe"):
        folder.mkdir()
    monkeypatch.chdir(at)
    (at / "link.json").symlink_to("../outside.json")
    (at / "folder" / "link.json").symlink_to("../../outside.json")
    (at / "zero").symlink_to("/dev/zero")
    os.mkfifo(at / "pipe")
    os.mkfifo(at / "folder-with-pipe" / "pipe.json")
    (at / "a.yaml").write_text(WRONG)
    (at / "kubemerge.toml").write_text(text)
    assert kubemerge("lint", "a.yaml") in (1, 2)
    printed = "".join(capsys.readouterr())
    assert OUTSIDE[text] in printed
    assert "canary" not in printed
    assert "bug in kubemerge" not in printed


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_file_of_settings_is_a_small_regular_file_of_its_folder(tmp_path: Path) -> None:
    at = tmp_path / "repository"
    at.mkdir()
    (tmp_path / "outside.toml").write_text("canary = 1")
    (at / "link.toml").symlink_to("../outside.toml")
    (at / "large.toml").write_bytes(b"#" * (2**20 + 1))
    os.mkfifo(at / "pipe.toml")
    for name, problem in {"link": "leads out of its folder", "large": "more than 1 MiB", "pipe": "regular"}.items():
        with pytest.raises(BadSettings) as caught:
            read(str(at / f"{name}.toml"))
        assert problem in str(caught.value)
        assert "canary" not in str(caught.value)


def test_what_rewrites_files_follows_no_link_out_of_the_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = tmp_path / "outside.yaml"
    outside.write_text(WRONG)
    at = tmp_path / "repository"
    (at / "deep").mkdir(parents=True)
    monkeypatch.chdir(at)
    (at / "deep" / "link.yaml").symlink_to(outside)
    (at / "deep" / "page.html").symlink_to(outside)
    for command in (
        ("lint", "--fix", "deep"),
        ("lint", "--fix", "deep/link.yaml"),
        ("lint", "--write-baseline", "deep/link.yaml", "deep/link.yaml"),
        ("compare", "1.20", "1.37", "-f", "deep/link.yaml", "--html", "deep/page.html"),
    ):
        assert kubemerge(*command) in (1, 2), command
        assert outside.read_text() == WRONG, command


def test_files_of_a_folder_reach_nothing_outside_of_its_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "outside.yaml").write_text("canary outside: [")
    at = tmp_path / "repository"
    (at / "base").mkdir(parents=True)
    (at / "overlay").mkdir()
    monkeypatch.chdir(at)
    (at / "base" / "a.yaml").write_text(WRONG)
    (at / "overlay" / "a.yaml").symlink_to("../base/a.yaml")
    (at / ".git").mkdir()
    assert kubemerge("lint", "overlay", "--untracked", "--exit-zero") == 0, "links within a repository are followed"
    (at / "overlay" / "b.yaml").symlink_to("../../outside.yaml")
    capsys.readouterr()
    for command in (
        ("lint", "--untracked", "overlay"),
        ("diff", "-f", "overlay"),
        ("compare", "1.36", "1.37", "-f", "overlay"),
    ):
        assert kubemerge(*command) in (1, 2), command
        printed = "".join(capsys.readouterr())
        assert "leads out of" in printed, command
        assert "canary" not in printed, command


@pytest.mark.parametrize("text", [f"x = {'9' * 6000}", f"schemas = {'[' * 5000}", "x = 1979-05-27", '"\udcff" = 1'])
def test_settings_of_any_shape_are_told_in_one_sentence(text: str, tmp_path: Path) -> None:
    (tmp_path / "kubemerge.toml").write_text(text, errors="surrogateescape")
    with pytest.raises(BadSettings):
        read(str(tmp_path / "kubemerge.toml"))


@pytest.mark.parametrize("text", ["[" * 20_000, '{"findings":{"a":' + "9" * 6000 + "}}", "null"])
def test_a_baseline_of_any_shape_is_told_in_one_sentence(text: str) -> None:
    with pytest.raises(BadBaseline, match="not a baseline"):
        baseline.read(text, "b.json")
