"""The page about comparisons with real servers. Its figures come from recorded responses and from `measured.yaml`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.conformance.releases import storage
from tests.conformance.releases.test_expressions import KNOWN
from tests.conformance.releases.test_recorded import is_known
from tests.conftest import ROOT, read_yaml
from tests.kubemerge.apiserver.releases.fates import HERE, NOT_SERVED, UNKNOWN, recorded, recorded_releases

if TYPE_CHECKING:
    from collections.abc import Iterator

RELEASES = ROOT / "tests" / "conformance" / "releases"
ROLES = ROOT / "tests" / "apiserver" / "authorization" / "initial.json"
HEAD = """# Comparisons with real servers

{made}

With `--release 1.25`, commands follow the API server of 1.25. For each release below, the tests compare the embedded
cluster with recorded responses of a real API server. A cell has the number of equal results and of all results.

- Fields: a request for each field of each kind sets the field in a new object. The fate of the field is equal if both
  servers keep it, replace it by another value, drop it, or reject the object.
- Objects: creations and updates of ordinary objects of all kinds. The verdict, the warnings, the message of an error
  and the stored object are compared. The differences are listed beside the test with their reasons.
- Expressions: CEL rules of a CustomResourceDefinition. Releases before 1.25 ignore such rules by default.
- RBAC: the roles and bindings of a new cluster.

| release | server | recorded on | fields | objects | expressions | RBAC |
|---|---|---|---|---|---|---|
"""
MEASURED = """
Larger comparisons run now and then, with real code and random input:

- Sequences: applies, updates and patches of several managers, sent to a real API server and to the embedded cluster. A
  sequence is equal if all responses and the objects in the end are equal.
- Patches: strategic merge patches of `kubectl apply`, computed with the Go packages of the release. One difference is
  listed beside the test and not counted here.

| release | sequences | on | patches | on |
|---|---|---|---|---|
"""
TAIL = """
Other releases follow the source code of their API servers: feature gates, default values, checks and warnings have
ranges of releases. Gates have their default values, and requests went only to APIs that are served by default. Merging
is compared separately with the Go code of each release whose merging differs from the release before.

The commands that record the responses again are listed in [Contributing](../../CONTRIBUTING.md#add-a-recorded-case).
"""


def releases_page(made: str) -> str:
    """The whole page."""
    return HEAD.format(made=made) + "".join(_recorded()) + MEASURED + "".join(_measured()) + TAIL


def _recorded() -> Iterator[str]:
    listed = read_yaml(HERE / "differ.yaml")
    objects = storage.read(RELEASES / "recorded.json.gz")
    expressions = storage.read(RELEASES / "expressions.json.gz")
    roles = json.loads(ROLES.read_text("utf-8"))
    for release in recorded_releases():
        found = recorded(release)
        server, _, asked = found.version.partition(", asked on ")
        fields = sum(1 for fate in found.fates.values() if fate not in UNKNOWN + NOT_SERVED)
        wrong = sum(map(len, (listed.get(release) or {}).values()))
        minor = int(release.partition(".")[2])
        cases, rules = objects.get(release, {}), expressions.get(release, {})
        cells = (
            _cell(fields, wrong),
            _cell(len(cases), sum(is_known(name, release) for name in cases)),
            _cell(len(rules), sum(first <= minor <= last for rule, (first, last, _) in KNOWN.items() if rule in rules)),
            _cell(roles.get(release, {}).get("objects", 0), 0),
        )
        yield f"| {release} | {server} | {asked} | {' | '.join(cells)} |\n"


def _measured() -> Iterator[str]:
    rows = {(one["release"], one["what"]): one for one in read_yaml(RELEASES / "measured.yaml")}
    for release in recorded_releases():
        cells = []
        for what in ("sequences", "patches"):
            one = rows.get((release, what))
            cells += [_cell(one["count"], one["differ"]), str(one["date"])] if one else ["", ""]
        yield f"| {release} | {' | '.join(cells)} |\n"


def _cell(count: int, wrong: int) -> str:
    return f"{count - wrong:,} of {count:,}" if count else ""
