"""The invocations of policies that match a request."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .params import ConfigurationError, param_resource, params_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..protocol import Object
    from .compiled import CompiledPolicy
    from .matching import Matcher
    from .request import Match
    from .source import Binding, BoundPolicy
    from .surroundings import Surroundings

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


def invocations(
    policies: tuple[BoundPolicy, ...],
    matcher: Matcher,
    around: Surroundings,
    fail: Callable[[CompiledPolicy, str | None, str], None],
) -> Iterator[Invocation]:
    """Yield the invocations, in order. `fail` gets a policy or binding that cannot be evaluated, with the reason."""
    for bound in policies:
        policy = bound.policy
        match = matcher.match(policy.spec.get("matchConstraints"))
        if match is None:
            continue
        try:
            kind = param_resource(policy.spec, around.kinds)
        except ConfigurationError as error:
            fail(policy, None, f"failed to configure policy: {error}")
            continue
        for binding in bound.bindings:
            if matcher.match(binding.spec.get("matchResources")) is None:
                continue
            if kind is None or binding.spec.get("paramRef") is None:
                yield Invocation(policy, binding, match, None)
                continue
            place = around.request.namespace
            try:
                params = params_of(
                    binding.spec, kind, place, around.kinds, around.of_kind, is_complete=around.is_complete
                )
            except ConfigurationError as error:
                fail(policy, binding.name, f"failed to configure binding: {error}")
                continue
            for param in params:
                yield Invocation(policy, binding, match, param)
