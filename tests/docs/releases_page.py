"""The page about comparisons with real servers. Its figures come from recorded responses and from `measured.yaml`."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from tests.conformance.releases import storage
from tests.conformance.releases.known import is_known
from tests.conformance.releases.test_expressions import KNOWN
from tests.conftest import ROOT, read_yaml
from tests.kubemerge.apiserver.releases.fates import (
    CHANGED,
    DROPPED,
    HERE,
    KEPT,
    NOT_SERVED,
    REJECTED,
    UNKNOWN,
    recorded,
    recorded_releases,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

RELEASES = ROOT / "tests" / "conformance" / "releases"
ROLES = ROOT / "tests" / "apiserver" / "authorization" / "initial.json"
HEAD = """# Comparisons with real servers

{made}

With `--release 1.25`, commands follow the API server of 1.25. For each release below, the tests compare the embedded
cluster with recorded responses of a real API server. Each cell shows the number of equal results and the total.

- Fields: for each field of each kind, one request sets the field in a new object. A result is equal if both servers do
  the same: keep the value, replace it, drop the field, or reject the object.
- Objects: creations and updates of ordinary objects of all kinds. Acceptance, warnings, error message and
  stored object are compared. The differences and their reasons are listed in a file next to the test.
- Expressions: CEL rules of a CustomResourceDefinition. Releases before 1.25 ignore such rules by default.
- RBAC: the roles and bindings of a new cluster.

| release | server | recorded on | fields | objects | expressions | RBAC |
|---|---|---|---|---|---|---|
"""
MEASURED = """
Larger comparisons run occasionally, with upstream Go code and random input:

- Sequences: applies, updates and patches of several managers, sent to a real API server and to the embedded cluster. A
  sequence is equal if all responses and the final objects are equal. Words are counted as texts.
- Texts: the rejections and warnings in sequences. A text is equal if message, reason, causes and the named object are
  equal. An empty cell was not measured.
- Triples: `kubectl apply` of a config, a write of another client, and `kubectl apply` of a second config. The real
  kubectl and a real API server are compared with kubemerge. A triple is equal if both stored objects, their owners and
  all printed lines are equal. The kubectl is that of the release or of a release near it.
- Patches: strategic merge patches of `kubectl apply`, computed with the Go packages of the release. One difference is
  listed beside the test and not counted here.

| release | sequences | on | texts | on | triples | on | patches | on |
|---|---|---|---|---|---|---|---|---|
"""
FATES = """
The recorded fates of fields, by release:

| release | kept | changed | dropped | rejected |
|---|---|---|---|---|
"""
UPGRADES = """
`kubemerge compare A B -f` reports the effects of an upgrade on an object. The tests compare its findings with the
differences between the recorded responses of the two servers. A result is equal if no real difference is missed and
none is false. Known differences between the servers' builds are left out.

- Objects: new objects of all kinds. 240 of them have fields that were added or gated after 1.20.
- Fields: objects that set one field. A field of a Pod template counts once, and not again in each workload.

| upgrade | objects | fields | on |
|---|---|---|---|
"""
TAIL = """
Releases without recordings are derived from the API server's source code. Each feature gate, default value, check and
warning is stored with the range of releases that have it. All comparisons use the default feature gates and the APIs
that are served by default. Merging is compared separately with the Go code of each release whose merge code differs
from the previous release.

The commands that record the responses again are listed in [Contributing](../../CONTRIBUTING.md#add-a-recorded-case).
"""


def releases_page(made: str) -> str:
    """The whole page."""
    recorded_tables = HEAD.format(made=made) + "".join(_recorded()) + FATES + "".join(_fates())
    return recorded_tables + UPGRADES + "".join(_upgrades()) + MEASURED + "".join(_measured()) + TAIL


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


def _fates() -> Iterator[str]:
    for release in recorded_releases():
        counts = Counter(recorded(release).fates.values())
        yield f"| {release} | {' | '.join(f'{counts[fate]:,}' for fate in (KEPT, CHANGED, DROPPED, REJECTED))} |\n"


def _upgrades() -> Iterator[str]:
    rows = _rows()
    pairs = dict.fromkeys(release for release, what in rows if what == "upgrades")
    for pair in pairs:
        objects, fields = rows[pair, "upgrades"], rows.get((pair, "upgrade fields"))
        cells = (_cell(objects["count"], objects["differ"]), _cell(fields["count"], fields["differ"]) if fields else "")
        yield f"| {pair.replace('-', ' to ')} | {' | '.join(cells)} | {objects['date']} |\n"


def _rows() -> dict[tuple[str, str], dict[str, Any]]:
    return {(one["release"], one["what"]): one for one in read_yaml(RELEASES / "measured.yaml")}


def _measured() -> Iterator[str]:
    rows = _rows()
    for release in recorded_releases():
        cells = []
        for what in ("sequences", "texts", "triples", "patches"):
            one = rows.get((release, what))
            cells += [_cell(one["count"], one["differ"]), str(one["date"])] if one else ["", ""]
        yield f"| {release} | {' | '.join(cells)} |\n"


def _cell(count: int, wrong: int) -> str:
    return f"{count - wrong:,} of {count:,}" if count else ""
