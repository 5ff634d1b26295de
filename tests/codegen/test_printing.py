"""Printed modules name their columns."""

from __future__ import annotations

import inspect

import pytest

from codegen.eras import unversioned
from codegen.printing import print_package
from codegen.rows import Rows
from engine import Rule

FILES = print_package(unversioned(Rows({"core_v1.Pod": {"spec": ("map",)}}, {}, {"io.k8s.api.core.v1": "core_v1"})), {})


def test_a_module_names_its_columns_as_the_engine_reads_them() -> None:
    (line,) = [line for line in FILES["core_v1.py"].splitlines() if line.startswith("# Columns: ")]
    assert line.removeprefix("# Columns: ").split(", ") == [
        "field",
        "first",
        "last",
        *inspect.signature(Rule).parameters,
    ]


@pytest.mark.parametrize("name", ["RELEASES", "PREFIXES", "KINDS"])
def test_index_describes_each_table(name: str) -> None:
    before = FILES["index.py"].partition(f"\n{name} = ")[0].splitlines()
    assert before[-1].startswith("# ")
