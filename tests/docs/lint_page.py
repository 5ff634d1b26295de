"""The page of lint rules, printed from their records, with an example and its findings for each rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kubemerge.linting.gate.rules import ALL as RULES
from kubemerge.linting.gate.rules import GATE_RULES, inputs
from tests.engine.linter.cases import RELEASE, example, findings
from tests.kubemerge.linting.gate.test_rules import example as object_of
from tests.kubemerge.linting.gate.test_rules import found as found_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Finding
    from engine.linter import LintRule

HEAD = """# Lint rules

<!-- Printed from the code by `python -m tests.docs.reference`; CONTRIBUTING.md names the modules of the rules. -->

`kubemerge lint` reports objects that a server would reject, fields that it would drop, warnings, deprecated versions,
and losses of an apply. `engine.lint(config, schema, live=..., last_applied=...)` reports only losses. Each finding
has a code that never changes its meaning, a severity (`error`, `warning` or `info`), a path, a message and a fix.
Findings are derived from the merge tables of the release. Tests run the exact merge for the examples on this page,
and compare its result with the finding.

`--select` and `--ignore` accept groups of codes: `apply` (KM0, losses of an apply), `server` (KM1, rejections, in the
words of the API server), `versions` (KM2, deprecated and removed API versions) and `inputs` (KM3, problems with
files). The rejections and warnings come from the embedded cluster, which tests compare with a real API server.

With `--server-side` (in Python: `manager=...`), lint checks a server-side apply. It then leaves out rules that concern
only client-side apply, and KM028 to KM030 report conflicts and errors.

The *config* is your manifest. The *live object* is the object in the cluster (`--live`). The *last applied config* is
read from the annotation of the live object, unless you pass it. With only a config, lint reports the findings that
need no live object.

| severity | meaning |
|---|---|
| error | something is lost, or rejected by the API server |
| warning | something probably has an unintended effect |
| info | nothing is lost, but the behaviour is surprising |

## The rules

The table shows the usual severity of each rule. The section of a rule describes exceptions.

"""

EXAMPLES = f"""
Each section has an example, with the findings for Kubernetes {RELEASE}. The examples leave out `apiVersion`, `kind`
and the name. The comments at the beginning of an example have these keys:

- `kind`: the apiVersion and the kind
- `release`: another release, or a range of releases
- `server-side`: the manager of a server-side apply
- `tool`: the release that a tool was built with (`--tool-release`)
- `repeat`: a field, and how many times its value is repeated

The comments `last-applied`, `config` and `live` name the documents, and `result` is the object after the apply. The
documents after `policies` are admission policies and bindings. A path `.` in a finding is the whole object.
"""


def lint_page() -> str:
    """All rules: a table, and a section each."""
    rows = [f"| {_link(rule)} | {rule.severity} | {rule.meaning} |" for rule in RULES.values()]
    table = "\n".join(["| code | severity | meaning |", "|---|---|---|", *rows])
    parts = [HEAD + table, EXAMPLES, *(part for rule in RULES.values() for part in _section(rule))]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _link(rule: LintRule) -> str:
    return f"[{rule.code} {rule.slug}](#{rule.code.lower()}-{rule.slug})"


def _section(rule: LintRule) -> Iterator[str]:
    yield f"## {rule.code} {rule.slug}"
    yield rule.explanation
    no_yaml = rule in (inputs.UNREADABLE, inputs.TEMPLATE)
    yield f"```{'text' if no_yaml else 'yaml'}\n{rule.example}\n```"
    found = _found(rule)
    if found:
        yield "Findings:"
        yield "```text\n{}\n```".format("\n".join(map(_told, found)))
    if rule.advice not in {finding.advice for finding in found}:
        yield f"Fix: {rule.advice[0].lower()}{rule.advice[1:]}"


def _found(rule: LintRule) -> list[Finding]:
    """The findings for the example of a rule."""
    if rule.code in inputs.RULES:
        return []
    if any(one.rule is rule for one in GATE_RULES) and rule.code != "KM015":
        release, objects = object_of(rule.example)
        return found_in(objects[0], release, *objects[1:])
    return findings(example(rule))


def _told(finding: Finding) -> str:
    """A finding as the command prints it, without the file and the object."""
    return f"{finding.code} {finding.severity} {finding.path}: {finding.message}\n    {finding.advice}"
