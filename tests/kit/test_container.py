"""The Containerfile. Its steps are run without a container: the copied files exist, and install a working command.

An engine also builds it, if one is running and can fetch the base image.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from typing import TYPE_CHECKING, NamedTuple

import pytest

from kubemerge.cli.commands.serve import serve

from ..conftest import ROOT
from .repositories import environment

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from pathlib import Path


class Instruction(NamedTuple):
    word: str
    text: str


def instructions() -> list[Instruction]:
    text = re.sub(r"^#.*\n", "", (ROOT / "Containerfile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = [line.strip() for line in re.sub(r"\\\n\s*", "", text).splitlines()]
    return [Instruction(*line.split(maxsplit=1)) for line in lines if line]


FOUND = instructions()
LAST = FOUND[max(at for at, one in enumerate(FOUND) if one.word == "FROM") :]
COPIED = [(words[:-1], words[-1]) for one in FOUND if one.word == "COPY" for words in [one.text.split()]]


def text_of(word: str) -> str:
    (found,) = (one.text for one in LAST if one.word == word)
    return found


def test_it_begins_with_a_version_and_ends_as_nobody() -> None:
    for one in FOUND:
        if one.word == "FROM":
            assert re.fullmatch(r"[a-z]+:\d+\.\d+-slim( AS \w+)?", one.text), "no latest, and no full image"
    assert [one.word for one in LAST].index("USER") > [one.word for one in LAST].index("RUN")
    user, group = text_of("USER").split(":")
    assert int(user) > 0 < int(group), "a number, which a cluster can tell from root"
    assert json.loads(text_of("ENTRYPOINT")) == ["kubemerge"]


def test_everything_that_is_copied_is_there_and_nothing_is_missing() -> None:
    sources = [name for names, _ in COPIED for name in names]
    assert [name for name in sources if not (ROOT / name).exists()] == []
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = {one.rstrip("*") for one in project["tool"]["setuptools"]["packages"]["find"]["include"]}
    files = {project["project"]["readme"], *project["project"]["license-files"], "pyproject.toml"}
    assert {*sources} == packages | files
    assert all((ROOT / name).is_file() or name == to for names, to in COPIED for name in names), "each in its place"


def test_the_engine_is_sent_what_is_copied_and_nothing_else() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    sources = {name for names, _ in COPIED for name in names}
    assert {line.removeprefix("!") for line in lines if line.startswith("!")} == sources
    assert "*" in lines
    assert any(fnmatch("kubemerge/__pycache__", line) for line in lines if line.startswith("**"))


def lines_of_the_page() -> list[str]:
    """The command lines that the page runs in the image: the words after its name."""
    text = (ROOT / "docs" / "how-to" / "container.md").read_text(encoding="utf-8")
    commands = [line for part in text.split("```sh\n")[1:] for line in part.split("```")[0].splitlines()]
    return [line.rpartition(" kubemerge ")[2] for line in commands if " run " in line]


def test_what_the_page_runs_in_the_image_works(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples" / "nginx", tmp_path / "manifests")
    shutil.copytree(ROOT / "examples" / "crds", tmp_path / "crds")
    env = environment(tmp_path)
    lines = lines_of_the_page()
    assert [line.split()[0] for line in lines] == ["lint", "lint", "generate", "serve"]
    for line in lines[:-1]:
        given = (tmp_path / "manifests" / "deployment.yaml").read_text()
        done = subprocess.run(
            ["kubemerge", *line.split()],
            cwd=tmp_path,
            env=env,
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "tables" / "index.py").exists()
    known = {word for option in serve.params for word in option.opts}
    assert {word for word in lines[-1].split() if word.startswith("--")} <= known


def extras() -> str:
    """The extras that both steps install."""
    built, installed = (re.findall(r"\[(.*?)\]", one.text) for one in FOUND if " pip " in one.text)
    assert built == installed
    return str(built[0])


def test_its_extras_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert {*extras().split(",")} <= {*project["project"]["optional-dependencies"]}


@pytest.mark.slow
def test_its_steps_give_a_command_that_answers(tmp_path: Path) -> None:
    """The same two commands, in a folder of the copied files and in an empty environment."""
    source, wheels = tmp_path / "source", tmp_path / "wheels"
    source.mkdir()
    for names, to in COPIED:
        for name in names:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, source / to, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, source / to / name)
    build, install = (
        one.text.split(" python -m ")[-1].removeprefix("python -m ") for one in FOUND if " pip " in one.text
    )
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    for command in (build, install):
        line = command.replace("/wheels", str(wheels))
        done = subprocess.run(
            ["sh", "-c", f"exec {venv}/bin/python -m {line}"], cwd=source, capture_output=True, text=True, check=False
        )
        if done.returncode and command == build and "No matching distribution" in done.stderr:
            pytest.skip("what kubemerge needs cannot be fetched here")
        assert done.returncode == 0, done.stderr
    entry = [str(venv / "bin" / json.loads(text_of("ENTRYPOINT"))[0])]
    for words, wanted in (
        (json.loads(text_of("CMD")), "Usage: kubemerge"),
        (["releases"], "1.37"),
        (["serve", "--help"], "API server"),
    ):
        done = subprocess.run([*entry, *words], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.returncode, wanted in done.stdout) == (0, True), done.stderr


@pytest.mark.slow
def test_an_engine_builds_it(tmp_path: Path) -> None:
    engine = next((one for one in ("podman", "docker") if shutil.which(one)), None)
    if engine is None or subprocess.run([engine, "info"], capture_output=True, check=False).returncode:
        pytest.skip("no engine for containers answers here")
    base = FOUND[0].text.split()[0]
    if subprocess.run([engine, "pull", base], capture_output=True, check=False).returncode:
        pytest.skip(f"the image {base} cannot be fetched here")
    name = "kubemerge-under-test"
    subprocess.run([engine, "build", "--file", "Containerfile", "--tag", name, "."], cwd=ROOT, check=True)
    said = subprocess.run([engine, "run", "--rm", name, "releases"], capture_output=True, text=True, check=True)
    assert "1.37" in said.stdout
