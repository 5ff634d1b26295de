"""`kubemerge diff`: its output, hidden values, and exit codes."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import engine
from engine.directives import ANNOTATION

from ....codegen.sample_specs import kubemerge
from ....conftest import NEWEST, ROOT, needs_posix, python
from ...manifests_in_files import config_map, fails, written
from ...objects import applied, deployment

if TYPE_CHECKING:
    from ...shell import Shell

NGINX = ("-f", ROOT / "examples" / "nginx" / "deployment.yaml", "--live", ROOT / "docs" / "live" / "nginx.yaml")

CONFIG = config_map(data={"a": "2", "b": "same"})
NOTHING = {"apiVersion": "v1", "kind": "List", "items": []}
"""An empty list of live objects."""
LIVE = engine.apply(config_map(data={"a": "1", "b": "same", "old": "x"}), None, engine.load().schema("v1", "ConfigMap"))


@pytest.fixture
def files(tmp_path: Path) -> tuple[object, ...]:
    """A config map of which one value is other, and one is gone."""
    config, live = written(tmp_path / "config.yaml", CONFIG), written(tmp_path / "live.yaml", LIVE.merged)
    return "-f", config, "--live", live


def test_what_apply_would_change(files: tuple[object, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("diff", *files) == 1
    said = capsys.readouterr()
    assert said.out == (
        "diff -u -N LIVE/v1.ConfigMap.default.settings MERGED/v1.ConfigMap.default.settings\n"
        "--- LIVE/v1.ConfigMap.default.settings\n"
        "+++ MERGED/v1.ConfigMap.default.settings\n"
        "@@ -1,8 +1,7 @@\n"
        " apiVersion: v1\n"
        " data:\n"
        '-  a: "1"\n'
        '+  a: "2"\n'
        "   b: same\n"
        "-  old: x\n"
        " kind: ConfigMap\n"
        " metadata:\n"
        "   annotations:\n"
    )
    assert said.err == "1 of 1 object would change\n"


def test_quiet_prints_the_difference_only(files: tuple[object, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("diff", *files, "-q") == 1
    said = capsys.readouterr()
    assert said.out.startswith("diff -u -N ")
    assert said.err == ""


def test_verbose_explains(files: tuple[object, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("diff", *files, "-v") == 1
    assert "configmap/settings: patch type strategic, by the rules of Kubernetes" in capsys.readouterr().err


def test_nothing_to_change_is_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    live = written(tmp_path / "live.yaml", engine.apply(CONFIG, None, None).merged)
    assert kubemerge("diff", "-f", written(tmp_path / "config.yaml", CONFIG), "--live", live) == 0
    assert capsys.readouterr().out == ""


ALIKE: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    # config, live: only what kubectl diff does not show differs
    "the annotation is missing": (config_map(), config_map()),
    "the annotation is of another config": (
        config_map(),
        config_map(metadata={"name": "settings", "annotations": {ANNOTATION: "{}"}}),
    ),
    "there is an empty map of annotations": (
        config_map(),
        config_map(metadata={"name": "settings", "annotations": {}}),
    ),
    "there are other annotations": (
        config_map(metadata={"name": "settings", "annotations": {"a": "b"}}),
        config_map(metadata={"name": "settings", "annotations": {"a": "b"}}),
    ),
    "managed fields": (
        config_map(metadata={"name": "settings", "managedFields": [{"manager": "a"}]}),
        config_map(metadata={"name": "settings", "managedFields": [{"manager": "b"}]}),
    ),
    "a number in another form": (config_map(data={"a": 1}), config_map(data={"a": 1.0})),
}


@pytest.mark.parametrize("output", ["text", "json"])
@pytest.mark.parametrize("case", ALIKE.values(), ids=ALIKE)
def test_what_is_not_a_difference(
    case: tuple[dict[str, Any], dict[str, Any]], output: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config, live = (written(tmp_path / f"{at}.json", document) for at, document in enumerate(case))
    assert kubemerge("diff", "-q", "-f", config, "--live", live, "-o", output) == 0
    assert capsys.readouterr().out == {"text": "", "json": "[]\n"}[output]


def test_managed_fields_are_shown_if_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config, live = (written(tmp_path / f"{at}.json", one) for at, one in enumerate(ALIKE["managed fields"]))
    assert kubemerge("diff", "-f", config, "--live", live, "--show-managed-fields") == 1
    assert "-  - manager: b\n" in capsys.readouterr().out  # which has no fields, so that a server drops it


def test_an_object_that_is_new_is_shown_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("diff", "-f", written(tmp_path / "config.yaml", config_map(namespace=None)), "-n", "apps") == 1
    said = capsys.readouterr()
    assert said.out == (
        "diff -u -N LIVE/v1.ConfigMap.apps.settings MERGED/v1.ConfigMap.apps.settings\n"
        "--- LIVE/v1.ConfigMap.apps.settings\n"
        "+++ MERGED/v1.ConfigMap.apps.settings\n"
        "@@ -0,0 +1,7 @@\n"
        '+apiVersion: v1\n+data:\n+  a: "1"\n+kind: ConfigMap\n+metadata:\n+  name: settings\n+  namespace: apps\n'
    )
    assert said.err == "1 of 1 object would change (no --live and no cluster, so every object counts as new)\n"


NAMES = {
    "apps.v1.Deployment.default.x": ("apps/v1", "Deployment", {"name": "x"}),
    "apps.v1.Deployment.prod.x": ("apps/v1", "Deployment", {"name": "x", "namespace": "prod"}),
    "v1.Namespace..x": ("v1", "Namespace", {"name": "x"}),
    "example.org.v1.Unknown..x": ("example.org/v1", "Unknown", {"name": "x"}),
    "v1.ConfigMap.default.a_.._b": ("v1", "ConfigMap", {"name": "a/../b"}),
}


@pytest.mark.parametrize("name", NAMES)
def test_objects_are_called_as_by_kubectl(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    api_version, kind, metadata = NAMES[name]
    file = written(tmp_path / "config.yaml", {"apiVersion": api_version, "kind": kind, "metadata": metadata})
    assert kubemerge("diff", "-f", file, "--live", written(tmp_path / "live.yaml", NOTHING)) == 1
    assert capsys.readouterr().out.splitlines()[1] == f"--- LIVE/{name}"


SECRET = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "keys"}}
WORDS = ("Zmlyc3Q=", "c2Vjb25k", "a2VwdA==", "plain-text", "Z29uZQ==")


@pytest.fixture
def secrets(tmp_path: Path) -> tuple[object, ...]:
    """A Secret of which one value is other, one is new, one is gone and one stays."""
    old = {**SECRET, "data": {"a": WORDS[0], "kept": WORDS[2], "gone": WORDS[4]}}
    new = {**SECRET, "data": {"a": WORDS[1], "kept": WORDS[2]}, "stringData": {"new": WORDS[3]}}
    live = engine.apply(old, None, None).merged
    return "-f", written(tmp_path / "new.yaml", new), "--live", written(tmp_path / "live.yaml", live)


def test_secrets_are_masked(secrets: tuple[object, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("diff", *secrets) == 1
    said = capsys.readouterr().out
    lines = [line for line in said.splitlines()[3:] if line[0] in "+-"]
    assert lines == ["-  a: '*** (before)'", "-  gone: '***'", "+  a: '*** (after)'", "+  new: '***'"]
    assert not [word for word in WORDS if word in said]


def test_secrets_are_masked_for_programs(secrets: tuple[object, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("diff", *secrets, "-o", "json") == 1
    said = capsys.readouterr().out
    assert {one["path"]: (one["action"], one["before"], one["after"]) for one in json.loads(said)} == {
        "data.a": ("changed", "*** (before)", "*** (after)"),
        "data.gone": ("cleared", "***", None),
        "data.new": ("added", None, "***"),
    }
    assert not [word for word in WORDS if word in said]


@pytest.mark.parametrize("output", ["text", "json"])
def test_a_new_secret_is_masked(output: str, secrets: tuple[object, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("diff", *secrets[:2], "-o", output) == 1
    said = capsys.readouterr().out
    assert "***" in said
    assert not [word for word in WORDS if word in said]


def test_secrets_are_shown_if_asked_for(secrets: tuple[object, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("diff", *secrets, "--show-secrets") == 1
    said = capsys.readouterr().out
    assert f"-  a: {WORDS[0]}\n" in said
    assert f"+  a: {WORDS[1]}\n" in said


def test_a_page_is_written_as_well(
    secrets: tuple[object, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kubemerge("diff", *secrets, "--html", tmp_path / "page.html") == 1
    assert "***" in capsys.readouterr().out
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert not [word for word in WORDS if word in page]


def test_a_page_on_standard_output_stands_alone(files: tuple[object, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("diff", *files, "--html", "-") == 1
    out = capsys.readouterr().out
    assert (out[:15].lower(), out.rstrip()[-7:]) == ("<!doctype html>", "</html>")


def test_fields_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("diff", *NGINX, "-o", "json", "-q") == 1
    found = json.loads(capsys.readouterr().out)
    assert [list(one) for one in found] == [["object", "path", "action", "before", "after", "reason"]] * len(found)
    assert {one["path"]: (one["before"], one["after"]) for one in found} == {
        "spec.minReadySeconds": (5, None),
        "spec.template.spec.containers[name=nginx].image": ("nginx:1.14.2", "nginx:1.16.1"),
    }


@pytest.mark.parametrize(("color", "shown"), [("always", True), ("auto", False), ("never", False)])
def test_colours(color: str, shown: bool, files: tuple[object, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("diff", *files, "--color", color) == 1
    out = capsys.readouterr().out
    assert ("\x1b[31m-  old: x\x1b[0m\n" in out) == shown
    assert ("\x1b[7m1\x1b[0m" in out) == shown, "the word that changed stands out"


def test_an_object_that_fails_is_reported_and_the_others_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = config_map("broken", metadata={"name": "broken", "annotations": {ANNOTATION: "{"}})
    live = written(tmp_path / "live.yaml", broken, config_map("fine"))
    config = written(tmp_path / "config.yaml", config_map("broken"), config_map("fine", data={"a": "2"}))
    assert kubemerge("diff", "-f", config, "--live", live) == 2
    said = capsys.readouterr()
    assert "MERGED/v1.ConfigMap.default.fine" in said.out
    complaint, _, summary = said.err.splitlines()
    assert complaint.startswith(f"kubemerge: {config}:1: configmap/broken: ")
    assert summary == "1 of 1 object would change, 1 could not be merged"


def test_an_error_does_not_show_the_secret(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    live = {**SECRET, "metadata": {"name": "keys", "annotations": {ANNOTATION: f"{{{WORDS[0]}"}}, "data": {}}
    files = "-f", written(tmp_path / "config.yaml", SECRET), "--live", written(tmp_path / "live.yaml", live)
    assert WORDS[0] not in fails(capsys, "diff", *files)


# ---- KUBECTL_EXTERNAL_DIFF ----------------------------------------------------------------------------------------

PROGRAM = """#!{python}
import json, os, pathlib, stat, sys
folders = [pathlib.Path(word) for word in sys.argv[1:3]]
report = {{
    "words": sys.argv[3:],
    "folders": [str(folder) for folder in folders],
    "modes": [stat.S_IMODE(folder.stat().st_mode) for folder in folders],
    "files": [{{file.name: file.read_text() for file in sorted(folder.iterdir())}} for folder in folders],
}}
pathlib.Path(os.environ["REPORT"]).write_text(json.dumps(report))
print("shown by the program")
{end}
"""


class External:
    """A program for KUBECTL_EXTERNAL_DIFF, and the files that it was given."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder, self._monkeypatch = folder, monkeypatch

    def is_set(self, end: str = "sys.exit(1)", words: str = "") -> None:
        program = self._folder / "program"
        program.write_text(PROGRAM.format(python=sys.executable, end=end))
        program.chmod(0o700)
        if os.name == "nt":  # which does not read the first line
            program = program.with_suffix(".bat")
            program.write_text(f'@"{sys.executable}" "{program.with_suffix("")}" %*\n')
        self._monkeypatch.setenv("REPORT", str(self._folder / "report.json"))
        self._monkeypatch.setenv("KUBECTL_EXTERNAL_DIFF", f"{program}{words}")

    @property
    def seen(self) -> Any:
        return json.loads((self._folder / "report.json").read_text())


@pytest.fixture
def external(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> External:
    folder = tmp_path / "external"
    folder.mkdir()
    return External(folder, monkeypatch)


def test_the_external_program_shows_the_difference(
    external: External, files: tuple[object, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    external.is_set(words=" -u --unified=3 a/b 'c'")
    assert kubemerge("diff", *files) == 1
    said = capfd.readouterr()
    assert said.out.splitlines() == ["shown by the program"]
    assert "the word 'a/b' is ignored" in said.err
    seen = external.seen
    assert seen["words"] == ["-u", "--unified=3"]
    assert [Path(folder).name.partition("-")[0] for folder in seen["folders"]] == ["LIVE", "MERGED"]
    assert [list(folder) for folder in seen["files"]] == [["v1.ConfigMap.default.settings"]] * 2
    assert 'a: "1"' in seen["files"][0]["v1.ConfigMap.default.settings"]
    assert 'a: "2"' in seen["files"][1]["v1.ConfigMap.default.settings"]


@needs_posix
def test_the_folders_are_private_and_removed(
    external: External, files: tuple[object, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    for end in ("sys.exit(0)", "sys.exit(3)", "os.kill(os.getpid(), 9)"):
        external.is_set(end)
        kubemerge("diff", *files)
        assert external.seen["modes"] == [stat.S_IRWXU] * 2
        assert not [folder for folder in external.seen["folders"] if Path(folder).exists()]
    capfd.readouterr()


@needs_posix
def test_the_folders_are_removed_when_the_process_is_asked_to_end(
    external: External, files: tuple[object, ...], tmp_path: Path
) -> None:
    external.is_set("sys.stdout.flush(); import time; time.sleep(60)")
    with subprocess.Popen(
        [sys.executable, "-m", "kubemerge", "diff", *map(str, files)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "shown by the program\n"
        process.terminate()
        assert process.wait(20) == -signal.SIGTERM
    assert not [folder for folder in external.seen["folders"] if Path(folder).exists()]


@pytest.mark.parametrize(("end", "code"), [("sys.exit(0)", 0), ("sys.exit(1)", 1)])
def test_the_external_program_decides(
    end: str, code: int, external: External, files: tuple[object, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    external.is_set(end)
    assert kubemerge("diff", *files) == code
    capfd.readouterr()


def test_the_external_program_sees_no_secret(
    external: External, secrets: tuple[object, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    external.is_set()
    assert kubemerge("diff", *secrets) == 1
    capfd.readouterr()
    assert "*** (after)" in json.dumps(external.seen)
    assert not [word for word in WORDS if word in json.dumps(external.seen)]


def test_every_object_has_its_file(external: External, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    external.is_set()
    names = ["a_b", "same", "a" * 300, "a/b"]
    config = written(tmp_path / "config.yaml", *(config_map(name) for name in names))
    assert kubemerge("diff", "-f", config, "--live", written(tmp_path / "live.yaml", NOTHING)) == 1
    capfd.readouterr()
    live, merged = external.seen["files"]
    assert set(live.values()) == {""}
    assert live.keys() == merged.keys()
    assert len(merged) == len(names)
    assert {"v1.ConfigMap.default.same", "v1.ConfigMap.default.a_b", "v1.ConfigMap.default.a_b~2"} < merged.keys()


def test_an_object_that_fails_is_2_whatever_the_program_says(
    external: External, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    external.is_set("sys.exit(0)")
    broken = config_map(metadata={"name": "settings", "annotations": {ANNOTATION: "{"}})
    files = "-f", written(tmp_path / "c.yaml", config_map()), "--live", written(tmp_path / "l.yaml", broken)
    assert kubemerge("diff", *files) == 2
    assert external.seen["files"] == [{}, {}]
    capfd.readouterr()


ENDS = {"sys.exit(2)": "ended with exit code 2"}
if os.name == "posix":
    ENDS["os.kill(os.getpid(), 9)"] = "was ended by signal 9"


@pytest.mark.parametrize("end", ENDS)
def test_an_external_program_that_fails(
    end: str, external: External, files: tuple[object, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    external.is_set(end)
    assert ENDS[end] in fails(capsys, "diff", *files)


@pytest.mark.parametrize("program", ["/no/such/program", str(ROOT)])
def test_an_external_program_that_cannot_be_run(
    program: str, files: tuple[object, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KUBECTL_EXTERNAL_DIFF", program)
    assert f"KUBECTL_EXTERNAL_DIFF: {program}: " in fails(capsys, "diff", *files)


def test_an_empty_variable_is_none(
    files: tuple[object, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KUBECTL_EXTERNAL_DIFF", " ")
    assert kubemerge("diff", *files) == 1
    assert capsys.readouterr().out.startswith("diff -u -N")


# ---- how it ends --------------------------------------------------------------------------------------------------

BAD: dict[str, tuple[str, str]] = {
    # the config, and its error message
    "no YAML": ("a: {b", "config.yaml:"),
    "no object": ("- 1", "is not a Kubernetes object"),
    "no name": ("{apiVersion: v1, kind: Pod, metadata: {labels: {}}}", "no metadata.name"),
}


@pytest.mark.parametrize("case", BAD.values(), ids=BAD)
def test_a_config_that_cannot_be_read(
    case: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, message = case
    assert message in fails(capsys, "diff", "-f", written(tmp_path / "config.yaml", text))


WRONG: dict[str, tuple[tuple[object, ...], str]] = {
    "an option that there is not": ((*NGINX, "--frobnicate"), "No such option"),
    "no config": (("--live", "x"), "Missing option"),
    "a file that there is not": (("-f", "/no/such/file"), "No such file"),
    "a live file that there is not": ((*NGINX[:2], "--live", "/no/such/file"), "No such file"),
    "a release that there is not": ((*NGINX, "--release", "1.99"), f"1.7 to {NEWEST}"),
    "a page that cannot be written": ((*NGINX, "--html", "/no/such/folder/page.html"), "/no/such/folder/page.html"),
}


@pytest.mark.parametrize("case", WRONG.values(), ids=WRONG)
def test_a_mistake_is_2(case: tuple[tuple[object, ...], str], capsys: pytest.CaptureFixture[str]) -> None:
    words, message = case
    assert message in fails(capsys, "diff", *words)


@needs_posix
def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    config = written(tmp_path / "config.yaml", *(config_map(f"x{at}", data={"a": "b" * 999}) for at in range(200)))
    done = subprocess.run(
        f"{sys.executable} -m kubemerge diff -q -f {config} | head -1",
        shell=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("diff -u -N LIVE/v1.ConfigMap.default.x0")
    assert done.stderr == ""


# ---- how fast -----------------------------------------------------------------------------------------------------

MEASURED = """
import contextlib, io, time
from kubemerge.cli.main import main
from tests.memory import peak
started = time.process_time()
try:
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        main(["diff", "-q", "-f", "config", "--live", "live"])
except SystemExit as end:
    assert end.code == 1
assert shown.getvalue().count("diff -u -N") == {count}
print(time.process_time() - started, peak())
"""


def measured(folder: Path, count: int) -> tuple[float, int]:
    """Seconds and bytes of a diff over so many deployments in 20 files."""
    (folder / "config").mkdir(parents=True)
    (folder / "live").mkdir()
    text = (ROOT / "examples" / "nginx" / "deployment.yaml").read_text()
    live = (ROOT / "docs" / "live" / "nginx.yaml").read_text()
    more = "status:\n  conditions:\n" + "".join(
        f"  - type: T{at}\n    status: 'True'\n    reason: r\n" for at in range(20)
    )
    for name, one in (("config", text), ("live", live + more)):
        documents = [one.replace("nginx-deployment", f"nginx-{at}") for at in range(count)]
        for at in range(20):
            (folder / name / f"{at}.yaml").write_text("\n---\n".join(documents[at::20]))
    seconds, memory = python(MEASURED.format(count=count), cwd=folder).split()
    return float(seconds), int(memory)


@pytest.mark.slow
def test_500_objects_take_less_than_5_seconds_and_each_the_same_memory(tmp_path: Path) -> None:
    seconds, memory = measured(tmp_path / "500", 500)
    assert seconds < 5
    _, more = measured(tmp_path / "2000", 2000)
    assert (more - memory) / 1500 < 100_000, "bytes for an object"


def test_only_what_is_selected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = (config_map(metadata={"name": name, "labels": {"app": name}}) for name in ("one", "other"))
    config = written(tmp_path / "config.yaml", one, other)
    live = written(tmp_path / "live.yaml", config_map())
    assert kubemerge("diff", "-f", config, "--live", live, "-l", "app in (one,two)") == 1
    said = capsys.readouterr()
    assert said.out.startswith("diff -u -N LIVE/v1.ConfigMap.default.one ")
    assert "other" not in said.out
    assert said.err.endswith("1 of 1 object would change\n")
    assert kubemerge("diff", "-f", config, "--live", live, "-l", "app=none") == 0
    assert capsys.readouterr().out == ""


# ---- errors that a server would return -----------------------------------------------------------------------------

SERVICE = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}}
JOB = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "web"}}
TEMPLATE = {"spec": {"restartPolicy": "Never", "containers": [{"name": "a", "image": "a:1"}]}}
SELECTED = {
    "selector": {"matchLabels": {"app": "web"}},
    "template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "web", "image": "web:1"}]}},
}
CHANGES: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    # live, config, the server's error
    "the selector of a Deployment": (
        deployment("web", selector={"matchLabels": {"app": "web"}}),
        deployment("web", selector={"matchLabels": {"app": "web", "tier": "front"}}),
        'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`, '
        "and 1 more",
    ),
    "the address of a Service": (
        {**SERVICE, "spec": {"clusterIP": "10.0.0.1", "ports": [{"port": 80}]}},
        {**SERVICE, "spec": {"clusterIP": "10.0.0.2", "ports": [{"port": 80}]}},
        'spec.clusterIPs[0]: Invalid value: ["10.0.0.2"]: may not change once set',
    ),
    "the template of a Job": (
        {**JOB, "spec": {"template": TEMPLATE}},
        {**JOB, "spec": {"template": {"spec": {**TEMPLATE["spec"], "restartPolicy": "OnFailure"}}}},
        "spec.template: Invalid value: ",
    ),
    "a ConfigMap that is immutable": (
        {**config_map(data={"a": "1"}), "immutable": True},
        {**config_map(data={"a": "2"}), "immutable": True},
        "data: Forbidden: field is immutable when `immutable` is set",
    ),
    "a value of another type": (
        deployment("web", replicas=1),
        deployment("web", replicas="two"),
        "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32",
    ),
    "a field that the kind does not have": (
        deployment("web", replicas=1),
        deployment("web", replica=2),
        'unknown field "spec.replica"',
    ),
    "the data of a Secret that is immutable": (
        {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "immutable": True, "data": {"a": "c2VjcmV0"}},
        {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "immutable": True, "data": {"a": "aGlkZGVu"}},
        "data",
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_of_files_it_is_told_what_a_server_would_refuse(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, config, refused = CHANGES[name]
    live = written(tmp_path / "live.yaml", applied(before))
    dropped = refused.startswith("unknown field")
    code = kubemerge("diff", "-f", written(tmp_path / "config.yaml", config), "--live", live)
    said = capsys.readouterr()
    assert (code, said.out.startswith("diff -u -N ")) == ((0, False) if dropped else (1, True))
    told, summary = said.err.splitlines()
    assert f": the API server would reject this: {refused}" in told
    assert summary == f"{0 if dropped else 1} of 1 object would change"
    assert "aGlkZGVu" not in told


FINE = {
    "a change that is allowed": (deployment("web", replicas=1), deployment("web", replicas=2)),
    "a fault that live has already": (
        {**SERVICE, "spec": {"ports": [{"port": 80, "protocol": "ICMP"}]}},
        {
            **SERVICE,
            "metadata": {"name": "web", "labels": {"a": "b"}},
            "spec": {"ports": [{"port": 80, "protocol": "ICMP"}]},
        },
    ),
    "a custom resource": (
        {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "web"}, "spec": {"size": 1}},
        {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "web"}, "spec": {"size": 2}},
    ),
}


@pytest.mark.parametrize("name", FINE)
def test_of_files_nothing_is_told_of_what_a_server_takes(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, config = FINE[name]
    live = written(tmp_path / "live.yaml", applied(before))
    assert kubemerge("diff", "-f", written(tmp_path / "config.yaml", config), "--live", live) == 1
    assert "refuse" not in capsys.readouterr().err


@pytest.mark.parametrize("more", [(), ("--server-side",)])
def test_a_new_object_looks_the_same_however_live_is_given(
    more: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    config = written(tmp_path / "config.yaml", {**deployment("web"), "spec": SELECTED})
    live = written(tmp_path / "live.yaml", config_map())
    printed = []
    for where in ((), ("--live", live), ("--cluster", ":memory:")):
        assert kubemerge("diff", "-f", config, *where, *more) == 1
        printed.append(capsys.readouterr().out)
    assert "+  progressDeadlineSeconds: 600" in printed[0]
    assert printed[1:] == [printed[0]] * 2


def test_a_new_object_that_is_refused_is_shown_as_it_was_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = written(tmp_path / "config.yaml", {**deployment("web"), "spec": {**SELECTED, "replicas": -1}})
    assert kubemerge("diff", "-f", config, "--live", written(tmp_path / "live.yaml", config_map())) == 1
    said = capsys.readouterr()
    assert "+  replicas: -1" in said.out
    assert "progressDeadlineSeconds" not in said.out
    refused = "spec.replicas: Invalid value: -1: must be greater than or equal to 0"
    assert f"deployment.apps/web: the API server would reject this: {refused}\n" in said.err


def test_a_new_object_that_cannot_be_read_is_told_as_a_change_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    live = written(tmp_path / "live.yaml", config_map())
    config = written(tmp_path / "config.yaml", {**deployment("web"), "spec": {**SELECTED, "replicas": "two"}})
    assert kubemerge("diff", "-f", config, "--live", live) == 1
    refused = "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32"
    assert f"deployment.apps/web: the API server would reject this: {refused}\n" in capsys.readouterr().err


def test_the_generation_is_raised_as_kubectl_diff_shows_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cluster = ("--cluster", tmp_path / "cluster.db")
    config = written(tmp_path / "config.yaml", {**deployment("web"), "spec": SELECTED})
    assert kubemerge("diff", "-f", config, *cluster) == 1
    assert "+  generation: 1\n" in capsys.readouterr().out
    assert kubemerge("apply", "-f", config, *cluster) == 0
    config = written(tmp_path / "config.yaml", {**deployment("web"), "spec": {**SELECTED, "replicas": 2}})
    capsys.readouterr()
    assert kubemerge("diff", "-f", config, *cluster) == 1
    changed = [line for line in capsys.readouterr().out.splitlines() if line.startswith(("- ", "+ "))]
    assert changed == ["-  generation: 1", "+  generation: 2", "-  replicas: 1", "+  replicas: 2"]


def test_an_object_above_the_limit_of_the_annotation_has_a_difference(shell: Shell) -> None:
    """The requests of `kubectl diff` have no last-applied annotation, so it is not too large."""
    data = {f"k{number:03}": "x" * 1000 for number in range(300)}
    file = shell.write("big.yaml", config_map(data=data))
    assert shell.run("diff", "-f", file) == 1
    assert shell.out.count("\n+  k") == 300
    shell.fails("apply", "-f", file)
    shell.done("create", "-f", file)
    assert shell.run("diff", "-f", file) == 0
    shell.write("big.yaml", config_map(data={**data, "k300": "x"}))
    assert shell.run("diff", "-f", file) == 1
    assert "\n+  k300: x\n" in shell.out
    assert ANNOTATION not in shell.out
