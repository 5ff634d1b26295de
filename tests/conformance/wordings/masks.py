"""Masks for values that differ between responses: identities, times, versions, generated names."""

from __future__ import annotations

import re

_DRAWN = (
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"), "UID"),
    (re.compile(r"(nodePort: Duplicate value: )\d+"), r"\1N"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"), "TIME"),
    (re.compile(r"NodePort:[1-9]\d*"), "NodePort:N"),
    (re.compile(r"\b0x[0-9a-f]{9,12}\b"), "0xc000000000"),  # an address in the memory of a Go program
    (re.compile(r"resource version: \d+"), "resource version: N"),
    (re.compile(r"\brevision=(\d+|PORT)"), "revision=N"),
    (re.compile(r"(UID|ResourceVersion) in record \((\w|-)+\)"), r"\1 in record (N)"),
    (re.compile(r'patch: Invalid value: "(?:[^"\\]|\\.)*"'), 'patch: Invalid value: "..."'),
    (re.compile(r'"10(\.\d+){3}": expected'), '"ADDRESS": expected'),
    (re.compile(r'"manager":"(python-requests|unknown)"'), '"manager":"PROGRAM"'),
    (re.compile(r"selfType[0-9]+[A-Za-z0-9_.@]*"), "object"),
)
"""Values that a server draws or takes from its clock, and server-specific fields."""
_GENERATED, _SUFFIX = r'(metadata\.name: Invalid value: "[^"]*)', '[bcdfghjklmnpqrstvwxz2456789]{5}(?=")'
"""A generated name, and its suffix."""


def masked(text: str) -> str:
    """A text without drawn values."""
    text = re.sub(f"{_GENERATED}{_SUFFIX}", r"\1", text)
    for pattern, instead in _DRAWN:
        text = pattern.sub(instead, text)
    return text
