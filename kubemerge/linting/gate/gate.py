"""The gate: validates objects like the servers of one or more releases, and returns lint findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine import Finding
from engine.errors import spans

from ...apiserver.problem_paths import value_at
from ...offline.conversion import difference
from .places import ElementNames
from .rules import GATE_RULES, versions
from .rules.versions import DEPRECATED, GONE, gone, moved, unserved_in
from .server import Server

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from engine import Schema, Tables
    from engine.linter import LintRule
    from engine.paths import Steps

    from ...apiserver.protocol import Object
    from .record import Fix, GateProblem
    from .server import Judged, Live


UNKNOWN, NO_SUCH_KIND = "KM015", "KM027"
"""The rules for unknown fields and unknown kinds, which the engine finds too."""


class FixableFinding(NamedTuple):
    """A finding, with its fix if there is a safe one."""

    finding: Finding
    fix: Fix | None = None


class Gate:
    """Validates objects like servers of these releases, with the given CustomResourceDefinitions.

    `policies` are admission policies, their bindings and params.
    """

    def __init__(
        self, releases: Sequence[str], definitions: Sequence[Object] = (), policies: Sequence[Object] = ()
    ) -> None:
        self._servers = [Server(release, definitions, policies) for release in releases]

    @property
    def _tables(self) -> list[Tables]:
        return [one.kinds.tables for one in self._servers]

    def load(self, kinds: Container[str]) -> None:
        """Read the definitions of these custom kinds before the first object."""
        for server in self._servers:
            server.kinds.load(kinds)

    def findings(
        self, content: Object, schema: Schema | None, *, plain: bool = False, live: Live | None = None
    ) -> list[FixableFinding]:
        """The servers' findings about an object; a finding of only some releases names them.

        With `plain`, the object's fields are known to fit the schema of the first release.
        """
        found: dict[tuple[str, Steps, str], tuple[LintRule, GateProblem, list[str]]] = {}
        served_in: list[str] = []
        for at, server in enumerate(self._servers):
            judged = server.judge(content, schema, plain=plain and not at, live=live)
            if judged is None:
                if served_in == [one.release for one in self._servers[:at]] != []:  # else KM027 names all releases
                    problem = gone(content["apiVersion"], content["kind"], server.release, self._tables)
                    found[GONE.code, problem.steps, ""] = (GONE, problem, [])
                    break
                continue
            served_in.append(server.release)
            for rule, problem in _problems(judged):
                once_per_path = rule.code in (UNKNOWN, DEPRECATED.code, GONE.code)
                key = (rule.code, problem.steps, "" if once_per_path else problem.message)
                found.setdefault(key, (rule, problem, []))[2].append(server.release)
        if (GONE.code, ("apiVersion",), "") in found or self._servers[0].release not in served_in:
            found.pop((DEPRECATED.code, ("apiVersion",), ""), None)
        names = ElementNames(content, schema)
        return [self._finding(content, names, *one, served_in) for one in found.values()]

    def _finding(
        self,
        content: Object,
        names: ElementNames,
        rule: LintRule,
        problem: GateProblem,
        seen: list[str],
        served_in: list[str],
    ) -> FixableFinding:
        message = problem.message
        if rule not in (DEPRECATED, GONE) and seen and len(seen) < len(served_in):
            message = f"{message.rstrip('.')} (in {spans(seen)})."
        advice, fix = self._checked_advice(content, problem.advice or rule.advice, problem.fix)
        steps = names.named(problem.steps)
        return FixableFinding(Finding(rule.code, rule.slug, rule.severity, steps, message, advice), fix)

    def _checked_advice(self, content: Object, advice: str, fix: Fix | None) -> tuple[str, Fix | None]:
        """The advice, and the fix if it is safe. If another apiVersion is not enough, the advice has the reason."""
        if fix is None or fix.steps != ("apiVersion",) or self._accepts(content, fix.text):
            return advice, fix
        key = fix.text, content["kind"]
        release = next((server.release for server in self._servers if key in server.kinds.tables), None)
        why = difference(content, fix.text, release) if release else ""
        return (
            f"{advice.removesuffix('.')}, and edit the other fields manually, because {why}." if why else advice,
            None,
        )

    def _accepts(self, content: Object, api_version: str) -> bool:
        """Whether every release accepts the object under another apiVersion without other changes."""
        other = {**content, "apiVersion": api_version}
        every = [server.judge(other, None) for server in self._servers]
        taken = all(one is not None and not (one.mismatches or one.unknown or one.refusals) for one in every)
        return taken and not difference(content, api_version, self._servers[0].release)

    def fixable(self, content: Object, finding: Finding) -> FixableFinding:
        """A finding of the engine. For an unknown kind, it has advice, and a fix if one is safe in all releases."""
        if finding.code != NO_SUCH_KIND:
            return FixableFinding(finding)
        if len(self._servers) > 1:
            return self._unserved(content, finding)
        proposals = [moved(content["apiVersion"], content["kind"], server.release) for server in self._servers]
        safe = [self._checked_advice(content, advice, fix) for advice, fix in proposals]
        advice = safe[0][0]
        if advice:
            finding = Finding(finding.code, finding.name, finding.severity, finding.steps, finding.message, advice)
        return FixableFinding(finding, next((fix for _, fix in safe if fix is not None), None))

    def _unserved(self, content: Object, finding: Finding) -> FixableFinding:
        """The finding about an unknown kind, with the releases that lack it and advice for the whole range."""
        hint = finding.message.partition(" is not served.")[2]
        found = unserved_in(content["apiVersion"], content["kind"], self._tables, hint)
        advice, fix = self._checked_advice(content, found.advice or finding.advice, found.fix)
        steps = finding.steps
        return FixableFinding(Finding(finding.code, finding.name, finding.severity, steps, found.message, advice), fix)


def _problems(judged: Judged) -> Iterator[tuple[LintRule, GateProblem]]:
    for one in GATE_RULES if judged.has_results else versions.RULES:
        for problem in one.find(judged):
            if not _is_placeholder(problem, judged):
                yield one.rule, problem


def _is_placeholder(problem: GateProblem, judged: Judged) -> bool:
    """Whether the value is written as `${NAME}`, `{{name}}` or `__NAME__`, to be replaced by another tool."""
    mismatch = next((one.value for one in judged.mismatches if one.at == problem.steps), None)
    value = value_at(judged.content, problem.steps) if mismatch is None else mismatch
    return isinstance(value, str) and ("${" in value or "{{" in value or _is_between_underscores(value))


def _is_between_underscores(value: str) -> bool:
    """Whether a value is a name in capitals between double underscores."""
    return value.startswith("__") and value.endswith("__") and value == value.upper() and value.strip("_") != ""
