"""Logs in SARIF 2.1.0, the format in which code hosts and editors accept findings of any tool."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from .addresses import SITE

if TYPE_CHECKING:
    from collections.abc import Sequence

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def log(rules: Sequence[Any], results: Sequence[Any], notifications: Sequence[Any] = ()) -> str:
    """Return a log with one run. Notifications are about inputs that could not be read."""
    driver = {"name": "kubemerge", "version": _version(), "informationUri": SITE, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not notifications, "toolExecutionNotifications": notifications}],
        "results": results,
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def location(uri: str, line: int, column: int = 1) -> dict[str, Any]:
    """Return the location of a finding in a file."""
    return {"artifactLocation": {"uri": uri}, "region": {"startLine": line, "startColumn": column}}


def fingerprint(*words: object) -> dict[str, str]:
    """Return the identity of a finding, which stays the same when lines move."""
    text = "\0".join(map(str, words))
    return {"kubemerge/v1": sha256(text.encode(errors="replace")).hexdigest()[:32]}


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("kubemerge")
    except PackageNotFoundError:
        return "0"
