"""The page about comparisons with real servers. Its figures come from the recorded responses."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

from tests.conftest import ROOT, read_yaml
from tests.kubemerge.apiserver.releases.fates import HERE, NOT_SERVED, UNKNOWN, recorded, recorded_releases

if TYPE_CHECKING:
    from collections.abc import Iterator

OBJECTS = ROOT / "tests" / "conformance" / "releases" / "recorded.json.gz"
HEAD = """# Comparisons with real servers

{made}

With `--release 1.25`, commands follow the API server of 1.25. For the releases below, the tests compare the embedded
cluster with recorded responses of a real API server:

- Fields: a request for each field of each kind sets the field in a new object. The fate of the field is equal if both
  servers keep it, replace it by another value, drop it, or reject the object.
- Objects: ordinary objects of all kinds. Warnings are equal in all of them. A few other differences are listed beside
  the test.

| release | server | recorded on | fields | equal | objects |
|---|---|---|---|---|---|
"""
TAIL = """
Other releases follow the source code of their API servers: feature gates, default values, checks and warnings have
ranges of releases. Gates have their default values, and requests went only to APIs that are served by default. Merging
is compared separately with the Go code of each release whose merging differs from the release before.

The commands that record the responses again are listed in [Contributing](../../CONTRIBUTING.md#add-a-recorded-case).
"""


def releases_page(made: str) -> str:
    """The whole page."""
    return HEAD.format(made=made) + "".join(_rows()) + TAIL


def _rows() -> Iterator[str]:
    listed = read_yaml(HERE / "differ.yaml")
    objects = json.loads(gzip.decompress(OBJECTS.read_bytes()))
    for release in recorded_releases():
        found = recorded(release)
        server, _, asked = found.version.partition(", asked on ")
        fields = sum(1 for fate in found.fates.values() if fate not in UNKNOWN + NOT_SERVED)
        wrong = sum(map(len, (listed.get(release) or {}).values()))
        equal = f"{1 - wrong / fields:.2%}".replace("%", " %")
        yield f"| {release} | {server} | {asked} | {fields:,} | {equal} | {len(objects.get(release, ())) or ''} |\n"
