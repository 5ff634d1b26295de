"""What a server refuses because of a value: one rule for each kind of problem that servers tell apart."""

from __future__ import annotations

import json
import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

from engine.linter import LintRule

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
from ....apiserver.validation.pod_spec.resources import OF_CONTAINERS
from ....apiserver.validation.values.quantities import NOT_OF_CONTAINERS
from ....output.problems import masked
from ..places import steps_of, value_at
from ..record import SERVER, Fix, GateRule, Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.aliases import Severity
    from engine.paths import Steps

    from ....apiserver.problems import Problem as ServerProblem
    from ..server import Judged, Refusal

_NAMES = frozenset({"name", "generateName", "namespace", "labels", "annotations", "finalizers"})


def _is_name(refusal: Refusal) -> bool:
    """Whether it is about the metadata by which the object is found."""
    return refusal.steps[:1] == ("metadata",) and (len(refusal.steps) < 2 or refusal.steps[1] in _NAMES)


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
    """The rule that a refusal belongs to."""
    if _is_name(refusal):
        return "KM107"
    return next((code for code, kinds in KINDS.items() if refusal.problem.kind in kinds), "KM109")


def _finder(code: str) -> Callable[[Judged], Iterator[Problem]]:
    def find(judged: Judged) -> Iterator[Problem]:
        for one in _each_once(judged):
            if code_of(one) == code:
                advice, fix = _WAYS[code](one, judged) if code in _WAYS else ("", None)
                why = _short(body(_without_large(masked(one.problem, judged.content))))
                yield Problem(one.steps, f"A server refuses this: {why}", advice, fix)

    return find


def _each_once(judged: Judged) -> Iterator[Refusal]:
    """What is refused, with all reasons of one value together, and without what only repeats a limit as a request."""
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
    """Whether it is about a request that the server filled in because there is such a limit, which is refused too."""
    around, last = refusal.steps[:-2], refusal.steps[-2:]
    if last[:1] != ("requests",) or value_at(judged.content, refusal.steps) is not None:
        return False
    return any(one.steps == (*around, "limits", *last[1:]) for one in judged.refusals)


LONGEST = 200
"""The longest map or list that is shown; a whole template would hide the reason."""


def _without_large(problem: ServerProblem) -> ServerProblem:
    value = value_of(problem)
    if len(value) <= LONGEST or value[0] not in "{[":
        return problem
    return problem._replace(value=Printed(f"{value[0]}...{value[-1]}"))


def _short(why: str) -> str:
    """The reason on one line, with a full stop, and without the regular expression."""
    why = re.sub(r"(\(e\.g\. .*?), regex used for validation is '.*?'\)", r"\1)", " ".join(why.split()))
    return why if why.endswith((".", "!", "?")) else f"{why}."


def _way_out(refusal: Refusal, judged: Judged) -> tuple[str, Fix | None]:
    """The supported value that was probably meant; one that differs in capitals only is put right safely."""
    value = value_at(judged.content, refusal.steps)
    supported = refusal.problem.supported
    if not isinstance(value, str) or not supported:
        return "", None
    exact = [one for one in supported if one.lower() == value.lower()]
    near = exact or get_close_matches(value, supported, n=1, cutoff=0.75)
    if not near:
        return f"Write {' or '.join(supported)}." if len(supported) < 6 else "", None
    return f"Write {near[0]}.", Fix(refusal.steps, False, _plain(near[0]))


def _name_of_resource(refusal: Refusal, judged: Judged) -> tuple[str, Fix | None]:
    """The resource of containers that was probably meant."""
    if NOT_OF_CONTAINERS not in refusal.problem.detail:
        return "", None
    name, beside = str(refusal.steps[-1]), value_at(judged.content, refusal.steps[:-1])
    near = get_close_matches(name, OF_CONTAINERS, n=1, cutoff=0.75)
    if not near or near[0] in beside:
        return f"Write {', '.join(OF_CONTAINERS)}, or a name with a domain, such as example.com/gpu.", None
    return f"Write {near[0]!r}.", Fix(refusal.steps, True, near[0])


_WAYS = {"KM103": _way_out, "KM104": _name_of_resource}
"""What tells the way out of a refusal, for the rules that know more than one sentence about it."""


def _plain(text: str) -> str:
    return text if re.fullmatch(r"[A-Za-z][A-Za-z0-9]*", text) else json.dumps(text)


def warned(judged: Judged) -> Iterator[Problem]:
    """What a server warns of, although it takes the object."""
    for warning in judged.warnings:
        text = warning.removeprefix(f"{NO_PATH}: ")
        place, colon, why = text.replace(".storageOS:", ".storageos:").partition(": ")  # as the field is called
        steps = steps_of(place, judged.content) if colon and not _IN_NO_PATH.search(place) else ()
        if not steps or steps[0] not in judged.content:  # no field, as in "tls: failed to find any PEM data"
            steps, why = (), text
        yield Problem(steps, f"A server warns: {_short(why)}")


_IN_NO_PATH = re.compile(r"[\s\"'<>]")
"""Characters that are in no path. Warnings are text, and not all of them begin with a path."""


def _rule(
    code: str, slug: str, severity: Severity, meaning: str, way_out: str, explanation: str, example: str
) -> LintRule:
    return LintRule(
        code, slug, severity, meaning=meaning, way_out=way_out, explanation=explanation, example=example, about=SERVER
    )


RULES = tuple(
    GateRule(rule, warned if rule.code == "KM110" else _finder(rule.code))
    for rule in (
        _rule(
            "KM102",
            "missing-field",
            "error",
            "A field that the API requires is missing, so a server refuses the object.",
            "Add the field.",
            """
            Whether a field is required may depend on others: a server fills in default values first, and then looks.
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
            "The field takes only some values, and this is not one of them.",
            "Write one of the supported values.",
            """
            Capitals matter: `tcp` is not `TCP`. The value that was probably meant is suggested, and `--fix` writes it.
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
            "The API does not allow this value, so a server refuses the object.",
            "Write a value that the message allows.",
            """
            The message is that of the server: of its checks for built-in kinds, of the schema and the rules (CEL) of
            the definition for custom resources.
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
            "The field must not be set here, so a server refuses the object.",
            "Remove the field, or what it does not go with.",
            """
            A field that does not go with another one, such as an `exec` beside an `httpGet` in one probe.
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
            "What has to be different for each element is there twice, so a server refuses the object.",
            "Remove one of them, or give it another name.",
            """
            The names of containers and volumes, the names of ports, and other values that identify an element.
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
            "The name, a label or an annotation is not allowed, so a server refuses the object.",
            "Write a name that the message allows.",
            """
            Names become parts of host names for many kinds: small letters, digits and hyphens. The message says what
            the kind allows.
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
            "The field names something that the object does not have, so a server refuses the object.",
            "Add what is named, or correct the name.",
            """
            A mount of a volume that is not listed, for example.
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
            "A server refuses the object as a whole.",
            "Correct what the message names.",
            """
            Refusals that no other rule covers, such as internal errors about the schema of a definition.
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
            "A server takes the object, and warns of something in it.",
            "Do what the warning asks for.",
            """
            kubectl prints these warnings when the object is applied.
            """,
            """
            # kind: networking.k8s.io/v1 Ingress
            # config
            metadata: {annotations: {kubernetes.io/ingress.class: nginx}}
            spec: {defaultBackend: {service: {name: web, port: {number: 80}}}}
            """,
        ),
    )
)
