"""dev.lock holds the packages that developers and workflows install, with hashes. `tox -e lock` regenerates it."""

from __future__ import annotations

import re
import sys
from itertools import chain

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TEXT = (ROOT / "dev.lock").read_text(encoding="ascii")
PINS = re.findall(
    r"^([a-z0-9._-]+)==(\S+?)(?: ;.*)? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", TEXT, re.MULTILINE
)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = {name: asked for name, asked in PROJECT["optional-dependencies"].items() if name not in ("ray", "spark")}
"""This excludes the engines that kubemerge is only tested on: they are half a gigabyte, and no workflow needs them."""
ASKED = [Requirement(one) for one in chain(PROJECT["dependencies"], *EXTRAS.values())]


@pytest.mark.parametrize("wanted", [one for one in ASKED if one.name != "kubemerge"], ids=str)
def test_what_is_asked_for_is_locked(wanted: Requirement) -> None:
    versions = [version for name, version, _ in PINS if canonicalize_name(name) == canonicalize_name(wanted.name)]
    assert versions, f"{wanted} is not in dev.lock; run `tox -e lock`"
    assert all(version in wanted.specifier for version in versions)


def test_every_line_is_a_pin_with_its_hashes() -> None:
    lines = [line for line in TEXT.splitlines() if not line.startswith("#")]
    assert len([line for line in lines if not line.startswith(" ")]) == len(PINS) > 100
    assert sum(hashes.count("--hash") for _, _, hashes in PINS) == len([line for line in lines if line.startswith(" ")])


def test_no_index_is_named() -> None:
    assert "://" not in TEXT
    assert "index" not in TEXT.partition("accessible")[0]
