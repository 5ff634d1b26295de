"""Problems of input files: duplicate objects, syntax errors, documents that are not objects, and templates."""

from __future__ import annotations

from engine.linter import LintRule

from ..record import SERVER

DUPLICATE_OBJECT = LintRule(
    "KM301",
    "object-twice",
    "error",
    meaning="The same object occurs twice in one input, so the second one overwrites the first.",
    advice="Remove one of the objects, or give it another name or namespace.",
    explanation="""
        Two objects have the same group, kind, namespace and name. They are in one file or stream, or in two files of
        one folder that is read without `-R`. `kubectl apply -f` applies them in order, so the last one is stored. Files
        of different folders are not compared, because they may be for different clusters.
        """,
    example="""
        # kind: v1 ConfigMap
        # config
        data: {a: "1"}
        ---
        # config
        data: {a: "2"}
        """,
    about=SERVER,
)

UNREADABLE = LintRule(
    "KM302",
    "unreadable",
    "error",
    meaning="The file is not valid YAML or JSON, so the rest of it is not checked.",
    advice="Correct the syntax, or exclude the file with --exclude.",
    explanation="""
        Documents before the error are checked, and the run exits with 2. To suppress the error, use `--ignore KM302`,
        `per-path-ignores` in `kubemerge.toml`, a baseline, or a comment on the line or above it. The summary counts
        suppressed files.
        """,
    example="""
        # kind: v1 ConfigMap
        # config
        data: {a: "1"
        """,
    about=SERVER,
)

NO_OBJECT = LintRule(
    "KM303",
    "no-object",
    "error",
    meaning="The document lacks apiVersion, kind or metadata.name, so it cannot be applied.",
    advice="Add the missing field, or exclude the file with --exclude.",
    explanation="""
        The run exits with 2, as for KM302, and the error is suppressed in the same ways. Some documents are not meant
        to be applied: those with neither apiVersion nor kind, configurations of known tools such as a
        `kustomization.yaml`, and API requests such as a SubjectAccessReview. They are skipped and counted in the
        summary.
        """,
    example="""
        # kind: v1 ConfigMap
        # config
        metadata: {labels: {app: web}}
        """,
    about=SERVER,
)

TEMPLATE = LintRule(
    "KM304",
    "unrendered-template",
    "error",
    meaning="The file is an unrendered template, so it is not checked.",
    advice="Render the template, for example with `helm template`, and lint the result.",
    explanation="""
        The run exits with 2, as for KM302, and the error is suppressed in the same ways. Templates of a Helm chart
        (files below `templates/` beside a `Chart.yaml`) are skipped and counted in the summary instead.
        """,
    example="""
        # kind: v1 ConfigMap
        # config
        data:
        {{- toYaml .Values.data | nindent 2 }}
        """,
    about=SERVER,
)

RULES = {one.code: one for one in (DUPLICATE_OBJECT, UNREADABLE, NO_OBJECT, TEMPLATE)}
