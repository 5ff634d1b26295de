"""A release has compiled wheels for each system and Python in the classifiers. `tests.package.wheels` tries them."""

from __future__ import annotations

import re
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from typing import Any

import pytest

from tests import installed
from tests.conftest import ROOT, read_yaml

from .environments import SUPPORTED

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, WHEELS = SETTINGS["project"], SETTINGS["tool"]["cibuildwheel"]
JOBS: dict[str, Any] = read_yaml(ROOT / ".github" / "workflows" / "release.yml")["jobs"]
VERSIONS = re.findall(r"Python :: (3\.\d+)$", "\n".join(PROJECT["classifiers"]), re.MULTILINE)
RUNNERS = {"POSIX :: Linux": "ubuntu", "MacOS": "macos", "Microsoft :: Windows": "windows"}
"""The first word of a runner's name, by the classifier of its system."""


def test_the_supported_versions_are_in_one_row() -> None:
    assert PROJECT["requires-python"] == f">={VERSIONS[0]}"
    assert [f"3.{minor}" for minor in SUPPORTED] == VERSIONS


def test_each_version_has_a_wheel() -> None:
    assert WHEELS["build"].split() == [f"cp{version.replace('.', '')}-*" for version in VERSIONS]


def test_the_distributions_for_all_other_systems_are_tried_on_each_version() -> None:
    (versions,) = (step["with"]["python-version"] for step in JOBS["build"]["steps"] if "setup-python" in str(step))
    assert sorted(versions.split()) == sorted(VERSIONS)


def test_each_system_has_a_runner() -> None:
    systems = re.findall(r"Operating System :: (.*)", "\n".join(PROJECT["classifiers"]))
    runners = {name.partition("-")[0] for name in JOBS["wheels"]["strategy"]["matrix"]["os"]}
    assert {RUNNERS[system] for system in systems} == runners


def test_they_are_compiled_and_tested() -> None:
    assert WHEELS["environment"] == {"KUBEMERGE_COMPILE": "1"}
    programs = re.findall(r"{project}/(\S+)", WHEELS["test-command"])
    assert programs == ["tests/deep.py", "tests/installed.py"]
    assert all((ROOT / name).is_file() for name in programs)


def test_all_distributions_are_attested_and_published() -> None:
    assert JOBS["attest"]["needs"] == ["build", "wheels"]
    for name in ("attest", "publish"):
        fetched = [step["with"] for step in JOBS[name]["steps"] if "download-artifact" in step["uses"]]
        assert {"dist", "wheels-*"} <= {one.get("name", one.get("pattern")) for one in fetched}


def test_a_wheel_with_sources_only_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    modules = installed.compiled()
    assert all((ROOT / f"{name.replace('.', '/')}.py").is_file() for name in modules)
    suffix = EXTENSION_SUFFIXES[-1]
    monkeypatch.setattr(installed, "file_of", lambda name: f"{name}.py" if name == modules[-1] else f"{name}{suffix}")
    with pytest.raises(SystemExit, match=re.escape(f"not compiled: {modules[-1]}.py")):
        installed.main()
