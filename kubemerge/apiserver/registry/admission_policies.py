"""Admission policies and their bindings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..cel.language.types import BOOL, KEYWORDS, NULL, STRING
from ..defaulting.rules import Default, Group, TypePosition
from ..eras import Era
from ..printers import jsonpath
from ..problems import Problem, duplicate, forbidden, invalid, required, unsupported
from ..unchecked import as_map, as_text, get_path, maps
from ..validation import names
from ..validation.declarative import by_table
from ..validation.eras import VARIABLE_NAMES, VARIABLE_NAMES_BEFORE
from ..validation.object_names import path_segment
from ..validation.selectors import label_selector
from ..validation.values import compiled as cel
from ..validation.values import formats
from ..validation.values.conditions import conditions as status_conditions
from . import admission_rules as rules
from .record import KindRecord

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..cel.language.types import Type
    from ..unchecked import Object

GROUP = "admissionregistration.k8s.io"
VERSIONS = (f"{GROUP}/v1", f"{GROUP}/v1beta1", f"{GROUP}/v1alpha1")
REASONS = ("Forbidden", "Invalid", "RequestEntityTooLarge")
ACTIONS = ("Audit", "Deny", "Warn")
RULES = """
MutatingAdmissionPolicySpec reinvocationPolicy string required enum=IfNeeded|Never
ParamRef parameterNotFoundAction string required enum=Deny|Allow
"""
"""The checks of one field."""
PATCHES = {"ApplyConfiguration": "applyConfiguration", "JSONPatch": "jsonPatch"}
GIVES = {"ApplyConfiguration": cel.OBJECT, "JSONPatch": cel.JSON_PATCHES}
"""The result types of patch expressions."""
MOST_AUDITED, LONGEST_AUDITED = 20, 5 * 1024
BOTH_ACTIONS = (
    "must not contain both Deny and Warn (repeating the same validation failure information in the API response and "
    "headers serves no purpose)"
)
NO_ACTION, SOME_ACTION = "at least one validation action is required", Era(27, 36)
PARAM_SELECTOR = Era(28)
"""Selectors of parameters, and the action if there are none."""
ONE_OR_OTHER = "name and selector are mutually exclusive"
NOTHING_DONE = "validations or auditAnnotations must contain at least one item"


def validating(content: Object) -> Iterator[Problem]:
    """Validate a ValidatingAdmissionPolicy."""
    return _validating(content, {})


def changed_validating(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of a ValidatingAdmissionPolicy. Unchanged match conditions are not checked again."""
    return _validating(content, before)


def _policy(content: Object, before: Object) -> Iterator[Problem]:
    spec, former = as_map(content.get("spec")), as_map(before.get("spec"))
    yield from rules.one_of("spec.failurePolicy", spec.get("failurePolicy"), rules.FAILURES)
    if spec.get("paramKind") is not None:
        yield from _param_kind("spec.paramKind", as_map(spec["paramKind"]))
    match = spec.get("matchConstraints")
    if match is None:
        yield required("spec.matchConstraints")
    else:
        yield from rules.matched("spec.matchConstraints", match)
        if not as_map(match).get("resourceRules"):
            yield required("spec.matchConstraints.resourceRules")
    if content.get("kind") == "MutatingAdmissionPolicy":
        yield from rules.mutating("spec.matchConstraints", match)
    kept = all((spec.get(field) or None) == (former.get(field) or None) for field in ("paramKind", "matchConditions"))
    if not (before and kept):
        yield from rules.conditions("spec.matchConditions", spec)
    known = _known(spec, ())
    for index, variable in maps(spec, "variables"):
        yield from _variable(f"spec.variables[{index}]", variable, known)
        known = _known(spec, (variable,), known)


def _known(spec: Object, variables: Iterable[Object], known: Mapping[str, Type] | None = None) -> Mapping[str, Type]:
    """The variables of an expression, with these of the policy. One without an expression is not declared."""
    if known is None:
        known = cel.PARAMS if spec.get("paramKind") is not None else cel.REQUEST
        known = cel.with_variables(known, {}) if spec.get("variables") or spec.get("mutations") else known
    for one in variables:
        if not as_text(one.get("expression")).strip():
            continue
        found = cel.compiled(as_text(one["expression"]), known)
        own = dict(known["variables"].fields)
        known = cel.with_variables(known, {**own, as_text(one.get("name")): cel.variable_type(found.type)})
    return known


def _all_known(spec: Object) -> Mapping[str, Type]:
    return _known(spec, (one for _, one in maps(spec, "variables")), _known(spec, ()))


def _param_kind(at: str, kind: Object) -> Iterator[Problem]:
    version, name = as_text(kind.get("apiVersion")), as_text(kind.get("kind"))
    if not version:
        yield required(f"{at}.apiVersion")
    elif version.count("/") > 1:
        yield invalid(f"{at}.apiVersion", version, f"unexpected GroupVersion string: {version}")
    else:
        group, _, number = version.rpartition("/")
        wrong_group, wrong_number = list(names.subdomain(group)), list(formats.dns_1035_label(number))
        if group and wrong_group:
            yield invalid(f"{at}.apiVersion", group, ",".join(wrong_group))
        if not number:
            yield invalid(f"{at}.apiVersion", version, "version must be specified")
        elif wrong_number:
            yield invalid(f"{at}.apiVersion", number, ",".join(wrong_number))
    wrong = list(formats.dns_1035_label(name.lower()))
    if not name:
        yield required(f"{at}.kind")
    elif wrong:
        why = f"may have mixed case, but should otherwise match: {','.join(wrong)}"
        yield invalid(f"{at}.kind", name, why)


def _variable(at: str, variable: Object, known: Mapping[str, Type]) -> Iterator[Problem]:
    name = as_text(variable.get("name"))
    if not name.strip():
        yield required(f"{at}.name", "name is not specified")
    elif not re.fullmatch("[_a-zA-Z][_a-zA-Z0-9]*", name) or name in KEYWORDS:
        yield from VARIABLE_NAMES_BEFORE.limit([invalid(f"{at}.name", name, "name is not a valid CEL identifier")])
        yield from VARIABLE_NAMES.limit([invalid(f"{at}.name", name, "must be a valid CEL identifier")])
    if not as_text(variable.get("expression")).strip():
        yield required(f"{at}.expression", "expression is not specified")
    else:
        yield from cel.evaluates(f"{at}.expression", variable["expression"], known)


def _validating(content: Object, before: Object) -> Iterator[Problem]:
    yield from _policy(content, before)
    spec = as_map(content.get("spec"))
    audited = list(maps(spec, "auditAnnotations"))
    if not spec.get("validations") and not audited:
        yield required("spec.validations", NOTHING_DONE)
        yield required("spec.auditAnnotations", NOTHING_DONE)
        return
    known = _all_known(spec)
    for index, one in maps(spec, "validations"):
        yield from _validation(f"spec.validations[{index}]", one, known)
    if len(audited) > MOST_AUDITED:
        why = f"must not have more than {MOST_AUDITED} auditAnnotations"
        shown = [{"Key": one.get("key", ""), "ValueExpression": one.get("valueExpression", "")} for _, one in audited]
        yield invalid("spec.auditAnnotations", shown, why)
    taken: set[str] = set()
    for index, one in audited:
        at, key = f"spec.auditAnnotations[{index}]", as_text(one.get("key"))
        yield from _audited(at, key, one, as_text(get_path(content, "metadata.name")), known)
        if key in taken:
            yield duplicate(f"{at}.key", key)
        taken.add(key)


def _validation(at: str, one: Object, known: Mapping[str, Type]) -> Iterator[Problem]:
    expression, message = as_text(one.get("messageExpression")), as_text(one.get("message"))
    if not as_text(one.get("expression")).strip():
        yield required(f"{at}.expression", "expression is not specified")
    else:
        yield from cel.evaluates(f"{at}.expression", one["expression"], known, BOOL)
    if expression and not expression.strip():
        yield invalid(f"{at}.messageExpression", expression, "must be non-empty if specified")
    elif expression:
        yield from cel.evaluates(f"{at}.messageExpression", expression, cel.without_authorizer(known), STRING)
    if message and not message.strip():
        yield invalid(f"{at}.message", message, "must be non-empty if specified")
    elif re.search(r"[\n\r]", message.strip()):
        yield invalid(f"{at}.message", message, "must not contain line breaks")
    yield from rules.one_of(f"{at}.reason", one.get("reason"), REASONS)


def _audited(at: str, key: str, one: Object, name: str, known: Mapping[str, Type]) -> Iterator[Problem]:
    if name:
        whole = f"{name}/{key}"
        yield from (invalid(f"{at}.key", whole, why) for why in names.key(whole))
    else:
        yield invalid(f"{at}.key", key, "requires metadata.name be non-empty")
    expression = as_text(one.get("valueExpression")).strip()
    if not expression:
        yield required(f"{at}.valueExpression", "valueExpression is not specified")
    elif len(expression.encode()) > LONGEST_AUDITED:
        yield required(f"{at}.valueExpression", f"must not exceed {LONGEST_AUDITED} bytes in length")
    else:
        shown = as_text(one.get("valueExpression"))
        yield from cel.evaluates(f"{at}.valueExpression", expression, known, STRING, NULL, shown=shown)


def mutating(content: Object) -> Iterator[Problem]:
    """Validate a MutatingAdmissionPolicy."""
    return changed_mutating(content, {})


def changed_mutating(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of a MutatingAdmissionPolicy."""
    yield from _policy(content, before)
    spec = as_map(content.get("spec"))
    if not spec.get("mutations"):
        yield required("spec.mutations", "mutations must contain at least one item")
    known = _all_known(spec)
    for index, one in maps(spec, "mutations"):
        yield from _mutation(f"spec.mutations[{index}]", one, known)
    yield from by_table(RULES, "MutatingAdmissionPolicySpec", "spec", spec)


def _mutation(at: str, one: Object, known: Mapping[str, Type]) -> Iterator[Problem]:
    type_ = as_text(one.get("patchType"))
    if not type_:
        yield required(f"{at}.patchType")
    elif type_ not in PATCHES:
        yield unsupported(f"{at}.patchType", type_, tuple(PATCHES))
    else:
        own = PATCHES[type_]
        if one.get(own) is None:
            yield required(f"{at}.{own}", f"must be specified when patchType is {type_}")
        elif not as_text(as_map(one[own]).get("expression")).strip():
            yield required(f"{at}.{own}.expression")
        else:
            expression, wanted = as_text(as_map(one[own]).get("expression")).strip(), GIVES[type_]
            yield from cel.evaluates(f"{at}.{own}.expression", expression, known, wanted, patches=True)
        other = next(field for field in PATCHES.values() if field != own)
        if one.get(other) is not None:
            yield invalid(f"{at}.{other}", f"{{{other}}}", f"must not be specified when patchType is {type_}")


def _binding(spec: Object) -> Iterator[Problem]:
    if spec.get("policyName"):
        yield from formats.each("spec.policyName", spec["policyName"], names.subdomain)
    if spec.get("paramRef") is not None:
        yield from _param_ref("spec.paramRef", as_map(spec["paramRef"]))
    yield from rules.matched("spec.matchResources", spec.get("matchResources"))


def _param_ref(at: str, ref: Object) -> Iterator[Problem]:
    name = as_text(ref.get("name"))
    if name:
        yield from formats.each(f"{at}.name", name, path_segment)
    yield from PARAM_SELECTOR.limit(_param_selection(at, ref, name))


def _param_selection(at: str, ref: Object, name: str) -> Iterator[Problem]:
    selector = ref.get("selector")
    if name and selector is not None:
        yield forbidden(f"{at}.name", ONE_OR_OTHER)
    if selector is not None:
        yield from label_selector(f"{at}.selector", selector)
        if name:
            yield forbidden(f"{at}.selector", ONE_OR_OTHER)
    if not name and selector is None:
        yield required(at, "one of name or selector must be specified")
    yield from by_table(RULES, "ParamRef", at, ref)


def validating_binding(content: Object) -> Iterator[Problem]:
    """Validate a ValidatingAdmissionPolicyBinding."""
    spec = as_map(content.get("spec"))
    yield from _binding(spec)
    actions = rules.listed(spec, "validationActions")
    if not actions:
        yield from SOME_ACTION.limit([required("spec.validationActions", NO_ACTION)])
    seen: set[str] = set()
    for index, action in enumerate(actions):
        if action not in ACTIONS:
            yield unsupported(f"spec.validationActions[{index}]", action, ACTIONS)
        if action in seen:
            yield duplicate(f"spec.validationActions[{index}]", action)
        seen.add(action)
    if {"Deny", "Warn"} <= seen:
        yield invalid("spec.validationActions", actions, BOTH_ACTIONS)


def mutating_binding(content: Object) -> Iterator[Problem]:
    """Validate a MutatingAdmissionPolicyBinding."""
    spec = as_map(content.get("spec"))
    if not spec.get("policyName"):
        yield required("spec.policyName")
    yield from _binding(spec)
    yield from rules.mutating("spec.matchResources", spec.get("matchResources"))


def status(content: Object, before: Object) -> Iterator[Problem]:
    """Validate the type-checking results in the status of a policy."""
    for index, one in maps(as_map(get_path(content, "status.typeChecking")), "expressionWarnings"):
        at = f"status.typeChecking.expressionWarnings[{index}]"
        if not one.get("warning"):
            yield required(f"{at}.warning")
        reference = as_text(one.get("fieldRef")).strip()
        if not reference:
            yield required(f"{at}.fieldRef")
        elif why := jsonpath.problem(f"{{{reference}}}"):
            yield invalid(f"{at}.fieldRef", reference, f"invalid JSONPath: {why}")
    yield from status_conditions(content, before)


_SOURCE = "admissionregistration/v1/defaults.go SetDefaults_"
_MATCHED = (
    Group(
        ("MatchResources",),
        _SOURCE + "MatchResources",
        (
            Default("matchPolicy", "Equivalent", unset=(None,)),
            Default("namespaceSelector", {}),
            Default("objectSelector", {}),
        ),
    ),
    Group(("PolicyRule",), _SOURCE + "Rule", (Default("scope", "*", unset=(None,)),)),
)
_RULES = (TypePosition("resourceRules[]", "PolicyRule"), TypePosition("excludeResourceRules[]", "PolicyRule"))


def _record(kind: str, at: str, **more: Any) -> KindRecord:
    fails = Group((kind,), f"{_SOURCE}{kind}Spec", (Default("spec.failurePolicy", "Fail", unset=(None,)),))
    return KindRecord(
        group=GROUP,
        kind=kind,
        versions=VERSIONS,
        defaults=(*([fails] if at == "matchConstraints" else []), *_MATCHED),
        places={kind: (TypePosition(f"spec.{at}?", "MatchResources"),), "MatchResources": _RULES},
        named_again=True,
        **more,
    )


RECORDS = (
    _record(
        "ValidatingAdmissionPolicy",
        "matchConstraints",
        check=validating,
        check_update=changed_validating,
        check_status=status,
    ),
    _record("ValidatingAdmissionPolicyBinding", "matchResources", check=validating_binding),
    _record("MutatingAdmissionPolicy", "matchConstraints", check=mutating, check_update=changed_mutating),
    _record("MutatingAdmissionPolicyBinding", "matchResources", check=mutating_binding),
)
