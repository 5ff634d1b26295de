"""The invocations of policies that match a request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .params import ConfigurationError, param_resource, params_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..protocol import Object
    from .compiled import CompiledPolicy
    from .context import PolicyContext
    from .matching import Matcher
    from .request import Match
    from .source import Binding, BoundPolicy

    Key = tuple[str, str, str]


class Invocation(NamedTuple):
    """One policy with one of its bindings and one of its params."""

    policy: CompiledPolicy
    binding: Binding
    match: Match
    param: Object | None

    @property
    def key(self) -> Key:
        """What identifies the invocation in a later pass."""
        metadata = self.param["metadata"] if self.param is not None else {}
        return self.policy.name, self.binding.name, f"{metadata.get('namespace', '')}/{metadata.get('name', '')}"


Plan = list["Invocation | BoundPolicy"]


def invocations(
    policies: tuple[BoundPolicy, ...],
    matcher: Matcher,
    context: PolicyContext,
    fail: Callable[[CompiledPolicy, str | None, str], None],
) -> Iterator[Invocation]:
    """Yield the invocations, in order. `fail` gets a policy or binding that cannot be evaluated, with the reason."""
    for one in _plan(policies, matcher):
        if isinstance(one, Invocation):
            yield one
        else:
            yield from _of_policy(one, matcher, context, fail)


_plans: dict[tuple[int, Any], tuple[tuple[BoundPolicy, ...], Plan]] = {}
"""By the id of policies and the kind of request: the policies, and their plan."""
MOST_PLANS = 200


def _plan(policies: tuple[BoundPolicy, ...], matcher: Matcher) -> Plan:
    """The invocations of policies that always match requests of this kind, between the other policies."""
    if not matcher.whole.resource.built_in:  # definitions change without the policies
        return list(policies)
    key = (id(policies), matcher.key)
    found = _plans.get(key)
    if found is None:
        if len(_plans) >= MOST_PLANS:
            _plans.clear()
        plan = [part for bound in policies for part in _invocations_or_policy(bound, matcher)]
        found = _plans[key] = (policies, plan)
    return found[1]


def _invocations_or_policy(bound: BoundPolicy, matcher: Matcher) -> Plan:
    constraints = [
        bound.policy.spec.get("matchConstraints"),
        *(one.spec.get("matchResources") for one in bound.bindings),
    ]
    if bound.policy.spec.get("paramKind") is None and all(map(matcher.always_matches, constraints)):
        return [Invocation(bound.policy, one, matcher.whole, None) for one in bound.bindings]
    return [bound]


def _of_policy(
    bound: BoundPolicy,
    matcher: Matcher,
    context: PolicyContext,
    fail: Callable[[CompiledPolicy, str | None, str], None],
) -> Iterator[Invocation]:
    policy = bound.policy
    match = matcher.match(policy.spec.get("matchConstraints"))
    if match is None:
        return
    try:
        kind = param_resource(policy.spec, context.kinds)
    except ConfigurationError as error:
        fail(policy, None, f"failed to configure policy: {error}")
        return
    for binding in bound.bindings:
        if matcher.match(binding.spec.get("matchResources")) is None:
            continue
        if kind is None or binding.spec.get("paramRef") is None:
            yield Invocation(policy, binding, match, None)
            continue
        place = context.request.namespace
        try:
            params = params_of(
                binding.spec, kind, place, context.kinds, context.of_kind, is_complete=context.is_complete
            )
        except ConfigurationError as error:
            fail(policy, binding.name, f"failed to configure binding: {error}")
            continue
        for param in params:
            yield Invocation(policy, binding, match, param)
