"""`compare_releases`: differences between two releases, for manifests or for merge rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..results import Items, Value, Words, words
from ..shapes import NULLABLE, NUMBER, SENTENCE, VALUE, about, items, output, record, word
from ..shapes import TEXT as FIELD
from ..tool import CONFIG, CRDS, LIMIT, NAMESPACE, PASSED_LIVE, Argument, Tool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...compare.chain import Side
    from ..workspace import Workspace

    Facts = dict[str, Any]

TEXT = """Compare two Kubernetes releases. With manifests, return the effects of the upgrade on them: removed API
versions, dropped fields, rejected values, changed defaults and results. Without manifests, return the merge rules
that differ. Call it before a cluster upgrade."""
SEVERITIES = ("breaking", "notable", "info")
OUTPUT = output(
    sides={"type": "array", "items": FIELD},
    counts=record(**dict.fromkeys(SEVERITIES, NUMBER)),
    **items(
        "findings",
        record(
            object=FIELD,
            place=FIELD,
            at=about(FIELD, "The first release with the effect."),
            severity=word(*SEVERITIES),
            path=FIELD,
            text=SENTENCE,
            fix=about(NULLABLE, "A sentence. Text of objects in it is in quotes, and is data."),
            before=VALUE,
            after=VALUE,
        ),
        "The effects on the manifests.",
    ),
    **items(
        "rules",
        record(
            apiVersion=FIELD,
            kind=FIELD,
            at=FIELD,
            path=FIELD,
            severity=word(*SEVERITIES),
            aspects={"type": "array", "items": FIELD},
            effect=SENTENCE,
        ),
        "The merge rules that differ, without manifests.",
    ),
    **items("problems", SENTENCE, "Objects without a result in any release."),
)


def compare_releases(workspace: Workspace) -> Facts:
    """The differences for manifests, or between merge rules."""
    sides = _sides(workspace)
    found = {"sides": [side.name for side in sides], "findings": Items(), "rules": Items(), "problems": Items()}
    if workspace.has("config"):
        return {**found, **_of_objects(workspace, sides)}
    return {**found, **_of_rules(workspace, sides)}


def _sides(workspace: Workspace) -> list[Side]:
    import codegen
    import engine

    from ...compare.chain import Side
    from ...compare.sides import releases_of
    from ...offline.tables import laid_over

    first, last = workspace.text("left"), workspace.text("right")
    names = releases_of(f"{first}..{last}") if workspace.get("each_release") else [first, last]
    tables = [engine.load(one) for one in names]
    over = [codegen.read(one.content) for one in workspace.definitions]
    return [Side(str(one.patch_release), laid_over(one, over)) for one in tables]


def _least(workspace: Workspace) -> str:
    return workspace.text("severity", SEVERITIES[1])


def _counts(severities: Sequence[str]) -> dict[str, int]:
    return {one: severities.count(one) for one in SEVERITIES}


def _of_objects(workspace: Workspace, sides: Sequence[Side]) -> Facts:
    from ...compare.replay import replay
    from ...compare.reports.facts import finding_facts
    from ...compare.upgrade.folded import at_least
    from ...manifests.files import Files
    from ...offline.pairs import Others
    from ...offline.tables import Schemas

    newest = Schemas(sides[-1].tables, (), workspace.definitions)
    others = Others((), None, newest, Files(), namespace=workspace.namespace, objects=workspace.live)
    replays = [at_least(replay(others.of(one), sides), _least(workspace)) for one in workspace.config]
    found = [(one, finding_facts(finding)) for one in replays for finding in one.findings]
    hopeless = [one for one in replays if not one.has_result and not one.is_gone]
    return {
        "counts": _counts([facts["severity"] for _, facts in found]),
        "findings": Items(
            [
                {
                    "object": one.name,
                    "place": f"{one.source}:{one.line}",
                    **{name: facts[name] for name in ("at", "severity", "path")},
                    "text": Words(facts["text"]),
                    "fix": None if facts["fix"] is None else Words(facts["fix"]),
                    "before": Value(facts["before"]),
                    "after": Value(facts["after"]),
                }
                for one, facts in found
            ]
        ),
        "problems": words(f"{one.title} has no result: {one.groups[-1].problem}" for one in hopeless),
    }


def _of_rules(workspace: Workspace, sides: Sequence[Side]) -> Facts:
    from ...compare.chain import at_least, compare
    from ...kinds.find import find_all

    keys = {key for side in sides for key in side.kinds()}
    kind = workspace.get("kind")
    compared = at_least(compare(sides, find_all([kind], keys) if kind else None), _least(workspace))
    return {
        "counts": _counts([one.severity for one in compared.changes]),
        "rules": Items(
            [
                {
                    "apiVersion": one.api_version,
                    "kind": one.kind,
                    "at": step.right,
                    "path": one.path,
                    "severity": one.severity,
                    "aspects": [*one.aspects],
                    "effect": Words(one.effect),
                }
                for step in compared.steps
                for one in step.changes
            ]
        ),
    }


COMPARE_RELEASES = Tool(
    "compare_releases",
    "Compare releases",
    TEXT,
    (
        Argument("left", "The release to start from, such as 1.33.", required=True),
        Argument("right", "The release of the upgrade, such as 1.37.", required=True),
        Argument("each_release", "Compare each release between them with the one before.", "flag"),
        *CONFIG,
        *PASSED_LIVE,
        *CRDS,
        Argument("kind", "Without manifests: only this kind."),
        Argument("severity", "Only changes of at least this severity. Default: notable.", choices=SEVERITIES),
        NAMESPACE,
        LIMIT,
    ),
    OUTPUT,
    compare_releases,
)
