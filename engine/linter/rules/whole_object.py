"""Problems of the whole object: its identity, its annotations, and errors of the apply itself."""

from __future__ import annotations

from ...clientside.last_applied import LARGEST, annotations_of, with_last_applied
from ...errors import GeneratedName, MergeError, WrongKind
from ...tables.served import moved_to, unserved
from ..findings import ERROR, INFO, WARNING
from ..rule import BOTH, LintRule, Problem
from ..values import fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...values.plain import Object
    from ..context import LintContext

ANNOTATIONS = ("metadata", "annotations")
WARN_FROM = LARGEST * 8 // 10
"""The size of annotations from which a warning is reported."""
IDENTITY = (("kind",), ("metadata", "name"), ("metadata", "namespace"))
"""The fields that identify an object within its group."""


def too_large(context: LintContext) -> Iterator[Problem]:
    """Annotations near or above the API server's limit."""
    size = _size(context)
    if size > LARGEST:
        message = f"The annotations are {size:,} bytes in size. The API server rejects more than {LARGEST:,}."
        yield Problem(ANNOTATIONS, message)
    elif size >= WARN_FROM:
        message = f"The annotations use {size:,} of the {LARGEST:,} bytes that the API server allows."
        yield Problem(ANNOTATIONS, message, severity=WARNING)


def _size(context: LintContext) -> int:
    """The bytes of all annotations after the apply, keys and values, as the API server counts them."""
    try:
        found: Object = context.merged if context.merged is not None else with_last_applied(context.config)
    except MergeError:
        return 0
    texts = [text for pair in annotations_of(found).items() for text in pair if type(text) is str]
    return sum(len(text.encode("utf-8", "replace")) for text in texts)


ANNOTATIONS_TOO_LARGE = LintRule(
    "KM010",
    "annotations-too-large",
    ERROR,
    meaning="The annotations exceed the size limit of the API server, or nearly do.",
    advice="Use server-side apply, which needs no annotation, or split the object.",
    explanation="""
        Apply stores the whole config in an annotation. All annotations together are limited to 262,144 bytes, and the
        API server rejects more. From 80 percent of the limit, lint reports a warning.
        """,
    example="""
        # kind: v1 ConfigMap
        # repeat: data.a 270000
        # config
        data: {a: x}
        """,
    check=too_large,
)


def is_a_secret(context: LintContext) -> bool:
    """True for Secrets, also if no schema is known."""
    type_ = context.schema.type.name if context.schema else None
    named = (context.config.get("apiVersion"), context.config.get("kind")) == ("v1", "Secret")
    return type_ == "core_v1.Secret" or (not type_ and named)


def secrets(context: LintContext) -> Iterator[Problem]:
    """Apply copies the data of a Secret into an annotation."""
    if not is_a_secret(context):
        return
    for field in ("data", "stringData"):
        if fields(context.config.get(field)):
            form = "in plain text" if field == "stringData" else "in base64"
            message = (
                f"Apply copies the secret values {form} into an annotation. Tools that mask `data` may print "
                "annotations unmasked."
            )
            yield Problem((field,), message)


SECRET_IN_LAST_APPLIED = LintRule(
    "KM011",
    "secret-in-last-applied",
    INFO,
    meaning="Apply copies the data of a Secret into an annotation, which tools do not mask.",
    advice="Use server-side apply or `kubectl replace` for Secrets, and remove the annotation from the live object.",
    explanation="""
        Apply copies the values of a Secret into an annotation, and those of `stringData` in plain text. Tools that
        mask `data` may print it unmasked, and it often appears in logs.
        """,
    example="""
        # kind: v1 Secret
        # config
        stringData: {password: hunter2}
        """,
    check=secrets,
)


def failure(context: LintContext) -> Iterator[Problem]:
    """The error that kubectl would report. Another rule reports different kinds of config and live."""
    if context.error is not None and not isinstance(context.error, WrongKind):
        which = "This apply fails" if context.first is None else "The next apply of the same config fails"
        message = f"{which}: {context.error.message}."
        if isinstance(context.error, GeneratedName):
            yield Problem(context.error.steps, message, _CREATED, INFO)
        else:
            yield Problem(context.error.steps, message)


_CREATED = "Create the object with `kubectl create`, or set metadata.name."


APPLY_FAILS = LintRule(
    "KM021",
    "apply-fails",
    ERROR,
    meaning="This apply fails with an error.",
    advice="Fix the error in the message before applying.",
    explanation="""
        `kubectl apply` fails with the error in the message, either now or only in the next apply of the same
        config: a new object is sent as it is, so its list elements are not matched before the second apply.
        """,
    example="""
        # kind: v1 Pod
        # config
        spec: {containers: [{image: "nginx:1"}]}
        """,
    check=failure,
)


def other_object(context: LintContext) -> Iterator[Problem]:
    if context.live is None:
        return
    for steps in IDENTITY:
        ours, theirs = _at(context.config, steps), _at(context.live, steps)
        if type(ours) is str and type(theirs) is str and ours != theirs:
            message = f"The config is {ours!r}, but the live object is {theirs!r}."
            yield Problem(steps, message)


def _at(document: Object, steps: tuple[str, ...]) -> object:
    value: object = document
    for step in steps:
        value = fields(value).get(step)
    return value


OTHER_OBJECT = LintRule(
    "KM024",
    "other-object",
    ERROR,
    meaning="The config and the live object are different objects.",
    advice="Pass the live object with the same kind, name and namespace.",
    explanation="""
        The live object has another kind, name or namespace than the config. A strategic merge patch does not check
        this.
        """,
    example="""
        # kind: v1 ConfigMap
        # last-applied
        {}
        ---
        # config
        metadata: {name: one}
        ---
        # live
        metadata: {name: two}
        """,
    about=BOTH,
    needs_live=True,
    check=other_object,
)


def unknown_kind(context: LintContext) -> Iterator[Problem]:
    """An apiVersion and kind that the release does not serve; custom resources are not checked."""
    key = context.config.get("apiVersion"), context.config.get("kind")
    if context.schema is not None or context.tables is None or type(key[0]) is not str or type(key[1]) is not str:
        return
    problem = unserved((key[0], key[1]), context.tables)
    if problem:
        end = "" if problem.endswith("?") else "."
        better = moved_to((key[0], key[1]), context.tables)
        advice = f"Write apiVersion: {better}." if better else ""
        yield Problem(("apiVersion",), f"The kind {problem}{end}", advice)


NO_SUCH_KIND = LintRule(
    "KM027",
    "no-such-kind",
    ERROR,
    meaning="The release does not serve this kind with this apiVersion, so the API server rejects the object.",
    advice="Use an apiVersion and a kind that the release serves.",
    explanation="""
        The release does not serve this kind with this apiVersion, so the API server rejects the object. Kinds move to
        other groups and versions, and the old ones are removed some releases later. Lint reports this for Kubernetes
        groups and for groups without a dot. A kind in any other group may be a custom resource. In Python, the rule
        needs the `tables` of the release: `engine.lint(config, None, tables=k8s)`. The merge rules of such a kind are
        unknown, so the other rules assume that an apply replaces its lists.
        """,
    example="""
        # kind: extensions/v1beta1 Deployment
        # config
        spec: {template: {spec: {containers: [{name: web, image: web:2}]}}}
        """,
    about=BOTH,
    check=unknown_kind,
)

RULES = (ANNOTATIONS_TOO_LARGE, SECRET_IN_LAST_APPLIED, APPLY_FAILS, OTHER_OBJECT, NO_SUCH_KIND)
