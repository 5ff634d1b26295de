"""The page on lint, which is printed from the records of the rules: an example each, and what lint says of it."""

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

HEAD = """# What lint finds

<!-- Printed from the code by `python -m tests.docs.reference`; CONTRIBUTING.md says where the rules are. -->

`kubemerge lint` says what a server would refuse, drop or warn of, which versions go, and what an apply would lose,
before it is applied; `engine.lint(config, schema, live=..., last_applied=...)` says the last of these. Each
finding has a code that never changes its meaning, a severity (`error`, `warning` or `info`), a path, one sentence on
what happens and one on the way out. Findings are derived from the merge tables of the release, and what they predict
comes from running the exact merge: the tests run it for the examples of this page, and compare.

Codes come in groups, which `--select` and `--ignore` take by name: `apply` (KM0, what an apply loses), `server` (KM1,
what a server refuses, in its own words), `versions` (KM2) and `inputs` (KM3, what is wrong with files). What servers
do is what the embedded cluster does, which is compared with a real one.

With a `manager` (`kubemerge lint --server-side`), it is about a server-side apply: rules about client-side apply alone
are left out, and KM028 to KM030 say what is in the way.

What was applied last is read from the annotation of the live object unless it is given. With the config alone, lint
tells what can be told without a cluster.

| severity | what it means |
|---|---|
| error | something is lost, or refused by the API server |
| warning | something is probably not what was meant |
| info | nothing is lost, but it surprises people |

## The rules

A finding may have another severity than the usual one, which stands here; its section says when.

"""

EXAMPLES = f"""
Each section has an example, and what lint says of it for Kubernetes {RELEASE}. The examples leave out `apiVersion`,
`kind` and the name; their first line says the kind, and the next one who applies server-side, or by which release a
tool was built. `result` is what the apply makes of the object.
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
        yield "Lint says:"
        yield "```text\n{}\n```".format("\n".join(map(_told, found)))
    if rule.way_out not in {finding.advice for finding in found}:
        yield f"The way out: {rule.way_out[0].lower()}{rule.way_out[1:]}"


def _found(rule: LintRule) -> list[Finding]:
    """What is said of the example of a rule."""
    if rule.code in inputs.RULES:
        return []
    if any(one.rule is rule for one in GATE_RULES) and rule.code != "KM015":
        release, objects = object_of(rule.example)
        return found_in(objects[0], release)
    return findings(example(rule))


def _told(finding: Finding) -> str:
    """A finding as the command prints it, without the file and the object."""
    return f"{finding.code} {finding.severity} {finding.path}: {finding.message}\n    {finding.advice}"
