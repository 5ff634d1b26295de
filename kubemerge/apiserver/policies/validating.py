"""Decisions of ValidatingAdmissionPolicies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine.values.go_json import encode

from ..audit_annotations import annotate
from ..cel.evaluator import METER
from ..cel.meter import MAX_COST, Cancelled, Meter
from ..cel.values import CelError, typed
from ..errors import PolicyRejection
from .conditions import ConditionError, meets_conditions
from .decisions import PolicyWarning
from .evaluation import Evaluation, OutOfBudget, Result
from .invocations import invocations

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..protocol import Object
    from .compiled import CompiledPolicy, Validation
    from .context import PolicyContext
    from .invocations import Invocation
    from .request import Match
    from .source import BoundPolicy

CODES = {"Unauthorized": 401, "Forbidden": 403, "RequestEntityTooLarge": 413}
"""The HTTP status by the reason of a validation. Others are 422."""
INVALID = "Invalid"
FAILURE, MOST_FAILURES = "validation.policy.admission.k8s.io/validation_failure", 50
"""The annotation of an audit event with failed validations, and their maximum number."""
LONGEST_ANNOTATION = 10 * 1024
LONGEST_MESSAGE = 5 * 1024
"""The maximum bytes of a message from an expression."""


class Decision(NamedTuple):
    """A failed validation, or an error."""

    message: str
    reason: str = ""
    expression: str = ""
    """The failed expression, empty for an error of the policy as a whole."""


class Denial(NamedTuple):
    """A decision of a policy and a binding. An invalid policy has no binding."""

    policy: str
    binding: str | None
    decision: Decision


def validate(
    policies: tuple[BoundPolicy, ...],
    context: PolicyContext,
    content: Object | None,
    before: Object | None,
    warn: Callable[[str], None],
) -> None:
    """Raise PolicyRejection if a policy denies the request. `warn` is called with the failures to warn about."""
    denials = _Dispatcher(context, content, before, warn).denials(policies)
    if denials:
        raise _rejection(denials[0], context, content)


def _rejection(denial: Denial, context: PolicyContext, content: Object | None) -> PolicyRejection:
    said = f"ValidatingAdmissionPolicy '{denial.policy}'"
    if denial.binding is not None:
        said = f"{said} with binding '{denial.binding}'"
    message = f"{said} denied request: {denial.decision.message}"
    reason = denial.decision.reason or INVALID
    request = context.request
    called, name = request.resource.called, name_in_error(request.name, content)
    return PolicyRejection(
        f'{called} "{name}" is forbidden: {message}',
        code=CODES.get(reason, 422),
        reason=reason,
        called=called,
        name=name,
        causes=(message,),
        expression=denial.decision.expression,
    )


def name_in_error(name: str, content: Object | None) -> str:
    """Return the name of an object in an error, which a create request may lack."""
    metadata = (content or {}).get("metadata") or {}
    return name or metadata.get("name") or metadata.get("generateName") or "Unknown"


def _failure(decision: Decision, policy: CompiledPolicy, binding: str, actions: Any) -> str:
    """A failed validation as JSON, as an audit event contains it."""
    texts = [one.expression.text for one in policy.validations]
    found = {
        "message": decision.message,
        "policy": policy.name,
        "binding": binding,
        "expressionIndex": texts.index(decision.expression) if decision.expression in texts else 0,
        "validationActions": list(actions),
    }
    return "{" + ",".join(f'"{field}":{encode(value)}' for field, value in found.items()) + "}"


class _Dispatcher:
    def __init__(
        self,
        context: PolicyContext,
        content: Object | None,
        before: Object | None,
        warn: Callable[[str], None],
    ) -> None:
        self._context, self._content, self._before, self._warn = context, content, before, warn
        self._matcher = context.matcher(content, before)
        self._shared: dict[tuple[object, ...], dict[str, Any]] = {}
        self._versions: dict[tuple[str, str], tuple[Object | None, Object | None]] = {}
        self._match: Match | None = None
        self._env: dict[str, Any] = {}
        """The variables for the last match, and the meter of a plain policy."""
        self.failures: list[str] = []
        """The failed validations for the audit log."""

    def denials(self, policies: tuple[BoundPolicy, ...]) -> list[Denial]:
        """Return the decisions that reject the request."""
        found: list[Denial] = []

        def fail(policy: CompiledPolicy, binding: str | None, why: str) -> None:
            if policy.fails:
                found.append(Denial(policy.name, binding, Decision(why)))

        for one in invocations(policies, self._matcher, self._context, fail):
            if not self._accepts(one):
                found.extend(self._decided(one))
        if self.failures:
            annotate(FAILURE, f"[{','.join(self.failures[:MOST_FAILURES])}]")
        return found

    def _accepts(self, invocation: Invocation) -> bool:
        """Whether a plain policy accepts the request. False also if that is not known.

        This is the most frequent decision, so it is made without results and messages.
        """
        plain = invocation.policy.plain
        if plain is None:
            return False
        if invocation.match is not self._match:
            self._match, self._env = invocation.match, dict(self._variables(invocation.match, None))
        env = self._env
        for run in plain:
            env[METER] = Meter()
            try:
                if run(env) is not True:
                    return False
            except (CelError, Cancelled, RecursionError):
                return False
        return True

    def _decided(self, invocation: Invocation) -> list[Denial]:
        found: list[Denial] = []
        policy, binding = invocation.policy, invocation.binding
        decisions, errors = self._evaluated(policy, invocation.match, invocation.param)
        if not decisions and not errors:
            return found
        actions = binding.spec.get("validationActions") or ()
        if "Audit" in actions:
            self.failures += [_failure(one, policy, binding.name, actions) for one in decisions]
        for decision in decisions:
            if "Deny" in actions:
                found.append(Denial(policy.name, binding.name, decision))
            if "Warn" in actions:
                said = f"ValidatingAdmissionPolicy '{policy.name}' with binding '{binding.name}'"
                text = f"Validation failed for {said}: {decision.message}"
                self._warn(PolicyWarning.of(text, policy.name, binding.name, decision.expression))
        return found + [Denial(policy.name, binding.name, one) for one in errors]

    def _in_version(self, match: Match) -> tuple[Object | None, Object | None]:
        """The object and the old one in the version of a match."""
        found = self._versions.get(match.kind)
        if found is None:
            kinds, sent = self._context.kinds, self._context.request.sent_kind
            whole = (self._content, self._before)
            if match.kind != sent:
                whole = tuple(None if one is None else kinds.in_version(one, match.resource) for one in whole)  # type: ignore[assignment]
            if match.resource.built_in:
                whole = (typed(whole[0]), typed(whole[1]))
            found = self._versions[match.kind] = whole
        return found

    def _variables(self, match: Match, param: Object | None) -> dict[str, Any]:
        """The variables of a policy. Those without params are shared by all policies with this match."""
        if param is not None:
            return self._context.variables(match, *self._in_version(match), param)
        key = (match.kind, match.resource.group, match.resource.version)
        found = self._shared.get(key)
        if found is None:
            found = self._shared[key] = self._context.variables(match, *self._in_version(match), None)
        return found

    def _evaluated(
        self, policy: CompiledPolicy, match: Match, param: Object | None
    ) -> tuple[list[Decision], list[Decision]]:
        """The failed validations, and the failed audit annotations."""
        variables = self._variables(match, param)
        try:
            if policy.conditions and not meets_conditions(policy, self._context, variables):
                return [], []
        except ConditionError as error:
            return ([Decision(str(error))] if policy.fails else []), []
        try:
            decisions = _failed_validations(policy, variables)
            errors = _failed_annotations(policy, variables)
        except OutOfBudget as error:
            return ([Decision(str(error))] if policy.fails else []), []
        return decisions, errors


def _failed_validations(policy: CompiledPolicy, variables: dict[str, Any]) -> list[Decision]:
    evaluation = Evaluation(policy, variables)
    results = [evaluation.evaluate(one.expression) for one in policy.validations]
    if not policy.has_messages and all(one.value is True and not one.error for one in results):
        return []
    said, why = _messages(policy, variables, results, evaluation.left)
    found: list[Decision] = []
    for place, (one, result) in enumerate(zip(policy.validations, results, strict=True)):
        if result.error or why:
            if policy.fails:
                message = result.error or f"failed messageExpression: {why}"
                found.append(Decision(message, expression=one.expression.text))
        elif result.value is not True:
            found.append(Decision(_message(one, said.get(place)), one.reason or INVALID, one.expression.text))
    return found


def _messages(
    policy: CompiledPolicy, variables: dict[str, Any], results: list[Result], budget: int
) -> tuple[dict[int, Result], str]:
    """The results of message expressions by their position, and the reason why there are none.

    A server evaluates all of them. If they cannot exhaust the budget, only those of failed validations are needed.
    """
    given = [place for place, one in enumerate(policy.validations) if one.message_expression is not None]
    if len(given) * (1 + len(policy.variables)) * MAX_COST <= budget:
        given = [place for place in given if not results[place].error and results[place].value is not True]
    if not given:
        return {}, ""
    evaluation = Evaluation(policy, _without_authorizer(variables), budget)
    found: dict[int, Result] = {}
    try:
        for place in given:
            expression = policy.validations[place].message_expression
            if expression is not None:
                found[place] = evaluation.evaluate(expression)
    except OutOfBudget as error:
        return {}, str(error)
    return found, ""


def _without_authorizer(variables: dict[str, Any]) -> dict[str, Any]:
    return {name: one for name, one in variables.items() if not name.startswith("authorizer")}


def _message(validation: Validation, result: Result | None) -> str:
    said = ""
    if result is not None and not result.error and isinstance(result.value, str):
        said = result.value.strip()
        if len(said.encode()) > LONGEST_MESSAGE or "\n" in said:
            said = ""
    return said or validation.message.strip() or f"failed expression: {validation.expression.text.strip()}"


def _failed_annotations(policy: CompiledPolicy, variables: dict[str, Any]) -> list[Decision]:
    """Errors of audit annotations, whose values only an audit log contains."""
    if not policy.audit_annotations:
        return []
    evaluation = Evaluation(policy, _without_authorizer(variables))
    found: list[Decision] = []
    for one in policy.audit_annotations:
        result = evaluation.evaluate(one.expression)
        if result.error:
            if policy.fails:
                found.append(Decision(result.error))
        elif isinstance(result.value, str):
            annotate(f"{policy.name}/{one.name}", result.value.strip()[:LONGEST_ANNOTATION])
    return found
