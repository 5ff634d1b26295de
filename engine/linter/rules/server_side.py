"""Problems of a server-side apply, and of tools built with the types of one release."""

from __future__ import annotations

from ...paths import parse
from ...serverside.typed.schema import atom_of
from ...serverside.typed.validate import WrongType, validate
from ...serverside.write_steps import without_managed_fields
from ..findings import ERROR, WARNING
from ..rule import BOTH, SERVER, LintRule, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ...paths import Steps
    from ...tables.schema import Schema
    from ..context import LintContext

UNKNOWN = "field not declared in schema"
REPEATED = "duplicate entries for key"
KEYLESS = "list with keys has an element that"


def owned_by_others(context: LintContext) -> Iterator[Problem]:
    """Fields that the apply would change and that other managers own."""
    for conflict in context.conflicts:
        through = f" through {conflict.subresource}" if conflict.subresource else ""
        message = (
            f"The apply would change this field, but {conflict.manager} ({conflict.operation}{through}) "
            "owns it, so the API server rejects the apply."
        )
        yield Problem(_steps(conflict.field), message, _SCALED if conflict.subresource == "scale" else "")


_SCALED = (
    "Remove spec.replicas from the config: the other manager keeps it. With --force-conflicts, every apply would scale "
    "the object back."
)


CONFLICT = LintRule(
    "KM028",
    "owned-by-others",
    ERROR,
    meaning="A server-side apply would change a field of another owner, so the API server rejects it.",
    advice="To take over the field, use --force-conflicts. To share it, set the live value in the config. "
    "Otherwise, remove it from the config.",
    explanation="""
        Reported with `--server-side`, or with the Python argument `manager`. Another manager owns a field of the live
        object through an apply or an update, and the config has another value for it. The API server rejects the whole
        apply with a conflict (409), unless it is forced. `kubemerge owners` lists the owners. """,
    example="""
        # kind: apps/v1 Deployment
        # server-side: kubectl
        # config
        spec: {replicas: 2}
        ---
        # live
        metadata:
          managedFields:
            - manager: hpa
              operation: Update
              subresource: scale
              apiVersion: apps/v1
              fieldsType: FieldsV1
              fieldsV1: {"f:spec": {"f:replicas": {}}}
        spec: {replicas: 5}
        ---
        # result
        spec: {replicas: 2}
        """,
    about=SERVER,
    needs_live=True,
    check=owned_by_others,
)


def wrong_in_config(context: LintContext) -> Iterator[Problem]:
    """Config values that do not fit their type."""
    for steps, what in _problems(context.config, context.schema, duplicates=False):
        yield Problem(steps, f"A server-side apply of this config fails: {what}.", _advice_on(what))


def _advice_on(what: str) -> str:
    """The fix of one problem, found by the API server's message."""
    if what == UNKNOWN:
        return "Correct the field name, or remove the field."
    if what.startswith(f"{REPEATED} [="):
        return "Remove the repeated values."
    if what.startswith(REPEATED) or KEYLESS in what:
        return "Set every key of the list in each element, and make their combination unique."
    return "Use a value of the field's type."


SCHEMA_MISMATCH = LintRule(
    "KM029",
    "schema-mismatch",
    ERROR,
    meaning="The config does not match the schema of its kind, so a server-side apply fails.",
    advice="Correct the field name, use a value of the field's type, or give each element complete and unique keys.",
    explanation="""
        Reported with `--server-side`. The API server validates the config against the schema of the kind before it
        merges. It rejects fields that the release does not have, values of another type, elements with the same keys,
        and elements without keys. A client-side apply may have accepted all of these. """,
    example="""
        # kind: v1 Service
        # server-side: kubectl
        # config
        spec:
          ports:
            - {name: web, port: 80}
            - {name: web-2, port: 80, protocol: TCP}
        """,
    about=SERVER,
    check=wrong_in_config,
)


def wrong_in_live(context: LintContext) -> Iterator[Problem]:
    """Live values that do not fit their type, such as duplicate elements."""
    if context.live is None:
        return
    live = without_managed_fields(context.live)
    fatal = [*_problems(live, context.schema, duplicates=True)]
    for steps, what in fatal:
        yield Problem(
            steps,
            f"The live object does not match its type ({what}), so every server-side apply fails.",
            severity=ERROR,
        )
    for steps, what in _problems(live, context.schema, duplicates=False):
        if what.startswith(REPEATED):
            yield Problem(steps, f"The live object has {what}: {_IN_LIVE}")


_IN_LIVE = (
    "API servers before 1.29 respond to every server-side apply with error 500, and newer ones treat "
    "these elements as one."
)

DUPLICATE_KEYS_IN_LIVE = LintRule(
    "KM030",
    "duplicate-keys-in-live",
    WARNING,
    meaning="List elements in the live object share their keys, so server-side apply cannot distinguish them.",
    advice="Remove the duplicates first, with `kubectl edit` or `kubectl replace`.",
    explanation="""
        Reported with `--server-side`. Client-side apply and updates allow list elements with the same keys. Older API
        servers then fail on every server-side apply of the object, even if the config does not have the list. Newer
        ones assign such elements to one owner. An apply that contains one of them replaces all of them, and conflicts
        with their owner. """,
    example="""
        # kind: apps/v1 Deployment
        # server-side: kubectl
        # config
        spec: {replicas: 2}
        ---
        # live
        spec:
          template:
            spec:
              containers:
                - name: web
                  env: [{name: A, value: "1"}, {name: A, value: "2"}]
        """,
    about=SERVER,
    needs_live=True,
    check=wrong_in_live,
)


def unknown_to_a_tool(context: LintContext) -> Iterator[Problem]:
    """Fields of config and live that the types of a tool's release lack."""
    tool = context.tool
    config = context.config
    key = (config.get("apiVersion"), config.get("kind"))
    if tool is None or key not in tool:
        return
    schema = tool.schema(str(key[0]), str(key[1]))
    seen = set()
    for document, where, severity in ((config, "", None), (context.live, " of the live object", WARNING)):
        for steps, what in _problems(document, schema, duplicates=True) if document is not None else ():
            if what == UNKNOWN and steps not in seen:
                seen.add(steps)
                message = f"Kubernetes {schema.release} lacks this field{where}, so a tool built with its types fails"
                yield Problem(steps, f'{message}: "{UNKNOWN}".', severity=severity)


UNKNOWN_TO_TOOL = LintRule(
    "KM031",
    "unknown-to-tool",
    ERROR,
    meaning="A tool built with the types of another release lacks this field and fails.",
    advice="Update the tool, remove the field, or let the tool use the API server's types, as with "
    "ServerSideDiff of Argo CD.",
    explanation="""
        Reported with `--tool-release`, the release whose types the tool was built with. Argo CD predicts server-side
        applies with compiled types. If the config has a field of a newer release, or the server has set one by default,
        Argo CD stops with "field not declared in schema", although the server would accept the config. For a field that
        is only in the live object, lint reports a warning, because not every tool reads the whole live object. """,
    example="""
        # kind: v1 Pod
        # tool: 1.32
        # config
        spec: {containers: [{name: web, image: web, lifecycle: {stopSignal: SIGTERM}}]}
        """,
    about=BOTH,
    check=unknown_to_a_tool,
)


def _problems(document: Any, schema: Schema | None, *, duplicates: bool) -> Iterator[tuple[Steps, str]]:
    if schema is None:
        return
    try:
        validate(document, atom_of(schema), duplicates=duplicates)
    except WrongType as error:
        for where, what in error.problems:
            yield _steps(where), what


def _steps(where: str) -> Steps:
    """The steps of a path in a server message; empty where a key contains a dot, which the message does not escape."""
    try:
        return parse(where.removeprefix("."))
    except ValueError:
        return ()


RULES = (CONFLICT, SCHEMA_MISMATCH, DUPLICATE_KEYS_IN_LIVE, UNKNOWN_TO_TOOL)
