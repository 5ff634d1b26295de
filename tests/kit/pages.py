"""The examples on the pages about the kit."""

from __future__ import annotations

import re
from typing import Any

import yaml

from ..docs.pages import blocks, text_of


def inputs_in_table(page: str) -> set[str]:
    """The inputs that the table of a page names."""
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", text_of(page), re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`(\w+)`", row)}


def yaml_blocks(page: str) -> list[Any]:
    """The YAML that a page shows."""
    return [yaml.safe_load(block.text) for block in blocks(page) if block.info == "yaml"]
