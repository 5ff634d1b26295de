"""Mutations of MutatingAdmissionPolicies, with their reinvocation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..cel.values import typed
from ..errors import PolicyRejection
from .conditions import ConditionError, meets_conditions
from .decisions import Mutated
from .evaluation import Evaluation, OutOfBudget
from .invocations import invocations
from .patches import apply_configuration, as_admitted, as_converted, check_form, json_patch
from .validating import INVALID, name_in_error
from .values import PatchError

if TYPE_CHECKING:
    from ..protocol import Object, Resource
    from .compiled import CompiledPolicy, Mutation
    from .context import PolicyContext
    from .invocations import Invocation, Key
    from .source import BoundPolicy


class _Failure(NamedTuple):
    message: str
    reason: str


class MutatingPolicies:
    """The mutating policies of one request."""

    def __init__(self, policies: tuple[BoundPolicy, ...], context: PolicyContext, before: Object | None) -> None:
        self._policies, self._context, self._before = policies, context, before
        self._repeatable: frozenset[Key] = frozenset()
        self.patched = False
        """Whether any patch was applied, even one without an effect."""

    def first(self, content: Object) -> Object:
        """Return the object after all policies. Raise PolicyRejection for an error of a policy."""
        step = _Pass(self._policies, self._context, self._before)
        found = step.run(content)
        self.patched, self._repeatable = step.patched, step.repeatable
        return found

    def repeat(self, content: Object) -> Object:
        """Return the object after a second invocation of the policies with the reinvocationPolicy IfNeeded."""
        return _Pass(self._policies, self._context, self._before, self._repeatable).run(content)


class _Pass:
    """One pass over all policies, or over the `selected` invocations."""

    def __init__(
        self,
        policies: tuple[BoundPolicy, ...],
        context: PolicyContext,
        before: Object | None,
        selected: frozenset[Key] | None = None,
    ) -> None:
        self._policies, self._context, self._before = policies, context, before
        self._selected = selected
        self._invoked: set[Key] = set()
        self._failures: list[_Failure] = []
        self.patched = False
        """Whether any patch was applied, even one without an effect."""

    @property
    def repeatable(self) -> frozenset[Key]:
        """The invocations to repeat."""
        return frozenset(self._invoked)

    def run(self, content: Object) -> Object:
        """Return the object after this pass."""
        if self._selected is not None and not self._selected:
            return content
        context = self._context
        found = list(invocations(self._policies, context.matcher(content, self._before), context, self._fail))
        if found:
            context.namespace_object()  # must exist
        for one in found:
            content = self._after(one, content)
        if self._failures:
            raise self._rejection(content)
        return content

    def _rejection(self, content: Object) -> PolicyRejection:
        request = self._context.request
        first = self._failures[0]
        return PolicyRejection(
            first.message,
            code=403,
            reason=first.reason or "Forbidden",
            called=request.resource.called,
            name=name_in_error(request.name, content),
            causes=[one.message for one in self._failures],
        )

    def _fail(self, policy: CompiledPolicy, binding: str | None, why: str, reason: str = "") -> None:
        if policy.fails:
            named = f'policy "{policy.name}"' if binding is None else f"policy '{policy.name}' with binding '{binding}'"
            self._failures.append(_Failure(f"{named} denied request: {why}", reason))

    def _after(self, one: Invocation, content: Object) -> Object:
        """The object after one invocation."""
        context, kinds = self._context, self._context.kinds
        converted = one.match.kind != context.request.sent_kind
        versioned, before = content, self._before
        if converted:
            versioned = kinds.in_version(content, one.match.resource)
            before = None if before is None else kinds.in_version(before, one.match.resource)
        variables = context.variables(one.match, versioned, before, one.param)
        try:
            if one.policy.conditions:
                with_types = _typed(variables, one.match.resource)
                if not meets_conditions(one.policy, context, with_types):
                    return content
        except ConditionError as error:
            self._fail(one.policy, one.binding.name, str(error), INVALID)
            return content
        if self._selected is not None and one.key not in self._selected:
            return content
        after = versioned
        for mutation in one.policy.mutations:
            try:
                after = self._mutated(one, mutation, after, variables)
                self.patched = True
            except (PatchError, OutOfBudget) as error:
                self._fail(one.policy, one.binding.name, str(error), INVALID)
        if one.policy.spec.get("reinvocationPolicy") == "IfNeeded":
            self._invoked.add(one.key)
        if after is versioned:
            return content
        context.mutations.append(Mutated(one.policy.name, one.binding.name, versioned, after))
        return kinds.in_version(after, context.request.resource) if converted else after

    def _mutated(self, one: Invocation, mutation: Mutation, content: Object, variables: dict[str, Any]) -> Object:
        expression = mutation.expression
        if expression.program is None:
            raise PatchError(expression.why_not)
        result = Evaluation(one.policy, {**variables, "object": content}).evaluate(expression)
        if result.error:
            raise PatchError(result.error)
        kinds, resource = self._context.kinds, one.match.resource
        is_whole = one.match.kind == (resource.api_version, resource.kind)  # not a Scale or a Binding
        schema = kinds.schema(resource) if is_whole else kinds.tables.schema(*one.match.kind)
        if mutation.patch_type == "JSONPatch":
            found = json_patch(content, result.value)
            if is_whole and found is not content:
                check_form(found, resource, kinds)
        else:
            found = apply_configuration(content, result.value, schema)
            if is_whole:
                found = as_converted(found, resource, kinds)
        return as_admitted(found, resource, kinds) if is_whole else found


def _typed(variables: dict[str, Any], resource: Resource) -> dict[str, Any]:
    """The variables of match conditions. Mutations have untyped objects."""
    if not resource.built_in:
        return variables
    return {**variables, "object": typed(variables["object"]), "oldObject": typed(variables["oldObject"])}
