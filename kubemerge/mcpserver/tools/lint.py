"""`lint`: findings about manifests."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from engine import MergeError

from ..results import Items, Words, words
from ..shapes import NUMBER, SENTENCE, about, items, output, record, word
from ..shapes import TEXT as FIELD
from ..tool import LIMIT, MANAGER, PAIRS, RELEASES, Argument, Tool

if TYPE_CHECKING:
    from ...linting.one_file import FileLinter
    from ...linting.report import FileReport
    from ...linting.reports.model import Linted, LintResult
    from ..workspace import Workspace

    Facts = dict[str, Any]

TEXT = """Report problems of manifests before an apply: values that the API server rejects, unknown and lost fields,
deprecated and removed API versions, duplicate keys. It checks one release, or a range such as 1.33..1.37. Call it
after you wrote or changed a manifest. For the effect on live objects, call `predict_apply`."""
SEVERITIES = ("info", "warning", "error")
OUTPUT = output(
    objects=about(NUMBER, "Number of objects that were checked."),
    counts=record(**dict.fromkeys(SEVERITIES, NUMBER)),
    **items(
        "findings",
        record(
            code=FIELD,
            severity=word(*SEVERITIES),
            object=FIELD,
            path=FIELD,
            place=about(FIELD, "The file or argument, and the line."),
            rule={"type": "string", "description": "The problem in general, by kubemerge."},
            message=SENTENCE,
            fix=SENTENCE,
        ),
        "The findings, the worst first.",
    ),
    **items("unread", SENTENCE, "Documents that cannot be checked."),
    **items("skipped", SENTENCE, "The purposes of documents that are not for an API server."),
    **items("without_schema", FIELD, "Kinds without a known schema, which are checked incompletely."),
)


def lint(workspace: Workspace) -> Facts:
    """The findings about all objects."""
    documents = workspace.documents("config")
    if not documents:
        raise MergeError("nothing to lint. Pass manifests in config, or paths in config_files")
    workspace.take_texts("config")
    linter = _linter(workspace)
    reports = [linter.lint(source, data) for source, data in documents]
    if not any(report.linted or report.unread or report.skipped for report in reports):
        raise MergeError("no object to lint. Pass manifests in config, or paths in config_files")
    found = _findings(reports, [source for source, _ in documents], workspace)
    counts = Counter(str(result.finding.severity) for _, result in found)
    return {
        "objects": sum(len(report.linted) for report in reports),
        "counts": {severity: counts[severity] for severity in SEVERITIES},
        "findings": Items([_result(one, result) for one, result in found]),
        "unread": words(problem.text for report in reports for problem in report.unread),
        "skipped": words(purpose for report in reports for purpose in report.skipped),
        "without_schema": Items(sorted({kind for report in reports for kind in report.without_schema})),
    }


def _linter(workspace: Workspace) -> FileLinter:
    import engine

    from ...actions.serverside.managers import KUBECTL
    from ...linting.gate.gate import Gate
    from ...linting.gate.releases import releases_of
    from ...linting.one_file import FileLinter
    from ...manifests.files import Files
    from ...offline.pairs import Others
    from ...offline.server_objects import ServerObjects, ServerSchemas
    from ...offline.tables import Schemas

    manager = (workspace.get("manager") or KUBECTL) if workspace.get("server_side") else None
    definitions = workspace.definitions
    contents = [one.content for one in definitions]
    cluster = workspace.cluster
    if cluster is not None:
        tables = cluster.release_tables()
        schemas = ServerSchemas(cluster, tables, (), definitions, lambda _, __: None)
        objects = ServerObjects(cluster, workspace.namespace, schemas)
        return FileLinter(objects, Gate((str(tables.release),), contents), manager=manager)
    releases = releases_of(workspace.release)
    known = Schemas(engine.load(releases[0]), (), definitions)
    others = Others((), None, known, Files(), namespace=workspace.namespace, objects=workspace.live)
    return FileLinter(others, Gate(releases, contents), manager=manager)


def _findings(reports: list[FileReport], sources: list[str], workspace: Workspace) -> list[tuple[Linted, LintResult]]:
    from ...linting.autoscalers import with_autoscalers
    from ...linting.duplicates import with_duplicates

    linted = [one for report in reports for one in report.linted]
    read = [source for report, source in zip(reports, sources, strict=True) for _ in report.linted]
    checked = with_autoscalers([*with_duplicates(linted, read, folders=False)], read)
    least = SEVERITIES.index(workspace.text("severity", SEVERITIES[0]))
    found = [(one, result) for one in checked for result in one.found]
    kept = [pair for pair in found if SEVERITIES.index(pair[1].finding.severity) >= least]
    return sorted(kept, key=lambda pair: -SEVERITIES.index(pair[1].finding.severity))


def _result(one: Linted, result: LintResult) -> Facts:
    from ...linting.gate.rules import ALL

    finding = result.finding
    return {
        "code": finding.code,
        "severity": finding.severity,
        "object": one.title,
        "path": finding.path,
        "place": f"{one.source}:{result.line}",
        "rule": ALL[finding.code].meaning if finding.code in ALL else finding.name,
        "message": Words(finding.message),
        "fix": Words(finding.advice),
    }


LINT = Tool(
    "lint",
    "Lint manifests",
    TEXT,
    (
        *PAIRS,
        RELEASES,
        Argument("server_side", "Also report conflicts and failures of a server-side apply.", "flag"),
        MANAGER,
        Argument("severity", "Only findings of at least this severity.", choices=SEVERITIES),
        LIMIT,
    ),
    OUTPUT,
    lint,
)
