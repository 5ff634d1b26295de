"""Rejections because of values: one rule for each kind of problem that servers distinguish."""

from __future__ import annotations

import json
import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

from engine.linter import LintRule

from ....apiserver.problem_paths import steps_of, value_at
from ....apiserver.problems import (
    DUPLICATE,
    FORBIDDEN,
    INVALID,
    NO_PATH,
    NOT_FOUND,
    REQUIRED,
    TOO_LONG,
    TOO_MANY,
    UNSUPPORTED,
    WRONG_TYPE,
    Printed,
    body,
    value_of,
)
from ....apiserver.validation.values.quantities import NOT_OF_CONTAINERS, OF_CONTAINERS
from ....output.problems import masked
from ..record import SERVER, Fix, GateProblem, GateRule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.aliases import Severity
    from engine.paths import Steps

    from ....apiserver.problems import Problem as ServerProblem
    from ..server import Judged, Refusal

_NAMES = frozenset({"name", "generateName", "namespace", "labels", "annotations", "finalizers"})


def _is_name(refusal: Refusal) -> bool:
    """Whether it is about the metadata that identifies the object."""
    return refusal.steps[:1] == ("metadata",) and (len(refusal.steps) < 2 or refusal.steps[1] in _NAMES)


IMMUTABLE = "KM111"
"""The rule for rejections of a change, where a new object would be accepted."""
KINDS = {
    "KM102": (REQUIRED,),
    "KM103": (UNSUPPORTED,),
    "KM105": (FORBIDDEN,),
    "KM106": (DUPLICATE,),
    "KM108": (NOT_FOUND,),
    "KM104": (INVALID, WRONG_TYPE, TOO_LONG, TOO_MANY),
}
"""The kinds of problems of each rule."""


def code_of(refusal: Refusal) -> str:
    """The rule for a rejection."""
    if refusal.of_update and refusal.problem.kind != DUPLICATE:
        return IMMUTABLE
    if _is_name(refusal):
        return "KM107"
    return next((code for code, kinds in KINDS.items() if refusal.problem.kind in kinds), "KM109")


def _finder(code: str) -> Callable[[Judged], Iterator[GateProblem]]:
    def find(judged: Judged) -> Iterator[GateProblem]:
        for one in _each_once(judged):
            if code_of(one) == code:
                advice, fix = _WAYS[code](one, judged) if code in _WAYS else ("", None)
                why = _short(body(_without_large(masked(one.problem, judged.content))))
                yield GateProblem(one.steps, f"The API server rejects this: {why}", advice, fix)

    return find


def _each_once(judged: Judged) -> Iterator[Refusal]:
    """The rejections, with all reasons for one value combined, and without those that repeat a limit as a request."""
    found: dict[tuple[Steps, str], list[Refusal]] = {}
    for one in judged.refusals:
        if not _is_a_copied_limit(one, judged):
            names_a_value = one.problem.kind == INVALID and value_of(one.problem).startswith('"')
            problem = one.problem._replace(detail="") if names_a_value and one.problem.detail else one.problem
            found.setdefault((one.steps, body(problem)), []).append(one)
    for alike in found.values():
        details = dict.fromkeys(one.problem.detail for one in alike)
        yield alike[0]._replace(problem=alike[0].problem._replace(detail="; ".join(details)))


def _is_a_copied_limit(refusal: Refusal, judged: Judged) -> bool:
    """Whether it is about a request that the server copied from a limit that is rejected, too."""
    around, last = refusal.steps[:-2], refusal.steps[-2:]
    if last[:1] != ("requests",) or value_at(judged.content, refusal.steps) is not None:
        return False
    return any(one.steps == (*around, "limits", *last[1:]) for one in judged.refusals)


LONGEST = 200
"""Maximum length of a map or list in a message; a whole template would hide the reason."""


def _without_large(problem: ServerProblem) -> ServerProblem:
    value = value_of(problem)
    if len(value) <= LONGEST or value[0] not in "{[":
        return problem
    return problem._replace(value=Printed(f"{value[0]}...{value[-1]}"))


def _short(why: str) -> str:
    """The reason on one line, with a full stop, and without the regular expression."""
    why = re.sub(r"(\(e\.g\. .*?), regex used for validation is '.*?'\)", r"\1)", " ".join(why.split()))
    return why if why.endswith((".", "!", "?")) else f"{why}."


def _supported_value(refusal: Refusal, judged: Judged) -> tuple[str, Fix | None]:
    """The supported value that was probably intended; the fix is safe if only the case differs."""
    value = value_at(judged.content, refusal.steps)
    supported = refusal.problem.supported
    if not isinstance(value, str) or not supported:
        return "", None
    exact = [one for one in supported if one.lower() == value.lower()]
    near = exact or get_close_matches(value, supported, n=1, cutoff=0.75)
    if not near:
        return f"Use {' or '.join(supported)}." if len(supported) < 6 else "", None
    return f"Use {near[0]}.", Fix(refusal.steps, False, _plain(near[0]))


def _name_of_resource(refusal: Refusal, judged: Judged) -> tuple[str, Fix | None]:
    """The container resource that was probably intended."""
    if NOT_OF_CONTAINERS not in refusal.problem.detail:
        return "", None
    name, beside = str(refusal.steps[-1]), value_at(judged.content, refusal.steps[:-1])
    near = get_close_matches(name, sorted(OF_CONTAINERS), n=1, cutoff=0.75)
    if not near or near[0] in beside:
        return f"Use {', '.join(sorted(OF_CONTAINERS))}, or a name with a domain, such as example.com/gpu.", None
    return f"Use {near[0]!r}.", Fix(refusal.steps, True, near[0])


def _missing(refusal: Refusal, judged: Judged) -> tuple[str, Fix | None]:
    """The field to add. A field with a value lacks a part of it, which the message names."""
    path = refusal.problem.path
    is_there = bool(value_at(judged.content, refusal.steps)) if refusal.steps else False
    return (f"Add the missing part of {path}." if is_there else f"Add {path}.") if path else "", None


def _duplicate(refusal: Refusal, judged: Judged) -> tuple[str, Fix | None]:  # noqa: ARG001 - one of the table below
    """The advice if an element of the live object has the value. It stays, because another manager owns it."""
    return (_KEPT if refusal.of_update else ""), None


_KEPT = (
    "The live object keeps an element with this value, because another manager owns it, as `kubemerge owners` shows. "
    "Use another value, or let the owner remove its element first."
)


def _invalid(refusal: Refusal, judged: Judged) -> tuple[str, Fix | None]:
    """The name of a resource, or the constraint that the API server states."""
    advice, fix = _name_of_resource(refusal, judged)
    constraint = _CONSTRAINT.fullmatch(refusal.problem.detail)
    return (f"Use a value {constraint[1]}." if constraint and not advice else advice), fix


_CONSTRAINT = re.compile(r"must be ((?:greater|less|between|equal|in the|no more|at least|at most) [^;]*[^;.])")
"""A constraint that goes on from `Use a value`."""

_WAYS = {"KM102": _missing, "KM103": _supported_value, "KM104": _invalid, "KM106": _duplicate}
"""The advice for a rejection, for the rules with more than one advice."""


def _plain(text: str) -> str:
    return text if re.fullmatch(r"[A-Za-z][A-Za-z0-9]*", text) else json.dumps(text)


def warned(judged: Judged) -> Iterator[GateProblem]:
    """Warnings of a server for an object that it accepts."""
    for warning in judged.warnings:
        text = warning.removeprefix(f"{NO_PATH}: ")
        place, colon, why = text.replace(".storageOS:", ".storageos:").partition(": ")  # the field's real name
        steps = steps_of(place, judged.content) if colon and not _IN_NO_PATH.search(place) else ()
        if not steps or steps[0] not in judged.content:  # not a field, as in "tls: failed to find any PEM data"
            steps, why = (), text
        yield GateProblem(steps, f"The API server warns: {_short(why)}", _edit(text, place if steps else ""))


def _edit(warning: str, place: str) -> str:
    """The edit that a warning recommends; empty if it recommends none."""
    if warning.startswith(("tls: ", "x509: ")):
        return (
            "Write a certificate to data[tls.crt], and its private key without a passphrase to data[tls.key], in PEM."
        )
    better = _BETTER.search(warning)
    if better:
        return f"Use {better[1].strip(_QUOTES).rstrip('.')}."
    ignored = _IGNORED.match(warning)
    if ignored:
        return f"Remove {ignored[1]}."
    return f"Remove {place}." if place and _DEPRECATED.search(warning) else ""


_QUOTES = "\"'"
_BETTER = re.compile(r"\buse (?:the )?(\"[^\"]+\"|'[^']+'|[\w./ -]+?)(?: field| attribute)?(?: instead\b|$)")
_IGNORED = re.compile(r"([\w.]+)(?: is|:) ignored\b")
_DEPRECATED = re.compile(r"\bdeprecated\b|\bnon-functional\b")


_IN_NO_PATH = re.compile(r"[\s\"'<>]")
"""Characters that never occur in a path. Warnings are text, and not all of them begin with a path."""


def _rule(
    code: str, slug: str, severity: Severity, meaning: str, advice: str, explanation: str, example: str
) -> LintRule:
    return LintRule(
        code, slug, severity, meaning=meaning, advice=advice, explanation=explanation, example=example, about=SERVER
    )


RULES = tuple(
    GateRule(rule, warned if rule.code == "KM110" else _finder(rule.code))
    for rule in (
        _rule(
            "KM102",
            "missing-field",
            "error",
            "A required field is missing, so the API server rejects the object.",
            "Add the field.",
            """
            A requirement may depend on other fields. The API server sets defaults before it checks for required fields.
            """,
            """
            # kind: apps/v1 Deployment
            # config
            spec:
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec: {containers: [{name: web}]}
            """,
        ),
        _rule(
            "KM103",
            "unsupported-value",
            "error",
            "The field does not support this value, so the API server rejects the object.",
            "Use one of the supported values.",
            """
            Case matters: `tcp` is not `TCP`. The most similar supported value is suggested, and `--fix` writes it.
            """,
            """
            # kind: v1 Service
            # config
            spec: {type: LoadBalncer, ports: [{port: 80}]}
            """,
        ),
        _rule(
            "KM104",
            "invalid-value",
            "error",
            "The value is invalid, so the API server rejects the object.",
            "Use a value that satisfies the constraint in the message.",
            """
            The message comes from the API server. Built-in kinds are validated in its code, and custom resources by the
            schema and CEL rules of their definition.
            """,
            """
            # kind: v1 Pod
            # config
            spec: {activeDeadlineSeconds: 0, containers: [{name: web, image: web:1}]}
            """,
        ),
        _rule(
            "KM105",
            "forbidden-field",
            "error",
            "The field must not be set here, so the API server rejects the object.",
            "Remove the field, or the other field if it excludes this one.",
            """
            In many cases, another field excludes this one, such as `exec` and `httpGet` in one probe.
            """,
            """
            # kind: v1 Pod
            # config
            spec:
              containers:
              - name: web
                image: web:1
                livenessProbe: {exec: {command: [ls]}, httpGet: {port: 80}}
            """,
        ),
        _rule(
            "KM106",
            "duplicate-value",
            "error",
            "A value that must be unique occurs more than once, so the API server rejects the object.",
            "Remove or rename one of the duplicates.",
            """
            Names of containers, volumes and ports, and other values that identify an element, must be unique.
            """,
            """
            # kind: v1 Pod
            # config
            spec: {containers: [{name: web, image: web:1}], volumes: [{name: a, emptyDir: {}}, {name: a, emptyDir: {}}]}
            """,
        ),
        _rule(
            "KM107",
            "invalid-name",
            "error",
            "The name, label or annotation is invalid, so the API server rejects the object.",
            "Use a name or value that satisfies the constraint in the message.",
            """
            Many names become part of host names, which allow only lowercase letters, digits and hyphens. The message
            contains the constraint.
            """,
            """
            # kind: v1 ConfigMap
            # config
            metadata: {name: My_Config}
            """,
        ),
        _rule(
            "KM108",
            "not-in-the-object",
            "error",
            "The field refers to something that the object does not have, so the API server rejects the object.",
            "Add the missing item, or correct the reference.",
            """
            For example, a container mounts a volume that is not in `volumes`.
            """,
            """
            # kind: v1 Pod
            # config
            spec: {containers: [{name: web, image: web:1, volumeMounts: [{name: data, mountPath: /data}]}]}
            """,
        ),
        _rule(
            "KM109",
            "refused",
            "error",
            "The API server rejects the object for a reason that no other rule covers.",
            "Fix the error that the API server reports.",
            """
            An example is an internal error in the schema of a CustomResourceDefinition.
            """,
            """
            # kind: apiextensions.k8s.io/v1 CustomResourceDefinition
            # config
            metadata: {name: backups.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {kind: Backup, plural: backups}
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec: {x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: "true"}]}
            """,
        ),
        _rule(
            "KM110",
            "server-warns",
            "warning",
            "The API server accepts the object with a warning.",
            "Change or remove the field that the warning names.",
            """
            kubectl prints the warning when the object is applied. The warnings are those of the release.
            """,
            """
            # kind: networking.k8s.io/v1 Ingress
            # config
            metadata: {annotations: {kubernetes.io/ingress.class: nginx}}
            spec: {defaultBackend: {service: {name: web, port: {number: 80}}}}
            """,
        ),
        _rule(
            IMMUTABLE,
            "immutable-field",
            "error",
            "The API server rejects the change to the live object.",
            "Keep the value of the live object, or delete the object and create it again.",
            """
            Many fields cannot be changed after creation, or only in one direction: the selector of a Deployment, most
            fields of a StatefulSet, the size of a PersistentVolumeClaim. Problems that the live object already
            has are not reported.
            """,
            """
            # kind: apps/v1 Deployment
            # config
            spec:
              selector: {matchLabels: {app: web}}
              template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web:1}]}}
            ---
            # live
            spec:
              selector: {matchLabels: {app: www}}
              template: {metadata: {labels: {app: www}}, spec: {containers: [{name: web, image: web:1}]}}
            """,
        ),
    )
)
